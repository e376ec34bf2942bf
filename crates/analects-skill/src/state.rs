//! When extractions made which skills, as Gemini CLI notes it.

use std::collections::HashMap;

use analects_session::stamp::Stamp;
use analects_world::AbsPath;
use analects_world::files::{Files, Want, Within};
use serde::Deserialize;
use serde_json::Value;

/// Gemini CLI never prunes this file; what comes after is not read.
const LIMIT_BYTES: usize = 8 * 1024 * 1024;

/// The newest run that made a skill, by the skill's folder.
#[derive(Debug, Default)]
pub(crate) struct Dates(HashMap<String, Stamp>);

/// One line for each run; whatever else it says is not asked for.
#[derive(Deserialize)]
struct State {
    #[serde(default)]
    runs: Vec<Value>,
}

impl Dates {
    /// Reads the notes in a private folder. A file that makes no sense dates nothing.
    pub(crate) fn read(files: &dyn Files, memory: &AbsPath) -> Self {
        let want = Want {
            path: &memory.join(".extraction-state.json"),
            within: Within::Anywhere,
            limit_bytes: LIMIT_BYTES,
        };
        let mut dates = Self::default();
        let Ok(blob) = files.read_one(want) else {
            return dates;
        };
        let state = serde_json::from_slice::<State>(&blob.bytes);
        for run in state.map(|state| state.runs).unwrap_or_default() {
            let Some(at) = run["runAt"].as_str().and_then(Stamp::parse) else {
                continue;
            };
            let made = run["skillsCreated"].as_array().into_iter().flatten();
            for name in made.filter_map(Value::as_str) {
                let known = dates.0.entry(name.to_owned()).or_insert(at);
                *known = at.max(*known);
            }
        }
        dates
    }

    pub(crate) fn of(&self, folder: &str) -> Option<Stamp> {
        self.0.get(folder).copied()
    }
}

#[cfg(test)]
mod tests {
    use analects_testkit::{FakeFiles, Fixture};

    use super::*;

    fn date(state: &str) -> Option<String> {
        let tree = Fixture::default().file("/m/.extraction-state.json", state);
        let dates = Dates::read(&FakeFiles::new(&tree), &AbsPath::new("/m").unwrap());
        dates.of("a").map(|date| date.to_string())
    }

    #[test]
    fn the_newest_run_dates_a_skill_and_nonsense_dates_none() {
        let runs = r#"{"runs": [{"runAt": "2026-01-02T00:00:00Z", "skillsCreated": ["a"]},
            {"runAt": "2026-01-01T00:00:00Z", "skillsCreated": ["a", 1]}, {"runAt": 3}, 4]}"#;
        assert_eq!(date(runs).as_deref(), Some("2026-01-02T00:00:00.000Z"));
        for bad in [
            "",
            "[]",
            "{}",
            r#"{"runs": 1}"#,
            r#"{"runs": [{"runAt": "x", "skillsCreated": ["a"]}]}"#,
        ] {
            assert_eq!(date(bad), None, "{bad}");
        }
    }
}
