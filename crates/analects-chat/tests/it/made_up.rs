//! Histories that nobody wrote: whatever tools answered, reducing them breaks nothing.

use std::collections::BTreeMap;

use analects_chat::keep::{Kept, Shelf};
use analects_chat::limits::{Limits, Wishes};
use analects_chat::shorten::budget;
use analects_chat::swap::{self, Plan};
use analects_chat::{mask, weigh};
use analects_world::Profile;
use analects_world::model::{Body, Content, Part, Role};
use proptest::prelude::*;
use serde_json::{Map, Value};

const OURS: [Profile; 2] = [Profile::Analects, Profile::Seed];
const ALL: [Profile; 3] = [Profile::Analects, Profile::Seed, Profile::Head];

#[derive(Debug, Clone, Copy)]
enum Reduction {
    Mask,
    Budget,
}

/// What a reduction is told.
#[derive(Debug, Clone, Copy)]
struct Setting {
    reduction: Reduction,
    protect: usize,
    prune: usize,
    budget: usize,
    used: usize,
    lines: usize,
}

impl Setting {
    fn plan(&self, history: &[Content], profile: Profile) -> Plan {
        let limits = Limits {
            protect_tokens: self.protect,
            prune_from_tokens: self.prune,
            tool_budget_tokens: self.budget,
            output_lines: Some(self.lines),
            ..Limits::of(20_000, profile, &Wishes::default())
        };
        let shelf = Shelf {
            dir: "/home/u/.gemini/tmp/p/tool-outputs/session-1",
            profile,
        };
        let plan = match self.reduction {
            Reduction::Mask => mask::plan(history, &limits, &mask::EXEMPT, &shelf),
            Reduction::Budget => budget::plan(history, &limits, self.used, &shelf),
        };
        plan.unwrap_or_default()
    }

    fn reduced(&self, history: &[Content], profile: Profile) -> Vec<Content> {
        let plan = self.plan(history, profile);
        let outcomes = vec![Kept::Saved; plan.keeps.len()];
        swap::apply(history.to_vec(), plan, &outcomes).history
    }
}

fn setting() -> impl Strategy<Value = Setting> {
    let reduction = prop_oneof![Just(Reduction::Mask), Just(Reduction::Budget)];
    let numbers = (
        0_usize..400,
        0_usize..400,
        0_usize..6_000,
        0_usize..25_000,
        0_usize..90,
    );
    (reduction, numbers).prop_map(
        |(reduction, (protect, prune, budget, used, lines))| Setting {
            reduction,
            protect,
            prune,
            budget,
            used,
            lines,
        },
    )
}

fn words() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[ -~]{0,30}",
        "[记é🦀\u{200B}]{1,9}",
        Just("a line\n".to_owned()),
        Just("CRLF\r\n".to_owned()),
        Just("<tool_output_masked>\n".to_owned()),
        Just(
            "\nMasked: 1 bytes on 1 lines. Whole text: /t/ls_1_a.txt\n</tool_output_masked>"
                .to_owned()
        ),
        Just("[Shortened: x]\n".to_owned()),
        Just("Output: a\nError: b\n".to_owned()),
    ];
    let times = prop_oneof![2 => 1_usize..4, 1 => 50_usize..900];
    prop::collection::vec((piece, times), 0..4)
        .prop_map(|pieces| pieces.iter().map(|(piece, n)| piece.repeat(*n)).collect())
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i32>().prop_map(Value::from),
        9 => words().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let name =
            prop::sample::select(&["output", "content", "error", "stdout", "exitCode", "x"][..]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((name.prop_map(str::to_owned), inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

fn part() -> impl Strategy<Value = Part> {
    let id = prop::sample::select(&["", "1", "2", "../x", "A B"][..]);
    let name = prop::sample::select(&["ls", "run_shell_command", "ask_user", ""][..]);
    let image = Part::from_value(
        serde_json::json!({ "inlineData": { "mimeType": "image/png", "data": "AA" } }),
    );
    prop_oneof![
        1 => words().prop_map(Part::text),
        1 => (id.clone(), name.clone(), json()).prop_map(|(id, name, args)| Part::call(id, name, args)),
        4 => (id, name, json(), any::<bool>()).prop_map(move |(id, name, response, has_image)| {
            let mut part = Part::response(id, name, response);
            part.rest.insert("thoughtSignature".to_owned(), "s".into());
            if let Body::Response(answer) = &mut part.body && has_image {
                answer.parts.push(image.clone());
                answer.rest.insert("willContinue".to_owned(), false.into());
            }
            part
        }),
    ]
}

fn history() -> impl Strategy<Value = Vec<Content>> {
    let role = prop_oneof![Just(Role::User), Just(Role::Model)];
    let turn = (role, prop::collection::vec(part(), 0..4));
    prop::collection::vec(turn, 0..8).prop_map(|turns| {
        let turns = turns.into_iter().enumerate();
        turns
            .map(|(idx, (role, parts))| Content {
                id: idx.to_string(),
                role,
                parts,
            })
            .collect()
    })
}

/// A history without what tools answered: that is all that may change.
fn frame(history: &[Content]) -> Vec<Content> {
    let mut frame = history.to_vec();
    for part in frame.iter_mut().flat_map(|content| &mut content.parts) {
        if let Body::Response(answer) = &mut part.body {
            answer.response = Value::Null;
        }
    }
    frame
}

fn answers(history: &[Content]) -> impl Iterator<Item = &Value> {
    history
        .iter()
        .flat_map(Content::responses)
        .map(|answer| &answer.response)
}

proptest! {
    #[test]
    fn only_what_tools_answered_changes(history in history(), setting in setting(), profile in prop::sample::select(&ALL[..])) {
        let reduced = setting.reduced(&history, profile);
        prop_assert_eq!(frame(&reduced), frame(&history));
    }

    #[test]
    fn nothing_costs_more_and_doing_it_again_changes_nothing(
        history in history(), setting in setting(), profile in prop::sample::select(&OURS[..]),
    ) {
        let reduced = setting.reduced(&history, profile);
        prop_assert!(weigh::history(&reduced, profile) <= weigh::history(&history, profile));
        for (before, after) in history.iter().zip(&reduced) {
            prop_assert!(weigh::content(after, profile) <= weigh::content(before, profile));
        }
        prop_assert_eq!(setting.reduced(&reduced, profile), reduced);
    }

    #[test]
    fn what_was_not_saved_stays_and_the_rest_can_be_found(
        history in history(), setting in setting(), saved in prop::collection::vec(any::<bool>(), 0..20),
        profile in prop::sample::select(&OURS[..]),
    ) {
        let plan = setting.plan(&history, profile);
        let outcomes: Vec<_> = saved.iter().map(|saved| if *saved { Kept::Saved } else { Kept::Failed }).collect();
        let kept = plan.keeps.iter().zip(&outcomes).filter(|(_, kept)| **kept == Kept::Saved);
        let disk: BTreeMap<_, _> = kept.map(|(keep, _)| (keep.path.clone(), keep.text.clone())).collect();
        let paths: Vec<_> = plan.keeps.iter().map(|keep| &keep.path).collect();
        prop_assert!(paths.iter().collect::<std::collections::BTreeSet<_>>().len() == paths.len());
        let swapped = swap::apply(history.clone(), plan, &outcomes);
        let mut n_changed = 0;
        for (before, after) in answers(&history).zip(answers(&swapped.history)) {
            if before == after {
                continue;
            }
            n_changed += 1;
            let shown = after.to_string();
            let (_, text) = disk.iter().find(|(path, _)| shown.contains(&**path)).expect("a path to a saved text");
            // Wrapped under the seeds, or written as JSON; otherwise word for word in the answer.
            let is_whole = before.to_string().contains(Value::from(&**text).to_string().trim_matches('"'))
                || serde_json::from_str(text).ok().as_ref() == Some(before)
                || profile == Profile::Seed;
            prop_assert!(is_whole, "{}", text);
        }
        prop_assert_eq!(n_changed, swapped.n_swapped);
    }
}
