//! What the published page must keep: names that are names, citations that lead somewhere, nothing left out.

use std::collections::BTreeSet;

use super::super::KINDS;
use super::Page;

/// How many weaknesses of the original we know of.
const N_WEAKNESSES: usize = 22;

#[test]
fn a_row_has_a_name_two_sides_and_a_reason() {
    let text = "| difference | Gemini CLI | Analects | compared | why |\n|---|---|---|---|---|\n\
                | `order` | by name | by depth | tiers, eager | W9, §2 order |\n\
                | `kept-name` | ids | hashes | – | §2 behaviour |\n\
                | entry | what it says |\n|---|---|\n| W9 | a list |\n| §2 order | outermost first |\n";
    let page = Page::parse(text);
    let order = &page.rows[0];
    assert_eq!(
        (order.name, order.theirs, order.ours),
        ("order", "by name", "by depth")
    );
    assert_eq!(order.compared, ["tiers", "eager"]);
    assert_eq!(order.cited, ["W9", "§2 order"]);
    assert!(page.rows[1].compared.is_empty());
    assert_eq!(
        page.legend,
        [("W9", "a list"), ("§2 order", "outermost first")]
    );
    assert_eq!(page.rows_of("eager").collect::<Vec<_>>(), ["order"]);
    assert_eq!(page.rows_of("jit").count(), 0);
}

#[test]
fn every_line_of_a_table_is_a_row_or_a_part_of_the_legend() {
    let text = include_str!("../../../../../docs/reference/compatibility.md");
    let page = Page::parse(text);
    let n_lines = text.lines().filter(|line| line.starts_with('|')).count();
    let n_heads = text.lines().filter(|line| line.starts_with("|---")).count();
    assert_eq!(page.rows.len() + page.legend.len() + 2 * n_heads, n_lines);
}

#[test]
fn every_difference_has_a_name_of_its_own() {
    let page = Page::published();
    let names: BTreeSet<_> = page.rows.iter().map(|row| row.name).collect();
    assert_eq!(names.len(), page.rows.len());
    for row in &page.rows {
        let is_name = |c: char| c.is_ascii_lowercase() || c == '-';
        assert!(row.name.chars().all(is_name), "{}", row.name);
        assert!(
            !row.theirs.is_empty() && !row.ours.is_empty(),
            "{}",
            row.name
        );
        assert_ne!(row.theirs, row.ours, "{}", row.name);
    }
}

#[test]
fn every_difference_cites_what_the_legend_explains() {
    let page = Page::published();
    for row in &page.rows {
        assert!(!row.cited.is_empty(), "{} cites nothing", row.name);
        for cited in &row.cited {
            let mut entries = page.legend.iter().filter(|(entry, _)| entry == cited);
            assert!(entries.next().is_some(), "{} cites {cited}", row.name);
        }
    }
}

#[test]
fn every_entry_of_the_legend_is_cited_or_says_that_we_do_the_same() {
    let page = Page::published();
    let entries: BTreeSet<_> = page.legend.iter().map(|(entry, _)| *entry).collect();
    assert_eq!(entries.len(), page.legend.len(), "each entry once");
    for n in 1..=N_WEAKNESSES {
        assert!(entries.contains(&*format!("W{n}")), "the legend lacks W{n}");
    }
    let cited: BTreeSet<_> = page
        .rows
        .iter()
        .flat_map(|row| &row.cited)
        .copied()
        .collect();
    for (entry, says) in &page.legend {
        assert!(
            cited.contains(entry) || says.contains("The same: no row needs it."),
            "no row cites {entry}"
        );
    }
}

#[test]
fn rows_are_compared_in_cases_that_exist() {
    for row in &Page::published().rows {
        for kind in &row.compared {
            assert!(KINDS.contains(kind), "{} is compared in {kind}", row.name);
        }
    }
}
