//! Memory files and what they import, from the disk to the prompt.

use std::collections::BTreeMap;
use std::sync::Mutex;

use analects_memory::discover::{
    Denied, Depth, DiscoverOptions, IgnoreOptions, IgnoreScope, Places, Trust, discover,
};
use analects_memory::import::{Format, ImportOptions, Scope};
use analects_memory::label::Labels;
use analects_memory::load::{LoadOptions, Loader};
use analects_memory::render::render;
use analects_memory::stack::stack;
use analects_testkit::{Entry, FakeFiles};
use analects_text::problem::Problem;
use analects_world::files::{Blob, Files, Identity, Listing, Measure, Pick, Trouble, Want, Within};
use analects_world::{AbsPath, Profile};

use crate::sheet::{Part, check_line, parts};

/// At most this many files of an input are put on the disk.
const MAX_FILES: usize = 12;
/// What lies outside the project and must never be in a prompt.
const SECRET: &str = "the-secret-of-the-other-house";

/// Loading ends, stays within its limits and inside the project, and always says the same.
pub fn import(data: &[u8]) {
    let (disk, contents) = disk(data);
    let n_bytes: usize = contents.values().flatten().map(Vec::len).sum();
    for profile in [Profile::Analects, Profile::Seed, Profile::Head] {
        for format in [Format::Tree, Format::Flat] {
            for load_limit in [16_384, 200] {
                let way = Way {
                    profile,
                    format,
                    load_limit,
                };
                let watched = Watched {
                    disk: &disk,
                    read: Mutex::default(),
                };
                let (prompt, problems) = way.load(&watched);
                way.check(&prompt, n_bytes);
                assert!(!prompt.contains(SECRET) || is_told(data), "{prompt}");
                for problem in &problems {
                    let path = problem.path.as_deref().unwrap_or_default();
                    // A line of what stands behind a link is counted there.
                    if let Some(Some(bytes)) = contents.get(path) {
                        check_line(problem, bytes);
                    }
                }
                watched.check(&contents, profile);
                assert_eq!(way.load(&disk).0, prompt, "not twice the same");
            }
        }
    }
}

fn is_told(data: &[u8]) -> bool {
    String::from_utf8_lossy(data).contains(SECRET)
}

/// A disk with the files of an input and what they hold, nothing for links; below `/repo` or, with `~/` before them, in the user's own folder.
fn disk(data: &[u8]) -> (FakeFiles, BTreeMap<String, Option<Vec<u8>>>) {
    let path = |path: &str| AbsPath::new(path).unwrap();
    let mut disk = FakeFiles::default();
    disk.put(&AbsPath::root(), Entry::Dir);
    disk.put(&path("/repo/.git"), Entry::Dir);
    disk.put(&path("/else/key.md"), Entry::File(SECRET.into()));
    let mut contents = BTreeMap::new();
    for part in joined(parts(data)) {
        let (name, to) = match part.name.split_once(" -> ") {
            Some((name, to)) => (name, Some(to.to_owned())),
            None => (part.name.as_str(), None),
        };
        let name = if name.is_empty() { "GEMINI.md" } else { name };
        let (root, name) = match name.strip_prefix("~/") {
            Some(name) => (path("/home/u/.gemini"), name),
            None => (path("/repo"), name),
        };
        let place = root.join(name.trim_start_matches('/'));
        let is_free = place != root
            && place.is_within(&root)
            && contents.keys().all(|known: &String| {
                let known = path(known);
                !place.is_within(&known) && !known.is_within(&place)
            });
        if is_free && !place.as_str().starts_with("/repo/.git") {
            let bytes = part.bytes.clone();
            let (entry, bytes) = match to {
                Some(to) => (Entry::Link(to), None),
                None => (Entry::File(part.bytes), Some(bytes)),
            };
            disk.put(&place, entry);
            contents.insert(place.to_string(), bytes);
        }
    }
    (disk, contents)
}

/// The first files of an input; those of one name are one file.
fn joined(parts: Vec<Part>) -> Vec<Part> {
    let mut joined: Vec<Part> = Vec::new();
    for part in parts {
        if let Some(known) = joined.iter_mut().find(|known| known.name == part.name) {
            known.bytes.extend(part.bytes);
        } else if joined.len() < MAX_FILES {
            joined.push(part);
        }
    }
    joined
}

/// One way of loading.
#[derive(Debug, Clone, Copy)]
struct Way {
    profile: Profile,
    format: Format,
    load_limit: usize,
}

impl Way {
    fn load(self, files: &dyn Files) -> (String, Vec<Problem>) {
        let path = |path| AbsPath::new(path).unwrap();
        let places = Places {
            cwd: path("/repo"),
            home: path("/home/u"),
            private: vec![path("/home/u/.gemini/tmp/repo/memory")],
            extensions: Vec::new(),
            include: Vec::new(),
            top: None,
            trust: Trust::Trusted,
            denied: Denied::default(),
        };
        let options = DiscoverOptions {
            profile: self.profile,
            names: vec!["GEMINI.md".to_owned(), "AGENTS.md".to_owned()],
            own_names: None,
            markers: vec![".git".to_owned()],
            startup_depth: Depth::All,
            max_dirs: 200,
            ignore: IgnoreOptions {
                git: true,
                gemini: true,
                custom: Vec::new(),
                scope: IgnoreScope::FromRoot,
            },
        };
        let found = discover(files, &places, &options);
        let load = LoadOptions {
            import: ImportOptions {
                profile: self.profile,
                scope: Scope::Root,
                max_depth: 5,
            },
            file_limit_bytes: 4_096,
            load_limit_bytes: self.load_limit,
            labels: Labels {
                profile: self.profile,
                root: found.root.clone(),
                cwd: places.cwd.clone(),
                home: places.home.clone(),
            },
            denied: Denied::default(),
            owners: analects_world::ownership::TrustedOwners::default(),
        };
        let (loaded, problems) = Loader::new(files, &load).load(&found.candidates, self.format);
        let stack = stack(&loaded, usize::MAX);
        let prompt = render(&stack, self.profile).text;
        let problems = [found.problems, problems, stack.problems].concat();
        (prompt, problems)
    }

    fn check(self, prompt: &str, n_bytes: usize) {
        // A token of two bytes that fails is told with its whole path; the original's are the longest.
        let paid = match self.profile {
            Profile::Head => self.load_limit,
            Profile::Analects | Profile::Seed => n_bytes.min(self.load_limit),
        };
        assert!(
            prompt.len() <= 64 * paid + 8_000,
            "{} bytes of {paid}",
            prompt.len()
        );
        if self.profile != Profile::Analects {
            return;
        }
        // What follows explains the tags, and so names them.
        let end = "\n</loaded_context>\n\nHow to use";
        let prompt = prompt.split(end).next().unwrap_or_default();
        for tag in ["loaded_context", "project_context", "global_context"] {
            for forged in [format!("<{tag}>"), format!("</{tag}>")] {
                assert!(prompt.matches(&forged).count() <= 1, "{forged} in {prompt}");
            }
        }
        let n_blocks = prompt.matches("--- Context from: ").count();
        let n_ends = prompt.matches("--- End of Context from: ").count();
        assert_eq!(n_blocks, n_ends, "{prompt}");
    }
}

/// A disk that knows what was read from it.
struct Watched<'a> {
    disk: &'a FakeFiles,
    read: Mutex<Vec<AbsPath>>,
}

impl Watched<'_> {
    fn check(&self, contents: &BTreeMap<String, Option<Vec<u8>>>, profile: Profile) {
        let read = self.read.lock().unwrap();
        for path in read.iter() {
            let roots = ["/repo", "/home/u/.gemini"].map(|root| AbsPath::new(root).unwrap());
            assert!(
                roots.iter().any(|root| path.is_within(root)),
                "{path} was opened"
            );
        }
        if profile != Profile::Head {
            let tokens = contents
                .values()
                .flatten()
                .flatten()
                .filter(|&&byte| byte == b'@');
            let n_most = 4 * contents.len() + 40 + 2 * tokens.count();
            assert!(read.len() <= n_most, "{} files were opened", read.len());
        }
    }
}

impl Files for Watched<'_> {
    fn list(&self, dirs: &[AbsPath], pick: &Pick) -> Vec<Result<Listing, Trouble>> {
        self.disk.list(dirs, pick)
    }

    fn read(&self, wants: &[Want<'_>]) -> Vec<Result<Blob, Trouble>> {
        let answers = self.disk.read(wants);
        let mut read = self.read.lock().unwrap();
        for (want, answer) in wants.iter().zip(&answers) {
            read.push(want.path.clone());
            let real = self.disk.real(want.path);
            if let (Ok(_), Ok(real), Within::Root(_)) = (answer, real, want.within) {
                read.push(real);
            }
        }
        answers
    }

    fn real(&self, path: &AbsPath) -> Result<AbsPath, Trouble> {
        self.disk.real(path)
    }

    fn identify(&self, path: &AbsPath) -> Result<Identity, Trouble> {
        self.disk.identify(path)
    }

    fn ownership(
        &self,
        paths: &[AbsPath],
    ) -> Vec<Result<analects_world::ownership::Ownership, Trouble>> {
        self.disk.ownership(paths)
    }

    fn measure(&self, paths: &[AbsPath]) -> Vec<Result<Measure, Trouble>> {
        self.disk.measure(paths)
    }

    fn piece(&self, path: &AbsPath, start: u64, limit_bytes: usize) -> Result<Vec<u8>, Trouble> {
        self.disk.piece(path, start, limit_bytes)
    }
}
