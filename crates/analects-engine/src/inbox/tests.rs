//! What waits, and what becomes of it, on a disk in memory.

mod newness;
mod quarantine;
mod skills;

use std::sync::Arc;

use analects_testkit::{FakeDesk, surroundings};
use analects_world::ask::Answer;
use expect_test::expect;

use super::*;
use crate::load_memory;
use crate::verbs::memory::Undo;
use crate::verbs::memory::inbox as verbs;
use crate::verbs::{Failure, Flags, Verb};

const INDEX: &str = "/h/.gemini/tmp/app/memory/MEMORY.md";
const PATCH: &str = "/h/.gemini/tmp/app/memory/.inbox/private/extraction.patch";
const SKILL: &str = "/h/.gemini/tmp/app/memory/skills/deploy/SKILL.md";
const SCRIPT: &str = "/h/.gemini/tmp/app/memory/skills/deploy/scripts/run.sh";
const GOOD: &str =
    "---\nname: deploy\ndescription: Deploys it. Use it on Thursdays.\n---\nDo it.\n";
const ADDS: &str = "--- /h/.gemini/tmp/app/memory/MEMORY.md\n+++ /h/.gemini/tmp/app/memory/MEMORY.md\n\
                    @@ -1 +1,2 @@\n - Old note\n+- The staging port is 8443\n";

const YES: Flags = Flags {
    trust: true,
    no_memory: false,
    dry_run: false,
    yes: true,
};
const ASK: Flags = Flags { yes: false, ..YES };

fn desk(files: &[(&str, &str)]) -> FakeDesk {
    let desk = FakeDesk::parse(
        "//- /w/app/.git/\n//- /h/.gemini/projects.json\n{\"projects\": {\"/w/app\": \"app\"}}\n\
         //- /h/.gemini/tmp/app/.project_root\n/w/app\n",
    );
    for (path, text) in files {
        desk.edit(path, text);
    }
    desk
}

fn patched() -> FakeDesk {
    desk(&[(INDEX, "- Old note\n"), (PATCH, ADDS)])
}

fn skilled() -> FakeDesk {
    desk(&[(SKILL, GOOD), (SCRIPT, "echo\n")])
}

fn ask<V: Verb>(desk: &FakeDesk, flags: &Flags, verb: &V) -> Result<V::Answer, Failure> {
    let around = surroundings("/w/app", "/h", &[]);
    verb.run(&desk.world(&around), flags)
}

fn accepting(item: &str) -> verbs::Accept {
    verbs::Accept {
        items: vec![item.to_owned()],
        to: verbs::Whose::User,
        all: false,
        allow: Vec::new(),
    }
}

fn accepting_all() -> verbs::Accept {
    verbs::Accept {
        items: Vec::new(),
        all: true,
        ..accepting("")
    }
}

fn dismissing(item: &str) -> verbs::Dismiss {
    verbs::Dismiss {
        items: vec![item.to_owned()],
    }
}

fn editing(item: &str, text: Option<&str>) -> verbs::Edit {
    verbs::Edit {
        item: item.to_owned(),
        file: None,
        text: text.map(ToOwned::to_owned),
        allow: Vec::new(),
    }
}

fn counted(desk: &FakeDesk) -> usize {
    let around = surroundings("/w/app", "/h", &[]);
    let world = desk.world(&around);
    let prepared = load_memory::prepare(&world, &YES).unwrap();
    let n_items = count(&world, &prepared);
    assert_eq!(items(&world, &prepared).unwrap().len(), n_items.n_all);
    n_items.n_all
}

fn undo(desk: &FakeDesk) {
    assert!(ask(desk, &YES, &Undo::default()).unwrap().written);
}

#[test]
fn nothing_waits_where_nothing_is() {
    assert_eq!(counted(&desk(&[])), 0);
    let strange = FakeDesk::parse("//- /w/app/.git/\n");
    assert_eq!(counted(&strange), 0);
    let failure = ask(&strange, &YES, &accepting("deploy")).unwrap_err();
    assert_eq!(
        failure.message,
        "nothing called `deploy` waits in the inbox"
    );
}

#[test]
fn a_patch_is_shown_as_it_would_be_applied_and_taken_back() {
    let desk = patched();
    desk.date(PATCH, 1_700_000_000_000);
    let listed = ask(&desk, &YES, &verbs::List {}).unwrap();
    let item = &listed.items[0];
    assert_eq!(item.id, "private/extraction.patch");
    assert_eq!(item.date.as_deref(), Some("2023-11-14T22:13:20.000Z"));
    assert_eq!(
        (item.targets.as_slice(), item.problems.len()),
        ([INDEX.to_owned()].as_slice(), 0)
    );
    desk.person.will_say(Answer::Yes);
    let settled = ask(&desk, &ASK, &accepting("extraction.patch")).unwrap();
    expect![[r#"
        --- /h/.gemini/tmp/app/memory/MEMORY.md	Current
        +++ /h/.gemini/tmp/app/memory/MEMORY.md	Proposed
        @@ -1 +1,2 @@
         - Old note
        +- The staging port is 8443
    "#]]
    .assert_eq(&settled.items[0].diff);
    assert_eq!(settled.items[0].outcome, verbs::InboxVerdict::Written);
    assert_eq!(desk.text(PATCH), None);
    assert_eq!(counted(&desk), 0);
    undo(&desk);
    assert_eq!(desk.text(INDEX).as_deref(), Some("- Old note\n"));
    assert_eq!(desk.text(PATCH).as_deref(), Some(ADDS));
}

#[test]
fn a_dry_run_and_a_no_change_nothing() {
    let desk = patched();
    let dry = Flags {
        dry_run: true,
        ..ASK
    };
    let shown = ask(&desk, &dry, &accepting("private/extraction.patch")).unwrap();
    assert_eq!(shown.items[0].outcome, verbs::InboxVerdict::Shown);
    desk.person.will_say(Answer::No);
    let declined = ask(&desk, &ASK, &accepting("private/extraction.patch")).unwrap();
    assert_eq!(declined.items[0].outcome, verbs::InboxVerdict::Declined);
    let nobody = ask(&desk, &ASK, &accepting("private/extraction.patch")).unwrap_err();
    assert!(nobody.message.contains("needs your consent"), "{nobody}");
    assert_eq!((counted(&desk), desk.commits().len()), (1, 0));
}

#[test]
fn no_setting_agrees_in_the_persons_place() {
    let desk = patched();
    desk.edit(
        "/h/.gemini/analects.json",
        r#"{"memory": {"consent": "auto"}}"#,
    );
    assert!(ask(&desk, &ASK, &accepting("extraction.patch")).is_err());
}

#[test]
fn a_file_that_changes_while_a_person_thinks_is_planned_and_shown_again() {
    let desk = Arc::new(patched());
    let other = Arc::clone(&desk);
    desk.person.will_say_while(Answer::Yes, move || {
        other.edit(INDEX, "- First\n- Old note\n");
    });
    desk.person.will_say(Answer::Yes);
    ask(&desk, &ASK, &accepting("extraction.patch")).unwrap();
    assert_eq!(
        desk.text(INDEX).as_deref(),
        Some("- First\n- Old note\n- The staging port is 8443\n")
    );
    assert!(desk.person.asked()[1].contains("(anew)"));
}

#[test]
fn a_patch_that_no_longer_fits_or_may_not_is_refused_whole() {
    let desk = patched();
    desk.edit(INDEX, "- Something else\n");
    let failure = ask(&desk, &YES, &accepting("extraction.patch")).unwrap_err();
    assert!(failure.message.contains("does not fit"), "{failure}");
    let state = "/h/.gemini/tmp/app/memory/.extraction-state.json";
    desk.edit(state, "{}\n");
    desk.edit(INDEX, "- Old note\n");
    let evil = format!("{ADDS}--- {state}\n+++ {state}\n@@ -1 +1 @@\n-{{}}\n+[]\n");
    desk.edit(PATCH, &evil);
    let failure = ask(&desk, &YES, &accepting("extraction.patch")).unwrap_err();
    assert!(failure.message.contains("it may not change"), "{failure}");
    let listed = ask(&desk, &YES, &verbs::List {}).unwrap();
    assert_eq!(listed.items[0].problems[0].code, "patch-outside");
    assert_eq!(desk.text(INDEX).as_deref(), Some("- Old note\n"));
}

#[test]
fn what_was_forgotten_on_purpose_does_not_come_back_unasked() {
    let desk = patched();
    desk.edit(INDEX, "- Old note\n- The staging port is 8443\n");
    let forget = crate::verbs::memory::Forget {
        entry: "staging port".to_owned(),
    };
    ask(&desk, &YES, &forget).unwrap();
    desk.person.will_say(Answer::No);
    ask(&desk, &ASK, &accepting("extraction.patch")).unwrap();
    let asked = desk.person.asked();
    assert!(
        asked[0].contains("! this was forgotten on purpose"),
        "{asked:?}"
    );
}

#[test]
fn what_is_dismissed_is_not_proposed_again_until_that_is_taken_back() {
    let desk = patched();
    let settled = ask(&desk, &YES, &dismissing("extraction.patch")).unwrap();
    assert!(
        settled.items[0]
            .diff
            .contains("-+- The staging port is 8443")
    );
    assert_eq!(desk.text(PATCH), None);
    let propose = || {
        let around = surroundings("/w/app", "/h", &[]);
        let world = desk.world(&around);
        let prepared = load_memory::prepare(&world, &YES).unwrap();
        let fact = ["The staging port is 8443".to_owned()];
        propose(&world, &YES, &prepared, &fact, "test").unwrap()
    };
    assert_eq!(propose().left_out[0].why, Why::Forgotten);
    undo(&desk);
    assert_eq!(desk.text(PATCH).as_deref(), Some(ADDS));
    assert_eq!(propose().left_out[0].why, Why::Waiting);
}

#[test]
fn forged_names_reach_nothing() {
    let desk = skilled();
    for name in [
        "",
        "..",
        "../memory",
        "skills/../deploy",
        "/h/.gemini",
        "skills\\deploy",
        ".",
    ] {
        assert!(ask(&desk, &YES, &accepting(name)).is_err(), "{name}");
        assert!(ask(&desk, &YES, &dismissing(name)).is_err(), "{name}");
        assert!(
            ask(&desk, &YES, &editing(name, Some("x"))).is_err(),
            "{name}"
        );
    }
    assert_eq!(desk.commits().len(), 0);
}
