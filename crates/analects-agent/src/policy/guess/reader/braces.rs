//! The words that braces stand for.

use super::{Guess, Piece, Raw};

/// A word stands for so many at most; what could be more could be anything.
const MAX_WORDS: usize = 64;
/// Braces in a longer word are not looked into.
const MAX_PIECES: usize = 2_000;

/// The words that a word with braces stands for.
pub(super) fn expanded(word: &[Raw]) -> Vec<Guess> {
    if word.len() > MAX_PIECES && word.contains(&Raw::Open) {
        return vec![guess(&[Raw::Splits])];
    }
    let mut words = Vec::new();
    let mut left = vec![word.to_vec()];
    while let Some(word) = left.pop() {
        match alternatives(&word) {
            Some(alternatives) if words.len() + left.len() < MAX_WORDS => {
                left.extend(alternatives.into_iter().rev());
            }
            Some(_) => words.push(guess(&[Raw::Splits])),
            None => words.push(guess(&word)),
        }
    }
    words
}

/// A word for each alternative of the first braces that have some.
fn alternatives(word: &[Raw]) -> Option<Vec<Vec<Raw>>> {
    let opens = word.iter().enumerate();
    let opens = opens.filter(|(_, raw)| **raw == Raw::Open);
    opens.into_iter().find_map(|(open, _)| {
        let (mut depth, mut cuts) = (0_usize, vec![open]);
        for (at, raw) in word.iter().enumerate().skip(open) {
            match raw {
                Raw::Open => depth += 1,
                Raw::Close => depth -= 1,
                Raw::Comma if depth == 1 => cuts.push(at),
                _ => {}
            }
            if depth == 0 {
                cuts.push(at);
                break;
            }
        }
        if depth > 0 || cuts.len() < 3 {
            return None;
        }
        let (before, after) = (word.get(..open)?, word.get(cuts.last()? + 1..)?);
        let between = cuts.windows(2).map(|cut| match cut {
            [from, to] => word.get(from + 1..*to).unwrap_or_default(),
            _ => &[],
        });
        Some(between.map(|it| [before, it, after].concat()).collect())
    })
}

fn guess(word: &[Raw]) -> Guess {
    let piece = |raw: &Raw| match raw {
        Raw::Piece(piece) => *piece,
        Raw::Splits => Piece::Any,
        Raw::Open => Piece::Char('{'),
        Raw::Comma => Piece::Char(','),
        Raw::Close => Piece::Char('}'),
    };
    Guess {
        pieces: word.iter().map(piece).collect(),
        splits: word.contains(&Raw::Splits),
    }
}
