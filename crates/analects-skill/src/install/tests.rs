//! Skills that come, take the place of others, are linked and go.

use analects_testkit::{Entry, FakeFiles, Fixture};
use analects_world::changes::{Base, Form};

use super::*;
use crate::offer::OfferedFile;

const USER: &str = "/h/.gemini/skills";

fn path(path: &str) -> AbsPath {
    AbsPath::new(path).unwrap()
}

fn manifest(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Does it.\n---\nDo it.\n")
}

fn offer(name: &str, others: &[(&str, &str)]) -> Offer {
    let file = |(name, text): (&str, &str)| OfferedFile {
        name: name.to_owned(),
        text: text.to_owned(),
    };
    let manifest = manifest(name);
    let all = [("SKILL.md", manifest.as_str())].into_iter();
    let all = all.chain(others.iter().copied());
    crate::offer::from_files(all.map(file).collect()).unwrap()
}

fn user() -> Shelf {
    Shelf {
        dir: path(USER),
        within: None,
    }
}

fn project() -> Shelf {
    Shelf {
        dir: path("/w/.gemini/skills"),
        within: Some(path("/w")),
    }
}

/// `+` for what is new, `~` for what changes, `-` for what goes, `@` before links.
fn shown(settled: &Settled) -> Vec<String> {
    let show = |change: &Change| {
        let sign = match (&change.base, &change.text) {
            (Base::Absent, _) => "+",
            (_, None) => "-",
            _ => "~",
        };
        let link = match change.form {
            Form::File => "",
            Form::Link => "@",
        };
        assert!(change.within.is_some(), "{} is not held", change.path);
        format!("{link}{sign}{}", change.path)
    };
    settled.changes.iter().map(show).collect()
}

fn refused(settled: Result<Settled, Refused>) -> String {
    settled.unwrap_err().to_string()
}

#[test]
fn a_new_skill_lies_in_a_folder_of_its_name() {
    let files = FakeFiles::new(&Fixture::parse("//- /h/.gemini/\n"));
    let offer = offer("deploy", &[("scripts/run.sh", "#!/bin/sh\n")]);
    let settled = install(&files, &user(), &offer, Over::Refuse).unwrap();
    let expected = [
        "+/h/.gemini/skills/deploy/SKILL.md",
        "+/h/.gemini/skills/deploy/scripts/run.sh",
    ];
    assert_eq!(shown(&settled), expected);
    assert_eq!(settled.doubts.len(), 1);
    assert_eq!(settled.changes[0].within, Some(path("/h/.gemini")));
}

#[test]
fn nothing_is_replaced_unless_somebody_says_so() {
    let fixture = Fixture::parse("//- /h/.gemini/skills/deploy/old/a.md\nx\n//- /o/\n")
        .file("/h/.gemini/skills/deploy/SKILL.md", manifest("deploy"))
        .file("/h/.gemini/skills/deploy/same.md", "same")
        .with(
            "/h/.gemini/skills/deploy/link",
            Entry::Link("/o".to_owned()),
        );
    let files = FakeFiles::new(&fixture);
    let offer = offer("deploy", &[("same.md", "same"), ("new.md", "new")]);
    assert_eq!(
        refused(install(&files, &user(), &offer, Over::Refuse)),
        "a skill called `deploy` is there already: `/h/.gemini/skills/deploy`"
    );
    let settled = install(&files, &user(), &offer, Over::Replace).unwrap();
    let expected = [
        "+/h/.gemini/skills/deploy/new.md",
        "-/h/.gemini/skills/deploy/old/a.md",
        "@-/h/.gemini/skills/deploy/link",
    ];
    assert_eq!(shown(&settled), expected);
    let gone: Vec<_> = settled.emptied.iter().map(AbsPath::as_str).collect();
    assert_eq!(
        gone,
        ["/h/.gemini/skills/deploy/old", "/h/.gemini/skills/deploy"]
    );
}

#[test]
fn a_folder_of_another_name_and_a_link_are_never_replaced() {
    let fixture = Fixture::default()
        .file("/h/.gemini/skills/other/SKILL.md", manifest("deploy"))
        .file("/o/SKILL.md", manifest("linked"))
        .with("/h/.gemini/skills/linked", Entry::Link("/o".to_owned()));
    let files = FakeFiles::new(&fixture);
    for over in [Over::Refuse, Over::Replace] {
        let said = refused(install(&files, &user(), &offer("deploy", &[]), over));
        assert!(said.ends_with("`/h/.gemini/skills/other`"), "{said}");
        let said = refused(install(&files, &user(), &offer("linked", &[]), over));
        assert!(said.ends_with("`/h/.gemini/skills/linked`"), "{said}");
    }
}

#[test]
fn the_skills_of_a_project_do_not_lie_outside_of_it() {
    let fixture = Fixture::parse("//- /w/\n//- /o/\n//- /w/.gemini -> /o\n");
    let files = FakeFiles::new(&fixture);
    let said = refused(install(&files, &project(), &offer("a", &[]), Over::Refuse));
    assert!(said.contains("a link leads out of the project"), "{said}");
}

#[test]
fn a_link_of_the_user_is_absolute_and_one_of_a_project_stays_inside() {
    let fixture = Fixture::parse("//- /h/.gemini/skills/\n//- /w/.gemini/\n")
        .file("/w/dev/deploy/SKILL.md", manifest("deploy"))
        .file("/h/.gemini/skills/taken/SKILL.md", manifest("taken"));
    let files = FakeFiles::new(&fixture);
    let target = path("/w/dev/deploy");
    let settled = link(&files, &user(), "deploy", &target).unwrap();
    assert_eq!(shown(&settled), ["@+/h/.gemini/skills/deploy"]);
    assert_eq!(
        settled.changes[0].text.as_deref(),
        Some(&b"/w/dev/deploy"[..])
    );
    let settled = link(&files, &project(), "deploy", &target).unwrap();
    assert_eq!(shown(&settled), ["@+/w/.gemini/skills/deploy"]);
    assert_eq!(
        settled.changes[0].text.as_deref(),
        Some(&b"../../dev/deploy"[..])
    );
    let said = refused(link(&files, &project(), "deploy", &path("/h/x")));
    assert!(said.contains("lead out of it"), "{said}");
    assert!(link(&files, &user(), "taken", &target).is_err());
    let own = path("/h/.gemini/skills/taken");
    assert!(
        link(&files, &user(), "other", &own).is_err(),
        "it lies there already"
    );
}

#[test]
fn all_of_a_skill_goes_but_never_what_a_link_leads_to() {
    let fixture = Fixture::parse("//- /o/key\nx\n")
        .file("/h/.gemini/skills/a/SKILL.md", manifest("a"))
        .file("/h/.gemini/skills/a/deep/er/tool", b"\0\xFF")
        .with("/h/.gemini/skills/a/deep/o", Entry::Link("/o".to_owned()))
        .with("/h/.gemini/skills/b", Entry::Link("/o".to_owned()));
    let files = FakeFiles::new(&fixture);
    let settled = uninstall(&files, &path("/h/.gemini/skills/a")).unwrap();
    let expected = [
        "-/h/.gemini/skills/a/SKILL.md",
        "-/h/.gemini/skills/a/deep/er/tool",
        "@-/h/.gemini/skills/a/deep/o",
    ];
    assert_eq!(shown(&settled), expected);
    assert_eq!(settled.emptied.len(), 3);
    let settled = uninstall(&files, &path("/h/.gemini/skills/b")).unwrap();
    assert_eq!(shown(&settled), ["@-/h/.gemini/skills/b"]);
    assert_eq!(settled.emptied, []);
    assert!(uninstall(&files, &path("/h/.gemini/skills/none")).is_err());
}

#[test]
fn what_cannot_be_removed_exactly_is_left_to_the_person() {
    let fixture = Fixture::default()
        .file("/h/.gemini/skills/a/SKILL.md", manifest("a"))
        .with("/h/.gemini/skills/a/pipe", Entry::Special);
    let files = FakeFiles::new(&fixture);
    let said = refused(uninstall(&files, &path("/h/.gemini/skills/a")));
    assert!(
        said.ends_with("it is not a regular file; remove it by hand"),
        "{said}"
    );
}
