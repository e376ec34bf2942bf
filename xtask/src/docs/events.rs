//! The page of events, and that of exit codes: what programs around us hear, from the code that says it.

use std::fmt::Write;

use super::NOTICE;
use super::source::{Item, constants, variants};

const OURS: &str = "crates/analects-agent/src/hook/event.rs";
const HEARD: &str = "crates/analects-engine/src/hook/input.rs";
const COUNTED: &str = "crates/analects-engine/src/events.rs";
const STREAMED: &str = "crates/analects-cli/src/talk/stream.rs";
const EXIT: &str = "crates/analects-cli/src/exit.rs";

/// All events, by who hears them.
pub(super) fn events() -> Result<String, String> {
    let mut page = format!(
        "{NOTICE}\n# Events\n\nWhat happens, by who is told: programs of yours, other agents' hooks, readers of a stream, \
         and the log on this machine.\n"
    );
    page.push_str(
        "\n## Of your own hooks\n\nPrograms in `hooks` of `settings.json` run at these; what they are told and may answer \
         stands in [your own hooks](../guide/your-own-hooks.md).\n\n| event | when |\n|---|---|\n",
    );
    for item in variants(OURS, "Event")? {
        row(&mut page, &item.name, &item);
    }
    page.push_str(
        "\n## Of other agents\n\n`analects hook HOST EVENT` answers these, in any spelling and by the names of every host; \
         see [hooks](../guide/hooks.md).\n\n| event | when |\n|---|---|\n",
    );
    for item in variants(HEARD, "Event")? {
        // Names of events at which there is nothing to say.
        if item.name == "Other" {
            continue;
        }
        row(&mut page, &kebab(&item.name, '-'), &item);
    }
    page.push_str(
        "\n## Of a stream\n\n`analects -p TEXT -o stream-json` prints an object a line; besides these fields each has `type` \
         and `timestamp`. See [the agent](../guide/agent.md#what-is-printed).\n\n| `type` | when | fields |\n|---|---|---|\n",
    );
    for item in variants(STREAMED, "Event")? {
        let fields: Vec<_> = item
            .fields
            .iter()
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        let (name, fields) = (kebab(&item.name, '_'), fields.join(", "));
        let _ = writeln!(page, "| `{name}` | {} | {fields} |", item.meaning);
    }
    page.push_str(
        "\n## Of the log\n\n`~/.gemini/analects/events.jsonl` counts these, without any content: no text, no path, no \
         command. `analects doctor --usage` adds them up, `events.enabled` switches it off.\n\n| what | when | told |\n\
         |---|---|---|\n",
    );
    for item in variants(COUNTED, "What")? {
        let told = item
            .fields
            .iter()
            .map(|(_, meaning)| meaning.trim_end_matches('.'));
        let told = told.collect::<Vec<_>>().join("; ").to_lowercase();
        let _ = writeln!(
            page,
            "| {} | {} | {told} |",
            spoken(&item.name),
            item.meaning
        );
    }
    Ok(page)
}

/// What each exit code means.
pub(super) fn exit_codes() -> Result<String, String> {
    let mut page = format!(
        "{NOTICE}\n# Exit codes\n\nThe same for every command, `analects -p` included; `analects hook` always ends with 0, \
         so that it is never in the way.\n\n| code | meaning |\n|---|---|\n"
    );
    for Item {
        name,
        meaning,
        value,
        ..
    } in constants(EXIT)?
    {
        match name.as_str() {
            // The number of a signal, not a code.
            "INTERRUPT" => {}
            "SIGNALLED" => page.push_str(
                "| 128 + the number of a signal | Ctrl-C (130) or another signal ended it. |\n",
            ),
            _ => {
                let _ = writeln!(page, "| {value} | {meaning} |");
            }
        }
    }
    Ok(page)
}

fn row(page: &mut String, name: &str, item: &Item) {
    let _ = writeln!(page, "| `{name}` | {} |", item.meaning);
}

/// `BeforeAgent` as `before-agent`.
fn kebab(name: &str, between: char) -> String {
    let mut word = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !word.is_empty() {
            word.push(between);
        }
        word.extend(letter.to_lowercase());
    }
    word
}

/// `CompressionFailed` as `compression failed`.
fn spoken(name: &str) -> String {
    kebab(name, ' ')
}
