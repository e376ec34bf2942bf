//! What is shipped: one archive with a binary that needs nothing else, and its checksum.
//!
//! The archive has the shape of a prefix, so that unpacking it into `/usr/local` or `~/.local` installs it. The same
//! commit gives the same bytes: no time, no user and no path of this machine gets in.

mod elf;
mod notices;
mod trial;

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::shell::{Done, output, read, root, run, run_with, target, write};
use crate::tidy;

/// What is to be packed.
#[derive(Args)]
pub(crate) struct Options {
    /// Build with the release profile: much quicker, somewhat larger.
    #[arg(long)]
    quick: bool,
    /// Pack this binary, whatever it needs; else one is built.
    #[arg(long, value_name = "FILE", conflicts_with = "quick")]
    binary: Option<PathBuf>,
}

impl Options {
    /// Pack what is there already.
    pub(crate) fn of(binary: PathBuf) -> Self {
        Self {
            quick: false,
            binary: Some(binary),
        }
    }
}

/// Where a shell looks for completions below a prefix.
const COMPLETIONS: [(&str, &str); 5] = [
    ("bash", "share/bash-completion/completions/analects"),
    ("zsh", "share/zsh/site-functions/_analects"),
    ("fish", "share/fish/vendor_completions.d/analects.fish"),
    ("elvish", "share/elvish/lib/analects.elv"),
    ("powershell", "share/powershell/Completions/analects.ps1"),
];

/// Static, each function once, and relocations that take a hundredth of the room.
const LINKED: [&str; 3] = [
    "-Ctarget-feature=+crt-static",
    "-Clink-arg=-Wl,--icf=all",
    "-Clink-arg=-Wl,-z,pack-relative-relocs",
];

/// What goes with the binary as it is.
const DOCUMENTS: [&str; 3] = ["LICENSE", "README.md", "CHANGELOG.md"];

/// Builds, packs, and tries out what came of it.
pub(crate) fn dist(options: &Options) -> Done {
    let tuple = output("rustc", &["--print", "host-tuple"])?;
    let tuple = tuple.trim();
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => build(tuple, if options.quick { "release" } else { "dist" })?,
    };
    tidy::check_size(&binary)?;
    let name = format!("analects-{}-{tuple}", env!("CARGO_PKG_VERSION"));
    let dir = target().join("packages");
    remove(&dir)?;
    let n_pages = fill(&dir.join(&name), &binary)?;
    pack(&dir, &name)?;
    trial::trial(&dir, &name, &COMPLETIONS)?;
    let sums = read(&dir.join("SHA256SUMS"))?;
    let shown = dir.strip_prefix(root()).unwrap_or(&dir).display();
    println!(
        "{n_pages} manual pages, {} shells; in {shown}:",
        COMPLETIONS.len()
    );
    print!("{sums}");
    Ok(())
}

/// Installs from the source as a stranger would, from what is built already.
pub(crate) fn install() -> Done {
    let prefix = target().join("installed");
    remove(&prefix)?;
    let [prefix, target] = [&prefix, &target()].map(|path| path.display().to_string());
    let words = ["install", "--locked", "--path", "crates/analects-cli"];
    let places = ["--root", &prefix, "--target-dir", &target];
    run("cargo", &[&words[..], &places].concat())?;
    let version = output(&format!("{prefix}/bin/analects"), &["--version"])?;
    match version.trim_end() == concat!("analects ", env!("CARGO_PKG_VERSION")) {
        true => remove(Path::new(&prefix)),
        false => Err(format!("what was installed calls itself {version}")),
    }
}

/// Builds a static binary that tells nothing of this machine.
fn build(tuple: &str, profile: &str) -> Result<PathBuf, String> {
    let home = cargo_home()?;
    let target = target();
    let sysroot = output("rustc", &["--print", "sysroot"])?;
    // Of two prefixes that fit, the later one counts.
    let told: [(&Path, &str); 4] = [
        (&root(), "/analects"),
        (&target, "/target"),
        (&home, "/cargo"),
        (Path::new(sysroot.trim()), "/rust"),
    ];
    let mut flags = LINKED.map(str::to_owned).to_vec();
    let mut c_flags = Vec::new();
    for (path, instead) in told {
        let path = path.to_str().ok_or("a directory is not UTF-8")?;
        flags.push(format!("--remap-path-prefix={path}={instead}"));
        c_flags.push(format!("-ffile-prefix-map={path}={instead}"));
    }
    let words = ["build", "--locked", "--package", "analects-cli"];
    run_with(
        "cargo",
        &[&words[..], &["--profile", profile, "--target", tuple]].concat(),
        &[
            // Separated by a character that no path has.
            ("CARGO_ENCODED_RUSTFLAGS", &flags.join("\u{1f}")),
            ("CFLAGS", &c_flags.join(" ")),
            ("SOURCE_DATE_EPOCH", &epoch()?),
        ],
    )?;
    let binary = target.join(tuple).join(profile).join("analects");
    let program = std::fs::read(&binary).map_err(|error| error.to_string())?;
    let wants = elf::wants(&program)?;
    if !wants.is_empty() {
        return Err(format!("the binary still wants {}", wants.join(" and ")));
    }
    for (path, _) in told {
        let path = path.as_os_str().as_encoded_bytes();
        if program.windows(path.len()).any(|part| part == path) {
            let path = String::from_utf8_lossy(path);
            return Err(format!("the binary tells of {path}"));
        }
    }
    Ok(binary)
}

fn cargo_home() -> Result<PathBuf, String> {
    let set = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let default = || Some(std::env::home_dir()?.join(".cargo"));
    set.or_else(default).ok_or("no home directory".to_owned())
}

/// When this was last changed: the only time that gets in.
fn epoch() -> Result<String, String> {
    if let Ok(told) = std::env::var("SOURCE_DATE_EPOCH") {
        return Ok(told);
    }
    Ok(output("git", &["log", "-1", "--format=%ct"])?
        .trim()
        .to_owned())
}

/// Puts everything into place below a prefix; says how many manual pages there are.
fn fill(prefix: &Path, binary: &Path) -> Result<usize, String> {
    let program = prefix.join("bin/analects");
    copy(binary, &program)?;
    let program = program
        .to_str()
        .ok_or("the target directory is not UTF-8")?;
    for (shell, place) in COMPLETIONS {
        write(
            &prefix.join(place),
            &output(program, &["completions", shell])?,
        )?;
    }
    let commands = output(program, &["man", "--list"])?;
    for command in commands.lines() {
        let words: Vec<_> = command.split(' ').skip(1).collect();
        let page = output(program, &[&["man"], &words[..]].concat())?;
        let name = command.replace(' ', "-");
        write(&prefix.join(format!("share/man/man1/{name}.1")), &page)?;
    }
    let documents = prefix.join("share/doc/analects");
    for name in DOCUMENTS {
        write(&documents.join(name), &read(&root().join(name))?)?;
    }
    write(&documents.join("THIRD-PARTY.md"), &notices::notices()?)?;
    Ok(commands.lines().count())
}

/// Makes an archive of a directory, and its checksum beside it.
fn pack(dir: &Path, name: &str) -> Done {
    let archive = format!("{name}.tar.gz");
    let time = format!("--mtime=@{}", epoch()?);
    let mut words = vec!["--create", "--format=ustar", "--sort=name", &time];
    words.extend(["--owner=0", "--group=0", "--numeric-owner"]);
    // What this machine's umask says is nobody's business.
    words.push("--mode=u=rwX,go=rX");
    words.extend(["--use-compress-program=gzip -9n", "--file", &archive, name]);
    at(dir, "tar", &words)?;
    let sum = at(dir, "sha256sum", &[&archive])?;
    write(&dir.join("SHA256SUMS"), &sum)
}

/// Runs a program in a directory; what it prints.
fn at(dir: &Path, program: &str, args: &[&str]) -> Result<String, String> {
    let output = Command::new(program).args(args).current_dir(dir).output();
    let output = output.map_err(|error| format!("cannot run {program}: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => {
            let said = String::from_utf8_lossy(&output.stderr);
            Err(format!("{program} {} failed: {said}", args.join(" ")))
        }
    }
}

fn copy(from: &Path, to: &Path) -> Done {
    let parent = to.parent().ok_or("a file without a directory")?;
    std::fs::create_dir_all(parent)
        .and_then(|()| std::fs::copy(from, to))
        .map(drop)
        .map_err(|error| format!("cannot copy {}: {error}", from.display()))
}

fn remove(dir: &Path) -> Done {
    match std::fs::remove_dir_all(dir) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("cannot remove {}: {error}", dir.display()))
        }
        _ => Ok(()),
    }
}
