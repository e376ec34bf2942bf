//! A system prompt of the user's own: `GEMINI_SYSTEM_MD`, and where `GEMINI_WRITE_SYSTEM_MD` points.

use analects_memory::codes;
use analects_memory::discover::Trust;
use analects_text::decode::{Cut, Repair, decode};
use analects_text::problem::Problem;
use analects_world::files::{Files, Trouble, Want, Within};
use analects_world::{AbsPath, Surroundings};

use super::own::is_no;
use crate::World;
use crate::load_memory::Prepared;
use crate::settings::keys;
use crate::verbs::Failure;

/// The file that `variable` names: `0` and `false` none, `1` and `true` `.gemini/system.md`.
pub(super) fn named_by(around: &Surroundings, variable: &str) -> Option<AbsPath> {
    let said = around.var(variable)?.trim();
    if said.is_empty() || is_no(said) {
        None
    } else if said == "1" || said.eq_ignore_ascii_case("true") {
        Some(around.cwd.join(".gemini/system.md"))
    } else {
        Some(around.resolve(said))
    }
}

/// Reads a system prompt. Half a system prompt could lack the half that forbids: it is read whole or not
/// at all.
pub(super) fn read(
    world: &World<'_>,
    prepared: &Prepared,
    path: &AbsPath,
    problems: &mut Vec<Problem>,
) -> Result<String, Failure> {
    let is_projects = is_projects(world, prepared, path);
    let is_denied = prepared.places.denied.behind(world.files, path).is_some();
    if is_projects && (is_denied || prepared.decision.trust == Trust::Untrusted) {
        let message = format!("system prompt file '{path}' lies in a folder that is not trusted");
        return Err(Failure::failed(message)
            .hint("`--trust` reads it for this run")
            .hint("`GEMINI_SYSTEM_MD=0` does without it"));
    }
    let limit_bytes = prepared.settings.count(&keys::MAX_FILE_BYTES);
    let owned = prepared.owned_files(world);
    let files: &dyn Files = &owned;
    let blob = files.read_one(Want {
        path,
        within: if is_projects {
            Within::Root(&prepared.root)
        } else {
            Within::Anywhere
        },
        limit_bytes: limit_bytes.unwrap_or(512 * 1024),
    });
    let blob = blob.map_err(|trouble| unread(path, &trouble))?;
    if blob.is_cut() {
        let message = format!(
            "system prompt file '{path}' is too large: {} bytes, {} allowed",
            blob.len,
            blob.bytes.len()
        );
        return Err(Failure::failed(message).hint("`context.maxFileBytes` raises the limit"));
    }
    let decoded = decode(&blob.bytes, Cut::Whole);
    let repaired = match decoded.repair {
        Repair::None => None,
        Repair::Utf16 => Some((&codes::UTF16, "UTF-16, converted")),
        Repair::InvalidBytes => Some((&codes::NOT_UTF8, "holds bytes that are not UTF-8")),
        Repair::NulBytes => Some((&codes::NUL_BYTES, "holds NUL characters")),
    };
    problems.extend(repaired.map(|(code, message)| {
        Problem::new(code, message)
            .in_file(path)
            .on_line(decoded.line)
    }));
    Ok(decoded.text.into_owned())
}

/// Whether a file belongs to the project, by its name or by where links lead, and not to the user.
pub(super) fn is_projects(world: &World<'_>, prepared: &Prepared, path: &AbsPath) -> bool {
    let real = |path: &AbsPath| world.files.real_or_same(path);
    let lies_in = |dir: &AbsPath| path.is_within(dir) || real(path).is_within(&real(dir));
    lies_in(&prepared.root) && !path.is_within(&world.around.global_dir())
}

fn unread(path: &AbsPath, trouble: &Trouble) -> Failure {
    let message = match trouble {
        Trouble::Missing => format!("missing system prompt file '{path}'"),
        trouble => format!("cannot read system prompt file '{path}': {trouble}"),
    };
    Failure::failed(message).hint("name another file with `GEMINI_SYSTEM_MD`, or unset it")
}
