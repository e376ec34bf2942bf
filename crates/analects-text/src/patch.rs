//! What changed between two texts, as people read it.

use similar::TextDiff;

/// How many unchanged lines stand around a change.
const CONTEXT_LINES: usize = 3;

/// A unified diff from `old` to `new`; empty if they are the same.
///
/// `old_name` and `new_name` label the two sides, as in `--- Current` and `+++ Proposed`.
#[must_use]
pub fn unified(old: &str, new: &str, old_name: &str, new_name: &str) -> String {
    let diff = TextDiff::from_lines(old, new);
    diff.unified_diff()
        .context_radius(CONTEXT_LINES)
        .header(old_name, new_name)
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn a_change_shows_with_three_lines_around_it() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n";
        let new = "1\n2\n3\n4\nfive\n6\n7\n8";
        expect![[r#"
            --- Current
            +++ Proposed
            @@ -2,7 +2,7 @@
             2
             3
             4
            -5
            +five
             6
             7
            -8
            +8
            \ No newline at end of file
        "#]]
        .assert_eq(&unified(old, new, "Current", "Proposed"));
        assert_eq!(unified("a", "a", "x", "y"), "");
    }
}
