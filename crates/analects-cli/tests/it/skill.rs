//! Skills: one case a verb, on a real disk.

use std::fs;

use crate::sandbox::Sandbox;

fn skill(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Runs the {name}.\n---\nOpen the sluice.\n")
}

#[test]
fn skills_are_listed_shown_checked_and_switched() {
    let sandbox = Sandbox::new();
    sandbox
        .write("home/.gemini/skills/mill/SKILL.md", skill("mill"))
        .write("repo/.agents/skills/bake/SKILL.md", skill("../../x"));
    let listed = sandbox.run(&["skills", "list"]);
    assert_eq!(listed.code, 0);
    assert!(
        listed
            .out
            .starts_with("mill  ~/.gemini/skills/mill/SKILL.md\n  Runs the mill.\n"),
        "{}",
        listed.out
    );
    assert!(!listed.out.contains("bake"), "the folder is not trusted");
    assert!(listed.err.contains("trust"), "{}", listed.err);
    let shown = sandbox.run(&["skill", "show", "mill"]);
    assert!(shown.out.contains("\nOpen the sluice.\n"), "{}", shown.out);
    assert_eq!(sandbox.run(&["skill", "check", "mill"]).code, 0);
    let found = sandbox.run(&["skill", "check", "--trust"]);
    assert_eq!(found.code, 3);
    assert!(
        found
            .out
            .contains(".agents/skills/bake/SKILL.md:2: error: `../../x` cannot be a name"),
        "{}",
        found.out
    );
    let off = sandbox.json(&["skill", "disable", "Mill"]);
    assert_eq!(
        (&off["enabled"], &off["written"]),
        (&false.into(), &true.into())
    );
    let settings = fs::read_to_string(sandbox.path("home/.gemini/settings.json")).unwrap();
    assert!(settings.contains("\"mill\""), "{settings}");
    let hidden = sandbox.json(&["skill", "list"]);
    assert_eq!(hidden["hidden"], 1);
    let on = sandbox.run(&["skill", "enable", "mill"]);
    assert!(on.out.ends_with("mill is enabled\n"), "{}", on.out);
    assert_eq!(sandbox.run(&["skill", "show", "../../x"]).code, 42);
}

#[test]
fn ten_thousand_skills_and_ten_megabytes_of_words_are_no_trouble() {
    let sandbox = Sandbox::new();
    for n in 0..10_000 {
        fs::create_dir_all(sandbox.path(&format!("repo/.gemini/skills/s{n:05}"))).unwrap();
    }
    let huge = format!(
        "---\nname: huge\ndescription: {}\n---\n",
        "x".repeat(10 << 20)
    );
    sandbox
        .write("repo/.gemini/skills/s00001/SKILL.md", skill("s00001"))
        .write("repo/.agents/skills/huge/SKILL.md", huge)
        .link("repo/.agents/skills/loop", "loop")
        .pipe("repo/.agents/pipe");
    let ran = sandbox.run(&["skill", "list", "--trust", "--json"]);
    let listed: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let names = listed["skills"].as_array().unwrap().iter();
    let names: Vec<_> = names.map(|skill| &skill["name"]).collect();
    assert_eq!(names, ["s00001", "skill-creator"]);
    let problems = listed["problems"].as_array().unwrap().iter();
    let codes: Vec<_> = problems
        .map(|problem| problem["code"].as_str().unwrap())
        .collect();
    assert!(
        codes.contains(&"too-many-skills") && codes.contains(&"skill-skipped"),
        "{codes:?}"
    );
    assert!(ran.out.len() < 20_000);
}
