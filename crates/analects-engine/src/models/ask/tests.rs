//! Faults and their ends, over models that say what they are told to.

use analects_testkit::{FakeDesk, say, surroundings};
use analects_world::Surroundings;
use analects_world::model::Role;
use analects_world::models::{Endpoint, Finish, Patience, Wire};
use expect_test::{Expect, expect};

use super::*;
use crate::settings::{self, Workspace};

struct Scene {
    desk: FakeDesk,
    around: Surroundings,
    first: Chosen,
    other: Chosen,
    /// Whether the person has enough of it when it is asked again.
    stops_when_it_starts_over: bool,
}

impl Scene {
    fn new() -> Self {
        let chosen = |model: &str| Chosen {
            endpoint: Endpoint {
                wire: Wire::Gemini,
                base_url: "https://a.example".to_owned(),
                key: None,
                proxy: None,
                patience: Patience::TALK,
            },
            model: model.to_owned(),
            alias: None,
            provider: "gemini".to_owned(),
            window_tokens: 1_000,
            output_tokens: None,
            why: String::new(),
            problems: Vec::new(),
        };
        let desk = FakeDesk::parse(
            "//- /h/.gemini/settings.json\n{\"model\": {\"backgroundDailyTokens\": 100}}\n",
        );
        Self {
            desk,
            around: surroundings("/w", "/h", &[]),
            first: chosen("big"),
            other: chosen("small"),
            stops_when_it_starts_over: false,
        }
    }

    /// What is told, what comes of it, and what the ledger says.
    fn ask(&self, purpose: Purpose, cancel: &Cancel) -> (Vec<String>, Result<String, NoAnswer>) {
        let world = self.desk.world(&self.around);
        let (files, _) = settings::read(&world, Workspace::Skipped);
        let (settings, _) = settings::resolve(&world, &files);
        let history = [Content::text("1", Role::User, "What is up?")];
        let question = Question {
            purpose,
            session: None,
            system: "Be brief.",
            history: &history,
            tools: &[],
            options: &Options::USUAL,
            patience_ms: None,
        };
        let among = Among {
            first: &self.first,
            other: Some(&self.other),
        };
        let mut told = Vec::new();
        let mut hear = |piece: Told<'_>| match piece {
            Told::Piece(Event::Part(part)) => {
                told.extend(part.to_value()["text"].as_str().map(ToOwned::to_owned));
            }
            Told::Piece(_) => {}
            Told::StartOver {
                why,
                model,
                wait_ms,
            } => {
                // The dice are the clock's: a little more than what is meant.
                let wait_secs = wait_ms / 1_000;
                told.push(format!("<{model} again in {wait_secs} s: {why}>"));
                if self.stops_when_it_starts_over {
                    cancel.cancel();
                }
            }
        };
        let answered = ask(&world, &settings, among, &question, cancel, &mut hear);
        let said = answered.map(|answered| {
            let texts = answered.heard.parts.iter();
            let texts: Vec<_> = texts.map(|part| part.to_value().to_string()).collect();
            let (model, n) = (&answered.by.model, answered.n_attempts);
            format!("{model} ({n}): {}", texts.join(" "))
        });
        (told, said)
    }

    #[track_caller]
    fn check(&self, expected: Expect) {
        let (told, said) = self.ask(Purpose::Chat, &Cancel::new());
        let said =
            said.unwrap_or_else(|none| format!("{} / {}", none.message, none.hints.join(" / ")));
        expected.assert_eq(&format!("{}\n{said}\n", told.join(" ")));
    }

    /// The purposes, attempts, tokens and outcomes in the ledger.
    fn ledger(&self) -> Vec<String> {
        let log = self.desk.text("/h/.gemini/analects/models.jsonl");
        let log = log.unwrap_or_default();
        let lines = log.lines().map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            assert!(!line.to_string().contains("What is up"), "{line}");
            let field = |name: &str| line[name].to_string().replace('"', "");
            [
                field("purpose"),
                field("model"),
                field("attempts"),
                field("outcome"),
            ]
            .join(" ")
        });
        lines.collect()
    }
}

fn busy() -> Fault {
    Fault::new(Kind::Busy, "the server has too much to do (503)")
}

#[test]
fn what_half_an_answer_said_is_forgotten() {
    let scene = Scene::new();
    let models = &scene.desk.models;
    models.fail(vec![say::text("I wo")], Fault::new(Kind::Cut, "gone"));
    models.answer(vec![say::thought("hm"), say::done()]);
    models.answer(vec![say::text("<!-- -->"), say::done()]);
    models.answer(vec![
        say::text("All "),
        say::text("well."),
        say::usage(9, 3),
        say::done(),
    ]);
    scene.check(expect![[r#"
        I wo <big again in 1 s: gone> hm <big again in 2 s: the model thought and said nothing> <!-- --> <big again in 4 s: the model said nothing> All  well.
        big (4): {"text":"All well."}
    "#]]);
    assert_eq!(scene.ledger(), ["chat big 4 answered"]);
}

#[test]
fn who_is_busy_is_left_for_another() {
    let scene = Scene::new();
    let models = &scene.desk.models;
    let patient = Fault {
        retry_after_ms: Some(7_000),
        ..busy()
    };
    models.fail(vec![], patient);
    models.fail(vec![], busy());
    models.answer(vec![say::text("Fine."), say::done()]);
    scene.check(expect![[r#"
        <big again in 7 s: the server has too much to do (503)> <small again in 0 s: the server has too much to do (503)> Fine.
        small (1): {"text":"Fine."}
    "#]]);
    assert_eq!(scene.ledger(), ["chat big 2 busy", "chat small 1 answered"]);
    assert_eq!(models.asked()[2].model, "small");
}

#[test]
fn what_cannot_get_better_is_not_tried_again() {
    let scene = Scene::new();
    let key = Fault::new(Kind::Key, "the server does not take the key (401)");
    scene.desk.models.fail(vec![], key);
    scene.check(expect![[r#"

        gemini does not answer: the server does not take the key (401) / set `GEMINI_API_KEY` in the environment to a key that may do this
    "#]]);
    assert_eq!(scene.ledger(), ["chat big 1 key"]);
}

#[test]
fn there_is_an_end_to_trying() {
    let scene = Scene::new();
    for _ in 0..9 {
        scene
            .desk
            .models
            .answer(vec![say::finish(Finish::BadCall("MALFORMED".to_owned()))]);
    }
    scene.check(expect![[r#"
        <big again in 1 s: the model could not spell its call (MALFORMED)> <big again in 2 s: the model could not spell its call (MALFORMED)> <big again in 4 s: the model could not spell its call (MALFORMED)>
        gemini does not answer: the model could not spell its call (MALFORMED) (it failed 4 times) / choose a model that is better with tools
    "#]]);
    assert_eq!(scene.desk.models.asked().len(), 4);
}

#[test]
fn whoever_wants_to_stop_before_anybody_is_asked_pays_nothing() {
    let scene = Scene::new();
    let cancel = Cancel::new();
    cancel.cancel();
    let (told, said) = scene.ask(Purpose::Chat, &cancel);
    assert_eq!(said.unwrap_err().kind, Some(Kind::Cancelled));
    assert!(told.is_empty() && scene.desk.models.asked().is_empty());
    assert_eq!(scene.ledger(), [""; 0]);
}

#[test]
fn whoever_wants_to_stop_is_heeded_while_waiting_too() {
    let mut scene = Scene::new();
    scene.stops_when_it_starts_over = true;
    scene.desk.models.fail(vec![], busy());
    let (told, said) = scene.ask(Purpose::Chat, &Cancel::new());
    assert_eq!(said.unwrap_err().kind, Some(Kind::Cancelled));
    assert_eq!((told.len(), scene.desk.models.asked().len()), (1, 1));
    assert_eq!(scene.ledger(), ["chat big 1 cancelled"]);
}

#[test]
fn what_nobody_waits_for_has_a_ceiling() {
    let scene = Scene::new();
    let models = &scene.desk.models;
    models.answer(vec![say::text("a"), say::usage(90, 20), say::done()]);
    models.answer(vec![say::text("b"), say::usage(90, 20), say::done()]);
    assert!(scene.ask(Purpose::Learn, &Cancel::new()).1.is_ok());
    let none = scene.ask(Purpose::Learn, &Cancel::new()).1.unwrap_err();
    assert_eq!(none.kind, Some(Kind::Quota));
    assert_eq!(
        none.message,
        "today's share is used up: 110 of 100 tokens (`model.backgroundDailyTokens`)"
    );
    // No advice about a provider whom nobody asked.
    assert_eq!(
        none.hints,
        ["`model.backgroundDailyTokens` says how much there may be a day"]
    );
    // A person who waits is not kept from it.
    assert!(scene.ask(Purpose::Chat, &Cancel::new()).1.is_ok());
    assert_eq!(scene.ledger().len(), 2);
}

#[test]
fn the_time_of_all_attempts_has_an_end() {
    let scene = Scene::new();
    let patient = Fault {
        retry_after_ms: Some(3_600_000),
        ..busy()
    };
    scene.desk.models.fail(vec![], patient.clone());
    scene.desk.models.fail(vec![], patient);
    scene.check(expect![[r#"
        <small again in 0 s: the server has too much to do (503)>
        gemini does not answer: the server has too much to do (503) / the server asks to wait 60 min / wait a little, or choose another model with `--model`
    "#]]);
}
