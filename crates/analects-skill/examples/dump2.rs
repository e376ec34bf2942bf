//! Debug.
#![allow(clippy::print_stdout, missing_docs)]
use analects_session::from_gemini::transcript;
use analects_session::replay::replay;
use analects_testkit::corpus::{Kind, corpus};
fn main() {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let (from, to): (u64, u64) = (args[0].parse().unwrap(), args[1].parse().unwrap());
    let want = &args[2];
    for seed in from..=to {
        let corpus = corpus(seed);
        for project in &corpus.projects {
            for planted in &project.planted {
                let kind = format!("{:?}", planted.kind);
                if kind != *want {
                    continue;
                }
                println!(
                    "## seed {seed} {} {kind} says {:?} or {:?} never {:?} optional {} sessions {}",
                    project.root,
                    planted.says.iter().map(|p| &p.head).collect::<Vec<_>>(),
                    planted.or_says.iter().map(|p| &p.head).collect::<Vec<_>>(),
                    planted.never,
                    planted.is_optional,
                    planted.sessions.len()
                );
                for session in &project.sessions {
                    if !planted.sessions.contains(&session.id) {
                        continue;
                    }
                    let t = transcript(&replay(session.bytes.clone()));
                    let mut lines: Vec<(bool, String)> = Vec::new();
                    for turn in &t.turns {
                        if turn.role.as_str() == "user" {
                            let hit = planted
                                .says
                                .iter()
                                .chain(&planted.or_says)
                                .any(|p| turn.text.contains(&p.head))
                                || planted.never.iter().any(|n| turn.text.contains(n.as_str()));
                            lines.push((
                                hit,
                                format!(
                                    "  U: {}",
                                    turn.text
                                        .chars()
                                        .take(240)
                                        .collect::<String>()
                                        .replace('\n', " / ")
                                ),
                            ));
                        }
                        for tool in &turn.tools {
                            let hit = planted
                                .says
                                .iter()
                                .chain(&planted.or_says)
                                .any(|p| tool.input.contains(&p.head))
                                || planted
                                    .never
                                    .iter()
                                    .any(|n| tool.input.contains(n.as_str()));
                            lines.push((
                                hit,
                                format!(
                                    "    {} {} [{:?}] => {}",
                                    tool.name,
                                    tool.input.chars().take(140).collect::<String>(),
                                    tool.outcome,
                                    tool.output
                                        .chars()
                                        .rev()
                                        .take(70)
                                        .collect::<String>()
                                        .chars()
                                        .rev()
                                        .collect::<String>()
                                        .replace('\n', " / ")
                                ),
                            ));
                        }
                    }
                    println!(" -- {}", session.file);
                    let keep: Vec<bool> = (0..lines.len())
                        .map(|i| {
                            (i.saturating_sub(2)..(i + 3).min(lines.len())).any(|j| lines[j].0)
                        })
                        .collect();
                    for (k, (_, l)) in keep.iter().zip(&lines) {
                        if *k {
                            println!("{l}");
                        }
                    }
                    if planted.kind == Kind::Correction {}
                }
            }
        }
    }
}
