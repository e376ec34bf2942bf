//! What almost is a correction: another value, another repository, a question.

use super::act::{Act, Play, Time};
use super::episode::{End, Episode};
use super::mint::{Mint, Slot};
use super::outputs;
use super::phrases::quoted;
use super::step::Step;

/// The right command with the value of another day: the person says which one is meant now.
pub(super) fn other_value(mint: &mut Mint) -> Act {
    let step = Step::short(mint);
    let heads = vec![step.head.clone()];
    let slot = Slot::ALL[mint.below(Slot::ALL.len())];
    let play: Play = Box::new(move |scene, _: Time| {
        let mut episode = Episode::default();
        let subject = scene.mint.module();
        let (wrong, right) = (scene.mint.value(slot), scene.mint.value(slot));
        let prompt = scene.phrase("use", &[("n", &subject)]);
        let command = format!("{} {} {wrong}", step.head, slot.flag());
        let call = scene.shell_well(&command);
        scene.look_around(episode.ask(prompt), 1);
        episode.turn().call(call);
        let said = scene.phrase("value", &[("v", &right), ("w", &wrong)]);
        let command = format!("{} {} {right}", step.head, slot.flag());
        let output = outputs::passed(scene.mint);
        let call = scene.shell(&command, output, End::Well);
        episode.ask(said).call(call);
        episode.close(scene, "done");
        episode
    });
    Act::decoy("another value for this time", heads, 1, play)
}

/// What is done elsewhere, told in passing.
pub(super) fn hearsay(mint: &mut Mint) -> Act {
    let (x, y) = (Step::short(mint), Step::short(mint));
    let heads = vec![x.head.clone(), y.head.clone()];
    let play: Play = Box::new(move |scene, _: Time| {
        let mut episode = Episode::default();
        let (a, b) = (quoted(scene.mint, &x.head), quoted(scene.mint, &y.head));
        let said = scene.phrase("hearsay", &[("x", &a), ("y", &b)]);
        let answer = scene.phrase("plan", &[]);
        episode.ask(said).say(answer);
        episode
    });
    Act::decoy("what others do in another repository", heads, 1, play)
}

/// A person asks whether something else would be right; it would not, and all stays as it was.
pub(super) fn asked(mint: &mut Mint) -> Act {
    let (x, y) = (Step::short(mint), Step::short(mint));
    let heads = vec![x.head.clone(), y.head.clone()];
    let subject = mint.subject();
    let play: Play = Box::new(move |scene, _: Time| {
        let mut episode = Episode::default();
        let prompt = scene.phrase("use", &[("n", &subject)]);
        let call = scene.shell_well(&y.head);
        episode.ask(prompt).call(call);
        let (a, b) = (quoted(scene.mint, &x.head), quoted(scene.mint, &y.head));
        let blanks = [("x", &*a), ("y", &*b)];
        let said = scene.phrase("wonder", &blanks);
        let answer = scene.phrase("wonder-answer", &blanks);
        episode.ask(said).say(answer);
        let said = scene.phrase("wonder-end", &blanks);
        let answer = scene.phrase("report", &[]);
        episode.ask(said).say(answer);
        episode
    });
    Act::decoy("a question whether something else is right", heads, 1, play)
}
