//! Patterns in rules: regular expressions as JavaScript writes them, and globs on paths.
//!
//! They are matched in linear time and within bounded memory. What JavaScript and our engine read differently is
//! translated where that is sure, and refused where it is not.

mod script;

use std::sync::LazyLock;

use analects_world::AbsPath;
use globset::GlobBuilder;
use regex_automata::meta::{Config, Regex};
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input};

use super::Places;

/// How long a pattern may be, in the units of JavaScript.
const MAX_UNITS: usize = 2048;

/// How much memory one pattern may take when it is compiled.
const MAX_BYTES: usize = 128 * 1024;

/// How much memory the patterns of one file may take.
const MAX_FILE_BYTES: usize = 8 * 1024 * 1024;

/// What the original takes for a quantifier inside another. It refuses these because its engine may take for ever;
/// ours cannot, but a rule should mean the same in both.
static NESTED: LazyLock<Regex> = LazyLock::new(|| {
    compile(r"\([^)]*[*+?{].*\)[*+?{]").expect("invariant: a test refuses nested quantifiers")
});

/// What is left for the patterns of one file.
#[derive(Debug)]
pub(crate) struct Purse(usize);

impl Default for Purse {
    fn default() -> Self {
        Self(MAX_FILE_BYTES)
    }
}

/// A regular expression.
#[derive(Debug, Clone)]
pub(crate) struct Pattern(Regex);

impl Pattern {
    pub(super) fn new(text: &str, purse: &mut Purse) -> Result<Self, String> {
        check_length(text)?;
        let translated = script::translate(text)?;
        let regex = compile(&translated)?;
        if NESTED.is_match(text) {
            return Err("a quantifier on a group that holds another one".to_owned());
        }
        purse.pay(&regex)?;
        Ok(Self(regex))
    }

    /// The same where the original refuses nothing: what it may take for ever to match, ours matches.
    pub(crate) fn anywhere(text: &str, purse: &mut Purse) -> Result<Self, String> {
        check_length(text)?;
        let regex = compile(&script::translate(text)?)?;
        purse.pay(&regex)?;
        Ok(Self(regex))
    }

    /// Whether it is found anywhere in a text.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text.as_bytes())
    }

    /// Whether it is found at the very beginning.
    pub(super) fn is_match_at_start(&self, text: &str) -> bool {
        let input = Input::new(text.as_bytes()).anchored(Anchored::Yes);
        self.0.is_match(input)
    }
}

/// Globs on paths, one of which must match the whole path.
#[derive(Debug, Clone)]
pub(super) struct Globs {
    paths: Vec<Regex>,
    /// The directories of which all is meant: `dir` of `dir/**`.
    dirs: Vec<Regex>,
}

impl Globs {
    pub(super) fn new<'a>(
        globs: impl IntoIterator<Item = &'a str>,
        places: &Places,
        purse: &mut Purse,
    ) -> Result<Self, String> {
        let mut made = Self {
            paths: Vec::new(),
            dirs: Vec::new(),
        };
        for glob in globs {
            check_length(glob)?;
            let glob = placed(glob, places)?;
            made.paths.push(path_regex(&glob, purse)?);
            if let Some(dir) = glob.strip_suffix("/**") {
                let dir = if dir.is_empty() { "/" } else { dir };
                made.dirs.push(path_regex(dir, purse)?);
            }
        }
        match made.paths.is_empty() {
            true => Err("an empty list".to_owned()),
            false => Ok(made),
        }
    }

    pub(super) fn is_match(&self, path: &AbsPath) -> bool {
        is_any(&self.paths, path)
    }

    /// The same, and whether the path is a directory of which everything is meant: to look through it is to look at that.
    pub(super) fn reaches(&self, path: &AbsPath) -> bool {
        self.is_match(path) || is_any(&self.dirs, path)
    }
}

fn path_regex(glob: &str, purse: &mut Purse) -> Result<Regex, String> {
    let glob = GlobBuilder::new(glob)
        .literal_separator(true)
        .backslash_escape(false)
        .build()
        .map_err(|error| error.kind().to_string())?;
    // Its own way to compile would panic where this one answers.
    let regex = compile(glob.regex())?;
    purse.pay(&regex)?;
    Ok(regex)
}

fn is_any(globs: &[Regex], path: &AbsPath) -> bool {
    let mut globs = globs.iter();
    globs.any(|glob| glob.is_match(path.as_str().as_bytes()))
}

impl Purse {
    fn pay(&mut self, regex: &Regex) -> Result<(), String> {
        let left = self.0.checked_sub(regex.memory_usage());
        self.0 = left.ok_or("the patterns of this file take too much memory together")?;
        Ok(())
    }
}

/// A glob with the places filled in. A relative one begins at the project.
fn placed(glob: &str, places: &Places) -> Result<String, String> {
    let below = |dir: &AbsPath, rest: &str| {
        let dir = globset::escape(dir.as_str().trim_end_matches('/'));
        match rest.is_empty() || rest.starts_with('/') {
            true => Ok(dir + rest),
            false => Err("a place is followed by `/` or nothing".to_owned()),
        }
    };
    let named = [
        ("${project}", &places.project),
        ("${plans}", &places.plans),
        ("${home}", &places.home),
        ("~", &places.home),
    ];
    for (name, dir) in named {
        if let Some(rest) = glob.strip_prefix(name) {
            return below(dir, rest);
        }
    }
    match glob {
        "" => Err("an empty pattern".to_owned()),
        _ if glob.contains("${") => {
            Err("an unknown place, or one that is not at the start".to_owned())
        }
        _ if glob.split('/').any(|name| matches!(name, "." | "..")) => {
            Err("`.` and `..` lead nowhere in a pattern".to_owned())
        }
        _ if glob.starts_with('/') => Ok(glob.to_owned()),
        _ => below(&places.project, &format!("/{glob}")),
    }
}

fn check_length(text: &str) -> Result<(), String> {
    match text.encode_utf16().count() > MAX_UNITS {
        true => Err(format!("longer than {MAX_UNITS} characters")),
        false => Ok(()),
    }
}

fn compile(pattern: &str) -> Result<Regex, String> {
    // Without Unicode: its tables may be there or not, and in JavaScript `\w` knows none either.
    let config = Config::new()
        .utf8_empty(false)
        .nfa_size_limit(Some(MAX_BYTES))
        .hybrid_cache_capacity(MAX_BYTES);
    Regex::builder()
        .configure(config)
        .syntax(syntax::Config::new().unicode(false).utf8(false))
        .build(pattern)
        .map_err(|error| match (error.size_limit(), error.syntax_error()) {
            (Some(_), _) => "takes too much memory".to_owned(),
            (_, Some(error)) => {
                // Its last line says what is wrong; the lines before draw it.
                let told = error.to_string();
                let last = told.lines().last().unwrap_or_default();
                last.trim_start_matches("error: ").to_owned()
            }
            _ => "cannot be compiled".to_owned(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> Result<Pattern, String> {
        Pattern::new(text, &mut Purse::default())
    }

    fn globs(glob: &str) -> Result<Globs, String> {
        let path = |text| AbsPath::new(text).unwrap();
        let places = Places {
            project: path("/w/[a]p{p"),
            home: path("/h"),
            plans: path("/h/.gemini/tmp/x/plans"),
        };
        Globs::new([glob], &places, &mut Purse::default())
    }

    #[test]
    fn what_is_not_sure_is_refused() {
        for (text, why) in [
            ("(a+)+", "a quantifier on a group that holds another one"),
            (
                "(?:foo|bar)?",
                "a quantifier on a group that holds another one",
            ),
            ("(", "unclosed group"),
            (
                "(?=x)",
                "look-around, including look-ahead and look-behind, is not supported",
            ),
            (r"(a)\1", "backreferences are not supported"),
            ("a{9}{9}{9}{9}{9}", "takes too much memory"),
            (".{60000}", "takes too much memory"),
        ] {
            let told = pattern(text).map(|_| ()).unwrap_err();
            assert!(told.starts_with(why), "{text}: {told}");
        }
        assert!(pattern(r"\p{L}").is_err());
        assert!(pattern(&"a".repeat(2049)).is_err());
        assert!(pattern(&"a".repeat(2048)).is_ok());
    }

    #[test]
    fn a_file_has_one_purse() {
        let mut purse = Purse::default();
        let made = (0..10_000).map(|_| Pattern::new("[a-z]{900}", &mut purse));
        let n_made = made.take_while(Result::is_ok).count();
        assert!((10..10_000).contains(&n_made), "{n_made}");
    }

    #[test]
    fn globs_match_whole_paths() {
        for (glob, path, is_match) in [
            ("/**/.env", "/a/b/.env", true),
            ("/**/.env", "/.env", true),
            ("/**/.env", "/a/.env.local", false),
            ("/a/*.md", "/a/b.md", true),
            ("/a/*.md", "/a/b/c.md", false),
            ("/a/**", "/a/b/c", true),
            ("/a/**", "/ab", false),
            ("src/**", "/w/[a]p{p/src/x.rs", true),
            ("src/**", "/w/ap/src/x.rs", false),
            ("**/*.md", "/w/[a]p{p/x.md", true),
            ("${project}/*", "/w/[a]p{p/x", true),
            ("${plans}/*.md", "/h/.gemini/tmp/x/plans/a.md", true),
            ("${plans}/*.md", "/h/.gemini/tmp/x/plans/../b.md", false),
            ("~/.ssh/**", "/h/.ssh/id", true),
            ("/a\\*", "/a\\b", true),
        ] {
            let found = globs(glob).unwrap().is_match(&AbsPath::new(path).unwrap());
            assert_eq!(found, is_match, "{glob} on {path}");
        }
        for (glob, path, reaches) in [
            ("/a/**", "/a", true),
            ("/a/**", "/a/b", true),
            ("/a/**", "/ab", false),
            ("/a/**/x", "/a", false),
            ("/a/*", "/a", false),
            ("src/**", "/w/[a]p{p/src", true),
            ("/**", "/", true),
        ] {
            let path = AbsPath::new(path).unwrap();
            assert_eq!(
                globs(glob).unwrap().reaches(&path),
                reaches,
                "{glob} on {path}"
            );
            assert!(path.as_str() != "/a" || !globs(glob).unwrap().is_match(&path));
        }
        for bad in [
            "",
            "a/../b",
            "./a",
            "${plan}/x",
            "x${home}",
            "~u/x",
            "/a[",
            "/a{b",
        ] {
            assert!(globs(bad).is_err(), "{bad}");
        }
    }
}
