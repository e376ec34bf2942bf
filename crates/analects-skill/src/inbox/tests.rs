//! Listing, looking, and planning.

use analects_testkit::{FakeFiles, Fixture};
use expect_test::{Expect, expect};

use super::*;
use crate::Refused;

const GOOD: &str =
    "---\nname: deploy\ndescription: Deploys it. Use it on Thursdays.\n---\nDo it.\n";

fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

fn shelf() -> Shelf {
    Shelf {
        memory: path("/m"),
        global_files: vec![path("/h/.gemini/GEMINI.md")],
        user_skills: path("/h/.gemini/skills"),
        root: path("/w"),
        is_trusted: true,
    }
}

fn disk(fixture: &Fixture) -> FakeFiles {
    FakeFiles::new(
        &fixture
            .clone()
            .file("/h/.gemini/x", "")
            .file("/w/.git/x", ""),
    )
}

fn skill() -> Fixture {
    Fixture::default().file("/m/skills/deploy/SKILL.md", GOOD)
}

fn patch(name: &str, old: &str, new: &str) -> String {
    analects_text::patch::unified(old, new, name, name)
}

/// The items, as a person could be shown them.
fn shown(fixture: &Fixture, expected: Expect) {
    let files = disk(fixture);
    let all = waiting(&files, &path("/m"));
    let told = |item: Item| {
        let problems: String = item
            .problems
            .iter()
            .map(|p| format!("  ! {}: {p}\n", p.code.name))
            .collect();
        let targets: Vec<_> = item.targets.iter().map(AbsPath::as_str).collect();
        format!(
            "{} ({:?}): {}: {}\n  -> {}\n{problems}",
            item.id,
            item.kind,
            item.title,
            item.description,
            targets.join(" ")
        )
    };
    let items: String = look(&files, &shelf(), &all).into_iter().map(told).collect();
    expected.assert_eq(&items);
}

#[test]
fn everything_that_waits_is_listed_by_kind() {
    let fixture = skill()
        .file("/m/skills/.hidden/SKILL.md", GOOD)
        .file("/m/skills/extracted/old/SKILL.md", GOOD)
        .file(
            "/m/skills/docs.patch",
            patch("/h/.gemini/skills/docs/SKILL.md", "one\n", "one\ntwo\n"),
        )
        .file("/h/.gemini/skills/docs/SKILL.md", "one\n")
        .file(
            "/m/.inbox/private/extraction.patch",
            patch("/m/MEMORY.md", "one\n", "two\n"),
        )
        .file("/m/MEMORY.md", "one\n")
        .file("/m/.inbox/global/extraction.patch", "nonsense\n")
        .file("/m/.inbox/global/readme.txt", "no patch\n")
        .file("/m/.inbox/private/2026/08/x.patch", "nonsense\n")
        .file("/m/.inbox/private/.tmp/x.patch", "nonsense\n");
    shown(
        &fixture,
        expect![[r#"
            extracted/old (Skill): old: Deploys it. Use it on Thursdays.
              -> 
              ! bad-skill: /m/skills/extracted/old/SKILL.md:2: the name is `deploy`, but the folder is called `old`
            skills/deploy (Skill): deploy: Deploys it. Use it on Thursdays.
              -> /h/.gemini/skills/deploy /w/.gemini/skills/deploy
            skills/docs.patch (SkillUpdate): docs: adds 1 line in SKILL.md
              -> /h/.gemini/skills/docs/SKILL.md
            private/2026/08/x.patch (MemoryUpdate(Private)): Private memory: 
              -> 
              ! bad-patch: /m/.inbox/private/2026/08/x.patch: there is something in it that is no unified diff
            private/extraction.patch (MemoryUpdate(Private)): Private memory: adds 1 line, takes 1 line away in MEMORY.md
              -> /m/MEMORY.md
            global/extraction.patch (MemoryUpdate(Global)): Global memory: 
              -> 
              ! bad-patch: /m/.inbox/global/extraction.patch: there is something in it that is no unified diff
        "#]],
    );
}

#[test]
fn what_cannot_be_accepted_says_why() {
    let fixture = Fixture::default()
        .file(
            "/m/skills/a/SKILL.md",
            "---\nname: ../../x\ndescription: x\n---\n",
        )
        .file(
            "/m/skills/b/SKILL.md",
            "---\nname: b\ndescription: x\n---\n",
        )
        .with(
            "/m/skills/b/key",
            analects_testkit::Entry::Link("/etc/passwd".to_owned()),
        )
        .with(
            "/m/skills/c",
            analects_testkit::Entry::Link("/else".to_owned()),
        )
        .with(
            "/m/skills/l.patch",
            analects_testkit::Entry::Link("/else/SKILL.md".to_owned()),
        )
        .file("/else/SKILL.md", GOOD)
        .file(
            "/m/.inbox/private/state.patch",
            patch("/m/.extraction-state.json", "{}\n", "[]\n"),
        )
        .file("/m/.extraction-state.json", "{}\n")
        .file(
            "/m/.inbox/private/stale.patch",
            patch("/m/MEMORY.md", "gone\n", "new\n"),
        )
        .file("/m/MEMORY.md", "one\n");
    shown(
        &fixture,
        expect![[r#"
        skills/a (Skill): a: x
          -> 
          ! bad-skill: /m/skills/a/SKILL.md:2: `../../x` cannot be a name: 1 to 64 small letters, digits and single hyphens between them
        skills/b (Skill): b: x
          -> 
          ! bad-skill: /m/skills/b: `key` is a link
        skills/c (Skill): c: 
          -> 
          ! bad-skill: /m/skills/c: `c` is a link, or not a directory
        skills/l.patch (SkillUpdate): l: 
          -> 
          ! bad-patch: /m/skills/l.patch: it is a link
        private/stale.patch (MemoryUpdate(Private)): Private memory: adds 1 line, takes 1 line away in MEMORY.md
          -> /m/MEMORY.md
          ! stale-patch: /m/.inbox/private/stale.patch: it does not fit what `/m/MEMORY.md` says by now
        private/state.patch (MemoryUpdate(Private)): Private memory: adds 1 line, takes 1 line away in .extraction-state.json
          -> /m/.extraction-state.json
          ! patch-outside: /m/.inbox/private/state.patch: it may not change `/m/.extraction-state.json`: only notes, which end in `.md`
    "#]],
    );
}

fn planned(fixture: &Fixture, id: &str, to: To) -> Result<String, Refused> {
    let files = disk(fixture);
    let all = waiting(&files, &path("/m"));
    let found = meant(&all, id);
    let settled = accept(&files, &shelf(), found[0], to)?;
    Ok(told(&settled))
}

fn told(settled: &Settled) -> String {
    let sign = |change: &Change| match &change.text {
        Some(text) => format!(
            "+ {}: {}\n",
            change.path,
            String::from_utf8_lossy(text)
                .trim_end()
                .replace('\n', " / ")
        ),
        None => format!("- {}\n", change.path),
    };
    let dirs: String = settled
        .emptied
        .iter()
        .map(|dir| format!("- {dir}/\n"))
        .collect();
    let doubts: String = settled
        .doubts
        .iter()
        .map(|doubt| format!("! {doubt}\n"))
        .collect();
    settled.changes.iter().map(sign).collect::<String>() + &dirs + &doubts
}

#[test]
fn a_skill_moves_with_all_that_it_has() {
    let fixture = skill().file("/m/skills/deploy/scripts/run.sh", "echo\n");
    expect![[r#"
        + /h/.gemini/skills/deploy/SKILL.md: --- / name: deploy / description: Deploys it. Use it on Thursdays. / --- / Do it.
        + /h/.gemini/skills/deploy/scripts/run.sh: echo
        - /m/skills/deploy/SKILL.md
        - /m/skills/deploy/scripts/run.sh
        - /m/skills/deploy/scripts/
        - /m/skills/deploy/
    "#]]
    .assert_eq(&planned(&fixture, "deploy", To::User).unwrap());
    let ours = planned(&fixture, "skills/deploy", To::Project).unwrap();
    assert!(
        ours.starts_with("+ /w/.gemini/skills/deploy/SKILL.md"),
        "{ours}"
    );
}

#[test]
fn a_skill_replaces_nothing() {
    let taken = [
        skill().file("/h/.gemini/skills/deploy/SKILL.md", GOOD),
        skill().file("/h/.gemini/skills/deploy", "a file\n"),
        skill().file("/h/.gemini/skills/other/SKILL.md", GOOD),
        skill().file("/else/SKILL.md", GOOD).with(
            "/h/.gemini/skills/linked",
            analects_testkit::Entry::Link("/else".to_owned()),
        ),
    ];
    for fixture in taken {
        let refused = planned(&fixture, "deploy", To::User).unwrap_err();
        assert!(matches!(refused, Refused::SkillExists { .. }), "{refused}");
        assert!(planned(&fixture, "deploy", To::Project).is_ok());
    }
    let empty = skill().with(
        "/h/.gemini/skills/deploy/scripts",
        analects_testkit::Entry::Dir,
    );
    assert!(planned(&empty, "deploy", To::User).is_ok());
}

#[test]
fn a_project_gets_skills_only_where_it_is_trusted_and_not_through_a_link() {
    let files = disk(&skill());
    let all = waiting(&files, &path("/m"));
    let untrusted = Shelf {
        is_trusted: false,
        ..shelf()
    };
    let refused = accept(&files, &untrusted, &all[0], To::Project);
    assert_eq!(refused, Err(Refused::Untrusted));
    let linked = skill().file("/else/x", "").with(
        "/w/.gemini",
        analects_testkit::Entry::Link("/else".to_owned()),
    );
    let refused = planned(&linked, "deploy", To::Project).unwrap_err();
    assert!(matches!(refused, Refused::Outside { .. }), "{refused}");
}

#[test]
fn a_patch_goes_with_what_it_changes_and_new_notes_are_named() {
    let begin = "--- /dev/null\n+++ /m/how-to-deploy.md\n@@ -0,0 +1 @@\n+- On Thursdays\n";
    let fixture = Fixture::default().file("/m/.inbox/private/a.patch", begin);
    expect![[r#"
        + /m/how-to-deploy.md: - On Thursdays
        + /m/MEMORY.md: # Project Memory / - Notes on how to deploy: /m/how-to-deploy.md
        - /m/.inbox/private/a.patch
    "#]]
    .assert_eq(&planned(&fixture, "a.patch", To::User).unwrap());
    let named = fixture.file("/m/MEMORY.md", "See how-to-deploy.md\n");
    expect![[r#"
        + /m/how-to-deploy.md: - On Thursdays
        - /m/.inbox/private/a.patch
    "#]]
    .assert_eq(&planned(&named, "a.patch", To::User).unwrap());
}

#[test]
fn forged_names_mean_nothing_and_a_name_that_two_have_means_both() {
    let fixture = skill()
        .file("/m/.inbox/private/extraction.patch", "x")
        .file("/m/.inbox/global/extraction.patch", "x");
    let all = waiting(&disk(&fixture), &path("/m"));
    assert_eq!(all.len(), 3);
    for forged in [
        "",
        "..",
        ".",
        "../deploy",
        "skills/../deploy",
        "skills\\deploy",
        "/m/skills/deploy",
        "skills/deploy/",
        "a/skills/deploy",
        "none",
    ] {
        assert!(meant(&all, forged).is_empty(), "{forged}");
    }
    assert_eq!(meant(&all, "deploy").len(), 1);
    assert_eq!(meant(&all, "extraction.patch").len(), 2);
    assert_eq!(meant(&all, "global/extraction.patch").len(), 1);
}

#[test]
fn whatever_waits_can_be_dismissed_and_links_stay() {
    let fixture = skill()
        .file("/m/skills/deploy/tool", b"\x7fELF\0")
        .with(
            "/m/skills/deploy/key",
            analects_testkit::Entry::Link("/etc/passwd".to_owned()),
        )
        .file("/etc/passwd", "root\n")
        .file("/m/.inbox/private/a.patch", "nonsense");
    let files = disk(&fixture);
    let all = waiting(&files, &path("/m"));
    let gone: String = all
        .iter()
        .map(|one| told(&dismiss(&files, one).unwrap()))
        .collect();
    expect![[r#"
        - /m/skills/deploy/SKILL.md
        - /m/skills/deploy/tool
        - /m/skills/deploy/
        ! links, and what is too much or too deep, stay where they are
        - /m/.inbox/private/a.patch
    "#]]
    .assert_eq(&gone);
    let linked = Fixture::default().with(
        "/m/skills/c",
        analects_testkit::Entry::Link("/etc".to_owned()),
    );
    let files = disk(&linked.file("/etc/x", ""));
    let all = waiting(&files, &path("/m"));
    assert!(dismiss(&files, &all[0]).is_err());
}

#[test]
fn skills_of_the_oldest_layout_are_copied_and_never_touched() {
    let at = |name: &str, dir: &str| {
        let text = GOOD.replace("deploy", name);
        (format!("{dir}/skills/extracted/{name}/SKILL.md"), text)
    };
    let (private, own) = ("/h/.gemini/tmp/p/memory", "/h/.gemini/memory");
    let all = [
        at("old", private),
        at("old", own),
        at("older", own),
        at("had", own),
    ];
    let fixture = all
        .into_iter()
        .fold(Fixture::default(), |fixture, (path, text)| {
            fixture.file(&path, text)
        })
        .file(
            "/h/.gemini/skills/had/SKILL.md",
            GOOD.replace("deploy", "had"),
        );
    let files = disk(&fixture);
    let all = waiting(&files, &path(private));
    let told_of: Vec<_> = all
        .iter()
        .map(|one| (one.id.as_str(), one.path.as_str()))
        .collect();
    assert_eq!(
        told_of,
        [
            (
                "extracted/old",
                "/h/.gemini/tmp/p/memory/skills/extracted/old"
            ),
            (
                "extracted/older",
                "/h/.gemini/memory/skills/extracted/older"
            ),
        ]
    );
    let items = look(&files, &shelf(), &all);
    assert!(
        items.iter().all(|item| item.problems.is_empty()),
        "{items:?}"
    );
    let settled = accept(&files, &shelf(), &all[1], To::User).unwrap();
    expect![[r#"
        + /h/.gemini/skills/older/SKILL.md: --- / name: older / description: Deploys it. Use it on Thursdays. / --- / Do it.
    "#]]
    .assert_eq(&told(&settled));
    let refused = dismiss(&files, &all[1]).unwrap_err().to_string();
    assert!(refused.contains("only ever read"), "{refused}");
}

#[test]
fn what_is_gone_meanwhile_is_no_link() {
    let fixture = skill().file("/m/.inbox/private/a.patch", "nonsense");
    let all = waiting(&disk(&fixture), &path("/m"));
    let empty = disk(
        &Fixture::default()
            .file("/m/skills/x", "")
            .file("/m/.inbox/private/x", ""),
    );
    for one in &all {
        let gone = Refused::Gone(one.path.clone());
        assert_eq!(dismiss(&empty, one), Err(gone.clone()));
        assert_eq!(accept(&empty, &shelf(), one, To::User), Err(gone));
    }
}

#[test]
fn a_skill_that_is_a_repository_is_refused() {
    let fixture = skill().file("/m/skills/deploy/.git/config", "[core]\nfsmonitor = ./x\n");
    let files = disk(&fixture);
    let items = look(&files, &shelf(), &waiting(&files, &path("/m")));
    assert_eq!(items[0].problems.len(), 1);
    let refused = planned(&fixture, "deploy", To::User).unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("`.git/config` would make it a repository"),
        "{refused}"
    );
}

#[test]
fn an_empty_inbox_is_six_listings() {
    let files = disk(&Fixture::default());
    assert_eq!(waiting(&files, &path("/m")), []);
    assert_eq!((files.dirs_listed(), files.files_read()), (6, 0));
}

#[test]
fn what_lies_in_quarantine_comes_last_and_is_meant_by_its_whole_name_alone() {
    let tainted = GOOD.replace(
        "---\nDo it.",
        "metadata:\n  analects-taint: \"tool (web)\"\n---\nDo it.",
    );
    let fixture = skill()
        .file("/m/.quarantine/skills/deploy/SKILL.md", &tainted)
        .file(
            "/m/.quarantine/skills/alone/SKILL.md",
            GOOD.replace("deploy", "alone"),
        )
        .file("/m/.quarantine/skills/docs.patch", "x")
        .file("/m/.quarantine/skills/.hidden/SKILL.md", GOOD)
        .file(
            "/m/.inbox/private/extraction.patch",
            patch("/m/MEMORY.md", "", "two\n"),
        );
    let files = disk(&fixture);
    let all = waiting(&files, &path("/m"));
    let ids: Vec<_> = all
        .iter()
        .map(|one| (one.id.as_str(), one.is_quarantined))
        .collect();
    assert_eq!(
        ids,
        [
            ("skills/deploy", false),
            ("private/extraction.patch", false),
            ("quarantine/alone", true),
            ("quarantine/deploy", true),
            ("quarantine/docs.patch", true),
        ]
    );
    let meant = |wanted: &str| -> Vec<_> {
        meant(&all, wanted)
            .into_iter()
            .map(|one| one.id.clone())
            .collect()
    };
    assert_eq!(meant("deploy"), ["skills/deploy"]);
    assert!(meant("alone").is_empty());
    assert_eq!(meant("quarantine/deploy"), ["quarantine/deploy"]);
    assert!(meant("../.quarantine/skills/deploy").is_empty());
    let items = look(&files, &shelf(), &all);
    let taints: Vec<_> = items.iter().map(|item| item.taint.as_deref()).collect();
    let web = Some("it rests only on: tool (web)");
    let unknown = Some(crate::quarantine::UNKNOWN);
    assert_eq!(taints, [None, None, unknown, web, unknown]);
    let settled = accept(&files, &shelf(), &all[3], To::User).unwrap();
    assert_eq!(settled.doubts.len(), 1);
    assert!(
        settled.doubts[0].contains("tool (web)"),
        "{:?}",
        settled.doubts
    );
    assert_eq!(all[3].tomb(), "skills/deploy");
}
