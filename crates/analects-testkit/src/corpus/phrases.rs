//! What people and models say, read from `phrases.txt`.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::random::Random;

/// The language somebody speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lang {
    En,
    Zh,
}

static PHRASES: LazyLock<HashMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let mut phrases: HashMap<_, Vec<_>> = HashMap::new();
    let mut heading = "";
    for line in include_str!("phrases.txt").lines() {
        let named = line.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        if let Some(named) = named {
            heading = named;
        } else if !line.is_empty() && !line.starts_with('#') {
            phrases.entry(heading).or_default().push(line);
        }
    }
    phrases
});

/// One way to say something on an occasion, with its blanks filled in.
pub(super) fn phrase(
    random: &mut Random,
    occasion: &str,
    lang: Lang,
    blanks: &[(&str, &str)],
) -> String {
    let suffix = match lang {
        Lang::En => "en",
        Lang::Zh => "zh",
    };
    let heading = format!("{occasion} {suffix}");
    let ways = PHRASES
        .get(&*heading)
        .unwrap_or_else(|| panic!("nobody knows what to say: [{heading}]"));
    let way = random.pick(ways);
    let mut said = as_typed(random, way).replace("\\n", "\n");
    for (blank, with) in blanks {
        said = said.replace(&format!("{{{blank}}}"), with);
    }
    said
}

/// As people type: without some of the marks.
fn as_typed(random: &mut Random, way: &str) -> String {
    match random.below(12) {
        0 => way.replace('\'', ""),
        1 => way.replace(',', ""),
        2 => way.trim_end_matches('.').to_owned(),
        _ => way.to_owned(),
    }
}

/// With something said before or behind that does not matter.
pub(super) fn among(random: &mut Random, lang: Lang, said: String) -> String {
    if !random.chance(35) {
        return said;
    }
    let more = phrase(random, "around", lang, &[]);
    let between = random.pick(&[" ", "\n"]);
    if more.ends_with([':', '：', '，']) {
        return format!("{more}{between}{said}");
    }
    let end = if said.ends_with(['.', '。', '!']) {
        ""
    } else {
        "."
    };
    format!("{said}{end}{between}{more}")
}

/// A command as people write it between words.
pub(super) fn quoted(random: &mut Random, command: &str) -> String {
    match random.below(10) {
        0..5 => format!("`{command}`"),
        5 => format!("\"{command}\""),
        6 => format!("'{command}'"),
        _ => command.to_owned(),
    }
}
