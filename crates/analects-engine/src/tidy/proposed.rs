//! Steps from texts that somebody proposes: an agent that read memory and thought about it.

use std::collections::HashSet;

use analects_memory::label::Labels;
use analects_memory::layer::Layer;
use analects_memory::page::Page;
use analects_memory::tidy::{self, Rewrite};
use analects_text::patch;
use analects_text::problem::Problem;
use analects_world::files::Files;
use analects_world::{AbsPath, Profile};

use super::{Sight, Source, found};
use crate::load_memory::Prepared;
use crate::mark::Mark;
use crate::place::{self, Target};
use crate::verbs::{Failure, Flags};
use crate::{World, codes, entries, write};

/// Texts that somebody proposes.
pub(super) struct Texts<'a> {
    rewrites: &'a [Rewrite],
    labels: Labels,
    /// All memory there is: what one file loses, another one may say.
    pages: Vec<Page>,
    shelf: Option<AbsPath>,
}

impl<'a> Texts<'a> {
    pub(super) fn new(
        world: &World<'_>,
        flags: &Flags,
        prepared: &Prepared,
        rewrites: &'a [Rewrite],
    ) -> Self {
        let pages = entries::pages(world.files, &prepared.start(*world));
        let place = place::place(world, flags, prepared, "", Target::Private);
        Self {
            rewrites,
            labels: Labels {
                profile: Profile::Analects,
                ..prepared.load.labels.clone()
            },
            pages,
            shelf: place.ok().map(|place| place.path),
        }
    }

    /// A proposal on what the file says by now; `None` if both changed the same lines.
    fn rebased(rewrite: &Rewrite, now: &str) -> Option<Rewrite> {
        let new = match now == rewrite.old {
            true => rewrite.new.clone(),
            false => patch::merge(&rewrite.old, &rewrite.new, now).ok()?,
        };
        Some(Rewrite {
            path: rewrite.path.clone(),
            old: now.to_owned(),
            new,
        })
    }
}

impl Source for Texts<'_> {
    fn look(&self, files: &dyn Files) -> Result<Sight, Failure> {
        let all: HashSet<_> = self.pages.iter().map(|page| page.path.clone()).collect();
        let (mut pages, _) = found::again(files, &self.pages, &all);
        let mut rewrites = Vec::new();
        let mut problems = Vec::new();
        for rewrite in self.rewrites {
            let now = write::text_of(files, &rewrite.path)?;
            let text = now.as_deref().unwrap_or_default();
            // A byte-order mark stays with the file.
            let (_, text) = Mark::split(text);
            let Some(rebased) = Self::rebased(rewrite, text) else {
                let message = "not offered: the file has changed at the same lines meanwhile";
                problems.push(Problem::new(&codes::MOVED_ON, message).in_file(&rewrite.path));
                continue;
            };
            let is_new = pages.iter().all(|page| page.path != rewrite.path);
            if is_new && now.is_some() {
                let (path, text) = (rewrite.path.clone(), text.to_owned());
                pages.push(Page::new(path, Layer::Project, &rewrite.path, text));
            }
            rewrites.push(rebased);
        }
        Ok(Sight {
            steps: tidy::rewrite(&rewrites, &self.labels),
            pages,
            problems,
        })
    }

    fn shelf(&self) -> Option<&AbsPath> {
        self.shelf.as_ref()
    }
}
