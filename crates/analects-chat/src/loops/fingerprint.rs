//! Short fingerprints that identify calls and answers.

use analects_world::Profile;
use analects_world::model::{Call, Response};
use serde_json::{Map, Number, Value};
use sha2::{Digest, Sha256};

/// The same for the same thing, and for nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fingerprint([u8; 32]);

/// The largest whole number up to which every whole number is exact.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Of what a tool is asked. The order of fields matters to the originals only; that their engine moves fields
/// with numbers for names to the front is not kept.
pub(super) fn of_call(call: &Call, profile: Profile) -> Fingerprint {
    let order = match profile {
        Profile::Analects => Order::Sorted,
        Profile::Seed | Profile::Head => Order::AsWritten,
    };
    finish(|ink| {
        text(&call.name, ink);
        value(&call.args, order, ink);
    })
}

/// Of what a tool answered.
pub(super) fn of_response(response: &Response) -> Fingerprint {
    finish(|ink| {
        value(&response.response, Order::Sorted, ink);
        for part in &response.parts {
            value(&part.to_value(), Order::Sorted, ink);
        }
    })
}

/// Of a name.
pub(super) fn of_name(name: &str) -> Fingerprint {
    finish(|ink| text(name, ink))
}

#[derive(Clone, Copy)]
enum Order {
    AsWritten,
    Sorted,
}

fn finish(write: impl FnOnce(&mut Sha256)) -> Fingerprint {
    let mut ink = Sha256::new();
    write(&mut ink);
    Fingerprint(ink.finalize().into())
}

/// Each kind has its letter and texts their length, so that no two values are written alike.
fn value(what: &Value, order: Order, ink: &mut Sha256) {
    match what {
        Value::Null => ink.update(b"n"),
        Value::Bool(false) => ink.update(b"f"),
        Value::Bool(true) => ink.update(b"t"),
        Value::Number(number) => digits(number, ink),
        Value::String(said) => text(said, ink),
        Value::Array(items) => {
            length(b'a', items.len(), ink);
            items.iter().for_each(|item| value(item, order, ink));
        }
        Value::Object(fields) => object(fields, order, ink),
    }
}

fn object(fields: &Map<String, Value>, order: Order, ink: &mut Sha256) {
    let mut sorted: Vec<_> = fields.iter().collect();
    if let Order::Sorted = order {
        sorted.sort_unstable_by_key(|&(name, _)| name);
    }
    length(b'o', sorted.len(), ink);
    for (name, field) in sorted {
        text(name, ink);
        value(field, order, ink);
    }
}

/// `1.0` and `1` are the same number.
fn digits(number: &Number, ink: &mut Sha256) {
    let whole = (number.as_f64()).filter(|float| float.fract() == 0.0 && float.abs() < EXACT);
    let written = match whole {
        Some(whole) => format!("{:.0}", whole + 0.0),
        None => number.to_string(),
    };
    length(b'd', written.len(), ink);
    ink.update(written);
}

fn text(said: &str, ink: &mut Sha256) {
    length(b's', said.len(), ink);
    ink.update(said);
}

fn length(kind: u8, length: usize, ink: &mut Sha256) {
    ink.update([kind]);
    ink.update((length as u64).to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use analects_world::model::{Body, Part};
    use serde_json::json;

    fn call(args: Value) -> Call {
        match Part::call("1", "tool", args).body {
            Body::Call(call) => call,
            _ => unreachable!("a call is a call"),
        }
    }

    fn is_same(one: Value, other: Value, profile: Profile) -> bool {
        of_call(&call(one), profile) == of_call(&call(other), profile)
    }

    #[test]
    fn the_order_of_fields_matters_to_the_originals_only() {
        let one = json!({ "a": 1, "b": { "c": [1, 2], "d": null } });
        let other = json!({ "b": { "d": null, "c": [1, 2] }, "a": 1.0 });
        assert!(is_same(one.clone(), other.clone(), Profile::Analects));
        assert!(!is_same(one, other, Profile::Head));
    }

    #[test]
    fn different_values_differ() {
        let values = [
            json!(null),
            json!(false),
            json!(0),
            json!(0.5),
            json!("0"),
            json!([]),
            json!([0]),
            json!([[0], []]),
            json!([[], [0]]),
            json!({}),
            json!({ "a": "" }),
            json!({ "": "a" }),
            json!(u64::MAX),
            json!(1e300),
            json!("ab"),
            json!(["a", "b"]),
            json!(["ab", ""]),
        ];
        for (idx, one) in values.iter().enumerate() {
            for (other_idx, other) in values.iter().enumerate() {
                let same = is_same(one.clone(), other.clone(), Profile::Analects);
                assert_eq!(same, idx == other_idx, "{one} {other}");
            }
        }
        assert!(is_same(json!(-0.0), json!(0), Profile::Analects));
    }
}
