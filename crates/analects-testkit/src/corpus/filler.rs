//! Ordinary work: questions, small changes, commits, what everybody does.

use super::episode::{End, Episode, Scene};
use super::outputs;
use super::secret;
use super::step::Step;

/// Some ordinary turns.
pub(super) fn filler(scene: &mut Scene<'_>) -> Episode {
    let mut episode = Episode::default();
    match scene.mint.below(20) {
        0..6 => question(scene, &mut episode),
        6..10 => change(scene, &mut episode),
        10..12 => commit(scene, &mut episode),
        12..14 => status(scene, &mut episode),
        14..17 => tests(scene, &mut episode),
        17 => one_off(scene, &mut episode),
        18 => told_secret(scene, &mut episode),
        _ => mend(scene, &mut episode),
    }
    episode
}

fn question(scene: &mut Scene<'_>, episode: &mut Episode) {
    let prompt = scene.small_talk("ask");
    scene.look_around(episode.ask(prompt), 3);
    let answer = scene.phrase("answer", &[]);
    episode.turn().say(answer);
}

fn change(scene: &mut Scene<'_>, episode: &mut Episode) {
    let prompt = scene.small_talk("edit");
    scene.look_around(episode.ask(prompt), 2);
    let file = scene.mint.file();
    let call = scene.edit(&file);
    episode.turn().call(call);
    if scene.mint.chance(60) {
        let call = scene.generic_check();
        episode.turn().call(call);
    }
    let text = scene.phrase("report", &[]);
    episode.turn().say(text);
}

fn commit(scene: &mut Scene<'_>, episode: &mut Episode) {
    let prompt = scene.small_talk("commit");
    episode.ask(prompt);
    let message = scene.mint.module();
    let mut commands = vec![
        "git add -A".to_owned(),
        format!("git commit -m \"{message}: tidy up\""),
    ];
    if scene.mint.chance(50) {
        commands.push("git push".to_owned());
    }
    for command in commands {
        let output = format!("[main {}] {message}", scene.mint.fill("{h7}"));
        let call = scene.shell(&command, output, End::Well);
        episode.turn().call(call);
    }
}

fn status(scene: &mut Scene<'_>, episode: &mut Episode) {
    let prompt = scene.small_talk("status");
    let file = scene.mint.file();
    let command = scene.mint.pick(&[
        "git status",
        "git branch -vv",
        "git pull --rebase",
        "git stash list",
    ]);
    let call = scene.shell(command, outputs::git_status(&file), End::Well);
    episode.ask(prompt).call(call);
    let answer = scene.phrase("answer", &[]);
    episode.turn().say(answer);
}

/// What everybody runs, all of it and in the usual order.
fn tests(scene: &mut Scene<'_>, episode: &mut Episode) {
    let prompt = scene.phrase("test", &[]);
    episode.ask(prompt);
    let n = scene.mint.between(1, scene.generic.len());
    for (idx, command) in scene.generic.iter().take(n).enumerate() {
        let output = if idx == 0 {
            outputs::well(scene.mint)
        } else {
            outputs::passed(scene.mint)
        };
        let call = scene.shell(command, output, End::Well);
        episode.turn().call(call);
    }
    if scene.mint.chance(30) {
        episode.close(scene, "done");
    }
}

/// A command that nobody will run again.
fn one_off(scene: &mut Scene<'_>, episode: &mut Episode) {
    let prompt = scene.small_talk("edit");
    let step = Step::new(scene.mint);
    scene.mint.note_one_off(&step.head);
    let command = step.run(scene.mint, None);
    let call = scene.shell_well(&command);
    episode.ask(prompt).call(call);
}

fn told_secret(scene: &mut Scene<'_>, episode: &mut Episode) {
    let kind = scene.mint.below(secret::N_KINDS);
    tell(scene, episode, kind);
}

/// Somebody tells a secret.
pub(super) fn tell(scene: &mut Scene<'_>, episode: &mut Episode, kind: usize) {
    let secret = scene.mint.secret(kind);
    if scene.mint.chance(60) {
        let prompt = scene.phrase("secret", &[("s", &secret)]);
        let answer = scene.phrase("plan", &[]);
        episode.ask(prompt).say(answer);
    } else {
        let prompt = scene.small_talk("ask");
        let call = scene.shell("cat .env", secret, End::Well);
        episode.ask(prompt).call(call);
    }
}

/// An ordinary mistake, found by the tests and mended.
fn mend(scene: &mut Scene<'_>, episode: &mut Episode) {
    let prompt = scene.phrase("test", &[]);
    let command = scene.mint.pick(scene.generic);
    let output = outputs::test_failure(scene.mint);
    let call = scene.shell_badly(command, output);
    episode.ask(prompt).call(call);
    scene.look_around(episode.turn(), 2);
    let file = scene.mint.file();
    let call = scene.edit(&file);
    episode.turn().call(call);
    let output = outputs::passed(scene.mint);
    let call = scene.shell(command, output, End::Well);
    episode.turn().call(call);
}
