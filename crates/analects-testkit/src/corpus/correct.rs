//! What people correct: another command, another program, another file; another order.

use super::act::{Act, Play, Time};
use super::episode::{End, Episode, Scene};
use super::mint::Mint;
use super::outputs;
use super::phrases::{among, quoted};
use super::step::Step;
use super::{Kind, Planted};

/// Programs that people mistake for one another: the wrong ones are used nowhere else.
const SWAPS: [(&str, &str); 8] = [
    ("yarn", "pnpm"),
    ("bun run", "pnpm run"),
    ("gradle", "./gradlew"),
    ("nerdctl run", "podman run"),
    ("pipenv run", "uv run"),
    ("poetry run", "uv run"),
    ("inv", "just"),
    ("lerna run", "pnpm -r run"),
];

/// A wrong command and the right one.
#[derive(Debug, Clone)]
struct Mistake {
    subject: String,
    wrong: Step,
    right: Step,
    /// Only the programs differ.
    is_swap: bool,
}

impl Mistake {
    fn new(mint: &mut Mint) -> Self {
        let mut right = Step::new(mint);
        if mint.chance(20) {
            let argument = mint.secret_argument();
            right = right.with_hush(argument);
        }
        Self {
            subject: mint.subject(),
            wrong: Step::short(mint),
            right,
            is_swap: false,
        }
    }

    fn swap(mint: &mut Mint) -> Self {
        let (wrong, right) = SWAPS[mint.below(SWAPS.len())];
        let task = mint.task("-");
        Self {
            subject: mint.subject(),
            wrong: Step::plain(format!("{wrong} {task}")),
            right: Step::plain(format!("{right} {task}")),
            is_swap: true,
        }
    }

    /// The model does the wrong thing, the person says so.
    fn corrected(&self, scene: &mut Scene<'_>) -> Episode {
        let mut episode = Episode::default();
        let prompt = scene.phrase("use", &[("n", &self.subject)]);
        scene.look_around(episode.ask(prompt), 2);
        let wrong = self.wrong.run(scene.mint, None);
        match scene.mint.below(5) {
            0 => {
                episode.turn().say(format!("I will run `{wrong}` now."));
            }
            1 => {
                let call = scene.shell(&wrong, "", End::Cancelled);
                episode.turn().call(call);
            }
            2 => {
                let call = scene.shell_badly(&wrong, "command not found");
                episode.turn().call(call);
            }
            3 => {
                let output = outputs::test_failure(scene.mint);
                let call = scene.shell_badly(&wrong, output);
                episode.turn().call(call);
            }
            _ => {
                let call = scene.shell_well(&wrong);
                episode.turn().call(call);
            }
        }
        let said = self.said(scene);
        episode.ask(said);
        episode
    }

    fn said(&self, scene: &mut Scene<'_>) -> String {
        let x = quoted(scene.mint, &self.right.said());
        let y = quoted(scene.mint, &self.wrong.said());
        let (px, py) = (
            self.right.program().to_owned(),
            self.wrong.program().to_owned(),
        );
        let occasion = if self.is_swap && px != py {
            "correct-vague"
        } else {
            "correct"
        };
        let blanks = [("x", &*x), ("y", &*y), ("px", &*px), ("py", &*py)];
        let said = scene.phrase(occasion, &blanks);
        among(scene.mint, scene.lang, said)
    }

    fn right(&self, scene: &mut Scene<'_>, episode: &mut Episode, is_well: bool) {
        let command = self.right.run(scene.mint, None);
        if scene.mint.chance(40) {
            let text = scene.phrase("regret", &[]);
            episode.turn().say(text);
        }
        let call = if is_well {
            let output = if scene.mint.chance(50) {
                outputs::passed(scene.mint)
            } else {
                outputs::well(scene.mint)
            };
            scene.shell(&command, output, End::Well)
        } else {
            scene.shell_badly(&command, "unknown task, see --help")
        };
        episode.turn().call(call);
    }

    fn play(&self, scene: &mut Scene<'_>) -> Episode {
        let mut episode = self.corrected(scene);
        self.right(scene, &mut episode, true);
        let text = scene.phrase("report", &[]);
        episode.turn().say(text);
        if scene.mint.chance(60) {
            episode.close(scene, "done");
        }
        episode
    }

    fn retracted(&self, scene: &mut Scene<'_>, episode: &mut Episode) {
        let x = quoted(scene.mint, &self.right.said());
        let y = quoted(scene.mint, &self.wrong.said());
        let said = scene.phrase("retract", &[("x", &x), ("y", &y)]);
        let wrong = self.wrong.run(scene.mint, None);
        let call = scene.shell_well(&wrong);
        episode.ask(said).call(call);
        episode.close(scene, "done");
    }

    fn heads(&self) -> Vec<String> {
        vec![self.right.head.clone(), self.wrong.head.clone()]
    }
}

/// A correction that should be learned, even from one session.
pub(super) fn planted(mint: &mut Mint) -> Act {
    let mistake = if mint.chance(25) {
        Mistake::swap(mint)
    } else {
        Mistake::new(mint)
    };
    let mut planted = Planted::new(Kind::Correction, vec![mistake.right.piece()]);
    planted.never.push(mistake.wrong.head.clone());
    if mistake.is_swap {
        let programs = [mistake.right.program(), mistake.wrong.program()];
        planted.or_says = programs.map(|it| Step::plain(it).piece()).to_vec();
    }
    let n_sessions = [1, 1, 2][mint.below(3)];
    let play: Play = Box::new(move |scene, _: Time| mistake.play(scene));
    Act::planted(planted, n_sessions, play)
}

/// A correction for the next time; the next time the model does it right.
pub(super) fn for_later(mint: &mut Mint) -> Act {
    let mistake = Mistake::new(mint);
    let mut planted = Planted::new(Kind::Correction, vec![mistake.right.piece()]);
    planted.never.push(mistake.wrong.head.clone());
    let play: Play = Box::new(move |scene, time: Time| {
        let mut episode = Episode::default();
        let prompt = scene.phrase("use", &[("n", &mistake.subject)]);
        scene.look_around(episode.ask(prompt), 2);
        if time.nth == 0 {
            let wrong = mistake.wrong.run(scene.mint, None);
            let call = scene.shell_well(&wrong);
            episode.turn().call(call);
            let x = quoted(scene.mint, &mistake.right.said());
            let y = quoted(scene.mint, &mistake.wrong.said());
            let said = scene.phrase("later", &[("x", &x), ("y", &y)]);
            let text = scene.phrase("regret", &[]);
            episode.ask(said).say(text);
        } else {
            mistake.right(scene, &mut episode, true);
            episode.close(scene, "done");
        }
        episode
    });
    Act::planted(planted, 2, play)
}

/// A file that is generated was changed by hand: which one to change, and what to run then, should be learned.
pub(super) fn generated(mint: &mut Mint) -> Act {
    let (word, other) = (mint.word(), mint.word());
    let source = format!(
        "templates/{word}.{}",
        mint.pick(&["tmpl", "yaml", "proto", "hbs"])
    );
    let made = format!("gen/{other}.{}", mint.pick(&["ts", "go", "py", "rs"]));
    let command = Step::short(mint);
    let subject = mint.subject();
    let says = vec![Step::plain(source.as_str()).piece(), command.piece()];
    let planted = Planted::new(Kind::Correction, says);
    let n_sessions = [1, 2][mint.below(2)];
    let play: Play = Box::new(move |scene, _: Time| {
        let mut episode = Episode::default();
        let prompt = scene.phrase("use", &[("n", &subject)]);
        let call = scene.edit(&made);
        scene.look_around(episode.ask(prompt), 1);
        episode.turn().call(call);
        let x = quoted(scene.mint, &command.head);
        let said = scene.phrase("correct-edit", &[("f", &source), ("g", &made), ("x", &x)]);
        let call = scene.edit(&source);
        episode.ask(said).call(call);
        let call = scene.shell_well(&command.head);
        episode.turn().call(call);
        let check = scene.generic_check();
        episode.turn().call(check);
        episode.close(scene, "done");
        episode
    });
    Act::planted(planted, n_sessions, play)
}

/// What must come first, and what then.
struct Order {
    subject: String,
    first: Step,
    then: Step,
}

impl Order {
    /// The model begins at the wrong end, and the person stops it.
    fn interrupted(&self, scene: &mut Scene<'_>) -> Episode {
        let mut episode = Episode::default();
        let prompt = scene.phrase("use", &[("n", &self.subject)]);
        scene.look_around(episode.ask(prompt), 2);
        let command = self.then.run(scene.mint, None);
        let has_run = scene.mint.chance(75);
        if has_run {
            let call = if scene.mint.chance(30) {
                scene.shell(&command, "", End::Cancelled)
            } else {
                let whys = [
                    "stale input",
                    "precondition not met",
                    "missing prerequisite",
                ];
                let why = scene.mint.pick(&whys);
                scene.shell_badly(&command, format!("aborted: {why}"))
            };
            episode.turn().call(call);
        } else {
            episode.turn().say(format!("Next I run `{command}`."));
        }
        let is_short = has_run && scene.mint.chance(25);
        let said = self.said(scene, if is_short { "order-short" } else { "order" });
        episode.ask(said);
        episode
    }

    /// The person says it before anything happens.
    fn upfront(&self, scene: &mut Scene<'_>) -> Episode {
        let mut episode = Episode::default();
        let said = self.said(scene, "upfront");
        scene.look_around(episode.ask(said), 1);
        episode
    }

    fn said(&self, scene: &mut Scene<'_>, occasion: &str) -> String {
        let x = quoted(scene.mint, &self.first.said());
        let y = quoted(scene.mint, &self.then.said());
        let said = scene.phrase(occasion, &[("n", &self.subject), ("x", &x), ("y", &y)]);
        among(scene.mint, scene.lang, said)
    }

    fn play(&self, scene: &mut Scene<'_>) -> Episode {
        let mut episode = if scene.mint.chance(25) {
            self.upfront(scene)
        } else {
            self.interrupted(scene)
        };
        let command = self.first.run(scene.mint, None);
        let call = scene.shell_well(&command);
        scene.look_around(episode.turn().call(call), 1);
        let command = self.then.run(scene.mint, None);
        let output = outputs::passed(scene.mint);
        let call = scene.shell(&command, output, End::Well);
        let text = scene.phrase("report", &[]);
        episode.turn().call(call).say(text);
        if scene.mint.chance(60) {
            episode.close(scene, "done");
        }
        episode
    }
}

/// An order that should be learned, even from one session.
pub(super) fn order(mint: &mut Mint) -> Act {
    let order = Order {
        subject: mint.subject(),
        first: Step::new(mint),
        then: Step::new(mint),
    };
    let planted = Planted::new(
        Kind::Ordering,
        vec![order.first.piece(), order.then.piece()],
    );
    let n_sessions = [1, 1, 2][mint.below(3)];
    let play: Play = Box::new(move |scene, _: Time| order.play(scene));
    Act::planted(planted, n_sessions, play)
}

/// A correction that is taken back, at once or some sessions later.
pub(super) fn taken_back(mint: &mut Mint) -> Act {
    let mistake = Mistake::new(mint);
    let heads = mistake.heads();
    let n_sessions = mint.between(1, 2);
    let play: Play = Box::new(move |scene, time: Time| {
        if time.nth == 0 {
            let mut episode = mistake.play(scene);
            if time.of == 1 {
                mistake.retracted(scene, &mut episode);
            }
            return episode;
        }
        let mut episode = Episode::default();
        let prompt = scene.phrase("use", &[("n", &mistake.subject)]);
        episode.ask(prompt);
        mistake.right(scene, &mut episode, true);
        mistake.retracted(scene, &mut episode);
        episode
    });
    Act::decoy("a correction that was taken back", heads, n_sessions, play)
}

/// What the person wanted instead does not work either.
pub(super) fn wrong_too(mint: &mut Mint) -> Act {
    let mistake = Mistake::new(mint);
    let heads = mistake.heads();
    let play: Play = Box::new(move |scene, _: Time| {
        let mut episode = mistake.corrected(scene);
        mistake.right(scene, &mut episode, false);
        let text = scene.phrase("sorry", &[]);
        episode.turn().say(text);
        episode.close(scene, "failed");
        episode
    });
    Act::decoy("a correction that did not work", heads, 1, play)
}
