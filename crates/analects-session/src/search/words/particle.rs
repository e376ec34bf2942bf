//! Verbs with a particle that are also one word: `log in` finds `login`.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::stem;

/// What is written together as a noun and apart as a verb.
const JOINED: &str = "login logout logon logoff signin signup signout signoff setup startup shutdown \
    teardown timeout checkout checkin rollback rollout rollup fallback callback cleanup lookup backup \
    breakdown buildup cutoff dropdown followup handoff hookup lockout lockup mixup mockup opt-in optout \
    popup printout pushback readout runup scaleup scaledown slowdown speedup spinup switchover takeover \
    turnaround typeahead warmup workaround workout writeback writeup markup markdown carryover crossover \
    failover layout logback makeup offset onset pickup plugin pullup rundown standby standin stopover \
    touchup tryout upload download tieback standup holdup hangup catchup breakup build-up leftover";

const PARTICLES: [&str; 11] = [
    "in", "out", "up", "on", "off", "down", "back", "over", "around", "ahead", "by",
];

/// The verb in the list that has this stem.
pub(super) fn verb(stem: &str) -> Option<&'static str> {
    TABLE.verbs.get(stem).copied()
}

/// The word that a verb and its particle make together.
pub(super) fn joined(verb: &'static str, particle: &str) -> Option<&'static str> {
    TABLE.nouns.get(&(verb, particle)).copied()
}

struct Table {
    verbs: HashMap<String, &'static str>,
    nouns: HashMap<(&'static str, &'static str), &'static str>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table {
        verbs: HashMap::new(),
        nouns: HashMap::new(),
    };
    for noun in JOINED.split_whitespace() {
        let split = PARTICLES
            .iter()
            .find_map(|particle| Some((noun.strip_suffix(particle)?, *particle)));
        if let Some((verb, particle)) = split {
            table.verbs.insert(stem(verb), verb);
            table.nouns.insert((verb, particle), noun);
        }
    }
    table
});
