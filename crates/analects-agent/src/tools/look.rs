//! Reads one file for a model: its kind, how much of it is shown, and nothing that could pass for our own markers.

use std::borrow::Cow;

use analects_chat::keep;
use analects_chat::reading::kind::{Kind, kind, mime};
use analects_chat::reading::{self, MAX_FILE_BYTES, MAX_SVG_BYTES, Refusal as Unfit};
use analects_text::neutralise::{Delimiters, neutralise};
use analects_world::changes::ContentHash;
use analects_world::files::{Blob, Pick, Trouble, Want, Within};
use analects_world::model::{Body, Media, Part, Source};
use analects_world::{AbsPath, Files};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Map;

use super::workspace::named;
use super::{Place, Refusal, RefusalKind};

/// What a file has for a model.
#[derive(Debug)]
pub(crate) enum Sight {
    /// Words, as they are.
    Text(String),
    /// Something to look at or to listen to.
    Media(Box<Part>, Kind),
    /// Nothing; this says why.
    Blank(String),
}

/// Looks at a file. It is opened only if it is a file, and not too large.
pub(crate) fn look(
    files: &dyn Files,
    given: &str,
    place: &Place,
) -> Result<(Sight, ContentHash), Refusal> {
    let blob = content(files, given, place)?.ok_or_else(|| missing(files, given, &place.path))?;
    let hash = ContentHash::of(&blob.bytes);
    let name = place.path.file_name();
    let kind = kind(name, &blob.bytes);
    let sight = match reading::admit(kind, blob.bytes.len() as u64) {
        Err(Unfit::Binary) => Sight::Blank(blank(given)),
        Err(unfit) => return Err(too_large(given, blob.len, unfit)),
        Ok(()) => match (kind, mime(name)) {
            (Kind::Text | Kind::Svg, _) => Sight::Text(reading::decoded(&blob.bytes).into_owned()),
            (_, Some(mime)) => Sight::Media(Box::new(medium(mime, &blob.bytes)), kind),
            (_, None) => Sight::Blank(blank(given)),
        },
    };
    Ok((sight, hash))
}

/// What a file holds; `None` if there is none.
pub(crate) fn content(
    files: &dyn Files,
    given: &str,
    place: &Place,
) -> Result<Option<Blob>, Refusal> {
    let refuse = |trouble: &Trouble| unreadable(given, trouble);
    let measured = files.measure(std::slice::from_ref(&place.path)).pop();
    let n_bytes = match measured.unwrap_or(Err(Trouble::Missing)) {
        Ok(measure) => measure.len,
        Err(Trouble::Missing) => return Ok(None),
        Err(trouble) => return Err(refuse(&trouble)),
    };
    let is_svg = kind(place.path.file_name(), b"") == Kind::Svg;
    if n_bytes > MAX_FILE_BYTES {
        return Err(too_large(given, n_bytes, Unfit::TooLarge));
    }
    if is_svg && n_bytes > MAX_SVG_BYTES {
        return Err(too_large(given, n_bytes, Unfit::SvgTooLarge));
    }
    let want = Want {
        path: &place.path,
        // Its path has no links; if it has any by now, somebody put them there meanwhile.
        within: Within::Itself,
        limit_bytes: usize::try_from(MAX_FILE_BYTES).unwrap_or(usize::MAX),
    };
    match files.read_one(want) {
        // It grew meanwhile.
        Ok(blob) if blob.is_cut() => Err(too_large(given, blob.len, Unfit::TooLarge)),
        Ok(blob) => Ok(Some(blob)),
        Err(Trouble::Missing) => Ok(None),
        Err(trouble) => Err(refuse(&trouble)),
    }
}

/// Text from a file, unable to pass for what we say about files. All else is as it was, to the byte, so that
/// it can be found again by what was read.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    match keep::harmless(text) {
        Cow::Borrowed(text) => neutralise(text, &OURS),
        Cow::Owned(text) => Cow::Owned(neutralise(&text, &OURS).into_owned()),
    }
}

/// What stands around files, and around the rules that come along with them.
const OURS: Delimiters = Delimiters {
    tags: &[],
    rulers: &[
        "newly discovered project context",
        "end project context",
        "content from referenced files",
        "end of content ---",
    ],
    comments: &[],
    notes: &[],
};

/// Says that something is not there, and names what was probably meant.
pub(crate) fn missing(files: &dyn Files, given: &str, path: &AbsPath) -> Refusal {
    let kin = path.parent().and_then(|dir| {
        let listing = files.list_one(&dir, &Pick::ending("")).ok()?;
        let name = path.file_name().to_lowercase();
        let mut found = listing.found.into_iter().map(|found| found.name);
        found.find(|other| other.to_lowercase() == name)
    });
    let hint = match kin {
        Some(kin) => format!("There is {} instead.", named(&kin)),
        None => "`glob` and `list_directory` tell what is there.".to_owned(),
    };
    let message = format!("{} does not exist. {hint}", named(given));
    Refusal::new(RefusalKind::NotFound, message)
}

fn unreadable(given: &str, trouble: &Trouble) -> Refusal {
    let name = named(given);
    let (kind, message) = match trouble {
        Trouble::IsDir => (
            RefusalKind::IsDirectory,
            format!("{name} is a directory. `list_directory` shows what is in it."),
        ),
        Trouble::Special => (
            RefusalKind::NotAFile,
            format!("{name} is a pipe, a socket or a device: it is not opened."),
        ),
        Trouble::Outside => (
            RefusalKind::OutsideWorkspace,
            format!("{name} leads out of the workspace by now."),
        ),
        Trouble::Denied => (
            RefusalKind::Unreadable,
            format!("{name} cannot be read: this user may not."),
        ),
        trouble => (
            RefusalKind::Unreadable,
            format!("{name} cannot be read: {trouble}."),
        ),
    };
    Refusal::new(kind, message)
}

fn too_large(given: &str, n_bytes: u64, unfit: Unfit) -> Refusal {
    let message = format!(
        "{} has {n_bytes} bytes: {unfit}. `grep_search` finds lines in it, and a command such as `head` or \
         `sed -n` shows a part.",
        named(given)
    );
    Refusal::new(RefusalKind::TooLarge, message)
}

fn blank(given: &str) -> String {
    format!(
        "{} is binary: there is nothing to read in it.",
        named(given)
    )
}

fn medium(mime: &str, bytes: &[u8]) -> Part {
    Part::new(Body::Media(Media {
        mime: mime.to_owned(),
        source: Source::Inline(STANDARD.encode(bytes)),
        rest: Map::new(),
    }))
}
