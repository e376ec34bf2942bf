//! Keys by their names, and what a terminal sends for them.

use super::answers::Keyboard;

/// What is sent when a key is pressed.
pub(super) fn bytes(name: &str, keyboard: Keyboard) -> Vec<u8> {
    if let Some(letter) = name.strip_prefix("Ctrl-") {
        let letter = letter
            .bytes()
            .next()
            .expect("a letter")
            .to_ascii_lowercase();
        assert!(letter.is_ascii_lowercase(), "no such key: {name}");
        return match keyboard {
            Keyboard::Plain => vec![letter & 0x1f],
            Keyboard::Distinct => format!("\x1b[{letter};5u").into_bytes(),
        };
    }
    if let Some(rest) = name.strip_prefix("Alt-") {
        return match (keyboard, rest) {
            (Keyboard::Distinct, "Enter") => b"\x1b[13;3u".to_vec(),
            _ => [b"\x1b".to_vec(), bytes(rest, Keyboard::Plain)].concat(),
        };
    }
    let sent = match (name, keyboard) {
        ("Enter", _) => "\r",
        ("Tab", _) => "\t",
        ("Backspace", _) => "\x7f",
        ("Space", _) => " ",
        ("Esc", Keyboard::Plain) => "\x1b",
        ("Esc", Keyboard::Distinct) => "\x1b[27u",
        ("Up", _) => "\x1b[A",
        ("Down", _) => "\x1b[B",
        ("Right", _) => "\x1b[C",
        ("Left", _) => "\x1b[D",
        ("Home", _) => "\x1b[H",
        ("End", _) => "\x1b[F",
        ("PageUp", _) => "\x1b[5~",
        ("PageDown", _) => "\x1b[6~",
        ("Delete", _) => "\x1b[3~",
        ("Shift-Tab", _) => "\x1b[Z",
        (letter, _) if letter.chars().count() == 1 => letter,
        _ => panic!("no such key: {name}"),
    };
    sent.as_bytes().to_vec()
}

/// What is sent when a text is pasted. A new line is the key that makes one.
pub(super) fn pasted(text: &str, is_marked: bool) -> Vec<u8> {
    let text = text.replace("\r\n", "\r").replace('\n', "\r");
    if !is_marked {
        return text.into_bytes();
    }
    // What ends a paste cannot be in it: every terminal takes care of that.
    let text = text.replace("\x1b[201~", "");
    format!("\x1b[200~{text}\x1b[201~").into_bytes()
}
