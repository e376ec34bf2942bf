//! Commands that nobody can run.

use expect_test::expect;

use super::*;

fn check_commands(files: &str, commands: &str, expected: Expect) {
    let tree = format!("{files}//- /repo/GEMINI.md\n```sh\n{commands}```\n");
    check_tree(&tree, expected);
}

#[test]
fn scripts_are_those_of_any_package() {
    check_commands(
        r#"
//- /repo/package.json
{"scripts": {"build": "x", "test:unit": "y"}, "devDependencies": {"eslint": "1"}}
//- /repo/web/package.json
{"name": "web", "scripts": {"dev": "z"}}
//- /repo/node_modules/x/package.json
{"scripts": {"inner": ""}}
"#,
        "npm run build && npm run test:unit -- --watch
npm run lint
cd web && pnpm run dev
pnpm --filter web run deploy
yarn run eslint .
yarn workspace web run storybook
npm test
npm run --if-present maybe
npm run <script> && npm run test:*
npm install && npm start && pnpm dev
bun run scripts/x.ts
bun run inner
",
        expect![[r#"
            ! missing-command: /repo/GEMINI.md:3: none of 2 package.json files has a script `lint`
            ! missing-command: /repo/GEMINI.md:5: none of 2 package.json files has a script `deploy`
            ! missing-command: /repo/GEMINI.md:7: none of 2 package.json files has a script `storybook`
            ! missing-command: /repo/GEMINI.md:8: none of 2 package.json files has a script `test`
            ! missing-command: /repo/GEMINI.md:13: none of 2 package.json files has a script `inner`
        "#]],
    );
}

#[test]
fn a_package_that_cannot_be_read_may_have_any_script() {
    for package in ["{\"scripts\": {", "[]", "{\"a\":".repeat(9000).as_str()] {
        check_commands(
            &format!("//- /repo/package.json\n{package}\n"),
            "npm run x1\n",
            expect![""],
        );
    }
}

#[test]
fn targets_are_those_of_any_makefile() {
    check_commands(
        "
//- /repo/Makefile
CC := gcc
X = a:b
.PHONY: all lint
build test: dep
\tcargo build
%.o: %.c
-include extra.mk
//- /repo/extra.mk
deploy:: ; true
//- /repo/docs/Makefile
html:
",
        "make
make build test -j 4 V=1
make deploy html lint main.o docs
make release
make -C other release
make sure
",
        expect![[r#"
            ! missing-command: /repo/GEMINI.md:5: no makefile has a target `release`
        "#]],
    );
    check_commands(
        "//- /repo/Makefile\ninclude $(X)/rules.mk\n",
        "make any\n",
        expect![""],
    );
    check_commands("//- /repo/CMakeLists.txt\n", "make any\n", expect![""]);
    let round = "include Makefile\n-include Makefile\n".repeat(100);
    check_commands(
        &format!("//- /repo/Makefile\n{round}all:\n"),
        "make all none1\n",
        expect![[r#"
            ! missing-command: /repo/GEMINI.md:2: no makefile has a target `none1`
        "#]],
    );
}

#[test]
fn recipes_are_those_of_any_justfile() {
    check_commands(
        "
//- /repo/justfile
set shell := ['bash']
version := '1'
alias b := build
import 'more.just'
@build target='x': dep
    cargo build
_hidden:
//- /repo/more.just
release VERSION:
",
        "just
just build release
just b
just _hidden
just --list
just deploy now
",
        expect![[r#"
            ! missing-command: /repo/GEMINI.md:7: no justfile has a recipe `deploy`
        "#]],
    );
}

#[test]
fn packages_and_programs_are_those_of_the_workspace() {
    check_commands(
        r#"
//- /repo/Cargo.toml
[workspace]
members = ["crates/*"]
//- /repo/Cargo.lock
[[package]]
name = "serde"
//- /repo/crates/app/Cargo.toml
[package]
name = "app" # ours
[[bin]]
name = "appd"
[dependencies]
name = "9"
//- /repo/crates/app/src/bin/tool.rs
"#,
        "cargo run --bin appd -- -p nothing
cargo run --bin tool
cargo run -p app && cargo test -p serde
cargo run --bin gone
cargo +nightly test --package=lost
cargo install -p x --bin y
",
        expect![[r#"
            ! missing-command: /repo/GEMINI.md:5: no Cargo.toml defines a program `gone`
            ! missing-command: /repo/GEMINI.md:6: no Cargo.toml defines a package `lost`
        "#]],
    );
}

#[test]
fn scripts_that_are_run_by_their_path_must_exist() {
    check_commands(
        "
//- /repo/scripts/a.sh
//- /repo/tools/gen.py
//- /repo/web/
",
        "./scripts/a.sh && bash scripts/a.sh
./scripts/b.sh --fast
python3 -u tools/gen.py
python tools/old.py
python script.py
python -m http.server
python -c 'x.py'
node build.mjs
./gradlew build
cd web
./scripts/c.sh
cd elsewhere
./scripts/d.sh
",
        expect![[r#"
            ! missing-command: /repo/GEMINI.md:3: `./scripts/b.sh` does not exist
            ! missing-command: /repo/GEMINI.md:5: `tools/old.py` does not exist
            ! missing-command: /repo/GEMINI.md:9: `build.mjs` does not exist
            ! missing-command: /repo/GEMINI.md:12: `./scripts/c.sh` does not exist
        "#]],
    );
}

#[test]
fn commands_in_a_line_count_and_other_languages_do_not() {
    check_tree(
        "
//- /repo/GEMINI.md
Run `npm run x1`, or `just y1`. Do not run `npm run z1`. See `make`, `make sure`.

```python
npm run a1
```

```
$ cargo test -p b1
```

```sh
git clone https://x/y && cd y
npm run c1
```

```sh
cat <<EOF
npm run d1
EOF
```
",
        expect![[r#"
            ! missing-command: /repo/GEMINI.md:1: `just` finds no justfile
            ! missing-command: /repo/GEMINI.md:1: `npm run` finds no package.json
            ! missing-command: /repo/GEMINI.md:8: `cargo test` finds no Cargo.toml
        "#]],
    );
}
