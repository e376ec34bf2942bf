//! The places of the four layers, and which of them trust allows when.

use expect_test::expect;

use super::*;

/// Something in every place that is ever looked at.
const EVERYWHERE: &str = "\
//- /home/u/.gemini/GEMINI.md
//- /home/u/.gemini/AGENTS.md
//- /home/u/.gemini/memory.md
//- /home/u/.gemini/tmp/repo/memory/GEMINI.md
//- /home/u/.gemini/tmp/repo/memory/MEMORY.md
//- /home/u/.gemini/tmp/repo/memory/note.md
//- /home/u/.gemini/tmp/other/memory/MEMORY.md
//- /home/u/.gemini/extensions/x/GEMINI.md
//- /home/u/.gemini/extensions/x/docs/x.md
//- /repo/.git/
//- /repo/GEMINI.md
//- /repo/.gemini/GEMINI.md
//- /repo/.gemini/memory/b.md
//- /repo/.gemini/memory/a.md
//- /repo/.gemini/memory/c.txt
//- /repo/.gemini/memory/deep/d.md
//- /repo/src/CLAUDE.md
";

fn everywhere() -> Look {
    let extension = |path: &str| ExtensionFile {
        path: abs("/home/u/.gemini/extensions/x").join(path),
        root: abs("/home/u/.gemini/extensions/x"),
    };
    Look::from("/repo", EVERYWHERE)
        .places(|places| places.extensions = vec![extension("docs/x.md"), extension("GEMINI.md")])
}

#[test]
fn each_layer_has_its_places() {
    everywhere().check(expect![[r#"
        root /repo
        global /home/u/.gemini/GEMINI.md
        global /home/u/.gemini/AGENTS.md
        global /home/u/.gemini/memory.md
        user_project /home/u/.gemini/tmp/repo/memory/MEMORY.md
        user_project /home/u/.gemini/tmp/repo/memory/GEMINI.md
        extension /home/u/.gemini/extensions/x/docs/x.md
        extension /home/u/.gemini/extensions/x/GEMINI.md
        user_project /repo/.gemini/memory/a.md
        user_project /repo/.gemini/memory/b.md
        project /repo/GEMINI.md
        project /repo/.gemini/GEMINI.md
        project /repo/src/CLAUDE.md
    "#]]);
}

#[test]
fn an_untrusted_project_leaves_global_and_private_memory() {
    everywhere()
        .places(|places| places.trust = Trust::Untrusted)
        .check(expect![[r#"
        root /repo
        global /home/u/.gemini/GEMINI.md
        global /home/u/.gemini/AGENTS.md
        global /home/u/.gemini/memory.md
        user_project /home/u/.gemini/tmp/repo/memory/MEMORY.md
        user_project /home/u/.gemini/tmp/repo/memory/GEMINI.md
    "#]]);
}

#[test]
fn where_nothing_is_nothing_is_found() {
    check(
        "//- /repo/",
        expect![[r#"
        root /repo
    "#]],
    );
}

#[test]
fn the_index_stands_before_the_older_file_and_both_are_read() {
    check(
        "
//- /home/u/.gemini/tmp/repo/memory/GEMINI.md
//- /home/u/.gemini/tmp/repo/memory/MEMORY.md
//- /repo/
",
        expect![[r#"
            root /repo
            user_project /home/u/.gemini/tmp/repo/memory/MEMORY.md
            user_project /home/u/.gemini/tmp/repo/memory/GEMINI.md
        "#]],
    );
}

#[test]
fn several_private_folders_are_read_in_the_order_given() {
    Look::from(
        "/repo",
        "
//- /home/u/.gemini/tmp/repo/memory/MEMORY.md
//- /home/u/.gemini/tmp/0a1b/memory/GEMINI.md
//- /repo/
",
    )
    .places(|places| places.private.push(abs("/home/u/.gemini/tmp/0a1b/memory")))
    .check(expect![[r#"
        root /repo
        user_project /home/u/.gemini/tmp/repo/memory/MEMORY.md
        user_project /home/u/.gemini/tmp/0a1b/memory/GEMINI.md
    "#]]);
}

#[test]
fn notes_kept_in_the_project_stand_in_the_order_of_their_names() {
    check(
        "
//- /repo/.gemini/memory/style.md
//- /repo/.gemini/memory/GEMINI.md
//- /repo/.gemini/memory/api.md
",
        expect![[r#"
            root /repo
            user_project /repo/.gemini/memory/GEMINI.md
            user_project /repo/.gemini/memory/api.md
            user_project /repo/.gemini/memory/style.md
        "#]],
    );
}

#[test]
fn configured_names_replace_the_usual_ones_in_every_layer() {
    Look::from(
        "/repo",
        "
//- /home/u/.gemini/GEMINI.md
//- /home/u/.gemini/RULES.md
//- /home/u/.gemini/tmp/repo/memory/RULES.md
//- /repo/GEMINI.md
//- /repo/RULES.md
//- /repo/docs/HOUSE.md
//- /repo/src/.gemini/RULES.md
",
    )
    .names(&["docs/HOUSE.md", "RULES.md"])
    .check(expect![[r#"
        root /repo
        global /home/u/.gemini/RULES.md
        user_project /home/u/.gemini/tmp/repo/memory/RULES.md
        project /repo/docs/HOUSE.md
        project /repo/RULES.md
        project /repo/src/.gemini/RULES.md
    "#]]);
}

#[test]
fn a_name_that_leads_out_of_its_directory_is_a_problem() {
    Look::from("/repo", "//- /repo/GEMINI.md\n//- /secret.md\n")
        .names(&["../secret.md", "/secret.md", "", "GEMINI.md"])
        .check(expect![[r#"
            root /repo
            project /repo/GEMINI.md
            ! unsafe-name: memory file name `../secret.md` leads out of its directory
            ! unsafe-name: memory file name `/secret.md` leads out of its directory
            ! unsafe-name: memory file name `` leads out of its directory
        "#]]);
}

#[test]
fn a_name_given_twice_counts_once() {
    Look::from(
        "/repo",
        "//- /home/u/.gemini/GEMINI.md\n//- /repo/GEMINI.md\n",
    )
    .names(&["GEMINI.md", "GEMINI.md"])
    .check(expect![[r#"
            root /repo
            global /home/u/.gemini/GEMINI.md
            project /repo/GEMINI.md
        "#]]);
}

#[test]
fn names_are_taken_without_what_leads_nowhere() {
    Look::from(
        "/repo",
        "//- /repo/GEMINI.md\n//- /repo/a..b.md\n//- /repo/docs/x.md\n",
    )
    .names(&["./GEMINI.md", "a..b.md/", "docs//x.md", "docs/../y.md"])
    .check(expect![[r#"
        root /repo
        project /repo/GEMINI.md
        project /repo/a..b.md
        project /repo/docs/x.md
        ! unsafe-name: memory file name `docs/../y.md` leads out of its directory
    "#]]);
}

#[test]
fn in_the_users_folders_their_own_names_count() {
    let own = ["GEMINI.md", "RULES.md"];
    Look::from(
        "/repo",
        "//- /repo/RULES.md\n//- /repo/GEMINI.md\n//- /home/u/.gemini/RULES.md\n//- /home/u/.gemini/GEMINI.md\n",
    )
    .names(&["RULES.md"])
    .options(|options| options.own_names = Some(own.map(str::to_owned).into()))
    .check(expect![[r#"
        root /repo
        global /home/u/.gemini/GEMINI.md
        global /home/u/.gemini/RULES.md
        project /repo/RULES.md
    "#]]);
}

#[test]
fn include_directories_come_before_the_working_directory_each_with_its_own_root() {
    Look::from(
        "/repo",
        "
//- /lib/.git/
//- /lib/GEMINI.md
//- /lib/core/GEMINI.md
//- /lib/core/deep/GEMINI.md
//- /plain/GEMINI.md
//- /repo/.git/
//- /repo/GEMINI.md
",
    )
    .places(|places| places.include = vec![abs("/lib/core").into(), abs("/plain").into()])
    .check(expect![[r#"
        root /repo
        project /lib/GEMINI.md
        project /lib/core/GEMINI.md
        project /lib/core/deep/GEMINI.md
        project /plain/GEMINI.md
        project /repo/GEMINI.md
    "#]]);
}

#[test]
fn an_include_directory_that_is_none_is_a_problem() {
    Look::from("/repo", "//- /repo/GEMINI.md\n//- /file\n")
        .places(|places| places.include = vec![abs("/gone").into(), abs("/file").into()])
        .check(expect![[r#"
            root /repo
            project /repo/GEMINI.md
            ! unlisted: /gone: cannot be listed: not found
            ! unlisted: /file: cannot be listed: not a directory
        "#]]);
}

#[test]
fn what_is_the_users_own_may_be_a_link_and_what_is_the_projects_must_stay_inside() {
    let discovered = everywhere().discover();
    for candidate in &discovered.candidates {
        let (home, import_root) = match candidate.layer {
            Layer::Global => (Home::Anywhere, abs("/home/u/.gemini")),
            Layer::Extension => {
                let root = abs("/home/u/.gemini/extensions/x");
                (Home::Below(root.clone()), root)
            }
            Layer::Private if candidate.home == Home::Anywhere => {
                (Home::Anywhere, abs("/home/u/.gemini/tmp/repo/memory"))
            }
            Layer::Private | Layer::Project => (Home::Below(abs("/repo")), abs("/repo")),
        };
        assert_eq!(
            (&candidate.home, &candidate.import_root),
            (&home, &import_root)
        );
        let is_in_project = candidate.path.is_within(&abs("/repo"));
        assert_eq!(is_in_project, candidate.home == Home::Below(abs("/repo")));
    }
}
