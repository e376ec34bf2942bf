//! Memory that needs tidying, and memory that only looks like it.
//!
//! Every `GEMINI.md`, `AGENTS.md` and private note of a tree is a page. What is shown: the reasons of all
//! steps, the notes, and the files as they are once every step is taken.

mod laws;
mod rewriting;

use std::fmt::Write;
use std::rc::Rc;

use analects_testkit::{Entry as FileEntry, FakeFiles, Fixture};
use expect_test::{Expect, expect};

use super::*;
use crate::check::{SurveyOptions, survey};
use crate::discover::{IgnoreOptions, IgnoreScope};
use crate::layer::Layer;

const PRIVATE: &str = "/h/.gemini/tmp/shop/memory/MEMORY.md";

/// A tree, and what tidying makes of it.
struct Look {
    disk: Rc<FakeFiles>,
    pages: Vec<Page>,
    survey: Rc<Survey>,
    options: TidyOptions,
}

impl Look {
    fn at(tree: &str) -> Self {
        let fixture = Fixture::parse(tree);
        let disk = FakeFiles::new(&fixture);
        let pages: Vec<_> = fixture
            .entries
            .iter()
            .filter_map(|(path, entry)| match entry {
                FileEntry::File(bytes) => page(path, &String::from_utf8_lossy(bytes)),
                _ => None,
            })
            .collect();
        Self {
            survey: Rc::new(surveyed(&disk)),
            options: options(&pages),
            disk: Rc::new(disk),
            pages,
        }
    }

    fn plan(&self) -> Plan {
        let ground = Ground {
            files: &*self.disk,
            survey: &self.survey,
        };
        plan(&self.pages, Some(ground), &self.options)
    }

    /// The pages after some of the steps.
    fn after(&self, steps: &[Step], taken: &[bool]) -> Vec<Page> {
        let applied = apply(&self.pages, steps, taken);
        // A step that needs another one to be read as it should is left, as a whole.
        let is_all = taken.iter().all(|taken| *taken);
        assert!(
            !is_all || applied.left.is_empty(),
            "all that is offered can be taken"
        );
        let mut pages = self.pages.clone();
        for (path, text) in applied.texts {
            match pages.iter_mut().find(|page| page.path == path) {
                Some(page) => page.text = text,
                None => pages.push(page(path.as_str(), &text).unwrap()),
            }
        }
        pages
    }

    fn check(&self, expected: Expect) {
        let plan = self.plan();
        let mut shown = String::new();
        for step in &plan.steps {
            writeln!(shown, "* {}", step.reason).unwrap();
        }
        for note in &plan.notes {
            writeln!(shown, "! {}: {note}", note.code.name).unwrap();
        }
        let after = self.after(&plan.steps, &vec![true; plan.steps.len()]);
        for page in &after {
            let before = self.pages.iter().find(|before| before.path == page.path);
            if before.is_none_or(|before| before.text != page.text) {
                write!(shown, "--- {}\n{}", page.path, page.text).unwrap();
            }
        }
        expected.assert_eq(&shown);
        assert_eq!(self.with(after).plan().steps, [], "what was tidied is tidy");
    }

    /// The same project with other pages.
    fn with(&self, pages: Vec<Page>) -> Self {
        Self {
            disk: Rc::clone(&self.disk),
            survey: Rc::clone(&self.survey),
            options: options(&pages),
            pages,
        }
    }
}

fn surveyed(disk: &FakeFiles) -> Survey {
    let options = SurveyOptions {
        root: abs("/shop"),
        cwd: abs("/shop"),
        names: vec!["GEMINI.md".to_owned(), "AGENTS.md".to_owned()],
        markers: vec![".git".to_owned()],
        ignore: IgnoreOptions {
            git: false,
            gemini: true,
            custom: Vec::new(),
            scope: IgnoreScope::FromRoot,
        },
        max_dirs: 1000,
    };
    survey(disk, &options)
}

fn options(pages: &[Page]) -> TidyOptions {
    let ours = pages.iter().filter(|page| page.layer != Layer::Extension);
    TidyOptions {
        profile: Profile::Analects,
        labels: Labels {
            profile: Profile::Analects,
            root: abs("/shop"),
            cwd: abs("/shop"),
            home: abs("/h"),
        },
        project: Some("acme-shop".to_owned()),
        editable: ours.map(|page| page.path.clone()).collect(),
        private: Some(Shelf {
            path: abs(PRIVATE),
            style: Style::Plain,
        }),
        kinds: [Kind::Duplicate, Kind::Layer, Kind::Stale].into(),
    }
}

fn page(path: &str, text: &str) -> Option<Page> {
    let path = abs(path);
    let layer = match path.as_str() {
        it if it.starts_with("/h/.gemini/tmp/") => Layer::Private,
        it if it.starts_with("/h/.gemini/extensions/") => Layer::Extension,
        it if it.starts_with("/h/.gemini/") => Layer::Global,
        _ => Layer::Project,
    };
    let is_memory = matches!(path.file_name(), "GEMINI.md" | "AGENTS.md");
    let is_page = is_memory || (layer == Layer::Private && path.as_str().ends_with(".md"));
    is_page.then(|| Page::new(path.clone(), layer, &path, text.to_owned()))
}

fn abs(path: &str) -> AbsPath {
    AbsPath::new(path).unwrap()
}

fn check(tree: &str, expected: Expect) {
    Look::at(tree).check(expected);
}

#[test]
fn what_a_file_says_twice_is_said_once() {
    check(
        "
//- /h/.gemini/GEMINI.md
# Me

- I like tea
- Answer in English

## Go
- Use tabs

## Python
- Use tabs
- I like **tea**.
- Never commit without running the whole test suite first

## Gemini Added Memories
- i like tea
* never commit without running the whole test suite first.
",
        expect![[r#"
            * remove "i like tea" from ~/.gemini/GEMINI.md:15: line 3 says the same
            * remove "never commit without running the whole test suit…" from ~/.gemini/GEMINI.md:16: line 12 says the same
            --- /h/.gemini/GEMINI.md
            # Me

            - I like tea
            - Answer in English

            ## Go
            - Use tabs

            ## Python
            - Use tabs
            - I like **tea**.
            - Never commit without running the whole test suite first

            ## Gemini Added Memories
        "#]],
    );
}

#[test]
fn of_those_who_say_the_same_the_one_that_everybody_hears_stays() {
    check(
        "
//- /h/.gemini/GEMINI.md
- I like tea
- Tests need the database
//- /shop/.git/
//- /shop/GEMINI.md
- Deploy on Fridays only
- I like tea
//- /shop/AGENTS.md
- Deploy on Fridays only
//- /shop/api/GEMINI.md
- Deploy on Fridays only
- Version the API
//- /h/.gemini/tmp/shop/memory/MEMORY.md
- Tests need the database
- Version the API
- deploy on fridays only
- Ask Kim about the schema
//- /h/.gemini/tmp/shop/memory/schema.md
- Ask Kim about the schema
//- /h/.gemini/extensions/x/GEMINI.md
- I like tea
- I like tea
",
        expect![[r#"
            * remove "Deploy on Fridays only" from api/GEMINI.md:1: GEMINI.md:1 says the same
            * remove "Tests need the database" from ~/.gemini/tmp/shop/memory/MEMORY.md:1: ~/.gemini/GEMINI.md:2 says the same
            * remove "deploy on fridays only" from ~/.gemini/tmp/shop/memory/MEMORY.md:3: GEMINI.md:1 says the same
            * remove "Ask Kim about the schema" from ~/.gemini/tmp/shop/memory/schema.md:1: ~/.gemini/tmp/shop/memory/MEMORY.md:4 says the same
            ! repeated-line: /shop/AGENTS.md:1: says the same as GEMINI.md:1, but others hear it: both stay
            ! repeated-line: /shop/GEMINI.md:2: says the same as ~/.gemini/GEMINI.md:1, but others hear it: both stay
            ! repeated-line: /h/.gemini/tmp/shop/memory/MEMORY.md:2: says the same as api/GEMINI.md:2, but others hear it: both stay
            --- /shop/api/GEMINI.md
            - Version the API
            --- /h/.gemini/tmp/shop/memory/MEMORY.md
            - Version the API
            - Ask Kim about the schema
            --- /h/.gemini/tmp/shop/memory/schema.md
        "#]],
    );
}

#[test]
fn near_duplicates_are_merged_only_if_one_says_all_of_the_other() {
    check(
        "
//- /h/.gemini/GEMINI.md
- Before each commit, run the whole test suite with `cargo test`
- Run the whole test suite with `cargo test` before each commit
- The review of a pull request takes about two working days at most
- The review of a pull request takes two working days at most
- Use port 8081 for the test server
- Use port 8082 for the test server
- Always use tabs
- Never use tabs

Never:
- Use semicolons in TypeScript

Always:
- Use semicolons in TypeScript
",
        expect![[r#"
            * remove "Run the whole test suite with `cargo test` befor…" from ~/.gemini/GEMINI.md:2: line 1 says as much: "Before each commit, run the whole test suite wit…"
            * remove "The review of a pull request takes two working d…" from ~/.gemini/GEMINI.md:4: line 3 says as much: "The review of a pull request takes about two wor…"
            --- /h/.gemini/GEMINI.md
            - Before each commit, run the whole test suite with `cargo test`
            - The review of a pull request takes about two working days at most
            - Use port 8081 for the test server
            - Use port 8082 for the test server
            - Always use tabs
            - Never use tabs

            Never:
            - Use semicolons in TypeScript

            Always:
            - Use semicolons in TypeScript
        "#]],
    );
}

#[test]
fn what_names_the_project_goes_from_global_memory_to_the_private_notes() {
    check(
        "
//- /h/.gemini/GEMINI.md
- I like tea
- acme-shop needs Node 22
- The tests of acme-shop
  take an hour
- acme-shop uses pnpm
- acme-shop starts in `src/old.rs`
- acme-shop is deployed from main
  - never on Fridays
- Do not forget <!-- acme-shop --> acme-shop
- This project uses Bazel

Never:
- push acme-shop by force
//- /shop/.git/
//- /shop/src/main.rs
//- /h/.gemini/tmp/shop/memory/MEMORY.md
Notes.
- acme-shop uses pnpm
",
        expect![[r#"
            * move "acme-shop needs Node 22" from ~/.gemini/GEMINI.md:2 to ~/.gemini/tmp/shop/memory/MEMORY.md: it is about this project, and all of them hear it there
            * move "The tests of acme-shop take an hour" from ~/.gemini/GEMINI.md:3 to ~/.gemini/tmp/shop/memory/MEMORY.md: it is about this project, and all of them hear it there
            * remove "acme-shop uses pnpm" from ~/.gemini/GEMINI.md:5: ~/.gemini/tmp/shop/memory/MEMORY.md:2 says the same
            * move "acme-shop starts in `src/old.rs`" from ~/.gemini/GEMINI.md:6 to ~/.gemini/tmp/shop/memory/MEMORY.md: it is about this project, and all of them hear it there
            ! wrong-scope: /h/.gemini/GEMINI.md:13: `acme-shop` is this project, and this is memory for all; it cannot be moved as it stands
            --- /h/.gemini/GEMINI.md
            - I like tea
            - acme-shop is deployed from main
              - never on Fridays
            - Do not forget <!-- acme-shop --> acme-shop
            - This project uses Bazel

            Never:
            - push acme-shop by force
            --- /h/.gemini/tmp/shop/memory/MEMORY.md
            Notes.
            - acme-shop uses pnpm
            - acme-shop needs Node 22
            - The tests of acme-shop take an hour
            - acme-shop starts in `src/old.rs` (stale: src/old.rs is gone)
        "#]],
    );
}

#[test]
fn what_is_gone_is_marked_until_it_is_back() {
    check(
        "
//- /shop/.git/
//- /shop/package.json
{\"scripts\": {\"test\": \"x\"}}
//- /shop/src/main.rs
//- /shop/GEMINI.md
Start in `src/prose.rs`.

- Start in `src/old.rs`.
- Start in `src/main.rs` (stale: src/main.rs is gone)
- See `src/a.rs`, `src/b.rs`, `src/c.rs` and `src/d.rs`
- Run `npm run lint` and `npm run test`
- Structure:
  - `src/gone.rs`: what was
    there
  - `src/main.rs`: the rest

    See `src/para.rs`.
1. Open `src/first.rs`
- Old `src/x.rs` (stale: src/y.rs is gone)
- Mine (stale: ask Kim)

```
- `src/code.rs`
```
> - `src/quote.rs`
//- /h/.gemini/tmp/shop/memory/MEMORY.md
- Deploying: [deploying](deploying.md), [schema](schema.md)
//- /h/.gemini/tmp/shop/memory/schema.md
Nothing.
//- /h/.gemini/GEMINI.md
- See `src/none.rs` and [rules](./rules.md)
- Kept (stale: src/z.rs is gone)
",
        expect![[r#"
            * mark "Start in `src/old.rs`." in GEMINI.md:3: src/old.rs is gone
            * unmark "Start in `src/main.rs`" in GEMINI.md:4: nothing that it names is gone
            * mark "See `src/a.rs`, `src/b.rs`, `src/c.rs` and `src/…" in GEMINI.md:5: src/a.rs and 3 more are gone
            * mark "Run `npm run lint` and `npm run test`" in GEMINI.md:6: npm run lint is gone
            * mark "`src/gone.rs`: what was there" in GEMINI.md:8: src/gone.rs is gone
            * mark "Open `src/first.rs`" in GEMINI.md:13: src/first.rs is gone
            * unmark "Old `src/x.rs`" in GEMINI.md:14: nothing that it names is gone
            * mark "Deploying: [deploying](deploying.md), [schema](s…" in ~/.gemini/tmp/shop/memory/MEMORY.md:1: deploying.md is gone
            * mark "See `src/none.rs` and [rules](./rules.md)" in ~/.gemini/GEMINI.md:1: ./rules.md is gone
            --- /shop/GEMINI.md
            Start in `src/prose.rs`.

            - Start in `src/old.rs`. (stale: src/old.rs is gone)
            - Start in `src/main.rs`
            - See `src/a.rs`, `src/b.rs`, `src/c.rs` and `src/d.rs` (stale: src/a.rs, src/b.rs, src/c.rs and 1 more are gone)
            - Run `npm run lint` and `npm run test` (stale: npm run lint is gone)
            - Structure:
              - `src/gone.rs`: what was
                there (stale: src/gone.rs is gone)
              - `src/main.rs`: the rest

                See `src/para.rs`.
            1. Open `src/first.rs` (stale: src/first.rs is gone)
            - Old `src/x.rs`
            - Mine (stale: ask Kim)

            ```
            - `src/code.rs`
            ```
            > - `src/quote.rs`
            --- /h/.gemini/tmp/shop/memory/MEMORY.md
            - Deploying: [deploying](deploying.md), [schema](schema.md) (stale: deploying.md is gone)
            --- /h/.gemini/GEMINI.md
            - See `src/none.rs` and [rules](./rules.md) (stale: ./rules.md is gone)
            - Kept (stale: src/z.rs is gone)
        "#]],
    );
}

#[test]
fn what_is_no_plain_item_is_left_alone() {
    check(
        "
//- /h/.gemini/GEMINI.md
- Use tabs everywhere
- @./style.md
- @./style.md
- Use tabs everywhere <!-- why -->
- Use tabs everywhere
  - also here
1. Use tabs everywhere
2. Use tabs everywhere
- Tools:
- Tools:
- `cargo test`
- `cargo test`
> - Use tabs everywhere

Use tabs everywhere

    - Use tabs everywhere
",
        expect![],
    );
}

#[test]
fn what_only_some_want_is_only_planned_for_them() {
    let mut look = Look::at(
        "
//- /h/.gemini/GEMINI.md
- I like tea
- I like tea
- acme-shop needs Node 22
//- /shop/GEMINI.md
- Start in `src/old.rs`
",
    );
    for kind in [Kind::Duplicate, Kind::Layer, Kind::Stale] {
        look.options.kinds = [kind].into();
        let kinds: Vec<_> = look.plan().steps.iter().map(|step| step.kind).collect();
        assert_eq!(kinds, [kind]);
    }
    look.options.kinds = [Kind::Duplicate, Kind::Layer, Kind::Stale].into();
    look.options.editable.clear();
    assert_eq!(look.plan().steps, []);
}

#[test]
fn line_ends_blanks_and_a_missing_last_line_end_stay() {
    let text = "# A\r\n\r\n- I like tea\r\n\r\n- I like tea\r\n\r\ntail without an end";
    let pages = [page("/h/.gemini/GEMINI.md", text).unwrap()];
    let plan = plan(&pages, None, &options(&pages));
    let applied = apply(&pages, &plan.steps, &[true]);
    let new: Vec<_> = applied.texts.into_values().collect();
    assert_eq!(new, ["# A\r\n\r\n- I like tea\r\n\r\ntail without an end"]);
    // A line end that only some programs know is one, too.
    let pages = [page("/h/.gemini/GEMINI.md", "- I like tea\r- I like tea\r").unwrap()];
    let plan = super::plan(&pages, None, &options(&pages));
    let applied = apply(&pages, &plan.steps, &[true]);
    let new: Vec<_> = applied.texts.into_values().collect();
    assert_eq!(new, ["- I like tea\r"]);
}

#[test]
fn a_heap_of_copies_is_tidied_in_steps_of_bounded_number() {
    let copies = "- I like tea\n- acme-shop needs `src/old.rs`\n".repeat(1100);
    let look = Look::at(&format!("//- /h/.gemini/GEMINI.md\n{copies}"));
    let plan = look.plan();
    assert_eq!(plan.steps.len(), MAX_STEPS);
    let after = look.after(&plan.steps, &vec![true; MAX_STEPS]);
    assert_eq!(look.with(after).plan().steps.len(), MAX_STEPS);
}
