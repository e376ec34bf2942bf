//! How long it takes to plan a compression.

use analects_chat::compress::{Answer, Ask, Trigger, apply, plan};
use analects_chat::limits::{Limits, Wishes};
use analects_world::Profile;
use analects_world::model::{Content, Part, Role};
use divan::Bencher;
use divan::counter::ItemsCount;
use serde_json::json;

fn main() {
    divan::main();
}

/// A session with a request now and then, and tools in between.
fn session(n_messages: usize) -> Vec<Content> {
    let mut history = Vec::with_capacity(n_messages);
    while history.len() < n_messages {
        let n = history.len();
        let id = format!("c{n}");
        let command = json!({ "command": format!("make step-{n} && ./run --id {}", n * 7919) });
        let lines = (0..20).map(|line| {
            format!(
                "[{line:04}] worker {} handled item {}\n",
                line % 4,
                n * 31 + line
            )
        });
        let output = json!({ "output": lines.collect::<String>() });
        let request = format!(
            "Now look at module_{n}. Never change table_{n}; the port is {}.",
            n * 13
        );
        for (role, part) in [
            (Role::User, Part::text(request)),
            (Role::Model, Part::call(&id, "run_shell_command", command)),
            (Role::User, Part::response(&id, "run_shell_command", output)),
            (
                Role::Model,
                Part::text(format!("Step {n} is done because worker {n} answered.")),
            ),
        ] {
            let id = format!("t{}", history.len());
            let parts = vec![part];
            history.push(Content { id, role, parts });
        }
    }
    history
}

#[divan::bench(args = [500, 5_000, 20_000])]
fn plan_and_apply(bencher: Bencher<'_, '_>, n_messages: usize) {
    let history = session(n_messages);
    let limits = Limits::of(1_048_576, Profile::Analects, &Wishes::default());
    let ask = Ask {
        limits: &limits,
        trigger: Trigger::Auto,
        pins: &[],
        focus: None,
        plan_file: None,
    };
    bencher
        .counter(ItemsCount::new(n_messages))
        .with_inputs(|| history.clone())
        .bench_values(|history| {
            let plan = plan(&history, &ask).expect("it can be cut");
            apply(history, plan, "snapshot", Answer::NotAsked)
        });
}
