//! Reads the rules, each as far and as late as it is needed.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use regex_automata::Input;
use regex_automata::meta::Regex;
use regex_automata::util::syntax;
use toml::de::{DeTable, DeValue};

use super::gate::{self, Gate, Oddity, RunShape, Span};
use super::judge::{self, Judge, Words};
use super::value::{LOOKED_AT_BYTES, Value};

static BUILT_IN: LazyLock<RuleSet> =
    LazyLock::new(|| RuleSet::new(include_str!("../../rules/secrets.toml")));

pub(super) static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let file = parse(include_str!("../../rules/words.toml"));
    let words = |key: &str| {
        let text = string(&file, key).unwrap_or_default();
        text.split_whitespace().map(str::to_owned).collect()
    };
    Words {
        technical: words("technical"),
        standards: words("standards"),
        nouns: words("nouns"),
        units: words("units"),
        prose: words("prose"),
    }
});

/// How much of what stands before a match may excuse it: `next_page_` before `token:`.
const BEFORE_BYTES: usize = 40;

/// Below this many bits per byte a value is a placeholder: `xxxx`, `00000000`.
const MIN_ENTROPY: f64 = 2.5;

pub(super) struct RuleSet {
    rules: Vec<Rule>,
    gate: Gate,
    /// The part of the file that holds for all rules.
    allow: &'static str,
    placeholders: OnceLock<Placeholders>,
}

/// A rule, read as far as it was needed.
pub(super) struct Rule {
    pub(super) id: &'static str,
    /// Its table in the file.
    table: &'static str,
    body: OnceLock<Body>,
}

/// All that a rule says.
pub(super) struct Body {
    pub(super) description: String,
    /// Whether the secret is the value after the match.
    pub(super) follows: bool,
    regex: Lazy,
    group: usize,
    min_entropy: f64,
    judge: Judge,
    span: Span,
    is_plain: bool,
    allow: Lazy,
    stopwords: Vec<String>,
}

struct Placeholders {
    stopwords: Vec<String>,
    regex: Lazy,
}

/// An expression that is compiled when it is first needed.
struct Lazy {
    pattern: String,
    regex: OnceLock<Regex>,
}

impl RuleSet {
    pub(super) fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// Reads names and keywords only: to parse the whole file would cost a short-lived process more
    /// than all it does with a text. A test reads the file the long way and compares.
    fn new(file: &'static str) -> Self {
        let mut tables = file.split("[[rule]]\n");
        let allow = tables.next().unwrap_or_default();
        let rules: Vec<_> = tables.map(Rule::new).collect();
        let numbered = || rules.iter().enumerate();
        let gate = Gate::new(
            numbered().flat_map(|(at, rule)| rule.keywords().map(move |word| (word, at))),
            numbered().flat_map(|(at, rule)| rule.runs().map(move |run| (run, at))),
        );
        Self {
            rules,
            gate,
            allow,
            placeholders: OnceLock::new(),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter()
    }

    pub(super) fn get(&self, at: usize) -> Option<&Rule> {
        self.rules.get(at)
    }

    pub(super) fn knows(&self, id: &str) -> bool {
        self.rules.iter().any(|rule| rule.id == id)
    }

    /// The rules that could find something in `bytes`, which have these long runs, each with where to look, in order and without overlap.
    pub(super) fn suspects(
        &self,
        bytes: &[u8],
        runs: &[Range<usize>],
    ) -> Vec<(usize, Vec<Range<usize>>)> {
        let mut windows = vec![Vec::new(); self.rules.len()];
        let mut add_window = |rule: usize, at| {
            if let (Some(rule), Some(windows)) = (self.rules.get(rule), windows.get_mut(rule)) {
                gate::widen(windows, bytes, at, rule.body().span);
            }
        };
        self.gate.each_hit(bytes, &mut add_window);
        self.gate.each_run(bytes, runs, &mut add_window);
        // Several rules look at the same lines.
        let mut oddities = HashMap::new();
        for (rule, windows) in self.rules.iter().zip(&mut windows) {
            windows.retain(|window| {
                let seen = || Oddity::of(bytes.get(window.clone()).unwrap_or_default());
                let oddity = oddities.entry(window.clone()).or_insert_with(seen);
                rule.body().is_plain || oddity.concerns(rule.body().judge)
            });
        }
        let windows = windows.into_iter().enumerate();
        windows.filter(|(_, windows)| !windows.is_empty()).collect()
    }

    /// Whether `secret`, found by `rule` in the match `whole`, is one.
    pub(super) fn accepts(
        &self,
        rule: &Body,
        bytes: &[u8],
        whole: Range<usize>,
        secret: &Value,
    ) -> bool {
        let value = bytes.get(secret.range.clone()).unwrap_or_default();
        let value = value.get(..LOOKED_AT_BYTES).unwrap_or(value);
        if value.is_empty() || judge::entropy(value) < rule.min_entropy {
            return false;
        }
        // The cut may have split a character.
        let value = String::from_utf8_lossy(value);
        judge::accepts(rule.judge, &value, secret.is_quoted, &WORDS)
            && !self.is_placeholder(rule, &value)
            && !rule.is_allowed(bytes, whole)
    }

    fn is_placeholder(&self, rule: &Body, value: &str) -> bool {
        let placeholders = self.placeholders();
        // A long secret contains any short word by chance.
        if value.len() < LOOKED_AT_BYTES {
            let lower = value.to_ascii_lowercase();
            let mut stopwords = placeholders.stopwords.iter().chain(&rule.stopwords);
            if stopwords.any(|word| lower.contains(word)) {
                return true;
            }
        }
        placeholders.regex.is_match(value.as_bytes())
    }

    fn placeholders(&self) -> &Placeholders {
        self.placeholders.get_or_init(|| {
            let file = parse(self.allow);
            let section = file.get("allow").and_then(|it| it.get_ref().as_table());
            let strings = |key: &str| section.map_or_else(Vec::new, |it| strings(it, key));
            Placeholders {
                stopwords: strings("stopwords"),
                regex: Lazy::any(&strings("regexes")),
            }
        })
    }
}

impl Rule {
    fn new(table: &'static str) -> Self {
        Self {
            id: quoted(table, "id = ").next().unwrap_or_default(),
            table,
            body: OnceLock::new(),
        }
    }

    fn keywords(&self) -> impl Iterator<Item = &'static str> + use<> {
        quoted(self.table, "\nkeywords = ")
    }

    /// The runs that lead to this rule without a keyword; see `rules/secrets.toml`.
    fn runs(&self) -> impl Iterator<Item = RunShape> + use<> {
        quoted(self.table, "\nruns = ").filter_map(RunShape::parse)
    }

    pub(super) fn body(&self) -> &Body {
        self.body.get_or_init(|| Body::new(&parse(self.table)))
    }
}

impl Body {
    fn new(table: &DeTable<'_>) -> Self {
        let value = |key: &str| table.get(key).map(|it| it.get_ref());
        let is_set = |key: &str| value(key).and_then(DeValue::as_bool) == Some(true);
        let group = value("secret-group").and_then(|it| it.as_integer()?.as_str().parse().ok());
        let entropy = value("entropy").and_then(|it| it.as_float()?.as_str().parse().ok());
        let is_text = value("span").and_then(DeValue::as_str) == Some("text");
        Self {
            description: string(table, "description").unwrap_or_default(),
            follows: is_set("follow"),
            regex: Lazy::any(&string(table, "regex").into_iter().collect::<Vec<_>>()),
            group: group.unwrap_or(0),
            min_entropy: entropy.unwrap_or(MIN_ENTROPY),
            judge: match value("judge").and_then(DeValue::as_str) {
                Some("random") => Judge::Random,
                Some("password") => Judge::Password,
                Some("token") => Judge::Token,
                Some("strong") => Judge::Strong,
                _ => Judge::Any,
            },
            span: if is_text { Span::Text } else { Span::Line },
            is_plain: is_set("plain"),
            allow: Lazy::any(&strings(table, "allow")),
            stopwords: strings(table, "stopwords"),
        }
    }

    /// The first match in `bytes` from `from` on, and the secret in it.
    pub(super) fn find(&self, bytes: &[u8], from: usize) -> Option<(Range<usize>, Range<usize>)> {
        if from > bytes.len() {
            return None;
        }
        let regex = self.regex.get();
        if self.group == 0 {
            let whole = regex.find(Input::new(bytes).range(from..))?.range();
            return Some((whole.clone(), whole));
        }
        let mut found = regex.create_captures();
        regex.captures(Input::new(bytes).range(from..), &mut found);
        let whole = found.get_match()?.range();
        // An expression of several kinds has a group for each, or none for a kind that is all secret.
        let secret = (self.group..found.group_len()).find_map(|group| found.get_group(group));
        let secret = secret.map_or(whole.clone(), |it| it.range());
        Some((whole, secret))
    }

    /// Whether what was matched is known to be no secret.
    fn is_allowed(&self, bytes: &[u8], whole: Range<usize>) -> bool {
        let start = whole.start.saturating_sub(BEFORE_BYTES);
        let seen = bytes.get(start..whole.end).unwrap_or_default();
        self.allow.is_match(seen)
    }
}

impl Lazy {
    /// What any of `patterns` matches; nothing if there is none.
    fn any(patterns: &[String]) -> Self {
        Self {
            pattern: patterns.join("|"),
            regex: OnceLock::new(),
        }
    }

    fn is_match(&self, bytes: &[u8]) -> bool {
        !self.pattern.is_empty() && self.get().is_match(Input::new(bytes))
    }

    fn get(&self) -> &Regex {
        self.regex.get_or_init(|| {
            // The gate has found the place already: to look for literals once more only makes the
            // compilation dearer.
            let config = Regex::config().auto_prefilter(false).utf8_empty(false);
            Regex::builder()
                .configure(config)
                .syntax(syntax::Config::new().unicode(false).utf8(false))
                .build(&self.pattern)
                .expect("invariant: a test compiles every built-in expression")
        })
    }
}

/// The quoted strings on the line of `table` that starts with `key`; there are no escapes in them.
fn quoted(table: &'static str, key: &str) -> impl Iterator<Item = &'static str> + use<> {
    let line = table
        .split_once(key)
        .and_then(|(_, rest)| rest.lines().next());
    line.unwrap_or_default().split('"').skip(1).step_by(2)
}

fn parse(text: &'static str) -> DeTable<'static> {
    let file = DeTable::parse(text).expect("invariant: a test parses the built-in files");
    file.into_inner()
}

fn string(table: &DeTable<'_>, key: &str) -> Option<String> {
    table.get(key)?.get_ref().as_str().map(str::to_owned)
}

fn strings(table: &DeTable<'_>, key: &str) -> Vec<String> {
    let values = table.get(key).and_then(|it| it.get_ref().as_array());
    let values = values.into_iter().flatten();
    let strings = values.filter_map(|it| it.get_ref().as_str());
    strings.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: [&str; 13] = [
        "id",
        "description",
        "keywords",
        "runs",
        "regex",
        "secret-group",
        "entropy",
        "judge",
        "follow",
        "span",
        "plain",
        "allow",
        "stopwords",
    ];
    const JUDGES: [&str; 4] = ["random", "password", "token", "strong"];

    #[test]
    fn the_file_read_the_long_way_says_the_same() {
        let file = parse(include_str!("../../rules/secrets.toml"));
        let tables = file.get("rule").unwrap().get_ref().as_array().unwrap();
        let rules = RuleSet::built_in();
        assert_eq!(tables.len(), rules.rules.len());
        for (table, rule) in tables.iter().zip(rules.iter()) {
            let table = table.get_ref().as_table().unwrap();
            assert_eq!(string(table, "id").as_deref(), Some(rule.id));
            let keywords = strings(table, "keywords");
            assert_eq!(keywords, rule.keywords().collect::<Vec<_>>());
            let runs = strings(table, "runs");
            assert_eq!(runs.len(), rule.runs().count(), "{}", rule.id);
            let is_fit =
                |it: &String| it.len() >= Gate::MIN_BYTES && *it == it.to_ascii_lowercase();
            // Windows are made in order, so a rule has one source of them.
            assert_ne!(keywords.is_empty(), runs.is_empty(), "{}", rule.id);
            assert!(keywords.iter().all(is_fit), "{}", rule.id);
            let is_known = |key: &str| KEYS.contains(&key);
            assert!(
                table.keys().all(|key| is_known(key.get_ref())),
                "{}",
                rule.id
            );
            let judge = string(table, "judge");
            assert!(
                judge.is_none_or(|it| JUDGES.contains(&it.as_str())),
                "{}",
                rule.id
            );
        }
    }

    #[test]
    fn every_built_in_expression_compiles_and_has_its_group() {
        let rules = RuleSet::built_in();
        assert!(rules.placeholders().regex.is_match(b"changeme"));
        for rule in rules.iter() {
            let body = rule.body();
            assert!(
                body.regex.get().group_info().all_group_len() > body.group,
                "{}",
                rule.id
            );
            assert!(!body.regex.is_match(b""), "{} matches nothing", rule.id);
            assert!(!body.allow.is_match(b""), "{} allows everything", rule.id);
            assert!(!body.description.is_empty(), "{} is not described", rule.id);
        }
        assert!(WORDS.nouns.contains("encoder") && WORDS.prose.contains("to"));
    }

    #[test]
    fn every_name_is_its_own_and_fits_into_a_mark() {
        let ids: Vec<_> = RuleSet::built_in().iter().map(|rule| rule.id).collect();
        let unique: std::collections::BTreeSet<_> = ids.iter().collect();
        assert_eq!(unique.len(), ids.len());
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let fits = |id: &&str| !id.is_empty() && id.len() < 60 && id.chars().all(is_plain);
        assert!(ids.iter().all(fits));
    }

    #[test]
    fn a_rule_sees_the_lines_of_its_keywords_only() {
        let text = b"first\nhere is ghp_ twice: ghp_1\nlast\n";
        let found = RuleSet::built_in().suspects(text, &[]);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].1.len(), found[0].1[0].clone()), (1, 6..31));
    }
}
