//! Reads fields of an answer leniently: servers disagree about their types.
//!
//! A field that is not what it should be counts as absent, and the rest of the answer still means something. Every
//! piece of a stream goes through here, so nothing is set aside to be looked at twice, as untagged enums would.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// A field, if it is what it should be.
pub(super) fn loose<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Loose<'de>,
{
    deserializer.deserialize_any(Anything(PhantomData))
}

/// What can be read out of whatever stands there.
pub(super) trait Loose<'de>: Sized {
    fn text(_: &str) -> Option<Self> {
        None
    }

    fn number(_: u64) -> Option<Self> {
        None
    }

    fn list<A: SeqAccess<'de>>(mut list: A) -> Result<Option<Self>, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn object<A: MapAccess<'de>>(mut object: A) -> Result<Option<Self>, A::Error> {
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }
}

impl Loose<'_> for String {
    fn text(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}

impl Loose<'_> for u64 {
    fn number(number: u64) -> Option<Self> {
        Some(number)
    }
}

/// An object whose own fields are loose.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Fields<T>(pub(super) T);

impl<'de, T: Deserialize<'de>> Loose<'de> for Fields<T> {
    fn object<A: MapAccess<'de>>(object: A) -> Result<Option<Self>, A::Error> {
        let fields = T::deserialize(MapAccessDeserializer::new(object))?;
        Ok(Some(Self(fields)))
    }
}

/// Words, as one text or in parts.
pub(super) struct Words(pub(super) String);

impl<'de> Loose<'de> for Words {
    fn text(text: &str) -> Option<Self> {
        Some(Self(text.to_owned()))
    }

    fn list<A: SeqAccess<'de>>(mut list: A) -> Result<Option<Self>, A::Error> {
        let mut all = String::new();
        while let Some(part) = list.next_element::<WordsPart>()? {
            all.push_str(&part.0);
        }
        Ok(Some(Self(all)))
    }
}

/// One of the parts: a text, or an object with one.
struct WordsPart(String);

impl<'de> Deserialize<'de> for WordsPart {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(loose(deserializer)?.unwrap_or(Self(String::new())))
    }
}

impl<'de> Loose<'de> for WordsPart {
    fn text(text: &str) -> Option<Self> {
        Some(Self(text.to_owned()))
    }

    fn object<A: MapAccess<'de>>(object: A) -> Result<Option<Self>, A::Error> {
        let mut fields = Map::deserialize(MapAccessDeserializer::new(object))?;
        match fields.shift_remove("text") {
            Some(Value::String(text)) => Ok(Some(Self(text))),
            _ => Ok(None),
        }
    }
}

/// JSON in a text; some servers send what the text would say.
pub(super) struct Json(pub(super) String);

impl<'de> Loose<'de> for Json {
    fn text(text: &str) -> Option<Self> {
        Some(Self(text.to_owned()))
    }

    fn object<A: MapAccess<'de>>(object: A) -> Result<Option<Self>, A::Error> {
        let fields = Map::deserialize(MapAccessDeserializer::new(object))?;
        Ok(Some(Self(Value::Object(fields).to_string())))
    }
}

/// Takes whatever comes.
struct Anything<T>(PhantomData<T>);

impl<'de, T: Loose<'de>> Visitor<'de> for Anything<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        Ok(T::number(number))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(T::text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
        T::list(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<Self::Value, A::Error> {
        T::object(object)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn words(value: &Value) -> Option<String> {
        loose::<_, Words>(value).unwrap().map(|words| words.0)
    }

    #[test]
    fn words_are_a_text_or_parts_with_texts() {
        assert_eq!(words(&json!("é")).as_deref(), Some("é"));
        let parts =
            json!(["a", { "type": "text", "text": "b" }, { "type": "image" }, 5, null, ["c"]]);
        assert_eq!(words(&parts).as_deref(), Some("ab"));
        for other in [
            json!(null),
            json!(5),
            json!(-5),
            json!(0.5),
            json!(true),
            json!({ "text": "a" }),
        ] {
            assert_eq!(words(&other), None, "{other}");
        }
    }

    #[test]
    fn a_field_of_another_type_is_absent() {
        for other in [
            json!(null),
            json!(-1),
            json!(1.5),
            json!("1"),
            json!([1]),
            json!({ "1": 1 }),
        ] {
            assert_eq!(loose::<_, u64>(&other).unwrap(), None, "{other}");
        }
        assert_eq!(loose::<_, u64>(&json!(u64::MAX)).unwrap(), Some(u64::MAX));
        assert_eq!(loose::<_, String>(&json!({ "a": [{}] })).unwrap(), None);
        let object = json!({ "a": 1 });
        let json = loose::<_, Json>(&object).unwrap().map(|json| json.0);
        assert_eq!(json.as_deref(), Some(r#"{"a":1}"#));
    }
}
