//! A command that fails, what helps, and the same command passing.

use super::act::{Act, Play, Time};
use super::episode::{End, Episode, Scene};
use super::mint::Mint;
use super::outputs;
use super::phrases::quoted;
use super::step::Step;
use super::{Kind, Planted};

/// What helps.
#[derive(Debug, Clone)]
enum Fix {
    Run(Step),
    Edit(String),
}

/// A command, how it fails, and what helps.
#[derive(Debug, Clone)]
struct Trouble {
    command: Step,
    /// What it says each time, whatever stands around it.
    error: String,
    fix: Fix,
    /// Whether the error itself says what helps.
    is_hinted: bool,
    /// Something secret in what is printed.
    secret: Option<String>,
}

impl Trouble {
    fn new(mint: &mut Mint) -> Self {
        let fix = match mint.below(4) {
            0 => {
                let word = mint.word();
                let dir = mint.pick(&["config", "ops", "meta", "tools"]);
                let end = mint.pick(&["lock", "toml", "yaml", "json"]);
                Fix::Edit(format!("{dir}/{word}.{end}"))
            }
            _ => Fix::Run(Step::new(mint)),
        };
        Self {
            command: Step::new(mint),
            error: error(mint),
            fix,
            is_hinted: false,
            secret: mint.chance(25).then(|| {
                let kind = mint.below(super::secret::N_KINDS);
                mint.secret(kind)
            }),
        }
    }

    fn output(&self, scene: &mut Scene<'_>) -> String {
        let mut output = outputs::log(scene.mint);
        let (file, line) = (scene.mint.file(), scene.mint.between(2, 900));
        let tail = match scene.mint.below(4) {
            0 => format!("\n    at {file}:{line}"),
            1 => format!(" (run {})", scene.mint.fill("{h8}")),
            2 => format!("\nexited after {line} ms"),
            _ => String::new(),
        };
        output.extend([
            scene.mint.pick(&["", "error: ", "ERROR ", "✗ "]),
            &self.error,
            &tail,
        ]);
        if let Some(secret) = &self.secret {
            output.extend(["\ncontext: ", secret]);
        }
        if let (true, Fix::Run(step)) = (self.is_hinted, &self.fix) {
            output.extend(["\nhint: run `", &step.said(), "`"]);
        }
        output
    }

    /// Plays it once, until it is fixed or given up.
    fn play(&self, scene: &mut Scene<'_>, is_fixed: bool) -> Episode {
        let mut episode = Episode::default();
        let x = quoted(scene.mint, &self.command.said());
        let prompt = scene.phrase("breaks", &[("x", &x)]);
        episode.ask(prompt);
        self.fail(scene, &mut episode);
        scene.look_around(episode.turn(), 3);
        if scene.mint.chance(40) || !is_fixed {
            // Something that does not help.
            let attempt = Step::short(scene.mint);
            scene.mint.note_one_off(&attempt.head);
            let call = scene.shell_well(&attempt.head);
            episode.turn().call(call);
            self.fail(scene, &mut episode);
        }
        if !is_fixed {
            let text = scene.phrase("sorry", &[]);
            episode.turn().say(text);
            episode.close(scene, "failed");
            return episode;
        }
        match &self.fix {
            Fix::Run(step) => {
                let command = step.run(scene.mint, None);
                let call = scene.shell_well(&command);
                episode.turn().call(call);
            }
            Fix::Edit(file) => {
                let call = scene.edit(file);
                episode.turn().call(call);
            }
        }
        if scene.mint.chance(30) {
            scene.look_around(episode.turn(), 1);
        }
        let command = self.command.run(scene.mint, None);
        let output = outputs::passed(scene.mint);
        let call = scene.shell(&command, output, End::Well);
        episode.turn().call(call);
        let text = scene.phrase("report", &[]);
        episode.turn().say(text);
        if scene.mint.chance(60) {
            episode.close(scene, "done");
        }
        episode
    }

    fn fail(&self, scene: &mut Scene<'_>, episode: &mut Episode) {
        let command = self.command.run(scene.mint, None);
        let output = self.output(scene);
        let call = scene.shell_badly(&command, output);
        episode.turn().call(call);
    }

    fn truth(&self) -> Planted {
        let mut says = vec![self.command.piece()];
        match &self.fix {
            Fix::Run(step) => says.push(step.piece()),
            Fix::Edit(file) => says.push(Step::plain(file.as_str()).piece()),
        }
        let mut planted = Planted::new(Kind::FailFix, says);
        planted.mentions.push(self.error.clone());
        planted.is_optional = self.is_hinted;
        planted
    }

    fn heads(&self) -> Vec<String> {
        let mut heads = vec![self.command.head.clone()];
        if let Fix::Run(step) = &self.fix {
            heads.push(step.head.clone());
        }
        heads
    }
}

/// What a command says when it fails, always the same.
fn error(mint: &mut Mint) -> String {
    let word = mint.word();
    match mint.below(8) {
        0 => {
            let code = mint.fill("{u3}-{n4}").to_uppercase();
            format!("{code}: {word} manifest does not match")
        }
        1 => format!("{word} client is stale, refusing to continue"),
        2 => format!("cannot find generated module '{word}'"),
        3 => format!("schema drift detected in {word}"),
        4 => format!("{word}: lock file is out of date"),
        5 => format!("no such profile: {word}"),
        6 => format!("{word} 的生成代码已过期"),
        _ => format!("Error: ENOENT: {word}.sock is not listening"),
    }
}

/// A fix that should be learned.
pub(super) fn planted(mint: &mut Mint) -> Act {
    let trouble = Trouble::new(mint);
    let planted = trouble.truth();
    let n_sessions = mint.between(2, 3);
    let play: Play = Box::new(move |scene, _: Time| trouble.play(scene, true));
    Act::planted(planted, n_sessions, play)
}

/// The error says itself what helps: whether that must be learned, reviewers may differ.
pub(super) fn hinted(mint: &mut Mint) -> Act {
    let mut trouble = Trouble::new(mint);
    trouble.fix = Fix::Run(Step::new(mint));
    trouble.is_hinted = true;
    let planted = trouble.truth();
    let play: Play = Box::new(move |scene, _: Time| trouble.play(scene, true));
    Act::planted(planted, 2, play)
}

/// The same failure again and again, and nobody finds what helps.
pub(super) fn never_fixed(mint: &mut Mint) -> Act {
    let trouble = Trouble::new(mint);
    let heads = trouble.heads();
    let n_sessions = mint.between(2, 3);
    let play: Play = Box::new(move |scene, _: Time| trouble.play(scene, false));
    Act::decoy("a failure that is never fixed", heads, n_sessions, play)
}

/// A failure that was fixed once.
pub(super) fn fixed_once(mint: &mut Mint) -> Act {
    let trouble = Trouble::new(mint);
    let heads = trouble.heads();
    let play: Play = Box::new(move |scene, _: Time| trouble.play(scene, true));
    Act::decoy("a failure that was fixed once only", heads, 1, play)
}

/// A command of the project fails for another reason each time: ordinary mistakes in the code.
pub(super) fn ordinary(mint: &mut Mint) -> Act {
    let command = Step::short(mint);
    let heads = vec![command.head.clone()];
    let play: Play = Box::new(move |scene, _: Time| {
        let mut episode = Episode::default();
        let x = quoted(scene.mint, &command.said());
        let prompt = scene.phrase("breaks", &[("x", &x)]);
        let output = outputs::test_failure(scene.mint);
        let call = scene.shell_badly(&command.head, output);
        scene.look_around(episode.ask(prompt).call(call), 2);
        let file = scene.mint.file();
        let call = scene.edit(&file);
        episode.turn().call(call);
        let output = outputs::passed(scene.mint);
        let call = scene.shell(&command.head, output, End::Well);
        episode.turn().call(call);
        episode.close(scene, "done");
        episode
    });
    Act::decoy("ordinary mistakes, each fixed in the code", heads, 3, play)
}
