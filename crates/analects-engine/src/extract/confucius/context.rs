//! What the agent is told to begin with: which skills there are, by where they live, and what waits already.

use std::fmt::Write as _;

use analects_memory::discover::Trust;
use analects_skill::inbox::{Kind, Layer, waiting};
use analects_skill::skill;
use analects_text::{hidden, redact, sanitize, truncate};
use analects_world::AbsPath;
use analects_world::files::{Pick, Subdirs, Want, Within};

use crate::extensions;
use crate::extract::Job;
use crate::settings::keys;

/// So many skills of a place are named.
const MAX_SKILLS: usize = 100;
/// A skill is read so far to learn what it is called.
const LIMIT_BYTES: usize = 64 * 1024;
/// So much is said of each.
const MAX_DESCRIPTION: usize = 300;
/// So much is shown of a patch.
const MAX_PATCH_BYTES: usize = 16 * 1024;

/// The skills that there are, grouped by where they live.
pub(super) fn existing(job: &Job<'_>) -> String {
    let (world, prepared) = (&job.world, job.prepared);
    let (home, root) = (&world.around.home, &prepared.root);
    let own = world.around.global_dir().join("skills");
    let mut places = vec![
        (
            "Previously extracted, waiting in the inbox",
            job.memory.join("skills"),
        ),
        ("Global skills", own),
        ("Global skills", home.join(".agents/skills")),
    ];
    let disabled = prepared.settings.list(&keys::EXTENSIONS_DISABLED);
    let extensions = extensions::roots(world, disabled).into_iter();
    places.extend(extensions.map(|root| ("Skills of extensions", root.join("skills"))));
    if prepared.decision.trust == Trust::Trusted {
        places.push(("Workspace skills", root.join(".gemini/skills")));
        places.push(("Workspace skills", root.join(".agents/skills")));
    }
    let mut told = String::new();
    for (title, dir) in places {
        let skills = named(job, &dir);
        if skills.is_empty() {
            continue;
        }
        let gap = if told.is_empty() { "" } else { "\n" };
        let _ = write!(told, "{gap}## {title} (`{dir}`)\n\n{skills}");
    }
    told
}

/// The skills of a directory, a line each.
fn named(job: &Job<'_>, dir: &AbsPath) -> String {
    let files = job.world.files;
    let pick = Pick {
        subdirs: Subdirs::Report,
        ..Pick::names(Vec::new())
    };
    let Ok(listing) = files.list_one(dir, &pick) else {
        return String::new();
    };
    let mut names = listing.subdirs;
    names.retain(|name| !name.starts_with('.'));
    names.sort();
    let mut told = String::new();
    for name in names.iter().take(MAX_SKILLS) {
        let manifest = dir.join(name).join(skill::FILE);
        let want = Want {
            path: &manifest,
            within: Within::Anywhere,
            limit_bytes: LIMIT_BYTES,
        };
        let Ok(blob) = files.read_one(want) else {
            continue;
        };
        let draft = skill::read(&String::from_utf8_lossy(&blob.bytes), name);
        let called = if draft.name.is_empty() {
            name
        } else {
            &draft.name
        };
        let _ = writeln!(told, "- **{}**: {}", line(called), line(&draft.description));
    }
    if names.len() > MAX_SKILLS {
        let _ = writeln!(told, "- and {} more", names.len() - MAX_SKILLS);
    }
    told
}

/// The patches of memory that wait, each in a fence that it cannot end.
pub(super) fn pending(job: &Job<'_>) -> String {
    let files = job.world.files;
    let all = waiting(files, &job.memory);
    let mut told = String::new();
    for (layer, name) in [(Layer::Private, "private"), (Layer::Global, "global")] {
        let its: Vec<_> = all
            .iter()
            .filter(|waiting| waiting.kind == Kind::MemoryUpdate(layer))
            .collect();
        if its.is_empty() {
            continue;
        }
        let gap = if told.is_empty() { "" } else { "\n" };
        let _ = write!(told, "{gap}## {name} ({} waiting)\n", its.len());
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
