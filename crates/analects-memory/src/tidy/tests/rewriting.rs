//! Proposed texts in steps: any of them may be left, and what would be lost is told.

use proptest::prelude::*;

use super::*;

fn steps(rewrites: &[Rewrite]) -> (Vec<Page>, Vec<Step>) {
    let pages: Vec<_> = rewrites
        .iter()
        .map(|rewrite| page(rewrite.path.as_str(), &rewrite.old).unwrap())
        .collect();
    let steps = rewrite(rewrites, &options(&pages).labels);
    (pages, steps)
}

fn proposed(path: &str, old: &str, new: &str) -> Rewrite {
    Rewrite {
        path: abs(path),
        old: old.to_owned(),
        new: new.to_owned(),
    }
}

#[test]
fn what_moves_between_files_is_one_step() {
    let global = "# Me\n- I like tea\n- The shop needs Node 22\n- Answer in English\n";
    let rewrites = [
        proposed(
            "/h/.gemini/GEMINI.md",
            global,
            "# Me\n- I like green tea\n- The shop needs Node 22\n",
        ),
        proposed(
            "/shop/GEMINI.md",
            "- Use tabs\n\nThe end",
            "- Use tabs\n- answer in English\n\nThe end\n",
        ),
    ];
    let (pages, steps) = steps(&rewrites);
    let mut shown = String::new();
    for step in &steps {
        writeln!(shown, "{} ({})", step.reason, step.edits.len()).unwrap();
    }
    expect![[r#"
        change "I like tea" to "I like green tea": ~/.gemini/GEMINI.md:2 (1)
        move "Answer in English": ~/.gemini/GEMINI.md:4 and GEMINI.md:2 (2)
        write "The end" otherwise: GEMINI.md:3 (1)
    "#]]
    .assert_eq(&shown);
    let only =
        |wanted: usize| -> Vec<bool> { (0..steps.len()).map(|step| step == wanted).collect() };
    let moved = apply(&pages, &steps, &only(1)).texts;
    assert_eq!(moved.len(), 2, "both files or none");
    assert_eq!(lost(&pages, &moved), []);
    let all = apply(&pages, &steps, &[true; 3]);
    assert_eq!(all.left, [0; 0]);
    for rewrite in &rewrites {
        assert_eq!(all.texts.get(&rewrite.path), Some(&rewrite.new));
    }
    let lost: Vec<_> = lost(&pages, &all.texts)
        .into_iter()
        .map(|lost| lost.text)
        .collect();
    assert_eq!(lost, ["I like tea"]);
}

proptest! {
    #[test]
    fn all_steps_make_the_new_texts_and_none_the_old(
        olds in prop::collection::vec("(- [abc] x y\n|z\r\n|\n){0,8}(- a)?", 2),
        news in prop::collection::vec("(- [abc] x y\n|z\r\n|\n){0,8}(- a)?", 2),
        picks: u64,
    ) {
        let paths = ["/h/.gemini/GEMINI.md", "/shop/GEMINI.md"];
        let rewrites: Vec<_> = paths.iter().zip(olds.iter().zip(&news)).map(|(path, (old, new))| proposed(path, old, new)).collect();
        let (pages, steps) = steps(&rewrites);
        prop_assert!(apply(&pages, &steps, &vec![false; steps.len()]).texts.is_empty());
        let all = apply(&pages, &steps, &vec![true; steps.len()]);
        for rewrite in &rewrites {
            let new = all.texts.get(&rewrite.path).unwrap_or(&rewrite.old);
            prop_assert_eq!(new, &rewrite.new);
        }
        let taken: Vec<_> = (0..steps.len()).map(|step| picks >> (step % 64) & 1 == 1).collect();
        let some = apply(&pages, &steps, &taken);
        prop_assert!(some.left.is_empty());
        let lines: Vec<_> = olds.iter().chain(&news).flat_map(|text| text.lines()).collect();
        for line in some.texts.values().flat_map(|text| text.lines()) {
            prop_assert!(lines.contains(&line), "{line:?}");
        }
    }
}
