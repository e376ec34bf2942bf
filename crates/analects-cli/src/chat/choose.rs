//! The lists that the picker shows: sessions to resume, and the inbox.

use std::io;

use analects_engine::verbs::memory::inbox as waiting;
use analects_engine::verbs::session::{List, Session, Show};
use analects_engine::verbs::{Failure, Flags, Verb};
use analects_text::sanitize::one_line;

use super::paint::Style;
use super::picker::{self, Action, After, Item, Key, Outcome, Picked, Picker, Takes};
use super::{Chat, Todo};
use crate::ui::{Human, ago};

const ACCEPT: Action = Action {
    key: Key::Letter('a'),
    word: "accept",
    takes: Takes::Many,
    after: After::Stays,
};
const FOR_PROJECT: Action = Action {
    key: Key::Letter('p'),
    word: "accept for this project",
    ..ACCEPT
};
const DISMISS: Action = Action {
    key: Key::Letter('d'),
    word: "dismiss",
    ..ACCEPT
};
const EDIT: Action = Action {
    key: Key::Letter('e'),
    word: "edit",
    takes: Takes::One,
    after: After::StepsAside,
};

impl Chat<'_, '_> {
    /// Lets the person choose a session to go on with.
    pub(super) fn pick_session(&mut self) -> Option<Todo> {
        let (stage, flags) = (self.stage, self.stage.cli.global.flags());
        let list = List {
            limit: MAX_SESSIONS,
            ..List::default()
        };
        let listed = match list.run(&stage.world, &flags) {
            Ok(listed) => listed,
            Err(failure) => {
                self.fail(&failure);
                return None;
            }
        };
        if listed.sessions.is_empty() {
            self.say("there is no other session of this project yet");
            return None;
        }
        let now = listed.now.clone();
        let items = listed.sessions.iter().map(|session| Item {
            id: session.id.clone(),
            title: session.title.clone(),
            note: note(session, &now),
            tags: Vec::new(),
            is_bulk: false,
        });
        let mut preview = |id: &str| {
            let show = Show {
                session: id.to_owned(),
                ..Show::default()
            };
            self.in_words(show.run(&stage.world, &flags))
        };
        let resume = Action {
            key: Key::Enter,
            word: "go on with it",
            takes: Takes::One,
            after: After::Ends,
        };
        let picked = self.choose(
            "Sessions",
            items.collect(),
            &[resume],
            &mut preview,
            &mut |_, _| Outcome::Leave,
        );
        match picked {
            Some(Picked::Chose { items, .. }) => {
                self.wish.resume = items.into_iter().next();
                self.wish.resume.is_some().then_some(Todo::Switch)
            }
            _ => None,
        }
    }

    /// A list to choose from: full of the screen, or by number where nothing is written over.
    pub(super) fn choose(
        &self,
        title: &str,
        items: Vec<Item>,
        actions: &[Action],
        preview: &mut dyn FnMut(&str) -> String,
        act: &mut dyn FnMut(Action, &[String]) -> Outcome,
    ) -> Option<Picked> {
        let stage = self.stage;
        let picked = match stage.face.style {
            Style::Rich => {
                let cancel = stage.control.begin();
                let picker = Picker::new(title, items, actions).in_color(stage.face.has_color);
                let picked = picker::run(stage.screen, &cancel, picker, preview, act);
                stage.control.end();
                picked
            }
            Style::Lines => {
                let lines = picker::Lines {
                    screen: stage.screen,
                    hear: &mut io::stdin().lock(),
                    say: &mut io::stdout().lock(),
                };
                picker::ask_by_number(lines, title, items, actions, preview, act)
            }
        };
        picked.ok()
    }

    /// Lets the person look through what waits, and say what becomes of it. What they take there they have seen.
    pub(super) fn inbox(&mut self) {
        let items = match self.waiting() {
            Ok(items) => items,
            Err(failure) => return self.fail(&failure),
        };
        if items.is_empty() {
            return self.say("nothing waits in the inbox");
        }
        let (stage, flags) = (self.stage, self.stage.cli.global.flags());
        let mut preview = |id: &str| {
            let item = id.to_owned();
            self.in_words(waiting::Show { item }.run(&stage.world, &flags))
        };
        let mut act = |action: Action, ids: &[String]| self.settled(action, ids);
        let actions = [ACCEPT, FOR_PROJECT, EDIT, DISMISS];
        self.choose("Inbox", items, &actions, &mut preview, &mut act);
    }

    fn waiting(&self) -> Result<Vec<Item>, Failure> {
        let flags = self.stage.cli.global.flags();
        let answer = waiting::List {}.run(&self.stage.world, &flags)?;
        let item = |item: waiting::InboxItem| Item {
            note: match &item.date {
                Some(date) => format!("{} · {}", kind(item.kind), ago(date, &answer.now)),
                None => kind(item.kind).to_owned(),
            },
            tags: tags(&item),
            is_bulk: !item.is_tainted,
            title: item.title,
            id: item.id,
        };
        Ok(answer.items.into_iter().map(item).collect())
    }

    fn settled(&self, action: Action, ids: &[String]) -> Outcome {
        let world = &self.stage.world;
        let asking = self.stage.cli.global.flags();
        // What they take or leave there they have seen; what an editor made of it they have not.
        let flags = Flags {
            yes: true,
            ..asking
        };
        let accept = |to: waiting::Whose| waiting::Accept {
            items: ids.to_vec(),
            to,
            all: false,
            allow: Vec::new(),
        };
        let settled = match action {
            ACCEPT => accept(waiting::Whose::User).run(world, &flags),
            FOR_PROJECT => accept(waiting::Whose::Project).run(world, &flags),
            DISMISS => {
                let items = ids.to_vec();
                waiting::Dismiss { items }.run(world, &flags)
            }
            _ => {
                let edit = waiting::Edit {
                    item: ids.first().cloned().unwrap_or_default(),
                    file: None,
                    text: None,
                    allow: Vec::new(),
                };
                edit.run(world, &asking)
            }
        };
        let said = match &settled {
            Ok(settled) => {
                let reasons = settled
                    .items
                    .iter()
                    .filter_map(|item| item.reason.as_deref());
                let reasons: Vec<_> = reasons.map(|why| one_line(why).into_owned()).collect();
                match reasons.is_empty() {
                    true => format!("{}: done", action.word),
                    false => reasons.join("; "),
                }
            }
            Err(failure) => failure.to_string(),
        };
        match self.waiting() {
            Ok(items) if items.is_empty() => Outcome::Leave,
            Ok(items) => Outcome::Renewed { items, said },
            Err(failure) => Outcome::Gone {
                ids: Vec::new(),
                said: failure.to_string(),
            },
        }
    }

    /// An answer as text, for a preview.
    fn in_words(&self, answer: Result<impl Human, Failure>) -> String {
        let mut shown = Vec::new();
        let plain = self.stage.screen.plain();
        match answer.map(|answer| answer.show(&mut shown, &plain)) {
            Ok(_) => String::from_utf8_lossy(&shown).into_owned(),
            Err(failure) => failure.to_string(),
        }
    }
}

fn kind(kind: waiting::InboxKind) -> &'static str {
    match kind {
        waiting::InboxKind::Skill => "skill",
        waiting::InboxKind::SkillUpdate => "skill update",
        waiting::InboxKind::MemoryUpdate => "memory update",
    }
}

fn tags(item: &waiting::InboxItem) -> Vec<String> {
    let tags = [
        (item.new, "new"),
        (item.is_tainted, "quarantine"),
        (item.was_dismissed, "dismissed before"),
        (!item.problems.is_empty(), "cannot be accepted as it is"),
    ];
    let tags = tags.into_iter().filter(|(is_so, _)| *is_so);
    tags.map(|(_, tag)| tag.to_owned()).collect()
}

/// Whose session it is, how long ago, and how much was said.
fn note(session: &Session, now: &str) -> String {
    let said = session.updated.as_deref().or(session.started.as_deref());
    let said = said.map_or_else(|| "?".to_owned(), |said| ago(said, now));
    let prompts = match session.prompts {
        1 => "1 prompt".to_owned(),
        n_prompts => format!("{n_prompts} prompts"),
    };
    format!("{} · {said} · {prompts}", session.agent)
}

/// How many of the newest sessions are offered.
const MAX_SESSIONS: usize = 500;
