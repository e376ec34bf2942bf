//! Debug.
#![allow(clippy::print_stdout, missing_docs)]
use analects_session::from_gemini::transcript;
use analects_session::replay::replay;
use analects_testkit::corpus::corpus;
fn main() {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let seed: u64 = args[0].parse().unwrap();
    let corpus = corpus(seed);
    for project in &corpus.projects {
        if !project.root.contains(&args[1]) {
            continue;
        }
        for session in &project.sessions {
            let t = transcript(&replay(session.bytes.clone()));
            let mut out = String::new();
            let mut hit = false;
            for turn in &t.turns {
                if turn.role.as_str() == "user" {
                    out += &format!(
                        "  U: {}\n",
                        turn.text
                            .chars()
                            .take(300)
                            .collect::<String>()
                            .replace('\n', " / ")
                    );
                }
                for tool in &turn.tools {
                    out += &format!(
                        "    {} {} [{:?}] => {}\n",
                        tool.name,
                        tool.input.chars().take(200).collect::<String>(),
                        tool.outcome,
                        tool.output
                            .chars()
                            .take(160)
                            .collect::<String>()
                            .replace('\n', " / ")
                    );
                }
            }
            for needle in &args[2..] {
                if out.contains(needle.as_str()) {
                    hit = true;
                }
            }
            if hit {
                println!("=== {} {:?}\n{out}", session.file, session.why_not);
            }
        }
    }
}
