//! Disks that really are full: a small one of our own, filled to the brim, and a limit on how long files may get.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::judge::{Stage, Story, stage};
use crate::place::{Place, Ran, binary, run};
use crate::tally::{Dice, Extent, Row, Tally};
use crate::writers::{WRITERS, Writer};

const MEANS: &str = "it says so, all old or all new; with room again, the next command works";

pub(crate) fn rows() -> Vec<Row> {
    let disk = Row {
        fault: "disk full",
        running: "all, on a small tmpfs".to_owned(),
        means: MEANS,
        is_traced: false,
        attempt: Box::new(in_namespace),
    };
    let limit = WRITERS.iter().take(5).map(|writer| Row {
        fault: "file too large",
        running: writer.name.to_owned(),
        means: MEANS,
        is_traced: false,
        attempt: Box::new(|tally, extent| limited(writer, tally, extent)),
    });
    std::iter::once(disk).chain(limit).collect()
}

/// How the suite calls itself where it has a disk of its own.
pub(crate) const INSIDE: &str = "--on-a-small-disk";

/// Calls itself in a namespace in which it may mount what nobody else sees.
fn in_namespace(tally: &mut Tally, extent: Extent) {
    let dir = tempfile::tempdir().unwrap();
    let me = std::env::current_exe().unwrap();
    let (rounds, seed) = (extent.rounds.to_string(), extent.seed.to_string());
    let inside = |options: &[&str]| {
        let mut command = Command::new("unshare");
        command.args(options).arg(&me).arg(INSIDE).arg(dir.path());
        command.args(["--rounds", &rounds, "--seed", &seed]);
        command.arg("--binary").arg(binary());
        command.stdin(Stdio::null());
        command.output()
    };
    // Root may at once; others, where the system lets them be root among themselves.
    let mut output = inside(&["--mount"]);
    if !output.as_ref().is_ok_and(|it| is_answer(&it.stdout)) {
        output = inside(&["--mount", "--map-root-user"]);
    }
    let Some(output) = output.ok().filter(|output| is_answer(&output.stdout)) else {
        tally.skipped = Some("no disk may be mounted here".to_owned());
        return;
    };
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let outcome = match line.strip_prefix("lost: ") {
            Some(why) => Err(why.to_owned()),
            None if line == "survived" => Ok(()),
            None => continue,
        };
        tally.count(outcome, || "tmpfs".to_owned());
    }
}

fn is_answer(out: &[u8]) -> bool {
    out.starts_with(b"mounted\n")
}

/// What is done inside; the lines it answers are counted outside.
pub(crate) fn inside(dir: &Path, extent: Extent) -> Vec<String> {
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=8m", "analects-faults"])
        .arg(dir)
        .stderr(Stdio::null())
        .status();
    if !mounted.is_ok_and(|status| status.success()) {
        return vec!["nothing could be mounted".to_owned()];
    }
    let mut lines = vec!["mounted".to_owned()];
    for writer in &WRITERS {
        let mut tally = Tally::default();
        filled(dir, writer, &mut tally, extent);
        lines.extend(
            tally
                .lost
                .iter()
                .map(|why| format!("lost: {}", why.replace('\n', " "))),
        );
        lines.extend(vec!["survived".to_owned(); tally.survived]);
    }
    lines
}

/// Pages are what such a disk gives out.
const PAGE: u64 = 4096;

fn filled(dir: &Path, writer: &Writer, tally: &mut Tally, extent: Extent) {
    let place = Place::within(dir);
    let mut story = Story::learn(&place, writer);
    story.before.retain(|name, _| name != "filler");
    let mut dice = Dice::new(extent.seed, writer.name);
    for n_pages in dice.some(40, 2 * extent.rounds) {
        place.restore(&story.before);
        let free = rustix::fs::statvfs(dir).unwrap();
        let left = u64::try_from(n_pages).unwrap() * PAGE;
        let n_bytes = (free.f_bavail * free.f_frsize).saturating_sub(left);
        let filler = dir.join("filler");
        fs::write(&filler, vec![0; usize::try_from(n_bytes).unwrap()]).unwrap();
        let ran = writer.run(&place);
        fs::remove_file(&filler).unwrap();
        let judged = story.judge(&place, writer, &ran);
        tally.count(judged, || {
            format!("{}, {n_pages} pages left, {}", writer.name, ran.err)
        });
    }
    for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
        match entry.file_type().unwrap().is_dir() {
            true => fs::remove_dir_all(entry.path()).unwrap(),
            false => fs::remove_file(entry.path()).unwrap(),
        }
    }
}

/// No file may grow beyond this many blocks of 512 bytes; who tries is killed, or told.
fn limited(writer: &Writer, tally: &mut Tally, extent: Extent) {
    let stage = stage(writer);
    let Stage { place, story } = &*stage;
    let mut dice = Dice::new(extent.seed, writer.name);
    for at in dice.some(16, 3 * extent.rounds) {
        let (blocks, is_told) = (at / 2, at % 2 == 0);
        place.restore(&story.before);
        let ran = with_limit(place, writer, blocks, is_told);
        let judged = story.judge(place, writer, &ran);
        tally.count(judged, || {
            format!("{blocks} blocks, told: {is_told}, {}", ran.err)
        });
    }
}

fn with_limit(place: &Place, writer: &Writer, blocks: usize, is_told: bool) -> Ran {
    let inner = writer.command(place);
    let ignore = if is_told { "trap '' XFSZ; " } else { "" };
    let script = format!(r#"{ignore}ulimit -f {blocks}; exec "$0" "$@""#);
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", &script]).arg(inner.get_program());
    shell.args(inner.get_args()).arg0("sh");
    place.prepare(&mut shell);
    run(shell)
}
