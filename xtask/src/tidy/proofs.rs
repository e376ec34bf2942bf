//! The tests that the page on security names as proofs.
//!
//! Each must be there, and every line of defence must name one: else the page promises what nobody checks.

use std::path::Path;

use crate::shell::{Done, read, root};

/// The page.
const PAGE: &str = "docs/concepts/security.md";

/// The heading of the column that names tests.
const COLUMN: &str = "| the test |";

/// How many lines before a test its attribute may stand: other attributes, and what explains it.
const REACH: usize = 4;

/// Checks every proof of the page, and that every row has one.
pub(super) fn check(breaches: &mut Vec<String>) -> Done {
    let page = read(&root().join(PAGE))?;
    let (rows, bare) = rows(&page);
    for line in bare {
        breaches.push(format!("{PAGE}:{line}: a line of defence without a test"));
    }
    if rows == 0 {
        breaches.push(format!("{PAGE}: no row names a test"));
    }
    let mut n_proofs = 0;
    for (at, line) in page.lines().enumerate() {
        for proof in proofs(line) {
            n_proofs += 1;
            if let Err(why) = look(proof) {
                breaches.push(format!("{PAGE}:{}: `{proof}`: {why}", at + 1));
            }
        }
    }
    println!("{rows} lines of defence rest on {n_proofs} tests");
    Ok(())
}

/// How many rows stand in tables that name tests, and the numbers of those without one.
fn rows(page: &str) -> (usize, Vec<usize>) {
    let (mut n_rows, mut bare) = (0, Vec::new());
    let mut is_inside = false;
    for (at, line) in page.lines().enumerate() {
        if !line.starts_with('|') {
            is_inside = false;
        } else if line.contains(COLUMN) {
            is_inside = true;
        } else if is_inside && !line.starts_with("|-") {
            n_rows += 1;
            if proofs(line).next().is_none() {
                bare.push(at + 1);
            }
        }
    }
    (n_rows, bare)
}

/// What a line names in the form `crates/…/file.rs::name_of_the_test`.
fn proofs(line: &str) -> impl Iterator<Item = &str> {
    let quoted = line.split('`').skip(1).step_by(2);
    quoted.filter(|words| words.contains(".rs::"))
}

fn look(proof: &str) -> Result<(), &'static str> {
    let (file, name) = proof.split_once("::").ok_or("names no test")?;
    let text = read(&root().join(Path::new(file))).map_err(|_| "there is no such file")?;
    match is_test(&text, name) {
        true => Ok(()),
        false => Err("there is no such test"),
    }
}

/// Whether a text has a test of that name.
fn is_test(text: &str, name: &str) -> bool {
    let opening = format!("fn {name}(");
    let lines: Vec<_> = text.lines().collect();
    let mut found = lines.iter().enumerate();
    found.any(|(at, line)| {
        let before = lines.get(at.saturating_sub(REACH)..at).unwrap_or_default();
        let has_attribute = || before.iter().any(|line| is_attribute(line.trim()));
        line.contains(&opening) && has_attribute()
    })
}

fn is_attribute(line: &str) -> bool {
    line == "#[test]" || line.starts_with("#[tokio::test")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_without_a_proof_is_found() {
        let page = "| they try | the test |\n|---|---|\n| a | `crates/a/src/b.rs::c` |\n| d | none |\n\n| e | f |\n";
        assert_eq!(rows(page), (2, vec![4]));
    }

    #[test]
    fn a_test_is_a_function_with_an_attribute() {
        let text =
            "#[test]\nfn one() {}\n\n\n\n\nfn two() {}\n#[tokio::test]\nasync fn three() {}\n";
        assert!(is_test(text, "one") && is_test(text, "three"));
        assert!(!is_test(text, "two") && !is_test(text, "on"));
    }

    #[test]
    fn what_is_not_there_is_said_to_be_missing() {
        assert!(look("xtask/src/tidy/proofs.rs::a_row_without_a_proof_is_found").is_ok());
        assert!(look("xtask/src/tidy/proofs.rs::a_row_with_nothing").is_err());
        assert!(look("xtask/src/nowhere.rs::a_row_without_a_proof_is_found").is_err());
    }
}
