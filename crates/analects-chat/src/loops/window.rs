//! A window that slides over a text and sees when the same piece keeps coming back.
//!
//! The last units of the text stand in a ring, beside a running sum that gives the hash of any stretch of it
//! in one step. Places with the same hash are chained as in a compressor: nothing is ever removed, a place
//! that is too old ends the chain. Forgetting is therefore one assignment, and memory never grows.
//!
//! A unit is one of UTF-16, as in the original. It hashes a half character at the rim of a window as a
//! replacement character, we as what it is: that can move a verdict by one unit among astral characters.
//! Pieces that return at more than [`SPREAD`] units on average are out of scope, as they are there.

use analects_world::Profile;

/// How long a piece is that is looked for.
pub(super) const PIECE: u64 = 50;
/// How often it must occur.
pub(super) const TIMES: usize = 10;
/// How far apart two of them may be, on average.
pub(super) const SPREAD: u64 = 250;
/// How much of a text is remembered.
pub(super) const HISTORY: u64 = 5_000;
/// What lies between them may be said in this many ways; more is a list of different things.
const MAX_WAYS: usize = TIMES / 2;
/// From the first of them to the last.
const REACH: u64 = SPREAD * (TIMES as u64 - 1);

/// A power of two above what is remembered.
const RING: usize = 8_192;
const MASK: u64 = RING as u64 - 1;
const BASE: u64 = 0x9E37_79B9_7F4A_7C15;
static POWERS: [u64; REACH as usize + 1] = powers();

/// The text, and where in it the window stands. Places count from the first unit ever pushed.
#[derive(Debug, Clone)]
pub(super) struct Window {
    units: Box<[u16; RING]>,
    /// At each place: the hash of all units before it.
    sums: Box<[u64; RING]>,
    /// For each bucket of hashes the newest place.
    newest: Box<[u64; RING]>,
    pieces: Box<[Piece; RING]>,
    /// What lies before does not count.
    start: u64,
    /// The piece to be looked at next.
    at: u64,
    /// Whether the piece there was counted already: a verdict does not move the window on.
    is_counted: bool,
    end: u64,
}

/// What begins at a place.
#[derive(Debug, Clone, Copy, Default)]
struct Piece {
    hash: u64,
    /// The next older place in the same bucket.
    older: u64,
    /// How often it was counted: the original counts a piece again when it goes on after a verdict.
    count: usize,
}

/// A stretch of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: u64,
    pub(super) units: u64,
}

impl Window {
    pub(super) fn new() -> Self {
        // Place 0 is never used, so that an empty bucket is one whose place is too old.
        Self {
            units: Box::new([0; RING]),
            sums: Box::new([0; RING]),
            newest: Box::new([0; RING]),
            pieces: Box::new([Piece::default(); RING]),
            start: 1,
            at: 1,
            is_counted: false,
            end: 1,
        }
    }

    /// Where the text ends by now.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// Adds to the text without looking at it.
    pub(super) fn push(&mut self, text: &str) {
        let mut sum = self.sums[slot(self.end)];
        for unit in text.encode_utf16() {
            self.units[slot(self.end)] = unit;
            self.end += 1;
            // One more than the unit: NUL is something too.
            sum = (sum.wrapping_mul(BASE)).wrapping_add(u64::from(unit) + 1);
            self.sums[slot(self.end)] = sum;
        }
    }

    /// Nothing before this place counts any more.
    pub(super) fn forget_before(&mut self, place: u64) {
        self.start = self.start.max(place);
        if self.at < self.start {
            self.at = self.start;
            self.is_counted = false;
        }
    }

    /// Nothing counts any more.
    pub(super) fn forget(&mut self) {
        self.forget_before(self.end);
    }

    /// Looks at all pieces that are complete. Answers what came back: the text from the last time to this.
    pub(super) fn look(&mut self, profile: Profile) -> Option<Span> {
        self.forget_before(self.end.saturating_sub(HISTORY));
        while self.at + PIECE <= self.end {
            if let Some(repeated) = self.look_at_one(profile) {
                return Some(repeated);
            }
            self.at += 1;
            self.is_counted = false;
        }
        None
    }

    /// Whether two stretches say the same. Those that are long or forgotten do not.
    pub(super) fn is_same(&self, one: Span, other: Span) -> bool {
        let is_known = |span: Span| span.units <= REACH && span.start + RING as u64 > self.end;
        let pairs = (one.start..one.start + one.units).zip(other.start..);
        one.units == other.units
            && is_known(one)
            && is_known(other)
            && self.hash(one) == self.hash(other)
            && pairs.fold(true, |same, (one, other)| {
                same & (self.units[slot(one)] == self.units[slot(other)])
            })
    }

    /// What stands there.
    pub(super) fn text(&self, span: Span) -> String {
        let units = (span.start..span.start + span.units).map(|place| self.units[slot(place)]);
        char::decode_utf16(units)
            .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect()
    }

    fn look_at_one(&mut self, profile: Profile) -> Option<Span> {
        self.count();
        let Piece { hash, older, count } = self.pieces[slot(self.at)];
        let oldest = self.start.max(self.at.saturating_sub(REACH));
        let (mut n_counted, mut place) = (count, older);
        while place >= oldest && n_counted < TIMES {
            let piece = &self.pieces[slot(place)];
            n_counted += if piece.hash == hash { piece.count } else { 0 };
            place = piece.older;
        }
        if n_counted < TIMES {
            return None;
        }
        let places = self.last_places();
        if !self.is_chant(&places, profile) {
            return None;
        }
        // Nothing lies between a place and itself, where one was counted twice.
        let said = ways(&places).find(|way| way.units > 0);
        Some(said.unwrap_or(piece(self.at)))
    }

    /// The last places that were counted for the current piece, newest first. There must be enough.
    fn last_places(&self) -> [u64; TIMES] {
        let hash = self.pieces[slot(self.at)].hash;
        let mut places = [self.at; TIMES];
        let (mut n_places, mut place) = (0, self.at);
        while n_places < TIMES {
            let piece = &self.pieces[slot(place)];
            if piece.hash == hash {
                let counted = n_places + piece.count;
                (places.iter_mut().take(counted).skip(n_places)).for_each(|free| *free = place);
                n_places = counted;
            }
            place = piece.older;
        }
        places
    }

    /// Chains the piece at the current place to the others of its bucket.
    fn count(&mut self) {
        let at = slot(self.at);
        if self.is_counted {
            self.pieces[at].count += 1;
            return;
        }
        let hash = self.hash(piece(self.at));
        // The low bits of a sum know only the low bits of the units.
        let bucket = slot(hash.wrapping_mul(BASE) >> 32);
        let older = std::mem::replace(&mut self.newest[bucket], self.at);
        let count = 1;
        self.pieces[at] = Piece { hash, older, count };
        self.is_counted = true;
    }

    /// Whether places with the same hash, newest first, are a chant: the same piece indeed, and between two
    /// of them not something new each time.
    fn is_chant(&self, places: &[u64; TIMES], profile: Profile) -> bool {
        // Different hashes prove that something differs, and are cheap; the same hash alone proves nothing.
        let is_list = profile != Profile::Seed
            && (are_many(ways(places).map(|way| self.hash(way)), |one, other| {
                one == other
            }) || are_many(ways(places), |&one, &other| self.is_same(one, other)));
        !is_list && (places.iter()).all(|&place| self.is_same(piece(place), piece(self.at)))
    }

    fn hash(&self, Span { start, units }: Span) -> u64 {
        let before = self.sums[slot(start)].wrapping_mul(POWERS[units as usize]);
        self.sums[slot(start + units)].wrapping_sub(before)
    }
}

fn piece(start: u64) -> Span {
    Span {
        start,
        units: PIECE,
    }
}

/// What lies from each place to the next newer one; the newest come first.
fn ways(places: &[u64; TIMES]) -> impl Iterator<Item = Span> {
    places.windows(2).map(|pair| Span {
        start: pair[1],
        units: pair[0] - pair[1],
    })
}

/// Whether there are more ways than a chant has.
fn are_many<T: Copy>(mut ways: impl Iterator<Item = T>, is_same: impl Fn(&T, &T) -> bool) -> bool {
    let Some(first) = ways.next() else {
        return false;
    };
    let mut different = [first; MAX_WAYS];
    let mut n_different = 1;
    for way in ways {
        if different[..n_different]
            .iter()
            .any(|other| is_same(other, &way))
        {
            continue;
        }
        if n_different == MAX_WAYS {
            return true;
        }
        different[n_different] = way;
        n_different += 1;
    }
    false
}

fn slot(place: u64) -> usize {
    (place & MASK) as usize
}

const fn powers() -> [u64; REACH as usize + 1] {
    let mut powers = [1_u64; REACH as usize + 1];
    let mut idx = 1;
    while idx < powers.len() {
        powers[idx] = powers[idx - 1].wrapping_mul(BASE);
        idx += 1;
    }
    powers
}
