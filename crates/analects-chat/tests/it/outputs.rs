//! Our answers beside those of Gemini CLI's own functions, recorded by `cargo xtask goldens`.
//!
//! `xtask/peer/context-outputs.mjs` says how texts are told. Where `head` differs on purpose, the test says so.

use analects_chat::keep::{Keep, Kept, Label, Shelf};
use analects_chat::limits::{Limits, Wishes};
use analects_chat::reading::Measures;
use analects_chat::reading::ide::{self, Cursor, OpenFile};
use analects_chat::reading::is_binary;
use analects_chat::reading::kind::kind;
use analects_chat::reading::page::{Asked, Range, page};
use analects_chat::shorten::{self, Cap, proportional};
use analects_chat::{mask, swap, weigh};
use analects_testkit::{Beside, Round};
use analects_text::units;
use analects_world::Profile;
use analects_world::model::{Content, Part, Response, Role};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

const SHELF: Shelf<'_> = Shelf {
    dir: "/t",
    profile: Profile::Head,
};

/// All records of one kind, at least this many, and who counts them.
fn records(kind: &'static str, at_least: usize) -> (Beside, Vec<Value>) {
    let beside = Beside::the_original(kind, include_str!("goldens/outputs.json"));
    let mut records: Vec<Value> = serde_json::from_str(beside.answers()).unwrap();
    records.retain(|record| kind.strip_prefix("outputs/") == record["ask"].as_str());
    assert!(records.len() >= at_least, "{} {kind}", records.len());
    (beside, records)
}

/// An input with its long texts written out.
fn whole(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(whole).collect(),
        Value::Object(fields) => match fields.get("times").and_then(Value::as_array) {
            Some(pieces) => {
                let written = pieces.iter().map(|piece| {
                    let times = piece[1].as_u64().unwrap();
                    piece[0].as_str().unwrap().repeat(times as usize)
                });
                Value::String(written.collect())
            }
            None => {
                let fields = fields
                    .iter()
                    .map(|(name, value)| (name.clone(), whole(value)));
                Value::Object(fields.collect())
            }
        },
        other => other.clone(),
    }
}

fn text(record: &Value, name: &str) -> String {
    whole(&record[name]).as_str().unwrap().to_owned()
}

fn number(record: &Value, name: &str) -> usize {
    record[name].as_u64().unwrap() as usize
}

/// An answer as it is recorded: long texts by their length and hash.
fn told(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(told).collect(),
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(name, value)| (name.clone(), told(value)));
            Value::Object(fields.collect())
        }
        Value::String(text) if units::count(text) > 600 => {
            let digits = Sha256::digest(text)
                .into_iter()
                .map(|byte| format!("{byte:02x}"));
            json!({ "length": units::count(text), "hash": digits.collect::<String>() })
        }
        other => other.clone(),
    }
}

fn told_text(text: &str) -> Value {
    told(&json!(text))
}

/// Compares one answer.
fn same(beside: &mut Beside, record: &Value, ours: &Value, field: &str) {
    beside.compare(field, &record.to_string(), ours, &record[field]);
}

/// Compares several answers to one question.
fn same_fields(beside: &mut Beside, record: &Value, ours: &Value) {
    let fields = ours.as_object().unwrap().keys();
    let theirs = fields.map(|field| (field.clone(), record[field].clone()));
    beside.compare(
        "",
        &record.to_string(),
        ours,
        &Value::Object(theirs.collect()),
    );
}

fn limits() -> Limits {
    Limits::of(1 << 40, Profile::Head, &Wishes::default())
}

#[test]
fn pieces_cost_what_the_original_says() {
    let (mut beside, all) = records("outputs/estimates", 160);
    for record in all {
        let parts = whole(&record["parts"]);
        let parts: Vec<_> = parts
            .as_array()
            .unwrap()
            .iter()
            .cloned()
            .map(Part::from_value)
            .collect();
        let ours = weigh::parts(&parts, Profile::Head);
        same(&mut beside, &record, &json!(ours), "tokens");
    }
    beside.finish();
}

#[test]
fn outputs_are_cut_as_the_original_cuts_them() {
    let (mut beside, all) = records("outputs/cuts", 50);
    for record in all {
        let text = text(&record, "text");
        let limits = Limits {
            output_chars: number(&record, "max"),
            ..limits()
        };
        let label = Label {
            tool: "a",
            call_id: Some("a"),
        };
        let plan = shorten::plan(&text, label, &SHELF, &Cap::of(&limits, 0));
        let shown = plan.map_or(text, |plan| {
            assert_eq!(plan.keep.path, "/t/a.txt");
            shorten::apply(plan, Kept::Saved)
        });
        same(&mut beside, &record, &told_text(&shown), "shown");
    }
    beside.finish();
}

#[test]
fn files_are_named_as_the_original_names_them() {
    let (mut beside, all) = records("outputs/names", 8);
    for record in all {
        let label = Label {
            tool: record["tool"].as_str().unwrap(),
            call_id: record["id"].as_str(),
        };
        let Keep { path, .. } = SHELF.keep(label, "x");
        let name = path.strip_prefix("/t/").unwrap();
        same(&mut beside, &record, &json!(name), "name");
    }
    beside.finish();
}

#[test]
fn messages_are_normalised_as_the_original_does() {
    let (mut beside, all) = records("outputs/normals", 170);
    for record in all {
        if let Some(target) = record.get("target") {
            let text = text(&record, "text");
            let target = target.as_u64().unwrap() as usize;
            let shown = proportional::cut(&text, target, "[P]", record["head"].as_f64().unwrap());
            same(&mut beside, &record, &told_text(&shown), "shown");
        } else if record.get("tokens").is_some() {
            let text = text(&record, "text");
            let units = proportional::units_for(&text, number(&record, "tokens"), Profile::Head);
            same(&mut beside, &record, &json!(units), "units");
        } else {
            let answer = answer(whole(&record["response"]));
            let share = record["share"].as_f64().unwrap();
            let saved_at = record["saved"].as_str();
            let after = proportional::response(&answer, share, saved_at, Profile::Head);
            let ours = told(&after.unwrap_or(answer).response);
            same(&mut beside, &record, &ours, "after");
        }
    }
    beside.finish();
}

fn answer(response: Value) -> Response {
    Response {
        id: Some("c".to_owned()),
        name: "ls".to_owned(),
        response,
        parts: Vec::new(),
        rest: Map::new(),
    }
}

#[test]
fn old_outputs_are_masked_as_the_original_masks_them() {
    let mut n_masked = 0;
    let (mut beside, all) = records("outputs/masks", 120);
    for record in all {
        let history = history(&record);
        let limits = Limits {
            protect_tokens: number(&record, "protect"),
            prune_from_tokens: number(&record, "prune"),
            ..limits()
        };
        // As long as the shortest path for which the original was asked.
        let dir = "tool-outputs/session-s1";
        let shelf = Shelf { dir, ..SHELF };
        let plan = mask::plan(&history, &limits, &mask::EXEMPT, &shelf).unwrap_or_default();
        let swapped = applied(&history, plan);
        let ours = changes(&history, &swapped.history);
        same(&mut beside, &record, &ours, "changes");
        same(&mut beside, &record, &json!(swapped.n_swapped), "count");
        n_masked += swapped.n_swapped;
    }
    assert!(n_masked > 100 || beside.round() == Round::Live);
    beside.finish();
}

#[test]
fn histories_are_cut_to_the_budget_as_the_original_cuts_them() {
    let mut n_cut = 0;
    let (mut beside, all) = records("outputs/budgets", 60);
    for record in all {
        let history = history(&record);
        let limits = Limits {
            output_chars: number(&record, "threshold"),
            ..limits()
        };
        assert_eq!(limits.tool_budget_tokens, 50_000);
        let plan = shorten::budget::plan(&history, &limits, 0, &SHELF).unwrap_or_default();
        let swapped = applied(&history, plan);
        let ours = changes(&history, &swapped.history);
        same(&mut beside, &record, &ours, "changes");
        n_cut += swapped.n_swapped;
    }
    assert!(n_cut > 100 || beside.round() == Round::Live);
    beside.finish();
}

fn history(record: &Value) -> Vec<Content> {
    let turns = whole(&record["history"]);
    let turns = turns.as_array().unwrap().iter().enumerate();
    let content = |(idx, turn): (usize, &Value)| Content {
        id: idx.to_string(),
        role: match turn["role"].as_str() {
            Some("model") => Role::Model,
            _ => Role::User,
        },
        parts: (turn["parts"].as_array().unwrap().iter())
            .cloned()
            .map(Part::from_value)
            .collect(),
    };
    turns.map(content).collect()
}

fn applied(history: &[Content], plan: swap::Plan) -> swap::Swapped {
    let outcomes = vec![Kept::Saved; plan.keeps.len()];
    swap::apply(history.to_vec(), plan, &outcomes)
}

/// What was changed, with `@` for the path.
fn changes(before: &[Content], after: &[Content]) -> Value {
    let mut changes = Vec::new();
    for (turn_idx, (before, after)) in before.iter().zip(after).enumerate() {
        assert_eq!((&before.id, before.role), (&after.id, after.role));
        for (part_idx, (before, after)) in before.parts.iter().zip(&after.parts).enumerate() {
            if before != after {
                let response = &after.to_value()["functionResponse"]["response"];
                changes.push(json!([turn_idx, part_idx, told(&without_path(response))]));
            }
        }
    }
    Value::Array(changes)
}

fn without_path(response: &Value) -> Value {
    let text = response["output"].as_str().unwrap();
    for opening in ["available at: ", "output see: "] {
        if let Some((before, path)) = text.split_once(opening) {
            let after = path.trim_start_matches(|c| c != '\n');
            return json!({ "output": format!("{before}{opening}@{after}") });
        }
    }
    response.clone()
}

#[test]
fn files_are_what_the_original_takes_them_for() {
    let (mut beside, all) = records("outputs/kinds", 120);
    for record in all {
        let name = format!("/t/{}", record["name"].as_str().unwrap());
        let found = [&b"just text\n"[..], &[0x89, 0, 1, 2, 3]];
        let found = found.map(|start| kind(&name, start).as_str());
        same(&mut beside, &record, &json!(found), "found");
    }
    beside.finish();
    let mut n_binary = 0;
    let (mut beside, all) = records("outputs/binaries", 250);
    for record in all {
        let bytes = record["bytes"].as_str().unwrap().chars();
        let bytes: Vec<_> = bytes.map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
        same(&mut beside, &record, &json!(is_binary(&bytes)), "binary");
        n_binary += usize::from(is_binary(&bytes));
    }
    let is_mixed = (50..200).contains(&n_binary);
    assert!(is_mixed || beside.round() == Round::Live, "{n_binary}");
    beside.finish();
}

#[test]
fn pages_of_files_are_those_of_the_original() {
    let (mut beside, all) = records("outputs/pages", 100);
    for record in all {
        let line = |name: &str| record[name].as_u64().map(|line| line as usize);
        let asked = Asked {
            start_line: line("start"),
            end_line: line("end"),
            ..Asked::default()
        };
        let page = page(
            &text(&record, "text"),
            &Range::of(&asked, Measures::USUAL),
            Profile::Head,
        );
        let ours = json!({
            "shown": told_text(&page.text),
            "display": page.display("page.txt"),
            "truncated": page.is_truncated(),
            "lines": page.n_lines,
            "range": [page.first_line, page.last_line],
        });
        same_fields(&mut beside, &record, &ours);
    }
    beside.finish();
}

#[test]
fn editors_are_told_of_as_the_original_tells_of_them() {
    let (mut beside, all) = records("outputs/editors", 120);
    for record in all {
        let [before, now] = ["before", "now"]
            .map(|name| ide::settled(files(&record[name]), ide::MAX_SELECTION_UNITS));
        let shown: Vec<_> = now.iter().map(shown).collect();
        let ours = json!({
            "settled": told(&Value::Array(shown)),
            "full": told(&ide::full(&now).unwrap_or_default()),
            "changes": told(&ide::changes(&before, &now).unwrap_or_default()),
        });
        same_fields(&mut beside, &record, &ours);
    }
    beside.finish();
}

fn files(value: &Value) -> Vec<OpenFile> {
    let files = whole(value);
    let file = |file: &Value| OpenFile {
        path: file["path"].as_str().unwrap().to_owned(),
        timestamp: file["timestamp"].as_u64().unwrap(),
        is_active: file["isActive"].as_bool().unwrap(),
        cursor: file.get("cursor").map(|cursor| Cursor {
            line: cursor["line"].as_u64().unwrap(),
            character: cursor["character"].as_u64().unwrap(),
        }),
        selected_text: file["selectedText"].as_str().map(str::to_owned),
    };
    files.as_array().unwrap().iter().map(file).collect()
}

fn shown(file: &OpenFile) -> Value {
    let mut shown = json!({
        "path": file.path, "timestamp": file.timestamp, "isActive": file.is_active,
    });
    if let Some(Cursor { line, character }) = file.cursor {
        shown["cursor"] = json!({ "line": line, "character": character });
    }
    if let Some(text) = &file.selected_text {
        shown["selectedText"] = json!(text);
    }
    shown
}
