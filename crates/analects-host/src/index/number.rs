//! Packs what ranking needs first into a turn's row number, so that no table need be read.
//!
//! From the top: 31 bits for the file, 22 for the turn, 6 for its length, 2 for who said it, 2 spare. The
//! turns of a file lie together, in their order.

use analects_world::index::{Doc, DocId};

const TURN_BITS: u32 = 22;
const TURN_SHIFT: u32 = 10;
const LENGTH_SHIFT: u32 = 4;
const ROLE_SHIFT: u32 = 2;
const FILE_SHIFT: u32 = TURN_SHIFT + TURN_BITS;

/// Steps of the length to one doubling.
const STEPS: f64 = 3.0;

/// The number of a turn; `None` for one beyond all that a conversation can hold.
pub(super) fn of(file: i64, doc: &Doc, n_words: u64) -> Option<i64> {
    if doc.turn >= 1 << TURN_BITS {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "clamped to six bits"
    )]
    let length = ((n_words.max(1) as f64).log2() * STEPS)
        .round()
        .clamp(0.0, 63.0) as i64;
    Some(
        file << FILE_SHIFT
            | i64::from(doc.turn) << TURN_SHIFT
            | length << LENGTH_SHIFT
            | i64::from(doc.role & 3) << ROLE_SHIFT,
    )
}

/// All numbers that turns of this file can have.
pub(super) fn range(file: i64) -> (i64, i64) {
    (file << FILE_SHIFT, ((file + 1) << FILE_SHIFT) - 1)
}

/// The file of a number.
pub(super) fn file(number: i64) -> i64 {
    number >> FILE_SHIFT
}

/// Which turn a number is of.
pub(super) fn turn(number: i64) -> u32 {
    u32::try_from(number >> TURN_SHIFT & ((1 << TURN_BITS) - 1)).unwrap_or(0)
}

/// What a number tells.
pub(super) fn read(number: i64) -> DocId {
    let length = u8::try_from(number >> LENGTH_SHIFT & 63).unwrap_or(0);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "at most 2^21"
    )]
    let n_words = (f64::from(length) / STEPS).exp2().round() as u32;
    DocId {
        file: u32::try_from(file(number)).unwrap_or(0),
        turn: turn(number),
        n_words,
        role: u8::try_from(number >> ROLE_SHIFT & 3).unwrap_or(0),
    }
}

/// Numbers that a turn with this id can have: its length is known only about.
pub(super) fn around(id: DocId) -> (i64, i64) {
    let first = i64::from(id.file) << FILE_SHIFT | i64::from(id.turn) << TURN_SHIFT;
    (first, first + (1 << TURN_SHIFT) - 1)
}
