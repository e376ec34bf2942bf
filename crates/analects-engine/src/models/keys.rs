//! Keys and addresses: from the environment, or from `~/.gemini/.env`.
//!
//! Never from a project: neither its `.env` files nor its settings have a say in who gets a key. What the environment
//! sets, even to nothing, the file does not change.

use analects_text::decode::{Cut, decode};
use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::files::{Trouble, Want, Within};
use analects_world::models::Secret;

use super::dotenv;
use crate::{World, codes};

/// Opens the Gemini API.
pub(crate) const GEMINI_KEY: &str = "GEMINI_API_KEY";
/// Where the Gemini API is, without its version.
pub(crate) const GEMINI_URL: &str = "GOOGLE_GEMINI_BASE_URL";
/// Opens Anthropic's API.
pub(crate) const ANTHROPIC_KEY: &str = "ANTHROPIC_API_KEY";
/// Where Anthropic's API is, without its version.
pub(crate) const ANTHROPIC_URL: &str = "ANTHROPIC_BASE_URL";
/// Opens OpenAI's API, or one like it.
pub(crate) const OPENAI_KEY: &str = "OPENAI_API_KEY";
/// Where OpenAI's API is, or one like it, with its version.
pub(crate) const OPENAI_URL: &str = "OPENAI_BASE_URL";
/// Where Ollama listens.
pub(crate) const OLLAMA_HOST: &str = "OLLAMA_HOST";

/// Everything that is read.
pub(crate) const NAMES: [&str; 7] = [
    GEMINI_KEY,
    GEMINI_URL,
    ANTHROPIC_KEY,
    ANTHROPIC_URL,
    OPENAI_KEY,
    OPENAI_URL,
    OLLAMA_HOST,
];

/// Keys and addresses that are set. Shows no value to anybody who does not ask for it by name.
#[derive(Debug, Default)]
pub(crate) struct Keys(Vec<Told>);

/// A key or an address.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    /// The variable.
    pub name: &'static str,
    /// Its value. Addresses are no secrets, but people write passwords into them.
    pub value: Secret,
    /// Who set it.
    pub source: Source,
}

/// Who set a key or an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// The environment.
    Environment,
    /// `~/.gemini/.env`.
    File,
}

impl Source {
    /// How people call it.
    #[must_use]
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Environment => "environment",
            Self::File => "~/.gemini/.env",
        }
    }
}

impl Keys {
    /// What a variable is set to.
    #[must_use]
    pub(crate) fn get(&self, name: &str) -> Option<&Told> {
        self.0.iter().find(|told| told.name == name)
    }

    /// All that are set.
    #[must_use]
    pub(crate) fn all(&self) -> &[Told] {
        &self.0
    }
}

/// Reads what is set, and tells what is wrong with it.
#[must_use]
pub(crate) fn read(world: &World<'_>) -> (Keys, Vec<Problem>) {
    let mut problems = Vec::new();
    let path = world.around.global_dir().join(".env");
    let file = file(world, &path, &mut problems);
    let mut is_open = false;
    let mut keys = Vec::new();
    for name in NAMES {
        let (value, source) = match world.around.vars.get(name) {
            Some(value) => (Some(value.clone()), Source::Environment),
            None => {
                let text = file.as_ref().map(|file| file.text.as_str());
                let value = text.and_then(|text| dotenv::value(text, name));
                (value, Source::File)
            }
        };
        let value = value.unwrap_or_default();
        let counts = source == Source::Environment || file.as_ref().is_some_and(|it| it.is_private);
        match value.trim() {
            "" => {}
            _ if !counts => is_open = true,
            value if is_plain(value) => keys.push(Told {
                name,
                value: Secret::new(value),
                source,
            }),
            _ => {
                let message = format!("`{name}` holds characters that no key or address has");
                let problem = Problem::new(&codes::BAD_KEY, message);
                problems.push(match source {
                    Source::Environment => problem,
                    Source::File => problem.in_file(&path),
                });
            }
        }
    }
    if is_open {
        let message = "others on this machine may read or change it, so nothing in it counts: `chmod 600` mends that";
        problems.push(Problem::new(&codes::OPEN_KEYS, message).in_file(&path));
    }
    (Keys(keys), problems)
}

/// Keys are short; more than this is a mistake.
const LIMIT_BYTES: usize = 64 * 1024;

/// Nobody has a key as long as this.
const MAX_VALUE_BYTES: usize = 8 * 1024;

/// Whether it can stand in the head of a request.
fn is_plain(value: &str) -> bool {
    value.len() <= MAX_VALUE_BYTES && value.bytes().all(|byte| byte.is_ascii_graphic())
}

/// The user's own file. Whoever else may write to it could send the user's words elsewhere, and whoever may read it has
/// the keys: one that is not the user's alone does not count.
struct File {
    text: String,
    is_private: bool,
}

fn file(world: &World<'_>, path: &AbsPath, problems: &mut Vec<Problem>) -> Option<File> {
    let want = Want {
        path,
        // The user's own files may be links into a dotfiles repository.
        within: Within::Anywhere,
        limit_bytes: LIMIT_BYTES,
    };
    let bad = |message: String| Problem::new(&codes::BAD_KEY_FILE, message).in_file(path);
    let blob = match world.files.read_one(want) {
        Ok(blob) => blob,
        Err(Trouble::Missing | Trouble::NotDir) => return None,
        Err(trouble) => {
            problems.push(bad(format!("no key is read from it: {trouble}")));
            return None;
        }
    };
    if blob.is_cut() {
        let message = format!("no key is read from it: larger than {LIMIT_BYTES} bytes");
        problems.push(bad(message));
        return None;
    }
    Some(File {
        text: decode(&blob.bytes, Cut::Whole).text.into_owned(),
        is_private: blob.is_private,
    })
}

#[cfg(test)]
mod tests {
    use analects_testkit::{FakeDesk, show_problems, surroundings};
    use expect_test::{Expect, expect};

    use super::*;

    fn check_on(desk: &FakeDesk, vars: &[(&str, &str)], expected: Expect) {
        let around = surroundings("/w", "/h", vars);
        let (keys, problems) = read(&desk.world(&around));
        let line = |told: &Told| {
            let value = told.value.expose();
            format!("{}={value} ({})\n", told.name, told.source.as_str())
        };
        let shown: String = keys.all().iter().map(line).collect();
        expected.assert_eq(&(shown + &show_problems(&problems)));
    }

    fn check(tree: &str, vars: &[(&str, &str)], expected: Expect) {
        check_on(&FakeDesk::parse(tree), vars, expected);
    }

    #[test]
    fn the_environment_comes_before_the_file_and_may_set_nothing() {
        check(
            "//- /h/.gemini/.env\n# mine\nexport GEMINI_API_KEY='in file'\nOPENAI_API_KEY=\"f1\" # old\nANTHROPIC_API_KEY=f2\nOTHER=x\n",
            &[
                ("OPENAI_API_KEY", " e1 "),
                ("ANTHROPIC_API_KEY", ""),
                ("OLLAMA_HOST", "box:1"),
            ],
            expect![[r#"
                OPENAI_API_KEY=e1 (environment)
                OLLAMA_HOST=box:1 (environment)
                ! bad-key: /h/.gemini/.env: `GEMINI_API_KEY` holds characters that no key or address has
            "#]],
        );
    }

    #[test]
    fn a_project_has_no_keys_to_give() {
        let keys = "GEMINI_API_KEY=evil\nOPENAI_BASE_URL=https://evil.example/v1\n";
        let json = r#"{"GEMINI_API_KEY": "evil", "model": {"apiKey": "evil"}, "env": {"GEMINI_API_KEY": "evil"}}"#;
        check(
            &format!(
                "//- /w/.git/\n//- /w/.env\n{keys}//- /w/.gemini/.env\n{keys}//- /.env\n{keys}//- /h/.env\n{keys}\
                 //- /w/.gemini/settings.json\n{json}\n//- /w/.gemini/analects.json\n{json}\n"
            ),
            &[],
            expect![""],
        );
    }

    #[test]
    fn a_file_that_others_may_read_does_not_count_and_that_is_told() {
        let desk = FakeDesk::parse("//- /h/.gemini/.env\nGEMINI_API_KEY=k\n");
        desk.publish("/h/.gemini/.env");
        check_on(
            &desk,
            &[],
            expect![[r#"
                ! open-keys: /h/.gemini/.env: others on this machine may read or change it, so nothing in it counts: `chmod 600` mends that
            "#]],
        );
        // Nothing of it is used, so there is nothing to keep.
        check_on(&desk, &[("GEMINI_API_KEY", "")], expect![""]);
    }

    #[test]
    fn what_is_no_file_or_too_large_is_a_problem() {
        check(
            "//- /h/.gemini/.env (special)\n",
            &[],
            expect![[r#"
                ! bad-key-file: /h/.gemini/.env: no key is read from it: not a regular file
            "#]],
        );
        check(
            &format!(
                "//- /h/.gemini/.env\nGEMINI_API_KEY=k\n{}",
                "#\n".repeat(LIMIT_BYTES)
            ),
            &[],
            expect![[r#"
                ! bad-key-file: /h/.gemini/.env: no key is read from it: larger than 65536 bytes
            "#]],
        );
        check(
            "//- /h/.gemini/.env\nGEMINI_API_KEY=\u{fffd}k\n",
            &[],
            expect![[r#"
            ! bad-key: /h/.gemini/.env: `GEMINI_API_KEY` holds characters that no key or address has
        "#]],
        );
    }

    #[test]
    fn nothing_shows_a_key() {
        let desk = FakeDesk::parse("//- /h/.gemini/.env\nGEMINI_API_KEY=hush\n");
        let around = surroundings(
            "/w",
            "/h",
            &[("OPENAI_API_KEY", "hush"), ("OLLAMA_HOST", "hu sh")],
        );
        let shown = format!("{:?}", read(&desk.world(&around)));
        assert!(
            !shown.contains("hush") && !shown.contains("hu sh"),
            "{shown}"
        );
        assert!(shown.contains(GEMINI_KEY) && shown.contains(OPENAI_KEY));
    }
}
