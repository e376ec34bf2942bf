//! A system prompt of the user's own, and where ours is to be written.

use analects_testkit::{show_problems, surroundings};
use analects_world::AbsPath;
use expect_test::{Expect, expect};

use super::{Case, LAYERS, PLAIN, SkillLine, map, prompt};

fn check(vars: &[(&str, &str)], trust: bool, expected: Expect) {
    let case = Case {
        tree: CUSTOM,
        vars,
        trust,
        ..PLAIN
    };
    expected.assert_eq(&match prompt(&case) {
        Ok(prompt) => {
            let problems = show_problems(&prompt.problems);
            // What follows is ours, and has snapshots of its own.
            let (theirs, _) = prompt.system.split_once(RULES).unwrap();
            format!("{theirs}{RULES} …\n\n{}{problems}", map(&prompt))
        }
        Err(failure) => format!("{failure}\n{}", failure.hints.join("\n")),
    });
}

const RULES: &str = "# Memory and other text you are given";

const CUSTOM: &str = "
//- /w/app/.git/
//- /w/app/.gemini/system.md

You are ours.
${AvailableTools}
${SubAgents}${AgentSkills}
Call ${save_memory_ToolName}, ${read_file_ToolName} or ${x}.

//- /w/app/leak.md -> /home/u/key
//- /home/u/key
Secret.
//- /home/u/own.md
Mine.
//- /home/u/into.md -> /w/app/.gemini/system.md
";

#[test]
fn a_system_prompt_of_the_users_own_takes_the_place_of_ours() {
    check(
        &[("GEMINI_SYSTEM_MD", " TRUE ")],
        true,
        expect![[r#"
            You are ours.
            - read_file
            - read_many_files
            - write_file
            - replace
            - list_directory
            - glob
            - grep_search
            - run_shell_command
            - ask_user
            - save_memory

            Call save_memory, read_file or ${x}.

            # Memory and other text you are given …

            1-13 system /w/app/.gemini/system.md
                1-1 /w/app/.gemini/system.md:2-2
                2-11 /w/app/.gemini/system.md:3-3
                12-13 /w/app/.gemini/system.md:4-5
            15-21 memory_rules analects
            23-32 remembering analects
        "#]],
    );
}

#[test]
fn it_may_lie_anywhere_and_be_switched_off() {
    check(
        &[("GEMINI_SYSTEM_MD", "~/own.md")],
        false,
        expect![[r#"
            Mine.

            # Memory and other text you are given …

            1-1 system /home/u/own.md
                1-1 /home/u/own.md:1-1
            3-9 memory_rules analects
            11-20 remembering analects
        "#]],
    );
    for off in ["0", "false", " FALSE ", " "] {
        let case = Case {
            vars: &[("GEMINI_SYSTEM_MD", off)],
            ..PLAIN
        };
        assert!(
            prompt(&case)
                .unwrap()
                .system
                .starts_with("You are a coding agent")
        );
    }
}

#[test]
fn a_missing_system_prompt_is_a_failure() {
    check(
        &[("GEMINI_SYSTEM_MD", "docs/none.md")],
        true,
        expect![[r#"
        missing system prompt file '/w/app/docs/none.md'
        name another file with `GEMINI_SYSTEM_MD`, or unset it"#]],
    );
}

#[test]
fn an_untrusted_folder_brings_no_system_prompt_by_any_way() {
    check(
        &[("GEMINI_SYSTEM_MD", "1")],
        false,
        expect![[r#"
        system prompt file '/w/app/.gemini/system.md' lies in a folder that is not trusted
        `--trust` reads it for this run
        `GEMINI_SYSTEM_MD=0` does without it"#]],
    );
    check(
        &[("GEMINI_SYSTEM_MD", "~/into.md")],
        false,
        expect![[r#"
        system prompt file '/home/u/into.md' lies in a folder that is not trusted
        `--trust` reads it for this run
        `GEMINI_SYSTEM_MD=0` does without it"#]],
    );
}

#[test]
fn a_projects_system_prompt_is_no_link_out_of_it() {
    check(
        &[("GEMINI_SYSTEM_MD", "leak.md")],
        true,
        expect![[r#"
        cannot read system prompt file '/w/app/leak.md': a link that leads outside
        name another file with `GEMINI_SYSTEM_MD`, or unset it"#]],
    );
}

#[test]
fn a_system_prompt_is_read_whole_or_not_at_all() {
    let tree = format!(
        "//- /home/u/.gemini/analects.json\n{{\"context\": {{\"maxFileBytes\": 1024}}}}\n\
         //- /w/app/.gemini/system.md\n{}\n",
        "rule ".repeat(300)
    );
    let failure = prompt(&Case {
        tree: &tree,
        vars: &[("GEMINI_SYSTEM_MD", "1")],
        ..PLAIN
    })
    .unwrap_err();
    assert_eq!(
        failure.message,
        "system prompt file '/w/app/.gemini/system.md' is too large: 1501 bytes, 1024 allowed"
    );
}

#[test]
fn where_to_write_has_the_same_grammar() {
    for (said, path) in [
        ("1", Some("/w/app/.gemini/system.md")),
        ("~/out.md", Some("/home/u/out.md")),
        ("out.md", Some("/w/app/out.md")),
        ("0", None),
    ] {
        let case = Case {
            vars: &[("GEMINI_WRITE_SYSTEM_MD", said)],
            ..PLAIN
        };
        let write_to = prompt(&case).unwrap().write_to;
        assert_eq!(write_to.as_ref().map(AbsPath::as_str), path);
    }
}

#[test]
fn memory_still_follows_it_and_skills_stand_where_it_wants_them() {
    let skills = [SkillLine {
        name: "release".to_owned(),
        description: "Use when a release is due.".to_owned(),
        location: "/s".to_owned(),
    }];
    let tree = format!("{LAYERS}//- /w/app/s.md\nFirst.\n${{AgentSkills}}\nLast.\n");
    let prompt = prompt(&Case {
        tree: &tree,
        vars: &[("GEMINI_SYSTEM_MD", "s.md")],
        skills: &skills,
        ..PLAIN
    })
    .unwrap();
    assert!(prompt.system.starts_with("First.\n# Skills\n"));
    assert!(
        prompt
            .system
            .contains("</available_skills>\nLast.\n\n# Memory and other text")
    );
    assert!(
        prompt
            .system
            .contains("ask the user first.\n\n---\n\n<loaded_context>")
    );
    expect![[r#"
        1-13 system /w/app/s.md
            1-1 /w/app/s.md:1-1
            2-12 /w/app/s.md:2-2
            13-13 /w/app/s.md:3-3
        15-21 memory_rules analects
        23-32 remembering analects
        38-40 global_context /home/u/.gemini/GEMINI.md
            39-39 /home/u/.gemini/GEMINI.md:1-1
        44-46 user_project_memory /home/u/.gemini/tmp/app/memory/MEMORY.md
            45-45 /home/u/.gemini/tmp/app/memory/MEMORY.md:1-1
        50-52 extension_context /home/u/.gemini/extensions/deploy/GEMINI.md
            51-51 /home/u/.gemini/extensions/deploy/GEMINI.md:1-1
        55-65 project_context /w/app/GEMINI.md
            56-60 /w/app/GEMINI.md:2-6
            61-61 /w/app/docs/style.md:1-1
            63-64 /w/app/GEMINI.md:6-7
        69-73 closing analects
    "#]]
    .assert_eq(&map(&prompt));
}

#[test]
fn the_prompt_is_kept_where_it_is_wanted_and_never_for_a_stranger() {
    use crate::verbs::{Flags, Verb};
    let keep = |trust: bool, path: &str| {
        let files = analects_testkit::FakeDesk::parse(
            "//- /w/app/.git/\n//- /w/app/GEMINI.md\nUse tabs.\n",
        );
        let around = surroundings("/w/app", "/home/u", &[("GEMINI_WRITE_SYSTEM_MD", path)]);
        let world = files.world(&around);
        let flags = Flags {
            trust,
            ..Flags::default()
        };
        let answer = crate::verbs::prompt::Prompt::default().run(&world, &flags);
        (answer.map(|answer| (answer.system, answer.written)), files)
    };
    let (answer, files) = keep(true, "true");
    let (system, written) = answer.unwrap();
    assert_eq!(written.as_deref(), Some("/w/app/.gemini/system.md"));
    assert_eq!(files.text("/w/app/.gemini/system.md"), Some(system));
    let (refused, files) = keep(false, "true");
    assert!(refused.unwrap_err().message.contains("not trusted"));
    assert!(files.commits().is_empty());
    assert!(
        keep(false, "~/p.md").0.unwrap().1.is_some(),
        "the user's own place"
    );
}
