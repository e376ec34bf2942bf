//! What each key means, and what the screen says about it.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::list::Move;
use super::{Action, Focus, Key, Mode, Picker, Step, Takes, text};

/// More is not typed to find something.
const MAX_QUERY_CHARS: usize = 200;

impl Picker {
    /// Takes a key.
    pub(crate) fn key(&mut self, key: KeyEvent) -> Step {
        if key.kind == KeyEventKind::Release {
            return Step::Stay;
        }
        self.said.clear();
        if is_ctrl(key, 'c') {
            return Step::Leave;
        }
        match self.mode {
            Mode::Choosing => self.choose(key),
            Mode::Searching => self.type_query(key),
            Mode::Help => {
                self.read_help(key);
                Step::Stay
            }
        }
    }

    /// Takes what was pasted: words to look for while searching. Elsewhere its letters would be taken for actions.
    pub(crate) fn paste(&mut self, pasted: &str) {
        if self.mode == Mode::Searching {
            self.extend_query(pasted);
        }
    }

    fn choose(&mut self, key: KeyEvent) -> Step {
        if let Some(action) = self.action_of(key) {
            return self.act(action);
        }
        if let Some(to) = movement(key) {
            self.go(to);
            return Step::Stay;
        }
        if has_command(key) {
            return Step::Stay;
        }
        match key.code {
            KeyCode::Char('q') => return Step::Leave,
            KeyCode::Esc => return self.step_back(),
            KeyCode::Char('/') => {
                self.mode = Mode::Searching;
                self.focus = Focus::List;
            }
            KeyCode::Char('?') => self.mode = Mode::Help,
            KeyCode::Char(' ') if self.takes_many() => self.mark(),
            KeyCode::Char('*') if self.takes_many() => self.list.mark_all(),
            KeyCode::Tab | KeyCode::BackTab => self.look_at(match self.focus {
                Focus::List => Focus::Preview,
                Focus::Preview => Focus::List,
            }),
            // Where Enter chooses nothing, it looks closer.
            KeyCode::Right | KeyCode::Enter => self.look_at(Focus::Preview),
            KeyCode::Left => self.look_at(Focus::List),
            _ => {}
        }
        Step::Stay
    }

    fn action_of(&self, key: KeyEvent) -> Option<Action> {
        let wanted = match key.code {
            _ if has_command(key) => return None,
            KeyCode::Enter => Key::Enter,
            KeyCode::Char(c) => Key::Letter(c),
            _ => return None,
        };
        let mut actions = self.actions.iter().copied();
        actions.find(|action| action.key == wanted)
    }

    fn act(&mut self, action: Action) -> Step {
        let items = match action.takes {
            Takes::Many => self.list.chosen(),
            Takes::One => {
                let selected = self.list.selected();
                selected.map(|row| row.id.clone()).into_iter().collect()
            }
        };
        if items.is_empty() {
            self.said = format!("nothing to {}", action.word);
            return Step::Stay;
        }
        Step::Do { action, items }
    }

    fn go(&mut self, to: Move) {
        match self.focus {
            Focus::List => self.list.go(to),
            Focus::Preview => {
                if let Some(sheet) = self.sheet() {
                    sheet.go(to);
                }
            }
        }
    }

    fn mark(&mut self) {
        if !self.list.mark() {
            "this one is decided on its own, not among many".clone_into(&mut self.said);
        }
    }

    fn look_at(&mut self, focus: Focus) {
        let has_preview = self.list.selected().is_some();
        self.focus = if has_preview { focus } else { Focus::List };
    }

    /// Undoes one thing: Esc is what people press who want to be where they were.
    fn step_back(&mut self) -> Step {
        if self.focus == Focus::Preview {
            self.focus = Focus::List;
        } else if !self.list.query().is_empty() {
            self.list.search(String::new());
        } else {
            return Step::Leave;
        }
        Step::Stay
    }

    fn type_query(&mut self, key: KeyEvent) -> Step {
        match key.code {
            KeyCode::Esc => {
                self.list.search(String::new());
                self.mode = Mode::Choosing;
            }
            KeyCode::Enter | KeyCode::Tab => self.mode = Mode::Choosing,
            KeyCode::Backspace => {
                let mut query = self.list.query().to_owned();
                // Nothing left to take away: the search itself goes.
                if query.pop().is_none() {
                    self.mode = Mode::Choosing;
                }
                self.list.search(query);
            }
            _ if is_ctrl(key, 'u') => self.list.search(String::new()),
            _ if is_ctrl(key, 'w') => {
                let query = self.list.query().trim_end();
                let end = query.rfind(' ').map_or(0, |at| at + 1);
                let query = query.get(..end).unwrap_or_default().to_owned();
                self.list.search(query);
            }
            KeyCode::Char(c) if !has_command(key) => self.extend_query(c.encode_utf8(&mut [0; 4])),
            _ => {
                if let Some(to) = movement(key) {
                    self.list.go(to);
                }
            }
        }
        Step::Stay
    }

    fn extend_query(&mut self, typed: &str) {
        let query = self.list.query();
        let room = MAX_QUERY_CHARS.saturating_sub(query.chars().count());
        let visible = |c: char| if c.is_control() { ' ' } else { c };
        let typed = typed.chars().map(visible).take(room);
        let query = query.chars().chain(typed).collect();
        self.list.search(query);
    }

    fn read_help(&mut self, key: KeyEvent) {
        match movement(key) {
            Some(to) => self.help.go(to),
            None => self.mode = Mode::Choosing,
        }
    }

    /// What can be done now, the most important first, in this many columns.
    pub(super) fn hints(&self, columns: u16) -> String {
        let mut hints: Vec<String> = Vec::new();
        match self.mode {
            Mode::Help => hints.push("any key: back".to_owned()),
            Mode::Searching => {
                hints.extend(["enter keep", "esc undo", "↑↓ move"].map(str::to_owned));
            }
            Mode::Choosing => {
                hints.push("? keys".to_owned());
                hints.extend(
                    self.actions
                        .iter()
                        .map(|a| format!("{} {}", name(a.key), a.word)),
                );
                if self.takes_many() {
                    hints.push("space mark".to_owned());
                }
                hints.push("/ search".to_owned());
                hints.push(match self.focus {
                    Focus::List => "tab preview".to_owned(),
                    Focus::Preview => "tab list".to_owned(),
                });
                hints.push("q leave".to_owned());
            }
        }
        let mut line = String::new();
        for hint in hints {
            let gap = if line.is_empty() { "" } else { "  " };
            let longer = format!("{line}{gap}{hint}");
            if text::width(&longer) > columns {
                break;
            }
            line = longer;
        }
        line
    }
}

/// All keys, one per line.
pub(super) fn help(actions: &[Action]) -> String {
    let mut keys: Vec<(String, String)> = Vec::new();
    for action in actions {
        keys.push((name(action.key), action.word.to_owned()));
    }
    let mut own = |key: &str, word: &str| keys.push((key.to_owned(), word.to_owned()));
    if actions.iter().any(|action| action.takes == Takes::Many) {
        own("space", "mark for an action on many, or not");
        own("*", "mark all that are shown, or none");
        own("[-]", "this one is decided on its own");
    }
    if actions.iter().all(|action| action.key != Key::Enter) {
        own("enter", "go into the preview");
    }
    own("↑ ↓, j k", "up, down");
    own("pgup pgdn", "a page up, down");
    own("home end", "to the first, the last");
    own("/", "search; enter keeps it, esc undoes it");
    own("tab, → ←", "into the preview and back; it scrolls");
    own("?", "these keys");
    own("esc", "one step back");
    own("q, ctrl-c", "leave");
    let line = |(key, word): &(String, String)| format!("{key:<10} {word}");
    keys.iter().map(line).collect::<Vec<_>>().join("\n")
}

pub(super) fn name(key: Key) -> String {
    match key {
        Key::Enter => "enter".to_owned(),
        Key::Letter(c) => c.to_string(),
    }
}

fn movement(key: KeyEvent) -> Option<Move> {
    Some(match key.code {
        KeyCode::Up => Move::Up,
        KeyCode::Down => Move::Down,
        KeyCode::PageUp => Move::PageUp,
        KeyCode::PageDown => Move::PageDown,
        KeyCode::Home => Move::First,
        KeyCode::End => Move::Last,
        KeyCode::Char('k') if !has_command(key) => Move::Up,
        KeyCode::Char('j') if !has_command(key) => Move::Down,
        _ if is_ctrl(key, 'p') => Move::Up,
        _ if is_ctrl(key, 'n') => Move::Down,
        _ => return None,
    })
}

fn is_ctrl(key: KeyEvent, letter: char) -> bool {
    key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char(letter)
}

/// Whether a letter was typed together with a key that makes it something else than a letter.
fn has_command(key: KeyEvent) -> bool {
    let command = KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SUPER;
    key.modifiers.intersects(command)
}
