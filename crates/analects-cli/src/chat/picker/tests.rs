//! Pickers as the chat opens them: sessions to resume, and an inbox to decide on.

mod any;
mod keys;
mod lines;
mod performed;
mod screens;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;

use super::*;

const RESUME: Action = Action {
    key: Key::Enter,
    word: "resume",
    takes: Takes::One,
    after: After::Ends,
};
const ACCEPT: Action = Action {
    key: Key::Letter('a'),
    word: "accept for me",
    takes: Takes::Many,
    after: After::Stays,
};
const ACCEPT_HERE: Action = Action {
    key: Key::Letter('p'),
    word: "accept for this project",
    ..ACCEPT
};
const EDIT: Action = Action {
    key: Key::Letter('e'),
    word: "edit",
    takes: Takes::One,
    after: After::StepsAside,
};
const DISMISS: Action = Action {
    key: Key::Letter('d'),
    word: "dismiss",
    ..ACCEPT
};
const INBOX: [Action; 4] = [ACCEPT, ACCEPT_HERE, EDIT, DISMISS];

const SESSIONS: [(&str, &str); 5] = [
    ("Why does the build take so long", "2 h ago · 14 messages"),
    ("Fix the parser for CRLF files", "5 h ago · 132 messages"),
    ("登录页面的错误信息要翻译成中文", "yesterday · 8 messages"),
    (
        "A title that says so much that it cannot possibly stand in one row of a narrow screen",
        "2 days ago · 3 messages",
    ),
    (
        "Evil \u{1b}[2J title\r\nof \u{202e}two lines",
        "\u{7}just now",
    ),
];

fn item(id: &str, title: &str, note: &str) -> Item {
    Item {
        id: id.to_owned(),
        title: title.to_owned(),
        note: note.to_owned(),
        tags: Vec::new(),
        is_bulk: true,
    }
}

fn sessions() -> Picker {
    let items = (1..).zip(SESSIONS);
    let items = items.map(|(n, (title, note))| item(&format!("s{n}"), title, note));
    Picker::new("Sessions", items.collect(), &[RESUME])
}

fn proposals() -> Vec<Item> {
    let mut items = vec![
        item("release-a-crate", "release-a-crate", "seen in 4 sessions"),
        item(
            "style.md.patch",
            "style.md.patch",
            "1 line added, 1 removed",
        ),
        item("from-the-web", "from-the-web", "rests on foreign text"),
        item("run-the-lab", "run-the-lab", "seen in 2 sessions"),
    ];
    for (item, tag) in items.iter_mut().zip(["new skill", "memory", "quarantine"]) {
        item.tags.push(tag.to_owned());
    }
    items[2].is_bulk = false;
    items
}

fn inbox() -> Picker {
    Picker::new("Inbox", proposals(), &INBOX)
}

/// What the preview of an item says.
fn preview(id: &str) -> String {
    match id {
        "style.md.patch" => "\
A rule that you corrected twice:

- tabs are no longer used

--- style.md
+++ style.md
@@ -1,3 +1,3 @@
 # Style
-- Indent with tabs.
+- Indent with four blanks, and never with tabs: \u{1b}[31mred\u{1b}[0m is not red here, and this line is so long that it is folded.
 - Name things well.

- after the diff
"
        .to_owned(),
        _ => (1..=40).map(|n| format!("{id}: line {n}\n")).collect(),
    }
}

/// The keys that a text names: letters by themselves, others as `<name>`.
fn keys(script: &str) -> Vec<KeyEvent> {
    let mut keys = Vec::new();
    let mut rest = script.chars();
    while let Some(c) = rest.next() {
        let mut modifiers = KeyModifiers::NONE;
        let code = if c == '<' {
            match rest
                .by_ref()
                .take_while(|c| *c != '>')
                .collect::<String>()
                .as_str()
            {
                "enter" => KeyCode::Enter,
                "esc" => KeyCode::Esc,
                "tab" => KeyCode::Tab,
                "back" => KeyCode::Backspace,
                "up" => KeyCode::Up,
                "down" => KeyCode::Down,
                "left" => KeyCode::Left,
                "right" => KeyCode::Right,
                "pgup" => KeyCode::PageUp,
                "pgdn" => KeyCode::PageDown,
                "home" => KeyCode::Home,
                "end" => KeyCode::End,
                other => {
                    let letter = other
                        .strip_prefix("ctrl-")
                        .and_then(|rest| rest.chars().next());
                    modifiers = KeyModifiers::CONTROL;
                    KeyCode::Char(letter.unwrap())
                }
            }
        } else {
            KeyCode::Char(c)
        };
        keys.push(KeyEvent::new(code, modifiers));
    }
    keys
}

/// Presses keys, with a drawing and a preview in between as in real life; what the last one came to.
fn press(picker: &mut Picker, script: &str, size: (u16, u16)) -> Step {
    let mut step = Step::Stay;
    for key in keys(script) {
        step = picker.key(key);
        drawn(picker, size);
    }
    step
}

/// What a picker draws on a screen of this size.
fn drawn(picker: &mut Picker, (columns, rows): (u16, u16)) -> Buffer {
    if let Some(id) = picker.wants_preview().map(str::to_owned) {
        let text = preview(&id);
        picker.give_preview(id, &text);
    }
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(|frame| picker.draw(frame)).unwrap();
    terminal.backend().buffer().clone()
}

/// The rows of a screen, without blanks at their ends.
fn rows(buffer: &Buffer) -> String {
    use ratatui::buffer::CellWidth as _;
    let mut text = String::new();
    for y in 0..buffer.area.height {
        let mut row = String::new();
        let mut x = 0;
        while x < buffer.area.width {
            let symbol = buffer[(x, y)].symbol();
            row.push_str(symbol);
            x += symbol.cell_width().max(1);
        }
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}
