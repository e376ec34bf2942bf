//! What code says about itself: the names and comments of an enum or of constants, from its formatted source.

use crate::shell::{read, root};

/// A variant or a constant.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) name: String,
    /// Its comment, as one line.
    pub(super) meaning: String,
    /// What a constant is.
    pub(super) value: String,
    /// What a variant holds: names and comments.
    pub(super) fields: Vec<(String, String)>,
}

/// The variants of an enum of a file.
pub(super) fn variants(file: &str, name: &str) -> Result<Vec<Item>, String> {
    let text = read(&root().join(file))?;
    let found = of_enum(&text, name);
    match found.is_empty() {
        true => Err(format!("{file} has no enum `{name}`")),
        false => Ok(found),
    }
}

/// The constants of a file, in their order.
pub(super) fn constants(file: &str) -> Result<Vec<Item>, String> {
    let text = read(&root().join(file))?;
    Ok(of_constants(&text))
}

fn of_enum(text: &str, name: &str) -> Vec<Item> {
    let is_head = |line: &&str| {
        let (_, rest) = line.split_once("enum ").unwrap_or_default();
        let rest = rest.strip_prefix(name);
        rest.is_some_and(|rest| rest.starts_with([' ', '<']) && rest.ends_with('{'))
    };
    let body = text.lines().skip_while(|line| !is_head(line)).skip(1);
    let mut items: Vec<Item> = Vec::new();
    let mut comment = Vec::new();
    for line in body.take_while(|line| *line != "}") {
        let word = line.trim();
        if let Some(said) = word.strip_prefix("/// ") {
            comment.push(said);
        } else if word.starts_with('#') || word.starts_with('}') || word.is_empty() {
        } else if line.starts_with("        ") {
            let field = word.split(':').next().unwrap_or_default();
            if let Some(item) = items.last_mut() {
                let meaning = std::mem::take(&mut comment).join(" ");
                item.fields.push((field.to_owned(), meaning));
            }
        } else {
            let end = word.find([' ', ',', '(']).unwrap_or(word.len());
            items.push(Item {
                name: word.get(..end).unwrap_or_default().to_owned(),
                meaning: std::mem::take(&mut comment).join(" "),
                fields: in_one_row(word),
                ..Item::default()
            });
        }
    }
    items
}

/// What a short variant holds, as in `Two { n: u64, m: u8 },`.
fn in_one_row(variant: &str) -> Vec<(String, String)> {
    let held = variant
        .split_once("{ ")
        .and_then(|(_, rest)| rest.split_once(" }"));
    let (held, _) = held.unwrap_or_default();
    let names = held.split(", ").filter_map(|field| field.split_once(": "));
    names
        .map(|(name, _)| (name.to_owned(), String::new()))
        .collect()
}

fn of_constants(text: &str) -> Vec<Item> {
    let mut items = Vec::new();
    let mut comment = Vec::new();
    for line in text.lines() {
        if let Some(said) = line.strip_prefix("/// ") {
            comment.push(said);
            continue;
        }
        let meaning = std::mem::take(&mut comment).join(" ");
        let Some((_, rest)) = line.split_once("const ") else {
            continue;
        };
        if let Some((name, value)) = rest.split_once(" = ") {
            items.push(Item {
                name: name.split(':').next().unwrap_or_default().to_owned(),
                meaning,
                value: value.trim_end_matches(';').to_owned(),
                ..Item::default()
            });
        }
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_enum_tells_its_variants_and_what_they_hold() {
        let source = "enum Events {\n    No,\n}\n/// All.\npub enum Event<'a> {\n    /// One\n    /// thing.\n    #[default]\n    \
                      One,\n    /// Two.\n    Two {\n        /// How many.\n        n: u64,\n        m: &'a str,\n    },\n    Three(u8),\n    Four { a: &'a str, b: u8 },\n}\n";
        let items = of_enum(source, "Event");
        let names: Vec<_> = items.iter().map(|it| (&*it.name, &*it.meaning)).collect();
        assert_eq!(
            names,
            [
                ("One", "One thing."),
                ("Two", "Two."),
                ("Three", ""),
                ("Four", "")
            ]
        );
        let fields = [("n", "How many."), ("m", "")].map(|(a, b)| (a.to_owned(), b.to_owned()));
        assert_eq!(items[1].fields, fields);
        let names: Vec<_> = items[3].fields.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(of_enum(source, "Nothing"), []);
    }

    #[test]
    fn a_constant_tells_what_it_is() {
        let items = of_constants("/// Fine.\npub(crate) const FINE: u8 = 0;\nfn x() {}\n");
        let [item] = &items[..] else {
            panic!("{items:?}");
        };
        assert_eq!(
            (&*item.name, &*item.value, &*item.meaning),
            ("FINE", "0", "Fine.")
        );
    }
}
