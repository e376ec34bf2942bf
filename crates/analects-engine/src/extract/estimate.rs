//! What a model would cost, before it is asked.

use analects_skill::eligible::{self, Eligible};
use analects_text::tokens;

/// What an agent is told besides: its instructions, its tools, what waits and what is there already.
const FIXED_TOKENS: u64 = 8_000;
/// Of a record so many bytes become one token, once it is retold in few words.
const BYTES_PER_TOKEN: u64 = 16;
/// And no record becomes more.
const MAX_SESSION_TOKENS: u64 = 12_000;

/// How many tokens a run would take, about: every turn sends again what was read before it.
pub(super) fn tokens(indexed: &[Eligible]) -> u64 {
    let index = tokens::estimate(&eligible::index(indexed)) as u64;
    let mut sent = FIXED_TOKENS + index;
    let mut sum = sent;
    for session in indexed.iter().filter(|session| session.mark.is_new()) {
        sent += (session.n_bytes / BYTES_PER_TOKEN).clamp(200, MAX_SESSION_TOKENS);
        sum += sent;
    }
    sum
}
