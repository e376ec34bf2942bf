//! JSON as anybody might have written it.

use proptest::prelude::*;

use super::noise::{Noise, bytes, check_laws};
use super::*;
use crate::json_edit::{Draft, Json, Step};
use crate::setup::wanted::Format;

struct Author {
    noise: Noise,
    newline: &'static str,
    /// How often there is something unusual between two words.
    is_wild: bool,
    text: String,
}

impl Author {
    fn file(bytes: Vec<u8>) -> String {
        let mut noise = Noise::new(bytes);
        let newline = if noise.flip() { "\r\n" } else { "\n" };
        let is_wild = noise.flip();
        let mut author = Self {
            newline,
            is_wild,
            text: String::new(),
            noise,
        };
        if author.noise.below(8) == 7 {
            author.text.push('\u{FEFF}');
        }
        if author.is_wild {
            author.gap(0);
        }
        match author.noise.below(12) {
            11 => {}
            _ => author.root(),
        }
        if author.noise.flip() {
            author.text.push_str(newline);
        }
        author.text
    }

    fn root(&mut self) {
        let mut members = Vec::new();
        for name in ["a", "mcpServers", "é", "hooks", "z"] {
            if self.noise.flip() {
                members.push(name);
            }
        }
        if self.noise.flip() {
            members.reverse();
        }
        self.sequence('{', '}', members.len(), 1, |author, index| {
            author.name(members[index]);
            match members[index] {
                "mcpServers" => author.servers(),
                "hooks" => author.hooks(),
                _ => author.value(2),
            }
        });
    }

    fn servers(&mut self) {
        let n_servers = self.noise.below(4);
        self.sequence('{', '}', n_servers, 2, |author, index| {
            author.name(["github", "b,}", "// no"][index]);
            author.value(3);
        });
    }

    fn hooks(&mut self) {
        let events = ["SessionStart", "Stop", "AfterTool"];
        let n_events = self.noise.below(4);
        self.sequence('{', '}', n_events, 2, |author, index| {
            author.name(events[index]);
            let n_groups = author.noise.below(3);
            author.sequence('[', ']', n_groups, 3, |author, _| author.group());
        });
    }

    fn group(&mut self) {
        let n_handlers = self.noise.below(3);
        self.sequence('{', '}', 1, 4, |author, _| {
            author.name("hooks");
            author.sequence('[', ']', n_handlers, 5, |author, _| {
                let command = author.noise.pick(&["date", "borg hook gemini X", "[{"]);
                author.text.push_str("{\"command\": \"");
                author.text.push_str(command);
                author.text.push_str("\"}");
            });
        });
    }

    fn value(&mut self, depth: usize) {
        match self.noise.below(6) {
            0 => self.text.push_str("\"x // \\\" ,\""),
            1 => self.text.push_str("-1.5e3"),
            2 => self.text.push_str("null"),
            n if depth > 4 => self.text.push_str(if n == 3 { "[]" } else { "{}" }),
            3 => {
                let n = self.noise.below(3);
                self.sequence('[', ']', n, depth, |author, _| author.value(depth + 1));
            }
            _ => {
                let n = self.noise.below(3);
                self.sequence('{', '}', n, depth, |author, index| {
                    author.name(["k", "command", "文"][index]);
                    author.value(depth + 1);
                });
            }
        }
    }

    fn name(&mut self, name: &str) {
        write!(self.text, "\"{name}\"").unwrap();
        self.odd_gap();
        self.text.push(':');
        self.text.push(' ');
        self.odd_gap();
    }

    fn sequence(
        &mut self,
        open: char,
        close: char,
        n: usize,
        depth: usize,
        mut part: impl FnMut(&mut Self, usize),
    ) {
        self.text.push(open);
        let has_lines = self.noise.below(4) > 0;
        let line = |author: &mut Self, depth: usize| {
            if author.is_wild {
                author.gap(depth);
            } else if has_lines && n > 0 {
                author.text.push_str(author.newline);
                author.text.push_str(&"    ".repeat(depth));
            }
        };
        for index in 0..n {
            line(self, depth);
            part(self, index);
            self.odd_gap();
            if index + 1 < n || self.noise.below(4) == 3 {
                self.text.push(',');
                if self.noise.below(6) == 5 {
                    let remark = self.noise.remark();
                    write!(self.text, " // {remark}{}", self.newline).unwrap();
                }
            }
        }
        line(self, depth - 1);
        self.text.push(close);
    }

    fn odd_gap(&mut self) {
        if self.is_wild && self.noise.below(4) == 3 {
            self.gap(1);
        }
    }

    fn gap(&mut self, depth: usize) {
        let newline = self.newline;
        let gap = match self.noise.below(7) {
            0 => String::new(),
            1 => " ".to_owned(),
            2 => format!("{newline}{}", "\t".repeat(depth)),
            3 => format!("{newline}{newline}  "),
            4 => format!(" // {}{newline}", self.noise.remark()),
            5 => format!("/* {} */", self.noise.remark()),
            _ => format!(" /* {}{newline} */ ", self.noise.remark()),
        };
        self.text.push_str(&gap);
    }
}

/// What another program might do to a file that is wired.
fn edit(text: &str, way: u8) -> String {
    let mut draft = Draft::new(text).unwrap();
    let value = Json::Object(vec![("command".to_owned(), Json::Text("x".to_owned()))]);
    let group = Json::Object(vec![("hooks".to_owned(), Json::List(vec![value.clone()]))]);
    let hooks = |event| [Step::Key("hooks"), Step::Key(event)];
    match way % 5 {
        0 => return format!("{text} "),
        1 => draft.set(&[Step::Key("new")], &value),
        2 => draft.set(&[Step::Key("mcpServers"), Step::Key("new")], &value),
        3 => draft.push(&hooks("AfterTool"), &group),
        _ => draft.set(&hooks("Notification"), &Json::List(vec![group])),
    }
    .unwrap();
    draft.into_text()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn any_json_keeps_its_bytes(bytes in bytes(), way in any::<u8>()) {
        let before = Author::file(bytes);
        let path = "/h/.gemini/settings.json";
        check_laws(Agent::Gemini, Format::Commented, path, &before, |text| edit(text, way));
    }
}
