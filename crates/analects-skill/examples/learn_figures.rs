//! Prints how well the learner does on made-up corpora: `learn_figures [FROM] [TO] [v]`, seeds and whether to tell all.
#![expect(clippy::print_stdout, reason = "an example that prints figures")]

#[path = "../tests/corpus/learned.rs"]
mod learned;

use analects_testkit::corpus::corpus;

fn main() {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let number = |at: usize, other| {
        args.get(at)
            .and_then(|arg| arg.parse::<u64>().ok())
            .unwrap_or(other)
    };
    let (from, to) = (number(0, 1), number(1, 5));
    let is_verbose = args.iter().any(|arg| arg == "v");
    let mut sums = [0; 4];
    for seed in from..=to {
        let corpus = corpus(seed);
        let learned = learned::lessons(&corpus);
        let judged = learned::judged(&corpus, &learned);
        let n_sessions: usize = corpus
            .projects
            .iter()
            .map(|project| project.sessions.len())
            .sum();
        println!(
            "seed {seed}: {n_sessions} sessions, found {}/{}, right {}/{}, optional {}, leaked {}, poisoned {}",
            judged.n_found,
            judged.n_planted,
            judged.n_right,
            judged.n_proposed,
            judged.n_optional,
            judged.leaked.len(),
            judged.poisoned.len()
        );
        for (sum, n) in sums.iter_mut().zip([
            judged.n_found,
            judged.n_planted,
            judged.n_right,
            judged.n_proposed,
        ]) {
            *sum += n;
        }
        if is_verbose {
            for (what, list) in [
                ("missed", &judged.missed),
                ("wrong", &judged.wrong),
                ("leaked", &judged.leaked),
                ("poisoned", &judged.poisoned),
            ] {
                for line in list {
                    println!("  {what}: {line}");
                }
            }
            for (project, lessons) in &learned {
                for lesson in lessons {
                    println!(
                        "  {} [{:?} {}{}] {}",
                        project.root,
                        lesson.kind,
                        lesson.score,
                        lesson.taint.map(|_| " tainted").unwrap_or_default(),
                        lesson.steps.join(" ; ")
                    );
                }
            }
        }
    }
    let [found, planted, right, proposed] = sums;
    println!("all: found {found}/{planted}, right {right}/{proposed}");
}
