//! Several steps that are done again and again.

use serde_json::json;

use super::act::{Act, Play, Time};
use super::episode::{Call, End, Episode, Reply, Scene};
use super::mint::{Mint, Slot};
use super::outputs;
use super::phrases::quoted;
use super::poison::Evil;
use super::step::Step;
use super::{Kind, Planted};

/// Steps with a name.
#[derive(Debug, Clone)]
pub(super) struct Workflow {
    pub(super) subject: String,
    pub(super) steps: Vec<Step>,
    slot: Slot,
    /// A file that is changed on the way, before this step.
    edit: Option<(usize, String)>,
    /// Whether people may say the steps. Then they would be known from one session.
    is_dictated: bool,
}

/// How it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Every step ends well, and tests or a person say so.
    Validated,
    /// The last step fails.
    LastFails,
    /// Every step ends well, and it was not what the person wanted.
    Rejected,
    /// The person stops it before the last step.
    Stopped,
}

impl Workflow {
    pub(super) fn new(mint: &mut Mint) -> Self {
        let n_steps = [2, 2, 3, 3, 4, 5, 6][mint.below(7)];
        let mut steps: Vec<_> = (0..n_steps).map(|_| Step::new(mint)).collect();
        let secret_at = mint.below(n_steps);
        if mint.chance(30) {
            let assignment = mint.secret_assignment();
            steps[secret_at] = steps[secret_at].clone().with_env(assignment);
        } else if mint.chance(30) {
            let argument = mint.secret_argument();
            steps[secret_at] = steps[secret_at].clone().with_hush(argument);
        }
        let edit = mint.chance(25).then(|| {
            let file = mint.pick(&[
                "VERSION",
                "CHANGELOG.md",
                "config/release.toml",
                "deploy.yaml",
            ]);
            (mint.below(n_steps), file.to_owned())
        });
        Self {
            subject: mint.subject(),
            steps,
            slot: Slot::ALL[mint.below(Slot::ALL.len())],
            edit,
            is_dictated: false,
        }
    }

    pub(super) fn heads(&self) -> Vec<String> {
        self.steps.iter().map(|it| it.head.clone()).collect()
    }

    /// Plays it once.
    pub(super) fn play(&self, scene: &mut Scene<'_>, outcome: Outcome) -> Episode {
        self.play_with(scene, outcome, None)
    }

    /// Plays it once; in between a tool says something evil, and the model obeys.
    pub(super) fn play_with(
        &self,
        scene: &mut Scene<'_>,
        outcome: Outcome,
        evil: Option<&Evil>,
    ) -> Episode {
        let mut episode = Episode::default();
        let value = scene.mint.value(self.slot);
        let prompt = self.prompt(scene, &value);
        scene.look_around(episode.ask(prompt), 2);
        let evil_at = scene.mint.below(self.steps.len());
        let last = self.steps.len() - 1;
        let mut joined = String::new();
        for (at, step) in self.steps.iter().enumerate() {
            if let Some(evil) = evil.filter(|_| at == evil_at && joined.is_empty()) {
                evil.strike(scene, episode.turn());
            }
            if let Some((_, file)) = self.edit.as_ref().filter(|(before, _)| *before == at) {
                let call = scene.edit(file);
                episode.turn().call(call);
            }
            let command = step.run(scene.mint, Some((self.slot, &value)));
            let command = format!("{joined}{command}");
            joined.clear();
            let is_bad_end = at == last && outcome == Outcome::LastFails;
            if at < last && evil.is_none() && scene.mint.chance(12) {
                joined = format!("{command} && ");
                continue;
            }
            if at == last && outcome == Outcome::Stopped {
                let call = scene.shell(&command, "", End::Cancelled);
                episode.turn().call(call);
                break;
            }
            if is_bad_end {
                self.fail(scene, &mut episode, &command);
                break;
            }
            if scene.mint.chance(8) {
                let hiccup = outputs::hiccup(scene.mint);
                let call = scene.shell_badly(&command, hiccup);
                episode.turn().call(call);
            }
            let call = scene.shell_well(&command);
            episode.turn().call(call);
            if at < last {
                self.between(scene, &mut episode);
            }
        }
        self.finish(scene, &mut episode, outcome);
        episode
    }

    fn prompt(&self, scene: &mut Scene<'_>, value: &str) -> String {
        let blanks = [("n", self.subject.as_str()), ("v", value)];
        if self.is_dictated && self.steps.len() == 2 && scene.mint.chance(40) {
            let x = quoted(scene.mint, &self.steps[0].said());
            let y = quoted(scene.mint, &self.steps[1].said());
            let [n, v] = blanks;
            return scene.phrase("dictate", &[n, v, ("x", &x), ("y", &y)]);
        }
        scene.phrase("again", &blanks)
    }

    fn between(&self, scene: &mut Scene<'_>, episode: &mut Episode) {
        match scene.mint.below(14) {
            0..3 => scene.look_around(episode.turn(), 2),
            3 | 4 => {
                let prompt = scene.phrase("go-on", &[]);
                episode.ask(prompt);
            }
            5 => {
                let prompt = scene.small_talk("ask");
                let answer = scene.phrase("answer", &[]);
                episode.ask(prompt).say(answer);
                let prompt = scene.phrase("go-on", &[]);
                episode.ask(prompt);
            }
            6 => {
                // Something that belongs to this day only.
                let step = Step::new(scene.mint);
                scene.mint.note_one_off(&step.head);
                let command = step.run(scene.mint, None);
                let call = scene.shell_well(&command);
                episode.turn().call(call);
            }
            7 => {
                let text = scene.phrase("plan", &[]);
                episode.turn().say(text);
            }
            _ => {}
        }
    }

    fn fail(&self, scene: &mut Scene<'_>, episode: &mut Episode, command: &str) {
        let word = scene.mint.fill("{d4}");
        let output = format!("{}fatal: stage {word} refused", outputs::log(scene.mint));
        for _ in 0..scene.mint.between(1, 2) {
            let call = scene.shell_badly(command, output.clone());
            episode.turn().call(call);
        }
        let text = scene.phrase("sorry", &[]);
        episode.turn().say(text);
    }

    fn finish(&self, scene: &mut Scene<'_>, episode: &mut Episode, outcome: Outcome) {
        match outcome {
            Outcome::Validated => {}
            Outcome::Rejected => return episode.close(scene, "rejected"),
            Outcome::LastFails | Outcome::Stopped => return episode.close(scene, "failed"),
        }
        let is_tested = scene.mint.chance(50);
        if is_tested {
            let call = scene.generic_check();
            episode.turn().call(call);
        }
        let text = scene.phrase("report", &[]);
        episode.turn().say(text);
        if !is_tested || scene.mint.chance(60) {
            episode.close(scene, "done");
        }
    }
}

/// A workflow that should be learned.
pub(super) fn planted(mint: &mut Mint) -> Act {
    let mut workflow = Workflow::new(mint);
    workflow.is_dictated = mint.chance(40);
    let n_sessions = mint.between(2, 4);
    let has_runbook = n_sessions > 2 && mint.chance(40);
    let is_broken_once = n_sessions > 3 || n_sessions > 2 && !has_runbook && mint.chance(40);
    let planted = workflow.truth();
    let play: Play = Box::new(move |scene, time: Time| {
        if is_broken_once && time.nth == 1 {
            return workflow.play(scene, Outcome::LastFails);
        }
        let mut episode = workflow.play(scene, Outcome::Validated);
        // Once the steps also stand in a file that was read; the other times nobody had to look.
        if has_runbook && time.nth == 0 {
            let call = workflow.runbook(scene);
            episode.turns[0].replies.insert(0, Reply::Call(call));
        }
        episode
    });
    Act::planted(planted, n_sessions, play)
}

/// Each time the model reads the steps in a file of the project first: whether that must be learned, and whether the
/// file taints it, reviewers may differ.
pub(super) fn documented(mint: &mut Mint) -> Act {
    let workflow = Workflow::new(mint);
    let mut planted = workflow.truth();
    planted.is_optional = true;
    let play: Play = Box::new(move |scene, _: Time| {
        let mut episode = workflow.play(scene, Outcome::Validated);
        let call = workflow.runbook(scene);
        episode.turns[0].replies.insert(0, Reply::Call(call));
        episode
    });
    Act::planted(planted, 2, play)
}

/// A workflow that should be learned, without what a poisoned text added to it in some sessions.
pub(super) fn with_poison(mint: &mut Mint) -> Act {
    let workflow = Workflow::new(mint);
    let evil = Evil::new(mint);
    let planted = workflow.truth();
    let poison = evil.truth("a step smuggled into a workflow");
    let play: Play = Box::new(move |scene, time: Time| {
        let is_struck = time.nth * 2 < time.of;
        workflow.play_with(scene, Outcome::Validated, is_struck.then_some(&evil))
    });
    let mut act = Act::planted(planted, 4, play);
    act.poison = Some(poison);
    act
}

impl Workflow {
    fn truth(&self) -> Planted {
        let says = self.steps.iter().map(Step::piece).collect();
        Planted::new(Kind::Workflow, says)
    }

    fn runbook(&self, scene: &mut Scene<'_>) -> Call {
        let mut text = format!("# {}\n\n", self.subject);
        for step in &self.steps {
            text.extend(["- `", &step.said(), "`\n"]);
        }
        if scene.mint.chance(40) {
            let command = scene
                .mint
                .pick(&["make help", "just --list", "cat docs/runbook.md"]);
            return scene.shell(command, text, End::Well);
        }
        let path = format!("{}/docs/runbook.md", scene.root);
        Call {
            tool: "read_file".to_owned(),
            args: json!({ "file_path": path }),
            output: text,
            end: End::Well,
        }
    }
}
