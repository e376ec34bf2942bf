//! The score of every turn that has a word of the question.

use analects_world::index::{DocId, Field, Place, Places, WordPlaces};

use crate::search::query::{Query, Way, Wish};

/// A turn and how well it answers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scored {
    pub(super) doc: DocId,
    pub(super) score: f32,
}

/// How soon more of the same word adds nothing.
const K1: f32 = 1.5;
/// How much a long turn is held to be long by chance.
const B: f32 = 0.6;
/// What a turn gets of the words of the turns beside it.
const BESIDE: [f32; 3] = [0.0, 0.5, 0.25];
/// By how much another word can be more telling than the word of the question, being rarer.
const OTHERS: f32 = 1.6;
/// What part of the score depends on how much of the question is covered.
const COVERAGE: f32 = 0.35;
/// How far words can stand apart and still be near each other.
const NEAR_WORDS: u32 = 8;
/// What words that stand near each other can add at most.
const NEARNESS: f32 = 0.3;

/// What a word in this part of a turn is worth.
fn worth(field: Field) -> f32 {
    match field {
        Field::Title => 1.8,
        Field::Prompt => 1.25,
        Field::Answer => 1.0,
        Field::Input => 0.9,
        Field::Output => 0.55,
    }
}

/// One match of a wish.
#[derive(Debug, Clone, Copy)]
struct Match {
    doc: DocId,
    wish: u16,
    way: u16,
    spot: Option<(Field, u32)>,
}

/// Scores all turns. `rows` tells the places of each term of a way.
pub(super) fn score<'a>(
    query: &Query,
    places: &'a Places,
    rows: impl Fn(&Way) -> Vec<&'a WordPlaces>,
) -> Vec<Scored> {
    let mut matches = Vec::new();
    let mut idfs = Vec::new();
    for (wish_no, wish) in (0..).zip(&query.wishes) {
        let mut own_idf = None;
        let mut ways = Vec::new();
        for (way_no, way) in (0..).zip(&wish.ways) {
            let rows = rows(way);
            let before = matches.len();
            let mut add = |place: &Place| {
                matches.push(Match {
                    doc: place.doc,
                    wish: wish_no,
                    way: way_no,
                    spot: place.spot,
                });
            };
            let n_docs = match rows.as_slice() {
                [one] => {
                    one.places.iter().for_each(add);
                    one.n_docs
                }
                rows => {
                    in_a_row(rows, &mut add);
                    n_distinct(matches.get(before..).unwrap_or_default())
                }
            };
            let idf = (n_docs > 0).then(|| idf(places.n_docs, n_docs));
            if way_no == 0 {
                own_idf = idf;
            }
            // Another word is not much more telling than the word itself.
            ways.push(match (idf, own_idf) {
                (Some(idf), Some(own)) => idf.min(own * OTHERS),
                (idf, _) => idf.unwrap_or(0.0),
            });
        }
        idfs.push(ways);
    }
    matches.sort_unstable_by_key(|found| (found.doc, found.spot, found.wish, found.way));
    let board = Board {
        query,
        idfs,
        mean_words: places.mean_words.max(1.0) as f32,
    };
    board.total(&matches)
}

/// The places where the words stand one right behind the other.
fn in_a_row(rows: &[&WordPlaces], add: &mut impl FnMut(&Place)) {
    let Some((first, rest)) = rows.split_first() else {
        return;
    };
    for place in &first.places {
        let follows = (1..).zip(rest).all(|(n, row)| match place.spot {
            Some((field, at)) => {
                let next = Place {
                    doc: place.doc,
                    spot: Some((field, at + n)),
                };
                let bare = Place { spot: None, ..next };
                row.places.binary_search(&next).is_ok() || row.places.binary_search(&bare).is_ok()
            }
            // Where a common word stands is not known: in the same turn must do.
            None => {
                let at = row.places.partition_point(|other| other.doc < place.doc);
                row.places
                    .get(at)
                    .is_some_and(|other| other.doc == place.doc)
            }
        });
        if follows {
            add(place);
        }
    }
}

fn n_distinct(matches: &[Match]) -> u64 {
    let mut n = 0;
    let mut last = None;
    for found in matches {
        if last != Some(found.doc) {
            n += 1;
            last = Some(found.doc);
        }
    }
    n
}

#[expect(clippy::cast_precision_loss, reason = "a logarithm of a count")]
fn idf(n_all: u64, n_docs: u64) -> f32 {
    let (n_all, n_docs) = (n_all.max(n_docs) as f32, n_docs as f32);
    (1.0 + (n_all - n_docs + 0.5) / (n_docs + 0.5)).ln()
}

struct Board<'a> {
    query: &'a Query,
    /// How telling each way of each wish is.
    idfs: Vec<Vec<f32>>,
    mean_words: f32,
}

/// A turn, with what it has of each wish.
struct Row {
    doc: DocId,
    /// Where its part of the list of all wishes' scores begins.
    at: usize,
    nearness: f32,
}

impl Board<'_> {
    /// The scores of all turns, from their matches in order.
    fn total(&self, matches: &[Match]) -> Vec<Scored> {
        let n_wishes = self.query.wishes.len();
        let mut rows: Vec<Row> = Vec::new();
        let mut all: Vec<f32> = Vec::new();
        for found in matches.chunk_by(|a, b| a.doc == b.doc) {
            let Some(first) = found.first() else { continue };
            let at = all.len();
            all.resize(at + n_wishes, 0.0);
            self.wishes(found, all.get_mut(at..).unwrap_or_default());
            rows.push(Row {
                doc: first.doc,
                at,
                nearness: self.nearness(found),
            });
        }
        let possible = self.possible();
        let own = |row: &Row| all.get(row.at..row.at + n_wishes).unwrap_or_default();
        (0..rows.len())
            .map(|no| {
                let row = &rows[no];
                let mut sum = 0.0;
                let mut covered = 0.0;
                for wish in 0..n_wishes {
                    let mine = own(row)[wish];
                    let beside = beside(&rows, no, |other| own(other)[wish]);
                    let value = mine.max(beside);
                    sum += value;
                    if value > 0.0 {
                        covered += self.most(wish) * (value / mine.max(value)).min(1.0);
                    }
                }
                let coverage = if possible > 0.0 {
                    covered / possible
                } else {
                    1.0
                };
                Scored {
                    doc: row.doc,
                    score: sum
                        * (1.0 - COVERAGE + COVERAGE * coverage)
                        * (1.0 + NEARNESS * row.nearness),
                }
            })
            .collect()
    }

    /// What a turn has of each wish.
    fn wishes(&self, found: &[Match], scores: &mut [f32]) {
        let n_words = found.first().map_or(1, |first| first.doc.n_words);
        #[expect(clippy::cast_precision_loss, reason = "a length")]
        let length = 1.0 - B + B * n_words as f32 / self.mean_words;
        let mut ordered: Vec<&Match> = found.iter().collect();
        ordered.sort_by_key(|found| (found.wish, found.way));
        for group in ordered.chunk_by(|a, b| (a.wish, a.way) == (b.wish, b.way)) {
            let Some(first) = group.first() else { continue };
            let (wish_no, way_no) = (usize::from(first.wish), usize::from(first.way));
            let (wish, way) = self.way(wish_no, way_no);
            let n: f32 = group
                .iter()
                .map(|found| found.spot.map_or(0.8, |(field, _)| worth(field)))
                .sum();
            let value = wish.weight * way.weight * self.idfs[wish_no][way_no] * n * (K1 + 1.0)
                / (n + K1 * length);
            if let Some(score) = scores.get_mut(wish_no) {
                // Two words for one thing do not make it two things, but they make it surer.
                *score = score.max(value) + 0.15 * score.min(value);
            }
        }
    }

    /// Whether words of different wishes stand near each other: 0 to 1.
    fn nearness(&self, found: &[Match]) -> f32 {
        let mut sum = 0.0;
        for pair in found.windows(2) {
            let [one, other] = pair else { continue };
            let (Some((field, at)), Some((other_field, other_at))) = (one.spot, other.spot) else {
                continue;
            };
            let apart = other_at.saturating_sub(at);
            if one.wish != other.wish && field == other_field && apart <= NEAR_WORDS {
                let weight = |found: &Match| {
                    let (wish, way) = self.way(usize::from(found.wish), usize::from(found.way));
                    wish.weight * way.weight
                };
                #[expect(clippy::cast_precision_loss, reason = "at most eight")]
                let near = 1.0 / (1.0 + apart as f32 / 2.0);
                sum += near * weight(one).min(weight(other));
            }
        }
        sum / (1.0 + sum)
    }

    fn way(&self, wish: usize, way: usize) -> (&Wish, &Way) {
        let wish = &self.query.wishes[wish];
        (wish, &wish.ways[way])
    }

    /// How telling a wish can be at most.
    fn most(&self, wish: usize) -> f32 {
        let idfs = self.idfs[wish].iter().zip(&self.query.wishes[wish].ways);
        let most = idfs.map(|(idf, way)| idf * way.weight).fold(0.0, f32::max);
        most * self.query.wishes[wish].weight
    }

    fn possible(&self) -> f32 {
        (0..self.query.wishes.len())
            .map(|wish| self.most(wish))
            .sum()
    }
}

/// What the turns beside one have of a wish.
fn beside(rows: &[Row], no: usize, score: impl Fn(&Row) -> f32) -> f32 {
    let here = rows[no].doc;
    let near = |row: &&Row| {
        row.doc.file == here.file && (row.doc.turn.abs_diff(here.turn) as usize) < BESIDE.len()
    };
    let before = rows
        .get(..no)
        .unwrap_or_default()
        .iter()
        .rev()
        .take_while(near);
    let after = rows
        .get(no + 1..)
        .unwrap_or_default()
        .iter()
        .take_while(near);
    before
        .chain(after)
        .map(|row| score(row) * BESIDE[row.doc.turn.abs_diff(here.turn) as usize])
        .fold(0.0, f32::max)
}
