//! Decides a call by the rules.

use analects_text::shell_line::{Line, Unsure, lex};

use super::command::Part;
use super::rule::{Rule, Source};
use super::seen::Seen;
use super::tool::SHELL;
use super::{Asked, Decision, Mode, Places, Tier, say};

/// All rules that are in force, the strongest first.
#[derive(Debug, Clone)]
pub struct Policy {
    rules: Vec<Rule>,
    places: Places,
    is_trusted: bool,
}

impl Policy {
    /// Puts rules in order: by tier, by priority, and of two that rank alike the stricter one first.
    #[must_use]
    pub fn new(mut rules: Vec<Rule>, places: &Places) -> Self {
        let rank = |rule: &Rule| (rule.source.tier, rule.source.priority, rule.decision);
        rules.sort_by_key(|rule| std::cmp::Reverse(rank(rule)));
        Self {
            rules,
            places: places.clone(),
            is_trusted: true,
        }
    }

    /// The same in a folder that is not trusted: no mode is to be had there that asks less, and nobody is told of one.
    #[must_use]
    pub fn untrusted(self) -> Self {
        Self {
            is_trusted: false,
            ..self
        }
    }

    pub(super) fn is_trusted(&self) -> bool {
        self.is_trusted
    }

    /// The rules, the strongest first.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }
}

/// What comes of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Whether it is done.
    pub decision: Decision,
    /// The rule that said so; none if no rule is about it.
    pub rule: Option<Source>,
    /// Why it is not done, in sentences for the model and the person; or what a person should know who is asked.
    /// Empty if it is done.
    pub message: String,
}

/// Decides on a call. The strongest rule that is about it says what happens; without one, a person is asked. A command
/// line is decided on command by command, and the strictest answer counts.
#[must_use]
pub fn decide(policy: &Policy, asked: &Asked<'_>) -> Verdict {
    let seen = Seen::new(asked, &policy.places);
    let weigh = |part: &Part<'_>| weigh(policy, asked, part, &seen);
    let answer = match lines_of(asked) {
        None => weigh(&Part::Other),
        Some(Err(Unsure)) => weigh(&Part::Unsure),
        Some(Ok(line)) => {
            let redirects = line.redirects;
            let parts = line.commands.iter();
            let answers = parts.map(|command| weigh(&Part::Simple { command, redirects }));
            // The first of the strictest, so that the same line always gets the same answer.
            answers
                .reduce(|a, b| if b.decision > a.decision { b } else { a })
                .unwrap_or_else(|| weigh(&Part::Unsure))
        }
    };
    say::verdict(policy, asked, &answer)
}

/// What one part of a call comes to.
pub(super) struct Answer<'a> {
    pub(super) decision: Decision,
    pub(super) rule: Option<&'a Rule>,
}

fn lines_of(asked: &Asked<'_>) -> Option<Result<Line, Unsure>> {
    let is_shell = asked.tool == SHELL && asked.mcp_server.is_none();
    is_shell.then(|| lex(asked.command.unwrap_or_default()))
}

fn weigh<'a>(
    policy: &'a Policy,
    asked: &Asked<'_>,
    part: &Part<'_>,
    seen: &Seen<'_>,
) -> Answer<'a> {
    let mut floor: Option<&Rule> = None;
    let mut rules = policy.rules.iter();
    let found = rules.find(|rule| {
        let fits = rule.fits(asked, part, seen);
        if fits && rule.is_floor {
            floor = floor.or(Some(rule));
        }
        fits && !rule.is_floor
    });
    let fits = |rule: &Rule| rule.fits(asked, part, seen);
    let found = found.and_then(|rule| no_laxer(policy, asked.mode, rule, fits));
    let unruled = match asked.mode {
        Mode::Yolo => Decision::Allow,
        Mode::Default | Mode::AutoEdit | Mode::Plan => Decision::Ask,
    };
    let decision = found.map_or(unruled, |rule| rule.decision);
    match floor {
        Some(floor) if decision < floor.decision => Answer {
            decision: floor.decision,
            rule: Some(floor),
        },
        _ => Answer {
            decision,
            rule: found,
        },
    }
}

/// Returns the rule, or what our own rules say if that is stricter and the rule may not make things laxer: one of an
/// extension never may, one of a project neither in plan mode nor about control files. So to ask about something does not
/// open what is shut, as everything is while a plan is made. Where our own rules say nothing, a project allows nothing in
/// plan mode either.
fn no_laxer<'a>(
    policy: &'a Policy,
    mode: Mode,
    rule: &'a Rule,
    fits: impl Fn(&Rule) -> bool,
) -> Option<&'a Rule> {
    let tier = rule.source.tier;
    if !matches!(tier, Tier::Extension | Tier::Workspace) {
        return Some(rule);
    }
    let is_projects_plan = tier == Tier::Workspace && mode == Mode::Plan;
    let is_bound = tier == Tier::Extension || is_projects_plan;
    let mut ours = policy.rules.iter();
    let ours = ours.find(|ours| ours.source.tier == Tier::Default && !ours.is_floor && fits(ours));
    match ours.filter(|ours| is_bound || ours.guards_control_files()) {
        Some(ours) if ours.decision > rule.decision => Some(ours),
        None if is_projects_plan && rule.decision == Decision::Allow => None,
        _ => Some(rule),
    }
}
