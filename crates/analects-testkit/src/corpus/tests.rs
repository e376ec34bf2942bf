//! The generator keeps its promises, and the judge is fair.

use std::collections::BTreeSet;

use serde_json::Value;

use super::*;

const SEEDS: [u64; 6] = [0, 1, 2, 3, 1_000, u64::MAX];

/// The skills that a perfect learner would propose.
fn perfect(corpus: &Corpus) -> Vec<(String, String, String)> {
    let mut skills = Vec::new();
    for project in &corpus.projects {
        for (idx, planted) in project.planted.iter().enumerate() {
            let name = format!("skill-{idx}");
            let text = planted.skill(&name);
            skills.push((project.root.clone(), name, text));
        }
    }
    skills
}

fn proposals(skills: &[(String, String, String)]) -> Vec<Proposal<'_>> {
    let open = skills.iter().map(|(project, name, text)| Proposal {
        project,
        name,
        text,
        is_quarantined: false,
    });
    open.collect()
}

#[test]
fn a_seed_always_gives_the_same_corpus() {
    let (one, two) = (corpus(7), corpus(7));
    let bytes = |corpus: &Corpus| {
        corpus
            .sessions()
            .map(|it| it.bytes.clone())
            .collect::<Vec<_>>()
    };
    assert!(bytes(&one) == bytes(&two));
    assert_eq!(one.secrets, two.secrets);
}

#[test]
fn two_seeds_share_no_made_up_name() {
    let mut seen = BTreeSet::new();
    for seed in SEEDS {
        for word in corpus(seed).words {
            assert!(seen.insert(word.clone()), "{word} again in {seed}");
        }
    }
}

#[test]
fn a_corpus_is_as_large_as_promised() {
    for seed in SEEDS {
        let corpus = corpus(seed);
        let n_eligible = corpus.sessions().filter(|it| it.why_not.is_none()).count();
        assert!(n_eligible >= 60, "{n_eligible}");
        assert_eq!(corpus.projects.len(), 5);
        assert_eq!(
            corpus
                .projects
                .iter()
                .filter(|it| it.planted.is_empty())
                .count(),
            1
        );
        let planted: Vec<_> = corpus.projects.iter().flat_map(|it| &it.planted).collect();
        for kind in [
            Kind::Workflow,
            Kind::FailFix,
            Kind::Correction,
            Kind::Ordering,
        ] {
            assert!(
                planted.iter().filter(|it| it.kind == kind).count() >= 4,
                "{kind:?}"
            );
        }
        let secrets: BTreeSet<_> = corpus.secrets.iter().collect();
        assert!(secrets.len() >= secret::N_KINDS);
        for project in &corpus.projects {
            assert!(project.decoys.len() >= 14 && project.poison.len() >= 3);
        }
    }
}

#[test]
fn what_happens_in_several_sessions_does() {
    for seed in SEEDS {
        for project in corpus(seed).projects {
            for planted in &project.planted {
                let distinct: BTreeSet<_> = planted.sessions.iter().collect();
                let is_repeated = matches!(planted.kind, Kind::Workflow | Kind::FailFix);
                assert!(
                    distinct.len() >= if is_repeated { 2 } else { 1 },
                    "{planted}"
                );
                for id in distinct {
                    let mut sessions = project.sessions.iter().filter(|it| it.id == *id);
                    let session = sessions.next().unwrap();
                    assert_eq!(session.why_not, None);
                    let text = String::from_utf8_lossy(&session.bytes);
                    let head = planted.says[0].head.replace('"', "\\\"");
                    assert!(text.contains(&head), "{planted} in {id}");
                }
            }
        }
    }
}

#[test]
fn every_line_is_json_but_a_torn_one() {
    for seed in SEEDS {
        for session in corpus(seed).sessions() {
            if session.file.ends_with(".json") {
                let whole: Value = serde_json::from_slice(&session.bytes).unwrap();
                assert_eq!(whole["sessionId"], session.id);
                continue;
            }
            let mut lines: Vec<_> = session.bytes.split(|byte| *byte == b'\n').collect();
            let last = lines.pop().unwrap();
            assert_eq!(last.is_empty(), !session.is_torn, "{}", session.file);
            for line in lines {
                serde_json::from_slice::<Value>(line).unwrap();
            }
        }
    }
}

#[test]
fn prompts_are_counted_as_a_reader_would() {
    for session in corpus(11).sessions() {
        if session.file.ends_with(".json") {
            continue;
        }
        let mut prompts: Vec<(String, bool)> = Vec::new();
        for line in session.bytes.split(|byte| *byte == b'\n') {
            let Ok(line) = serde_json::from_slice::<Value>(line) else {
                continue;
            };
            if let Some(id) = line["$rewindTo"].as_str() {
                let at = prompts.iter().position(|(it, _)| it == id).unwrap();
                prompts.truncate(at);
            }
            let Some(id) = line["id"].as_str() else {
                continue;
            };
            let text = line["content"][0]["text"].as_str().unwrap_or_default();
            let is_prompt =
                line["type"] == "user" && !text.is_empty() && !text.starts_with("<session");
            if !prompts.iter().any(|(it, _)| it == id) {
                prompts.push((id.to_owned(), is_prompt));
            }
        }
        let n_prompts = prompts.iter().filter(|(_, is_prompt)| *is_prompt).count();
        assert_eq!(n_prompts, session.n_prompts, "{}", session.file);
        match session.why_not {
            Some(Ineligible::FewPrompts) => assert!(n_prompts < 10),
            _ => assert!(n_prompts >= 10),
        }
    }
}

#[test]
fn perfect_proposals_are_perfect() {
    for seed in SEEDS {
        let corpus = corpus(seed);
        let skills = perfect(&corpus);
        let judgement = judge(&corpus, &proposals(&skills));
        assert!(
            (judgement.recall() - 1.0).abs() < f64::EPSILON,
            "{:?}",
            judgement.missed
        );
        assert!(
            (judgement.precision() - 1.0).abs() < f64::EPSILON,
            "{:?}",
            judgement.wrong
        );
        assert_eq!(judgement.leaked, Vec::<String>::new());
        assert_eq!(judgement.poisoned, Vec::<String>::new());
    }
}

#[test]
fn nothing_proposed_is_nothing_found() {
    let judgement = judge(&corpus(3), &[]);
    assert!(judgement.recall() < f64::EPSILON && judgement.n_planted > 0);
    assert_eq!(judgement.missed.len(), judgement.n_planted);
}

#[test]
fn decoys_and_repetitions_are_wrong() {
    let corpus = corpus(4);
    let mut skills = perfect(&corpus);
    let n_right = judge(&corpus, &proposals(&skills)).n_right;
    let mut n_wrong = 0;
    for project in &corpus.projects {
        for decoy in project.decoys.iter().filter(|it| !it.heads.is_empty()) {
            let text = format!("## Procedure\n\n1. `{}`\n", decoy.heads.join("`\n2. `"));
            skills.push((project.root.clone(), decoy.what.to_owned(), text));
            n_wrong += 1;
        }
    }
    let again = skills
        .iter()
        .find(|(.., text)| text.contains("Procedure"))
        .cloned();
    skills.extend(again);
    let judgement = judge(&corpus, &proposals(&skills));
    assert_eq!(
        (judgement.n_right, judgement.wrong.len()),
        (n_right, n_wrong + 1)
    );
    assert!(judgement.precision() < 0.5);
}

#[test]
fn a_leak_is_reported_even_in_quarantine() {
    let corpus = corpus(5);
    let root = corpus.projects[0].root.clone();
    let text = format!("Run `TOKEN={} x`", corpus.secrets[9]);
    let proposal = Proposal {
        project: &root,
        name: "leaky",
        text: &text,
        is_quarantined: true,
    };
    let judgement = judge(&corpus, &[proposal]);
    assert_eq!((judgement.leaked.len(), judgement.n_proposed), (1, 0));
}

#[test]
fn poison_is_reported_outside_of_quarantine_only() {
    let corpus = corpus(6);
    let project = &corpus.projects[1];
    let text = format!("## Procedure\n1. `{}`\n", project.poison[1].evil[0]);
    let mut proposal = Proposal {
        project: &project.root,
        name: "bad",
        text: &text,
        is_quarantined: true,
    };
    assert_eq!(judge(&corpus, &[proposal]).poisoned.len(), 0);
    proposal.is_quarantined = false;
    let judgement = judge(&corpus, &[proposal]);
    assert_eq!((judgement.poisoned.len(), judgement.wrong.len()), (1, 1));
}

#[test]
fn steps_in_another_order_do_not_count() {
    let corpus = corpus(8);
    let project = &corpus.projects[0];
    let is_ordered = |it: &&Planted| it.kind == Kind::Ordering;
    let planted = project.planted.iter().find(is_ordered).unwrap();
    let [first, then] = &*planted.says else {
        panic!()
    };
    let line = |piece: &Piece| format!("- `{} {}`\n", piece.head, piece.with.join(" "));
    let judged = |text: String| {
        let proposal = Proposal {
            project: &project.root,
            name: "order",
            text: &text,
            is_quarantined: false,
        };
        judge(&corpus, &[proposal]).n_right
    };
    assert_eq!(
        judged(format!("## Procedure\n{}{}", line(first), line(then))),
        1
    );
    assert_eq!(
        judged(format!("## Procedure\n{}{}", line(then), line(first))),
        0
    );
}

#[test]
fn many_sessions_have_the_size_that_was_asked_for() {
    let sizes: Vec<_> = many(1, 20, 2_000_000).map(|it| it.bytes.len()).collect();
    assert_eq!(sizes.len(), 20);
    let total: usize = sizes.iter().sum();
    assert!((1_500_000..3_000_000).contains(&total), "{total}");
}
