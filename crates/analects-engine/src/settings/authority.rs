//! Who may set a setting, and what a workspace's own settings may do to it.
//!
//! A workspace is whatever was cloned, so its settings are text from outside. A setting that guards the user, or that
//! decides what is kept, sent or paid for, is the user's alone. The others a workspace may make stricter, or set. There is
//! no default: every [`Key`](super::keys::Key) states its authority.

use super::keys::Setting;

/// Who may set a setting.
#[derive(Debug, Clone, Copy)]
pub enum SettingAuthority {
    /// The user and the administrator. A workspace's value is ignored and reported.
    UserOnly,
    /// A workspace may only make it stricter, as the rule defines.
    WorkspaceMayTighten(TighteningRule),
    /// A workspace may set any value.
    Workspace,
}

/// What counts as stricter for one setting.
#[derive(Debug, Clone, Copy)]
pub enum TighteningRule {
    /// A smaller number. No number at all is no limit, so any number is smaller.
    SmallerNumber,
    /// `true` where it was `false`.
    SwitchOn,
    /// A word of an earlier or the same rank, strictest first.
    StricterWord(WordRanks),
    /// More names in a list that restricts.
    LongerList,
    /// Names of what the workspace itself brings. Nothing of the user's is affected, so these names are kept apart from
    /// the user's list.
    OwnItems,
    /// Names of Markdown files, or relative paths of such files, that stay inside the project.
    MarkdownFiles,
    /// Relative paths that stay inside the working directory.
    PathsInside,
}

/// The words of a setting, strictest first; words of one rank mean the same.
#[derive(Debug, Clone, Copy)]
pub struct WordRanks {
    /// The ranks.
    pub strictest_first: &'static [&'static [&'static str]],
    /// The word that counts while the setting has no value.
    pub unset: &'static str,
}

/// Why a workspace's value does not count where only the user's does.
pub(super) const USER_ONLY: &str = "only your own settings can set it";

/// What remains of a value that a workspace wants.
#[derive(Debug, Default, PartialEq)]
pub(super) struct AdmittedValue {
    /// What counts of it; none if nothing does.
    pub(super) value: Option<Setting>,
    /// Names that count for what the workspace itself brings, and for nothing else.
    pub(super) own_items: Option<Vec<String>>,
    /// Why the rest of it does not count, one reason for each part.
    pub(super) refusals: Vec<String>,
}

impl SettingAuthority {
    /// Describes for the reference what a workspace may do.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            Self::UserOnly => "ignored: only your own settings can set it",
            Self::WorkspaceMayTighten(rule) => match rule {
                TighteningRule::SmallerNumber => "may only set a smaller number",
                TighteningRule::SwitchOn => "may only switch it on",
                TighteningRule::StricterWord(_) => "may only choose a stricter word",
                TighteningRule::LongerList => "may only add to the list",
                TighteningRule::OwnItems => "counts only for what the workspace itself brings",
                TighteningRule::MarkdownFiles => {
                    "may only name Markdown files inside the project, and none of yours"
                }
                TighteningRule::PathsInside => {
                    "may only add relative paths inside its working directory"
                }
            },
            Self::Workspace => "may set it",
        }
    }

    /// The word for `config show --json`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UserOnly => "user",
            Self::WorkspaceMayTighten(_) => "tighten",
            Self::Workspace => "workspace",
        }
    }

    /// Decides how much of a value that a workspace wants counts, where `current` is in force without it.
    pub(super) fn admit(self, current: &Setting, wanted: Setting) -> AdmittedValue {
        match self {
            Self::Workspace => AdmittedValue::all(wanted),
            Self::UserOnly if *current == wanted => AdmittedValue::default(),
            Self::UserOnly => AdmittedValue::none(USER_ONLY),
            Self::WorkspaceMayTighten(rule) => rule.admit(current, wanted),
        }
    }
}

impl TighteningRule {
    fn admit(self, current: &Setting, wanted: Setting) -> AdmittedValue {
        match (self, wanted) {
            (Self::MarkdownFiles, Setting::List(names)) => {
                AdmittedValue::each(names, current, why_not_markdown_file)
            }
            (Self::PathsInside, Setting::List(paths)) => {
                AdmittedValue::each(paths, current, why_not_inside)
            }
            (Self::OwnItems, Setting::List(names)) => AdmittedValue {
                own_items: Some(names),
                ..AdmittedValue::default()
            },
            (Self::LongerList, wanted @ Setting::List(_)) => AdmittedValue::all(wanted),
            (_, wanted) if *current == wanted => AdmittedValue::default(),
            (Self::SmallerNumber, wanted) if is_smaller(&wanted, current) => {
                AdmittedValue::all(wanted)
            }
            (Self::SwitchOn, wanted @ Setting::Flag(true)) => AdmittedValue::all(wanted),
            (Self::StricterWord(ranks), wanted) if ranks.is_stricter(&wanted, current) => {
                AdmittedValue::all(wanted)
            }
            _ => AdmittedValue::none(self.refusal()),
        }
    }

    fn refusal(self) -> &'static str {
        match self {
            Self::SmallerNumber => "a workspace may only set a smaller number than you do",
            Self::SwitchOn => "a workspace may not switch it off",
            Self::StricterWord(_) => "a workspace may only choose something stricter than you do",
            Self::LongerList | Self::OwnItems | Self::MarkdownFiles | Self::PathsInside => {
                "a workspace may only give a list here"
            }
        }
    }
}

impl AdmittedValue {
    fn all(value: Setting) -> Self {
        Self {
            value: Some(value),
            ..Self::default()
        }
    }

    fn none(reason: &str) -> Self {
        Self {
            refusals: vec![reason.to_owned()],
            ..Self::default()
        }
    }

    /// Keeps the names that the user gave already, and those that nothing speaks against; a list of which none remains
    /// does not count.
    fn each(
        names: Vec<String>,
        current: &Setting,
        why_not: impl Fn(&str) -> Option<&'static str>,
    ) -> Self {
        let is_users =
            |name: &String| matches!(current, Setting::List(list) if list.contains(name));
        let mut admitted = Self::default();
        let mut kept = Vec::new();
        for name in names {
            match why_not(&name).filter(|_| !is_users(&name)) {
                None => kept.push(name),
                Some(reason) => admitted.refusals.push(format!("`{name}` {reason}")),
            }
        }
        if !kept.is_empty() {
            admitted.value = Some(Setting::List(kept));
        }
        admitted
    }
}

impl WordRanks {
    fn is_stricter(self, wanted: &Setting, current: &Setting) -> bool {
        let rank = |setting: &Setting| {
            let word = match setting {
                Setting::Text(word) => word.as_str(),
                _ => self.unset,
            };
            let mut ranks = self.strictest_first.iter();
            ranks.position(|words| words.contains(&word))
        };
        match (rank(wanted), rank(current)) {
            (Some(wanted), Some(current)) => wanted <= current,
            _ => false,
        }
    }
}

fn is_smaller(wanted: &Setting, current: &Setting) -> bool {
    match (wanted, current) {
        (Setting::Count(wanted), Setting::Count(current)) => wanted < current,
        (Setting::Count(_), _) => true,
        _ => false,
    }
}

/// Endings of Markdown files.
const MARKDOWN: [&str; 3] = [".md", ".markdown", ".mdc"];

/// Why a workspace may not call this a memory file; none if it may.
fn why_not_markdown_file(name: &str) -> Option<&'static str> {
    let lower = name.to_lowercase();
    let is_markdown = MARKDOWN
        .iter()
        .any(|ending| lower.len() > ending.len() && lower.ends_with(ending));
    if let Some(reason) = why_not_inside(name) {
        return Some(reason);
    }
    if !is_markdown {
        return Some("is not the name of a Markdown file");
    }
    let is_git = |part: &str| part.eq_ignore_ascii_case(".git");
    name.split('/')
        .any(is_git)
        .then_some("lies in a control directory")
}

/// Why this is not a relative path that stays inside the directory it is seen from; none if it is. A backslash separates
/// names for other programs that read the same file, so it is refused like what it could hide.
fn why_not_inside(path: &str) -> Option<&'static str> {
    if path.starts_with(['/', '~']) || path.contains(':') {
        return Some("is not a relative path inside the project");
    }
    if path.contains('\\') || path.chars().any(char::is_control) {
        return Some("contains a backslash or a control character");
    }
    path.split('/')
        .any(|part| part.trim() == "..")
        .then_some("leads out of the project")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(word: &str) -> Setting {
        Setting::Text(word.to_owned())
    }

    const RULES: WordRanks = WordRanks {
        strictest_first: &[&["off"], &["some", "Some"], &["all"]],
        unset: "some",
    };

    #[test]
    fn a_number_may_only_become_smaller() {
        let rule = TighteningRule::SmallerNumber;
        let cases = [
            (Setting::Count(5), Setting::Count(4), true),
            (Setting::Count(5), Setting::Count(6), false),
            (Setting::Count(5), Setting::Unset, false),
            (Setting::Unset, Setting::Count(6), true),
        ];
        for (current, wanted, is_admitted) in cases {
            let admitted = rule.admit(&current, wanted.clone());
            assert_eq!(admitted.value.is_some(), is_admitted, "{wanted:?}");
            assert_eq!(admitted.refusals.is_empty(), is_admitted, "{wanted:?}");
        }
    }

    #[test]
    fn a_word_may_only_become_stricter() {
        let is_admitted = |current: &Setting, wanted: &str| {
            let rule = TighteningRule::StricterWord(RULES);
            rule.admit(current, text(wanted)).value.is_some()
        };
        assert!(is_admitted(&text("all"), "Some") && is_admitted(&text("some"), "off"));
        assert!(is_admitted(&Setting::Unset, "some") && is_admitted(&text("some"), "Some"));
        assert!(!is_admitted(&Setting::Unset, "all") && !is_admitted(&text("off"), "some"));
        assert!(!is_admitted(&text("all"), "unheard of"));
    }

    #[test]
    fn a_switch_is_switched_one_way() {
        let rule = TighteningRule::SwitchOn;
        let [on, off] = [true, false].map(Setting::Flag);
        assert!(rule.admit(&off, on.clone()).value.is_some());
        assert_eq!(rule.admit(&on, off).refusals.len(), 1);
        let same = rule.admit(&on, on.clone());
        assert_eq!(same, AdmittedValue::default(), "nothing changes");
    }

    #[test]
    fn only_markdown_files_inside_are_named_as_memory() {
        for name in [
            "TEAM.md",
            "docs/RULES.markdown",
            ".cursor/rules/all.mdc",
            ".github/copilot-instructions.md",
            "a..b.MD",
        ] {
            assert_eq!(why_not_markdown_file(name), None, "{name}");
        }
        for name in [
            ".bashrc",
            ".ssh/id_rsa",
            ".gemini/.env",
            "key.pem",
            "notes.md.key",
            "../x.md",
            "a/../../x.md",
            "a/.. /x.md",
            "/etc/x.md",
            "~/x.md",
            "~root/x.md",
            "..\\..\\x.md",
            "a\\x.md",
            "C:x.md",
            "x.md\0",
            "x\n.md",
            ".git/x.md",
            "sub/.GIT/x.md",
            ".md",
            "",
        ] {
            assert!(why_not_markdown_file(name).is_some(), "{name}");
        }
    }
}
