//! Heads of Markdown files, and those who read them: skills and sub-agents.

use std::collections::BTreeSet;

use analects_agent::subagent::{self, Reading};
use analects_skill::skill;
use analects_text::frontmatter::{Field, Given, split};

use crate::sheet::check_line;

/// What is written back says the same; every line that is named is there; nothing grows.
pub fn frontmatter(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let n_lines = 1 + text.matches('\n').count();
    if let Ok(parts) = split(&text) {
        assert!(text.ends_with(parts.body));
        let above = text.len() - parts.body.len();
        let n_above = text.get(..above).unwrap().matches('\n').count();
        assert_eq!(parts.body_line, n_above + 1);
        match parts.fields() {
            Ok(fields) => check_fields(&fields, parts.body_line),
            Err(wrong) => assert!((1..=n_lines).contains(&wrong.line), "{wrong:?}"),
        }
    }
    let draft = skill::read(&text, "release");
    for fault in &draft.faults {
        assert!((1..=n_lines).contains(&fault.line), "{fault:?}");
    }
    if draft.faults.is_empty() {
        assert_eq!(draft.name, "release");
        assert!(skill::is_name(&draft.name));
        assert!(draft.description.chars().count() <= skill::MAX_DESCRIPTION);
    }
    let reading = Reading {
        file: "agent.md",
        tools: &["read_file", "write_file"],
    };
    let (definition, problems) = subagent::read(&text, &reading);
    assert!(definition.is_some() || !problems.is_empty());
    for problem in &problems {
        check_line(problem, text.as_bytes());
    }
}

fn check_fields(fields: &[Field], body_line: usize) {
    assert!(fields.len() <= 500);
    for field in fields {
        assert!(field.line > 1 && field.line <= body_line, "{field:?}");
    }
    let names: BTreeSet<_> = fields.iter().map(|field| &field.name).collect();
    assert_eq!(names.len(), fields.len());
    let written = written(fields);
    let again = split(&written).unwrap().fields().unwrap();
    let said = |fields: &[Field]| -> Vec<_> {
        let fields = fields.iter().map(|field| (field.name.clone(), said(field)));
        fields.collect()
    };
    assert_eq!(said(&again), said(fields), "{written}");
}

/// What a field says, wherever it stands.
fn said(field: &Field) -> Option<Vec<String>> {
    match &field.value {
        Given::Nothing => None,
        Given::Text(text) => Some(vec![text.clone()]),
        Given::List(words) => Some(words.iter().map(|(word, _)| word.clone()).collect()),
        Given::Map(_) | Given::Nested => Some(Vec::new()),
    }
}

/// The fields as YAML in which every word stands in quotes, as JSON has them.
fn written(fields: &[Field]) -> String {
    let quoted = |text: &str| serde_json::to_string(text).unwrap();
    let mut text = "---\n".to_owned();
    for field in fields {
        let value = match &field.value {
            Given::Nothing => String::new(),
            Given::Text(text) => quoted(text),
            Given::List(words) => {
                let words: Vec<_> = words.iter().map(|(word, _)| quoted(word)).collect();
                format!("[{}]", words.join(", "))
            }
            Given::Map(_) | Given::Nested => "{a: b}".to_owned(),
        };
        text.extend([format!("? {}\n: {value}\n", quoted(&field.name))]);
    }
    text + "---\n"
}
