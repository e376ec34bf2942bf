//! Mending: what is safe, in one commit, and nothing else.

use super::*;

const TREE: &str = "\
//- /home/u/.gemini/GEMINI.md
- I like tea
- I like tea
//- /home/u/.gemini/extensions/x/gemini-extension.json
{\"name\": \"x\"}
//- /home/u/.gemini/extensions/x/GEMINI.md
Not\u{200B}ours.
//- /repo/GEMINI.md
Do\u{200B}not guess.\r
- a rule\r
- another rule\r
- a rule\r
//- /repo/a/b/AGENTS.md
See @./gone.md and be\u{202E} careful.
";

const FIX: Check = Check { fix: true };

#[test]
fn what_is_safe_is_mended_in_one_commit_and_the_rest_is_told() {
    let desk = repo("", TREE).desk();
    let found = run(&desk, &FIX, &TRUSTED);
    assert!(found.written);
    assert_eq!(
        places(&found),
        [
            "hidden-character /home/u/.gemini/extensions/x/GEMINI.md:1",
            "import-failed /repo/a/b/AGENTS.md:1"
        ]
    );
    assert!(found.findings.iter().all(|finding| !finding.fixable));
    let text = |path| desk.text(path).unwrap();
    assert_eq!(text("/home/u/.gemini/GEMINI.md"), "- I like tea\n");
    assert_eq!(
        text("/repo/GEMINI.md"),
        "Donot guess.\r\n- a rule\r\n- another rule\r\n"
    );
    assert_eq!(
        text("/repo/a/b/AGENTS.md"),
        "See @./gone.md and be careful.\n"
    );
    assert_eq!(desk.commits().len(), 1);
    let fixed: Vec<_> = found
        .fixed
        .iter()
        .map(|f| (f.path.as_str(), f.done.len()))
        .collect();
    assert_eq!(
        fixed,
        [
            ("/home/u/.gemini/GEMINI.md", 1),
            ("/repo/GEMINI.md", 2),
            ("/repo/a/b/AGENTS.md", 1)
        ]
    );
    let again = run(&desk, &FIX, &TRUSTED);
    assert!(!again.written && again.fixed.is_empty());
    assert_eq!(again.diff.as_deref(), Some(""));
    assert_eq!(desk.commits().len(), 1);
}

#[test]
fn a_dry_run_shows_the_change_and_leaves_everything() {
    let desk = repo("", TREE).desk();
    let flags = Flags {
        dry_run: true,
        ..TRUSTED
    };
    let found = run(&desk, &FIX, &flags);
    assert!(!found.written);
    assert_eq!(found.fixed.len(), 3);
    assert_eq!(found.findings.iter().filter(|f| f.fixable).count(), 4);
    assert!(found.diff.unwrap().contains("-- I like tea\n"));
    assert!(desk.commits().is_empty());
}

#[test]
fn a_byte_order_mark_stays_and_what_is_no_plain_text_is_left_alone() {
    let repo = Repo {
        bytes: &[
            ("/repo/GEMINI.md", b"\xEF\xBB\xBFa\xE2\x80\x8Bb\n"),
            ("/repo/AGENTS.md", b"\xFF\xFEa\0\x0B\x20b\0"),
            ("/repo/CLAUDE.md", b"c\xFF\xE2\x80\x8Bd\n"),
        ],
        ..repo("", "")
    };
    let desk = repo.desk();
    let found = run(&desk, &FIX, &TRUSTED);
    assert_eq!(desk.text("/repo/GEMINI.md").unwrap(), "\u{FEFF}ab\n");
    assert_eq!(found.fixed.len(), 1);
    assert_eq!(
        places(&found),
        [
            "hidden-character /repo/AGENTS.md:1",
            "utf16 /repo/AGENTS.md:1",
            "hidden-character /repo/CLAUDE.md:1",
            "not-utf8 /repo/CLAUDE.md:1"
        ]
    );
    assert!(found.findings.iter().all(|finding| !finding.fixable));
}

#[test]
fn what_the_settings_allow_is_no_secret() {
    let tree = "//- /repo/GEMINI.md\nThe database password is hunter2!Xy7.\n";
    let desk = repo("", tree).desk();
    let look = || run(&desk, &Check { fix: false }, &TRUSTED);
    let message = look().findings[0].problem.message.clone();
    assert!(!message.contains("hunter2"), "{message}");
    let fingerprint = message.split(['(', ')']).nth(1).unwrap();
    let settings = format!(r#"{{"memory": {{"allowedSecrets": ["{fingerprint}"]}}}}"#);
    desk.edit("/repo/.gemini/analects.json", &settings);
    let still = [
        "workspace-setting /repo/.gemini/analects.json:1",
        "secret /repo/GEMINI.md:1",
    ];
    assert_eq!(places(&look()), still, "a project cannot allow a secret");
    desk.edit("/repo/.gemini/analects.json", "{}");
    desk.edit("/home/u/.gemini/analects.json", &settings);
    assert_eq!(places(&look()), Vec::<String>::new());
}

#[test]
fn the_diff_of_a_change_hides_secrets_too() {
    let tree = "//- /repo/GEMINI.md\nThe database password is hunter2!Xy7.\nAsk\u{200B}first.\n";
    let found = run(&repo("", tree).desk(), &FIX, &TRUSTED);
    let diff = found.diff.unwrap();
    assert!(diff.contains("+Askfirst."), "{diff}");
    assert!(!diff.contains("hunter2"), "{diff}");
}
