//! What happens in a run, and what time it is.

use std::sync::atomic::{AtomicU64, Ordering};

use analects_agent::tools::{Refusal, RefusalKind};
use analects_engine::models::ledger::Purpose;
use analects_engine::talk::stats::{Call, Decision, Outcome, Stats, ToolCall};
use analects_engine::talk::{Ended, How, Tell};
use analects_text::problem::{Code, Problem, Severity};
use analects_world::model::Part;
use analects_world::models::Usage;
use analects_world::{Cancel, Clock};
use serde_json::json;

/// Every look at it is a tenth of a second later.
#[derive(Default)]
pub(super) struct TickingClock(AtomicU64);

impl Clock for TickingClock {
    fn now_ms(&self) -> u64 {
        let ticks = self.0.fetch_add(1, Ordering::Relaxed);
        1_700_000_000_000 + ticks * 100
    }

    fn wait(&self, _: u64, _: &Cancel) {}
}

static CUT: Code = Code {
    name: "file-cut",
    severity: Severity::Warning,
    meaning: "",
};
static RELOADED: Code = Code {
    name: "memory-reloaded",
    severity: Severity::Note,
    meaning: "",
};
static NOT_RECORDED: Code = Code {
    name: "not-recorded",
    severity: Severity::Error,
    meaning: "",
};

/// What happens in the course of a run: something of everything.
pub(super) fn script(tell: &mut dyn FnMut(Tell<'_>)) {
    tell(Tell::Began {
        session: "0a1b",
        model: "gemini-3.8-flash",
    });
    tell(Tell::Notice(
        &Problem::new(&CUT, "cut at 1 MiB").in_file("/w/GEMINI.md"),
    ));
    tell(Tell::Piece(&Part::text("I will lo")));
    tell(Tell::StartOver {
        why: "the connection was lost",
    });
    tell(Tell::Piece(&Part::text("Let me look.")));
    tell(Tell::Said {
        text: "Let me look.",
    });
    tell(Tell::Uses {
        id: "c1",
        name: "read_file",
        args: &json!({"file_path": "src/main.rs", "start_line": 3}),
    });
    tell(Tell::Uses {
        id: "c2",
        name: "run_shell_command",
        args: &json!({"command": "printf '\u{1b}[2J'\nmore"}),
    });
    tell(Tell::Prints {
        id: "c2",
        text: "\u{1b}[2Jout\n",
    });
    tell(Tell::Used {
        id: "c1",
        result: Ok("fn main() {}\n"),
        shown: "read 1 line of src/main.rs",
    });
    let refusal = Refusal::new(RefusalKind::Denied, "the policy does not allow this");
    tell(Tell::Used {
        id: "c2",
        result: Err(&refusal),
        shown: "",
    });
    tell(Tell::Notice(&Problem::new(&RELOADED, "1 file changed")));
    tell(Tell::Notice(&Problem::new(
        &NOT_RECORDED,
        "the disk is full",
    )));
    tell(Tell::Said { text: "" });
    tell(Tell::Said {
        text: "It is empty.",
    });
}

pub(super) fn ended(how: How) -> Ended {
    let mut stats = Stats::default();
    let call = Call {
        model: "gemini-3.8-flash",
        purpose: Purpose::Chat,
        n_attempts: 2,
        ms: 800,
    };
    let usage = Usage {
        prompt: Some(1_000),
        cached: Some(600),
        answer: Some(20),
        thoughts: Some(5),
    };
    stats.answered(&call, &usage);
    stats.tool(&ToolCall {
        name: "read_file",
        ms: 2,
        outcome: Outcome::Done,
        decision: Some(Decision::AutoAccept),
    });
    stats.loaded(2, 120);
    stats.sent(1_000, 1_048_576);
    Ended {
        session: "0a1b".to_owned(),
        response: "It is empty.\u{1b}]0;x\u{7}".to_owned(),
        how,
        stats,
        problems: vec![
            Problem::new(&CUT, "cut at 1 MiB").in_file("/w/GEMINI.md"),
            Problem::new(&CUT, "cut too")
                .in_file("/w/a/GEMINI.md")
                .on_line(7),
        ],
    }
}
