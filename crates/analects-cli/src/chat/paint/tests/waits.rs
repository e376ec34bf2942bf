//! What is shown while nothing is said.

use super::*;

const LINES: PaintOptions = PaintOptions {
    style: Style::Lines,
    has_color: false,
    ..RICH
};

/// A painter whose bytes can be looked at step by step.
struct Stage {
    paint: Paint,
    out: Vec<u8>,
}

impl Stage {
    fn new(options: PaintOptions) -> Self {
        let paint = Paint::new(options);
        let out = Vec::new();
        Self { paint, out }
    }

    fn act(&mut self, act: impl FnOnce(&mut Paint, &mut dyn Write) -> io::Result<()>) -> String {
        let before = self.out.len();
        act(&mut self.paint, &mut self.out).unwrap();
        String::from_utf8(self.out[before..].to_vec()).unwrap()
    }

    fn page(&self) -> String {
        let bytes = String::from_utf8(self.out.clone()).unwrap();
        assert_tame(&bytes);
        page(&bytes, self.paint.canvas.size)
    }
}

#[test]
fn waiting_shows_after_half_a_second_and_leaves_no_trace() {
    let mut stage = Stage::new(RICH);
    stage.act(|paint, out| paint.wait(out, "asking\u{1b}", 1000));
    assert_eq!(stage.act(|paint, out| paint.tick(out, 1499)), "");
    stage.act(|paint, out| paint.tick(out, 1500));
    assert_eq!(stage.page(), "⠋ asking\\u{1b} · 0 s");
    assert_eq!(stage.act(|paint, out| paint.tick(out, 1699)), "");
    stage.act(|paint, out| paint.tick(out, 3200));
    assert_eq!(stage.page(), "⠙ asking\\u{1b} · 2 s");
    stage.act(|paint, out| paint.text(out, "Yes.", 3300));
    assert_eq!(stage.page(), "Yes.");
    assert_eq!(stage.act(|paint, out| paint.tick(out, 9000)), "");
}

#[test]
fn a_narrow_screen_holds_what_is_waited_for() {
    let mut stage = Stage::new(sized(6, 3));
    stage.act(|paint, out| paint.wait(out, "asking 文字", 0));
    stage.act(|paint, out| paint.tick(out, 600));
    stage.act(|paint, out| paint.end(out, 700));
    assert_eq!(stage.page(), "");
}

#[test]
fn where_nothing_is_written_over_a_long_wait_is_said_once() {
    let mut stage = Stage::new(LINES);
    stage.act(|paint, out| paint.wait(out, "asking", 0));
    for now_ms in (0..20_000).step_by(100) {
        stage.act(|paint, out| paint.tick(out, now_ms));
    }
    assert_eq!(stage.out, "asking …\n".as_bytes());
}

#[test]
fn thoughts_are_folded_and_kept() {
    let mut stage = Stage::new(RICH);
    stage.act(|paint, out| paint.thought(out, "Hm. \u{1b}[2J", 0));
    stage.act(|paint, out| paint.thought(out, "\nYes.", 600));
    stage.act(|paint, out| paint.tick(out, 700));
    assert_eq!(stage.page(), "⠋ thinking · 0 s");
    stage.act(|paint, out| paint.text(out, "It is so.", 4200));
    assert_eq!(stage.page(), "thought for 4 s\nIt is so.");
    assert_eq!(stage.paint.thoughts(), "Hm. \u{1b}[2J\nYes.");
    stage.act(|paint, out| paint.unfold(out, 5000));
    assert_eq!(
        stage.page(),
        "thought for 4 s\nIt is so.\nHm. \\u{1b}[2J\nYes."
    );
}

#[test]
fn a_short_thought_is_not_worth_a_line_nor_does_it_break_a_sentence() {
    let mut stage = Stage::new(RICH);
    stage.act(|paint, out| paint.text(out, "It is", 0));
    stage.act(|paint, out| paint.thought(out, "Hm.", 100));
    stage.act(|paint, out| paint.tick(out, 200));
    stage.act(|paint, out| paint.text(out, " so.", 300));
    assert_eq!(stage.page(), "It is so.");
}

#[test]
fn thoughts_without_end_do_not_fill_the_memory() {
    let mut stage = Stage::new(RICH);
    for _ in 0..100 {
        stage.act(|paint, out| paint.thought(out, &"思".repeat(5000), 0));
    }
    assert!(stage.paint.thoughts().len() < 200_000);
}

#[test]
fn who_is_asked_again_begins_anew() {
    let mut stage = Stage::new(RICH);
    stage.act(|paint, out| paint.text(out, "```\nIt is", 0));
    stage.act(|paint, out| paint.start_over(out, "the line\u{1b} broke", 100));
    stage.act(|paint, out| paint.text(out, "# It is so.", 200));
    stage.act(|paint, out| paint.end(out, 300));
    let said = "the model is asked again: the line\\u{1b} broke; what it said above is void";
    assert_eq!(stage.page(), format!("    It is\n{said}\nIt is so."));
}

#[test]
fn what_was_not_painted_need_not_be_taken_back() {
    let mut stage = Stage::new(LINES);
    stage.act(|paint, out| paint.text(out, "It is", 0));
    stage.act(|paint, out| paint.start_over(out, "no answer", 100));
    stage.act(|paint, out| paint.text(out, "So.", 100));
    stage.act(|paint, out| paint.end(out, 100));
    assert_eq!(
        stage.page(),
        "the model is asked again: no answer\n                                   So."
    );
}

#[test]
fn another_width_leaves_what_stands_there() {
    let mut stage = Stage::new(RICH);
    stage.act(|paint, out| paint.text(out, "One **two", 0));
    let size = Size {
        width: 40,
        height: 24,
    };
    stage.act(|paint, out| paint.resize(out, size));
    stage.act(|paint, out| paint.text(out, "three** four", 100));
    stage.act(|paint, out| paint.end(out, 100));
    assert_eq!(stage.page(), "One two\nthree four");
}
