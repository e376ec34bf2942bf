//! Alternatives of which a project uses one (npm or pnpm, tabs or spaces): the list beside this file, read once.

use std::collections::HashMap;
use std::sync::LazyLock;

static LINES: LazyLock<HashMap<&'static str, usize>> = LazyLock::new(|| {
    let list = include_str!("rivals.txt").lines();
    let lines = list.filter(|line| !line.starts_with('#')).enumerate();
    let names = lines.flat_map(|(at, line)| line.split(", ").map(move |name| (name, at)));
    names.collect()
});

/// Whether taking one of two means not to take the other.
pub(super) fn are_rivals(one: &str, other: &str) -> bool {
    let line = |name: &str| LINES.get(name);
    // `tab` and `tabs` are one thing.
    let bare = |name: &str| name.trim_end_matches('s').to_owned();
    line(one).is_some() && line(one) == line(other) && bare(one) != bare(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_stands_in_one_line() {
        let list = include_str!("rivals.txt").lines();
        let lines: Vec<_> = list.filter(|line| !line.starts_with('#')).collect();
        let names: Vec<_> = lines.iter().flat_map(|line| line.split(", ")).collect();
        assert_eq!(names.len(), LINES.len());
        assert!(names.iter().all(|name| name.to_lowercase() == *name));
        assert!(are_rivals("tabs", "spaces") && !are_rivals("tab", "tabs"));
        assert!(!are_rivals("tabs", "npm") && !are_rivals("x", "y"));
    }
}
