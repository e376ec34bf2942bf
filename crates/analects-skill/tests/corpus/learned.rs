//! Learns from a corpus as the engine would: eligible sessions only, each project by itself.

use analects_session::from_gemini::transcript;
use analects_session::replay::replay;
use analects_session::transcript::Kind;
use analects_skill::eligible;
use analects_skill::learn::{Lesson, Notes, Options, learn};
use analects_testkit::corpus::{Corpus, Judgement, Project, Proposal, judge};

const MIN_PROMPTS: usize = 10;
const MIN_IDLE_MS: u64 = 3 * 60 * 60 * 1000;

/// What is learned from each project.
pub(crate) fn lessons(corpus: &Corpus) -> Vec<(&Project, Vec<Lesson>)> {
    let of = |project| (project, of_project(project, corpus.now_ms));
    corpus.projects.iter().map(of).collect()
}

fn of_project(project: &Project, now_ms: u64) -> Vec<Lesson> {
    let mut notes: Vec<(String, Notes)> = Vec::new();
    for session in project.sessions.iter().rev() {
        let transcript = transcript(&replay(session.bytes.clone()));
        let updated_ms = transcript
            .head
            .updated
            .map_or(session.updated_ms, |at| at.as_ms());
        let is_idle = updated_ms.saturating_add(MIN_IDLE_MS) <= now_ms;
        let is_main = transcript.head.kind == Kind::Main && !session.file.contains('/');
        let is_long = eligible::n_prompts(&transcript) >= MIN_PROMPTS;
        let is_known = notes.iter().any(|(id, _)| *id == transcript.head.id);
        if is_idle && is_main && is_long && !is_known {
            let id = transcript.head.id.clone();
            notes.push((
                id,
                Notes::take(&transcript, Some(&project.root), updated_ms),
            ));
        }
    }
    let notes: Vec<_> = notes.into_iter().map(|(_, notes)| notes).collect();
    let options = Options {
        now_ms,
        taken: &[],
        known: &[],
    };
    learn(&notes, options)
}

/// What the judge says of it.
pub(crate) fn judged(corpus: &Corpus, learned: &[(&Project, Vec<Lesson>)]) -> Judgement {
    let mut proposals = Vec::new();
    for (project, lessons) in learned {
        for lesson in lessons {
            for (_, text) in &lesson.files {
                proposals.push(Proposal {
                    project: &project.root,
                    name: &lesson.name,
                    text,
                    is_quarantined: lesson.taint.is_some(),
                });
            }
        }
    }
    judge(corpus, &proposals)
}
