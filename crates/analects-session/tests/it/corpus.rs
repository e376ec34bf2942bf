//! Sessions that were made up are read as they were made.

use analects_session::from_gemini::transcript;
use analects_session::replay::replay;
use analects_session::transcript::Kind;
use analects_testkit::corpus::{Ineligible, corpus};

#[test]
fn made_up_sessions_are_read_as_they_were_made() {
    let corpus = corpus(31);
    for session in corpus.sessions() {
        let replayed = replay(session.bytes.clone());
        let is_legacy = session.file.ends_with(".json");
        assert_eq!(
            replayed.is_torn(),
            session.is_torn || is_legacy,
            "{}",
            session.file
        );
        let transcript = transcript(&replayed);
        assert_eq!(transcript.head.id, session.id);
        let n_prompts = transcript.prompts().count();
        assert_eq!(n_prompts, session.n_prompts, "{}", session.file);
        let is_sub_agent = session.why_not == Some(Ineligible::SubAgent);
        assert_eq!(
            matches!(transcript.head.kind, Kind::Subagent { .. }),
            is_sub_agent
        );
    }
}
