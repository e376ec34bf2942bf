//! Debug.
#![allow(clippy::print_stdout, missing_docs)]
use analects_session::from_gemini::transcript;
use analects_session::replay::replay;
use analects_session::transcript::Kind;
use analects_skill::learn::{Notes, debug};
use analects_testkit::corpus::corpus;
fn main() {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let corpus = corpus(args[0].parse().unwrap());
    for project in &corpus.projects {
        if !project.root.contains(&args[1]) {
            continue;
        }
        let mut notes = Vec::new();
        let mut seen = Vec::new();
        for session in project.sessions.iter().rev() {
            let t = transcript(&replay(session.bytes.clone()));
            if t.head.kind != Kind::Main || session.why_not.is_some() || seen.contains(&t.head.id) {
                continue;
            }
            seen.push(t.head.id.clone());
            notes.push(Notes::take(&t, Some(&project.root), session.updated_ms));
        }
        println!("{}", debug(&notes, &args[2..]));
    }
}
