//! Findings that concern two places, and how they are reported.

use analects_text::problem::Code;

use super::Finding;
use super::said::Said;
use super::sheet::Sheet;

/// Two files that share more than this are told about once, not line by line.
const MAX_SHARED: usize = 3;

/// Two places; the second one is the one to blame.
pub(super) struct Pair<'a> {
    pub(super) first: Said<'a>,
    pub(super) again: Said<'a>,
}

/// Places of two lines that have to do with one another, where both are heard: each place of the later
/// line with the first one of the earlier line.
pub(super) fn meetings<'a>(sheets: &[Sheet<'_>], a: &[Said<'a>], b: &[Said<'a>]) -> Vec<Pair<'a>> {
    let order = |said: &Said<'_>| (said.sheet, said.at);
    let is_later = |a: &[Said<'_>], b: &[Said<'_>]| a.first().map(order) > b.first().map(order);
    let (first, again) = if is_later(a, b) { (b, a) } else { (a, b) };
    let meets = |a: &Said<'_>, b: &Said<'_>| sheets[a.sheet].page.meets(sheets[b.sheet].page);
    let pair = |&again: &Said<'a>| {
        let first = first.iter().copied().find(|first| meets(first, &again))?;
        Some(Pair { first, again })
    };
    again.iter().filter_map(pair).collect()
}

/// How a kind of pairs is told.
pub(super) struct Words {
    pub(super) code: &'static Code,
    /// What the second place does to the first: `says the same as`.
    pub(super) does: &'static str,
    /// What two files have in common if there are many: `lines stand in both files`.
    pub(super) shared: &'static str,
}

/// A finding for each pair, or one for each two files that have much in common.
pub(super) fn told(
    sheets: &[Sheet<'_>],
    mut pairs: Vec<Pair<'_>>,
    words: &Words,
    is_fixable: impl Fn(&Said<'_>) -> bool,
) -> Vec<Finding> {
    pairs.sort_by_key(|pair| (pair.again.sheet, pair.first.sheet, pair.again.at));
    let same_files = |a: &Pair<'_>, b: &Pair<'_>| {
        (a.again.sheet, a.first.sheet) == (b.again.sheet, b.first.sheet)
    };
    let mut findings = Vec::new();
    for pairs in pairs.chunk_by(same_files) {
        let is_one_file = |pair: &Pair<'_>| pair.first.sheet == pair.again.sheet;
        let is_much = pairs.len() > MAX_SHARED && !pairs.iter().any(is_one_file);
        let n_told = if is_much { 1 } else { pairs.len() };
        for pair in pairs.iter().take(n_told) {
            let (first, again) = (&sheets[pair.first.sheet], &sheets[pair.again.sheet]);
            let place = match is_one_file(pair) {
                true => format!("line {}", first.line(pair.first.at)),
                false => first.place(pair.first.at),
            };
            let message = match is_much {
                true => format!(
                    "{} {}; this one {} {place}",
                    pairs.len(),
                    words.shared,
                    words.does
                ),
                false => format!("{} {place}", words.does),
            };
            findings.push(Finding {
                problem: again.problem(words.code, pair.again.at, message),
                is_fixable: is_fixable(&pair.again),
            });
        }
    }
    findings
}
