//! What a model writes to stand for a long history.

use std::sync::OnceLock;

use analects_chat::compress::snapshot::{Section, Snapshot, harmless};
use analects_chat::compress::{Answer, Ask, Plan, Status, Trigger, apply, plan};
use analects_chat::faults::faults;
use analects_chat::limits::{Limits, Wishes};
use analects_text::tokens;
use analects_world::Profile;
use analects_world::model::{Content, Role};

/// What was read is written and read again as it was; whatever a model says, the history gets shorter and stays valid.
pub fn snapshot(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let whole = match text.contains("<state_snapshot>") {
        true => text.clone().into_owned(),
        false => format!("<state_snapshot>{text}</state_snapshot>"),
    };
    if let Some(snapshot) = Snapshot::parse(&whole) {
        let once = Snapshot::parse(&snapshot.render()).unwrap();
        assert_eq!(Snapshot::parse(&once.render()), Some(once.clone()));
        for section in Section::ALL {
            assert_eq!(
                once.items(section).len(),
                snapshot.items(section).len(),
                "{section:?} of {snapshot:?}"
            );
        }
        assert!(Snapshot::missing(&snapshot.render()).is_empty());
        let is_said = |section: &Section| !snapshot.items(*section).is_empty();
        let missing = Snapshot::missing(&whole);
        assert!(!missing.iter().any(is_said));
    }
    contained(&text);
    compressed(&text);
}

/// One item stays one item, whatever it says.
fn contained(text: &str) {
    let safe = harmless(text);
    assert_eq!(harmless(&safe), safe);
    let mut snapshot = Snapshot::default();
    snapshot.push(Section::Goal, text);
    snapshot.push(Section::Plan, "the end");
    let read = Snapshot::parse(&snapshot.render()).unwrap();
    assert!(read.items(Section::Goal).len() <= 1);
    assert_eq!(read.items(Section::Plan), ["the end"]);
    for section in [Section::Constraints, Section::Knowledge, Section::Actions] {
        assert!(read.items(section).is_empty());
    }
}

fn compressed(answer: &str) {
    // Always the same, so it is planned once.
    static LONG: OnceLock<(Vec<Content>, Plan)> = OnceLock::new();
    let (history, plan) = LONG.get_or_init(planned).clone();
    let outcome = apply(history, plan, "snapshot", Answer::Said(answer));
    assert_eq!(outcome.status, Status::Compressed);
    assert!(outcome.after_tokens * 2 < outcome.before_tokens);
    assert_eq!(faults(&outcome.history), []);
    let said = outcome.snapshot.unwrap_or_default();
    assert!(tokens::estimate(&said) < outcome.before_tokens);
    assert_eq!(said.matches("<state_snapshot>").count(), 1, "{said}");
    assert_eq!(said.matches("</state_snapshot>").count(), 1, "{said}");
    assert!(
        said.contains("Never touch vendor/."),
        "what the user wants stays: {said}"
    );
    let opening = outcome.history.first().unwrap();
    assert!(opening.texts().any(|text| text == PIN));
}

const PIN: &str = "the build machine is called heron";

fn planned() -> (Vec<Content>, Plan) {
    let history = history();
    let ask = Ask {
        limits: &Limits::of(128_000, Profile::Analects, &Wishes::default()),
        trigger: Trigger::Manual,
        pins: &[PIN.to_owned()],
        focus: None,
        plan_file: None,
    };
    let plan = plan(&history, &ask).unwrap();
    (history, plan)
}

fn history() -> Vec<Content> {
    let request = "Port the parser. Never touch vendor/.";
    let mut history = vec![Content::text("ask", Role::User, request)];
    for step in 0..60 {
        let report = format!("Step {step} is done, and the tests of this part pass. ").repeat(5);
        history.push(Content::text(format!("m{step}"), Role::Model, report));
        history.push(Content::text(format!("u{step}"), Role::User, "Go on."));
    }
    history
}
