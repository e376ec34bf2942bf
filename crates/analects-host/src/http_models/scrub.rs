//! Makes what a server said fit to be shown.
//!
//! A server may repeat the key that it was sent, and an error may go into a log. Nothing that a server says
//! about itself reaches anybody without coming through here.

use analects_world::models::{Event, Fault, Finish, Secret};

/// Longer texts are cut.
const MAX_CHARS: usize = 500;
/// A shorter key keeps no secret, and would be found in every other word.
const MIN_KEY_BYTES: usize = 4;

/// The fault, with a message that is safe to show.
pub(super) fn scrubbed(mut fault: Fault, key: Option<&Secret>) -> Fault {
    fault.message = scrub(&fault.message, key);
    fault
}

/// The event; the server's word for why an answer ended is safe to show, too.
pub(super) fn scrubbed_event(mut event: Event, key: Option<&Secret>) -> Event {
    if let Event::Finish(Finish::Blocked(word) | Finish::BadCall(word) | Finish::Other(word)) =
        &mut event
    {
        *word = scrub(word, key);
    }
    event
}

/// The text in one line, without the key, and cut.
pub(super) fn scrub(text: &str, key: Option<&Secret>) -> String {
    // The key goes before the text is cut: half a key is too much.
    let plain: String = text.chars().filter_map(plain).collect();
    let key = key.map(Secret::expose).unwrap_or_default();
    let clean = if key.len() < MIN_KEY_BYTES {
        plain
    } else {
        plain.replace(key, "[key]")
    };
    cut(clean.trim())
}

/// What a character becomes in a line that a terminal shows.
fn plain(c: char) -> Option<char> {
    match c {
        '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' => Some(' '),
        // Nobody sees these, and some of them turn the text around.
        '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{feff}' => None,
        c if c.is_control() => None,
        c => Some(c),
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use analects_world::model::Part;

    use super::*;

    #[test]
    fn a_key_is_taken_out_wherever_it_stands_even_where_the_text_is_cut() {
        let key = Secret::new("sk-geheim-123");
        let text = format!("no: sk-geheim-123 {}sk-geheim-123", "x".repeat(480));
        let clean = scrub(&text, Some(&key));
        assert!(clean.starts_with("no: [key] xxx"), "{clean}");
        assert!(!clean.contains("sk-"), "{clean}");
        // Hidden characters inside do not hide it.
        assert_eq!(scrub("sk-ge\u{200b}he\u{7}im-123", Some(&key)), "[key]");
        assert_eq!(scrub("a short one", Some(&Secret::new("a"))), "a short one");
    }

    #[test]
    fn the_word_for_an_end_is_made_safe_and_an_answer_is_left_alone() {
        let key = Secret::new("sk-geheim-123");
        let end = Event::Finish(Finish::Other("sk-geheim-123\u{1b}".to_owned()));
        let safe = Event::Finish(Finish::Other("[key]".to_owned()));
        assert_eq!(scrubbed_event(end, Some(&key)), safe);
        let words = Event::Part(Part::text("sk-geheim-123\n"));
        assert_eq!(scrubbed_event(words.clone(), Some(&key)), words);
    }

    #[test]
    fn a_text_becomes_one_plain_line_of_bounded_length() {
        assert_eq!(
            scrub(" a\r\nb\u{1b}[31mc\u{202e}\n", None),
            "a  b[31mc",
            "no line ends, no escapes, no turned text"
        );
        let long = "é".repeat(10_000);
        assert_eq!(scrub(&long, None).chars().count(), MAX_CHARS + 1);
    }
}
