//! What a history is made of: the numbers that a calibrated estimate gives weights to.

use std::ops::AddAssign;

use analects_text::mix::Mix;
use analects_world::Profile;
use analects_world::model::{Body, Content, Part};
use serde_json::{Map, Value};

use super::{MAX_DEPTH, QUARTERS, escapes, quarters};

/// What a history is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Tokens that somebody else estimated: the system prompt and the tools.
    pub told: usize,
    /// Tokens that images and documents are said to cost.
    pub media: usize,
    /// Pieces: each of them has something around it that nobody sees.
    pub pieces: usize,
    /// The words.
    pub mix: Mix,
}

impl Counts {
    /// How many numbers there are.
    pub const KINDS: usize = 3 + Mix::KINDS;

    /// What these turns are made of.
    #[must_use]
    pub fn of(history: &[Content]) -> Self {
        let mut counts = Self::default();
        let parts = history.iter().flat_map(|content| &content.parts);
        parts.for_each(|part| counts.part(part, 0));
        counts
    }

    /// What a text is made of.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        Self {
            mix: Mix::of(text),
            ..Self::default()
        }
    }

    /// The numbers in a fixed order: short enough for a line of a log, and without a word of what was said.
    #[must_use]
    pub fn to_array(self) -> [usize; Self::KINDS] {
        let mut numbers = [0; Self::KINDS];
        let all = [self.told, self.media, self.pieces].into_iter();
        for (number, count) in numbers.iter_mut().zip(all.chain(self.mix.to_array())) {
            *number = count;
        }
        numbers
    }

    /// The counts with these numbers.
    #[must_use]
    pub fn from_array(numbers: [usize; Self::KINDS]) -> Self {
        let [told, media, pieces, mix @ ..] = numbers;
        Self {
            told,
            media,
            pieces,
            mix: Mix::from_array(mix),
        }
    }

    fn part(&mut self, part: &Part, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        self.pieces += 1;
        match &part.body {
            Body::Text(text) => self.text(text),
            Body::Media(_) => self.media += quarters(part, Profile::Analects, depth) / QUARTERS,
            Body::Call(call) => {
                self.text(&call.name);
                self.value(&call.args);
            }
            Body::Response(answer) => {
                self.text(&answer.name);
                match &answer.response {
                    Value::String(said) => self.text(said),
                    value => self.value(value),
                }
                let nested = answer.parts.iter();
                nested.for_each(|part| self.part(part, depth + 1));
            }
            Body::Other => self.fields(&part.rest),
        }
    }

    fn text(&mut self, text: &str) {
        self.mix += Mix::of(text);
    }

    /// A value as JSON. It is not written for it.
    fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.mix.plain += "null".len(),
            Value::Bool(_) => self.mix.plain += "true".len(),
            Value::Number(number) => self.text(&number.to_string()),
            Value::String(text) => self.quoted(text),
            Value::Array(items) => {
                self.mix.marks += 2 + items.len().saturating_sub(1);
                items.iter().for_each(|item| self.value(item));
            }
            Value::Object(fields) => self.fields(fields),
        }
    }

    fn fields(&mut self, fields: &Map<String, Value>) {
        self.mix.marks += 2 + (2 * fields.len()).saturating_sub(1);
        for (name, value) in fields {
            self.quoted(name);
            self.value(value);
        }
    }

    fn quoted(&mut self, text: &str) {
        self.text(text);
        self.mix.marks += 2 + escapes(text);
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.told = self.told.saturating_add(other.told);
        self.media = self.media.saturating_add(other.media);
        self.pieces = self.pieces.saturating_add(other.pieces);
        self.mix += other.mix;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use analects_world::model::Role;
    use serde_json::json;

    #[test]
    fn every_piece_is_counted_in_its_kind() {
        let image = json!({ "inlineData": { "mimeType": "image/png", "data": "AAAA" } });
        let history = [
            Content::text("a", Role::User, "Read it: 记"),
            Content {
                id: "b".to_owned(),
                role: Role::Model,
                parts: vec![
                    Part::call("1", "ls", json!({ "n": 12, "all": [true, null] })),
                    Part::response("1", "ls", json!("a\n")),
                    Part::from_value(image),
                ],
            },
        ];
        let counts = Counts::of(&history);
        assert_eq!((counts.media, counts.pieces), (3_000, 4));
        // "Read it: ", "ls" twice, "a\n", and the letters of {"n":12,"all":[true,null]}.
        assert_eq!(counts.mix.to_array(), [26, 0, 2, 13, 0, 0, 1, 0]);
        assert_eq!(Counts::from_array(counts.to_array()), counts);
    }
}
