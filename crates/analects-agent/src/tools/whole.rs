//! Whole numbers among arguments, however a model spells them: `2`, `2.0` and `"2"` are one.

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::Value;

/// A whole number, if there is one.
pub(super) fn whole<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u64>,
{
    let value = Value::deserialize(from)?;
    if value.is_null() {
        return Ok(None);
    }
    let number = number(&value).and_then(|number| T::try_from(number).ok());
    number
        .map(Some)
        .ok_or_else(|| D::Error::custom(format!("expected a whole number, not {value}")))
}

fn number(value: &Value) -> Option<u64> {
    match value {
        Value::Number(number) => number.as_u64().or_else(|| integral(number.as_f64()?)),
        Value::String(text) => {
            let text = text.trim();
            text.parse().ok().or_else(|| integral(text.parse().ok()?))
        }
        _ => None,
    }
}

/// Beyond this a number with a point is not exact any more.
const MOST: f64 = 9_007_199_254_740_992.0;

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it has no fraction, and is neither below zero nor too large"
)]
fn integral(number: f64) -> Option<u64> {
    let is_whole = number.fract() == 0.0 && (0.0..=MOST).contains(&number);
    is_whole.then_some(number as u64)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::tools::{Wanted, read_file};

    #[test]
    fn a_whole_number_is_one_however_it_is_spelt() {
        for two in [json!(2), json!(2.0), json!("2"), json!(" 2.0 ")] {
            let args = json!({ "file_path": "a", "start_line": two, "limit": null });
            let expected = read_file::Args {
                file_path: "a".to_owned(),
                start_line: Some(2),
                ..read_file::Args::default()
            };
            assert_eq!(
                Wanted::read("read_file", &args),
                Ok(Wanted::ReadFile(expected))
            );
        }
        for odd in [
            json!(2.5),
            json!(-1),
            json!("two"),
            json!(1e300),
            json!([2]),
            json!(true),
        ] {
            let args = json!({ "file_path": "a", "start_line": odd });
            let refusal = Wanted::read("read_file", &args).unwrap_err();
            let told = format!("expected a whole number, not {odd}.");
            assert!(refusal.message.ends_with(&told), "{}", refusal.message);
        }
    }
}
