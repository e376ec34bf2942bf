//! Finding, reading and importing memory files, and what a disk takes at least for it.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use analects_host::Disk;
use analects_memory::discover::{
    self, Candidate, Denied, Depth, DiscoverOptions, Home, IgnoreOptions, IgnoreScope, Places,
    Trust,
};
use analects_memory::import::{Format, ImportOptions, Scope};
use analects_memory::label::Labels;
use analects_memory::layer::Layer;
use analects_memory::load::{LoadOptions, Loaded, Loader};
use analects_memory::stack::stack;
use analects_world::{AbsPath, Profile};
use serde_json::{Value, json};

use crate::{Request, timed};

/// No layer is cut: the others have no budget.
const LAYER_TOKENS: usize = usize::MAX;

/// From a working directory to the text of all memory files below it.
pub(crate) fn load(request: &Request) -> (Duration, Value) {
    let (places, options) = (places(request), discover_options(request));
    let load_options = load_options(&places);
    let job = || {
        let found = discover::discover(&Disk, &places, &options);
        let (loaded, _) = Loader::new(&Disk, &load_options).load(&found.candidates, Format::Tree);
        let text = stack(&loaded, LAYER_TOKENS)
            .memory()
            .flatten(Profile::Analects);
        (loaded, text)
    };
    timed(request.times, job, |(loaded, text)| {
        let files = files(request, loaded.iter().map(|file| &file.path));
        // Which of several names comes first is a matter of taste.
        let mut rules = rules(text);
        rules.sort_unstable();
        json!({ "files": files, "rules": rules })
    })
}

/// The same without reading the files.
pub(crate) fn discover(request: &Request) -> (Duration, Value) {
    let (places, options) = (places(request), discover_options(request));
    let job = || discover::discover(&Disk, &places, &options);
    timed(request.times, job, |found| json!(found.candidates.len()))
}

/// Lists every directory on two threads and does nothing else.
pub(crate) fn walk(request: &Request) -> (Duration, Value) {
    let root = Path::new(&request.dir).join("repo");
    let job = || {
        let todo = Mutex::new(vec![root.clone()]);
        let n_open = AtomicUsize::new(1);
        let n_seen = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| walk_on(&todo, &n_open, &n_seen));
            }
        });
        n_seen.into_inner()
    };
    timed(request.times, job, |n_seen| json!(n_seen))
}

fn walk_on(todo: &Mutex<Vec<PathBuf>>, n_open: &AtomicUsize, n_seen: &AtomicUsize) {
    while n_open.load(Ordering::Acquire) > 0 {
        let next = todo.lock().unwrap().pop();
        let Some(dir) = next else {
            std::thread::yield_now();
            continue;
        };
        n_seen.fetch_add(1, Ordering::Relaxed);
        let entries = std::fs::read_dir(&dir).unwrap().map(Result::unwrap);
        let dirs = entries.filter(|entry| entry.file_type().unwrap().is_dir());
        let dirs = dirs.filter(|entry| entry.file_name() != ".git");
        let dirs: Vec<_> = dirs.map(|entry| entry.path()).collect();
        n_open.fetch_add(dirs.len(), Ordering::Release);
        todo.lock().unwrap().extend(dirs);
        n_open.fetch_sub(1, Ordering::Release);
    }
}

/// Reads a file and all that it imports.
pub(crate) fn imports(request: &Request) -> (Duration, Value) {
    let places = places(request);
    let options = load_options(&places);
    let candidates = [Candidate {
        path: places.cwd.join("GEMINI.md"),
        layer: Layer::Project,
        home: Home::Below(places.cwd.clone()),
        import_root: places.cwd.clone(),
    }];
    let job = || {
        let (loaded, problems) = Loader::new(&Disk, &options).load(&candidates, Format::Tree);
        assert!(problems.is_empty(), "{problems:?}");
        loaded
    };
    let text = |loaded: &Vec<Loaded>| loaded.iter().map(|file| file.text.as_str()).collect();
    timed(request.times, job, |loaded| {
        json!(rules(&text(loaded) as &String))
    })
}

/// Reads the same files, one after the other, and does nothing with them.
pub(crate) fn read_all(request: &Request) -> (Duration, Value) {
    let repo = Path::new(&request.dir).join("repo");
    let docs = std::fs::read_dir(repo.join("docs")).unwrap();
    let docs = docs.map(|entry| entry.unwrap().path());
    let files: Vec<_> = docs.chain([repo.join("GEMINI.md")]).collect();
    let job = || {
        let read = |file| black_box(std::fs::read(file).unwrap()).len();
        files.iter().map(read).sum::<usize>()
    };
    timed(request.times, job, |n_bytes| json!(n_bytes))
}

fn places(request: &Request) -> Places {
    Places {
        cwd: abs(&format!("{}/repo", request.dir)),
        home: abs(&format!("{}/home", request.dir)),
        private: vec![],
        extensions: vec![],
        include: vec![],
        top: None,
        trust: Trust::Trusted,
        denied: Denied::default(),
    }
}

fn discover_options(request: &Request) -> DiscoverOptions {
    DiscoverOptions {
        profile: Profile::Analects,
        names: request.names.clone(),
        own_names: None,
        markers: vec![".git".to_owned()],
        startup_depth: Depth::All,
        max_dirs: usize::MAX,
        ignore: IgnoreOptions {
            git: false,
            gemini: true,
            custom: vec![],
            scope: IgnoreScope::FromRoot,
        },
    }
}

fn load_options(places: &Places) -> LoadOptions {
    let profile = Profile::Analects;
    LoadOptions {
        import: ImportOptions {
            profile,
            scope: Scope::Root,
            max_depth: 10,
        },
        file_limit_bytes: 512 * 1024,
        load_limit_bytes: 1024 * 1024,
        labels: Labels {
            profile,
            root: places.cwd.clone(),
            cwd: places.cwd.clone(),
            home: places.home.clone(),
        },
        denied: Denied::default(),
        owners: analects_world::ownership::TrustedOwners::default(),
    }
}

/// The files by their place in the tree, so that their order does not count.
fn files<'a>(request: &Request, paths: impl Iterator<Item = &'a AbsPath>) -> Vec<String> {
    let inside = |path: &AbsPath| path.as_str().strip_prefix(&request.dir).unwrap().to_owned();
    let mut files: Vec<_> = paths.map(inside).collect();
    files.sort();
    files
}

/// The lines that state a rule, in the order in which a model would read them.
fn rules(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| line.starts_with("Rule ")).collect()
}

fn abs(path: &str) -> AbsPath {
    AbsPath::new(path).unwrap()
}
