//! Our base prompt as it lies in its file: sections, and words that stand only under a condition.
//!
//! A line `<!-- section NAME -->` begins a section. Behind the name may stand ` if CONDITION`, then `, lasting` (it
//! also follows a prompt of the user's own) and `, fixed` (nobody can leave it out). In a section `{a|b: words}` keeps
//! the words, without the one blank after the colon, where one of the conditions holds; a line that has nothing left
//! goes, and so does a second blank line. `{name}` is left for [`super::fill`]. Braces do not nest.

/// A section as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part<'a> {
    /// What it is called.
    pub(super) name: &'a str,
    /// What must hold for it to be said.
    pub(super) condition: Option<&'a str>,
    /// Whether it also follows a prompt of the user's own.
    pub(super) is_lasting: bool,
    /// Whether nobody can leave it out.
    pub(super) is_fixed: bool,
    /// What it says, conditions and all.
    pub(super) body: &'a str,
}

/// The sections of a template in order.
pub(super) fn parts(template: &str) -> impl Iterator<Item = Part<'_>> {
    // What stands before the first mark is no section.
    template.split("<!-- section ").skip(1).filter_map(part)
}

fn part(text: &str) -> Option<Part<'_>> {
    let (head, body) = text.split_once(" -->")?;
    let mut words = head.split(", ");
    let named = words.next()?;
    let (name, condition) = match named.split_once(" if ") {
        Some((name, condition)) => (name, Some(condition)),
        None => (named, None),
    };
    let flags: Vec<_> = words.collect();
    Some(Part {
        name,
        condition,
        is_lasting: flags.contains(&"lasting"),
        is_fixed: flags.contains(&"fixed"),
        body,
    })
}

/// A body with the words that stand under conditions that hold.
pub(super) fn settled(body: &str, holds: impl Fn(&str) -> bool) -> String {
    let mut said: Vec<String> = Vec::new();
    for line in body.trim().split('\n') {
        let kept = settled_line(line, &holds);
        let is_gone = kept.is_empty() && !line.is_empty();
        let is_second_blank = kept.is_empty() && said.last().is_none_or(String::is_empty);
        if !is_gone && !is_second_blank {
            said.push(kept);
        }
    }
    said.join("\n").trim_end().to_owned()
}

fn settled_line(line: &str, holds: impl Fn(&str) -> bool) -> String {
    let mut kept = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, (inner, behind))) = rest
        .split_once('{')
        .and_then(|(before, opened)| Some((before, opened.split_once('}')?)))
    {
        kept.push_str(before);
        match inner.split_once(": ") {
            Some((conditions, words)) if conditions.split('|').any(&holds) => kept.push_str(words),
            Some(_) => {}
            None => kept.extend(["{", inner, "}"]),
        }
        rest = behind;
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_say_when_they_stand_and_whether_they_last() {
        let text =
            "not said\n<!-- section a -->\nA.\n\n<!-- section b if x, lasting, fixed -->\nB.\n";
        let found: Vec<_> = parts(text)
            .map(|p| (p.name, p.condition, p.is_lasting, p.is_fixed, p.body.trim()))
            .collect();
        assert_eq!(
            found,
            [
                ("a", None, false, false, "A."),
                ("b", Some("x"), true, true, "B."),
            ]
        );
    }

    #[test]
    fn words_stand_under_their_condition() {
        for (text, expected) in [
            ("{x: yes}{y: no}.", "yes."),
            ("a{x:  b}{y:  c}", "a b"),
            ("{y|x: either: way}", "either: way"),
            ("{value} {x: {} open {", "{value} { open {"),
            ("one\n{y: gone}\ntwo", "one\ntwo"),
            ("one\n\n{y: gone}\n\ntwo\n{y: gone}\n", "one\n\ntwo"),
        ] {
            assert_eq!(settled(text, |name| name == "x"), expected, "{text}");
        }
    }
}
