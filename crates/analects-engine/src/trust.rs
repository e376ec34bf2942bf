//! Whether a folder is trusted: `trustedFolders.json`, and what overrules it.
//!
//! The rule that reaches least far decides, by the directory it is *about*, not by how it is written;
//! where two reach equally far, the one that denies.

mod change;
mod record;

use analects_memory::discover::{Denied, Trust};
use analects_text::problem::Problem;
use analects_world::ownership::TrustedOwners;
use analects_world::{AbsPath, Surroundings};

use crate::jsonc::{self, Item};
use crate::load_memory::owners;
use crate::verbs::{Failure, Flags};
use crate::{World, codes};

pub use change::set;
use record::TrustRecords;

/// The file that holds the rules.
#[must_use]
pub fn path(world: &World<'_>) -> AbsPath {
    match world.around.var("GEMINI_CLI_TRUSTED_FOLDERS_PATH") {
        Some(path) => world.around.resolve(path),
        None => world.around.global_dir().join("trustedFolders.json"),
    }
}

/// Says for a run whether the workspace is trusted.
const TRUST_VARIABLE: &str = "GEMINI_CLI_TRUST_WORKSPACE";

/// The answer, and what it rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// Whether the folder's own text is read.
    pub trust: Trust,
    /// What decided.
    pub reason: Reason,
}

/// What decided about a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The user said so for this run.
    Flag,
    /// `GEMINI_CLI_TRUST_WORKSPACE` says so.
    Environment,
    /// Folder trust is switched off.
    FeatureOff,
    /// A rule about this directory.
    Rule(AbsPath),
    /// No rule is about this folder.
    Undecided,
    /// The rules cannot be read.
    BadFile,
    /// The folder that a rule trusts holds another repository by now.
    OtherRepository(AbsPath),
    /// Strangers own this directory, or may write it.
    ForeignOwner(AbsPath),
}

/// What is known before the rules are looked at.
#[derive(Debug, Clone, Copy)]
pub struct Given {
    /// `--trust`.
    pub flag: bool,
    /// `security.folderTrust.enabled`.
    pub feature_on: bool,
}

/// The rules of a trust file.
#[derive(Debug)]
pub struct Rules {
    rules: Option<Vec<Rule>>,
    /// Which repositories they were made for.
    records: TrustRecords,
    /// What was wrong with the file.
    pub problems: Vec<Problem>,
}

/// One rule.
#[derive(Debug)]
pub struct Rule {
    /// The folder as the file has it.
    pub written: String,
    /// What it says.
    pub level: Level,
    /// The directory the rule is about, links resolved.
    pub about: AbsPath,
}

/// What a rule can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Trust this folder and what is below.
    TrustFolder,
    /// Trust the folder's parent and what is below.
    TrustParent,
    /// Trust neither this folder nor what is below.
    DoNotTrust,
}

impl Level {
    /// The word in the file.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TrustFolder => "TRUST_FOLDER",
            Self::TrustParent => "TRUST_PARENT",
            Self::DoNotTrust => "DO_NOT_TRUST",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        [Self::TrustFolder, Self::TrustParent, Self::DoNotTrust]
            .into_iter()
            .find(|level| level.as_str() == text)
    }
}

impl Rule {
    fn trust(&self) -> Trust {
        match self.level {
            Level::TrustFolder | Level::TrustParent => Trust::Trusted,
            Level::DoNotTrust => Trust::Untrusted,
        }
    }
}

impl Rules {
    /// Reads the trust file; a missing one has no rules.
    #[must_use]
    pub fn read(world: &World<'_>) -> Self {
        let path = path(world);
        let mut problems = Vec::new();
        let rules = match jsonc::read_object(world.files, &path) {
            None => Some(Vec::new()),
            Some(Ok(root)) => Some(rules(world, &path, &root, &mut problems)),
            Some(Err(bad)) => {
                let mut problem = Problem::new(&codes::BAD_TRUST_FILE, bad.message).in_file(&path);
                problem.line = bad.line;
                problems.push(problem);
                None
            }
        };
        Self {
            rules,
            records: TrustRecords::read(world),
            problems,
        }
    }

    /// All rules, in the order of the file; none if it cannot be read.
    #[must_use]
    pub fn all(&self) -> &[Rule] {
        self.rules.as_deref().unwrap_or_default()
    }

    /// Decides about `folder`.
    #[must_use]
    pub fn decide(&self, world: &World<'_>, folder: &AbsPath, given: Given) -> Decision {
        let decided = |trust, reason| Decision { trust, reason };
        if given.flag {
            return decided(Trust::Trusted, Reason::Flag);
        }
        if world.around.var("GEMINI_RESTRICTED_MODE") == Some("true") {
            return decided(Trust::Untrusted, Reason::Environment);
        }
        match world.around.var(TRUST_VARIABLE) {
            Some("true") => return decided(Trust::Trusted, Reason::Environment),
            Some("false") => return decided(Trust::Untrusted, Reason::Environment),
            _ => {}
        }
        if !given.feature_on {
            return decided(Trust::Trusted, Reason::FeatureOff);
        }
        self.decide_by_rules(world, folder)
    }

    /// The directories that may not speak where `folder` may: a rule says so of each, and no closer one the contrary.
    ///
    /// Who trusts a folder for this run overrules what holds in it, at whatever height it was said; what was said of
    /// other folders, and of those below it, stands.
    #[must_use]
    pub fn denied(&self, world: &World<'_>, folder: &AbsPath, given: Given) -> Denied {
        if !given.feature_on {
            return Denied::default();
        }
        let folder = world.files.real_or_same(folder);
        let decision = self.decide(world, &folder, given);
        let for_this_run = matches!(decision.reason, Reason::Flag | Reason::Environment);
        let counts = |rule: &&Rule| {
            let is_overruled = for_this_run && folder.is_within(&rule.about);
            let counts = !is_overruled || rule.trust() == decision.trust;
            counts && !self.is_of_another_repository(world, rule)
        };
        let rules = self.all().iter().filter(counts);
        Denied::new(rules.map(|rule| (rule.about.clone(), rule.trust())))
    }

    /// Decides about `folder` by the rules alone: what was said for this run is about another folder.
    #[must_use]
    pub fn decide_by_rules(&self, world: &World<'_>, folder: &AbsPath) -> Decision {
        let decided = |trust, reason| Decision { trust, reason };
        let Some(rules) = &self.rules else {
            return decided(Trust::Untrusted, Reason::BadFile);
        };
        let folder = world.files.real_or_same(folder);
        let denies = |rule: &Rule| rule.trust() == Trust::Untrusted;
        let around = rules.iter().filter(|rule| folder.is_within(&rule.about));
        let (other, around): (Vec<_>, Vec<_>) =
            around.partition(|rule| self.is_of_another_repository(world, rule));
        let closest = around
            .into_iter()
            .max_by_key(|rule| (rule.about.depth(), denies(rule)));
        let replaced = other.into_iter().max_by_key(|rule| rule.about.depth());
        match (closest, replaced) {
            (Some(rule), _) => decided(rule.trust(), Reason::Rule(rule.about.clone())),
            (None, Some(rule)) => {
                let reason = Reason::OtherRepository(rule.about.clone());
                decided(Trust::Untrusted, reason)
            }
            (None, None) => decided(Trust::Untrusted, Reason::Undecided),
        }
    }

    /// True for a rule that trusts a folder in which another repository lies by now.
    fn is_of_another_repository(&self, world: &World<'_>, rule: &Rule) -> bool {
        rule.trust() == Trust::Trusted && self.records.contradict(world.files, &rule.about)
    }

    /// Records which repository a decision was about, unless that is known. A disk that cannot be written is no reason to
    /// stop: then it is recorded the next time.
    pub(crate) fn record(&self, world: &World<'_>, flags: &Flags, decision: &Decision) {
        let Reason::Rule(about) = &decision.reason else {
            return;
        };
        if decision.trust == Trust::Trusted && !self.records.has(world.files, about) {
            record::write_record(world, flags, about).unwrap_or_default();
        }
    }
}

/// Reports a rule that does not count because its folder holds another repository than the one that was trusted.
pub(crate) fn replaced_repository(decision: &Decision) -> Option<Problem> {
    let Reason::OtherRepository(about) = &decision.reason else {
        return None;
    };
    let message = "this is not the repository that you trusted here, so nothing of it is loaded; \
                   `analects trust add` trusts this one";
    Some(Problem::new(&codes::OTHER_REPOSITORY, message).in_file(about))
}

/// Takes trust back from a folder that strangers own or may write, with the reason: they could have written what it says.
pub(crate) fn doubt_ownership(
    world: &World<'_>,
    owners: &TrustedOwners,
    decision: Decision,
    folder: &AbsPath,
    markers: &[String],
) -> (Decision, Option<Problem>) {
    if decision.trust == Trust::Untrusted {
        return (decision, None);
    }
    let dirs = owners::instructing_directories(folder, markers);
    let Some(foreign) = owners::foreign_directory(world, owners, &dirs) else {
        return (decision, None);
    };
    let message = "others own or may write this folder, so nothing of it is loaded; \
                   `security.trustedOwners` names whom you trust";
    let problem = Problem::new(&codes::FOREIGN_FOLDER, message).in_file(&foreign);
    let decision = Decision {
        trust: Trust::Untrusted,
        reason: Reason::ForeignOwner(foreign),
    };
    (decision, Some(problem))
}

/// What is said for this run, as far as it counts in a folder that somebody else names: the client of an MCP server, or
/// an agent whose hook we answer. `--trust` is about the folder that this process was started in and what lies in it, and
/// there it does not lift a rule that says DO_NOT_TRUST. The same holds for `GEMINI_CLI_TRUST_WORKSPACE`.
#[must_use]
pub fn confine_to_start(
    world: &World<'_>,
    started_in: &AbsPath,
    flags: &Flags,
) -> (Flags, Surroundings) {
    let (mut flags, mut around) = (*flags, world.around.clone());
    let is_trusted_by_variable = around.var(TRUST_VARIABLE) == Some("true");
    if !flags.trust && !is_trusted_by_variable {
        return (flags, around);
    }
    let started_in = world.files.real_or_same(started_in);
    let is_inside = world.files.real_or_same(&around.cwd).is_within(&started_in);
    let decided = Rules::read(world).decide_by_rules(world, &around.cwd);
    let is_denied = decided.trust == Trust::Untrusted && matches!(decided.reason, Reason::Rule(_));
    if !is_inside || is_denied {
        flags.trust = false;
        if is_trusted_by_variable {
            around.vars.remove(TRUST_VARIABLE);
        }
    }
    (flags, around)
}

/// Whether an agent may work here with nobody watching: not where a rule says that the folder is not to be trusted.
///
/// A folder that nobody decided on is no obstacle: its own text is not read, and that is enough.
pub fn refuse_headless(decision: &Decision) -> Result<(), Failure> {
    match (decision.trust, &decision.reason) {
        (Trust::Untrusted, Reason::Rule(about)) => {
            let level = Level::DoNotTrust.as_str();
            let message =
                format!("this folder is not to be trusted: a rule about `{about}` says {level}");
            Err(Failure::untrusted(message)
                .hint("`analects trust add` trusts it from now on, `--trust` for this run"))
        }
        _ => Ok(()),
    }
}

fn rules(world: &World<'_>, path: &AbsPath, root: &Item, problems: &mut Vec<Problem>) -> Vec<Rule> {
    let mut rules = Vec::new();
    for (key, item) in root.object().unwrap_or_default() {
        let mut bad = |message: String| {
            let problem = Problem::new(&codes::BAD_TRUST_RULE, message);
            problems.push(problem.in_file(path).on_line(item.line));
        };
        let Ok(folder) = AbsPath::new(key) else {
            bad(format!("`{key}` is not an absolute path"));
            continue;
        };
        let level = item.text().and_then(Level::parse);
        if level.is_none() {
            // A rule that was meant to deny and is mistyped must not let anyone in.
            bad(format!(
                "unknown trust level for `{key}`, taken as DO_NOT_TRUST"
            ));
        }
        let level = level.unwrap_or(Level::DoNotTrust);
        let about = match level {
            Level::TrustParent => folder.parent().unwrap_or(folder),
            Level::TrustFolder | Level::DoNotTrust => folder,
        };
        rules.push(Rule {
            written: key.clone(),
            level,
            about: world.files.real_or_same(&about),
        });
    }
    rules
}

#[cfg(test)]
mod tests {
    use analects_testkit::{FakeDesk, show_problems, surroundings};

    use super::*;
    use crate::verbs::FailureKind;

    fn decide(rules: &str, folder: &str, vars: &[(&str, &str)]) -> (Decision, String) {
        let tree = format!(
            "//- /h/.gemini/trustedFolders.json\n{rules}\n//- /w/x/evil/\n//- /w/x/longname/\n//- /w/link -> x\n"
        );
        let files = FakeDesk::parse(&tree);
        let around = surroundings(folder, "/h", vars);
        let world = files.world(&around);
        let rules = Rules::read(&world);
        let given = Given {
            flag: false,
            feature_on: true,
        };
        let decision = rules.decide(&world, &around.cwd, given);
        (decision, show_problems(&rules.problems))
    }

    fn trusts(rules: &str, folder: &str) -> bool {
        decide(rules, folder, &[]).0.trust == Trust::Trusted
    }

    #[test]
    fn the_rule_about_the_closest_directory_decides() {
        let rules = r#"{"/w": "TRUST_FOLDER", "/w/x/evil": "DO_NOT_TRUST"}"#;
        assert!(trusts(rules, "/w/x"));
        assert!(!trusts(rules, "/w/x/evil/deep"));
        assert!(!trusts(rules, "/elsewhere"));
        assert!(!trusts(rules, "/wide"));
    }

    #[test]
    fn a_denied_folder_is_not_opened_by_a_longer_sibling() {
        let rules = r#"{"/w/x/longname": "TRUST_PARENT", "/w/x/evil": "DO_NOT_TRUST"}"#;
        assert!(!trusts(rules, "/w/x/evil"));
        assert!(trusts(rules, "/w/x/other"));
    }

    #[test]
    fn what_is_said_for_a_run_lifts_the_rules_about_the_folder_and_no_others() {
        let rules =
            r#"{"/w": "DO_NOT_TRUST", "/w/x": "DO_NOT_TRUST", "/w/x/evil": "DO_NOT_TRUST"}"#;
        let files = FakeDesk::parse(&format!(
            "//- /h/.gemini/trustedFolders.json\n{rules}\n//- /w/x/\n"
        ));
        let around = surroundings("/w/x", "/h", &[]);
        let world = files.world(&around);
        let path = |path| AbsPath::new(path).unwrap();
        let is_denied = |flag, feature_on, dir| {
            let given = Given { flag, feature_on };
            let denied = Rules::read(&world).denied(&world, &path("/w/x"), given);
            denied.closest(&path(dir)).is_some()
        };
        for dir in ["/w", "/w/x", "/w/other"] {
            assert!(
                is_denied(false, true, dir) && !is_denied(true, true, dir),
                "{dir}"
            );
        }
        assert!(is_denied(true, true, "/w/x/evil/deep"));
        assert!(
            !is_denied(true, false, "/w/x/evil"),
            "nobody asks for trust"
        );
    }

    #[test]
    fn denial_wins_a_tie_whatever_the_order() {
        assert!(!trusts(
            r#"{"/w/x/a": "TRUST_PARENT", "/w/x": "DO_NOT_TRUST"}"#,
            "/w/x"
        ));
        assert!(!trusts(
            r#"{"/w/x": "DO_NOT_TRUST", "/w/x/a": "TRUST_PARENT"}"#,
            "/w/x"
        ));
    }

    #[test]
    fn links_are_resolved_on_both_sides() {
        assert!(trusts(r#"{"/w/link": "TRUST_FOLDER"}"#, "/w/x/evil"));
        assert!(trusts(r#"{"/w/x": "TRUST_FOLDER"}"#, "/w/link/evil"));
    }

    #[test]
    fn the_environment_overrules_the_file() {
        let rules = r#"{"/w": "DO_NOT_TRUST"}"#;
        let (decision, _) = decide(rules, "/w", &[("GEMINI_CLI_TRUST_WORKSPACE", "true")]);
        assert_eq!(
            decision,
            Decision {
                trust: Trust::Trusted,
                reason: Reason::Environment
            }
        );
    }

    #[test]
    fn a_broken_file_trusts_no_one_and_says_so() {
        let (decision, problems) = decide("[1]", "/w", &[]);
        assert_eq!(
            decision,
            Decision {
                trust: Trust::Untrusted,
                reason: Reason::BadFile
            }
        );
        assert_eq!(
            problems,
            "! bad-trust-file: /h/.gemini/trustedFolders.json:1: not a JSON object\n"
        );
    }

    #[test]
    fn a_mistyped_level_denies() {
        let (decision, problems) = decide(
            r#"{"/w": "TRUST_FOLDER", "/w/x": "DO_NOT_TRSUT", "rel": "TRUST_FOLDER"}"#,
            "/w/x",
            &[],
        );
        assert_eq!(decision.trust, Trust::Untrusted);
        assert_eq!(problems.lines().count(), 2);
    }

    #[test]
    fn nobody_works_unwatched_where_somebody_said_do_not_trust() {
        let rules = r#"{"/w": "TRUST_FOLDER", "/w/x": "DO_NOT_TRUST"}"#;
        let refusal = |folder, vars| refuse_headless(&decide(rules, folder, vars).0).err();
        let refused = refusal("/w/x/evil", &[]).unwrap();
        assert_eq!(refused.kind, FailureKind::Untrusted);
        assert_eq!(
            refused.message,
            "this folder is not to be trusted: a rule about `/w/x` says DO_NOT_TRUST"
        );
        // Trusted, or undecided, or overruled for this run.
        assert_eq!(refusal("/w", &[]), None);
        assert_eq!(refusal("/elsewhere", &[]), None);
        let overruled = [("GEMINI_CLI_TRUST_WORKSPACE", "true")];
        assert_eq!(refusal("/w/x", &overruled), None);
    }

    #[test]
    fn what_is_said_for_a_run_does_not_follow_a_folder_that_somebody_else_names() {
        let tree = "//- /h/.gemini/trustedFolders.json\n{\"/w/evil\": \"DO_NOT_TRUST\"}\n\
                    //- /w/evil/deep/\n//- /w/sub/\n//- /other/\n//- /w/link -> /other\n//- /to -> /w\n";
        let files = FakeDesk::parse(tree);
        for (by_flag, vars) in [
            (true, &[][..]),
            (false, &[("GEMINI_CLI_TRUST_WORKSPACE", "true")]),
        ] {
            let is_trusted = |named: &str| {
                let around = surroundings(named, "/h", vars);
                let world = files.world(&around);
                let start = AbsPath::new("/w").unwrap();
                let flags = Flags {
                    trust: by_flag,
                    ..Flags::default()
                };
                let (flags, around) = confine_to_start(&world, &start, &flags);
                let world = files.world(&around);
                let given = Given {
                    flag: flags.trust,
                    feature_on: true,
                };
                Rules::read(&world).decide(&world, &around.cwd, given).trust == Trust::Trusted
            };
            for named in ["/w", "/w/sub", "/to/sub"] {
                assert!(is_trusted(named), "{named}");
            }
            for named in ["/other", "/", "/w/link", "/w/evil", "/w/evil/deep", "/wide"] {
                assert!(!is_trusted(named), "{named}");
            }
        }
    }
}
