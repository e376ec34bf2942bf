//! The sessions that the tour starts with: three scripted conversations, written by the recorder as if they had been
//! held.
//!
//! ```text
//! > what a person asks        $ a command        | a line that it prints
//! < what the model says       $1 one that fails  |60 sixty lines; {n} is the number of each
//! ```

use analects_engine::sessions::{Act, Play};

const HOUR_MS: u64 = 60 * 60 * 1000;

/// Each with its name, and how many hours ago it began. Learning wants sessions that are over for some hours.
const PAST: [(&str, u64, &str); 3] = [
    (
        "0a7c4e1d-5b90-4f3e-9d57-1c3ab2e86f01",
        75,
        include_str!("past/autumn-prices.txt"),
    ),
    (
        "1b8d5f2e-6ca1-4a4f-8e68-2d4bc3f97a02",
        27,
        include_str!("past/winter-prices.txt"),
    ),
    (
        "2c9e6a3f-7db2-4b5a-9f79-3e5cd4a08b03",
        5,
        include_str!("past/one-cent-off.txt"),
    ),
];

/// The conversations, as seen from `now_ms`.
pub(super) fn plays(now_ms: u64) -> impl Iterator<Item = Play> {
    PAST.iter().map(move |(session, hours_ago, text)| Play {
        session: (*session).to_owned(),
        began_ms: now_ms.saturating_sub(hours_ago * HOUR_MS),
        acts: acts(text),
    })
}

fn acts(text: &str) -> Vec<Act> {
    let mut acts = Vec::new();
    for line in text.lines() {
        let (mark, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (mark, acts.last_mut()) {
            (">", _) => acts.push(Act::Asked(rest.to_owned())),
            ("<", _) => acts.push(Act::Said(rest.to_owned())),
            ("$" | "$1", _) => acts.push(Act::Ran {
                command: rest.to_owned(),
                output: String::new(),
                code: i32::from(mark == "$1"),
            }),
            (mark, Some(Act::Ran { output, .. })) => print(output, mark, rest),
            _ => {}
        }
    }
    acts
}

/// Adds what stands behind `|` or `|60` to what was printed.
fn print(output: &mut String, mark: &str, line: &str) {
    let count = mark.strip_prefix('|').and_then(|count| count.parse().ok());
    for n in 1..=count.unwrap_or(1_u32) {
        if !output.is_empty() {
            output.push('\n');
        }
        output.push_str(&line.replace("{n}", &n.to_string()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_played_line_by_line() {
        let ran = |command: &str, output: &str, code| Act::Ran {
            command: command.to_owned(),
            output: output.to_owned(),
            code,
        };
        let text = "> Count.\n$ just count\n| one\n|2 duck {n}\n$1 just check\n< Three.\n";
        assert_eq!(
            acts(text),
            [
                Act::Asked("Count.".to_owned()),
                ran("just count", "one\nduck 1\nduck 2", 0),
                ran("just check", "", 1),
                Act::Said("Three.".to_owned()),
            ]
        );
    }

    #[test]
    fn nothing_of_a_text_is_left_out() {
        for (_, _, text) in PAST {
            let marks = text.lines().map(|line| line.split(' ').next().unwrap());
            for mark in marks {
                let printed = mark.strip_prefix('|');
                let is_printed =
                    printed.is_some_and(|count| count.is_empty() || count.parse::<u32>().is_ok());
                assert!(
                    is_printed || matches!(mark, ">" | "<" | "$" | "$1"),
                    "{mark}"
                );
            }
        }
    }
}
