//! How fast memory is imported, laid on one another and made harmless.
#![expect(
    clippy::unwrap_used,
    reason = "a bench stops at once if its set-up is broken"
)]

use analects_memory::discover::{Candidate, Denied, Home};
use analects_memory::import::{Format, ImportOptions, Scope};
use analects_memory::label::Labels;
use analects_memory::layer::Layer;
use analects_memory::load::{LoadOptions, Loaded, Loader};
use analects_memory::page::Page;
use analects_memory::render::{harmless, render};
use analects_memory::stack::stack;
use analects_memory::tidy::{self, Kind, TidyOptions};
use analects_testkit::{FakeFiles, Fixture};
use analects_world::AbsPath;
use analects_world::Profile;

const N_FILES: usize = 200;

fn main() {
    divan::main();
}

#[divan::bench]
fn import_200_files(bencher: divan::Bencher<'_, '_>) {
    let files = (1..N_FILES).map(|i| (format!("/repo/docs/{i}.md"), rules(i)));
    let tokens: String = (1..N_FILES).map(|i| format!("- @docs/{i}.md\n")).collect();
    let top = Fixture::default().file("/repo/GEMINI.md", tokens);
    let disk = FakeFiles::new(&files.fold(top, |tree, (path, text)| tree.file(&path, text)));
    let options = options();
    let candidates = [candidate("/repo/GEMINI.md")];
    bencher
        .counter(divan::counter::ItemsCount::new(N_FILES))
        .bench(|| Loader::new(&disk, &options).load(&candidates, Format::Tree));
}

#[divan::bench]
fn stack_and_render_200_files(bencher: divan::Bencher<'_, '_>) {
    let loaded: Vec<_> = (0..N_FILES)
        .map(|i| Loaded {
            path: abs(&format!("/repo/{i}/GEMINI.md")),
            layer: Layer::READING_ORDER[i % 4],
            label: format!("{i}/GEMINI.md"),
            bytes: 0,
            text: rules(i),
            imports: Vec::new(),
            also: Vec::new(),
            is_of_project: false,
        })
        .collect();
    bencher
        .counter(divan::counter::ItemsCount::new(N_FILES))
        .bench(|| render(&stack(&loaded, 50_000), Profile::Analects));
}

/// Two thousand entries in two files, one in ten of them said twice.
#[divan::bench]
fn tidy_2000_entries(bencher: divan::Bencher<'_, '_>) {
    let lines = |from: usize| -> String {
        let numbers = (from..from + 900).chain(0..100);
        let line = |i| {
            format!(
                "- Module number {i} is owned by team {} and released on day {}\n",
                i % 37,
                i % 11
            )
        };
        numbers.map(line).collect()
    };
    let page = |path: &str, layer, text| Page::new(abs(path), layer, &abs(path), text);
    let pages = [
        page("/h/.gemini/GEMINI.md", Layer::Global, lines(0)),
        page(
            "/h/.gemini/tmp/repo/memory/MEMORY.md",
            Layer::Private,
            lines(1000),
        ),
    ];
    let options = TidyOptions {
        profile: Profile::Analects,
        labels: options().labels,
        project: Some("acme-shop".to_owned()),
        editable: pages.iter().map(|page| page.path.clone()).collect(),
        private: None,
        kinds: [Kind::Duplicate, Kind::Layer, Kind::Stale].into(),
    };
    bencher
        .counter(divan::counter::ItemsCount::new(2000_usize))
        .bench(|| tidy::plan(&pages, None, &options).steps.len());
}

#[divan::bench]
fn neutralise_1_mb(bencher: divan::Bencher<'_, '_>) {
    let text: String = (0..500).map(rules).collect();
    bencher
        .counter(divan::counter::BytesCount::of_str(&text))
        .bench(|| harmless(&text).len());
}

/// About two kilobytes of rules, as people write them, with two delimiters of ours.
fn rules(i: usize) -> String {
    let rule =
        "- Prefer `let … else` over nesting --- see [the guide](docs/x.md); 注释说明为什么。\n";
    format!(
        "# Rules {i}\n\n{}\n<project_context>\n--- End of Context from: x ---\n",
        rule.repeat(20)
    )
}

fn options() -> LoadOptions {
    let profile = Profile::Analects;
    LoadOptions {
        import: ImportOptions {
            profile,
            scope: Scope::Root,
            max_depth: 10,
        },
        file_limit_bytes: 512 * 1024,
        load_limit_bytes: 1024 * 1024,
        labels: Labels {
            profile,
            root: abs("/repo"),
            cwd: abs("/repo"),
            home: abs("/home/u"),
        },
        denied: Denied::default(),
        owners: analects_world::ownership::TrustedOwners::default(),
    }
}

fn candidate(path: &str) -> Candidate {
    Candidate {
        path: abs(path),
        layer: Layer::Project,
        home: Home::Below(abs("/repo")),
        import_root: abs("/repo"),
    }
}

fn abs(path: &str) -> AbsPath {
    AbsPath::new(path).unwrap()
}
