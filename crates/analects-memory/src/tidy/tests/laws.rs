//! What holds for any memory: nothing gets lost, whichever steps are taken, and what is tidy stays so.

use proptest::prelude::*;

use super::super::same::says_all_of;
use super::*;
use crate::entry;

/// Lines that have to do with one another, and lines that get in the way.
const LINES: &[&str] = &[
    "- I like tea",
    "* I like **tea**.",
    "- acme-shop needs Node 22",
    "- acme-shop needs node 22!",
    "- The tests of acme-shop take an hour or more on a slow machine",
    "- The tests of acme-shop take an hour or more on the slow machine",
    "- acme-shop starts in `src/old.rs`",
    "- Start in `src/old.rs`",
    "- Start in `src/main.rs` (stale: src/main.rs is gone)",
    "- Start in `src/old.rs` (stale: src/old.rs is gone)",
    "  - nested `src/gone.rs`",
    "  and goes on",
    "-",
    "- ",
    "1. I like tea",
    "2. I like tea",
    "",
    "",
    "## Go",
    "# Title",
    "Never:",
    "prose",
    "---",
    "```",
    "<!--",
    "-->",
    "    - I like tea",
    "> - I like tea",
    "- @./style.md",
    "## Gemini Added Memories",
    "\t- I like tea",
    "- - I like tea",
    "- \u{FEFF}I like tea",
    "- 我喜欢喝茶",
];

const FILES: [&str; 5] = [
    "/h/.gemini/GEMINI.md",
    "/shop/GEMINI.md",
    "/shop/api/GEMINI.md",
    PRIVATE,
    "/h/.gemini/tmp/shop/memory/notes.md",
];

fn look(texts: &[Vec<usize>], ends: &[&str]) -> Look {
    let mut look = Look::at("//- /shop/.git/\n//- /shop/src/main.rs\n");
    for ((path, lines), end) in FILES.iter().zip(texts).zip(ends.iter().cycle()) {
        let lines = lines.iter().map(|line| LINES[line % LINES.len()]);
        let mut text: String = lines.flat_map(|line| [line, end]).collect();
        if text.len().is_multiple_of(3) {
            text.truncate(text.len().saturating_sub(end.len()));
        }
        look.pages.extend(page(path, &text));
    }
    look.options = options(&look.pages);
    look
}

fn told(pages: &[Page]) -> Vec<String> {
    let entries = pages.iter().flat_map(|page| entry::entries(&page.text));
    entries
        .map(|entry| super::super::mark::without(&entry.text))
        .collect()
}

/// Where what stood in a file may stand afterwards, so that all who heard it hear it still.
fn homes(path: &str, said: &str) -> Vec<&'static str> {
    let [global, root, api, private, notes] = FILES;
    match path {
        it if it == global && said.contains("acme-shop") => vec![global, root, private],
        it if it == global => vec![global],
        it if it == root => vec![root],
        it if it == api => vec![root, api],
        it if it == private => vec![global, root, private],
        _ => vec![global, root, private, notes],
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn whatever_is_taken_nothing_is_lost_and_nothing_is_invented(
        texts in prop::collection::vec(prop::collection::vec(0usize..100, 0..12), 5),
        windows: bool,
        picks: u64,
    ) {
        let look = look(&texts, if windows { &["\r\n", "\n"] } else { &["\n"] });
        let plan = look.plan();
        let taken: Vec<_> = (0..plan.steps.len()).map(|step| picks >> (step % 64) & 1 == 1).collect();
        let after = look.after(&plan.steps, &taken);
        let (before, now) = (told(&look.pages), told(&after));
        for said in &before {
            prop_assert!(now.iter().any(|it| says_all_of(it, said)), "lost {said:?}\n{plan:#?}\n{after:#?}");
        }
        for said in &now {
            prop_assert!(before.contains(said), "new {said:?}\n{plan:#?}\n{after:#?}");
        }
        for before in &look.pages {
            for said in told(std::slice::from_ref(before)) {
                let homes = homes(before.path.as_str(), &said);
                let homes = after.iter().filter(|page| homes.contains(&page.path.as_str())).cloned();
                let heard = told(&homes.collect::<Vec<_>>());
                prop_assert!(heard.iter().any(|it| says_all_of(it, &said)), "{said:?} is not heard\n{plan:#?}");
            }
        }
        let texts = apply(&look.pages, &plan.steps, &taken).texts;
        prop_assert_eq!(lost(&look.pages, &texts), []);
    }

    #[test]
    fn what_was_tidied_is_tidy(
        texts in prop::collection::vec(prop::collection::vec(0usize..100, 0..12), 5), windows: bool
    ) {
        let look = look(&texts, if windows { &["\r\n", "\n"] } else { &["\n"] });
        let plan = look.plan();
        let after = look.after(&plan.steps, &vec![true; plan.steps.len()]);
        let again = look.with(after);
        let steps = again.plan().steps;
        prop_assert_eq!(&steps, &[], "{:#?}\n{:#?}", plan, again.pages);
    }

    #[test]
    fn everything_but_list_items_stays_as_it_is(
        texts in prop::collection::vec(prop::collection::vec(0usize..100, 0..12), 5)
    ) {
        let look = look(&texts, &["\n"]);
        let plan = look.plan();
        let after = look.after(&plan.steps, &vec![true; plan.steps.len()]);
        let others = |pages: &[Page]| -> Vec<String> {
            let lines = pages.iter().flat_map(|page| page.text.lines().map(ToOwned::to_owned).collect::<Vec<_>>());
            let is_item = |line: &String| line.trim_start().starts_with(['-', '*']) || line.contains("goes on");
            lines.filter(|line| !line.trim().is_empty() && !is_item(line)).collect()
        };
        let known = others(&look.pages);
        for line in others(&after) {
            prop_assert!(known.contains(&line), "{line:?}");
        }
        prop_assert_eq!(others(&look.pages).len(), others(&after).len());
    }
}
