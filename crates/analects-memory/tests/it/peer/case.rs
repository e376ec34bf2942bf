//! A recorded case: what was asked, and what the original answered.

use analects_memory::discover::{
    self, Denied, Depth, DiscoverOptions, ExtensionFile, IgnoreOptions, IgnoreScope, Places, Trust,
};
use analects_testkit::{Entry, FakeFiles, Fixture};
use analects_world::Profile;
use analects_world::{AbsPath, Files};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(try_from = "Value")]
pub(crate) struct Case {
    pub(crate) name: String,
    files: Vec<File>,
    pub(super) input: Input,
    output: Value,
    /// The files that git ignores by the rules of this case, if it has some and git was asked.
    ignored: Option<Vec<String>>,
    /// Those about which it cannot be asked.
    unsure: Option<Vec<String>>,
    asked: String,
}

/// What git makes of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Ignored,
    Shown,
    /// Rules of two kinds meet there.
    Unsure,
}

impl TryFrom<Value> for Case {
    type Error = serde_json::Error;

    fn try_from(mut whole: Value) -> Result<Self, Self::Error> {
        let mut field = |name: &str| whole.get_mut(name).map(Value::take).unwrap_or_default();
        let (files, input) = (field("files"), field("input"));
        let asked = files
            .as_array()
            .into_iter()
            .flatten()
            .map(|file| format!("{file}\n"));
        let asked = asked.collect::<String>() + &input.to_string();
        Ok(Self {
            name: serde_json::from_value(field("name"))?,
            files: serde_json::from_value(files)?,
            input: serde_json::from_value(input)?,
            output: field("output"),
            ignored: serde_json::from_value(field("ignored"))?,
            unsure: serde_json::from_value(field("unsure"))?,
            asked,
        })
    }
}

#[derive(Deserialize)]
struct File {
    path: String,
    text: Option<String>,
    base64: Option<String>,
    link: Option<String>,
    #[serde(default)]
    dir: bool,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Input {
    pub(super) text: String,
    pub(super) base: String,
    pub(super) format: String,
    pub(super) cwd: String,
    pub(super) home: String,
    pub(super) names: Vec<String>,
    pub(super) markers: Vec<String>,
    pub(super) trusted: bool,
    pub(super) extensions: Vec<String>,
    pub(super) include_dirs: Vec<String>,
    /// Only the eager loader is told; the others always do.
    pub(super) load_from_include_dirs: Option<bool>,
    pub(super) import_format: String,
    pub(super) project_id: String,
    pub(super) max_dirs: usize,
    pub(super) respect_git_ignore: bool,
    pub(super) respect_gemini_ignore: bool,
    pub(super) custom_ignore: Vec<String>,
    pub(super) accessed: String,
    pub(super) trusted_roots: Vec<String>,
}

/// An answer in a form that both sides can be brought to: named texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer(pub(crate) Vec<(&'static str, String)>);

const PARTS: [&str; 6] = [
    "global",
    "userProject",
    "extension",
    "project",
    "content",
    "text",
];

impl Case {
    /// The question: a line for each file, and one for the rest.
    pub(crate) fn asked(&self) -> String {
        self.asked.clone()
    }

    /// The recorded answer.
    pub(crate) fn answer(&self) -> Answer {
        let mut parts: Vec<_> = PARTS
            .iter()
            .filter_map(|&part| Some((part, self.output.get(part)?.as_str()?.to_owned())))
            .collect();
        if let Some(tree) = self.output.get("tree").and_then(|tree| tree.get("imports")) {
            parts.push(("tree", tree.to_string()));
        }
        Answer(parts)
    }

    pub(crate) fn disk(&self) -> FakeFiles {
        let mut fixture = Fixture::default();
        for file in &self.files {
            let entry = match file {
                File {
                    text: Some(text), ..
                } => Entry::File(text.clone().into_bytes()),
                File {
                    base64: Some(text), ..
                } => Entry::File(from_base64(text)),
                File {
                    link: Some(target), ..
                } => Entry::Link(target.clone()),
                File { dir, .. } => {
                    assert!(dir, "{}: what is {}?", self.name, file.path);
                    Entry::Dir
                }
            };
            fixture = fixture.with(&file.path, entry);
        }
        FakeFiles::new(&fixture)
    }

    pub(crate) fn cwd(&self) -> AbsPath {
        abs(&self.input.cwd)
    }

    /// The directories this case works in.
    pub(crate) fn workspaces(&self, disk: &FakeFiles) -> Vec<AbsPath> {
        if self.input.cwd.is_empty() {
            return Vec::new();
        }
        if !self.input.trusted_roots.is_empty() {
            return self
                .input
                .trusted_roots
                .iter()
                .map(|dir| abs(dir))
                .collect();
        }
        let places = self.places(disk, self.include_dirs());
        let include = places.include.into_iter().map(|include| include.dir);
        include.chain([places.cwd]).collect()
    }

    /// Whether a path of this case may be another one once it is opened.
    pub(crate) fn leads_elsewhere(&self) -> bool {
        self.files.iter().any(|file| file.link.is_some())
            || self.asked.contains(['%', '\0'])
            || self.asked.contains("\\u0000")
    }

    /// Whether a link leads out of the project to this file, where memory comes just in time.
    pub(crate) fn has_link_out(&self, path: &AbsPath, disk: &FakeFiles) -> bool {
        if self.input.accessed.is_empty() {
            return false;
        }
        let (root, _) =
            discover::project_root(disk, &self.cwd(), self.markers(), Some(&self.home()));
        let root = root.unwrap_or_else(|| self.cwd());
        let links = self.files.iter().filter(|file| file.link.is_some());
        let mut links = links.map(|file| abs(&file.path));
        !path.is_within(&root)
            && links.any(|link| link.is_within(&root) && disk.real(&link) == disk.real(path))
    }

    pub(crate) fn home(&self) -> AbsPath {
        AbsPath::new(&self.input.home).unwrap_or_else(|_| abs("/"))
    }

    /// The include directories that count.
    pub(super) fn include_dirs(&self) -> &[String] {
        match self.input.load_from_include_dirs {
            Some(false) => &[],
            Some(true) | None => &self.input.include_dirs,
        }
    }

    pub(crate) fn names(&self) -> &[String] {
        &self.input.names
    }

    /// Whether a file lies below a directory from which the original scans downward.
    pub(crate) fn is_found_downward(&self, path: &AbsPath) -> bool {
        let is_below = |dir: &String| {
            let dir = self.cwd().join(dir);
            path.is_within(&dir) && path.parent() != Some(dir)
        };
        self.input.max_dirs > 0
            && (is_below(&self.input.cwd) || self.include_dirs().iter().any(is_below))
    }

    /// What git makes of a file, where it was asked.
    pub(crate) fn git_says(&self, path: &AbsPath) -> Option<Verdict> {
        let has = |list: &[String]| list.iter().any(|listed| listed == path.as_str());
        let (ignored, unsure) = (self.ignored.as_ref()?, self.unsure.as_ref()?);
        Some(match (has(unsure), has(ignored)) {
            (true, _) => Verdict::Unsure,
            (false, true) => Verdict::Ignored,
            (false, false) => Verdict::Shown,
        })
    }

    pub(crate) fn markers(&self) -> &[String] {
        &self.input.markers
    }

    pub(super) fn places(&self, disk: &FakeFiles, include: &[String]) -> Places {
        let input = &self.input;
        // Whoever loads memory stands in a real directory, as the engine sees to.
        let real = |dir: AbsPath| disk.real(&dir).unwrap_or(dir);
        let home = abs(&input.home);
        let extension = |path: &String| ExtensionFile {
            path: abs(path),
            root: abs(path).parent().unwrap(),
        };
        let mut extensions = input.extensions.clone();
        extensions.sort();
        extensions.dedup();
        Places {
            cwd: real(self.cwd()),
            private: match input.project_id.as_str() {
                "" => vec![],
                id => vec![home.join(&format!(".gemini/tmp/{id}/memory"))],
            },
            home,
            extensions: extensions.iter().map(extension).collect(),
            include: include
                .iter()
                .map(|dir| real(self.cwd().join(dir)).into())
                .collect(),
            top: None,
            trust: if input.trusted {
                Trust::Trusted
            } else {
                Trust::Untrusted
            },
            denied: Denied::default(),
        }
    }

    pub(super) fn discover_options(&self, startup_depth: Depth) -> DiscoverOptions {
        let input = &self.input;
        DiscoverOptions {
            profile: Profile::Head,
            names: input.names.clone(),
            own_names: None,
            markers: input.markers.clone(),
            startup_depth,
            max_dirs: input.max_dirs,
            ignore: IgnoreOptions {
                git: input.respect_git_ignore,
                gemini: input.respect_gemini_ignore,
                custom: input
                    .custom_ignore
                    .iter()
                    .map(|path| self.cwd().join(path))
                    .collect(),
                scope: IgnoreScope::FromCwd,
            },
        }
    }
}

pub(crate) fn abs(path: &str) -> AbsPath {
    AbsPath::new(path).unwrap()
}

/// The few base64 texts of the goldens; not worth a crate.
fn from_base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut n_bits, mut bytes) = (0_u32, 0, Vec::new());
    for digit in text.bytes().filter(|&byte| byte != b'=') {
        let value = DIGITS
            .iter()
            .position(|&known| known == digit)
            .expect("a base64 digit");
        bits = bits << 6 | u32::try_from(value).unwrap();
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            bytes.push(u8::try_from(bits >> n_bits & 0xFF).unwrap());
        }
    }
    bytes
}
