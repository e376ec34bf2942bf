//! Makes a server's message fit to be shown: bounded, printable, without the key.
//!
//! A server may repeat the key that it was sent, and an error may go into a log. Nothing that a server says
//! about itself reaches anybody without coming through here.

use analects_world::models::{Event, Fault, Finish, Secret};

/// Longer texts are cut.
const MAX_CHARS: usize = 500;
/// No model has a longer name, even where it is a path.
const MAX_NAME_BYTES: usize = 200;
/// Keys that open something are longer.
const MIN_REAL_KEY_BYTES: usize = 16;
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

/// Whether a server may call a model so: in one short line that shows all there is, without the key.
pub(super) fn is_name(name: &str, key: Option<&Secret>) -> bool {
    let key = key.map(Secret::expose).unwrap_or_default();
    // A local server is often given a word for a key, which its models may be called by.
    let has_key = key.len() >= MIN_REAL_KEY_BYTES && name.contains(key);
    name.len() <= MAX_NAME_BYTES && !name.chars().any(is_hidden) && !has_key
}

/// The text in one line, without the key, and cut.
pub(super) fn scrub(text: &str, key: Option<&Secret>) -> String {
    let key = key.map(Secret::expose);
    without(text, key.into_iter())
}

/// The text in one line, without any of these, and cut.
pub(crate) fn without<'a>(text: &str, keys: impl Iterator<Item = &'a str>) -> String {
    // The keys go before the text is cut: half a key is too much.
    let plain: String = text.chars().filter_map(plain).collect();
    let keys = keys.filter(|key| key.len() >= MIN_KEY_BYTES);
    let clean = keys.fold(plain, |plain, key| plain.replace(key, "[key]"));
    cut(clean.trim())
}

/// What a character becomes in a line that a terminal shows.
fn plain(c: char) -> Option<char> {
    match c {
        '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' => Some(' '),
        // Nobody sees these, and some of them turn the text around.
        c if is_hidden(c) => None,
        c => Some(c),
    }
}

/// Whether it drives a terminal, or leaves no trace on one.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
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
        assert_eq!(
            scrub("sk-\u{ad}ge\u{2060}heim-\u{e0041}123", Some(&key)),
            "[key]"
        );
        assert_eq!(scrub("a short one", Some(&Secret::new("a"))), "a short one");
    }

    #[test]
    fn the_name_of_a_model_is_short_and_shows_all_there_is() {
        let key = Secret::new("sk-geheim-1234567");
        for name in ["qwen3:8b", "org/model@1", "Modell für alles", "ollama/x"] {
            assert!(is_name(name, Some(&key)), "{name}");
            assert!(is_name(name, Some(&Secret::new("ollama"))), "{name}");
        }
        let long = "m".repeat(MAX_NAME_BYTES + 1);
        for name in [
            "a\nb",
            "a\u{1b}[2J",
            "a\u{202e}b",
            "a\u{200b}",
            "x-sk-geheim-1234567",
            &long,
        ] {
            assert!(!is_name(name, Some(&key)), "{name}");
        }
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
