//! Paths that lead nowhere.

use expect_test::expect;

use super::*;

const TREE: &str = "
//- /repo/.git/
//- /repo/.gitignore
/generated/
.env.local
//- /repo/src/main.rs
//- /repo/src/api/users.rs
//- /repo/docs/style.md
//- /repo/packages/web/src/Button.tsx
//- /repo/packages/web/GEMINI.md
Buttons: `src/Button.tsx`, `src/Link.tsx`, `docs/style.md`, [ok](../../docs/style.md), [no](../../docs/no.md).
//- /repo/GEMINI.md
";

#[test]
fn a_path_is_missing_if_nothing_in_the_project_ends_like_it() {
    let pages = "
- Start: `src/main.rs`, `./src/api/`, `api/users.rs:12`, `web/src/Button.tsx`, `src/Button.tsx`
- Gone: `src/old.rs`, `docs/gone.md#top`, [guide](docs/guide.md), [root](LICENSE.txt)
- Gone: `STYLE.md`, ![picture](./docs/a.png), `src/api/v2/`, `packages/web/src/old/list.ts:3`
";
    check_tree(
        &format!("{TREE}{pages}"),
        expect![[r#"
            ! missing-file: /repo/GEMINI.md:3: `LICENSE.txt` does not exist
            ! missing-file: /repo/GEMINI.md:3: `docs/gone.md` does not exist
            ! missing-file: /repo/GEMINI.md:3: `docs/guide.md` does not exist
            ! missing-file: /repo/GEMINI.md:3: `src/old.rs` does not exist
            ! missing-file: /repo/GEMINI.md:4: `./docs/a.png` does not exist
            ! missing-file: /repo/GEMINI.md:4: `STYLE.md` does not exist
            ! missing-file: /repo/GEMINI.md:4: `packages/web/src/old/list.ts` does not exist
            ! missing-file: /repo/GEMINI.md:4: `src/api/v2/` does not exist
            ! missing-file: /repo/packages/web/GEMINI.md:1: `../../docs/no.md` does not exist
            ! missing-file: /repo/packages/web/GEMINI.md:1: `src/Link.tsx` does not exist
        "#]],
    );
}

#[test]
fn what_is_made_meant_or_elsewhere_is_no_path_of_ours() {
    let pages = "
- `generated/api/x.ts`, `src/.env.local`, `dist/a.js`, `target/debug/x.d`, `src/*.rs`, `src/<name>.rs`
- `lib/unknown.Z`, `old-dir/`, `old/dir/`, `Array/map.call`, see the docs repo for `content/x1.md`, `~/x/y.md`, `/etc/hosts.conf`, `../other/x.md`
- Create a new file `src/new.rs`. If present, `docs/local.md` counts, e.g. `docs/me.md`.
- Do not use `src/legacy.rs`.

```
src/
  ghost.rs
```

<!-- `src/comment.rs` -->
";
    check_tree(
        &format!("{TREE}{pages}"),
        expect![[r#"
            ! missing-file: /repo/packages/web/GEMINI.md:1: `../../docs/no.md` does not exist
            ! missing-file: /repo/packages/web/GEMINI.md:1: `src/Link.tsx` does not exist
        "#]],
    );
}

#[test]
fn global_memory_speaks_of_other_projects_private_notes_of_this_one() {
    check_tree(
        "
//- /home/u/.gemini/GEMINI.md
See `src/a.rs`.
//- /home/u/.gemini/tmp/repo/memory/MEMORY.md
See `src/b.rs`, [notes](ports.md), [more](hosts.md).
//- /home/u/.gemini/tmp/repo/memory/ports.md
8080 is taken.
//- /repo/src/main.rs
",
        expect![[r#"
            ! missing-file: /home/u/.gemini/tmp/repo/memory/MEMORY.md:1: `hosts.md` does not exist
            ! missing-file: /home/u/.gemini/tmp/repo/memory/MEMORY.md:1: `src/b.rs` does not exist
        "#]],
    );
}

#[test]
fn a_walk_that_was_cut_knows_too_little_to_judge() {
    let mut look = Look::at("//- /repo/GEMINI.md\n`src/a.rs`, `make x`\n//- /repo/src/x/\n");
    look.survey.max_dirs = 2;
    look.check(expect![""]);
}

#[test]
fn without_a_survey_nothing_is_asked_of_the_project() {
    let look = Look::at("//- /repo/GEMINI.md\n`src/a.rs`\n//- /repo/src/x/\n");
    let findings = check(&look.disk, None, &look.pages, Vec::new(), &look.options);
    assert_eq!(findings, []);
    assert_eq!(look.disk.dirs_listed(), 0);
}

#[test]
fn a_script_that_is_gone_is_told_once_and_what_is_announced_not_at_all() {
    let pages = "Run `./nope.sh` first.\n\nWe will add `docs/later.md`.\n";
    check_tree(
        &format!("{TREE}{pages}"),
        expect![[r#"
        ! missing-command: /repo/GEMINI.md:1: `./nope.sh` does not exist
        ! missing-file: /repo/packages/web/GEMINI.md:1: `../../docs/no.md` does not exist
        ! missing-file: /repo/packages/web/GEMINI.md:1: `src/Link.tsx` does not exist
    "#]],
    );
}
