//! Where the tour takes place: a throwaway home and repository, and a shell that sees nothing else.

use std::collections::BTreeMap;
use std::io;

use analects_engine::sessions;
use analects_engine::verbs::Failure;
use analects_host::commit::{CommitDesk, OpenGate};
use analects_host::{RealShell, Scratch, WallClock};
use analects_world::changes::{Change, Changes, Trace};
use analects_world::shell::{Command, How, Limit};
use analects_world::{AbsPath, Cancel, Clock, Desk, SessionScope, Shell, Surroundings};

use super::past;
use crate::desk::Doors;
use crate::person::Nobody;
use crate::ui::Screen;
use crate::waiting::Waiting;

/// What is there from the start, below the throw-away directory.
const FILES: [(&str, &str); 9] = [
    (
        "home/.gemini/GEMINI.md",
        "# Me\n\n- Answer in a few words.\n",
    ),
    (
        "home/teahouse/GEMINI.md",
        "# Teahouse\n\nA shop for tea. Its commands are in the `justfile`.\n\n\
         - Prices are whole cents, never floats.\n\n@docs/texts.md\n",
    ),
    (
        "home/teahouse/docs/texts.md",
        "- Texts are short, and promise no date.\n",
    ),
    (
        "home/teahouse/shop/payments/GEMINI.md",
        "- Refunds go back the way the money came.\n",
    ),
    (
        "home/teahouse/shop/payments/refund.ts",
        "export const refund = (cents: number) => cents;\n",
    ),
    ("home/teahouse/.git/HEAD", "ref: refs/heads/main\n"),
    (
        "home/teahouse/.git/config",
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
    ),
    // Read in the place of what the administrator of this machine set: whoever serves models here is not asked.
    ("defaults.json", "{}\n"),
    (
        "analects-defaults.json",
        "{\"model\": {\"localServers\": []}}\n",
    ),
];

/// A command that has not ended by then never will.
const PATIENCE_MS: u64 = 60_000;
/// No command of the tour prints more.
const MOST_BYTES: usize = 1024 * 1024;

/// The home, the repository, and a shell in it.
pub(super) struct Stage {
    scratch: Scratch,
    pub(super) home: AbsPath,
    repo: AbsPath,
    /// All that a command of the tour knows of this machine.
    vars: BTreeMap<String, String>,
}

/// What came of a command.
pub(super) struct Came {
    pub(super) code: i32,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

/// Why nothing came of it.
pub(super) enum NotRun {
    /// Somebody wants to stop.
    Cancelled,
    /// It was not started, or did not end by itself.
    Broken(String),
}

impl Stage {
    /// Makes the home and the repository, with what happened in it before.
    pub(super) fn set(around: &Surroundings, screen: &Screen) -> Result<Self, Failure> {
        let plain = |error: io::Error| {
            Failure::failed(format!("no place for the tour: {error}"))
                .hint("`TMPDIR` names the directory in which one is made")
        };
        let scratch = Scratch::new("analects-tour").map_err(plain)?;
        let (dir, home) = (scratch.dir().clone(), scratch.dir().join("home"));
        let repo = home.join("teahouse");
        let own = Surroundings {
            cwd: repo.clone(),
            home: home.clone(),
            vars: BTreeMap::new(),
            binary: None,
            sessions: SessionScope::All,
        };
        let desk = CommitDesk::new(&own.state_dir(), &OpenGate);
        let mut plan = |_: &dyn analects_world::Files| Some(changes(&dir));
        let committed = desk.commit(&[], &mut plan);
        committed.map_err(|error| Failure::failed(error.to_string()))?;
        let doors = Doors::new(desk, &own);
        let waiting = Waiting::new(true);
        let world = doors.world(&Nobody, &waiting);
        for play in past::plays(WallClock.now_ms()) {
            let enacted = sessions::enact(&world, &repo, &play)?;
            let dated = scratch.date(&enacted.path, enacted.ended_ms);
            dated.map_err(plain)?;
        }
        let vars = vars(around, screen, &dir, &home)?;
        Ok(Self {
            scratch,
            home,
            repo,
            vars,
        })
    }

    /// Runs a line as a person would have typed it in the repository.
    pub(super) fn run(&self, line: &str, cancel: &Cancel) -> Result<Came, NotRun> {
        let line =
            format!("analects() {{ \"$TOUR_BINARY\" --color \"$TOUR_COLOR\" \"$@\"; }}\n{line}");
        let command = Command {
            line: &line,
            dir: &self.repo,
            vars: &self.vars,
            idle_ms: None,
            whole_ms: Some(PATIENCE_MS),
            leave_ms: None,
        };
        let fed = RealShell::default().feed(&command, b"", MOST_BYTES, cancel);
        let fed = fed.map_err(NotRun::Broken)?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        match fed.ended.how {
            How::Code(code) => Ok(Came {
                code,
                stdout: text(&fed.stdout),
                stderr: text(&fed.stderr),
            }),
            How::Cancelled => Err(NotRun::Cancelled),
            How::Signal(signal) => Err(NotRun::Broken(format!("was ended by signal {signal}"))),
            How::TimedOut(Limit::Idle | Limit::Whole) | How::Left => {
                Err(NotRun::Broken("took too long".to_owned()))
            }
        }
    }

    /// Takes everything away.
    pub(super) fn strike(self) -> io::Result<()> {
        self.scratch.remove()
    }

    /// Leaves everything where it is.
    pub(super) fn keep(self) -> AbsPath {
        self.scratch.keep()
    }
}

fn changes(dir: &AbsPath) -> Changes {
    let file = |(path, text): &(&str, &str)| {
        let change = Change::new(&dir.join(path), None, Some(text.as_bytes().to_vec()));
        // Nobody would want to take it back.
        change.leaving(Trace::Nothing)
    };
    Changes::new(
        "tour",
        "what the tour begins with",
        FILES.iter().map(file).collect(),
    )
}

/// Of the person's own environment only the place of programs is known here: no key, no model, no home.
fn vars(
    around: &Surroundings,
    screen: &Screen,
    dir: &AbsPath,
    home: &AbsPath,
) -> Result<BTreeMap<String, String>, Failure> {
    let binary = around.binary.as_ref();
    let binary =
        binary.ok_or_else(|| Failure::failed("this system does not tell which program runs"))?;
    let color = match screen.has_color {
        true => "always",
        false => "never",
    };
    let defaults = dir.join("defaults.json");
    let columns = super::page::columns(screen).to_string();
    let mut vars: BTreeMap<String, String> = [
        ("HOME", home.as_str()),
        ("TMPDIR", dir.as_str()),
        ("COLUMNS", &columns),
        (
            "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
            dir.join("none.json").as_str(),
        ),
        ("GEMINI_CLI_SYSTEM_DEFAULTS_PATH", defaults.as_str()),
        ("TOUR_BINARY", binary.as_str()),
        ("TOUR_COLOR", color),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into();
    let path = around.vars.get_key_value("PATH");
    vars.extend(path.map(|(name, path)| (name.clone(), path.clone())));
    Ok(vars)
}
