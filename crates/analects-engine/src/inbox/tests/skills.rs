//! New skills, and drafts of all kinds.

use analects_testkit::Entry;

use super::*;

const MEMORY: &str = "/h/.gemini/tmp/app/memory";

#[test]
fn a_skill_moves_in_one_commit_and_comes_back_by_undo() {
    let desk = skilled();
    desk.edit(
        "/h/.gemini/tmp/app/memory/.extraction-state.json",
        r#"{"runs": [{"runAt": "2026-01-02T00:00:00Z", "skillsCreated": ["deploy"]}]}"#,
    );
    let shown = ask(
        &desk,
        &YES,
        &verbs::Show {
            item: "deploy".to_owned(),
        },
    )
    .unwrap();
    assert_eq!(shown.preview, GOOD);
    assert_eq!(shown.files[0].name, "scripts/run.sh");
    assert_eq!(shown.item.date.as_deref(), Some("2026-01-02T00:00:00.000Z"));
    for _ in 0..2 {
        let settled = ask(&desk, &YES, &accepting("deploy")).unwrap();
        assert!(
            !settled.items[0].diff.contains("memory/skills"),
            "{}",
            settled.items[0].diff
        );
        assert_eq!(
            desk.text("/h/.gemini/skills/deploy/SKILL.md").as_deref(),
            Some(GOOD)
        );
        assert_eq!(
            desk.text("/h/.gemini/skills/deploy/scripts/run.sh")
                .as_deref(),
            Some("echo\n")
        );
        assert_eq!(
            (desk.text(SKILL), desk.text(SCRIPT), counted(&desk)),
            (None, None, 0)
        );
        undo(&desk);
        assert_eq!(desk.text(SKILL).as_deref(), Some(GOOD));
        assert_eq!(desk.text("/h/.gemini/skills/deploy/SKILL.md"), None);
    }
}

#[test]
fn a_project_gets_a_skill_only_where_it_is_trusted() {
    let desk = skilled();
    let ours = verbs::Accept {
        to: verbs::Whose::Project,
        ..accepting("deploy")
    };
    let untrusted = Flags {
        trust: false,
        ..YES
    };
    let failure = ask(&desk, &untrusted, &ours).unwrap_err();
    assert!(failure.message.contains("not trusted"), "{failure}");
    ask(&desk, &YES, &ours).unwrap();
    assert_eq!(
        desk.text("/w/app/.gemini/skills/deploy/SKILL.md")
            .as_deref(),
        Some(GOOD)
    );
}

#[test]
fn a_secret_anywhere_in_a_skill_keeps_it_out_and_is_not_shown() {
    let desk = skilled();
    // Put together here, so that no scanner takes this file for a leak.
    let token = ["gh", "p_", "x7Rk2Lm9Qa4Tz8Wb1Nc6Vd3Hs5Jf0Ypgeui"].concat();
    desk.edit(SCRIPT, &format!("export GITHUB_TOKEN={token}\n"));
    let failure = ask(&desk, &YES, &accepting("deploy")).unwrap_err();
    assert!(
        failure.message.contains("secret") && failure.message.contains("run.sh"),
        "{failure}"
    );
    assert!(!format!("{failure:?}").contains(&token));
    let shown = ask(
        &desk,
        &YES,
        &verbs::Show {
            item: "deploy".to_owned(),
        },
    )
    .unwrap();
    assert!(!serde_json::to_string(&shown).unwrap().contains(&token));
    assert_eq!(shown.item.problems[0].code, "secret-waits");
    assert_eq!(desk.text("/h/.gemini/skills/deploy/SKILL.md"), None);
}

#[test]
fn a_dismissed_skill_is_recognised_and_not_taken_with_all_others() {
    let desk = skilled();
    ask(&desk, &YES, &dismissing("skills/deploy")).unwrap();
    assert_eq!(counted(&desk), 0);
    desk.edit(SKILL, GOOD);
    let listed = ask(&desk, &YES, &verbs::List {}).unwrap();
    assert!(listed.items[0].was_dismissed);
    let settled = ask(&desk, &YES, &accepting_all()).unwrap();
    assert_eq!(settled.items[0].outcome, verbs::InboxVerdict::Skipped);
    desk.person.will_say(Answer::Yes);
    ask(&desk, &ASK, &accepting("deploy")).unwrap();
    assert!(desk.person.asked()[0].contains("! you dismissed the very same before"));
}

#[test]
fn all_takes_what_is_good_and_says_why_not_the_rest() {
    let desk = patched();
    desk.edit(SKILL, GOOD);
    desk.edit(
        "/h/.gemini/tmp/app/memory/skills/bad/SKILL.md",
        "---\nname: ../../x\ndescription: x\n---\n",
    );
    desk.edit(
        "/h/.gemini/tmp/app/memory/.inbox/global/a.patch",
        "nonsense",
    );
    let settled = ask(&desk, &YES, &accepting_all()).unwrap();
    let told: Vec<_> = settled
        .items
        .iter()
        .map(|item| (item.id.as_str(), item.outcome))
        .collect();
    assert_eq!(
        told,
        [
            ("skills/bad", verbs::InboxVerdict::Skipped),
            ("skills/deploy", verbs::InboxVerdict::Written),
            ("private/extraction.patch", verbs::InboxVerdict::Written),
            ("global/a.patch", verbs::InboxVerdict::Skipped),
        ]
    );
    assert_eq!(counted(&desk), 2);
}

#[test]
fn a_draft_is_changed_in_an_editor_and_waits_on() {
    let desk = desk(&[(SKILL, "---\nname: other\ndescription: x\n---\n")]);
    desk.person.will_edit(GOOD);
    desk.person.will_say(Answer::Yes);
    ask(&desk, &ASK, &editing("deploy", None)).unwrap();
    assert_eq!(desk.text(SKILL).as_deref(), Some(GOOD));
    // What is wrong with it by then is said, and is the person's business.
    desk.person.will_say(Answer::Yes);
    ask(&desk, &ASK, &editing("deploy", Some("no head\n"))).unwrap();
    assert!(desk.person.asked()[1].contains("! line 1: no frontmatter"));
    undo(&desk);
    assert_eq!(desk.text(SKILL).as_deref(), Some(GOOD));
}

#[test]
fn a_secret_in_another_file_is_taken_out_by_editing_that_file() {
    let desk = skilled();
    let token = ["gh", "p_", "x7Rk2Lm9Qa4Tz8Wb1Nc6Vd3Hs5Jf0Ypgeui"].concat();
    desk.edit(SCRIPT, &format!("export GITHUB_TOKEN={token}\n"));
    let failure = ask(&desk, &YES, &accepting("deploy")).unwrap_err();
    let way = "`analects memory inbox edit skills/deploy --file scripts/run.sh`";
    assert!(failure.hints[0].contains(way), "{failure:?}");
    let edit = |item: &str, file: &str| {
        let file = Some(file.to_owned());
        let edit = verbs::Edit {
            file,
            ..editing(item, Some("echo\n"))
        };
        ask(&desk, &YES, &edit)
    };
    for file in [
        "",
        "..",
        "../other/SKILL.md",
        "scripts/../../x",
        "a\\b",
        "/etc/passwd",
        "none",
    ] {
        let failure = edit("deploy", file).unwrap_err();
        let told = failure.message.starts_with("there is no file `");
        assert!(told, "{file}: {failure:?}");
    }
    edit("deploy", "scripts/run.sh").unwrap();
    assert_eq!(desk.text(SCRIPT).as_deref(), Some("echo\n"));
    ask(&desk, &YES, &accepting("deploy")).unwrap();
    let desk = patched();
    let of_patch = verbs::Edit {
        file: Some("x".to_owned()),
        ..editing("extraction.patch", Some("x"))
    };
    assert!(ask(&desk, &YES, &of_patch).is_err());
}

#[test]
fn no_setting_is_named_that_would_not_agree() {
    let failure = ask(&skilled(), &ASK, &accepting("deploy")).unwrap_err();
    let hints = failure.hints.join("; ");
    assert!(
        hints.contains("`--yes`") && !hints.contains("memory.consent"),
        "{hints}"
    );
}

#[test]
fn what_lies_in_the_oldest_layout_is_accepted_as_a_copy_and_else_left_alone() {
    let old = "/h/.gemini/memory/skills/extracted/deploy/SKILL.md";
    let desk = desk(&[(old, GOOD)]);
    assert_eq!(counted(&desk), 1);
    for failure in [
        ask(&desk, &YES, &dismissing("deploy")).unwrap_err(),
        ask(&desk, &YES, &editing("deploy", Some("x"))).unwrap_err(),
    ] {
        assert!(failure.message.contains("only ever read"), "{failure:?}");
    }
    ask(&desk, &YES, &accepting("extracted/deploy")).unwrap();
    let new = desk.text("/h/.gemini/skills/deploy/SKILL.md");
    assert_eq!(
        [new, desk.text(old)],
        [Some(GOOD.to_owned()), Some(GOOD.to_owned())]
    );
    assert_eq!(counted(&desk), 0);
}

#[test]
fn links_are_neither_edited_nor_followed() {
    let desk = desk(&[("/else/SKILL.md", GOOD), ("/else/a.patch", ADDS)]);
    desk.put(
        &format!("{MEMORY}/skills/linked"),
        Entry::Link("/else".to_owned()),
    );
    desk.put(
        &format!("{MEMORY}/.inbox/private/a.patch"),
        Entry::Link("/else/a.patch".to_owned()),
    );
    assert_eq!(counted(&desk), 2);
    for name in ["linked", "a.patch"] {
        assert!(ask(&desk, &YES, &accepting(name)).is_err(), "{name}");
        assert!(ask(&desk, &YES, &dismissing(name)).is_err(), "{name}");
        assert!(
            ask(&desk, &YES, &editing(name, Some("x"))).is_err(),
            "{name}"
        );
    }
    assert_eq!(desk.commits().len(), 0);
    assert_eq!(desk.text("/else/SKILL.md").as_deref(), Some(GOOD));
}
