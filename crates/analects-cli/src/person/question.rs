//! A question to the person at the terminal: by number where there are answers to choose from, in words where not.

use std::io::{self, BufRead, Read, Write};

use analects_text::hidden;
use analects_text::sanitize::one_line;
use analects_world::ask::{Question, Reply};

use crate::chat::keyboard::{Key, Keyboard};
use crate::ui::Screen;

/// Whoever gives no answer this often does not want to.
const MAX_TRIES: usize = 3;
/// A longer answer is cut.
const MAX_BYTES: u64 = 16 * 1024;

/// Asks, and hears until there is an answer.
pub(super) fn ask(
    question: &Question<'_>,
    screen: &Screen,
    hear: &mut dyn BufRead,
    say: &mut dyn Write,
) -> io::Result<Reply> {
    show(question, screen, say)?;
    for _ in 0..MAX_TRIES {
        match question.options.len() {
            0 => write!(say, "Your answer: ")?,
            n_options => write!(say, "Your choice (1-{n_options}): ")?,
        }
        say.flush()?;
        let Some(line) = line(hear)? else {
            writeln!(say)?;
            return Ok(Reply::Nobody);
        };
        if let Some(reply) = understood(&line, question) {
            return Ok(reply);
        }
    }
    Ok(Reply::Declined)
}

/// Asks, and hears one key: the number of an answer.
pub(super) fn by_key(
    question: &Question<'_>,
    screen: &Screen,
    keyboard: &Keyboard,
    say: &mut dyn Write,
) -> io::Result<Reply> {
    let _attending = keyboard.attend();
    show(question, screen, say)?;
    write!(
        say,
        "Your choice (1-{}, Esc for none): ",
        question.options.len()
    )?;
    say.flush()?;
    let reply = loop {
        match keyboard.key() {
            None => break Reply::Nobody,
            Some(Key::No) => break Reply::Declined,
            Some(Key::Char(c)) => {
                if let Some(reply) = understood(&c.to_string(), question) {
                    break reply;
                }
            }
            Some(Key::Enter | Key::Other) => {}
        }
    };
    match &reply {
        Reply::Chose(at) => writeln!(say, "{}", at + 1)?,
        _ => writeln!(say)?,
    }
    Ok(reply)
}

fn show(question: &Question<'_>, screen: &Screen, say: &mut dyn Write) -> io::Result<()> {
    writeln!(say, "{}", screen.bold(&one_line(question.text)))?;
    for (at, option) in question.options.iter().enumerate() {
        write!(say, "  {}. {}", at + 1, one_line(&option.label))?;
        match one_line(&option.detail) {
            detail if detail.trim().is_empty() => writeln!(say)?,
            detail => writeln!(say, "  {}", screen.dim(&detail))?,
        }
    }
    Ok(())
}

/// One line; `None` when the terminal is gone.
fn line(hear: &mut dyn BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let n_read = hear.take(MAX_BYTES).read_until(b'\n', &mut bytes)?;
    if n_read == 0 {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&bytes);
    let shown: String = hidden::without(&text)
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    Ok(Some(shown.trim().to_owned()))
}

/// What an answer means; nothing if it has to be asked for again.
fn understood(line: &str, question: &Question<'_>) -> Option<Reply> {
    if question.options.is_empty() {
        return (!line.is_empty()).then(|| Reply::Said(line.to_owned()));
    }
    let lower = line.to_lowercase();
    let by_label = |label: &str| label.trim().to_lowercase() == lower;
    let mut labels = question.options.iter().map(|option| option.label.as_str());
    let named = labels.position(by_label).filter(|_| !lower.is_empty());
    let number = line.parse().ok().and_then(|n: usize| n.checked_sub(1));
    let number = number.filter(|at| *at < question.options.len());
    number.or(named).map(Reply::Chose)
}

#[cfg(test)]
mod tests {
    use analects_world::AbsPath;
    use analects_world::ask::Choosable;
    use expect_test::expect;

    use super::*;

    fn options() -> Vec<Choosable> {
        let option = |label: &str, detail: &str| Choosable {
            label: label.to_owned(),
            detail: detail.to_owned(),
        };
        vec![
            option("this project", "/w/app/GEMINI.md"),
            option("all\u{1b}[2J projects", ""),
        ]
    }

    fn said(options: &[Choosable], typed: &str) -> (Reply, String) {
        let question = Question {
            text: "Where\nto?",
            options,
        };
        let mut shown = Vec::new();
        let screen = Screen {
            is_terminal: false,
            has_color: false,
            asks_first: false,
            width: 80,
            home: AbsPath::root(),
        };
        let reply = ask(&question, &screen, &mut typed.as_bytes(), &mut shown).unwrap();
        (reply, String::from_utf8(shown).unwrap())
    }

    #[test]
    fn an_answer_is_chosen_by_its_number_or_its_words() {
        let (reply, shown) = said(&options(), "2\n");
        assert_eq!(reply, Reply::Chose(1));
        expect![[r#"
            Where\u{a}to?
              1. this project  /w/app/GEMINI.md
              2. all\u{1b}[2J projects
            Your choice (1-2): "#]]
        .assert_eq(&shown);
        assert_eq!(said(&options(), " This Project \n").0, Reply::Chose(0));
        assert_eq!(said(&options(), "0\n3\nx\n1\n").0, Reply::Declined);
        assert_eq!(said(&options(), "x\n1\n").0, Reply::Chose(0));
    }

    #[test]
    fn without_options_any_words_are_an_answer() {
        let reply = said(&[], "Use\u{200B} \u{1b}[31mtabs\r\n").0;
        assert_eq!(reply, Reply::Said("Use [31mtabs".to_owned()));
        let long = "x".repeat(100_000);
        let Reply::Said(cut) = said(&[], &long).0 else {
            panic!("an answer was expected");
        };
        assert_eq!(cut.len(), 16 * 1024);
    }

    #[test]
    fn silence_declines_and_the_end_means_nobody() {
        assert_eq!(said(&[], "\n  \n\t\nlate\n").0, Reply::Declined);
        assert_eq!(said(&options(), "\n\n\n").0, Reply::Declined);
        assert_eq!(said(&[], "").0, Reply::Nobody);
        assert_eq!(said(&options(), "\n").0, Reply::Nobody);
    }
}
