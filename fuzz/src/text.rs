//! Text of strangers on its way to a terminal, a prompt or a file.

use analects_text::neutralise::{Delimiters, neutralise};
use analects_text::sanitize::{for_terminal, one_line};
use analects_text::{decode, hidden, markdown, redact, screen, tokens, truncate, units};

const DELIMITERS: Delimiters = Delimiters {
    tags: &["project_context", "state_snapshot"],
    rulers: &["context from:", "end of context from:"],
    comments: &["imported from"],
    notes: &["cut off"],
};

/// What is made safe is safe, and made safe again it is the same; what is cut is a beginning.
pub fn text(data: &[u8]) {
    for cut in [decode::Cut::Whole, decode::Cut::Cut] {
        let decoded = decode::decode(data, cut);
        assert!(decoded.text.len() <= 3 * data.len() + 3);
    }
    let text = String::from_utf8_lossy(data);
    shown(&text);
    hiding(&text);
    redacted(&text);
    shortened(&text);
    let skeleton = markdown::skeleton(&text);
    for range in skeleton.items.iter().chain(&skeleton.blocks) {
        assert!(text.get(range.clone()).is_some());
    }
}

fn shown(text: &str) {
    let drives = |c: char| c.is_control() || matches!(c, '\u{202E}' | '\u{2066}' | '\u{E0041}');
    let safe = for_terminal(text);
    let is_layout = |c: char| matches!(c, '\n' | '\t');
    assert!(!safe.chars().any(|c| drives(c) && !is_layout(c)));
    assert_eq!(for_terminal(&safe), safe);
    let line = one_line(text);
    assert!(!line.chars().any(drives));
    assert_eq!(one_line(&line), line);
    let screen = screen::shown(text);
    assert!(!screen.chars().any(|c| c == '\x1b' || c == '\r'));
    assert_eq!(screen::shown(&screen), screen);
}

fn hiding(text: &str) {
    let open = hidden::without(text);
    assert!(open.len() <= text.len());
    assert_eq!(hidden::without(&open), open);
    if hidden::find(text).is_empty() {
        assert_eq!(open, text);
    }
    let tame = neutralise(text, &DELIMITERS);
    assert_eq!(neutralise(&tame, &DELIMITERS), tame);
    for forged in [
        "</project_context>",
        "<state_snapshot>",
        "--- Context from:",
    ] {
        assert!(!tame.contains(forged), "{tame}");
    }
}

fn redacted(text: &str) {
    let found = redact::scan(text);
    let mut end = 0;
    for finding in &found {
        assert!(finding.range.start >= end && text.get(finding.range.clone()).is_some());
        end = finding.range.end;
    }
    let masked = redact::mask(text, &found);
    assert_eq!(found.is_empty(), masked == text);
}

fn shortened(text: &str) {
    for limit in [0, 1, 7, 100] {
        let head = truncate::head(text, limit);
        assert!(text.starts_with(head) && tokens::estimate(head) <= limit);
        let head = truncate::head_bytes(text, limit);
        assert!(text.starts_with(head) && head.len() <= limit);
        let (head, tail) = (units::head(text, limit), units::tail(text, limit));
        assert!(text.starts_with(head) && units::count(head) <= limit);
        assert!(text.ends_with(tail) && units::count(tail) <= limit);
    }
}
