//! Collects many files for one answer, as far as there is room.

use analects_chat::reading::kind::{Kind, kind};
use analects_chat::reading::page::Asked;
use analects_world::AbsPath;
use analects_world::model::Part;

use super::gather::Meant;
use super::look::{self, Sight};
use super::{Bench, Refusal, RefusalKind, Seen, read_file};

/// All texts together are no longer than this, and no more media come along.
const MAX_TEXT_BYTES: usize = 512 * 1024;
const MAX_MEDIA: usize = 16;
const MAX_MEDIA_BYTES: usize = 20 * 1024 * 1024;
const NO_TEXT: &str = "it is no text, and was not asked for by name or ending";
/// Less room than this is not worth beginning a file in.
const MIN_ROOM_BYTES: usize = 1_024;

/// What was brought so far.
#[derive(Debug, Default)]
pub(crate) struct Basket {
    /// The texts, each under a line that says whose it is.
    pub(crate) text: String,
    /// What is to be seen or heard.
    pub(crate) media: Vec<Part>,
    /// What is in it.
    pub(crate) touched: Vec<AbsPath>,
    /// What is not, and why.
    pub(crate) skipped: Vec<(String, String)>,
    n_media_bytes: usize,
}

impl Basket {
    /// Brings a file; `heading` says what stands above its text.
    pub(crate) fn add(
        &mut self,
        meant: &Meant,
        bench: &Bench<'_>,
        seen: &Seen,
        heading: &dyn Fn(&str) -> String,
    ) -> Result<(), Refusal> {
        if bench.cancel.is_cancelled() {
            return Err(Refusal::new(RefusalKind::Cancelled, "It was cancelled."));
        }
        let path = &meant.place.path;
        let shown = bench.workspace.shown(path);
        if let Err(why) = self.bring(meant, &shown, bench, seen, heading) {
            self.skipped.push((shown, why));
        } else {
            self.touched.push(path.clone());
        }
        Ok(())
    }

    fn bring(
        &mut self,
        meant: &Meant,
        shown: &str,
        bench: &Bench<'_>,
        seen: &Seen,
        heading: &dyn Fn(&str) -> String,
    ) -> Result<(), String> {
        let room = MAX_TEXT_BYTES.saturating_sub(self.text.len());
        if room < MIN_ROOM_BYTES {
            return Err("there is no room left; read it by itself".to_owned());
        }
        // A tree may be full of images: these are not even opened.
        if !is_asked_for(meant) && is_medium(meant.place.path.file_name()) {
            return Err(NO_TEXT.to_owned());
        }
        let looked = look::look(bench.files, shown, &meant.place);
        let (sight, hash) = looked.map_err(|refusal| refusal.message)?;
        match sight {
            Sight::Text(text) => {
                let page = read_file::fitting(&text, Asked::default(), bench, room);
                self.text.push_str(&heading(shown));
                self.text.push_str(&page.announced());
                if !self.text.ends_with('\n') {
                    self.text.push('\n');
                }
            }
            Sight::Media(..) if !is_asked_for(meant) => return Err(NO_TEXT.to_owned()),
            Sight::Media(part, kind) => {
                self.weigh(&part)?;
                self.text.push_str(&heading(shown));
                self.text
                    .extend(["(", kind.as_str(), " comes with this.)\n"]);
                self.media.push(*part);
            }
            Sight::Blank(why) => return Err(why),
        }
        seen.note(&meant.place.path, hash);
        Ok(())
    }

    fn weigh(&mut self, part: &Part) -> Result<(), String> {
        use analects_world::model::{Body, Media, Source};
        let n_bytes = match &part.body {
            Body::Media(Media {
                source: Source::Inline(data),
                ..
            }) => data.len(),
            _ => 0,
        };
        let n_all = self.n_media_bytes + n_bytes;
        if self.media.len() >= MAX_MEDIA || n_all > MAX_MEDIA_BYTES {
            return Err("too many media come along already; read it by itself".to_owned());
        }
        self.n_media_bytes = n_all;
        Ok(())
    }
}

/// Whether a name promises something that is no text.
fn is_medium(name: &str) -> bool {
    matches!(
        kind(name, &[0]),
        Kind::Image | Kind::Pdf | Kind::Audio | Kind::Video
    )
}

/// Whether a medium was meant as one: by its name, or by a pattern that says its ending.
fn is_asked_for(meant: &Meant) -> bool {
    let name = meant.place.path.file_name();
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    meant.is_named || ending.is_some_and(|ending| meant.by.ends_with(&format!(".{ending}")))
}
