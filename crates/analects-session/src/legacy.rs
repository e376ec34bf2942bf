//! Records that are one JSON object: what Gemini CLI wrote before April 2026, as `.json`.
//!
//! Such an object may be spread over many lines, so it is tried when the lines alone made no sense. On one
//! line it reads as a header that brings its messages along, and needs nothing from here.

use crate::replay::line::{self, Fact, Line};
use crate::replay::scan::Span;

/// The whole text as one object that names its session.
pub(crate) fn read(text: &str) -> Option<Line> {
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let end = text.len();
    let line = line::read(text, Span { start, end }, &mut Vec::new()).ok()?;
    line.fields.get(Fact::SessionId).is_some().then_some(line)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::replay::{Form, Standing, replay};

    #[test]
    fn an_object_over_many_lines_is_a_record() {
        let replayed = replay(
            r#"{
  "sessionId": "s1",
  "projectHash": "p",
  "startTime": "2026-01-02T03:04:05.000Z",
  "lastUpdated": "2026-01-02T04:00:00.000Z",
  "summary": "Rename the crate",
  "messages": [
    {
      "id": "m1",
      "type": "user",
      "content": "rename it"
    },
    {
      "type": "gemini",
      "content": "Done."
    },
    { "id": "m1", "type": "user", "content": "again" },
    7
  ]
}"#
            .into(),
        );
        assert_eq!(replayed.form(), Form::Object);
        assert_eq!(replayed.standing(), Standing::Loadable);
        assert_eq!(replayed.problems(), []);
        let messages: Vec<_> = replayed.messages().map(|message| message.read()).collect();
        let shown: Vec<_> = messages
            .iter()
            .map(|message| format!("{} {}", message.id, message.content.plain_text()))
            .collect();
        expect![[r#"
            [
                "m1 rename it",
                " Done.",
                "m1 again",
            ]
        "#]]
        .assert_debug_eq(&shown);
        expect!["Rename the crate"].assert_eq(replayed.about().summary.as_deref().unwrap());
    }

    #[test]
    fn an_object_needs_no_project_but_a_session() {
        let standing = |text: &str| replay(text.into()).standing();
        assert_eq!(standing("{\n\"sessionId\":\"s\"\n}"), Standing::Loadable);
        assert_eq!(standing("{\n\"messages\":[]\n}"), Standing::Unreadable);
        assert_eq!(standing("{\n\"sessionId\":\"s\"\n"), Standing::Unreadable);
    }
}
