//! Changes on their way into the inbox.

use analects_testkit::{FakeDesk, surroundings};
use analects_world::ask::Answer;
use expect_test::expect;

use crate::change_entry::{Caller, Wish, change_entry};
use crate::remember::By;
use crate::save_memory::{SaveMemory, save_memory};
use crate::verbs::memory::{Add, Scope, inbox};
use crate::verbs::{Flags, Verb};

const NOTES: &str = "/h/.gemini/tmp/app/memory/MEMORY.md";
const OWN: &str = "/h/.gemini/GEMINI.md";
const PRIVATE: &str = "/h/.gemini/tmp/app/memory/.inbox/private/extraction.patch";
const GLOBAL: &str = "/h/.gemini/tmp/app/memory/.inbox/global/extraction.patch";

const FLAGS: Flags = Flags {
    trust: true,
    no_memory: false,
    dry_run: false,
    yes: false,
};

fn desk() -> FakeDesk {
    FakeDesk::parse(
        "//- /w/app/.git/\n\
         //- /w/app/GEMINI.md\n\
         - The build runs with `cargo xtask ci`\n\
         //- /h/.gemini/analects.json\n\
         {\"memory\": {\"consent\": \"inbox\"}}\n\
         //- /h/.gemini/GEMINI.md\n\
         - Never use tabs in Python files\n\
         //- /h/.gemini/projects.json\n\
         {\"projects\": {\"/w/app\": \"app\"}}\n\
         //- /h/.gemini/tmp/app/.project_root\n\
         /w/app\n",
    )
}

fn save(desk: &FakeDesk, fact: &str, scope: Scope) -> String {
    let around = surroundings("/w/app", "/h", &[]);
    let call = SaveMemory {
        fact: fact.to_owned(),
        scope: Some(scope),
    };
    let saved = save_memory(&desk.world(&around), &FLAGS, &call, "save_memory");
    serde_json::to_string(&saved).unwrap()
}

#[test]
fn what_a_model_wants_to_remember_waits_and_grows() {
    let desk = desk();
    for fact in ["The staging port is 8443", "Releases are cut on Thursdays"] {
        let said = save(&desk, fact, Scope::Project);
        assert!(said.contains("waits in the user's inbox"), "{said}");
    }
    save(&desk, "Answers in short sentences, please", Scope::Global);
    expect![[r#"
        --- /dev/null
        +++ /h/.gemini/tmp/app/memory/MEMORY.md
        @@ -0,0 +1,2 @@
        +- The staging port is 8443
        +- Releases are cut on Thursdays
    "#]]
    .assert_eq(&desk.text(PRIVATE).unwrap());
    expect![[r#"
        --- /h/.gemini/GEMINI.md
        +++ /h/.gemini/GEMINI.md
        @@ -1 +1,4 @@
         - Never use tabs in Python files
        +
        +## Gemini Added Memories
        +- Answers in short sentences, please
    "#]]
    .assert_eq(&desk.text(GLOBAL).unwrap());
    assert_eq!(desk.text(NOTES), None);
    let again = save(&desk, "The staging port is 8443", Scope::Project);
    assert!(again.contains("waits in the user's inbox"), "{again}");
    assert_eq!(desk.text(PRIVATE).unwrap().matches("8443").count(), 1);
}

#[test]
fn what_waits_can_be_accepted_and_is_then_remembered() {
    let desk = desk();
    save(&desk, "The staging port is 8443", Scope::Project);
    save(&desk, "Answers in short sentences, please", Scope::Global);
    let around = surroundings("/w/app", "/h", &[]);
    let accept = inbox::Accept {
        items: Vec::new(),
        to: inbox::Whose::User,
        all: true,
        allow: Vec::new(),
    };
    let yes = Flags { yes: true, ..FLAGS };
    accept.run(&desk.world(&around), &yes).unwrap();
    assert_eq!(desk.text(NOTES).unwrap(), "- The staging port is 8443\n");
    assert!(desk.text(OWN).unwrap().contains("short sentences"));
    assert_eq!((desk.text(PRIVATE), desk.text(GLOBAL)), (None, None));
}

#[test]
fn an_entry_that_a_model_would_change_waits_as_well() {
    let desk = desk();
    let around = surroundings("/w/app", "/h", &[]);
    let caller = Caller {
        by: By::Model,
        who: None,
    };
    let wish = Wish::Say(Some("Never use tabs anywhere"));
    let world = desk.world(&around);
    let changed = change_entry(&world, &FLAGS, "tabs", wish, &[], caller).unwrap();
    assert!(changed.decided.is_waiting && !changed.decided.is_written());
    assert_eq!(
        desk.text(OWN).unwrap(),
        "- Never use tabs in Python files\n"
    );
    assert!(
        desk.text(GLOBAL)
            .unwrap()
            .contains("+- Never use tabs anywhere")
    );
}

#[test]
fn what_cannot_wait_there_is_asked_for() {
    let desk = desk();
    desk.person.will_say(Answer::No);
    let around = surroundings("/w/app", "/h", &[]);
    let caller = Caller {
        by: By::Model,
        who: None,
    };
    let world = desk.world(&around);
    let changed = change_entry(&world, &FLAGS, "build", Wish::Forget, &[], caller).unwrap();
    assert!(changed.decided.is_declined && !changed.decided.is_waiting);
}

#[test]
fn a_person_is_asked_as_ever() {
    let desk = desk();
    desk.person.will_say(Answer::No);
    let around = surroundings("/w/app", "/h", &[]);
    let add = Add {
        fact: "Likes tea".to_owned(),
        scope: Some(Scope::Global),
        to: None,
        redact: false,
        allow: Vec::new(),
    };
    let added = add.run(&desk.world(&around), &FLAGS).unwrap();
    assert!(!added.written);
    assert_eq!(desk.text(GLOBAL), None);
}

#[test]
fn a_patch_that_no_longer_fits_is_not_built_upon() {
    let desk = desk();
    save(&desk, "Answers in short sentences, please", Scope::Global);
    desk.edit(OWN, "- Something else entirely\n");
    let said = save(&desk, "Likes tea", Scope::Global);
    assert!(said.contains("memory has changed since"), "{said}");
    assert!(desk.text(GLOBAL).unwrap().contains("short sentences"));
}

#[test]
fn the_first_change_in_a_project_waits_like_all_others() {
    let consent = "{\"memory\": {\"consent\": \"inbox\"}}";
    let desk = FakeDesk::parse(&format!(
        "//- /w/app/.git/\n//- /h/.gemini/analects.json\n{consent}\n"
    ));
    desk.person.will_say(Answer::Yes);
    let said = save(&desk, "Answers in short sentences, please", Scope::Global);
    assert!(said.contains("waits in the user's inbox"), "{said}");
    assert_eq!(desk.text(OWN), None);
    assert!(desk.text(GLOBAL).unwrap().contains("short sentences"));
    assert!(desk.person.asked().is_empty());
}
