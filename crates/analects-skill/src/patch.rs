//! Patches that wait: unified diffs in the form that Gemini CLI takes, read strictly and tried before anybody sees them.
//!
//! A header is an absolute path, the same on both sides, or `/dev/null` before a file that is new. A hunk may have
//! moved, but every line around it must be there. Several parts may change one file, one after the other.

mod target;

use analects_text::decode::without_mark;
use analects_text::hidden;
use analects_text::patch::{self, FilePatch};
use analects_world::AbsPath;
use analects_world::files::{Files, Kind, Trouble, Want, Within};

use crate::Refused;
use crate::resolve::kind_at;

pub use target::{Allowed, Spot};

/// A patch is at most this long.
pub const MAX_PATCH_BYTES: usize = 1024 * 1024;
/// A file that is patched is at most this long.
pub(crate) const MAX_TARGET_BYTES: usize = 8 * 1024 * 1024;
/// A patch has at most this many parts.
const MAX_PARTS: usize = 100;

/// What a header says where there is no file.
const NOTHING: &str = "/dev/null";

/// A patch that makes sense; whether it may be applied, and fits, is another question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch<'a> {
    /// What it changes, one after the other.
    pub parts: Vec<Part<'a>>,
}

/// What a patch does to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part<'a> {
    /// The file, as the patch calls it.
    pub target: AbsPath,
    /// Whether it begins that file.
    pub is_new: bool,
    file: FilePatch<'a>,
}

/// What a patch makes of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The file, and how far to trust the way there.
    pub spot: Spot,
    /// What it holds; `None` if it is new.
    pub old: Option<String>,
    /// What it would hold.
    pub new: String,
}

/// Reads a patch.
pub fn read(text: &str) -> Result<Patch<'_>, Refused> {
    let bad = |why: String| Refused::BadPatch(why);
    if text.len() > MAX_PATCH_BYTES {
        return Err(bad(format!("it has more than {MAX_PATCH_BYTES} bytes")));
    }
    let files = patch::files(text).map_err(|malformed| bad(malformed.to_string()))?;
    let n_bytes = files.iter().map(|file| file.text.len()).sum::<usize>();
    let rest = text.get(n_bytes..).unwrap_or_default();
    if files.is_empty() || !rest.trim().is_empty() {
        return Err(bad(
            "there is something in it that is no unified diff".to_owned()
        ));
    }
    if files.len() > MAX_PARTS {
        return Err(bad(format!("it has more than {MAX_PARTS} parts")));
    }
    let parts = files.into_iter().map(part).collect::<Result<_, _>>()?;
    Ok(Patch { parts })
}

/// A name as Gemini CLI takes it: one `a/` or `b/` before it does not count.
#[must_use]
pub fn bare_name(name: &str) -> &str {
    let bare = name.strip_prefix("a/").or_else(|| name.strip_prefix("b/"));
    bare.unwrap_or(name)
}

fn part(file: FilePatch<'_>) -> Result<Part<'_>, Refused> {
    if !file.preamble().lines().all(is_harmless) {
        let why = "there is something in it that is no unified diff";
        return Err(Refused::BadPatch(why.to_owned()));
    }
    let (old, new) = (bare_name(file.old_name), bare_name(file.new_name));
    if new == NOTHING {
        let why = format!(
            "it would remove `{}`; what waits here only adds and changes",
            clean(old)
        );
        return Err(Refused::BadPatch(why));
    }
    let target = plain(new)?;
    let is_new = old == NOTHING;
    if !is_new && plain(old)? != target {
        let why = format!("it calls one file `{}` and `{}`", clean(old), clean(new));
        return Err(Refused::BadPatch(why));
    }
    Ok(Part {
        target,
        is_new,
        file,
    })
}

/// What tools write above a header.
fn is_harmless(line: &str) -> bool {
    let line = line.trim();
    line.is_empty()
        || ["diff ", "index ", "Index: ", "===", "new file mode "]
            .iter()
            .any(|start| line.starts_with(start))
}

/// The path that a header names, if it says it straight out.
fn plain(name: &str) -> Result<AbsPath, Refused> {
    let refused = || Refused::BadName(clean(name));
    let path = AbsPath::new(name).map_err(|_| refused())?;
    let is_plain =
        path.as_str() == name && !name.contains(['\\', '"']) && !name.chars().any(char::is_control);
    is_plain.then_some(path).ok_or_else(refused)
}

fn clean(name: &str) -> String {
    analects_text::frontmatter::shown(name)
}

impl Patch<'_> {
    /// The files that it changes, each once, as it calls them.
    #[must_use]
    pub fn targets(&self) -> Vec<AbsPath> {
        let mut targets: Vec<AbsPath> = Vec::new();
        for part in &self.parts {
            if !targets.contains(&part.target) {
                targets.push(part.target.clone());
            }
        }
        targets
    }

    /// How many lines it adds, and how many it takes away.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        let counts = self.parts.iter().map(|part| part.file.counts());
        counts.fold((0, 0), |sum, (new, old)| (sum.0 + new, sum.1 + old))
    }

    /// What would become of the files, all of them; nothing is written.
    pub fn dry_run(&self, files: &dyn Files, allowed: &Allowed) -> Result<Vec<Edit>, Refused> {
        let mut edits: Vec<Edit> = Vec::new();
        for part in &self.parts {
            let spot = allowed.locate(files, &part.target)?;
            let known = edits.iter().position(|edit| edit.spot.path == spot.path);
            let Some(at) = known else {
                let old = content(files, part, &spot)?;
                let new = part.apply(old.as_deref().unwrap_or_default())?;
                edits.push(Edit { spot, old, new });
                continue;
            };
            let Some(edit) = edits.get_mut(at) else {
                continue;
            };
            if part.is_new {
                return Err(Refused::Exists(spot.path));
            }
            edit.new = part.apply(&edit.new)?;
        }
        // Whoever looks at a patch before they agree must see all of it.
        let n_hidden = |text: &str| hidden::find(text.trim_start_matches('\u{FEFF}')).len();
        let adds = |edit: &&Edit| n_hidden(&edit.new) > edit.old.as_deref().map_or(0, n_hidden);
        match edits.iter().find(adds) {
            None => Ok(edits),
            Some(edit) => Err(Refused::BadPatch(format!(
                "it would put hidden characters into `{}`",
                edit.spot.path
            ))),
        }
    }
}

/// What the file of a part holds, if that is what the part says of it.
fn content(files: &dyn Files, part: &Part<'_>, spot: &Spot) -> Result<Option<String>, Refused> {
    let path = &spot.path;
    match (part.is_new, kind_at(files, path)) {
        (true, None) => return Ok(None),
        (true, Some(_)) => return Err(Refused::Exists(path.clone())),
        (false, None) => return Err(Refused::Missing(path.clone())),
        (false, Some(Kind::Link)) if spot.within.is_some() => {
            let why = "a link stands there";
            let path = path.clone();
            return Err(Refused::Outside { path, why });
        }
        (false, Some(_)) => {}
    }
    let unreadable = |why: String| Refused::Unreadable {
        path: path.clone(),
        why,
    };
    let want = Want {
        path,
        within: match &spot.within {
            Some(root) => Within::Root(root),
            None => Within::Anywhere,
        },
        limit_bytes: MAX_TARGET_BYTES,
    };
    let blob = files.read_one(want).map_err(|trouble| match trouble {
        Trouble::Missing => Refused::Missing(path.clone()),
        other => unreadable(other.to_string()),
    })?;
    if blob.is_cut() {
        return Err(unreadable(format!(
            "it has more than {MAX_TARGET_BYTES} bytes"
        )));
    }
    let text = String::from_utf8(blob.bytes);
    text.map(Some)
        .map_err(|_| unreadable("it is not UTF-8".to_owned()))
}

impl Part<'_> {
    fn apply(&self, old: &str) -> Result<String, Refused> {
        let exact = self.file.apply(old);
        let new = exact.or_else(|| self.apply_across_line_ends(old));
        new.ok_or_else(|| Refused::Stale(self.target.clone()))
    }

    /// Models write one kind of line end, whatever the file has. Its own stay, and so does its byte-order mark.
    fn apply_across_line_ends(&self, old: &str) -> Option<String> {
        let bare = without_mark(old);
        let (n_pairs, n_ends) = (bare.matches("\r\n").count(), bare.matches('\n').count());
        let patch = self.file.text.replace("\r\n", "\n");
        let file = patch::files(&patch).ok()?.pop()?;
        let mut new = match n_pairs {
            0 => file.apply(bare)?,
            _ if n_pairs == n_ends => file
                .apply(&bare.replace("\r\n", "\n"))?
                .replace('\n', "\r\n"),
            // Mixed ends: nobody can say which ones are meant.
            _ => return None,
        };
        if bare.len() < old.len() {
            new.insert(0, '\u{FEFF}');
        }
        Some(new)
    }
}

#[cfg(test)]
mod tests;
