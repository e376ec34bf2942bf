//! Command lines, taken apart.

use analects_agent::policy::programs;
use analects_text::shell_line::{StandsFor, lex};

/// What is taken apart is made of what was there; what follows a whole line is never overlooked.
pub fn shell_line(data: &[u8]) {
    let line = String::from_utf8_lossy(data);
    let lexed = lex(&line);
    if let Ok(lexed) = &lexed {
        assert!(!lexed.commands.is_empty(), "sure of nothing: {line:?}");
        assert!(lexed.commands.len() <= line.len());
        for command in &lexed.commands {
            assert!(line.contains(&command.source), "{command:?}");
            for word in &command.words {
                assert!(word.text.len() <= line.len());
            }
            if let Some(first) = command.words.first() {
                assert_eq!(first.stands_for, StandsFor::Itself, "{line:?}");
                assert!(!first.text.is_empty(), "{line:?}");
            }
        }
    }
    for end in [";", "\n", "&&", "||", "|", "&"] {
        // Apart from it: `>` and `|` would be one sign.
        let longer = format!("{line} {end} zap x");
        let Ok(longer) = lex(&longer) else { continue };
        let mut firsts = longer.commands.iter().filter_map(|it| it.words.first());
        let is_there = firsts.any(|word| word.text == "zap");
        assert!(is_there, "{line:?} hides what follows {end:?}");
    }
    if let Some(named) = programs(&line) {
        assert!(lexed.is_ok_and(|lexed| lexed.commands.len() >= named.len() && !lexed.redirects));
    }
}
