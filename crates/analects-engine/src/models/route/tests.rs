//! Two models to choose from, and a third that is asked which.

use analects_chat::route::{Mode, Source};
use analects_chat::view::Lookback;
use analects_testkit::{FakeDesk, say, surroundings};
use analects_world::Profile;
use analects_world::model::{Content, Role};
use analects_world::models::{Fault, Kind, Listed};

use super::*;
use crate::settings::{self, Workspace};

fn routed(desk: &FakeDesk, vars: &[(&str, &str)], wanted: Wanted<'_>, text: &str) -> Routed {
    let around = surroundings("/w", "/h", vars);
    let world = desk.world(&around);
    let (files, _) = settings::read(&world, Workspace::Skipped);
    let (settings, _) = settings::resolve(&world, &files);
    let wish = Ask {
        history: &[],
        request: &Content::text("1", Role::User, text),
        wanted,
        instead: None,
        mode: Mode::Usual,
        judge: Judge::Choice,
        lookback: Lookback::USUAL,
        profile: Profile::Analects,
    };
    route(&world, &settings, &wish, None, &Cancel::new()).unwrap()
}

const KEY: [(&str, &str); 1] = [("GEMINI_API_KEY", "k-1")];
const HARD: &str = "Design a new architecture for the scheduler and refactor all of src/ to it.";

#[test]
fn a_small_model_says_which_of_two_is_to_answer() {
    let desk = FakeDesk::parse("");
    let said = r#"{"reasoning": "many steps", "model_choice": "pro"}"#;
    desk.models.answer(vec![say::text(said), say::done()]);
    let routed = routed(&desk, &KEY, Wanted::Auto, "What does this do?");
    assert_eq!(routed.decision.source, Source::Classifier);
    assert_eq!(routed.decision.pick, Pick::Tier(Tier::Pro));
    assert!(
        routed.chosen.model.contains("pro"),
        "{}",
        routed.chosen.model
    );
    let asked = desk.models.asked();
    assert!(asked[0].model.contains("flash-lite"), "{}", asked[0].model);
    assert!(matches!(asked[0].options.form, Form::Json { .. }));
}

#[test]
fn without_an_answer_the_rules_decide() {
    let desk = FakeDesk::parse("");
    let key = Fault::new(Kind::Key, "no");
    desk.models.fail(vec![], key.clone());
    let hard = routed(&desk, &KEY, Wanted::Auto, HARD);
    assert_eq!(hard.decision.source, Source::Rules);
    assert_eq!(hard.decision.pick, Pick::Tier(Tier::Pro));
    desk.models.fail(vec![], key);
    let easy = routed(&desk, &KEY, Wanted::Auto, "Fix the typo in README.md.");
    assert_eq!(easy.decision.pick, Pick::Tier(Tier::Flash));
    assert!(easy.chosen.model.contains("flash"), "{}", easy.chosen.model);
}

#[test]
fn whoever_names_a_model_gets_it_and_nobody_is_asked() {
    let desk = FakeDesk::parse("");
    let routed = routed(&desk, &KEY, Wanted::Model("gemini-2.5-flash"), HARD);
    assert_eq!(routed.chosen.model, "gemini-2.5-flash");
    assert_eq!(routed.decision.source, Source::Override);
    assert!(desk.models.asked().is_empty());
}

#[test]
fn a_server_with_one_model_is_not_asked_which() {
    let desk = FakeDesk::parse("");
    let only = Listed {
        name: "tiny".to_owned(),
        window_tokens: Some(4_096),
    };
    desk.models.serve("http://127.0.0.1:8080/v1", vec![only]);
    let routed = routed(&desk, &[], Wanted::Auto, HARD);
    assert_eq!(routed.chosen.model, "tiny");
    assert!(desk.models.asked().is_empty());
}
