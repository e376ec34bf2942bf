//! What a load tells, a check tells too.

use super::*;

#[test]
fn what_goes_wrong_in_a_load_is_a_finding() {
    check_all(&cases());
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        (
            repo(
                "an import that is not there",
                "//- /repo/GEMINI.md\nRules.\n@./docs/gone.md\n",
            ),
            "import-failed /repo/GEMINI.md:2",
        ),
        (
            repo(
                "an import that leaves the project, deep inside of it",
                "//- /repo/a/b/c/GEMINI.md\nSee @../../../../x.md\n//- /x.md\nX.\n",
            ),
            "import-failed /repo/a/b/c/GEMINI.md:1",
        ),
        (
            repo(
                "a file that may not be read",
                "//- /repo/GEMINI.md (denied)\n",
            ),
            "unreadable /repo/GEMINI.md",
        ),
        (
            repo(
                "a directory and a pipe where memory should be",
                "//- /repo/GEMINI.md/\n//- /repo/a/b/AGENTS.md (special)\n//- /repo/a/b/GEMINI.md\nB.\n",
            ),
            "not-a-file /repo/GEMINI.md\nnot-a-file /repo/a/b/AGENTS.md",
        ),
        (
            repo(
                "a link out of the project",
                "//- /repo/GEMINI.md -> ../other/GEMINI.md\n//- /other/GEMINI.md\nOther.\n",
            ),
            "link-outside /repo/GEMINI.md",
        ),
        (
            repo(
                "a link to a file of settings",
                "//- /repo/GEMINI.md -> .env\n//- /repo/.env\nKEY=x\n",
            ),
            "link-to-other /repo/GEMINI.md",
        ),
        (
            repo(
                "a setting that is the user's alone",
                "//- /repo/.gemini/settings.json\n{\"context\": {\"profile\": \"head\"}}\n",
            ),
            "workspace-setting /repo/.gemini/settings.json:1",
        ),
        (
            repo(
                "a workspace directory that is gone",
                r#"
//- /home/u/.gemini/settings.json
{"context": {"includeDirectories": ["/gone"], "loadMemoryFromIncludeDirectories": true}}
"#,
            ),
            "unlisted /gone",
        ),
        (
            repo(
                "a directory that cannot be named",
                "//- /repo/caf\u{FFFD}/x\n",
            ),
            "unspeakable-name /repo",
        ),
        (
            repo(
                "more directories than the scan may visit",
                r#"
//- /home/u/.gemini/settings.json
{"context": {"discoveryMaxDirs": 2}}
//- /repo/a/
//- /repo/b/
"#,
            ),
            "scan-capped /repo",
        ),
        (
            repo(
                "an ignore rule that makes no sense",
                "//- /repo/.geminiignore\na\n[z-a]\n",
            ),
            "bad-ignore-rule /repo/.geminiignore:2",
        ),
        (
            repo(
                "a name that leads out",
                r#"
//- /home/u/.gemini/settings.json
{"context": {"fileName": ["GEMINI.md", "../x.md"]}}
"#,
            ),
            "unsafe-name -",
        ),
        (
            Repo {
                bytes: &[
                    ("/repo/GEMINI.md", b"Rules.\nCaf\xE9.\n"),
                    ("/repo/AGENTS.md", b"\xFF\xFEH\0i\0"),
                    ("/repo/CLAUDE.md", b"a\0b\n"),
                ],
                ..repo("files that are not UTF-8", "")
            },
            "utf16 /repo/AGENTS.md:1\nnul-bytes /repo/CLAUDE.md:1\nnot-utf8 /repo/GEMINI.md:2",
        ),
        (
            Repo {
                bytes: &[("/repo/GEMINI.md", &[b'x'; 3000])],
                ..repo(
                    "a file over its limit",
                    "//- /home/u/.gemini/analects.json\n{\"context\": {\"maxFileBytes\": 2048}}\n",
                )
            },
            "file-cut /repo/GEMINI.md",
        ),
        (
            Repo {
                bytes: &[
                    ("/repo/GEMINI.md", &[b'x'; 1000]),
                    ("/repo/AGENTS.md", &[b'y'; 1000]),
                ],
                ..repo(
                    "files over the limit of a load",
                    "//- /home/u/.gemini/analects.json\n{\"context\": {\"maxLoadBytes\": 1024}}\n",
                )
            },
            "load-cut /repo/AGENTS.md",
        ),
        (
            Repo {
                bytes: &[("/repo/GEMINI.md", &[b'x'; 3000])],
                ..repo(
                    "a layer over its budget",
                    "//- /home/u/.gemini/analects.json\n{\"context\": {\"layerMaxTokens\": 400}}\n",
                )
            },
            "layer-cut /repo/GEMINI.md",
        ),
        (
            repo(
                "settings that are no JSON, wrong or unknown",
                r#"
//- /home/u/.gemini/settings.json
{
  "context": {"importFormat": "round", "fileNmae": "X.md"}
}
//- /home/u/.gemini/analects.json
nothing
"#,
            ),
            "bad-settings /home/u/.gemini/analects.json:1
bad-setting /home/u/.gemini/settings.json:2
unknown-setting /home/u/.gemini/settings.json:2",
        ),
        (
            Repo {
                flags: Flags {
                    trust: false,
                    ..TRUSTED
                },
                ..repo(
                    "rules of trust that are no JSON",
                    "//- /home/u/.gemini/trustedFolders.json\n[]\n//- /repo/GEMINI.md\n@./gone.md\n",
                )
            },
            "bad-trust-file /home/u/.gemini/trustedFolders.json:1",
        ),
        (
            Repo {
                flags: Flags {
                    trust: false,
                    ..TRUSTED
                },
                ..repo(
                    "a rule of trust that says nothing, a workspace that nobody trusts",
                    r#"
//- /home/u/.gemini/trustedFolders.json
{
  "/repo": "TRUST_FOLDER",
  "/x": "PERHAPS"
}
//- /home/u/.gemini/settings.json
{"context": {"includeDirectories": ["/other"], "loadMemoryFromIncludeDirectories": true}}
//- /other/GEMINI.md
Other.
"#,
                )
            },
            "bad-trust-rule /home/u/.gemini/trustedFolders.json:3
include-untrusted /other",
        ),
        (
            repo(
                "a registry and an extension that cannot be read",
                "
//- /home/u/.gemini/projects.json
{\"projects\": []}
//- /home/u/.gemini/extensions/x/gemini-extension.json
{}
",
            ),
            "bad-extension /home/u/.gemini/extensions/x/gemini-extension.json
bad-registry /home/u/.gemini/projects.json",
        ),
    ]
}
