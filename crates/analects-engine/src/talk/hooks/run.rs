//! Starting hooks, and hearing what they want.

use std::collections::BTreeMap;
use std::thread;

use analects_agent::hook::{
    Answer, Decision, ExitCodes, Hook, Order, Output, Places, Ran, Selected, Source, chain, codes,
    line, understand,
};
use analects_text::problem::Problem;
use analects_text::{sanitize, truncate};
use analects_world::shell::{Command, How};
use analects_world::{AbsPath, Cancel, Shell};
use serde_json::{Map, Value};

/// How much of what a hook prints is kept.
const MOST_BYTES: usize = 1024 * 1024;
/// How many hooks run at the same time.
const MAX_AT_ONCE: usize = 8;

/// How long hooks may take beside what each of them says itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) most_ms: Option<u64>,
}

impl Limits {
    /// As long as each of them says.
    pub(super) const OWN: Self = Self { most_ms: None };
}

/// Where and how hooks run.
pub(super) struct Runner<'a> {
    pub(super) shell: &'a dyn Shell,
    pub(super) dir: &'a AbsPath,
    pub(super) vars: &'a BTreeMap<String, String>,
    pub(super) project_vars: &'a BTreeMap<String, String>,
    pub(super) places: Places<'a>,
    pub(super) codes: ExitCodes,
    pub(super) limits: Limits,
    pub(super) cancel: &'a Cancel,
}

impl Runner<'_> {
    /// What the hooks want, in their order, and what went wrong.
    pub(super) fn run(
        &self,
        selected: &Selected<'_>,
        mut told: Map<String, Value>,
    ) -> (Vec<Output>, Vec<Problem>) {
        let mut answers = Vec::new();
        match selected.order {
            Order::Together => {
                let told = Value::Object(told).to_string();
                for some in selected.hooks.chunks(MAX_AT_ONCE) {
                    answers.extend(self.together(some, &told));
                }
            }
            Order::InSequence => {
                for hook in &selected.hooks {
                    let answer = self.one(hook, &Value::Object(told.clone()).to_string());
                    if let Some(output) = answer.output.as_ref().filter(|_| answer.is_success) {
                        chain(hook.event, &mut told, output);
                    }
                    answers.push(answer);
                }
            }
        }
        let (mut outputs, mut problems) = (Vec::new(), Vec::new());
        for (hook, answer) in selected.hooks.iter().zip(answers) {
            outputs.extend(answer.output);
            problems.extend(answer.faults.iter().map(|fault| problem(hook, fault)));
        }
        (outputs, problems)
    }

    fn together(&self, hooks: &[&Hook], told: &str) -> Vec<Answer> {
        if let [only] = hooks {
            return vec![self.one(only, told)];
        }
        thread::scope(|scope| {
            let started: Vec<_> = hooks
                .iter()
                .map(|hook| scope.spawn(|| self.one(hook, told)))
                .collect();
            let broke_down = |_| failed("broke down");
            let ended = started
                .into_iter()
                .map(|it| it.join().unwrap_or_else(broke_down));
            ended.collect()
        })
    }

    fn one(&self, hook: &Hook, told: &str) -> Answer {
        let whole_ms = self
            .limits
            .most_ms
            .map_or(hook.timeout_ms, |most| most.min(hook.timeout_ms));
        let command = Command {
            line: &line(&hook.command),
            dir: self.dir,
            vars: &self.environment(hook),
            idle_ms: None,
            whole_ms: Some(whole_ms),
            leave_ms: None,
        };
        let fed = self
            .shell
            .feed(&command, told.as_bytes(), MOST_BYTES, self.cancel);
        let fed = match fed {
            Ok(fed) => fed,
            Err(why) => return failed(&format!("was not started: {}", sanitize::one_line(&why))),
        };
        match fed.ended.how {
            How::Code(code) => understand(
                &Ran {
                    code,
                    stdout: &fed.stdout,
                    stderr: &fed.stderr,
                    is_cut: fed.is_cut,
                },
                self.codes,
            ),
            How::Signal(signal) => failed(&format!("was ended by signal {signal}")),
            How::TimedOut(_) => Answer {
                // It was not too slow: whoever it guards had no time left, and must not get past it by that.
                output: (whole_ms < hook.timeout_ms).then(no_time),
                ..failed(&format!("took longer than {whole_ms} ms and was ended"))
            },
            // Whoever cancels knows.
            How::Cancelled | How::Left => Answer::default(),
        }
    }

    fn environment(&self, hook: &Hook) -> BTreeMap<String, String> {
        let mut vars = match hook.source {
            Source::Project => self.project_vars.clone(),
            Source::User | Source::System | Source::Extension => self.vars.clone(),
        };
        let places = self.places.variables();
        vars.extend(places.map(|(name, value)| (name.to_owned(), value.to_owned())));
        vars.extend(hook.env.clone());
        vars
    }
}

fn no_time() -> Output {
    let reason = "the time was over before a hook had decided";
    Output {
        decision: Some(Decision::Block),
        reason: Some(reason.to_owned()),
        ..Output::default()
    }
}

fn failed(why: &str) -> Answer {
    Answer {
        faults: vec![why.to_owned()],
        ..Answer::default()
    }
}

fn problem(hook: &Hook, fault: &str) -> Problem {
    let name = sanitize::one_line(truncate::head_bytes(hook.label(), 120));
    let message = format!("the hook `{name}` for {} {fault}", hook.event.as_str());
    Problem::new(&codes::HOOK_FAILED, message).in_file(&hook.file)
}
