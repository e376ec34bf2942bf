//! Any graph of files that import one another.

use proptest::prelude::*;

use super::*;

const N_FILES: usize = 8;

/// For each file, the files it imports.
fn graph() -> impl Strategy<Value = Vec<Vec<usize>>> {
    prop::collection::vec(prop::collection::vec(0..N_FILES, 0..6), N_FILES)
}

/// Each file says its own name and imports others; the first is `GEMINI.md`.
fn fixture(graph: &[Vec<usize>]) -> Fixture {
    let name = |i: usize| {
        if i == 0 {
            "GEMINI.md".to_owned()
        } else {
            format!("f{i}.md")
        }
    };
    let text = |(i, imports): (usize, &Vec<usize>)| {
        let tokens: Vec<_> = imports.iter().map(|&to| format!("@{}", name(to))).collect();
        (
            format!("/p/{}", name(i)),
            format!("<text {i}>\n{}\n", tokens.join(" and ")),
        )
    };
    let files = graph.iter().enumerate().map(text);
    files.fold(Fixture::default(), |tree, (path, text)| {
        tree.file(&path, text)
    })
}

/// The files that `GEMINI.md` reaches in at most `max_depth` steps by the shortest way.
fn reachable(graph: &[Vec<usize>], max_depth: usize) -> Vec<usize> {
    let mut reached = vec![0];
    let mut from = 0;
    for _ in 0..max_depth {
        let edge = reached.len();
        for i in from..edge {
            for &to in &graph[reached[i]] {
                if !reached.contains(&to) {
                    reached.push(to);
                }
            }
        }
        from = edge;
    }
    reached.sort_unstable();
    reached
}

proptest! {
    #[test]
    fn import_ends_and_says_each_text_once(graph in graph(), is_flat in any::<bool>()) {
        for profile in [Profile::Analects, Profile::Seed] {
            let format = if is_flat { Format::Flat } else { Format::Tree };
            let case = Case { format, ..Case::on(&fixture(&graph)).profile(profile) };
            let (loaded, problems) = case.load();
            prop_assert!(problems.is_empty(), "{:?}", problems);
            let text = &loaded[0].text;
            for i in 0..N_FILES {
                let is_in = reachable(&graph, N_FILES).contains(&i);
                prop_assert_eq!(text.matches(&format!("<text {i}>")).count(), usize::from(is_in));
            }
            prop_assert!(case.disk.files_read() <= N_FILES + 1, "only the top is opened again");
        }
    }

    #[test]
    fn whatever_the_limits_the_output_is_bounded(
        graph in graph(),
        file_limit_bytes in 0_usize..120,
        load_limit_bytes in 0_usize..300,
        max_depth in 0_usize..6,
    ) {
        for profile in [Profile::Analects, Profile::Seed, Profile::Head] {
            for format in [Format::Tree, Format::Flat] {
                let mut case = Case { format, ..Case::on(&fixture(&graph)).profile(profile) };
                case.options.import.max_depth = max_depth;
                case.options.file_limit_bytes = file_limit_bytes;
                case.options.load_limit_bytes = load_limit_bytes;
                let (loaded, _) = case.load();
                let said: usize = loaded.iter().map(|file| file.text.len()).sum();
                // A token of six bytes becomes a comment of at most seventy; every file may add a note.
                let bound = load_limit_bytes * 12 + N_FILES * 200;
                prop_assert!(said <= bound, "{} > {}", said, bound);
            }
        }
    }
}
