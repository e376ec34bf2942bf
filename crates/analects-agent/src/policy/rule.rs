//! One rule: which calls it is about, and what it says of them.

use std::fmt;

use serde_json::Value;

use super::command::{CommandRule, Part};
use super::pattern::{Globs, Pattern};
use super::protected::ControlFiles;
use super::seen::Seen;
use super::tool::Name;
use super::{Asked, Decision, Mode, Tier};

/// One rule.
#[derive(Debug, Clone)]
pub struct Rule {
    pub(super) decision: Decision,
    pub(super) source: Source,
    pub(super) about: About,
    /// Whether a call with a redirection is covered by it, too.
    pub(super) allows_redirection: bool,
    pub(super) message: Option<String>,
    /// A rule that asks but could not be understood: what comes after it may be stricter, but not laxer.
    pub(super) is_floor: bool,
}

/// Which calls a rule is about: those that fit all of it.
#[derive(Debug, Clone, Default)]
pub(super) struct About {
    pub(super) tools: Vec<Name>,
    pub(super) server: Option<String>,
    pub(super) subagent: Option<String>,
    pub(super) modes: Option<Vec<Mode>>,
    pub(super) interactive: Option<bool>,
    pub(super) annotations: Vec<(String, Value)>,
    pub(super) args: Option<Pattern>,
    pub(super) paths: Option<Globs>,
    pub(super) command: Option<CommandRule>,
    /// Only calls that reach a control file.
    pub(super) control_files: Option<ControlFiles>,
}

/// Where a rule stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file.
    pub file: String,
    /// The line in it.
    pub line: Option<usize>,
    /// Whose it is.
    pub tier: Tier,
    /// How it ranks among those of the same tier; the highest first.
    pub priority: u16,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        match self.line {
            Some(line) => write!(f, ":{line}"),
            None => Ok(()),
        }
    }
}

/// A rule that does not come from a file of rules but from a setting.
#[derive(Debug, Clone)]
pub struct Plain<'a> {
    /// What it says.
    pub decision: Decision,
    /// The tool; `*` is every one.
    pub tool: &'a str,
    /// What a command line must begin with, if it is about those.
    pub command_prefix: Option<&'a str>,
    /// In which modes; none means in all.
    pub modes: &'a [Mode],
    /// Where it stands.
    pub source: Source,
}

impl Plain<'_> {
    /// The rule; none if the prefix is empty.
    #[must_use]
    pub fn rule(self) -> Option<Rule> {
        let command = match self.command_prefix {
            None => None,
            Some(prefix) => Some(CommandRule::prefixes(&[prefix]).ok()?),
        };
        Some(Rule {
            decision: self.decision,
            source: self.source,
            about: About {
                tools: vec![Name::new(self.tool)],
                modes: (!self.modes.is_empty()).then(|| self.modes.to_vec()),
                command,
                ..About::default()
            },
            allows_redirection: false,
            message: None,
            is_floor: false,
        })
    }
}

impl Rule {
    /// Where it stands.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// What it says.
    #[must_use]
    pub fn decision(&self) -> Decision {
        self.decision
    }

    /// True if it guards control files, which no rule of a project opens.
    pub(super) fn guards_control_files(&self) -> bool {
        self.about.control_files.is_some()
    }

    /// Why this rule is about a call, in a sentence for the model and the person. Empty if it does not say.
    pub(super) fn reason(&self, asked: &Asked<'_>) -> &str {
        let files = self.about.control_files.as_ref();
        let reason = files.and_then(|files| files.reason(asked));
        reason.or(self.message.as_deref()).unwrap_or_default()
    }

    /// Whether it is about this part of a call: surely, if it allows; possibly, if it does not.
    pub(super) fn fits(&self, asked: &Asked<'_>, part: &Part<'_>, seen: &Seen<'_>) -> bool {
        let about = &self.about;
        about.fits_circumstances(asked, self.decision)
            && match self.decision {
                Decision::Allow => {
                    part.is_covered(about.is_narrow(), self.allows_redirection)
                        && about.surely_fits(asked, part, seen)
                }
                Decision::Ask | Decision::Deny => about.possibly_fits(asked, part, seen),
            }
    }
}

impl About {
    /// Whether what is run matters to it.
    fn is_narrow(&self) -> bool {
        self.command.is_some() || self.args.is_some()
    }

    fn fits_circumstances(&self, asked: &Asked<'_>, decision: Decision) -> bool {
        let is_allow = decision == Decision::Allow;
        let fits_server = match self.server.as_deref() {
            None => true,
            Some("*") => asked.mcp_server.is_some(),
            Some(server) => asked.mcp_server == Some(server),
        };
        let fits_mode = |modes: &Vec<Mode>| modes.contains(&asked.mode);
        let fits_annotation = |(name, value): &(String, Value)| {
            asked.annotations.and_then(|all| all.get(name)) == Some(value)
        };
        fits_server
            && self.modes.as_ref().is_none_or(fits_mode)
            && self
                .interactive
                .is_none_or(|wanted| wanted == asked.is_interactive)
            && self
                .subagent
                .as_deref()
                .is_none_or(|name| asked.subagent == Some(name))
            && self.annotations.iter().all(fits_annotation)
            && self
                .tools
                .iter()
                .any(|name| name.fits(asked, self.server.as_deref(), is_allow))
    }

    fn surely_fits(&self, asked: &Asked<'_>, part: &Part<'_>, seen: &Seen<'_>) -> bool {
        let all_inside = |globs: &Globs| {
            !asked.paths.is_empty() && asked.paths.iter().all(|path| globs.is_match(path))
        };
        self.paths.as_ref().is_none_or(all_inside)
            && self
                .command
                .as_ref()
                .is_none_or(|command| command.surely_fits(part))
            && self
                .args
                .as_ref()
                .is_none_or(|args| seen.surely(part).iter().any(|text| args.is_match(text)))
    }

    fn possibly_fits(&self, asked: &Asked<'_>, part: &Part<'_>, seen: &Seen<'_>) -> bool {
        let any_inside = |globs: &Globs| asked.paths.iter().any(|path| globs.reaches(path));
        let reaches_one = |files: &ControlFiles| files.reason(asked).is_some();
        self.paths.as_ref().is_none_or(any_inside)
            && self.control_files.as_ref().is_none_or(reaches_one)
            && self
                .command
                .as_ref()
                .is_none_or(|command| command.possibly_fits(part, asked.command))
            && self
                .args
                .as_ref()
                .is_none_or(|args| seen.possibly(part, |text| args.is_match(text)))
    }
}
