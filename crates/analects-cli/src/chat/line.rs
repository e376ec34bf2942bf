//! Reads the line that a person types, with history, completion and an editor for long ones; or plainly.
//!
//! A long paste stands in the line as one word, and is put in its place when the line is sent.

use std::borrow::Cow;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crossterm::event::{Event, KeyEventKind};

use reedline::{
    ColumnarMenu, Completer, EditCommand, EditMode, Emacs, FileBackedHistory, KeyCode,
    KeyModifiers, MenuBuilder, Prompt, PromptEditMode, PromptHistorySearch,
    PromptHistorySearchStatus, Reedline, ReedlineEvent, ReedlineMenu, ReedlineRawEvent, Signal,
    default_emacs_keybindings,
};

use super::control::Repaint;
use super::keyboard::Keyboard;

/// What came of waiting for a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Line {
    /// It was sent. As it stood there, and as it is meant.
    Sent { shown: String, meant: String },
    /// Ctrl-C; what stood there then.
    Interrupted(String),
    /// Ctrl-D in an empty line, or the end of input.
    End,
    /// Somebody wants everything to end; what stood there then.
    Broken(String),
    /// Ctrl-Z.
    Pause,
    /// The line is to be written in an editor.
    Edit(String),
    /// What the model thought is to be shown.
    Thoughts,
}

/// Where lines come from.
pub(crate) enum Lines {
    /// A line editor.
    Editor(Box<Editor>),
    /// A terminal that can do nothing but print.
    Plain,
}

pub(crate) struct Editor {
    reedline: Reedline,
    keyboard: Keyboard,
    pastes: Pastes,
    late: Late,
}

/// What the editor is made with.
pub(crate) struct LineOptions {
    pub(crate) has_color: bool,
    pub(crate) history: Vec<String>,
    pub(crate) completer: Box<dyn Completer + Send>,
    /// Where lines are typed.
    pub(crate) keyboard: Keyboard,
    /// Set when everything is to end.
    pub(crate) broken: Arc<AtomicBool>,
}

/// What a person goes back to, at most.
pub(crate) const MAX_HISTORY: usize = 1_000;
/// Longer or taller pastes stand in the line as one word.
const MAX_PASTE_BYTES: usize = 1_000;
const MAX_PASTE_LINES: usize = 8;

const COMPLETIONS: &str = "completions";
const EDIT: &str = "edit";
const INTERRUPT: &str = "interrupt";
const PAUSE: &str = "pause";
const THOUGHTS: &str = "thoughts";

impl Lines {
    pub(crate) fn editor(options: LineOptions) -> Self {
        Self::Editor(Box::new(Editor::new(options)))
    }

    /// By which the line is painted again, after the terminal was somebody else's.
    pub(crate) fn repaint(&mut self) -> Option<Repaint> {
        match self {
            Self::Editor(editor) => {
                let signal = editor.reedline.repaint_signal();
                Some(Arc::new(move || signal.request_repaint()))
            }
            Self::Plain => None,
        }
    }

    /// Waits for a line.
    pub(crate) fn read(&mut self) -> io::Result<Line> {
        match self {
            Self::Editor(editor) => editor.read(),
            Self::Plain => plain(&mut io::stdin().lock(), &mut io::stdout().lock()),
        }
    }

    /// Notes something that can be gone back to.
    pub(crate) fn remember(&mut self, text: &str) {
        if let Self::Editor(editor) = self {
            let item = reedline::HistoryItem::from_command_line(text);
            // What cannot be gone back to can still be typed.
            let _ = editor.reedline.history_mut().save(item);
        }
    }

    /// Puts words into the line that is typed next. Plain lines have no room for that: they are shown instead.
    pub(crate) fn put(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        match self {
            Self::Editor(editor) => editor.put(text),
            Self::Plain => {
                let text = analects_text::sanitize::for_terminal(text);
                let _ = writeln!(io::stdout().lock(), "(not sent: {text})");
            }
        }
    }
}

fn plain(hear: &mut dyn BufRead, say: &mut dyn Write) -> io::Result<Line> {
    write!(say, "> ")?;
    say.flush()?;
    let mut bytes = Vec::new();
    if hear.read_until(b'\n', &mut bytes)? == 0 {
        return Ok(Line::End);
    }
    let text = String::from_utf8_lossy(&bytes).trim_end().to_owned();
    Ok(Line::Sent {
        shown: text.clone(),
        meant: text,
    })
}

impl Editor {
    fn new(options: LineOptions) -> Self {
        let (pastes, late) = (Pastes::default(), Late::default());
        let menu = ColumnarMenu::default()
            .with_name(COMPLETIONS)
            .with_marker("> ");
        let mut history = FileBackedHistory::new(MAX_HISTORY).unwrap_or_default();
        for line in options.history {
            let item = reedline::HistoryItem::from_command_line(line);
            // What cannot be gone back to can still be typed.
            let _ = reedline::History::save(&mut history, item);
        }
        let reedline = Reedline::create()
            .with_ansi_colors(options.has_color)
            .use_bracketed_paste(true)
            .with_history(Box::new(history))
            .with_completer(options.completer)
            .with_partial_completions(true)
            .with_menu(ReedlineMenu::EngineCompleter(Box::new(menu)))
            .with_break_signal(options.broken)
            .with_edit_mode(Box::new(Keys {
                emacs: Emacs::new(bindings()),
                pastes: pastes.clone(),
                late: late.clone(),
            }));
        Self {
            reedline,
            keyboard: options.keyboard,
            pastes,
            late,
        }
    }

    fn read(&mut self) -> io::Result<Line> {
        if let Some(line) = self.late_line()? {
            return Ok(line);
        }
        let read = self.keyboard.lend(|| self.reedline.read_line(&Mark));
        Ok(match read.map_err(io::Error::other)? {
            Signal::Success(shown) => Line::Sent {
                meant: self.pastes.put_in(&shown),
                shown,
            },
            Signal::CtrlC => Line::Interrupted(String::new()),
            Signal::CtrlD => Line::End,
            Signal::ExternalBreak(shown) => Line::Broken(self.pastes.put_in(&shown)),
            Signal::HostCommand(command) => match command.as_str() {
                EDIT => Line::Edit(self.pastes.put_in(self.reedline.current_buffer_contents())),
                INTERRUPT => Line::Interrupted(self.take()),
                THOUGHTS => Line::Thoughts,
                _ => Line::Pause,
            },
            _ => Line::End,
        })
    }

    /// What came right behind a key that left the editor: a whole line counts as sent, the rest is typed on.
    fn late_line(&mut self) -> io::Result<Option<Line>> {
        let Some(text) = self.late.take() else {
            return Ok(None);
        };
        let Some((first, rest)) = text.split_once('\n') else {
            let insert = EditCommand::InsertString(text);
            self.reedline.run_edit_commands(&[insert]);
            return Ok(None);
        };
        self.late.put(rest);
        let shown = format!("{}{first}", self.take());
        writeln!(
            io::stdout().lock(),
            "> {}",
            analects_text::sanitize::for_terminal(&shown)
        )?;
        Ok(Some(Line::Sent {
            meant: self.pastes.put_in(&shown),
            shown,
        }))
    }

    /// What stands in the line, which is empty from now on.
    fn take(&mut self) -> String {
        let text = self.pastes.put_in(self.reedline.current_buffer_contents());
        self.reedline.run_edit_commands(&[EditCommand::Clear]);
        text
    }

    fn put(&mut self, text: &str) {
        let text = self.pastes.shortened(text.to_owned());
        self.reedline
            .run_edit_commands(&[EditCommand::Clear, EditCommand::InsertString(text)]);
    }
}

fn bindings() -> reedline::Keybindings {
    let mut keys = default_emacs_keybindings();
    let host = |command: &str| ReedlineEvent::ExecuteHostCommand(command.to_owned());
    let newline = || ReedlineEvent::Edit(vec![EditCommand::InsertNewline]);
    keys.add_binding(KeyModifiers::ALT, KeyCode::Enter, newline());
    keys.add_binding(KeyModifiers::SHIFT, KeyCode::Enter, newline());
    keys.add_binding(KeyModifiers::CONTROL, KeyCode::Char('j'), newline());
    keys.add_binding(KeyModifiers::CONTROL, KeyCode::Char('c'), host(INTERRUPT));
    keys.add_binding(KeyModifiers::CONTROL, KeyCode::Char('g'), host(EDIT));
    keys.add_binding(KeyModifiers::CONTROL, KeyCode::Char('z'), host(PAUSE));
    keys.add_binding(KeyModifiers::CONTROL, KeyCode::Char('t'), host(THOUGHTS));
    keys.add_binding(
        KeyModifiers::NONE,
        KeyCode::Tab,
        ReedlineEvent::UntilFound(vec![
            ReedlineEvent::Menu(COMPLETIONS.to_owned()),
            ReedlineEvent::MenuNext,
        ]),
    );
    keys
}

/// The keys that people know from their shell, with pastes put aside.
struct Keys {
    emacs: Emacs,
    pastes: Pastes,
    late: Late,
}

/// What was typed so quickly behind a key that leaves the editor that both came together: the editor would forget it.
#[derive(Debug, Clone, Default)]
struct Late(Arc<Mutex<Option<String>>>);

impl Late {
    /// The editor will be left: whatever comes until it is read again is kept.
    fn begin(&self) {
        self.state().get_or_insert_default();
    }

    /// Keeps a key, if the editor will be left.
    fn keep(&self, event: &Event) -> bool {
        let mut state = self.state();
        let Some(text) = state.as_mut() else {
            return false;
        };
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => match key.code {
                KeyCode::Char(c) if !key.modifiers.contains(KeyModifiers::CONTROL) => text.push(c),
                KeyCode::Enter => text.push('\n'),
                KeyCode::Backspace => drop(text.pop()),
                _ => {}
            },
            Event::Paste(pasted) => text.push_str(&pasted.replace(['\r', '\n'], " ")),
            _ => {}
        }
        true
    }

    fn put(&self, text: &str) {
        if !text.is_empty() {
            *self.state() = Some(text.to_owned());
        }
    }

    fn take(&self) -> Option<String> {
        self.state().take().filter(|text| !text.is_empty())
    }

    fn state(&self) -> MutexGuard<'_, Option<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EditMode for Keys {
    fn parse_event(&mut self, event: ReedlineRawEvent) -> ReedlineEvent {
        let event: Event = event.into();
        if self.late.keep(&event) {
            return ReedlineEvent::None;
        }
        if let Event::Paste(text) = event {
            let text = text.replace("\r\n", "\n").replace('\r', "\n");
            let text = self.pastes.shortened(text);
            return ReedlineEvent::Edit(vec![EditCommand::InsertString(text)]);
        }
        let Ok(event) = ReedlineRawEvent::try_from(event) else {
            return ReedlineEvent::None;
        };
        let meant = self.emacs.parse_event(event);
        if matches!(meant, ReedlineEvent::ExecuteHostCommand(_)) {
            self.late.begin();
        }
        meant
    }

    fn edit_mode(&self) -> PromptEditMode {
        self.emacs.edit_mode()
    }
}

/// Long pastes, by the words that stand for them.
#[derive(Debug, Clone, Default)]
struct Pastes(Arc<Mutex<Vec<(String, String)>>>);

/// How many are kept; whoever goes back to an older one gets the word for it.
const MAX_PASTES: usize = 32;

impl Pastes {
    /// A short text as it is; a long one as the word for it.
    fn shortened(&self, text: String) -> String {
        let n_lines = text.lines().count();
        if text.len() <= MAX_PASTE_BYTES && n_lines <= MAX_PASTE_LINES {
            return text;
        }
        let mut pastes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let number = pastes
            .last()
            .and_then(|(word, _)| number(word))
            .unwrap_or(0)
            + 1;
        let word = format!(
            "[pasted text {number}: {n_lines} lines, {} bytes]",
            text.len()
        );
        if pastes.len() >= MAX_PASTES {
            pastes.remove(0);
        }
        pastes.push((word.clone(), text));
        word
    }

    /// The line with every word that stands for a paste replaced by it.
    fn put_in(&self, line: &str) -> String {
        let pastes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut meant = Cow::Borrowed(line);
        for (word, text) in pastes.iter() {
            if meant.contains(word.as_str()) {
                meant = Cow::Owned(meant.replacen(word.as_str(), text, 1));
            }
        }
        meant.into_owned()
    }
}

fn number(word: &str) -> Option<usize> {
    let rest = word.strip_prefix("[pasted text ")?;
    rest.split(':').next()?.parse().ok()
}

/// What stands before a line.
struct Mark;

impl Prompt for Mark {
    fn render_prompt_left(&self) -> Cow<'_, str> {
        Cow::Borrowed("")
    }

    fn render_prompt_right(&self) -> Cow<'_, str> {
        Cow::Borrowed("")
    }

    fn render_prompt_indicator(&self, _: PromptEditMode) -> Cow<'_, str> {
        Cow::Borrowed("> ")
    }

    fn render_prompt_multiline_indicator(&self) -> Cow<'_, str> {
        Cow::Borrowed("  ")
    }

    fn render_prompt_history_search_indicator(&self, search: PromptHistorySearch) -> Cow<'_, str> {
        let found = match search.status {
            PromptHistorySearchStatus::Passing => "",
            PromptHistorySearchStatus::Failing => "nothing ",
        };
        Cow::Owned(format!("({found}found: {}) ", search.term))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_paste_is_one_word_until_it_is_sent() {
        let pastes = Pastes::default();
        assert_eq!(pastes.shortened("short".to_owned()), "short");
        let tall = "a\n".repeat(20);
        let word = pastes.shortened(tall.clone());
        assert_eq!(word, "[pasted text 1: 20 lines, 40 bytes]");
        let wide = "x".repeat(10 * 1024 * 1024);
        let second = pastes.shortened(wide.clone());
        assert_eq!(second, "[pasted text 2: 1 lines, 10485760 bytes]");
        let meant = pastes.put_in(&format!("look: {word} and {second}."));
        assert_eq!(meant, format!("look: {tall} and {wide}."));
        assert_eq!(
            pastes.put_in("[pasted text 7: 1 lines, 2 bytes]"),
            "[pasted text 7: 1 lines, 2 bytes]"
        );
    }

    #[test]
    fn a_plain_line_is_read_to_its_end() {
        let mut shown = Vec::new();
        let read = plain(&mut "hello \n".as_bytes(), &mut shown).unwrap();
        let hello = "hello".to_owned();
        assert_eq!(
            read,
            Line::Sent {
                shown: hello.clone(),
                meant: hello
            }
        );
        assert_eq!(shown, b"> ");
        assert_eq!(plain(&mut "".as_bytes(), &mut shown).unwrap(), Line::End);
    }

    #[test]
    fn what_comes_right_behind_a_key_that_leaves_is_kept() {
        use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
        let late = Late::default();
        let key = |code: KeyCode| Event::Key(KeyEvent::new(code, KeyModifiers::NONE));
        assert!(!late.keep(&key(KeyCode::Char('x'))));
        late.begin();
        for code in [
            KeyCode::Char('a'),
            KeyCode::Char('b'),
            KeyCode::Backspace,
            KeyCode::Enter,
        ] {
            assert!(late.keep(&key(code)));
        }
        assert!(late.keep(&Event::Paste("c\nd".to_owned())));
        assert_eq!(late.take().as_deref(), Some("a\nc d"));
        assert_eq!(late.take(), None);
    }
}
