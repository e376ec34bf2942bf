//! Finds all near-duplicates without comparing every pair.

use std::collections::HashMap;

use super::Gist;

/// How many earlier gists with the same rare word are looked at. Of a larger heap of copies each still
/// meets its neighbours, so that the heap hangs together.
const MAX_CANDIDATES: usize = 64;

/// All pairs of twins, each with the smaller index first, in order.
///
/// Twins share nearly all words, so they share one of their rarest. Only those are looked up, and only the
/// last sixty-four holders of each.
#[must_use]
pub fn twins(gists: &[Gist]) -> Vec<(usize, usize)> {
    let mut n_holders: HashMap<u32, usize> = HashMap::new();
    for print in gists.iter().flat_map(|gist| gist.said()) {
        *n_holders.entry(*print).or_insert(0) += 1;
    }
    let mut holders: HashMap<u32, Vec<usize>> = HashMap::new();
    let mut pairs = Vec::new();
    for (at, gist) in gists.iter().enumerate() {
        let rarest = rarest(gist, &n_holders);
        let mut candidates: Vec<usize> = rarest
            .iter()
            .filter_map(|print| holders.get(print))
            .flat_map(|holders| holders.iter().rev().take(MAX_CANDIDATES).copied())
            .collect();
        candidates.sort_unstable();
        candidates.dedup();
        let found = candidates.into_iter().filter(|earlier| {
            gists
                .get(*earlier)
                .is_some_and(|earlier| earlier.is_twin_of(gist))
        });
        pairs.extend(found.map(|earlier| (earlier, at)));
        for print in rarest {
            holders.entry(print).or_default().push(at);
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Enough of a gist's rarest prints that a twin must have one of them among its own.
fn rarest(gist: &Gist, n_holders: &HashMap<u32, usize>) -> Vec<u32> {
    let mut prints = gist.said().to_vec();
    prints.sort_unstable_by_key(|print| (n_holders.get(print).copied().unwrap_or(0), *print));
    // Missing words, missing characters and slips together stay below this.
    prints.truncate(3 + prints.len() / 4);
    prints
}
