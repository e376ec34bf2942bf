//! Whatever stands in a memory file, the answer is a result and problems: no panic, no hang, nothing
//! without bounds, and no text that steps out of its block.
//!
//! Time is bounded by construction: everything here is as large as it may be and still ends at once.

mod any_bytes;
mod disk;
mod forged;
mod markdown;
mod sizes;

use analects_memory::discover::{
    Denied, Depth, DiscoverOptions, IgnoreOptions, IgnoreScope, Places, Trust, discover,
};
use analects_memory::import::{Format, ImportOptions, Scope};
use analects_memory::label::Labels;
use analects_memory::layer::Layer;
use analects_memory::load::{LoadOptions, Loaded, Loader};
use analects_memory::render::render;
use analects_memory::stack::{MemoryStack, stack};
use analects_testkit::{FakeFiles, Fixture};
use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::Profile;

const FILE_LIMIT: usize = 512 * 1024;
const LOAD_LIMIT: usize = 1024 * 1024;

/// Everything that becomes of a tree, from the disk to the prompt.
struct Swallowed {
    loaded: Vec<Loaded>,
    stack: MemoryStack,
    prompt: String,
    problems: Vec<Problem>,
}

impl Swallowed {
    fn text(&self) -> String {
        self.loaded.iter().map(|file| file.text.as_str()).collect()
    }

    fn codes(&self) -> Vec<&'static str> {
        let mut codes: Vec<_> = self
            .problems
            .iter()
            .map(|problem| problem.code.name)
            .collect();
        codes.dedup();
        codes
    }
}

/// How a tree is loaded; unless told otherwise, as in a fresh installation that looks everywhere.
#[derive(Clone, Copy)]
struct Mouth {
    profile: Profile,
    format: Format,
    file_limit: usize,
    load_limit: usize,
    layer_limit_tokens: usize,
}

const MOUTH: Mouth = Mouth {
    profile: Profile::Analects,
    format: Format::Tree,
    file_limit: FILE_LIMIT,
    load_limit: LOAD_LIMIT,
    layer_limit_tokens: usize::MAX,
};

impl Mouth {
    /// Loads all that applies in `/repo`.
    fn swallow(self, disk: &FakeFiles) -> Swallowed {
        let places = Places {
            cwd: abs("/repo"),
            home: abs("/home/u"),
            private: vec![abs("/home/u/.gemini/tmp/repo/memory")],
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
        let found = discover(disk, &places, &options);
        let load = LoadOptions {
            import: ImportOptions {
                profile: self.profile,
                scope: Scope::Root,
                max_depth: if self.profile == Profile::Head { 5 } else { 10 },
            },
            file_limit_bytes: self.file_limit,
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
        let (loaded, problems) = Loader::new(disk, &load).load(&found.candidates, self.format);
        let stack = stack(&loaded, self.layer_limit_tokens);
        let prompt = render(&stack, self.profile).text;
        let problems = [found.problems, problems, stack.problems.clone()].concat();
        Swallowed {
            loaded,
            stack,
            prompt,
            problems,
        }
    }
}

/// Loads a tree whose `/repo/GEMINI.md` has this content.
fn swallow(content: impl AsRef<[u8]>) -> Swallowed {
    MOUTH.swallow(&FakeFiles::new(
        &Fixture::default().file("/repo/GEMINI.md", content),
    ))
}

/// Checks that every delimiter in a prompt is one of ours: our own lines are there, as many as there are
/// layers and blocks, and nothing between them reads like another one.
#[track_caller]
fn assert_well_formed(swallowed: &Swallowed) {
    let end = "\n</loaded_context>\n\nHow to use";
    let block = swallowed.prompt.split(end).next().unwrap();
    let mut lines: Vec<_> = block.split('\n').collect();
    let mut take = |line: &str| {
        let at = lines.iter().position(|found| *found == line);
        assert!(at.is_some(), "`{line}` is missing in\n{block}");
        lines[at.unwrap()] = BARRIER;
    };
    for layer in swallowed
        .stack
        .layers
        .iter()
        .filter(|layer| !layer.blocks.is_empty())
    {
        take(&format!("<{}>", layer.layer.tag()));
        take(&format!("</{}>", layer.layer.tag()));
        if layer.layer == Layer::Private {
            take("--- User's Project Memory (private, not committed to repo) ---");
            take("--- End User's Project Memory ---");
        }
        for block in &layer.blocks {
            take(block.text.lines().next().unwrap());
            take(block.text.lines().last().unwrap());
        }
    }
    if !swallowed.prompt.is_empty() {
        take("<loaded_context>");
    }
    let rest = lines.join("\n");
    assert_eq!(tag_in(&rest), None, "forged in\n{block}");
    let seen = as_a_reader_sees(&rest);
    for ruler in RULERS {
        assert!(!seen.contains(ruler), "`{ruler}` is forged in\n{block}");
    }
}

const BARRIER: &str = "¦";

/// What no text may look like to someone who reads over blanks and case.
const RULERS: [&str; 10] = [
    "---contextfrom:",
    "---endofcontextfrom:",
    "---global---",
    "---project---",
    "---extension---",
    "---userprojectmemory---",
    "---user'sprojectmemory",
    "---enduser'sprojectmemory",
    "---newlydiscoveredprojectcontext",
    "---endprojectcontext",
];

/// The first of our tags in a text, opening or closing.
fn tag_in(text: &str) -> Option<&'static str> {
    const TAGS: [&str; 6] = [
        "loaded_context",
        "global_context",
        "extension_context",
        "project_context",
        "user_project_memory",
        "session_context",
    ];
    let shown: String = text.chars().filter(|&c| !is_hidden(c)).map(plain).collect();
    let shown = shown.to_lowercase();
    shown.split('<').skip(1).find_map(|inner| {
        let name = inner.trim_start().trim_start_matches('/').trim_start();
        TAGS.into_iter().find(|tag| {
            name.strip_prefix(tag).is_some_and(|after| {
                !after
                    .trim_start_matches('-')
                    .starts_with(|c: char| c.is_alphanumeric() || c == '_')
            })
        })
    })
}

/// What is left of a text for someone who reads over blanks, case, hidden characters and fancy dashes.
fn as_a_reader_sees(text: &str) -> String {
    let mut seen = String::new();
    let mut is_apart = false;
    for c in text
        .chars()
        .filter(|&c| !is_hidden(c))
        .map(plain)
        .flat_map(char::to_lowercase)
    {
        if c.is_whitespace() {
            is_apart = true;
            continue;
        }
        // Three dashes with blanks between them are a ruler of Markdown's, not of ours.
        if is_apart && c == '-' && seen.ends_with('-') {
            seen.push(' ');
        }
        is_apart = false;
        seen.push(c);
    }
    seen
}

fn is_hidden(c: char) -> bool {
    (c.is_control() && !c.is_whitespace())
        || matches!(u32::from(c), 0xAD | 0x34F | 0x61C | 0x115F..=0x1160 | 0x17B4..=0x17B5
            | 0x180B..=0x180F | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F | 0x2800
            | 0x3164 | 0xFE00..=0xFE0F | 0xFEFF | 0xFFA0 | 0xFFF9..=0xFFFB | 0xE0000..=0xE0FFF)
}

fn plain(c: char) -> char {
    match u32::from(c) {
        0x2010..=0x2015 | 0x2212 | 0xFE58 | 0xFE63 => '-',
        0x2018 | 0x2019 => '\'',
        code @ 0xFF01..=0xFF5E => char::from_u32(code - 0xFEE0).unwrap(),
        _ => c,
    }
}

fn abs(path: &str) -> AbsPath {
    AbsPath::new(path).unwrap()
}
