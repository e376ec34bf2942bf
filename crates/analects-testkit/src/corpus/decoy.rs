//! What looks like something to learn, and is not.

use serde_json::json;

use super::act::{Act, Place, Play, Time};
use super::episode::{Call, End, Episode};
use super::mint::{Mint, Slot};
use super::outputs;
use super::phrases::quoted;
use super::step::Step;
use super::workflow::{Outcome, Workflow};

/// The same steps in as many sessions as a real workflow, and never to anybody's content.
pub(super) fn unvalidated(mint: &mut Mint, outcome: Outcome) -> Act {
    let workflow = Workflow::new(mint);
    let heads = workflow.heads();
    let n_sessions = mint.between(2, 4);
    let play: Play = Box::new(move |scene, _: Time| workflow.play(scene, outcome));
    let what = match outcome {
        Outcome::LastFails => "steps that always end in a failure",
        Outcome::Rejected => "steps whose result was never wanted",
        Outcome::Stopped => "steps that were always stopped",
        Outcome::Validated => "steps that were validated",
    };
    Act::decoy(what, heads, n_sessions, play)
}

/// A workflow again and again, but in one session.
pub(super) fn one_session(mint: &mut Mint) -> Act {
    let workflow = Workflow::new(mint);
    let heads = workflow.heads();
    let play: Play = Box::new(move |scene, _: Time| {
        let mut whole = Episode::default();
        for _ in 0..scene.mint.between(3, 4) {
            let mut episode = workflow.play(scene, Outcome::Validated);
            if let (Some(said), Some(turn)) = (whole.carry.take(), episode.turns.first_mut()) {
                turn.prompt = format!("{said}. {}", turn.prompt);
            }
            whole.turns.append(&mut episode.turns);
            whole.carry = episode.carry;
        }
        whole
    });
    Act::decoy("a workflow of one session only", heads, 1, play)
}

/// A workflow of sessions from which nothing may be learned.
pub(super) fn elsewhere(mint: &mut Mint) -> Act {
    let workflow = Workflow::new(mint);
    let heads = workflow.heads();
    let play: Play = Box::new(move |scene, _: Time| workflow.play(scene, Outcome::Validated));
    Act::decoy("a workflow of sessions that do not count", heads, 4, play).at(Place::Ineligible)
}

/// A workflow of one session, of which there are two files.
pub(super) fn two_files(mint: &mut Mint) -> Act {
    let workflow = Workflow::new(mint);
    let heads = workflow.heads();
    let play: Play = Box::new(move |scene, _: Time| workflow.play(scene, Outcome::Validated));
    Act::decoy("a workflow of one session in two files", heads, 1, play).at(Place::Twice)
}

/// A workflow that the record takes back each time.
pub(super) fn rewound(mint: &mut Mint) -> Act {
    let workflow = Workflow::new(mint);
    let heads = workflow.heads();
    let play: Play = Box::new(move |scene, _: Time| {
        let mut episode = workflow.play(scene, Outcome::Validated);
        episode.is_rewound = true;
        episode.carry = None;
        episode
    });
    Act::decoy("a workflow that was taken back", heads, 3, play)
}

/// Troubles that look alike, each of them another one.
pub(super) fn incidents(mint: &mut Mint) -> Act {
    let n_sessions = mint.between(3, 4);
    let play: Play = Box::new(move |scene, _: Time| {
        let mut episode = Episode::default();
        let name = scene.mint.word();
        let at = scene.mint.value(Slot::Date);
        let prompt = scene.phrase("incident", &[("n", &name), ("v", &at)]);
        episode.ask(prompt);
        let row = scene.mint.fill("{d7}");
        let mut commands = vec![
            format!("kubectl -n prod logs deploy/{name} --since=1h"),
            format!("kubectl -n prod describe pod {name}-{row}"),
            format!("psql -c \"select * from jobs where id = {row}\""),
            format!("curl -s localhost:{}/healthz", scene.mint.value(Slot::Port)),
            format!("grep -c ERROR /var/log/{name}.log"),
        ];
        scene.mint.shuffle(&mut commands);
        commands.truncate(3);
        for command in commands {
            let output = outputs::log(scene.mint);
            let call = scene.shell(&command, output, End::Well);
            episode.turn().call(call);
        }
        let text = scene.phrase("sorry", &[]);
        episode.turn().say(text);
        episode.close(scene, "incident-end");
        episode
    });
    Act::decoy("incidents, each another one", Vec::new(), n_sessions, play)
}

/// A plan that the model announces in several sessions and nobody carries out.
pub(super) fn speculation(mint: &mut Mint) -> Act {
    let (x, y) = (Step::short(mint), Step::short(mint));
    let heads = vec![x.head.clone(), y.head.clone()];
    let subject = mint.subject();
    let play: Play = Box::new(move |scene, _: Time| {
        let mut episode = Episode::default();
        let (a, b) = (quoted(scene.mint, &x.head), quoted(scene.mint, &y.head));
        let prompt = scene.phrase("idea", &[("n", &subject), ("x", &a), ("y", &b)]);
        let answer = scene.phrase("speculate", &[("x", &x.head), ("y", &y.head)]);
        episode.ask(prompt).say(answer);
        let prompt = scene.phrase("idea-end", &[]);
        episode.ask(prompt).say("👍");
        episode
    });
    Act::decoy("a plan that nobody carried out", heads, 3, play)
}

/// Sentences that sound like corrections and orders, and are about something else.
pub(super) fn asides(mint: &mut Mint) -> Act {
    let n_sessions = mint.between(5, 7);
    let play: Play = Box::new(move |scene, _: Time| {
        let mut episode = Episode::default();
        for _ in 0..scene.mint.between(1, 3) {
            let prompt = scene.small_talk("edit");
            let file = scene.mint.file();
            let call = scene.edit(&file);
            episode.ask(prompt).call(call);
            let prompt = scene.small_talk("aside");
            episode.ask(prompt);
            if scene.mint.chance(60) {
                let file = scene.mint.file();
                let call = scene.edit(&file);
                episode.turn().call(call);
                let call = scene.generic_check();
                episode.turn().call(call);
            } else {
                let answer = scene.phrase("answer", &[]);
                episode.turn().say(answer);
            }
        }
        episode
    });
    Act::decoy(
        "words that only sound like a correction",
        Vec::new(),
        n_sessions,
        play,
    )
}

/// What somebody likes, without anything to be done.
pub(super) fn taste(mint: &mut Mint) -> Act {
    let n_sessions = mint.between(2, 4);
    let play: Play = Box::new(move |scene, _: Time| {
        let mut episode = Episode::default();
        let prompt = scene.phrase("taste", &[]);
        let answer = scene.phrase("plan", &[]);
        episode.ask(prompt).say(answer);
        episode
    });
    Act::decoy("a taste", Vec::new(), n_sessions, play)
}

/// A page that tells steps; somebody asked what it says, nobody follows it.
pub(super) fn read_only(mint: &mut Mint) -> Act {
    let (x, y) = (Step::short(mint), Step::short(mint));
    let heads = vec![x.head.clone(), y.head.clone()];
    let play: Play = Box::new(move |scene, _: Time| {
        let mut episode = Episode::default();
        let prompt = scene.small_talk("ask");
        let output = format!("# Release\n\nFirst run `{}`, then `{}`.\n", x.head, y.head);
        let call = Call {
            tool: "read_file".to_owned(),
            args: json!({ "file_path": format!("{}/CONTRIBUTING.md", scene.root) }),
            output,
            end: End::Well,
        };
        let answer = scene.phrase("answer", &[]);
        episode.ask(prompt).call(call).say(answer);
        episode
    });
    Act::decoy("steps that were only read", heads, 3, play)
}
