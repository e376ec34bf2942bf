//! The names that conversations were given: `session_index.jsonl`.

use std::collections::BTreeMap;

use analects_text::problem::Problem;
use serde::Deserialize;

use super::super::json::Raw;
use super::super::lines::{self, Problems};

/// A title is a line.
const MAX_TITLE_BYTES: usize = 1024;

#[derive(Default, Deserialize)]
#[serde(default)]
struct Line<'a> {
    #[serde(borrow)]
    id: Raw<'a>,
    #[serde(borrow)]
    thread_name: Raw<'a>,
}

/// The name of each conversation, by its id. Of several for the same the last counts; an empty one takes it away.
#[must_use]
pub fn titles(bytes: &[u8]) -> (BTreeMap<String, String>, Vec<Problem>) {
    let mut found = BTreeMap::new();
    let mut problems = Problems::default();
    lines::read(bytes, &mut problems, |object, _| {
        let Ok(line) = serde_json::from_str::<Line<'_>>(object) else {
            return false;
        };
        if let (Some(id), Some(name)) = (line.id.word(), line.thread_name.text(MAX_TITLE_BYTES)) {
            match name.trim() {
                "" => found.remove(&*id),
                name => found.insert(id.into(), name.to_owned()),
            };
        }
        true
    });
    (found, problems.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_name_counts() {
        let index = "{\"id\":\"1\",\"thread_name\":\"Pond\",\"updated_at\":\"x\"}\n\
            {\"id\":\"2\",\"thread_name\":\"Geese\"}\nnot json\n\
            {\"id\":\"1\",\"thread_name\":\"The pond\"}\n{\"id\":\"2\",\"thread_name\":\"\"}\n{\"id\":\"3\",\"thr";
        let (found, problems) = titles(index.as_bytes());
        assert_eq!(format!("{found:?}"), r#"{"1": "The pond"}"#);
        let problems: Vec<_> = problems.iter().map(|problem| problem.code.name).collect();
        assert_eq!(problems, ["broken-session-line", "cut-session-line"]);
    }
}
