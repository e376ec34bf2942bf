//! Skills that come and go, on a world in memory.

mod sources;

use analects_testkit::{Entry, FakeDesk, surroundings};
use analects_world::ask::Answer;
use analects_world::files::Files;
use expect_test::expect;

use super::*;
use crate::verbs::Verb;
use crate::verbs::memory::Undo;
use crate::verbs::skill::{
    Install, InstallAnswer, InstallVerdict, Link, ScopeName, Uninstall, UninstallAnswer,
};

const YES: Flags = Flags {
    trust: true,
    no_memory: false,
    dry_run: false,
    yes: true,
};
const ASK: Flags = Flags { yes: false, ..YES };
const SKILL: &str = "---\nname: deploy\ndescription: Deploys it on Thursdays.\n---\nDo it.\n";
const HERE: &str = "/h/.gemini/skills/deploy/SKILL.md";

/// A project, and a skill elsewhere.
fn desk() -> FakeDesk {
    let desk = FakeDesk::parse("//- /w/app/.git/\n//- /h/.gemini/\n//- /src/\n");
    desk.edit("/src/deploy/SKILL.md", SKILL);
    desk.edit("/src/deploy/scripts/run.sh", "#!/bin/sh\necho hi\n");
    desk
}

fn ask<V: Verb>(desk: &FakeDesk, flags: &Flags, verb: &V) -> Result<V::Answer, Failure> {
    let around = surroundings("/w/app", "/h", &[]);
    verb.run(&desk.world(&around), flags)
}

fn from(source: &str) -> Install {
    Install {
        source: source.to_owned(),
        scope: ScopeName::User,
        path: None,
        reference: None,
        force: false,
        allow: Vec::new(),
    }
}

fn install(desk: &FakeDesk, install: &Install) -> Result<InstallAnswer, Failure> {
    ask(desk, &YES, install)
}

fn without(desk: &FakeDesk, name: &str) -> Result<UninstallAnswer, Failure> {
    let verb = Uninstall {
        name: name.to_owned(),
        scope: None,
    };
    ask(desk, &YES, &verb)
}

fn undo(desk: &FakeDesk) {
    let undone = ask(desk, &YES, &Undo::default()).unwrap();
    assert!(undone.written);
}

#[test]
fn all_of_a_skill_is_shown_before_it_is_written() {
    let desk = desk();
    desk.person.will_say(Answer::Yes);
    let answer = ask(&desk, &ASK, &from("/src/deploy")).unwrap();
    expect![[r#"
        Install the skill deploy for every project: Deploys it on Thursdays.
        ! it brings scripts that an agent may run: scripts/run.sh
        --- /dev/null	Current
        +++ /h/.gemini/skills/deploy/SKILL.md	Proposed
        @@ -0,0 +1,5 @@
        +---
        +name: deploy
        +description: Deploys it on Thursdays.
        +---
        +Do it.
        --- /dev/null	Current
        +++ /h/.gemini/skills/deploy/scripts/run.sh	Proposed
        @@ -0,0 +1,2 @@
        +#!/bin/sh
        +echo hi
    "#]]
    .assert_eq(&desk.person.asked()[0]);
    assert_eq!(answer.skills[0].outcome, InstallVerdict::Written);
    assert_eq!(desk.text(HERE).as_deref(), Some(SKILL));
    let commits = desk.commits();
    assert_eq!(commits.len(), 1, "all files in one commit");
    assert_eq!(
        commits[0].0.why,
        "install the skill deploy from /src/deploy"
    );
    undo(&desk);
    assert_eq!(desk.text(HERE), None);
    assert!(
        desk.real(&AbsPath::new("/h/.gemini/skills/deploy").unwrap())
            .is_err()
    );
}

#[test]
fn nothing_is_written_without_a_yes() {
    let desk = desk();
    desk.person.will_say(Answer::No);
    let answer = ask(&desk, &ASK, &from("/src/deploy")).unwrap();
    assert_eq!(answer.skills[0].outcome, InstallVerdict::Declined);
    let nobody = ask(&desk, &ASK, &from("/src/deploy")).unwrap_err();
    assert!(nobody.message.contains("needs your consent"), "{nobody}");
    let dry = Flags {
        dry_run: true,
        ..YES
    };
    let answer = ask(&desk, &dry, &from("/src/deploy")).unwrap();
    assert_eq!(answer.skills[0].outcome, InstallVerdict::Shown);
    assert!(answer.skills[0].diff.contains("+echo hi"));
    assert_eq!(answer.skills[0].doubts.len(), 1);
    assert!(desk.commits().is_empty());
}

#[test]
fn a_skill_that_is_there_stays_unless_somebody_says_so() {
    let desk = desk();
    install(&desk, &from("/src/deploy")).unwrap();
    desk.edit(
        "/src/deploy/SKILL.md",
        &SKILL.replace("Do it.", "Do it well."),
    );
    desk.remove("/src/deploy/scripts/run.sh");
    let refused = install(&desk, &from("/src/deploy")).unwrap_err();
    assert!(refused.message.contains("is there already"), "{refused}");
    assert!(refused.hints[0].contains("--force"), "{refused:?}");
    let force = Install {
        force: true,
        ..from("/src/deploy")
    };
    let answer = install(&desk, &force).unwrap();
    assert!(answer.skills[0].diff.contains("-Do it.\n+Do it well."));
    assert!(desk.text(HERE).unwrap().contains("well"));
    assert_eq!(desk.text("/h/.gemini/skills/deploy/scripts/run.sh"), None);
    undo(&desk);
    assert_eq!(desk.text(HERE).as_deref(), Some(SKILL));
    assert!(
        desk.text("/h/.gemini/skills/deploy/scripts/run.sh")
            .is_some()
    );
    let same = install(
        &desk,
        &Install {
            source: "/h/.gemini/skills/deploy".to_owned(),
            ..force
        },
    );
    assert_eq!(
        same.unwrap().skills[0].outcome,
        InstallVerdict::Shown,
        "nothing to change"
    );
}

#[test]
fn a_project_gets_skills_only_where_it_is_trusted() {
    let desk = desk();
    let project = Install {
        scope: ScopeName::Project,
        ..from("/src/deploy")
    };
    let stranger = Flags {
        trust: false,
        ..YES
    };
    let refused = ask(&desk, &stranger, &project).unwrap_err();
    assert!(refused.message.contains("not trusted"), "{refused}");
    install(&desk, &project).unwrap();
    assert_eq!(
        desk.text("/w/app/.gemini/skills/deploy/SKILL.md")
            .as_deref(),
        Some(SKILL)
    );
    let answer = install(&desk, &from("/src/deploy")).unwrap();
    let doubts = answer.skills[0].doubts.join("\n");
    assert!(
        doubts.contains("it is not used here: another one of its name counts"),
        "{doubts}"
    );
}

#[test]
fn secrets_are_not_stored() {
    let desk = desk();
    let key = ["AKIA", "QZ7PTR4WXN3LKJ5H"].concat();
    desk.edit("/src/deploy/scripts/run.sh", &format!("export KEY={key}\n"));
    let refused = install(&desk, &from("/src/deploy")).unwrap_err();
    assert!(
        refused
            .message
            .contains("in `run.sh` of the skill `deploy`"),
        "{refused}"
    );
    assert!(!format!("{refused:?}").contains(&key));
    let print = refused.hints[1].split('`').nth(1).unwrap();
    let print = print.strip_prefix("--allow ").unwrap().to_owned();
    let allowed = Install {
        allow: vec![print],
        ..from("/src/deploy")
    };
    install(&desk, &allowed).unwrap();
}

#[test]
fn what_gives_way_and_cannot_come_back_is_told_before() {
    let desk = desk();
    let is_lost = |answer: &InstallAnswer| {
        let doubts = answer.skills[0].doubts.iter();
        doubts
            .filter(|doubt| doubt.ends_with("this cannot be taken back"))
            .count()
    };
    assert_eq!(is_lost(&install(&desk, &from("/src/deploy")).unwrap()), 0);
    let key = ["AKIA", "QZ7PTR4WXN3LKJ5H"].concat();
    desk.edit(HERE, &format!("{SKILL}The key is {key}\n"));
    let force = Install {
        force: true,
        ..from("/src/deploy")
    };
    assert_eq!(is_lost(&install(&desk, &force).unwrap()), 1);
}

#[test]
fn several_skills_are_installed_one_by_one_and_what_fails_is_told() {
    let desk = desk();
    let other = SKILL.replace("name: deploy", "name: other");
    desk.edit("/src/more/deep/other/SKILL.md", &other);
    desk.edit(
        "/src/bad/SKILL.md",
        "---\nname: ../../x\ndescription: d\n---\n",
    );
    desk.edit("/src/z/deploy/SKILL.md", SKILL);
    let answer = install(&desk, &from("/src")).unwrap();
    let told: Vec<_> = answer
        .skills
        .iter()
        .map(|skill| {
            let why = skill.reason.as_deref().unwrap_or_default();
            format!("{} {:?} {why}", skill.name, skill.outcome)
        })
        .collect();
    expect![[r#"
        bad Failed `bad` cannot be taken: SKILL.md:2: `../../x` cannot be a name: 1 to 64 small letters, digits and single hyphens between them
        deploy Written 
        other Written 
        z/deploy Failed another skill of this source is called `deploy`, too"#]]
    .assert_eq(&told.join("\n"));
    assert_eq!(desk.commits().len(), 2);
    let chosen = Install {
        path: Some("z".to_owned()),
        force: true,
        ..from("/src")
    };
    let answer = install(&desk, &chosen).unwrap();
    assert_eq!(answer.skills.len(), 1);
}

#[test]
fn a_path_inside_of_a_source_does_not_lead_out_of_it() {
    let desk = desk();
    desk.edit("/secret/SKILL.md", SKILL);
    desk.put("/src/out", Entry::Link("/secret".to_owned()));
    for path in ["../secret", "out", "/../secret", "none"] {
        let wish = Install {
            path: Some(path.to_owned()),
            ..from("/src")
        };
        assert!(install(&desk, &wish).is_err(), "{path}");
    }
    assert!(desk.commits().is_empty());
}

#[test]
fn what_changes_while_the_person_thinks_is_not_what_is_written() {
    let desk = std::sync::Arc::new(desk());
    let other = std::sync::Arc::clone(&desk);
    desk.person.will_say_while(Answer::Yes, move || {
        other.edit("/src/deploy/SKILL.md", &SKILL.replace("Do it.", "Do harm."));
    });
    ask(&desk, &ASK, &from("/src/deploy")).unwrap();
    assert_eq!(desk.text(HERE).as_deref(), Some(SKILL));
}

fn linked(path: &str, scope: ScopeName) -> Link {
    Link {
        path: path.to_owned(),
        scope,
    }
}

fn points(desk: &FakeDesk, path: &str) -> Option<String> {
    desk.link(&AbsPath::new(path).unwrap()).ok().flatten()
}

#[test]
fn a_linked_skill_stays_where_it_is_and_only_the_link_goes() {
    let desk = desk();
    desk.person.will_say(Answer::Yes);
    ask(&desk, &ASK, &linked("/src/deploy", ScopeName::User)).unwrap();
    expect![[r#"
        Link the skill deploy for every project: Deploys it on Thursdays.
        ! what it says may change at any time, and nobody is asked again
        --- /dev/null	Current
        +++ /h/.gemini/skills/deploy	Proposed
        @@ -0,0 +1 @@
        +link to /src/deploy
    "#]]
    .assert_eq(&desk.person.asked()[0]);
    assert_eq!(desk.text(HERE).as_deref(), Some(SKILL));
    let again = ask(&desk, &YES, &linked("/src/deploy", ScopeName::User)).unwrap_err();
    assert!(again.message.contains("is there already"), "{again}");
    let force = Install {
        force: true,
        ..from("/src/deploy")
    };
    assert!(
        install(&desk, &force).is_err(),
        "a link is not written through"
    );
    let gone = without(&desk, "deploy").unwrap();
    assert!(gone.is_link && gone.written);
    assert_eq!(points(&desk, "/h/.gemini/skills/deploy"), None);
    assert!(desk.text("/src/deploy/SKILL.md").is_some());
    undo(&desk);
    let here = points(&desk, "/h/.gemini/skills/deploy");
    assert_eq!(here.as_deref(), Some("/src/deploy"));
    let link = ask(
        &desk,
        &YES,
        &Undo {
            change: Some("3".to_owned()),
        },
    )
    .unwrap();
    assert!(link.written, "the link itself is taken back, too");
    assert_eq!(points(&desk, "/h/.gemini/skills/deploy"), None);
}

#[test]
fn links_of_a_project_stay_inside_of_it() {
    let desk = desk();
    desk.edit("/w/app/dev/deploy/SKILL.md", SKILL);
    let refused = ask(&desk, &YES, &linked("/src", ScopeName::Project)).unwrap_err();
    assert!(refused.message.contains("lead out of it"), "{refused}");
    ask(&desk, &YES, &linked("dev/deploy", ScopeName::Project)).unwrap();
    let here = points(&desk, "/w/app/.gemini/skills/deploy");
    assert_eq!(here.as_deref(), Some("../../dev/deploy"));
    assert!(ask(&desk, &YES, &linked("/w/app/.git", ScopeName::User)).is_err());
}

#[test]
fn a_skill_goes_with_all_it_has_and_comes_back() {
    let desk = desk();
    install(&desk, &from("/src/deploy")).unwrap();
    let gone = without(&desk, "deploy").unwrap();
    assert!(gone.written && !gone.is_link);
    assert_eq!(gone.paths, ["/h/.gemini/skills/deploy"]);
    assert!(
        desk.real(&AbsPath::new("/h/.gemini/skills/deploy").unwrap())
            .is_err()
    );
    undo(&desk);
    assert_eq!(desk.text(HERE).as_deref(), Some(SKILL));
}

#[test]
fn what_is_not_ours_to_take_away_stays() {
    let desk = desk();
    let said = |name: &str| without(&desk, name).unwrap_err();
    assert!(said("none").message.contains("no skill called `none`"));
    for name in ["../../src/deploy", "..", "", ".", "/src/deploy"] {
        assert!(without(&desk, name).is_err(), "{name}");
    }
    let ours = said("skill-creator");
    assert!(ours.message.contains("part of Analects"), "{ours}");
    assert!(
        ours.hints[0].contains("skill disable skill-creator"),
        "{ours:?}"
    );
    let extension = "/h/.gemini/extensions/ext";
    desk.edit(
        &format!("{extension}/gemini-extension.json"),
        r#"{"name": "ext", "version": "1"}"#,
    );
    let theirs = SKILL.replace("name: deploy", "name: theirs");
    desk.edit(&format!("{extension}/skills/theirs/SKILL.md"), &theirs);
    let refused = said("theirs");
    assert!(
        refused.message.contains("belongs to an extension"),
        "{refused}"
    );
    assert!(desk.commits().is_empty());
}

#[test]
fn of_two_scopes_one_must_be_named() {
    let desk = desk();
    install(&desk, &from("/src/deploy")).unwrap();
    let project = Install {
        scope: ScopeName::Project,
        ..from("/src/deploy")
    };
    install(&desk, &project).unwrap();
    let refused = without(&desk, "deploy").unwrap_err();
    assert!(refused.message.contains("is there twice"), "{refused}");
    let verb = Uninstall {
        name: "deploy".to_owned(),
        scope: Some(ScopeName::Project),
    };
    let gone = ask(&desk, &YES, &verb).unwrap();
    assert_eq!(gone.scope, ScopeName::Project);
    assert!(desk.text(HERE).is_some());
    let refused = ask(&desk, &YES, &verb).unwrap_err();
    assert!(refused.message.contains("it is elsewhere"), "{refused}");
}

#[test]
fn what_cannot_come_back_is_told_before_it_goes() {
    let desk = desk();
    let key = ["AKIA", "QZ7PTR4WXN3LKJ5H"].concat();
    desk.edit(HERE, &format!("{SKILL}The key is {key}.\n"));
    let gone = without(&desk, "deploy").unwrap();
    assert!(gone.doubts[0].contains("cannot be taken back"), "{gone:?}");
    assert_eq!(desk.text(HERE), None);
}

#[test]
fn a_broken_skill_goes_by_its_folder() {
    let desk = desk();
    desk.edit("/h/.agents/skills/broken/SKILL.md", "no head");
    let gone = without(&desk, "broken").unwrap();
    assert_eq!(gone.paths, ["/h/.agents/skills/broken"]);
    assert_eq!(desk.text("/h/.agents/skills/broken/SKILL.md"), None);
}
