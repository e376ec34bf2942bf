//! Whether the crates of others that we build on are what `deny.toml` lets them be.
//!
//! Licences, bans and sources are read from the lockfile and from the crates themselves, all of them: cargo-deny looks at
//! those of other systems too, which no build here has fetched. Known holes need a database, which is never fetched: where
//! none is at hand, that is said.

use std::path::{Path, PathBuf};

use crate::shell::{Done, must_install, output, read, root, run, target, write};

/// The newest that builds with our toolchain; it wants Rust 1.88.
const VERSION: &str = "0.20.2";

/// Where databases of advisories are, if not where `cargo-deny` itself keeps them.
const DATABASES: &str = "ADVISORY_DBS";

/// Checks licences, bans and sources, and advisories where a database is at hand.
pub(crate) fn deny() -> Done {
    let program = match fetched().and_then(|()| program()) {
        Ok(program) => program,
        Err(why) if must_install() => return Err(why),
        Err(why) => {
            println!("deny: skipped ({why})");
            return Ok(());
        }
    };
    let checks = ["licenses", "bans", "sources"];
    run(&program, &[&OPTIONS[..], &["check"], &checks].concat())?;
    let Some(databases) = databases() else {
        println!(
            "deny: advisories skipped (no database at hand; `{DATABASES}` names a directory of them)"
        );
        return Ok(());
    };
    let config = with_databases(&databases)?;
    let config = config.to_str().ok_or("the target directory is not UTF-8")?;
    let options = [&OPTIONS[..], &["--config", config]].concat();
    run(&program, &[&options[..], &["check", "advisories"]].concat())
}

/// Sees to it that every crate of the lockfile is here, whatever system it is for.
fn fetched() -> Done {
    run("cargo", &["fetch", "--quiet", "--locked"])
}

/// Nothing more is fetched, and nothing is chosen anew.
const OPTIONS: [&str; 3] = ["--offline", "--locked", "--workspace"];

/// The program: the machine's own, or one of ours below `target/`, built once. Without optimisation that takes about a
/// minute of one core, and a check a second more.
fn program() -> Result<String, String> {
    let tools = target().join("tools");
    let ours = tools.join("bin/cargo-deny");
    let ours = ours.to_str().ok_or("the target directory is not UTF-8")?;
    for program in ["cargo-deny", ours] {
        if output(program, &["--version"]).is_ok() {
            return Ok(program.to_owned());
        }
    }
    let build = tools.join("build");
    let place = [tools.to_str(), build.to_str()].map(Option::unwrap_or_default);
    let package = format!("cargo-deny@{VERSION}");
    let to = ["--root", place[0], "--target-dir", place[1]];
    let how = ["install", "--locked", "--debug", "--quiet"];
    run("cargo", &[&how[..], &to, &[&package]].concat())?;
    // Only the program is of use.
    let _ = std::fs::remove_dir_all(&build);
    Ok(ours.to_owned())
}

/// A directory with at least one database in it.
fn databases() -> Option<PathBuf> {
    let named = std::env::var_os(DATABASES).map(PathBuf::from);
    let home = std::env::var_os("HOME").map(|home| Path::new(&home).join(".cargo"));
    let cargo = std::env::var_os("CARGO_HOME").map(PathBuf::from).or(home);
    let places = named
        .into_iter()
        .chain(cargo.map(|it| it.join("advisory-dbs")));
    places.into_iter().find(|place| holds_database(place))
}

fn holds_database(place: &Path) -> bool {
    let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path().join("crates"))
        .any(|crates| crates.is_dir())
}

/// Our rules, with the place of the databases added to their last table.
fn with_databases(databases: &Path) -> Result<PathBuf, String> {
    let rules = read(&root().join("deny.toml"))?;
    let (_, last) = rules.rsplit_once("\n[").unwrap_or_default();
    if !last.starts_with("advisories]") {
        return Err("`advisories` is no longer the last table of deny.toml".to_owned());
    }
    let databases = databases.to_string_lossy();
    let config = target().join("tools/deny.toml");
    write(&config, &format!("{rules}db-path = {databases:?}\n"))?;
    Ok(config)
}
