//! What loads well enough, and is wrong all the same.

use super::*;

#[test]
fn what_is_wrong_with_memory_is_found_where_it_stands() {
    check_all(&cases());
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        (
            repo(
                "a file that imports itself",
                "//- /repo/GEMINI.md\nRules.\n@./GEMINI.md\n",
            ),
            "import-cycle /repo/GEMINI.md:2",
        ),
        (
            repo(
                "two files that import one another",
                "//- /repo/GEMINI.md\n@./docs/a.md\n//- /repo/docs/a.md\nA.\n\n@./b.md\n//- /repo/docs/b.md\n@a.md\n",
            ),
            "import-cycle /repo/docs/b.md:1",
        ),
        (
            repo(
                "a circle deep in the project",
                "//- /repo/a/b/c/GEMINI.md\n@./x.md\n//- /repo/a/b/c/x.md\nX.\n@./GEMINI.md\n",
            ),
            "import-cycle /repo/a/b/c/x.md:2",
        ),
        (
            Repo {
                bytes: &[("/repo/GEMINI.md", &[b'x'; 41_000])],
                ..repo("a file that costs too much", "")
            },
            "large-file /repo/GEMINI.md",
        ),
        (
            repo("a file without a word", "//- /repo/GEMINI.md\n\n  \n"),
            "empty-file /repo/GEMINI.md",
        ),
        (
            repo(
                "a line of global memory again in the project",
                "//- /home/u/.gemini/GEMINI.md\n- Use tabs for indentation.\n//- /repo/GEMINI.md\n# Style\n\n- Use tabs for indentation\n",
            ),
            "repeated-line /repo/GEMINI.md:3",
        ),
        (
            repo(
                "a private note that the project has, too",
                r#"
//- /home/u/.gemini/projects.json
{"projects": {"/repo": "repo"}}
//- /home/u/.gemini/tmp/repo/memory/MEMORY.md
- The port of the server is 8080.
//- /repo/AGENTS.md
The port of the server is 8080.
"#,
            ),
            "repeated-line /repo/AGENTS.md:1",
        ),
        (
            repo(
                "an entry twice in one file",
                "//- /repo/GEMINI.md\n## Gemini Added Memories\n- Write tests first\n- Be brief\n- Write tests first\n",
            ),
            "repeated-line /repo/GEMINI.md:4",
        ),
        (
            repo(
                "a directory that repeats what its root says",
                "//- /repo/CLAUDE.md\n- Never push to main.\n//- /repo/web/CLAUDE.md\n- Never push to main.\n- Use CSS.\n",
            ),
            "repeated-line /repo/web/CLAUDE.md:1",
        ),
        (
            repo(
                "a rule in other words",
                "//- /home/u/.gemini/GEMINI.md\n- Run the tests before committing.\n//- /repo/GEMINI.md\n- Before you commit, run the tests\n",
            ),
            "near-duplicate /repo/GEMINI.md:1",
        ),
        (
            repo(
                "always here, never there",
                "//- /home/u/.gemini/GEMINI.md\n- Always squash commits.\n//- /repo/AGENTS.md\n# Git\n\n- Never squash commits.\n",
            ),
            "contradiction /repo/AGENTS.md:3",
        ),
        (
            repo(
                "a contradiction under a heading, in Chinese",
                "//- /repo/GEMINI.md\n- 始终使用制表符缩进。\n\n## 禁止\n- 使用制表符缩进\n",
            ),
            "contradiction /repo/GEMINI.md:4",
        ),
        (
            repo(
                "a project's fact in global memory",
                "//- /home/u/.gemini/GEMINI.md\n- I like tea.\n- This project uses pnpm.\n",
            ),
            "wrong-scope /home/u/.gemini/GEMINI.md:2",
        ),
        (
            repo(
                "secrets",
                concat!(
                    "//- /home/u/.gemini/GEMINI.md\nToken: gh",
                    "p_16C7e42F292c6912E7710c838347Ae178B4a\n",
                    "//- /repo/GEMINI.md\nFine.\n\nThe database password is hunter2!Xy7.\n"
                ),
            ),
            "secret /home/u/.gemini/GEMINI.md:1
secret /repo/GEMINI.md:3",
        ),
        (
            repo(
                "a file that was removed",
                "//- /repo/GEMINI.md\n# Map\n\nThe entry point is `src/start.ts`.\n//- /repo/src/main.ts\n",
            ),
            "missing-file /repo/GEMINI.md:3",
        ),
        (
            repo(
                "a link to a page that moved",
                "//- /repo/AGENTS.md\n- [Style](docs/style.md)\n- [API](./docs/api.md#errors)\n//- /repo/docs/api.md\n",
            ),
            "missing-file /repo/AGENTS.md:1",
        ),
        (
            repo(
                "a path in the memory of a package",
                "//- /repo/packages/web/src/App.tsx\n//- /repo/packages/web/AGENTS.md\n| `src/App.tsx` | start |\n|---|---|\n| `src/Old.tsx:3` | gone |\n",
            ),
            "missing-file /repo/packages/web/AGENTS.md:3",
        ),
        (
            repo(
                "a script that package.json lacks",
                "//- /repo/package.json\n{\"scripts\": {\"build\": \"tsc\"}}\n//- /repo/GEMINI.md\nBuild with `npm run build`, check with `npm run lint`.\n",
            ),
            "missing-command /repo/GEMINI.md:1",
        ),
        (
            repo(
                "a target that the makefile lacks",
                "//- /repo/Makefile\nbuild:\n\tcc x.c\n//- /repo/GEMINI.md\n```bash\nmake build\nmake test   # all of it\n```\n",
            ),
            "missing-command /repo/GEMINI.md:3",
        ),
        (
            repo(
                "a recipe that the justfile lacks",
                "//- /repo/justfile\nbuild:\n  cargo build\n//- /repo/GEMINI.md\nRun `just deploy`.\n",
            ),
            "missing-command /repo/GEMINI.md:1",
        ),
        (
            repo(
                "programs and packages that are gone",
                r#"
//- /repo/Cargo.toml
[package]
name = "app"
//- /repo/tools/a.py
//- /repo/CLAUDE.md
- `cargo run --bin server`
- `cargo test -p app-core`
- `python tools/b.py`
- `./scripts/run.sh all`
//- /repo/scripts/
"#,
            ),
            "missing-command /repo/CLAUDE.md:1
missing-command /repo/CLAUDE.md:2
missing-command /repo/CLAUDE.md:3
missing-command /repo/CLAUDE.md:4",
        ),
        (
            repo(
                "a word with a hole in it",
                "//- /repo/GEMINI.md\nFine.\nThe pass\u{200B}word is secret.\n",
            ),
            "hidden-character /repo/GEMINI.md:2",
        ),
        (
            repo(
                "an order nobody sees, in an import",
                "//- /repo/GEMINI.md\n@./docs/x.md\n//- /repo/docs/x.md\nHello\u{E0068}\u{E0069} there \u{202E}drawkcab\u{202C}\n",
            ),
            "hidden-character /repo/docs/x.md:1",
        ),
        (
            repo(
                "memory under a wrong name",
                "//- /repo/gemini.md\nLower case.\n//- /repo/docs/AGENTS.md.md\nDoubled.\n",
            ),
            "unreached-memory /repo/docs/AGENTS.md.md
unreached-memory /repo/gemini.md",
        ),
        (
            repo(
                "memory that is ignored",
                "//- /repo/.geminiignore\n/docs/\n//- /repo/docs/GEMINI.md\nNobody reads me.\n",
            ),
            "unreached-memory /repo/docs/GEMINI.md",
        ),
        (
            repo(
                "memory in places that are never entered",
                "//- /repo/node_modules/GEMINI.md\nA.\n//- /repo/x/target/CLAUDE.md\nB.\n//- /repo/.git/AGENTS.md\nC.\n",
            ),
            "unreached-memory /repo/.git/AGENTS.md
unreached-memory /repo/node_modules/GEMINI.md
unreached-memory /repo/x/target/CLAUDE.md",
        ),
        (
            repo("a link to nothing", "//- /repo/CLAUDE.md -> AGENTS.md\n"),
            "unreached-memory /repo/CLAUDE.md",
        ),
    ]
}
