//! A thousand scripts of calls that nobody thought of.

use std::ops::Range;
use std::thread;

use serde_json::json;

use super::*;

const N_PARTS: u64 = 4;
const N_A_PART: u64 = 250;
/// A new tree after this many.
const N_A_TREE: u64 = 25;

#[test]
fn a_thousand_random_scripts_change_nothing_that_was_not_given_and_read_nothing_either() {
    let counts: Vec<_> = thread::scope(|scope| {
        let run = |part: u64| move || scripts(part * N_A_PART..(part + 1) * N_A_PART);
        let parts: Vec<_> = (0..N_PARTS).map(|part| scope.spawn(run(part))).collect();
        parts.into_iter().map(|part| part.join().unwrap()).collect()
    });
    let sum = |of: fn(&Counts) -> usize| counts.iter().map(of).sum::<usize>();
    let n_calls = sum(|it| it.n_calls);
    let n_written = sum(|it| it.n_written);
    let n_proposed = sum(|it| it.n_proposed);
    let (n_answered, n_refused) = (sum(|it| it.n_answered), sum(|it| it.n_refused));
    // A script that does nothing shows nothing.
    assert!(
        n_calls > 5_000 && n_answered > 1_000 && n_refused > 1_000,
        "{counts:?}"
    );
    assert!(n_written > 250 && n_proposed > 100, "{counts:?}");
}

/// Runs scripts on one tree after the other.
fn scripts(seeds: Range<u64>) -> Counts {
    let mut counts = Counts::default();
    let mut ground = Ground::new();
    for seed in seeds {
        if seed.is_multiple_of(N_A_TREE) {
            ground = Ground::new();
        }
        script(&ground, seed, &mut counts);
    }
    counts
}

#[derive(Debug, Default)]
struct Counts {
    n_calls: usize,
    n_answered: usize,
    n_refused: usize,
    n_written: usize,
    n_proposed: usize,
}

fn script(ground: &Ground, seed: u64, counts: &mut Counts) {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) + 1);
    let top = ground.top();
    let staged = seed
        .is_multiple_of(2)
        .then(|| Staged::new(&Disk, &DiskSearch, Vec::new()));
    let mut before = ground.rest();
    for _ in 0..4 + dice.below(6) {
        if dice.below(8) == 0 {
            assert_eq!(ground.rest(), before, "{seed}");
            mischief(&mut dice, top.as_str());
            before = ground.rest();
        }
        let (tool, args) = dice.call(top.as_str());
        let said = match &staged {
            Some(staged) => ground.call_staged(staged, tool, &args),
            None => ground.call(tool, &args),
        };
        counts.n_calls += 1;
        let told = match &said {
            Ok(output) => {
                counts.n_answered += 1;
                counts.n_written += usize::from(["write_file", "replace"].contains(&tool));
                format!("{} {} {:?}", output.text, output.shown, output.media)
            }
            Err(refusal) => {
                counts.n_refused += 1;
                refusal.message.clone()
            }
        };
        assert!(!told.contains(CANARY), "{seed}: {tool} {args}: {told}");
        assert!(!told.contains("root:x:0"), "{seed}: {tool} {args}: {told}");
    }
    assert_eq!(ground.rest(), before, "{seed}");
    if let Some(staged) = staged.filter(|staged| !staged.is_empty()) {
        counts.n_proposed += usize::from(ground.propose(&staged).is_ok());
        assert_eq!(ground.rest(), before, "{seed}: proposed");
    }
}

/// Somebody else changes the tree: a memory file or a directory becomes a link, or a link becomes one of these.
fn mischief(dice: &mut Dice, top: &str) {
    let places = [
        "repo/src",
        "repo/new",
        "repo/GEMINI.md",
        "repo/src/GEMINI.md",
        "repo/.gemini",
        "repo/empty",
    ];
    let place = dice.pick(&places);
    // Where it goes meanwhile, nothing is given.
    let aside = format!("{top}/aside/{}", place.replace('/', "-"));
    let place = format!("{top}/{place}");
    fs::create_dir_all(format!("{top}/aside")).unwrap();
    let parent = Path::new(&place).parent().unwrap();
    // Not through a link that was put there before.
    if fs::canonicalize(parent).ok().as_deref() != Some(parent) {
        return;
    }
    let is_link = fs::symlink_metadata(&place).is_ok_and(|meta| meta.is_symlink());
    if is_link {
        fs::remove_file(&place).unwrap();
        let _ = fs::rename(&aside, &place);
    } else if fs::symlink_metadata(&aside).is_err() {
        let _ = fs::rename(&place, &aside);
        let targets = [
            "secret.md",
            ".git",
            "../home/.ssh",
            "../outside",
            ".gemini",
            "/etc",
            "gone",
        ];
        symlink(dice.pick(&targets), &place).unwrap();
    }
}

/// Numbers that look like chance and are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(high).unwrap() % n
    }

    fn pick<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.below(all.len())]
    }

    fn path(&mut self, top: &str) -> String {
        if self.below(3) == 0 {
            let given = self.pick(&GIVEN);
            let not = self.pick(&NOT_GIVEN);
            let path = if self.below(2) == 0 { given } else { not };
            return match (path.strip_prefix("repo/"), self.below(2)) {
                (Some(below), 0) => below.to_owned(),
                _ => format!("{top}/{path}"),
            };
        }
        let starts = [
            "", "", "", "", "./", "../", "/", "//", "~/", "repo/", ".gemini/", "src/",
        ];
        let mut path = match self.below(5) {
            0 => format!(
                "{top}/{}",
                self.pick(&["repo/", "home/", "home/.gemini/", "", "outside/"])
            ),
            1 if self.below(4) == 0 => format!("/proc/self/root{top}/repo/"),
            _ => self.pick(&starts).to_owned(),
        };
        for _ in 0..self.below(4) {
            path.push_str(self.pick(&DIRS));
            path.push('/');
        }
        path.push_str(self.pick(&FILES));
        path
    }

    fn text(&mut self, top: &str) -> String {
        let mut text = String::new();
        for _ in 0..1 + self.below(3) {
            text.push_str(self.pick(&TEXTS));
            if self.below(3) == 0 {
                text.push_str(&self.path(top));
            }
            text.push('\n');
        }
        text
    }

    fn call(&mut self, top: &str) -> (&'static str, Value) {
        let path = self.path(top);
        match self.below(10) {
            0 => ("read_file", json!({"file_path": path})),
            1 | 2 => {
                let content = self.text(top);
                ("write_file", json!({"file_path": path, "content": content}))
            }
            3 | 4 => {
                let old = self.pick(&[
                    "- a fact",
                    "a fact of ",
                    "# Memory\n",
                    "",
                    "Use tabs.",
                    "\n",
                    CANARY,
                ]);
                let new = self.text(top);
                let many = self.below(2) == 0;
                let args = json!({"file_path": path, "old_string": old, "new_string": new, "allow_multiple": many});
                ("replace", args)
            }
            5 => ("list_directory", json!({"dir_path": path})),
            6 => {
                let pattern = self.pattern(top);
                let args =
                    json!({"pattern": pattern, "dir_path": path, "respect_git_ignore": false});
                let everywhere = json!({"pattern": self.pattern(top)});
                ("glob", if self.below(2) == 0 { args } else { everywhere })
            }
            7 => {
                let pattern = self.pick(&["canary", "Use", ".", "fact|root:", "(", "[^x]*"]);
                let include = self.pattern(top);
                let mut args =
                    json!({"pattern": pattern, "context": 3, "no_ignore": true, "dir_path": path});
                if self.below(2) == 0 {
                    args["include_pattern"] = json!(include);
                }
                if self.below(2) == 0 {
                    args["names_only"] = json!(true);
                }
                if self.below(3) > 0 {
                    args.as_object_mut().unwrap().remove("dir_path");
                }
                ("grep_search", args)
            }
            8 => {
                let include = [path, self.pattern(top)];
                let args = json!({"include": include, "useDefaultExcludes": false, "exclude": [self.pattern(top)]});
                ("read_many_files", args)
            }
            _ => (
                MENTION,
                json!(format!("see @{path} and @{}", self.pattern(top))),
            ),
        }
    }

    fn pattern(&mut self, top: &str) -> String {
        match self.below(3) {
            0 => self.path(top),
            1 => format!("{}*", self.path(top)),
            _ => self
                .pick(&[
                    "**/*",
                    "**/*.md",
                    "*",
                    "**/.gemini/*",
                    "{GEMINI,secret}.md",
                    "**/[!x]*",
                    "../**/*",
                ])
                .to_owned(),
        }
    }
}

const DIRS: [&str; 24] = [
    "..",
    ".",
    "",
    ".gemini",
    ".GEMINI",
    "src",
    "deep",
    "in",
    "out",
    "up",
    "root",
    "linked",
    "far",
    "hard",
    "dir",
    "pipe",
    "loop",
    "dangling",
    ".git",
    "node_modules",
    "agents",
    "new",
    "home",
    "GEMINI.md",
];

const FILES: [&str; 24] = [
    "GEMINI.md",
    "GEMINI.md",
    "GEMINI.md",
    "AGENTS.md",
    "notes.md",
    "x.md",
    "new.md",
    "system.md",
    "settings.json",
    "secret.md",
    "README.md",
    "main.rs",
    "id_rsa",
    "gemini.md",
    "GEMINI.md/",
    "GEMINI.md.bak",
    ".env",
    ".md",
    "config",
    "etc/passwd",
    "",
    "x.md\0",
    "GEMINI.md\n",
    "é.md",
];

const TEXTS: [&str; 8] = [
    "- a fact of nobody",
    "# Memory",
    "see .gemini/x.md",
    "@../secret.md",
    "@.gemini/settings.json",
    "/.gemini/x.md\"",
    "- Use tabs.",
    "",
];
