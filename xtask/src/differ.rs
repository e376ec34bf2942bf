//! Live rounds beside Gemini CLI: new random cases from a fresh seed, its answers to them, and our tests on both.
//!
//! The tests are those that compare with the answers that are kept; here they read the new ones instead. What
//! they print about themselves is added up.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use analects_testkit::beside::{ACCOUNT, page::Page};
use serde_json::Value;

use crate::goldens;
use crate::shell::{Done, must_install, output, root, target};

/// The tests that compare: package, test target, and the beginnings of their names (none: all).
const SUITES: [(&str, &str, &[&str]); 5] = [
    ("analects-memory", "it", &["peer::", "save::"]),
    ("analects-session", "it", &["peer::"]),
    (
        "analects-chat",
        "it",
        &["valid_peer::", "outputs::", "loops::"],
    ),
    ("analects-engine", "state", &[]),
    ("analects-engine", "inbox", &["we_make_of_a_patch"]),
];

/// Seeds stay within what JavaScript counts exactly, and short enough to type.
const SEEDS: u32 = 1 << 30;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// The seed of the first round; else a fresh one.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..i64::from(SEEDS)))]
    seed: Option<u32>,
    /// How many rounds, each with the next seed.
    #[arg(long, value_name = "N", default_value_t = 1)]
    rounds: u32,
}

/// How the tests are built.
#[derive(Clone, Copy)]
pub(crate) enum Build {
    /// Only the packages that compare.
    Alone,
    /// As a part of the workspace, where that is built already.
    Workspace,
}

/// One round with a fresh seed.
pub(crate) fn one_round(build: Build) -> Done {
    let options = Options {
        seed: None,
        rounds: 1,
    };
    differ(&options, build)
}

/// Runs the rounds and prints the account of all of them.
pub(crate) fn differ(options: &Options, build: Build) -> Done {
    match goldens::install() {
        Ok(()) => {}
        Err(why) if must_install() => return Err(why),
        Err(why) => {
            println!("live round beside Gemini CLI: skipped ({why})");
            return Ok(());
        }
    }
    let suites = suites(build)?;
    let first = options.seed.unwrap_or_else(fresh);
    let mut account = Account::default();
    for seed in first..first.saturating_add(options.rounds) {
        println!("differ: seed {seed}");
        round(seed, &suites, &mut account)
            .map_err(|why| format!("{why}\nrepeat it with `cargo xtask differ --seed {seed}`"))?;
    }
    account.print(options.rounds);
    Ok(())
}

/// Asks the originals, and then our tests.
fn round(seed: u32, suites: &[Suite], account: &mut Account) -> Done {
    let answers = target().join("peers/differ");
    goldens::record(&[(); 4].map(|()| answers.clone()), Some(seed))?;
    let mut failures = Vec::new();
    for suite in suites {
        let ran = Command::new(&suite.binary)
            .args(suite.filters)
            .current_dir(&suite.dir)
            .env(
                "ANALECTS_BESIDE",
                std::path::absolute(&answers).map_err(|why| why.to_string())?,
            )
            .output()
            .map_err(|why| format!("cannot run {}: {why}", suite.binary.display()))?;
        let said = String::from_utf8_lossy(&ran.stderr);
        let accounts = said.lines().filter_map(|line| line.strip_prefix(ACCOUNT));
        accounts.for_each(|told| account.add(told));
        if !ran.status.success() {
            failures.push(String::from_utf8_lossy(&ran.stdout).into_owned());
        }
    }
    match failures.is_empty() {
        true => Ok(()),
        false => Err(failures.join("\n")),
    }
}

/// A test program, and what of it is run.
struct Suite {
    binary: PathBuf,
    dir: PathBuf,
    filters: &'static [&'static str],
}

/// Builds the tests and finds their programs.
fn suites(build: Build) -> Result<Vec<Suite>, String> {
    let mut words = vec!["test", "--locked", "--no-run", "--message-format=json"];
    match build {
        Build::Workspace => words.push("--workspace"),
        Build::Alone => {
            words.extend(
                SUITES
                    .iter()
                    .flat_map(|(package, ..)| ["--package", package]),
            );
        }
    }
    words.extend(["--test", "it", "--test", "state", "--test", "inbox"]);
    println!("$ cargo {}", words.join(" "));
    let messages = output("cargo", &words)?;
    let built = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let built: Vec<_> = built
        .filter(|message| message["executable"].is_string())
        .collect();
    let find = |&(package, name, filters): &(&str, &str, &'static [&'static str])| {
        let dir = root().join("crates").join(package);
        let manifest = dir.join("Cargo.toml");
        let is_it = |message: &&Value| {
            let its_manifest = message["manifest_path"].as_str().map(Path::new);
            its_manifest == Some(&*manifest) && message["target"]["name"] == name
        };
        let binary = built
            .iter()
            .find(is_it)
            .and_then(|message| message["executable"].as_str());
        let binary = binary.ok_or_else(|| format!("{package} has no test `{name}`"))?;
        Ok(Suite {
            binary: PathBuf::from(binary),
            dir,
            filters,
        })
    };
    SUITES.iter().map(find).collect()
}

/// What became of all cases.
#[derive(Default)]
struct Account {
    /// By kind: cases, and how many of them a row explains.
    kinds: BTreeMap<String, (u64, BTreeMap<String, u64>)>,
}

impl Account {
    fn add(&mut self, told: &str) {
        let told: Value = serde_json::from_str(told).unwrap_or_default();
        let kind = told["kind"].as_str().unwrap_or_default();
        let (n_cases, rows) = self.kinds.entry(kind.to_owned()).or_default();
        *n_cases += told["cases"].as_u64().unwrap_or_default();
        for (row, n) in told["explained"].as_object().into_iter().flatten() {
            *rows.entry(row.clone()).or_default() += n.as_u64().unwrap_or_default();
        }
    }

    fn print(&self, n_rounds: u32) {
        let mut by_row = BTreeMap::<&str, u64>::new();
        for (kind, (n_cases, rows)) in &self.kinds {
            let n_explained: u64 = rows.values().sum();
            println!(
                "differ: {kind}: {n_cases} cases, {n_explained} differences by {} rows",
                rows.len()
            );
            for (row, n) in rows {
                *by_row.entry(row).or_default() += n;
            }
        }
        for (row, n) in &by_row {
            println!("differ: `{row}` explains {n}");
        }
        let n_cases: u64 = self.kinds.values().map(|(n_cases, _)| n_cases).sum();
        let page = Page::published();
        let n_compared = page
            .rows
            .iter()
            .filter(|row| !row.compared.is_empty())
            .count();
        println!(
            "differ: {n_cases} cases in {n_rounds} rounds; {} intended differences in the table, {n_compared} of them \
             compared, {} seen in these cases; 0 unexplained",
            page.rows.len(),
            by_row.len()
        );
    }
}

/// A seed that nobody chose.
fn fresh() -> u32 {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    (now.subsec_nanos() ^ u32::try_from(now.as_secs() % u64::from(SEEDS)).unwrap_or_default())
        % SEEDS
}
