//! Memory files that are written: facts put in, entries changed and taken out.

use analects_memory::entry::{Entry, entries, with, without};
use analects_memory::note::{Fact, Style, insert};
use analects_text::outline::outline;

use crate::sheet::{parts, text_of};

/// A fact that was put in stands there as one entry, and nothing else has changed; taken out again, it is gone.
pub fn notes(data: &[u8]) {
    let input = parts(data);
    let text = text_of(&input, "");
    let said = entries(&text);
    let n_lines = 1 + text.matches('\n').count();
    for entry in &said {
        assert!(text.get(entry.range.clone()).is_some());
        assert!(entry.line <= n_lines);
    }
    assert!(said.is_sorted_by_key(|entry| entry.range.start));
    for entry in &outline(&text).entries {
        assert!(text.get(entry.at.clone()).is_some());
    }
    let raw = match text_of(&input, "fact") {
        fact if fact.is_empty() => "tests run on port 8081".to_owned(),
        fact => fact,
    };
    let Ok(fact) = Fact::clean(&raw) else { return };
    assert!(!fact.as_str().contains('\n'));
    assert_eq!(
        Fact::clean(fact.as_str()).map(|again| again.as_str().to_owned()),
        Ok(fact.as_str().to_owned())
    );
    for style in [Style::Section, Style::Plain] {
        put_in(&text, &said, &fact, style);
    }
    changed(&text, &said, &fact);
}

fn put_in(text: &str, said: &[Entry], fact: &Fact, style: Style) {
    let Some(insertion) = insert(text, fact.as_str(), style) else {
        return;
    };
    let longer = insertion.apply(text);
    let (before, after) = text.split_at_checked(insertion.at).unwrap();
    assert!(longer.starts_with(before) && longer.ends_with(after));
    let now = entries(&longer);
    assert!(now.len() > said.len(), "{longer}");
    let one_line = |fact: &str| fact.split_whitespace().collect::<Vec<_>>().join(" ");
    let added = now.iter().find(|entry| {
        let at = insertion.at + insertion.frame.lead.len();
        entry.range.start == at
    });
    let added = added.unwrap_or_else(|| panic!("the fact is no entry:\n{longer}"));
    assert_eq!(added.text, one_line(fact.as_str()));
    let back = without(&longer, added, Some(&insertion.frame));
    let left = entries(&back);
    let texts =
        |entries: &[Entry]| -> Vec<String> { entries.iter().map(|it| it.text.clone()).collect() };
    assert_eq!(texts(&left), texts(said), "{longer}\n=====\n{back}");
}

fn changed(text: &str, said: &[Entry], fact: &Fact) {
    for entry in said.iter().take(4) {
        let other = with(text, entry, fact);
        let head = text.get(..entry.range.start).unwrap();
        assert!(other.starts_with(head) && other.contains(fact.as_str()));
        let gone = without(text, entry, None);
        assert!(gone.len() < text.len() && gone.starts_with(head));
    }
}
