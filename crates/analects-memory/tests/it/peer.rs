//! Our answers beside those of Gemini CLI's own functions, recorded by `cargo xtask goldens`.
//!
//! Every case runs in `head` profile. Where an answer differs, one of the intended differences must
//! explain it: see `difference` and the table in `docs/reference/compatibility.md`.

mod answer;
mod case;
mod difference;

use analects_memory::layer::{HierarchicalMemory, Layer};
use analects_world::Profile;

use analects_testkit::Beside;
use case::{Answer, Case};
use difference::judge;

#[test]
fn flattening_equals_the_original() {
    #[derive(serde::Deserialize)]
    struct Flatten {
        name: String,
        input: Option<serde_json::Value>,
        output: String,
    }
    let mut beside = Beside::the_original("flatten", include_str!("goldens/flatten.json"));
    let cases: Vec<Flatten> = serde_json::from_str(beside.answers()).unwrap();
    for case in &cases {
        // A memory that is one string is never flattened here: our type has no such case.
        let Some(serde_json::Value::Object(given)) = &case.input else {
            continue;
        };
        let mut memory = HierarchicalMemory::default();
        for (key, layer) in [
            ("global", Layer::Global),
            ("extension", Layer::Extension),
            ("project", Layer::Project),
            ("userProjectMemory", Layer::Private),
        ] {
            if let Some(text) = given.get(key).and_then(|text| text.as_str()) {
                memory.set(layer, text.to_owned());
            }
        }
        let asked = serde_json::Value::Object(given.clone()).to_string();
        let ours = memory.flatten(Profile::Head);
        beside.compare(&case.name, &asked, &ours, &case.output);
    }
    beside.finish();
}

#[test]
fn imports_equal_the_original() {
    compare(
        "imports",
        include_str!("goldens/imports.json"),
        answer::import,
    );
}

#[test]
fn tiers_equal_the_original() {
    compare("tiers", include_str!("goldens/tiers.json"), answer::tiers);
}

#[test]
fn the_eager_loader_equals_the_original() {
    compare("eager", include_str!("goldens/eager.json"), answer::eager);
}

#[test]
fn just_in_time_context_equals_the_original() {
    compare("jit", include_str!("goldens/jit.json"), answer::jit);
}

fn compare(kind: &'static str, kept: &'static str, ours: impl Fn(&Case) -> Answer) {
    let mut beside = Beside::the_original(kind, kept);
    let cases: Vec<Case> = serde_json::from_str(beside.answers()).unwrap();
    for case in &cases {
        judge(&mut beside, kind, case, &ours(case), &case.answer());
    }
    beside.finish();
}
