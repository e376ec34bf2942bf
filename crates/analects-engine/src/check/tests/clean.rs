//! Repositories in which nothing is wrong, built like real ones.

use super::*;

#[test]
fn in_a_sound_repository_nothing_is_found() {
    let repos = repos();
    assert!(repos.len() >= 9, "the tenth is this repository itself");
    for repo in repos {
        assert_eq!(repo.findings(), Vec::<String>::new(), "{}", repo.name);
    }
}

fn repos() -> Vec<Repo> {
    vec![
        repo("an empty one", ""),
        repo(
            "a Rust workspace",
            r#"
//- /repo/.gitignore
/target
//- /repo/Cargo.toml
[workspace]
members = ["crates/*"]
//- /repo/crates/app/Cargo.toml
[package]
name = "app"
//- /repo/crates/app/src/main.rs
//- /repo/crates/app/src/bin/gen.rs
//- /repo/crates/app/AGENTS.md
# The app

- Errors live in `src/error.rs`, to be created with the first one.
- Start at `src/main.rs`.
//- /repo/target/debug/build/x/AGENTS.md
Not ours. See `src/none.rs`.
//- /repo/AGENTS.md
# Working here

```sh
cargo test -p app            # one crate
cargo run --bin gen -- --all
cargo clippy --workspace -- -D warnings
RUST_LOG=debug cargo run -p app -- serve > target/log.txt 2>&1
```

Layout: `crates/app/src/main.rs`, generated code in `target/debug/build/`.

1. Run `cargo fmt`.
2. Run the tests.
3. Run `cargo fmt`.
"#,
        ),
        repo(
            "a Node monorepo",
            r#"
//- /repo/.gitignore
node_modules
dist/
.env*
//- /repo/package.json
{"private": true, "scripts": {"build": "turbo build", "test": "vitest"}, "devDependencies": {"eslint": "^9"}}
//- /repo/packages/web/package.json
{"name": "@acme/web", "scripts": {"dev": "vite", "test:e2e": "playwright test"}}
//- /repo/packages/web/src/components/Button.tsx
//- /repo/packages/web/CLAUDE.md
# Web

- Components live in `src/components/`; look at `components/Button.tsx` first.
- Configuration comes from `.env.local` and `packages/web/.env.test`.
- Build output: `dist/index.js`.
//- /repo/node_modules/zod/package.json
{"name": "zod"}
//- /repo/node_modules/zod/AGENTS.md
See `src/zod.ts`. Run `npm run nothing`.
//- /repo/AGENTS.md
# Acme

Use `pnpm` everywhere: `pnpm run build`, `pnpm --filter @acme/web run dev`, `npm test`.

```bash
pnpm install
cd packages/web && pnpm run test:e2e
yarn run eslint . && npx tsc --noEmit
npm run build --workspace=@acme/web
```

New components go to `packages/web/src/components/<Name>.tsx`, e.g. `src/components/Card.tsx`.
Types come from `@acme/types` and `@types/node`; mail support@acme.dev.
//- /repo/CLAUDE.md -> AGENTS.md
"#,
        ),
        repo(
            "a Python package",
            r#"
//- /repo/pyproject.toml
[project]
name = "thing"
//- /repo/Makefile
.PHONY: help test
VERSION ?= 1
help: ## show this
test lint:
	uv run pytest
docs/%.html: docs/%.md
//- /repo/src/thing/core.py
//- /repo/tests/test_core.py
//- /repo/scripts/release.sh
//- /repo/CLAUDE.md
# CLAUDE.md

This file provides guidance when working with code in this repository.

## Commands

- `make test` / `make lint`; `make -j4 docs/index.html`
- One test: `uv run pytest tests/test_core.py::TestCore -k name`
- `python -m thing --help`, `python3 scripts/../src/thing/core.py`
- Release: `bash scripts/release.sh v1.2.3`

## Architecture

| Path | What |
|------|------|
| `src/thing/core.py:12` | the parser |
| `tests/` | tests |

Never write `import *`. See [the core](src/thing/core.py) and <https://example.com/x/y.md>.
"#,
        ),
        repo(
            "Chinese documents",
            "
//- /repo/文档/规范.md
- 代码注释使用中文。
//- /repo/src/主程序.go
//- /repo/GEMINI.md
# 项目说明

请先阅读 @文档/规范.md，再看 `src/主程序.go`。

- 提交前运行测试。
- 不要修改 `src/生成.go`。
- 新建文件，例如 `文档/新功能.md`。
- 表情 👩\u{200D}💻 与 ☀\u{FE0F} 没有问题。
",
        ),
        repo(
            "one file that stands for another",
            "
//- /repo/AGENTS.md
- Be kind.
- Be brief.
//- /repo/CLAUDE.md
@AGENTS.md
//- /repo/GEMINI.md
@./AGENTS.md
",
        ),
        repo(
            "copies under every name",
            "
//- /repo/AGENTS.md
- Use four blanks for indentation.
//- /repo/CLAUDE.md
- Use four blanks for indentation.
//- /repo/GEMINI.md -> AGENTS.md
",
        ),
        repo(
            "all four layers, each with its own",
            r#"
//- /home/u/.gemini/GEMINI.md
## Gemini Added Memories
- I prefer short answers
//- /home/u/.gemini/projects.json
{"projects": {"/repo": "repo"}}
//- /home/u/.gemini/tmp/repo/memory/MEMORY.md
- My database runs on port 5433.
//- /home/u/.gemini/extensions/deploy/gemini-extension.json
{"name": "deploy"}
//- /home/u/.gemini/extensions/deploy/GEMINI.md
Deploy with care. See `scripts/deploy.sh`.
//- /repo/.gemini/memory/notes.md
Ask Kim about the schema.
//- /repo/.gemini/GEMINI.md
Use Go 1.24.
//- /repo/GEMINI.md
Keep functions short.
//- /repo/api/v1/GEMINI.md
Nothing is removed from this version.
"#,
        ),
        repo(
            "a repository in the repository",
            "
//- /repo/GEMINI.md
The library is a submodule in `vendor/lib/`.
//- /repo/vendor/lib/.git
gitdir: ../../.git/modules/lib
//- /repo/vendor/lib/AGENTS.md
Run `make everything`. See `src/none.c`.
//- /repo/docs/agents.md
# Agents
How our agents work.
//- /repo/docs/gemini.md
# Gemini
",
        ),
        repo(
            "a build that makes its own makefile",
            "
//- /repo/CMakeLists.txt
project(x)
//- /repo/include/x.h
//- /repo/GEMINI.md
```console
$ mkdir -p build && cd build
$ cmake .. && make -j8
$ ctest
```

```
make check
./build/x --help
```

Headers: `include/x.h`, flags `-I/usr/include`, versions `1.2/3.4`, either/or, `a/b`, `origin/main`.
",
        ),
        Repo {
            flags: Flags {
                trust: false,
                ..TRUSTED
            },
            ..repo(
                "one that nobody trusts",
                "//- /repo/GEMINI.md\n@./gone.md\n//- /repo/agents.md\nx\n",
            )
        },
    ]
}
