//! What the agent is told at the start: which skills exist, by place, and what already waits.

use std::fmt::Write as _;

use analects_skill::catalog::Tier;
use analects_skill::inbox::{Kind, Layer, waiting};
use analects_skill::skill;
use analects_text::{hidden, redact, sanitize, truncate};
use analects_world::AbsPath;
use analects_world::files::{Want, Within};

use crate::extract::Job;
use crate::skills;

/// How many skills of a place are named.
const MAX_SKILLS: usize = 100;
/// A skill is read so far to learn what it is called.
const LIMIT_BYTES: usize = 64 * 1024;
/// How much is said of each.
const MAX_DESCRIPTION: usize = 300;
/// How much is shown of a patch.
const MAX_PATCH_BYTES: usize = 16 * 1024;

/// The skills that there are, grouped by where they live.
pub(super) fn existing(job: &Job<'_>) -> String {
    let waits = waiting(job.world.files, &job.memory);
    let waits = waits
        .iter()
        .filter(|waiting| waiting.kind == Kind::Skill && !waiting.is_quarantined);
    let waits = waits.map(|waiting| {
        let name = waiting.path.file_name();
        let text = manifest(job, &waiting.path).unwrap_or_default();
        told(name, &skill::read(&text, name).description, None)
    });
    let mut groups = vec![(
        "Previously extracted, waiting in the inbox",
        waits.collect(),
    )];
    let found = skills::find(&job.world, job.prepared).catalog;
    for (title, tiers) in [
        ("Built-in skills", &[Tier::Bundled][..]),
        ("Skills of extensions", &[Tier::Extension]),
        ("Global skills", &[Tier::User, Tier::UserAgents]),
        ("Workspace skills", &[Tier::Project, Tier::ProjectAgents]),
    ] {
        let its = found.skills.iter().filter(|it| tiers.contains(&it.tier));
        let its = its.map(|it| told(&it.name, &it.description, it.path()));
        let its: Vec<_> = its.collect();
        groups.push((title, its));
    }
    groups.retain(|(_, lines)| !lines.is_empty());
    let groups = groups.iter().map(|(title, lines)| {
        let n_more = lines.len().saturating_sub(MAX_SKILLS);
        let more = match n_more {
            0 => String::new(),
            n => format!("- and {n} more\n"),
        };
        let lines: String = lines.iter().take(MAX_SKILLS).map(String::as_str).collect();
        format!("## {title}\n\n{lines}{more}")
    });
    groups.collect::<Vec<_>>().join("\n")
}

fn told(name: &str, description: &str, path: Option<&AbsPath>) -> String {
    let path = path.map(|path| format!(" (`{}`)", line(path.as_str())));
    let (name, description) = (line(name), line(description));
    format!("- **{name}**: {description}{}\n", path.unwrap_or_default())
}

/// The `SKILL.md` of a skill that waits. One behind a link is none.
fn manifest(job: &Job<'_>, folder: &AbsPath) -> Option<String> {
    let shelf = job.world.files.real_or_same(&folder.parent()?);
    let want = Want {
        path: &shelf.join(folder.file_name()).join(skill::FILE),
        within: Within::Itself,
        limit_bytes: LIMIT_BYTES,
    };
    let blob = job.world.files.read_one(want).ok()?;
    Some(String::from_utf8_lossy(&blob.bytes).into_owned())
}

/// The patches of memory that wait, each in a fence that it cannot end.
pub(super) fn pending(job: &Job<'_>) -> String {
    let files = job.world.files;
    let all = waiting(files, &job.memory);
    let mut told = String::new();
    for (layer, name) in [(Layer::Private, "private"), (Layer::Global, "global")] {
        let its: Vec<_> = all
            .iter()
            .filter(|waiting| waiting.kind == Kind::MemoryUpdate(layer) && !waiting.is_quarantined)
            .collect();
        if its.is_empty() {
            continue;
        }
        let gap = if told.is_empty() { "" } else { "\n" };
        let _ = writeln!(told, "{gap}## {name} ({} waiting)", its.len());
        for waiting in its {
            let want = Want {
                path: &waiting.path,
                within: Within::Root(&job.memory),
                limit_bytes: MAX_PATCH_BYTES,
            };
            let Ok(blob) = files.read_one(want) else {
                continue;
            };
            let text = String::from_utf8_lossy(&blob.bytes);
            let _ = write!(
                told,
                "\n`{}`:\n\n{}",
                line(waiting.path.as_str()),
                fenced(&text)
            );
        }
    }
    told
}

/// A text between fences that are longer than any run of backticks in it.
pub(super) fn fenced(text: &str) -> String {
    let text = harmless(truncate::head_bytes(text, MAX_PATCH_BYTES));
    let runs = text.split(|c| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0).max(2) + 1);
    format!("{fence}\n{}\n{fence}\n", text.trim_end_matches('\n'))
}

/// A text without secrets, and without what nobody sees.
pub(super) fn harmless(text: &str) -> String {
    let text = hidden::without(text);
    redact::mask(&text, &redact::scan(&text))
}

fn line(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    let text = harmless(&words.join(" "));
    sanitize::one_line(&text)
        .chars()
        .take(MAX_DESCRIPTION)
        .collect()
}
