//! A conversation on a disk that changes under it.

use analects_testkit::{Entry, LiveFiles};
use analects_world::files::Trouble;

use super::*;

/// What a conversation is made of; the loader borrows from it.
pub(super) struct Live {
    pub(super) disk: LiveFiles,
    places: Places,
    options: DiscoverOptions,
    load: LoadOptions,
    limit_tokens: usize,
}

/// The conversation itself.
pub(super) struct Chat<'a> {
    live: &'a Live,
    pub(super) loader: Loader<'a>,
    /// What start-up loaded: paths and texts.
    pub(super) start: Vec<(AbsPath, String)>,
}

impl Live {
    /// A trusted project in `/repo`; start-up looks no deeper than that.
    pub(super) fn new(fixture: &str) -> Self {
        Self::with(Profile::Analects, fixture)
    }

    pub(super) fn with(profile: Profile, fixture: &str) -> Self {
        let Talk {
            disk,
            places,
            options,
            limit_tokens,
        } = Talk::new("/repo", fixture);
        Self {
            disk: LiveFiles::new(disk),
            load: load_options(profile, &abs("/repo"), &places),
            places,
            options: DiscoverOptions { profile, ..options },
            limit_tokens,
        }
    }

    pub(super) fn limit(mut self, limit_tokens: usize) -> Self {
        self.limit_tokens = limit_tokens;
        self
    }

    pub(super) fn start(&self) -> Chat<'_> {
        let mut loader = Loader::new(&self.disk, &self.load);
        let discovered = discover(&self.disk, &self.places, &self.options);
        let (loaded, _) = loader.load(&discovered.candidates, Format::Tree);
        let start = loaded.into_iter().map(|file| (file.path, file.text));
        Chat {
            live: self,
            loader,
            start: start.collect(),
        }
    }

    /// Writes into a file.
    pub(super) fn write(&self, path: &str, text: &str) {
        self.disk
            .edit(|disk| disk.write(&abs(path), text.as_bytes()));
    }

    /// Puts a new file in the place of an old one.
    pub(super) fn replace(&self, path: &str, text: &str) {
        let entry = Entry::File(text.as_bytes().to_vec());
        self.disk.edit(|disk| disk.put(&abs(path), entry));
    }

    /// Makes a file unreadable, or readable again.
    pub(super) fn fail(&self, path: &str, trouble: Option<Trouble>) {
        self.disk.edit(|disk| disk.trouble(&abs(path), trouble));
    }
}

impl Chat<'_> {
    pub(super) fn touch(&mut self, paths: &[&str]) -> Nearby {
        let live = self.live;
        nearby(
            &live.disk,
            &live.places,
            &live.options,
            &mut self.loader,
            &paths.iter().map(|path| abs(path)).collect::<Vec<_>>(),
            live.limit_tokens,
        )
    }

    /// What a touch says, without the frame around all of it.
    pub(super) fn said(&mut self, paths: &[&str]) -> String {
        let near = self.touch(paths);
        let texts: Vec<_> = near
            .fragments
            .iter()
            .map(|fragment| fragment.block.text.as_str())
            .chain(near.note.as_deref())
            .collect();
        let shown = texts
            .iter()
            .fold(String::new(), |all, text| all + text + "\n");
        shown + &show_problems(&near.problems)
    }

    pub(super) fn forget(&mut self, paths: &[&str]) {
        let paths: Vec<_> = paths.iter().map(|path| abs(path)).collect();
        self.loader.forget(&paths);
    }
}
