//! What fits into a layer's budget, and what has to go.

use super::*;
use proptest::prelude::*;

fn loaded(path: &str, layer: Layer, text: &str) -> Loaded {
    Loaded {
        path: AbsPath::new(path).unwrap(),
        layer,
        label: path.trim_start_matches('/').to_owned(),
        bytes: text.len() as u64,
        text: text.to_owned(),
        imports: Vec::new(),
        also: Vec::new(),
        is_of_project: false,
    }
}

#[test]
fn layers_stand_in_reading_order_whatever_the_load_order() {
    let files = [
        loaded("/p", Layer::Project, "p"),
        loaded("/u", Layer::Private, "u"),
        loaded("/blank", Layer::Global, " \n"),
        loaded("/g", Layer::Global, "g\n"),
    ];
    let memory = stack(&files, 1000).memory();
    assert_eq!(
        memory.flatten(analects_world::Profile::Analects),
        "--- Global ---\n--- Context from: g ---\ng\n--- End of Context from: g ---\n\n\
         --- User Project Memory ---\n--- Context from: u ---\nu\n--- End of Context from: u ---\n\n\
         --- Project ---\n--- Context from: p ---\np\n--- End of Context from: p ---"
    );
}

#[test]
fn a_giant_is_cut_and_its_neighbours_stay_whole() {
    let giant = "rule\n".repeat(1000);
    let files = [
        loaded("/a", Layer::Project, &giant),
        loaded("/b", Layer::Project, "keep me whole"),
    ];
    let stack = stack(&files, 400);
    let blocks = &stack.layers[3].blocks;
    assert!(blocks[0].cut_tokens > 850 && blocks[0].text.contains("[cut off: about"));
    assert!(blocks[1].text.contains("keep me whole") && blocks[1].cut_tokens == 0);
    assert_eq!(stack.problems.len(), 1);
    assert_eq!(stack.problems[0].path.as_deref(), Some("/a"));
}

#[test]
fn thousands_of_tiny_files_stay_in_budget_and_the_rest_is_counted() {
    let files: Vec<_> = (0..2000)
        .map(|i| loaded(&format!("/d{i}/GEMINI.md"), Layer::Project, "x"))
        .collect();
    let stack = stack(&files, 3_200);
    let text = stack.layers[3].text();
    assert!(tokens::estimate(&text) <= 3_200);
    assert!(
        text.contains(" files left out, their layer is over budget: d"),
        "{text}"
    );
    assert_eq!(stack.problems.len(), 1);
}

#[test]
fn short_files_stay_whole_beside_a_giant_and_the_room_is_used() {
    let mut files = vec![loaded(
        "/GEMINI.md",
        Layer::Project,
        &"a long rule\n".repeat(4000),
    )];
    let short = |i| loaded(&format!("/a/b/c/d{i}/GEMINI.md"), Layer::Project, "short");
    files.extend((0..15).map(short));
    let stack = stack(&files, 1500);
    let [.., project] = &stack.layers[..] else {
        panic!("four layers")
    };
    assert_eq!(project.blocks.len(), 16);
    assert!(
        project.blocks[1..]
            .iter()
            .all(|block| block.cut_tokens == 0)
    );
    assert!(
        (1400..=1500).contains(&project.tokens()),
        "{}",
        project.tokens()
    );
    assert_eq!(stack.problems.len(), 1);
}

#[test]
fn where_files_must_go_the_outermost_go_first() {
    let file = |i| loaded(&format!("/d{i}/GEMINI.md"), Layer::Project, "a short rule");
    let files: Vec<_> = (0..100).map(file).collect();
    let stack = stack(&files, 400);
    let project = &stack.layers[3];
    let kept: Vec<_> = project.blocks.iter().map(|block| &block.path).collect();
    assert_eq!(kept.last().unwrap().as_str(), "/d99/GEMINI.md");
    assert!(kept.len() > 10, "{kept:?}");
    assert!(
        project
            .note
            .as_ref()
            .unwrap()
            .contains(": d0/GEMINI.md, d1/")
    );
}

#[test]
fn a_text_names_the_other_places_where_it_counts() {
    let mut file = loaded("/a", Layer::Global, "rule");
    file.also = vec!["b".to_owned(), "c".to_owned()];
    let text = stack(&[file], 1000).layers[0].text();
    assert!(text.contains("rule\n[same text in: b, c]\n---"), "{text}");
}

proptest! {
    #[test]
    fn a_layer_never_costs_more_than_its_limit(
        sizes in prop::collection::vec(1_usize..400, 1..30),
        limit in 300_usize..4000,
    ) {
        let files: Vec<_> = sizes
            .iter()
            .enumerate()
            .map(|(i, size)| loaded(&format!("/d{i}/G.md"), Layer::Project, &"rule ".repeat(*size)))
            .collect();
        let stack = stack(&files, limit);
        prop_assert!(tokens::estimate(&stack.layers[3].text()) <= limit);
        prop_assert!(stack.tokens() <= limit);
    }

    #[test]
    fn shares_never_exceed_the_limit(costs in prop::collection::vec(0_usize..500, 0..20), limit in 0_usize..2000) {
        let Some(share) = fair_share(costs.clone(), limit) else { return Ok(()) };
        let kept = |&cost: &usize| match cost > share.whole {
            true => share.cut + CUT_NOTE_TOKENS,
            false => cost,
        };
        prop_assert!(costs.iter().map(kept).sum::<usize>() <= limit);
    }
}
