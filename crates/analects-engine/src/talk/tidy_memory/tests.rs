//! Memory tidied by the agent that keeps it, and by rules where it cannot.

use analects_testkit::{FakeDesk, say, surroundings};
use analects_world::ask::Pick;
use analects_world::models::Event;
use serde_json::json;

use crate::verbs::memory::{Tidy, TidyAnswer};
use crate::verbs::{Flags, Verb};

const TREE: &str = "\
//- /h/.gemini/settings.json
{\"memory\": {\"writer\": \"manager\"}}
//- /h/.gemini/GEMINI.md
- Likes tea
- Drinks tea gladly
//- /w/app/.git/HEAD
ref
//- /w/app/GEMINI.md
- Build with make
- Build with make
";
const GLOBAL: &str = "/h/.gemini/GEMINI.md";
const ROOT: &str = "/w/app/GEMINI.md";

/// What becomes of memory when the model answers so; every answer is one turn.
fn tidied(desk: &FakeDesk, vars: &[(&str, &str)], answers: Vec<Vec<Event>>) -> TidyAnswer {
    for mut events in answers {
        events.push(say::done());
        desk.models.answer(events);
    }
    let around = surroundings("/w/app", "/h", vars);
    let flags = Flags {
        trust: true,
        ..Flags::default()
    };
    Tidy::default().run(&desk.world(&around), &flags).unwrap()
}

fn replace(id: &str, path: &str, old: &str, new: &str) -> Event {
    let args = json!({ "file_path": path, "old_string": old, "new_string": new });
    say::call(id, "replace", args)
}

fn edits() -> Vec<Event> {
    vec![
        replace(
            "a",
            GLOBAL,
            "- Likes tea\n- Drinks tea gladly\n",
            "- Likes tea\n",
        ),
        replace(
            "b",
            ROOT,
            "- Build with make\n- Build with make\n",
            "- Build with make\n",
        ),
    ]
}

fn done() -> Vec<Event> {
    let args = json!({ "result": { "response": "Two entries less." } });
    vec![say::call("z", "complete_task", args)]
}

const KEY: [(&str, &str); 1] = [("GEMINI_API_KEY", "k-0123456789")];

#[test]
fn a_person_chooses_among_the_changes_of_the_agent() {
    let desk = FakeDesk::parse(TREE);
    desk.person.will_pick(&[Pick::Leave, Pick::Take]);
    let answer = tidied(&desk, &KEY, vec![edits(), done()]);
    assert_eq!(answer.steps.len(), 2, "{answer:#?}");
    assert!(answer.written);
    let text = |path| desk.text(path).unwrap();
    let texts = (text(GLOBAL), text(ROOT));
    let half = [
        ("- Likes tea\n- Drinks tea gladly\n", "- Build with make\n"),
        ("- Likes tea\n", "- Build with make\n- Build with make\n"),
    ];
    assert!(
        half.iter().any(|(a, b)| texts.0 == *a && texts.1 == *b),
        "{texts:?}"
    );
    let asked = desk.models.asked();
    assert!(
        asked[0].history[0]
            .texts()
            .any(|text| text.contains("Drinks tea gladly"))
    );
    assert!(!asked[0].tools.contains(&"run_shell_command".to_owned()));
}

#[test]
fn without_a_model_or_an_answer_the_rules_decide() {
    let talk = || vec![say::text("All is well.")];
    let nobody = (&KEY[..0], Vec::new());
    let unfinished = (&KEY[..], vec![edits(), talk(), talk()]);
    for (vars, answers) in [nobody, unfinished] {
        let desk = FakeDesk::parse(TREE);
        desk.person.will_pick(&[Pick::Take]);
        let answer = tidied(&desk, vars, answers);
        let codes: Vec<_> = answer.problems.iter().map(|it| it.code.as_str()).collect();
        assert!(codes.contains(&"by-rules"), "{codes:?}");
        assert_eq!(desk.text(ROOT).unwrap(), "- Build with make\n");
        assert_eq!(
            desk.text(GLOBAL).unwrap(),
            "- Likes tea\n- Drinks tea gladly\n",
            "what an unfinished agent wrote counts for nothing"
        );
    }
}

#[test]
fn nobody_at_the_terminal_sees_all_of_it_and_nothing_is_written() {
    let desk = FakeDesk::parse(TREE);
    let answer = tidied(&desk, &KEY, vec![edits(), done()]);
    assert!(answer.undecided && !answer.written, "{answer:#?}");
    assert_eq!(answer.steps.len(), 2);
    assert!(desk.text(ROOT).unwrap().contains("make\n- Build"));
}
