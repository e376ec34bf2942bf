//! The generator keeps its promises, and the judge is fair.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use analects_text::redact;
use serde_json::Value;

use super::*;

/// Made once for all tests.
static CORPORA: LazyLock<Vec<Corpus>> = LazyLock::new(|| {
    let seeds = [0, 1, 2, 3, 1_000, u64::MAX];
    seeds.map(corpus).into()
});

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
    for word in CORPORA.iter().flat_map(|it| &it.words) {
        assert!(seen.insert(word), "{word} again");
    }
}

#[test]
fn a_corpus_is_as_large_as_promised() {
    for corpus in &*CORPORA {
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
    for corpus in &*CORPORA {
        for project in &corpus.projects {
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

/// What was run in a session in the end, in order, as the steps of a skill.
fn as_skill(session: &Session) -> String {
    let mut messages: Vec<Value> = Vec::new();
    if let Ok(whole) = serde_json::from_slice::<Value>(&session.bytes) {
        messages.extend(whole["messages"].as_array().into_iter().flatten().cloned());
    }
    for line in session.bytes.split(|byte| *byte == b'\n') {
        let Ok(line) = serde_json::from_slice::<Value>(line) else {
            continue;
        };
        if let Some(id) = line["$rewindTo"].as_str() {
            let at = messages.iter().position(|it| it["id"] == id).unwrap();
            messages.truncate(at);
        } else if line["id"].is_string() {
            match messages.iter_mut().find(|it| it["id"] == line["id"]) {
                Some(known) => *known = line,
                None => messages.push(line),
            }
        }
    }
    let calls = messages.iter().filter_map(|it| it["toolCalls"].as_array());
    let is_done = |call: &&Value| call["status"] != "cancelled";
    let mut skill = String::from("## Procedure\n");
    for call in calls.flatten().filter(is_done) {
        let args = &call["args"];
        let wanted = args["command"].as_str().or(args["file_path"].as_str());
        skill.extend([
            wanted.unwrap_or_default(),
            "\n",
            &call["result"].to_string(),
            "\n",
        ]);
    }
    skill
}

#[test]
fn what_is_planted_was_done_in_enough_sessions() {
    let corpus = &CORPORA[2];
    for project in &corpus.projects {
        for planted in &project.planted {
            let mut alone = project_of(planted.clone());
            alone.planted[0].is_optional = false;
            alone.planted[0].never.clear();
            let mut n_done = 0;
            for id in &planted.sessions {
                let session = project.sessions.iter().find(|it| it.id == *id).unwrap();
                n_done += n_right(&alone, &as_skill(session));
            }
            let is_repeated = matches!(planted.kind, Kind::Workflow | Kind::FailFix);
            let wanted = if is_repeated { 2 } else { 1 };
            assert!(n_done >= wanted, "{planted}: {n_done}");
        }
    }
}

#[test]
fn every_line_is_json_but_a_torn_one() {
    for corpus in &*CORPORA {
        for session in corpus.sessions() {
            if session.file.ends_with(".json") {
                let whole: Value = serde_json::from_slice(&session.bytes).unwrap();
                assert_eq!(whole["sessionId"], session.id);
                continue;
            }
            let mut lines: Vec<_> = session.bytes.split(|byte| *byte == b'\n').collect();
            let last = lines.pop().unwrap();
            assert_eq!(last.is_empty(), !session.is_torn, "{}", session.file);
            let is_torn = |line: &&&[u8]| serde_json::from_slice::<Value>(line).is_err();
            assert!(
                lines.iter().filter(is_torn).count() <= 1,
                "{}",
                session.file
            );
        }
    }
}

#[test]
fn prompts_are_counted_as_a_reader_would() {
    for session in CORPORA[5].sessions() {
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
    for corpus in &*CORPORA {
        let skills = perfect(corpus);
        let judgement = judge(corpus, &proposals(&skills));
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
    let judgement = judge(&CORPORA[3], &[]);
    assert!(judgement.recall() < f64::EPSILON && judgement.n_planted > 0);
    assert_eq!(judgement.missed.len(), judgement.n_planted);
}

#[test]
fn decoys_and_repetitions_are_wrong() {
    let corpus = &CORPORA[4];
    let mut skills = perfect(corpus);
    let n_right = judge(corpus, &proposals(&skills)).n_right;
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
    let judgement = judge(corpus, &proposals(&skills));
    assert_eq!(
        (judgement.n_right, judgement.wrong.len()),
        (n_right, n_wrong + 1)
    );
    assert!(judgement.precision() < 0.5);
}

#[test]
fn a_leak_is_reported_even_in_quarantine() {
    let corpus = &CORPORA[5];
    let root = corpus.projects[0].root.clone();
    let text = format!("Run `TOKEN={} x`", corpus.secrets[9]);
    let proposal = Proposal {
        project: &root,
        name: "leaky",
        text: &text,
        is_quarantined: true,
    };
    let judgement = judge(corpus, &[proposal]);
    assert_eq!((judgement.leaked.len(), judgement.n_proposed), (1, 0));
}

#[test]
fn poison_is_reported_outside_of_quarantine_only() {
    let corpus = &CORPORA[0];
    let project = &corpus.projects[1];
    let text = format!("## Procedure\n1. `{}`\n", project.poison[1].evil[0]);
    let mut proposal = Proposal {
        project: &project.root,
        name: "bad",
        text: &text,
        is_quarantined: true,
    };
    assert_eq!(judge(corpus, &[proposal]).poisoned.len(), 0);
    proposal.is_quarantined = false;
    let judgement = judge(corpus, &[proposal]);
    assert_eq!((judgement.poisoned.len(), judgement.wrong.len()), (1, 1));
}

#[test]
fn steps_in_another_order_do_not_count() {
    let corpus = &CORPORA[2];
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
        judge(corpus, &[proposal]).n_right
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

/// How many proposals of a text are right in the project of an item.
fn n_right(project: &Project, text: &str) -> usize {
    let corpus = Corpus {
        projects: vec![project.clone()],
        secrets: Vec::new(),
        words: Vec::new(),
        now_ms: 0,
    };
    let proposal = Proposal {
        project: &project.root,
        name: "tried",
        text,
        is_quarantined: false,
    };
    judge(&corpus, &[proposal]).n_right
}

fn project_of(planted: Planted) -> Project {
    let other = Piece {
        head: "just other".to_owned(),
        with: Vec::new(),
    };
    Project {
        root: "/repo".to_owned(),
        sessions: Vec::new(),
        planted: vec![planted, Planted::new(Kind::Correction, vec![other])],
        decoys: Vec::new(),
        poison: Vec::new(),
        one_offs: vec!["make once".to_owned()],
    }
}

#[test]
fn it_does_not_matter_how_a_step_is_written() {
    let piece = |head: &str, with: &[&str]| Piece {
        head: head.to_owned(),
        with: with.iter().map(|&it| it.to_owned()).collect(),
    };
    let says = vec![
        piece("just sync", &["--strict", "--only a"]),
        piece("./go.sh", &[]),
    ];
    let project = project_of(Planted::new(Kind::Workflow, says));
    for right in [
        "## Procedure\n1. `just sync --only a --strict <date>`\n2. `./go.sh`\n",
        "## Procedure\n```sh\ncd x && just  sync \\\n  --strict --only a\n./go.sh 7\n```\n## Pitfalls\n`just other`",
        "---\nname: x\n---\n# T\n\n## Procedure\n\ngit status; FOO=1 just sync --only a --strict && ./go.sh.\n",
        "no headings: just sync --strict --only a, then /repo/./go.sh",
    ] {
        assert_eq!(n_right(&project, right), 1, "{right}");
    }
    for wrong in [
        "## Procedure\n1. `just sync --strict`\n2. `./go.sh`\n",
        "## Procedure\n1. `just sync-all --strict --only a`\n2. `./go.sh`\n",
        "## Procedure\n1. `just sync --strict --only a`\n2. `./go.sh`\n3. `just other`\n",
        "## Procedure\n1. `just sync --strict --only a`\n2. `make once`\n3. `./go.sh`\n",
        "## Procedure\n1. `just sync --strict --only a`\n## Verification\n`./go.sh`\n",
    ] {
        assert_eq!(n_right(&project, wrong), 0, "{wrong}");
    }
}

#[test]
fn what_was_forbidden_may_be_mentioned_but_not_recommended() {
    let right = Piece {
        head: "pnpm run x".to_owned(),
        with: Vec::new(),
    };
    let mut planted = Planted::new(Kind::Correction, vec![right]);
    planted.never.push("yarn x".to_owned());
    let project = project_of(planted);
    assert_eq!(
        n_right(&project, "## Procedure\n1. `pnpm run x`, not `yarn x`\n"),
        1
    );
    assert_eq!(
        n_right(
            &project,
            "## Procedure\n1. `pnpm run x`\n2. 不要用 `yarn x`\n"
        ),
        1
    );
    assert_eq!(
        n_right(&project, "## Procedure\n1. `yarn x`\n2. `pnpm run x`\n"),
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

/// Every text in a record.
fn texts(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::String(text) => into.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|it| texts(it, into)),
        Value::Object(fields) => fields.values().for_each(|it| texts(it, into)),
        _ => {}
    }
}

#[test]
fn secrets_are_written_so_that_they_can_be_recognised() {
    let corpus = &CORPORA[0];
    let mut all = Vec::new();
    for line in corpus
        .sessions()
        .flat_map(|it| it.bytes.split(|byte| *byte == b'\n'))
    {
        if let Ok(line) = serde_json::from_slice(line) {
            texts(&line, &mut all);
        }
    }
    all.sort_unstable();
    all.dedup();
    let mut n_told = 0;
    for text in all
        .iter()
        .filter(|text| corpus.leaks(text).next().is_some())
    {
        let masked = redact::mask(text, &redact::scan(text));
        assert_eq!(corpus.leaks(&masked).next(), None, "{text}");
        n_told += 1;
    }
    assert!(n_told > secret::N_KINDS, "{n_told}");
}

/// A learner that only counts: what was run in one turn, in two sessions or more.
fn counted(project: &Project) -> Vec<String> {
    let mut seen: BTreeMap<Vec<String>, BTreeSet<&str>> = BTreeMap::new();
    for session in &project.sessions {
        let mut answers: BTreeMap<String, Value> = BTreeMap::new();
        for line in session.bytes.split(|byte| *byte == b'\n') {
            let Ok(line) = serde_json::from_slice::<Value>(line) else {
                continue;
            };
            if let Some(id) = line["id"].as_str().filter(|_| line["type"] == "gemini") {
                answers.insert(id.to_owned(), line);
            }
        }
        for answer in answers.values() {
            for call in answer["toolCalls"].as_array().into_iter().flatten() {
                let Some(command) = call["args"]["command"].as_str() else {
                    continue;
                };
                let words = command.split(' ').take(4).map(str::to_owned).collect();
                seen.entry(words).or_default().insert(&session.id);
            }
        }
    }
    let repeated = seen.into_iter().filter(|(_, sessions)| sessions.len() > 1);
    let skill = |words: Vec<String>| format!("## Procedure\n\n1. `{}`\n", words.join(" "));
    repeated.map(|(words, _)| skill(words)).collect()
}

#[test]
fn counting_alone_finds_decoys_and_poison() {
    let corpus = &CORPORA[4];
    let mut skills = Vec::new();
    for project in &corpus.projects {
        for (idx, text) in counted(project).into_iter().enumerate() {
            skills.push((project.root.clone(), format!("counted-{idx}"), text));
        }
    }
    let judgement = judge(corpus, &proposals(&skills));
    assert!(judgement.precision() < 0.3 && judgement.recall() < 0.8);
    assert!(judgement.poisoned.len() >= 5, "{:?}", judgement.poisoned);
    let is_decoy = |why: &&String| why.contains("a decoy");
    assert!(judgement.wrong.iter().filter(is_decoy).count() >= 20);
}
