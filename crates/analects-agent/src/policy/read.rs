//! Reads rules from TOML.
//!
//! Nothing that is wrong makes things laxer. A rule that allows and cannot be understood is left out. One that denies
//! or asks stays, for everything that it could have meant. A file that cannot be understood at all could have held
//! anything: as long as it is there, nothing is done without asking, and nothing at all if it is the administrator's.

use analects_text::lines::LineIndex;
use analects_text::problem::Problem;
use analects_text::{hidden, sanitize, truncate};
use toml::de::{DeTable, DeValue};

use super::command::CommandRule;
use super::field::{self, Fields};
use super::pattern::{Globs, Pattern, Purse};
use super::rule::About;
use super::tool::{self, Name};
use super::{Decision, Mode, NARROW_FILE, Places, Rule, Source, Tier, codes};

/// A file of rules may be this long.
pub const LIMIT_BYTES: usize = 256 * 1024;

/// A file may hold this many rules.
const MAX_RULES: usize = 5_000;

/// A message may be this long.
const MAX_MESSAGE_BYTES: usize = 500;

/// Where a rule stands that could not say how it ranks.
const TOP: u16 = 999;

/// Which file is read, and for whom.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    /// Whose rules they are.
    pub tier: Tier,
    /// The file, as it is shown.
    pub file: &'a str,
    /// The places that rules can name.
    pub places: &'a Places,
}

/// Reads a file of rules.
#[must_use]
pub fn read(text: &str, reading: &Reading<'_>) -> (Vec<Rule>, Vec<Problem>) {
    if text.len() > LIMIT_BYTES {
        return unreadable(&format!("longer than {LIMIT_BYTES} bytes"), None, reading);
    }
    let lines = LineIndex::new(text);
    let root = match DeTable::parse(text) {
        Ok(root) => root.into_inner(),
        Err(error) => {
            let line = error.span().map(|span| lines.line(span.start));
            let why = format!("not valid TOML: {}", field::shown(error.message()));
            return unreadable(&why, line, reading);
        }
    };
    let mut file = File {
        reading,
        lines,
        purse: Purse::default(),
        rules: Vec::new(),
        problems: Vec::new(),
    };
    for (name, value) in &root {
        let name: &str = name.get_ref();
        file.member(name, value);
    }
    (file.rules, file.problems)
}

/// What a file stands for that is there and cannot be read or understood.
#[must_use]
pub fn unreadable(
    why: &str,
    line: Option<usize>,
    reading: &Reading<'_>,
) -> (Vec<Rule>, Vec<Problem>) {
    let (decision, until) = match reading.tier {
        Tier::Admin => (Decision::Deny, "nothing is done until this is repaired"),
        _ => (
            Decision::Ask,
            "nothing is done without asking until this is repaired",
        ),
    };
    let mut problem = Problem::new(&codes::BAD_POLICY, format!("{why}; {until}"));
    problem = problem.in_file(reading.file);
    problem.line = line;
    let rule = Rule {
        decision,
        source: Source {
            file: reading.file.to_owned(),
            line,
            tier: reading.tier,
            priority: TOP,
        },
        about: About {
            tools: vec![Name::Any],
            ..About::default()
        },
        allows_redirection: false,
        message: Some(
            "A file of rules cannot be understood, so nobody knows what it denies.".to_owned(),
        ),
        is_floor: decision == Decision::Ask,
    };
    (vec![rule], vec![problem])
}

struct File<'a> {
    reading: &'a Reading<'a>,
    lines: LineIndex,
    purse: Purse,
    rules: Vec<Rule>,
    problems: Vec<Problem>,
}

impl File<'_> {
    fn member(&mut self, name: &str, value: &toml::Spanned<DeValue<'_>>) {
        let line = self.lines.line(value.span().start);
        let kind = match (name, value.get_ref()) {
            ("rule", DeValue::Array(_)) => Kind::Rule,
            // Programs that judge calls can only make things stricter. We cannot run them: a person judges instead.
            ("safety_checker", DeValue::Array(_)) => Kind::Checker,
            // Lists for one agent: they are no rules, and only take away from what it was given.
            ("tools", DeValue::Table(_)) if self.reading.file.ends_with(NARROW_FILE) => return,
            (_, DeValue::Array(_) | DeValue::Table(_)) => {
                let why = format!("`{}` is unknown; rules are `[[rule]]`", field::shown(name));
                return self.give_up(&why, line);
            }
            _ => {
                let message = format!("unknown field `{}`", field::shown(name));
                return self.problem(&codes::ODD_RULE, message, line);
            }
        };
        let tables = value.get_ref().as_array().into_iter().flatten();
        for value in tables {
            let line = self.lines.line(value.span().start);
            if self.rules.len() >= MAX_RULES {
                return self.give_up(&format!("more than {MAX_RULES} rules"), line);
            }
            match value.get_ref().as_table() {
                Some(table) => self.rule(table, kind, line),
                None => self.give_up("a rule that is no table", line),
            }
        }
    }

    fn rule(&mut self, table: &DeTable<'_>, kind: Kind, line: usize) {
        let mut purse = std::mem::take(&mut self.purse);
        let mut fields = Fields::new(table, self.reading.places, &mut purse);
        let mut names = Vec::new();
        let decision = match kind {
            Kind::Rule => decision(&mut fields),
            Kind::Checker => {
                fields.skip("checker");
                fields.wrong.push("nobody can run the checker".to_owned());
                Decision::Ask
            }
        };
        let priority = fields.read(&["priority"], |value, _| field::priority(value));
        if priority.is_none() && !fields.has("priority") && kind == Kind::Rule {
            fields.wrong.push("`priority` is missing".to_owned());
        }
        let about = about(&mut fields, decision, &mut names);
        let redirection = ["allowRedirection", "allow_redirection"];
        let redirection = fields.read(&redirection, |value, _| field::flag(value));
        let message = fields.read(&["denyMessage", "deny_message"], |value, _| {
            field::text(value).map(message)
        });
        fields.skip("name");
        fields.skip("description");
        fields.close();
        let wrong = std::mem::take(&mut fields.wrong);
        self.purse = purse;
        let rule = Rule {
            decision,
            source: Source {
                file: self.reading.file.to_owned(),
                line: Some(line),
                tier: self.reading.tier,
                priority: priority.unwrap_or(TOP),
            },
            about,
            allows_redirection: redirection.unwrap_or_default(),
            message,
            is_floor: decision == Decision::Ask && !wrong.is_empty(),
        };
        self.odd_names(&names, line);
        self.admit(rule, &wrong, line);
    }

    /// Takes a rule in, as far as it may be.
    fn admit(&mut self, mut rule: Rule, wrong: &[String], line: usize) {
        let is_extension = self.reading.tier == Tier::Extension;
        let may = match rule.decision {
            Decision::Allow if is_extension => Some("an extension may not allow anything"),
            _ => None,
        };
        if let Some(why) = may {
            return self.problem(
                &codes::BAD_RULE,
                format!("{why}; the rule is left out"),
                line,
            );
        }
        if !wrong.is_empty() {
            let so = match rule.decision {
                Decision::Allow => "the rule allows nothing",
                Decision::Ask => "the rule asks about everything that it could have meant",
                Decision::Deny => "the rule DENIES everything that it could have meant",
            };
            self.problem(
                &codes::BAD_RULE,
                format!("{}; {so}", wrong.join(", ")),
                line,
            );
            if rule.decision == Decision::Allow {
                return;
            }
        }
        if let Some(modes) = rule.about.modes.as_mut().filter(|_| is_extension) {
            let n_modes = modes.len();
            modes.retain(|mode| *mode != Mode::Yolo);
            let is_empty = modes.is_empty();
            if modes.len() < n_modes {
                let message = "an extension may not speak of `yolo`; the rest of the rule stays";
                self.problem(&codes::BAD_RULE, message.to_owned(), line);
            }
            if is_empty {
                return;
            }
        }
        self.rules.push(rule);
    }

    fn odd_names(&mut self, names: &[String], line: usize) {
        for name in names {
            if let Some(own) = tool::nearly(name) {
                let message = format!("no tool is called `{}`: is it `{own}`?", field::shown(name));
                self.problem(&codes::ODD_RULE, message, line);
            } else if name.contains("__") {
                let message = format!(
                    "`{}`: tools of servers are named by `mcpName` and `toolName`",
                    field::shown(name)
                );
                self.problem(&codes::ODD_RULE, message, line);
            }
        }
    }

    fn give_up(&mut self, why: &str, line: usize) {
        let (rules, problems) = unreadable(why, Some(line), self.reading);
        self.rules.extend(rules);
        self.problems.extend(problems);
    }

    fn problem(
        &mut self,
        code: &'static analects_text::problem::Code,
        message: String,
        line: usize,
    ) {
        let problem = Problem::new(code, message).in_file(self.reading.file);
        self.problems.push(problem.on_line(line));
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Rule,
    Checker,
}

/// What a rule says. One that does not say it could have denied.
fn decision(fields: &mut Fields<'_>) -> Decision {
    if !fields.has("decision") {
        fields.wrong.push("`decision` is missing".to_owned());
    }
    let read = fields.read(&["decision"], |value, _| match field::text(value)? {
        "allow" => Ok(Decision::Allow),
        "ask_user" => Ok(Decision::Ask),
        "deny" => Ok(Decision::Deny),
        _ => Err("expected allow, ask_user or deny".to_owned()),
    });
    read.unwrap_or(Decision::Deny)
}

fn about(fields: &mut Fields<'_>, decision: Decision, names: &mut Vec<String>) -> About {
    let tools = fields.read(&["toolName"], |value, _| field::texts(value));
    if tools.is_none() && !fields.has("toolName") {
        fields.wrong.push("`toolName` is missing".to_owned());
    }
    names.extend(tools.iter().flatten().map(|name| (*name).to_owned()));
    let mut tools = match tools {
        Some(tools) => tools.into_iter().map(Name::new).collect(),
        None => vec![Name::Any],
    };
    let command = command(fields, &tools);
    if decision != Decision::Allow {
        let older = names.iter().filter_map(|name| name.split_once("__"));
        tools.extend(older.map(|(server, tool)| Name::new(&format!("mcp_{server}_{tool}"))));
    }
    let text = |value, _: &mut Fields<'_>| field::text(value).map(str::to_owned);
    About {
        tools,
        server: fields.read(&["mcpName"], text),
        subagent: fields.read(&["subagent"], text),
        modes: fields
            .read(&["modes"], |value, _| field::modes(value))
            .flatten(),
        interactive: fields.read(&["interactive"], |value, _| field::flag(value)),
        annotations: fields
            .read(&["toolAnnotations"], |value, _| field::members(value))
            .unwrap_or_default(),
        args: fields.read(&["argsPattern"], |value, fields| {
            Pattern::new(field::text(value)?, fields.purse)
        }),
        paths: fields.read(&["pathPattern"], |value, fields| {
            Globs::new(field::texts(value)?, fields.places, fields.purse)
        }),
        command,
        control_files: None,
    }
}

fn command(fields: &mut Fields<'_>, tools: &[Name]) -> Option<CommandRule> {
    let prefix = fields.read(&["commandPrefix"], |value, _| {
        CommandRule::prefixes(&field::texts(value)?)
    });
    let regex = fields.read(&["commandRegex"], |value, fields| {
        Pattern::new(field::text(value)?, fields.purse).map(CommandRule::Regex)
    });
    let given = ["commandPrefix", "commandRegex", "argsPattern"];
    let n_given = given.iter().filter(|name| fields.has(name)).count();
    let has_command = fields.has("commandPrefix") || fields.has("commandRegex");
    if !has_command {
        return None;
    }
    if n_given > 1 {
        let message = "of `commandPrefix`, `commandRegex` and `argsPattern` a rule has one";
        fields.wrong.push(message.to_owned());
        return None;
    }
    if !tools.iter().all(Name::is_shell) {
        let message =
            "`commandPrefix` and `commandRegex` go with `toolName = \"run_shell_command\"`";
        fields.wrong.push(message.to_owned());
        return None;
    }
    prefix.or(regex)
}

/// A message of a file for a model and a person: one line without anything hidden, and not too long.
fn message(text: &str) -> String {
    let text = truncate::head_bytes(text.trim(), MAX_MESSAGE_BYTES);
    let text = hidden::without(text);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    sanitize::one_line(&text).into_owned()
}
