//! Skills found in directories, and judged.

use analects_testkit::{Entry, FakeFiles, Fixture};

use super::*;

fn manifest(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Does {name}.\n---\nDo it.\n")
}

fn path(path: &str) -> AbsPath {
    AbsPath::new(path).unwrap()
}

fn found(fixture: Fixture) -> (Vec<String>, Vec<String>) {
    let (found, doubts) = find(&FakeFiles::new(&fixture), &path("/src"));
    (found.iter().map(ToString::to_string).collect(), doubts)
}

#[test]
fn skills_are_found_deep_down_but_not_inside_of_one_another() {
    let fixture = Fixture::default()
        .file("/src/README.md", "x")
        .file("/src/skills/one/SKILL.md", manifest("one"))
        .file("/src/skills/one/inner/SKILL.md", manifest("inner"))
        .file("/src/plugins/p/skills/two/SKILL.md", manifest("two"))
        .file("/src/.claude/skills/three/SKILL.md", manifest("three"))
        .file("/src/.git/x/SKILL.md", manifest("git"))
        .file("/src/node_modules/x/SKILL.md", manifest("module"))
        .with("/src/link", Entry::Link("/src/skills/one".to_owned()));
    assert_eq!(
        found(fixture).0,
        [
            "/src/.claude/skills/three",
            "/src/plugins/p/skills/two",
            "/src/skills/one"
        ]
    );
    let itself = Fixture::default()
        .file("/src/SKILL.md", manifest("top"))
        .file("/src/a/SKILL.md", manifest("a"));
    assert_eq!(found(itself).0, ["/src"]);
}

#[test]
fn what_is_not_looked_into_is_told() {
    let deep = Fixture::default().file("/src/1/2/3/4/5/6/SKILL.md", manifest("deep"));
    let (dirs, doubts) = found(deep);
    assert_eq!(dirs, Vec::<String>::new());
    assert_eq!(
        doubts,
        ["directories more than 5 deep were not looked into"]
    );
    let many = (0..70).fold(Fixture::default(), |fixture, n| {
        fixture.file(&format!("/src/s{n}/SKILL.md"), manifest("x"))
    });
    let (dirs, doubts) = found(many);
    assert_eq!(dirs.len(), MAX_OFFERS);
    assert_eq!(doubts, ["only the first 64 skills were taken"]);
}

fn offered(fixture: Fixture) -> Result<Offer, Refused> {
    from_folder(&FakeFiles::new(&fixture), &path("/src"))
}

#[test]
fn a_folder_is_called_as_its_skill_says_and_its_history_is_left_out() {
    let fixture = Fixture::default()
        .file("/src/SKILL.md", manifest("deploy"))
        .file("/src/.git/objects/ab", b"\0\xFF")
        .file("/src/references/a.md", "x");
    let offer = offered(fixture).unwrap();
    assert_eq!(offer.name, "deploy");
    assert_eq!(offer.description, "Does deploy.");
    let names: Vec<_> = offer.files.iter().map(|file| &*file.name).collect();
    assert_eq!(names, ["SKILL.md", "references/a.md"]);
    assert_eq!(offer.doubts, Vec::<String>::new());
}

#[test]
fn a_package_brings_no_repository_along() {
    for name in [".git/config", "a/.GIT/hooks/x", "git~1/config"] {
        let refused = check_name(name).unwrap_err();
        assert!(refused.contains("repository"), "{refused}");
    }
    assert_eq!(check_name(".gitignore"), Ok(()));
}

#[test]
fn what_no_agent_could_use_is_refused() {
    let refused = |text: &str| {
        let fixture = Fixture::default().file("/src/SKILL.md", text);
        offered(fixture).unwrap_err().to_string()
    };
    let name = "cannot be a name: 1 to 64 small letters, digits and single hyphens between them";
    assert_eq!(
        refused("---\nname: ../../x\ndescription: d\n---\n"),
        format!("SKILL.md:2: `../../x` {name}")
    );
    assert_eq!(
        refused("---\nname: deploy\n---\n"),
        "SKILL.md:1: `description` is missing"
    );
    assert!(refused("no fields").starts_with("SKILL.md:1: "));
    let linked = Fixture::default()
        .file("/src/SKILL.md", manifest("x"))
        .with("/src/key", Entry::Link("/etc/passwd".to_owned()));
    assert_eq!(offered(linked).unwrap_err().to_string(), "`key` is a link");
}

#[test]
fn what_only_bends_the_standard_is_a_doubt() {
    let text = "---\nname: deploy\ndescription: d\nversion: 2\n---\nDo it.\n";
    let fixture = Fixture::default()
        .file("/src/SKILL.md", text)
        .file("/src/tool", "#!/bin/sh\n");
    let offer = offered(fixture).unwrap();
    assert_eq!(
        offer.doubts,
        [
            "SKILL.md:4: the standard knows no field `version`",
            "it brings scripts that an agent may run: tool"
        ]
    );
}
