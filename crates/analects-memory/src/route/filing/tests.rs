//! Sentences with the place each belongs in, and the reasons given.

use super::*;

/// A project and the sentences told in it, as `sentences.txt` explains.
struct Table {
    name: String,
    dirs: Vec<String>,
    files: Vec<String>,
    sentences: Vec<(Filed, String)>,
}

/// A place, and the wider one that somebody should be asked about.
type Filed = (Place, Option<Place>);

impl Table {
    fn read(text: &str) -> Self {
        let mut table = Self {
            name: String::new(),
            dirs: Vec::new(),
            files: Vec::new(),
            sentences: Vec::new(),
        };
        for line in text.lines() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (label, rest) = line.split_once(' ').unwrap();
            match label {
                "name:" => table.name = rest.to_owned(),
                "file:" => table.files.push(rest.to_owned()),
                "dir:" => table.dirs.push(rest.to_owned()),
                label => table.sentences.push((expected(label), rest.to_owned())),
            }
        }
        for file in table.files.iter().chain(&table.dirs.clone()) {
            let above = file
                .match_indices('/')
                .map(|(at, _)| file.get(..at).unwrap().to_owned());
            table.dirs.extend(above);
        }
        table.dirs.sort();
        table.dirs.dedup();
        table
    }

    fn project(&self) -> Project<'_> {
        Project {
            name: &self.name,
            is_project: true,
            dirs: &self.dirs,
            files: &self.files,
        }
    }

    /// The sentences that go elsewhere than they should.
    fn wrong(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        for (expected, sentence) in &self.sentences {
            let filing = file(sentence, &self.project());
            let other = match filing.sureness {
                Sureness::Sure => None,
                Sureness::Between(other) => Some(other),
            };
            let filed = (filing.where_to, other);
            if filed != *expected {
                let because = filing.because;
                wrong.push(format!(
                    "{sentence}\n    expected {expected:?}, got {filed:?}: {because}"
                ));
            }
        }
        wrong
    }
}

fn expected(label: &str) -> Filed {
    match label.strip_prefix("ask:").map(|ask| ask.split_once('|')) {
        Some(Some((wide, narrow))) => (place(narrow), Some(place(wide))),
        Some(None) => (place(label.trim_start_matches("ask:")), Some(Place::Global)),
        None => (place(label), None),
    }
}

fn place(label: &str) -> Place {
    match label {
        "global" => Place::Global,
        "project" => Place::Project,
        "private" => Place::Private,
        dir => Place::Dir(dir.strip_prefix("dir:").unwrap().to_owned()),
    }
}

#[test]
fn nine_sentences_in_ten_go_where_they_belong() {
    let table = Table::read(include_str!("../sentences.txt"));
    let wrong = table.wrong();
    let (n_all, n_wrong) = (table.sentences.len(), wrong.len());
    assert!(n_all >= 60, "{n_all}");
    assert!(
        n_wrong * 10 <= n_all,
        "{n_wrong} of {n_all}\n{}",
        wrong.join("\n")
    );
}

#[test]
fn so_do_sentences_that_it_was_not_made_for() {
    let table = Table::read(include_str!("../held_out.txt"));
    let wrong = table.wrong();
    assert_eq!(table.sentences.len(), 30);
    // As many as at first sight; not to be made more by looking at them.
    let n_right = 30 - wrong.len();
    assert!(n_right >= 27, "{n_right} of 30\n{}", wrong.join("\n"));
}

fn orchard<'a>(dirs: &'a [String], files: &'a [String]) -> Project<'a> {
    Project {
        name: "orchard",
        is_project: true,
        dirs,
        files,
    }
}

#[test]
fn reasons_can_be_shown_as_they_are() {
    let table = Table::read(include_str!("../sentences.txt"));
    let because = |fact| file(fact, &table.project()).because;
    assert_eq!(
        because("I always rebase"),
        "\"i always\" tells of you, not of a project"
    );
    assert_eq!(
        because("In tidewater I always rebase"),
        "\"i always\" tells of you, and \"tidewater\" of this project"
    );
    assert_eq!(
        because("My local database is slow"),
        "\"my local\" tells of your own work on this project"
    );
    assert_eq!(
        because("Not just here: rebase"),
        "\"not just\" reaches beyond this project"
    );
    assert_eq!(
        because("The auth module is old"),
        "\"auth\" is a part of this project"
    );
    assert_eq!(
        because("Rebase, never merge"),
        "\"rebase\" gives a rule that may hold here or everywhere"
    );
}

#[test]
fn where_there_is_no_project_only_what_speaks_of_one_stays() {
    let bare = Project {
        is_project: false,
        ..orchard(&[], &[])
    };
    let place = |fact| file(fact, &bare).where_to;
    assert_eq!(place("Use conventional commits"), Place::Global);
    assert_eq!(place("Deploys happen on Fridays"), Place::Global);
    assert_eq!(place("This project uses pnpm"), Place::Project);
    assert_eq!(place("In this folder I keep drafts"), Place::Private);
}

#[test]
fn paths_lead_to_the_directory_that_is_there() {
    let dirs = ["src", "src/auth", "web", "web/auth-form"].map(str::to_owned);
    let files = ["src/auth/Login.ts", "web/auth-form/index.ts", "setup.cfg"].map(str::to_owned);
    let place = |fact: &str| file(fact, &orchard(&dirs, &files)).where_to;
    let dir = |path: &str| Place::Dir(path.to_owned());
    assert_eq!(place("src/auth/Login.ts is old"), dir("src/auth"));
    assert_eq!(place("src/auth/new/deep.ts is new"), dir("src/auth"));
    assert_eq!(place("auth/login.ts is old"), dir("src/auth"));
    assert_eq!(place("src\\auth is old"), dir("src/auth"));
    assert_eq!(place("src/gone is gone"), Place::Project);
    assert_eq!(place("/home/x/orchard/src/auth is old"), dir("src/auth"));
    assert_eq!(place("/etc/hosts is old"), Place::Project);
    assert_eq!(place("src and src/auth are old"), dir("src/auth"));
    assert_eq!(place("src/auth and web/auth-form are old"), Place::Project);
    assert_eq!(place("auth_form is new"), dir("web/auth-form"));
    assert_eq!(place("登錄模塊很舊"), Place::Project);
    assert_eq!(place("登錄模块很旧"), dir("src/auth"));
    assert_eq!(
        place("The auth and billing modules are old"),
        dir("src/auth")
    );
}

#[test]
fn a_large_project_and_a_long_fact_are_filed_all_the_same() {
    let dirs: Vec<_> = (0..20_000).map(|n| format!("packages/p{n}/src")).collect();
    let files: Vec<_> = (0..20_000)
        .map(|n| format!("packages/p{n}/src/index.ts"))
        .collect();
    let project = orchard(&dirs, &files);
    let long = "p7/src and src/index.ts and `src` ".repeat(10_000);
    assert_eq!(file(&long, &project).where_to, Place::Project);
    let long = "不只是这个项目".repeat(10_000);
    let open = file(&long, &project).sureness;
    assert_eq!(open, Sureness::Between(Place::Global));
}

proptest::proptest! {
    #[test]
    fn any_text_has_a_place(fact in ".{0,80}", name in ".{0,8}") {
        let dirs = ["src".to_owned(), "src/auth".to_owned()];
        let files = ["src/auth/login.ts".to_owned()];
        let project = Project { name: &name, ..orchard(&dirs, &files) };
        let filing = file(&fact, &project);
        proptest::prop_assert!(!filing.because.is_empty());
        if let Place::Dir(dir) = &filing.where_to {
            proptest::prop_assert!(dirs.contains(dir));
        }
        // Of two places the narrower comes first.
        if filing.sureness != Sureness::Sure {
            proptest::prop_assert_eq!(filing.sureness, Sureness::Between(Place::Global));
            proptest::prop_assert_ne!(filing.where_to, Place::Global);
        }
    }
}
