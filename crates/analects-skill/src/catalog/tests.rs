//! The tiers, and what must not get through them.

use analects_testkit::{FakeFiles, Fixture, show_problems};

use super::*;

#[test]
fn nothing_there_leaves_what_we_bring_along() {
    let files = FakeFiles::new(&Fixture::default());
    let (catalog, problems) = gather(&files, &[]);
    assert_eq!(show_problems(&problems), "");
    let names: Vec<_> = catalog.skills.iter().map(|skill| &*skill.name).collect();
    assert_eq!(names, ["skill-creator"]);
}
