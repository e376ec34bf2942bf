//! The tool `save_memory`, as models and MCP clients call it.
//!
//! It takes the road of `memory add`, with two differences: global memory is the default, as the tool's
//! users expect, and a model's choice is questioned where a person's is not. Where facts are filed, no scope means
//! that the fact goes where it belongs.

use analects_memory::check;
use analects_text::problem::Problem;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::World;
use crate::codes;
use crate::filing;
use crate::place::Target;
use crate::remember::{self, By, OnSecret, Remembered, Request};
use crate::verbs::memory::Scope;
use crate::verbs::{Failure, Flags};

/// The name that models know it by.
pub const NAME: &str = "save_memory";

/// What a model is told of a fact that waits.
const WAITS: &str =
    "It waits in the user's inbox and is remembered once they say yes. Do not save it again.";

/// What a model says.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaveMemory {
    /// The fact to remember: one self-contained sentence.
    pub fact: String,
    /// `global` (the default) for what holds in every project of this user, `project` for what is about this
    /// one; both stay private.
    #[serde(default)]
    pub scope: Option<Scope>,
}

/// What a model is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Saved {
    /// What became of it.
    Done {
        /// Whether the fact is remembered now, or waits for the user's yes.
        success: bool,
        /// The same in words.
        message: String,
    },
    /// Why it failed.
    Failed {
        /// Always false.
        success: bool,
        /// The reason.
        error: String,
    },
}

impl Saved {
    /// Whether the fact is remembered now.
    #[must_use]
    pub fn is_success(&self) -> bool {
        match self {
            Self::Done { success, .. } | Self::Failed { success, .. } => *success,
        }
    }
}

/// Remembers what a model says; `who` names it for the journal.
#[must_use]
pub fn save_memory(world: &World<'_>, flags: &Flags, call: &SaveMemory, who: &str) -> Saved {
    match remembered(world, flags, call, who) {
        Ok(remembered) => {
            let (id, text) = (&remembered.id, &remembered.text);
            let decided = &remembered.decided;
            let (success, message) = if decided.is_declined {
                (false, "It was declined; nothing was remembered.".to_owned())
            } else if decided.is_edited {
                (true, "Remembered, in the user's own words.".to_owned())
            } else if decided.is_waiting {
                (true, WAITS.to_owned())
            } else if decided.is_written() {
                let but = doubts(&remembered.problems);
                (true, format!("Remembered as {id}: \"{text}\"{but}"))
            } else if decided.diff.is_empty() {
                (true, format!("Already remembered as {id}: \"{text}\""))
            } else {
                (false, "A dry run: nothing was remembered.".to_owned())
            };
            Saved::Done { success, message }
        }
        Err(failure) => Saved::Failed {
            success: false,
            error: told(&failure),
        },
    }
}

fn remembered(
    world: &World<'_>,
    flags: &Flags,
    call: &SaveMemory,
    who: &str,
) -> Result<Remembered, Failure> {
    let is_filed = call.scope.is_none() && filing::is_wanted(world, flags)?;
    let request = Request {
        fact: &call.fact,
        target: match call.scope {
            None if is_filed => Target::Routed,
            None | Some(Scope::Global) => Target::Global,
            Some(Scope::Project) => Target::Private,
        },
        by: By::Model,
        who,
        allowed: &[],
        on_secret: OnSecret::Refuse,
    };
    match is_filed {
        true => filing::file(world, flags, &request),
        false => remember::remember(world, flags, &request),
    }
}

/// What spoke against it, for whoever could not be asked.
fn doubts(problems: &[Problem]) -> String {
    let is_doubt = |problem: &&Problem| {
        let doubts = [
            &codes::SIMILAR,
            &check::codes::WRONG_SCOPE,
            &codes::OVER_BUDGET,
            &codes::CLASHING,
            &codes::PLACE_ASSUMED,
            &codes::KEPT_PRIVATE,
        ];
        doubts.contains(&problem.code)
    };
    let doubts = problems.iter().filter(is_doubt);
    doubts
        .map(|doubt| format!("; but {}", doubt.message))
        .collect()
}

fn told(failure: &Failure) -> String {
    let hints = failure.hints.iter().map(String::as_str);
    let all: Vec<_> = std::iter::once(failure.message.as_str())
        .chain(hints)
        .collect();
    all.join("; ")
}

#[cfg(test)]
mod tests {
    use analects_testkit::{FakeDesk, surroundings};
    use analects_world::ask::Answer;
    use expect_test::expect;
    use serde_json::json;

    use super::*;

    const HOME: &str = "/h/.gemini/GEMINI.md";

    fn call(desk: &FakeDesk, arguments: serde_json::Value) -> String {
        let around = surroundings("/w/app", "/h", &[]);
        let call: SaveMemory = serde_json::from_value(arguments).unwrap();
        let saved = save_memory(&desk.world(&around), &Flags::default(), &call, NAME);
        serde_json::to_string(&saved).unwrap()
    }

    fn desk() -> FakeDesk {
        FakeDesk::parse("//- /w/app/.git/\n")
    }

    #[test]
    fn global_is_the_default_and_the_person_is_asked() {
        let desk = desk();
        desk.person.will_say(Answer::Yes);
        expect![[r#"{"success":true,"message":"Remembered as d73e14c0: \"Likes tea\""}"#]]
            .assert_eq(&call(&desk, json!({ "fact": "Likes tea" })));
        assert!(desk.text(HOME).unwrap().ends_with("- Likes tea\n"));
        expect![[r#"{"success":true,"message":"Already remembered as d73e14c0: \"Likes tea\""}"#]]
            .assert_eq(&call(&desk, json!({ "fact": "Likes tea" })));
        desk.person.will_say(Answer::Yes);
        call(
            &desk,
            json!({ "fact": "Builds with make", "scope": "project" }),
        );
        let private = desk.text("/h/.gemini/tmp/app/memory/MEMORY.md");
        assert_eq!(private.as_deref(), Some("- Builds with make\n"));
    }

    #[test]
    fn a_model_is_told_what_a_person_declined_or_changed() {
        let desk = desk();
        desk.person.will_say(Answer::No);
        expect![[r#"{"success":false,"message":"It was declined; nothing was remembered."}"#]]
            .assert_eq(&call(&desk, json!({ "fact": "Likes tea" })));
        desk.person.will_say(Answer::Edit);
        desk.person.will_edit("- Likes green tea\n");
        desk.person.will_say(Answer::Yes);
        expect![[r#"{"success":true,"message":"Remembered, in the user's own words."}"#]]
            .assert_eq(&call(&desk, json!({ "fact": "Likes tea" })));
        assert_eq!(desk.text(HOME).as_deref(), Some("- Likes green tea\n"));
    }

    #[test]
    fn without_anybody_to_ask_a_model_writes_nothing() {
        let desk = desk();
        let said = call(&desk, json!({ "fact": "Likes tea" }));
        assert!(
            said.starts_with(r#"{"success":false,"error":"nothing was written"#),
            "{said}"
        );
        assert!(call(&desk, json!({ "fact": " - " })).contains("nothing to remember"));
        assert!(desk.commits().is_empty());
    }

    #[test]
    fn other_arguments_are_refused() {
        for bad in [
            json!({}),
            json!({ "fact": 1 }),
            json!({ "fact": "x", "scope": "team" }),
            json!({ "fact": "x", "modified_content": "y" }),
        ] {
            assert!(serde_json::from_value::<SaveMemory>(bad).is_err());
        }
    }
}
