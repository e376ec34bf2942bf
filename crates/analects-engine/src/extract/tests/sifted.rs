//! What lies in the inbox after a run, and what may stay there.

use super::*;

const PATCH: &str = "/h/.gemini/tmp/app/memory/.inbox/private/extraction.patch";

fn patch(target: &str, line: &str) -> String {
    format!("--- {target}\n+++ {target}\n@@ -1 +1,2 @@\n # Project Memory\n+{line}\n")
}

fn good() -> String {
    patch("/h/.gemini/tmp/app/memory/MEMORY.md", "- Use just.")
}

#[test]
fn new_skills_and_patches_are_counted_and_noted() {
    let scene = Scene::new(1);
    scene.desk.edit(
        &format!("{MEMORY}/skills/old/SKILL.md"),
        "---\nname: old\ndescription: Was there.\n---\nDo it.\n",
    );
    let local = |job: &Job<'_>| {
        let skill = "---\nname: deploy\ndescription: Deploys.\n---\nDo it.\n";
        scene
            .desk
            .edit(&format!("{}/skills/deploy/SKILL.md", job.memory), skill);
        scene
            .desk
            .edit(&format!("{}/skills/old/SKILL.md", job.memory), skill);
        scene.desk.edit(PATCH, &good());
        read_all(job)
    };
    let report = learn_here(&scene, &local);
    assert_eq!(report.skills, ["deploy"]);
    assert_eq!(report.changed, ["old"]);
    assert_eq!(report.patches, ["private/extraction.patch"]);
    assert_eq!(
        report.notice().as_deref(),
        Some("1 new skill and 1 new change wait: /memory inbox")
    );
    let state = scene.desk.text(STATE).unwrap();
    assert!(state.contains("\"skillsCreated\": [\n        \"deploy\"\n      ]"));
    assert!(state.contains("\".inbox/private/extraction.patch\""));
}

#[test]
fn a_patch_that_nobody_could_apply_is_taken_back_and_told() {
    let bad = [
        "no diff at all".to_owned(),
        patch(STATE, "x"),
        patch("/etc/passwd", "x"),
        patch("/h/.gemini/tmp/app/memory/gone.md", "x"),
    ];
    for text in bad {
        let scene = Scene::new(1);
        let local = |job: &Job<'_>| {
            scene.desk.edit(PATCH, &text);
            read_all(job)
        };
        let report = learn_here(&scene, &local);
        assert_eq!(scene.desk.text(PATCH), None, "{text}");
        assert_eq!(report.patches, Vec::<String>::new());
        assert_eq!(report.problems[0].code.name, "patch-taken-back");
        assert_eq!(report.notice(), None);
    }
}

#[test]
fn a_patch_that_waited_is_not_lost_to_one_that_is_no_use() {
    let scene = Scene::new(1);
    scene.desk.edit(PATCH, &good());
    let local = |job: &Job<'_>| {
        scene.desk.edit(PATCH, "no diff at all");
        read_all(job)
    };
    let report = learn_here(&scene, &local);
    assert_eq!(scene.desk.text(PATCH), Some(good()));
    assert_eq!(report.problems.len(), 1);
}

#[test]
fn what_was_there_before_is_nobodys_news() {
    let scene = Scene::new(1);
    scene.desk.edit(PATCH, "no diff at all");
    let report = learn_here(&scene, &read_all);
    assert_eq!(scene.desk.text(PATCH).as_deref(), Some("no diff at all"));
    assert!(report.problems.is_empty() && report.patches.is_empty());
}

fn learn_here(scene: &Scene, local: &dyn Fn(&Job<'_>) -> Result<Made, Failure>) -> Report {
    let learners = Learners {
        local,
        model: &|_, _| Ok(Made::default()),
    };
    let world = scene.desk.world(&scene.around);
    let prepared = prepare(&world, &scene.flags).unwrap();
    let cancel = Cancel::new();
    run_with(&world, &scene.flags, &prepared, &ASKED, &cancel, learners).unwrap()
}
