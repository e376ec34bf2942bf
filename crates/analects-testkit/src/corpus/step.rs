//! Commands that belong to a project: what of them stays the same, and what differs from time to time.

use super::judge::Piece;
use super::mint::{Mint, Slot};
use super::random::Random;

/// A command of a project.
#[derive(Debug, Clone)]
pub(super) struct Step {
    /// What everybody would recognise it by: program and task.
    pub(super) head: String,
    /// Arguments that never change; their order does not matter.
    fixed: Vec<String>,
    /// An argument that is another one each time.
    varying: Option<(Option<&'static str>, Slot)>,
    /// What stands before it each time, such as a token: `NAME=value`.
    env: Option<String>,
    /// What stands behind it each time, and no skill may say.
    hush: Option<String>,
}

impl Step {
    /// A command that nobody else has.
    pub(super) fn new(mint: &mut Mint) -> Self {
        let head = head(mint);
        let fixed = fixed(mint);
        let varying = mint.chance(45).then(|| {
            let slot = Slot::ALL[mint.below(Slot::ALL.len())];
            (mint.chance(70).then(|| slot.flag()), slot)
        });
        Self {
            head,
            fixed,
            varying,
            env: None,
            hush: None,
        }
    }

    /// A command that is always written the same way.
    pub(super) fn plain(head: impl Into<String>) -> Self {
        Self {
            head: head.into(),
            fixed: Vec::new(),
            varying: None,
            env: None,
            hush: None,
        }
    }

    /// A short one: just program and task.
    pub(super) fn short(mint: &mut Mint) -> Self {
        Self::plain(head(mint))
    }

    #[must_use]
    pub(super) fn with_env(mut self, assignment: String) -> Self {
        self.env = Some(assignment);
        self
    }

    #[must_use]
    pub(super) fn with_hush(mut self, argument: String) -> Self {
        self.hush = Some(argument);
        self
    }

    /// How a person would call it: without what differs.
    pub(super) fn said(&self) -> String {
        let mut said = self.head.clone();
        for argument in &self.fixed {
            said.push(' ');
            said.push_str(argument);
        }
        said
    }

    /// How it is run this time. A value of the day that fits is used.
    pub(super) fn run(&self, mint: &mut Mint, today: Option<(Slot, &str)>) -> String {
        let mut arguments = self.fixed.clone();
        mint.shuffle(&mut arguments);
        if let Some((flag, slot)) = self.varying {
            let fresh = mint.value(slot);
            let today = today.filter(|(known, _)| *known == slot);
            let value = today.map_or(fresh.as_str(), |(_, value)| value);
            match flag {
                Some(flag) if mint.chance(50) => arguments.push(format!("{flag}={value}")),
                Some(flag) => arguments.push(format!("{flag} {value}")),
                None => arguments.push(value.to_owned()),
            }
        }
        arguments.extend(self.hush.clone());
        let mut run = self.env.clone().unwrap_or_default();
        for part in std::iter::once(&self.head).chain(&arguments) {
            if !run.is_empty() {
                run.push(' ');
            }
            run.push_str(part);
        }
        run
    }

    /// What a skill must say of it.
    pub(super) fn piece(&self) -> Piece {
        Piece {
            head: self.head.clone(),
            with: self.fixed.clone(),
        }
    }

    /// Its program.
    pub(super) fn program(&self) -> &str {
        self.head.split(' ').next().unwrap_or_default()
    }
}

/// A command as it really stands in a shell: with a directory before it, or a pipe behind it.
///
/// Behind a pipe nobody sees that a command failed, so one that fails has none.
pub(super) fn dressed(random: &mut Random, root: &str, command: &str, is_well: bool) -> String {
    let first = command.split(' ').next().unwrap_or_default();
    let has_env = first.contains('=');
    match random.below(30) {
        0..4 => format!("cd {root} && {command}"),
        4 => format!("RUST_LOG=debug {command}"),
        5 => format!("CI=1 {command}"),
        6 => format!("time {command}"),
        7 => format!("({command})"),
        8 | 9 => format!("{command} 2>&1"),
        10 if !has_env => format!("timeout {} {command}", random.between(60, 900)),
        11 => format!("set -euo pipefail; {command}"),
        12 if !command.contains('\'') => format!("bash -lc '{command}'"),
        13 => format!("cd {root}\n{command}"),
        14..17 if is_well => format!("{command} 2>&1 | tail -n {}", random.between(10, 80)),
        17 if is_well => format!("{command} | tee /tmp/{}.log", random.fill("{l6}")),
        18 if is_well => format!("{command} && echo done"),
        _ => command.to_owned(),
    }
}

/// Program and task, of the programs that this project uses.
fn head(mint: &mut Mint) -> String {
    match mint.tool(N_FAMILIES) {
        0 => format!("just {}", mint.task("-")),
        1 => format!("make {}", mint.task("-")),
        2 => format!("pnpm run {}", mint.task(":")),
        3 => format!("pnpm --filter @{}/web {}", mint.word(), mint.task(":")),
        4 => format!("uv run python -m {}", mint.task(".")),
        5 => format!("uv run scripts/{}.py", mint.task("_")),
        6 => format!("cargo xtask {}", mint.task("-")),
        7 | 8 => format!("./scripts/{}.sh", mint.task("_")),
        9 => format!("bash tools/{}.sh", mint.task("-")),
        10 => format!("docker compose run --rm {}", mint.task("-")),
        11 => {
            let task = mint.task("_");
            format!("bazel run //tools/{}:{task}", mint.word())
        }
        12 => format!("terraform -chdir=infra/{} apply", mint.word()),
        13 => {
            let space = mint.word();
            let task = mint.task("-");
            format!("kubectl -n {space} rollout restart deploy/{task}")
        }
        14 => {
            let word = mint.word();
            format!("./gradlew :{word}:{}", camel(&mint.task("-")))
        }
        15 => format!("mix {}", mint.task(".")),
        16 => format!("bundle exec rake {}", mint.task(":")),
        17 => format!("go run ./cmd/{}", mint.word()),
        18 => format!("npx nx run {}:{}", mint.word(), mint.task("-")),
        19 => format!("php artisan {}", mint.task(":")),
        20 => format!("python3 tools/{}.py", mint.task("_")),
        21 => format!("ninja -C out/{} {}", mint.word(), mint.task("_")),
        22 => {
            let word = mint.word();
            format!("helm upgrade --install {word} charts/{word}")
        }
        23 => format!("dotnet run --project tools/{}", mint.word()),
        24 => format!("task {}", mint.task(":")),
        25 => format!("tox -e {}", mint.task("-")),
        _ => {
            let cli = mint.in_house();
            let verb = mint.pick(&["db", "release", "env", "tenant", "pkg", "stack", "data"]);
            format!("{cli} {verb} {}", mint.task("-"))
        }
    }
}

/// Kinds of programs; a project uses some of them. The last one is a program of its own.
const N_FAMILIES: usize = 27;

fn camel(task: &str) -> String {
    let mut camel = String::new();
    for (idx, word) in task.split('-').enumerate() {
        let mut letters = word.chars();
        match letters.next() {
            Some(first) if idx > 0 => camel.extend(first.to_uppercase()),
            first => camel.extend(first),
        }
        camel.push_str(letters.as_str());
    }
    camel
}

/// Arguments that never change.
fn fixed(mint: &mut Mint) -> Vec<String> {
    let mut fixed = Vec::new();
    for _ in 0..[0, 0, 1, 1, 2][mint.below(5)] {
        let argument = match mint.below(7) {
            0 => "--strict".to_owned(),
            1 => "--no-cache".to_owned(),
            2 => format!("--profile {}", mint.pick(&["ci", "full", "slim", "edge"])),
            3 => format!("--config config/{}.toml", mint.word()),
            4 => "--all-tenants".to_owned(),
            5 => format!("--format={}", mint.pick(&["json", "yaml", "junit"])),
            _ => format!("--only {}", mint.word()),
        };
        let flag = |it: &str| it.split([' ', '=']).next().unwrap_or_default().to_owned();
        if !fixed.iter().any(|it: &String| flag(it) == flag(&argument)) {
            fixed.push(argument);
        }
    }
    fixed
}
