//! Files, lines, imports and trees of unreasonable size.

use std::fmt::Write;

use analects_memory::import::Format;
use analects_testkit::{Entry, FakeFiles, Fixture};

use super::{LOAD_LIMIT, MOUTH, Mouth, Profile, assert_well_formed, swallow};

#[test]
fn a_hundred_thousand_lines_are_cut_to_the_limit_and_said_so() {
    let swallowed = swallow("- a rule of some length\n".repeat(100_000));
    assert_eq!(swallowed.codes(), ["file-cut"]);
    assert!(
        swallowed
            .text()
            .ends_with("length\n[cut off: 524280 of 2400000 bytes loaded]\n")
    );
    assert_well_formed(&swallowed);
}

#[test]
fn a_single_line_of_ten_megabytes_is_cut_to_the_limit() {
    let swallowed = swallow("@none.md ".to_owned() + &"规".repeat(3_500_000));
    assert_eq!(swallowed.codes(), ["file-cut", "import-failed"]);
    assert!(swallowed.text().len() < 600_000);
}

#[test]
fn a_path_of_half_a_megabyte_is_a_failed_import() {
    let swallowed = swallow(format!("@{}y.md", "x/".repeat(200_000)));
    assert_eq!(swallowed.codes(), ["import-failed"]);
}

#[test]
fn many_files_stop_at_the_limit_of_a_load() {
    let fixture = (0..40).fold(Fixture::default(), |tree, i| {
        tree.file(
            &format!("/repo/d{i}/GEMINI.md"),
            format!("{i}\n").repeat(20_000),
        )
    });
    let swallowed = MOUTH.swallow(&FakeFiles::new(&fixture));
    assert!(swallowed.text().len() < LOAD_LIMIT + 100);
    let n_left_out = swallowed
        .problems
        .iter()
        .filter(|problem| problem.code.name == "load-cut")
        .count();
    assert_eq!(
        n_left_out + swallowed.loaded.len(),
        41,
        "one is cut, and both"
    );
}

/// Eight levels; every file of a level imports ten files of the next.
fn bomb(n_files_a_level: usize) -> Fixture {
    let mut fixture = Fixture::default();
    for level in 0..=8 {
        for i in 0..n_files_a_level {
            let mut text = format!("level {level} file {i}\n");
            if level < 8 {
                for import in 0..10 {
                    let next = import % n_files_a_level;
                    writeln!(text, "@/repo/l{}-{next}.md", level + 1).unwrap();
                }
            }
            let path = if level == 0 {
                "/repo/GEMINI.md".to_owned()
            } else {
                format!("/repo/l{level}-{i}.md")
            };
            fixture = fixture.file(&path, text);
            if level == 0 {
                break;
            }
        }
    }
    fixture
}

#[test]
fn an_import_bomb_is_expanded_once() {
    for (n_files_a_level, n_files) in [(1, 9), (10, 81)] {
        for profile in [Profile::Analects, Profile::Seed] {
            for format in [Format::Tree, Format::Flat] {
                let disk = FakeFiles::new(&bomb(n_files_a_level));
                let swallowed = Mouth {
                    profile,
                    format,
                    ..MOUTH
                }
                .swallow(&disk);
                assert_eq!(swallowed.text().matches("level ").count(), n_files);
                assert_eq!(disk.files_read(), n_files);
                assert_well_formed(&swallowed);
            }
        }
    }
}

#[test]
fn an_import_bomb_ends_at_the_limit_where_files_may_repeat() {
    for n_files_a_level in [1, 10] {
        for format in [Format::Tree, Format::Flat] {
            let disk = FakeFiles::new(&bomb(n_files_a_level));
            let swallowed = Mouth {
                profile: Profile::Head,
                format,
                ..MOUTH
            }
            .swallow(&disk);
            assert!(swallowed.text().len() < LOAD_LIMIT + LOAD_LIMIT / 4);
            assert!(disk.files_read() < 20_000, "{}", disk.files_read());
        }
    }
}

#[test]
fn a_file_with_countless_names_is_not_read_countless_times() {
    let mut tokens = String::new();
    for i in 0..4_000 {
        // Two links to their own directory make as many paths to a file as there are numbers.
        let path: String = (0..12)
            .map(|bit| if i >> bit & 1 == 0 { "a/" } else { "b/" })
            .collect();
        writeln!(tokens, "@{path}big.md").unwrap();
    }
    let fixture = Fixture::default()
        .with("/repo/a", Entry::Link(".".to_owned()))
        .with("/repo/b", Entry::Link(".".to_owned()))
        .file("/repo/big.md", "rule\n".repeat(20_000))
        .file("/repo/GEMINI.md", tokens);
    let disk = FakeFiles::new(&fixture);
    let swallowed = MOUTH.swallow(&disk);
    assert!(disk.files_read() < 200, "{}", disk.files_read());
    assert!(swallowed.text().contains("the memory limit is used up"));
}

#[test]
fn a_hundred_thousand_failing_imports_are_told_in_few_words() {
    let tokens = |n: usize| {
        (0..n)
            .map(|i| format!("@n{}.md ", i % 5_000))
            .collect::<String>()
    };
    let mouth = Mouth {
        file_limit: 4 * LOAD_LIMIT,
        load_limit: 4 * LOAD_LIMIT,
        ..MOUTH
    };
    for (format, n) in [(Format::Tree, 100_000), (Format::Flat, 20_000)] {
        let tokens = tokens(n);
        let disk = FakeFiles::new(&Fixture::default().file("/repo/GEMINI.md", &tokens));
        let swallowed = Mouth { format, ..mouth }.swallow(&disk);
        assert_eq!(disk.files_read(), 5_001);
        assert_eq!(swallowed.problems.len(), 51);
        let message = format!("{} more imports of this file did not load", n - 50);
        assert_eq!(swallowed.problems[50].message, message);
        assert!(swallowed.text().len() < 12 * tokens.len());
    }
}

#[test]
fn a_chain_of_ten_thousand_files_does_not_exhaust_the_stack() {
    let n_files = 10_000;
    let fixture = (0..n_files).fold(Fixture::default(), |tree, i| {
        tree.file(
            &format!("/repo/c/{}/n{i}.md", i / 100),
            format!("{i} @/repo/c/{}/n{}.md", (i + 1) / 100, i + 1),
        )
    });
    let fixture = fixture.file("/repo/GEMINI.md", "@/repo/c/0/n0.md");
    for format in [Format::Tree, Format::Flat] {
        let swallowed = Mouth { format, ..MOUTH }.swallow(&FakeFiles::new(&fixture));
        assert_eq!(swallowed.codes(), ["import-failed"]);
    }
}

#[test]
fn an_ignore_file_of_a_quarter_megabyte_is_obeyed() {
    let rules: String = (0..5_000)
        .map(|i| format!("generated-{i}/**/*.tmp\n"))
        .collect();
    let fixture = Fixture::default()
        .file("/repo/.geminiignore", rules + "secret/\n")
        .file("/repo/secret/GEMINI.md", "no")
        .file("/repo/open/GEMINI.md", "yes");
    let swallowed = MOUTH.swallow(&FakeFiles::new(&fixture));
    assert_eq!(swallowed.text(), "yes");
}
