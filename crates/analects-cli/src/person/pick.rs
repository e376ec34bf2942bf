//! Shows changes one after another, each to be taken or left with a letter and Enter.

use std::io::{self, BufRead, IsTerminal, Write};

use analects_text::sanitize::one_line;
use analects_world::ask::{Choice, Pick};

use crate::chat::paint::Style;
use crate::chat::paint::diff::{self, DiffOptions};
use crate::ui::{Screen, wrapped};

/// Lets whoever sits at the terminal choose; `None` if nobody does, or nobody any more.
pub(super) fn at_terminal(screen: &Screen, title: &str, choices: &[Choice]) -> Option<Vec<Pick>> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return None;
    }
    let mut asking = Asking {
        screen,
        heard: &mut io::stdin().lock(),
        shown: &mut io::stderr().lock(),
    };
    asking.choose(title, choices).ok().flatten()
}

/// Where a person is asked, and where the answer comes from.
struct Asking<'a> {
    screen: &'a Screen,
    heard: &'a mut dyn BufRead,
    shown: &'a mut dyn Write,
}

/// What a person said to one change.
enum Said {
    Yes,
    No,
    /// This one and all that follow.
    All,
    /// Neither this one nor any that follows.
    Quit,
}

const QUESTION: &str = "Take this? (y)es, (n)o, (a)ll from here, (q)uit, (?) help: ";

const HELP: &str = "\
y  take this change
n  leave it
a  take this change and all that follow
q  leave this change and all that follow; what you took is written
?  show this
Nothing is written before the last answer.
The end of input (Ctrl-D) leaves everything as it is.";

impl Asking<'_> {
    /// A word for each choice; `None` at the end of input.
    fn choose(&mut self, title: &str, choices: &[Choice]) -> io::Result<Option<Vec<Pick>>> {
        let n_all = choices.len();
        let changes = if n_all == 1 { "change" } else { "changes" };
        let title = format!("{}: {n_all} {changes} to take or leave", one_line(title));
        writeln!(self.shown, "{}", self.screen.bold(&title))?;
        let mut picks = Vec::with_capacity(n_all);
        for (index, choice) in choices.iter().enumerate() {
            self.show(choice, index + 1, n_all)?;
            let (pick, rest) = match self.hear()? {
                None => return Ok(None),
                Some(Said::Yes) => (Pick::Take, None),
                Some(Said::No) => (Pick::Leave, None),
                Some(Said::All) => (Pick::Take, Some(Pick::Take)),
                Some(Said::Quit) => (Pick::Leave, Some(Pick::Leave)),
            };
            picks.push(pick);
            if let Some(rest) = rest {
                picks.resize(n_all, rest);
                break;
            }
        }
        Ok(Some(picks))
    }

    fn show(&mut self, choice: &Choice, number: usize, n_all: usize) -> io::Result<()> {
        let title = format!("{number} of {n_all}: {}", one_line(&choice.title));
        writeln!(self.shown)?;
        for line in wrapped(&title, self.screen.width) {
            writeln!(self.shown, "{}", self.screen.bold(&line))?;
        }
        let options = DiffOptions {
            style: Style::Lines,
            has_color: self.screen.has_color,
            width: self.screen.width,
            max_rows: usize::MAX,
            hint: "",
        };
        diff::show(self.shown, &choice.diff, options)?;
        for doubt in &choice.doubts {
            writeln!(self.shown, "warning: {}", one_line(doubt))?;
        }
        Ok(())
    }

    /// Asks until the answer makes sense.
    fn hear(&mut self) -> io::Result<Option<Said>> {
        loop {
            write!(self.shown, "{QUESTION}")?;
            self.shown.flush()?;
            let mut line = String::new();
            if self.heard.read_line(&mut line)? == 0 {
                writeln!(self.shown)?;
                return Ok(None);
            }
            match line.trim().to_lowercase().as_str() {
                "y" | "yes" => return Ok(Some(Said::Yes)),
                "n" | "no" => return Ok(Some(Said::No)),
                "a" | "all" => return Ok(Some(Said::All)),
                "q" | "quit" => return Ok(Some(Said::Quit)),
                _ => writeln!(self.shown, "{HELP}")?,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use analects_world::AbsPath;
    use expect_test::expect;

    use super::*;

    /// What a person who types this picks, and sees.
    fn asked(typed: &str, n_choices: usize) -> (Option<Vec<Pick>>, String) {
        let screen = Screen {
            is_terminal: true,
            has_color: false,
            asks_first: false,
            width: 80,
            home: AbsPath::root(),
        };
        let choice = |n: usize| Choice {
            title: format!(
                "remove \"\u{1b}[2Jtea {n}\" from a.md: line 3 says the same and goes on for a while"
            ),
            diff: format!("--- a.md\n+++ a.md\n@@ -1 +0,0 @@\n-- tea \u{1b}[31m{n}\n"),
            doubts: Vec::new(),
        };
        let choices: Vec<_> = (1..=n_choices).map(choice).collect();
        let mut shown = Vec::new();
        let mut asking = Asking {
            screen: &screen,
            heard: &mut typed.as_bytes(),
            shown: &mut shown,
        };
        let picks = asking.choose("Tidy\nmemory", &choices).unwrap();
        (picks, String::from_utf8(shown).unwrap())
    }

    #[test]
    fn each_change_is_taken_or_left_by_a_letter() {
        use Pick::{Leave, Take};
        let cases: [(&str, Option<Vec<Pick>>); 8] = [
            ("y\nn\ny\n", Some(vec![Take, Leave, Take])),
            ("YES\nNo\n y \n", Some(vec![Take, Leave, Take])),
            ("n\na\n", Some(vec![Leave, Take, Take])),
            ("y\nq\n", Some(vec![Take, Leave, Leave])),
            ("?\nwhat\n\ny\nq\n", Some(vec![Take, Leave, Leave])),
            ("", None),
            ("y\ny\n", None),
            ("a", Some(vec![Take, Take, Take])),
        ];
        for (typed, expected) in cases {
            assert_eq!(asked(typed, 3).0, expected, "{typed:?}");
        }
        assert_eq!(asked("", 0).0, Some(Vec::new()));
    }

    #[test]
    fn it_looks_like_this_and_nothing_in_it_drives_the_terminal() {
        let shown = asked("?\ny\n", 1).1;
        assert!(!shown.contains('\u{1b}'));
        assert!(shown.lines().all(|line| line.chars().count() <= 80));
        expect![[r#"
            Tidy\u{a}memory: 1 change to take or leave

            1 of 1: remove "\u{1b}[2Jtea 1" from a.md: line 3 says the same and goes on for
                a while
            --- a.md
            +++ a.md
            @@ -1 +0,0 @@
            -- tea \u{1b}[31m1
            Take this? (y)es, (n)o, (a)ll from here, (q)uit, (?) help: y  take this change
            n  leave it
            a  take this change and all that follow
            q  leave this change and all that follow; what you took is written
            ?  show this
            Nothing is written before the last answer.
            The end of input (Ctrl-D) leaves everything as it is.
            Take this? (y)es, (n)o, (a)ll from here, (q)uit, (?) help: "#]]
        .assert_eq(&shown);
    }
}
