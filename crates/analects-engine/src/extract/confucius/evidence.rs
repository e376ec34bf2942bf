//! What a draft says about where it comes from. The agent does not write it: it is known from what it read.

use analects_skill::footing::{Footing, Rest};
use analects_text::decode::without_mark;
use analects_text::frontmatter;

use super::reads::Told;

/// How many places are named.
const MAX_PLACES: usize = 12;
/// A name of a message is at most this long.
const MAX_MESSAGE: usize = 64;

/// The `SKILL.md` with its evidence in `metadata`, in the place of whatever stood there; as it was, if it has no head.
pub(super) fn with_evidence(text: &str, footing: &Footing, sessions: &[&Told]) -> String {
    let Some((head, body)) = parted(text) else {
        return text.to_owned();
    };
    let names = sessions.iter().map(|told| told.version.0.as_str());
    let names: Vec<_> = names.collect();
    let places = footing.places(MAX_PLACES).into_iter().filter_map(|place| {
        let session = names.get(place.session_idx)?;
        Some(format!("{session}#{}", plain(&place.message)))
    });
    let places: Vec<_> = places.collect();
    let mut taint: Vec<_> = footing
        .steps
        .iter()
        .filter_map(|step| match step.rests_on {
            Rest::Tainted(by) => Some(by.as_str()),
            Rest::Sound(_) | Rest::Nothing => None,
        })
        .collect();
    taint.sort_unstable();
    taint.dedup();
    let taint = match taint.is_empty() {
        true => "none".to_owned(),
        false => taint.join(", "),
    };
    format!(
        "---\n{head}metadata:\n  analects-origin: \"confucius\"\n  analects-sessions: \"{}\"\n  \
         analects-evidence: \"{}\"\n  analects-taint: \"{taint}\"\n---\n{body}",
        names.join(", "),
        places.join(", "),
    )
}

/// The fields of a head without `metadata`, and what stands below it.
fn parted(text: &str) -> Option<(String, &str)> {
    let text = without_mark(text);
    let parts = frontmatter::split(text).ok()?;
    let fields = parts.fields().ok()?;
    let old = fields.iter().position(|field| field.name == "metadata");
    let old = old.and_then(|at| {
        let next = fields.get(at + 1).map_or(usize::MAX, |field| field.line);
        Some(fields.get(at)?.line..next)
    });
    // The dashes stand on the first line and on the one before the body.
    let lines = text.lines().zip(1..).skip(1);
    let head = lines.take_while(|(_, line)| line + 1 < parts.body_line);
    let kept = head.filter(|(_, line)| !old.as_ref().is_some_and(|old| old.contains(line)));
    Some((
        kept.map(|(text, _)| format!("{text}\n")).collect(),
        parts.body,
    ))
}

/// A name that a record gives, fit for a word in quotes.
fn plain(name: &str) -> String {
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    name.chars().filter(is_plain).take(MAX_MESSAGE).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_agent_says_about_itself_is_replaced() {
        let text = "---\nname: a\nmetadata:\n  analects-evidence: \"all of it\"\n  x: y\ndescription: b\n---\nBody\n";
        let told = with_evidence(text, &Footing::default(), &[]);
        assert_eq!(
            told,
            "---\nname: a\ndescription: b\nmetadata:\n  analects-origin: \"confucius\"\n  analects-sessions: \"\"\n  \
             analects-evidence: \"\"\n  analects-taint: \"none\"\n---\nBody\n"
        );
        assert_eq!(with_evidence(&told, &Footing::default(), &[]), told);
        assert_eq!(
            with_evidence("no head", &Footing::default(), &[]),
            "no head"
        );
    }
}
