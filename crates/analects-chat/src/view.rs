//! Histories as others see them: the router that picks a model, and the observers that read along.
//!
//! Views are for looking, not for sending on: they leave out one end of a pair.

use analects_world::Profile;
use analects_world::model::{Body, Content};

use crate::shape::{is_call, is_response};

/// How far back a router looks, and how much of that it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lookback {
    /// Among this many of the last turns it looks.
    pub window: usize,
    /// How many turns with text it is shown.
    pub turns: usize,
}

impl Lookback {
    /// That of the original.
    pub const USUAL: Self = Self {
        window: 20,
        turns: 4,
    };
}

/// How much a router that gives marks is shown.
const SCORING_TURNS: usize = 8;

/// What a router sees that says which of two models is to answer: the last turns in which people or the
/// model speak. The original shows it calls too, where words stand beside them; they lack their responses
/// and a server refuses them, so we do not.
#[must_use]
pub fn routing(history: &[Content], lookback: Lookback, profile: Profile) -> Vec<Content> {
    let window = newest(history, lookback.window).iter();
    let spoken: Vec<_> = window
        .filter(|content| !is_call(content) && !is_response(content))
        .collect();
    let shown = newest(&spoken, lookback.turns).iter();
    shown.map(|content| words(content, profile)).collect()
}

/// What a router sees that gives marks: the last turns, from the first one on that is not a tool's.
#[must_use]
pub fn scoring(history: &[Content]) -> &[Content] {
    let window = newest(history, SCORING_TURNS);
    let start = window
        .iter()
        .position(|content| !is_call(content) && !is_response(content));
    start
        .and_then(|start| window.get(start..))
        .unwrap_or_default()
}

/// What a reader sees: not the turns in which nothing but tools answer.
pub fn display(history: &[Content]) -> impl Iterator<Item = &Content> {
    history.iter().filter(|content| {
        let mut parts = content.parts.iter();
        parts.len() == 0 || !parts.all(|part| matches!(part.body, Body::Response(_)))
    })
}

fn newest<T>(items: &[T], n_items: usize) -> &[T] {
    items
        .get(items.len().saturating_sub(n_items)..)
        .unwrap_or_default()
}

fn words(content: &Content, profile: Profile) -> Content {
    let mut content = content.clone();
    match profile {
        Profile::Analects => content
            .parts
            .retain(|part| !matches!(part.body, Body::Call(_))),
        Profile::Seed | Profile::Head => {}
    }
    content
}

#[cfg(test)]
mod tests {
    use super::*;
    use analects_world::model::{Part, Role};
    use serde_json::json;

    /// One turn a letter: what the user asks, the model says, wants to run, says and wants to run, and
    /// what a tool answers, alone or with the user.
    fn history(letters: &str) -> Vec<Content> {
        let call = || Part::call("1", "ls", json!({}));
        let response = || Part::response("1", "ls", json!({}));
        let turn = |(place, letter): (usize, char)| {
            let (role, parts) = match letter {
                'U' => (Role::User, vec![Part::text("u")]),
                'M' => (Role::Model, vec![Part::text("m")]),
                'C' => (Role::Model, vec![call()]),
                'B' => (Role::Model, vec![Part::text("b"), call()]),
                'R' => (Role::User, vec![response()]),
                _ => (Role::User, vec![response(), Part::text("s")]),
            };
            let id = format!("{letter}{place}");
            Content { id, role, parts }
        };
        letters.chars().enumerate().map(turn).collect()
    }

    fn ids<'a>(view: impl IntoIterator<Item = &'a Content>) -> String {
        let ids: Vec<_> = view.into_iter().map(|content| &*content.id).collect();
        ids.join(" ")
    }

    #[test]
    fn a_router_sees_the_last_four_turns_with_words() {
        let shown =
            |letters: &str| ids(&routing(&history(letters), Lookback::USUAL, Profile::Head));
        assert_eq!(shown("UMUMUCRCRM"), "U2 M3 U4 M9");
        assert_eq!(shown("UCSM"), "U0 M3");
        assert_eq!(shown(&format!("U{}", "CR".repeat(10))), "");
        assert_eq!(shown(""), "");
    }

    #[test]
    fn a_router_of_ours_sees_no_half_of_a_pair() {
        let history = history("UBRM");
        let with_calls = |profile| {
            let view = routing(&history, Lookback::USUAL, profile);
            view.iter().flat_map(Content::calls).count()
        };
        assert_eq!(
            ids(&routing(&history, Lookback::USUAL, Profile::Analects)),
            "U0 B1 M3"
        );
        assert_eq!(with_calls(Profile::Head), 1);
        assert_eq!(with_calls(Profile::Analects), 0);
    }

    #[test]
    fn marks_are_given_for_eight_turns_that_do_not_begin_with_tools() {
        assert_eq!(
            ids(scoring(&history("UCRCRCRM"))),
            "U0 C1 R2 C3 R4 C5 R6 M7"
        );
        assert_eq!(ids(scoring(&history("UCRCRCRMU"))), "M7 U8");
        assert_eq!(ids(scoring(&history("UCRCRCRCR"))), "");
    }

    #[test]
    fn a_reader_sees_no_turns_of_tools_alone() {
        assert_eq!(ids(display(&history("UCRBSM"))), "U0 C1 B3 S4 M5");
    }
}
