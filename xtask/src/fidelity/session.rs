//! A session that grows: somebody asks, a model works with tools and says what came of it, and among all
//! that stand facts.
//!
//! What tools answer is about four fifths of it, as in sessions of real agents; the user says about a
//! twentieth and the model a tenth.

use std::collections::VecDeque;

use analects_chat::weigh;
use analects_world::Profile;
use analects_world::model::{Body, Content, Part, Role};

use super::agenda::{Agenda, Pending, SMALL};
use super::fact::{Fact, Language, Place};
use super::frames::{self, Project, chinese, english, fill};
use super::outputs;
use super::tools::{Dialect, Step, ToolUse};
use super::words::{Words, capitalised};
use super::work::{Bench, Talk, Telling};

/// Which share of all tokens each voice has, in thousandths.
const OUTPUT_SHARE: usize = 800;
const CALL_SHARE: usize = 50;
/// How many facts stand in one request at most.
const MAX_TOLD: usize = 4;
/// How much more work than usual may follow a request.
const MAX_MORE: usize = 3;

/// A session and what was told in it.
pub(crate) struct Session {
    /// The turns, as they stand: what was compressed is not undone.
    pub(crate) history: Vec<Content>,
    /// What was told.
    pub(crate) facts: Vec<Fact>,
    /// How many tokens each voice has said since the beginning.
    pub(crate) said: Voices,
    words: Words,
    dialect: Dialect,
    files: Vec<String>,
    dirs: Vec<String>,
    plan: Vec<Step>,
    user_share: usize,
    prose_share: usize,
    n_turns: usize,
    stage: usize,
    /// Files that the user asked for and that are not there yet.
    orders: VecDeque<String>,
}

/// How many tokens each voice has said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Voices {
    /// The user.
    pub(crate) user: usize,
    /// The model in words, thoughts included.
    pub(crate) prose: usize,
    /// The model to tools.
    pub(crate) calls: usize,
    /// The tools.
    pub(crate) outputs: usize,
}

impl Voices {
    /// All together.
    pub(crate) fn all(self) -> usize {
        self.user + self.prose + self.calls + self.outputs
    }
}

impl Session {
    /// An empty session.
    pub(crate) fn new(seed: u64) -> Self {
        let mut words = Words::new(seed);
        let dirs: Vec<_> = (0..9).map(|at| dir(at, &mut words)).collect();
        let files = (0..24).map(|_| words.path(&dirs)).collect();
        let user_share = words.dice.between(50, 60);
        Self {
            history: Vec::new(),
            facts: Vec::new(),
            said: Voices::default(),
            words,
            dialect: Dialect::of_seed(seed),
            files,
            dirs,
            plan: Vec::new(),
            user_share,
            prose_share: 0,
            n_turns: 0,
            stage: 0,
            orders: VecDeque::new(),
        }
    }

    /// Goes on for that many tokens, in which this many facts are told.
    pub(crate) fn grow(&mut self, n_tokens: usize, n_facts: usize) {
        self.stage += 1;
        self.prose_share = if n_tokens < SMALL { 66 } else { 88 };
        let mut agenda = Agenda::new(self.said.all(), n_tokens, n_facts, &mut self.words.dice);
        let ends_at_work = self.words.dice.chance(40);
        while !agenda.is_over(self.said.all()) {
            self.request(&mut agenda);
            self.work(&mut agenda);
            if !(ends_at_work && agenda.is_over(self.said.all())) {
                self.answer(&mut agenda);
            }
        }
    }

    /// The user says something: what is due, and some idle words.
    fn request(&mut self, agenda: &mut Agenda) {
        let share = self.user_share;
        let turn = self.next_turn();
        let mut sentences = Vec::new();
        let mut n_tokens = 0;
        let mut language = (agenda.language_of_next()).unwrap_or_else(|| self.any_language());
        while sentences.len() < MAX_TOLD {
            // What is said here stands for all the work that follows from it.
            let until = self.said.all() + (n_tokens + 20) * 1000 / share;
            let Some(pending) = agenda.next(Place::User, until) else {
                break;
            };
            let is_switch = pending.language != language && !sentences.is_empty();
            if is_switch && !agenda.is_late(until) && !self.words.dice.chance(30) {
                agenda.put_back(pending);
                break;
            }
            language = pending.language;
            let sentence = self.tell(&pending, Place::User, &turn);
            n_tokens += tokens_of(&sentence);
            sentences.push(sentence);
        }
        let lag = (self.said.all() * share / 1000).saturating_sub(self.said.user);
        let n_idle = match (sentences.len(), lag > n_tokens) {
            (0, _) => self.words.dice.between(1, 4),
            (1 | 2, true) => self.words.dice.between(1, 3),
            (_, true) => 1,
            (_, false) => self.words.dice.below(2),
        };
        for _ in 0..n_idle {
            let sentence = self.idle_sentence(language, Role::User);
            let at = self.words.dice.below(sentences.len() + 1);
            sentences.insert(at, sentence);
        }
        if agenda.length > 40_000 && self.words.dice.chance(4) {
            sentences.push(self.pasted());
        }
        let text = joined(&sentences);
        self.push(turn, Role::User, vec![Part::text(text)]);
    }

    /// Tools are used, until they have answered as much as such a request brings about.
    fn work(&mut self, agenda: &mut Agenda) {
        let mut n_more = 0..MAX_MORE;
        while !agenda.is_waiting_for_user(self.said.all())
            && (self.is_behind_user() || (self.is_behind_all() && n_more.next().is_some()))
        {
            let turn = self.next_turn();
            let mut calls = Vec::new();
            let mut responses = Vec::new();
            let n_calls = match self.words.dice.below(100) {
                _ if agenda.length < SMALL => 1,
                0..86 => 1,
                86..96 => 2,
                _ => 3,
            };
            for at in 0..n_calls {
                let used = self.use_tool(agenda, &turn);
                let id = format!("{turn}-{at}");
                calls.push(Part::call(&*id, used.name, used.args));
                responses.push(Part::response(&*id, used.name, used.response));
            }
            let mut parts = Vec::new();
            let is_quiet = self.said.prose * OUTPUT_SHARE > self.said.outputs * self.prose_share;
            if !is_quiet && self.words.dice.chance(35) {
                parts.push(self.thought());
            }
            let told = agenda.next(Place::Model, self.said.all());
            if told.is_some() || (!is_quiet && self.words.dice.chance(60)) {
                let text = self.comment(told.as_ref(), &turn);
                parts.push(Part::text(text));
            }
            parts.extend(calls);
            self.push(turn, Role::Model, parts);
            let turn = self.next_turn();
            self.push(turn, Role::User, responses);
        }
    }

    fn is_behind_user(&self) -> bool {
        self.said.outputs * self.user_share < self.said.user * OUTPUT_SHARE
    }

    fn is_behind_all(&self) -> bool {
        self.said.outputs * 1000 < self.said.all() * (OUTPUT_SHARE - 20)
    }

    fn use_tool(&mut self, agenda: &mut Agenda, turn: &str) -> ToolUse {
        let pending = agenda.next(Place::Tool, self.said.all());
        let is_quiet = self.said.calls * OUTPUT_SHARE > self.said.outputs * CALL_SHARE;
        let project = Project {
            files: &self.files,
            dirs: &self.dirs,
        };
        let mut bench = Bench {
            dialect: self.dialect,
            project,
            plan: &mut self.plan,
            max_chars: (agenda.length * 2 / 5).clamp(300, 30_000),
        };
        if let Some(pending) = pending {
            let Telling {
                used,
                probes,
                said,
                is_echoed,
            } = bench.telling(pending.kind, pending.language, &mut self.words);
            self.facts.push(Fact {
                kind: pending.kind,
                language: pending.language,
                place: Place::Tool,
                stage: self.stage,
                probes,
                said,
                turn: turn.to_owned(),
                is_echoed,
            });
            return used;
        }
        if let Some(path) = self.orders.pop_front() {
            let text = outputs::print(outputs::Sort::Source, 200, &mut self.words, &self.files);
            return self.dialect.write(&path, &text);
        }
        // Where little can be said at all, what is written would crowd out what is read.
        let is_cramped = agenda.length < SMALL && self.words.dice.chance(80);
        let talk = match is_quiet || is_cramped {
            true => Talk::Short,
            false => Talk::Long,
        };
        bench.idle(&mut self.words, talk)
    }

    /// The model says what came of it.
    fn answer(&mut self, agenda: &mut Agenda) {
        let turn = self.next_turn();
        let language = self.any_language();
        let lag =
            (self.said.outputs * self.prose_share / OUTPUT_SHARE).saturating_sub(self.said.prose);
        let mut sentences = vec![self.idle_sentence(language, Role::Model)];
        let mut n_tokens = 0;
        while let Some(pending) = agenda.next(Place::Model, self.said.all()) {
            let sentence = self.tell(&pending, Place::Model, &turn);
            n_tokens += tokens_of(&sentence);
            sentences.push(sentence);
        }
        while n_tokens < lag && sentences.len() < 14 {
            let sentence = self.idle_sentence(language, Role::Model);
            n_tokens += tokens_of(&sentence);
            let at = self.words.dice.between(1, sentences.len());
            sentences.insert(at, sentence);
        }
        let text = match sentences.len() > 4 && self.words.dice.chance(50) {
            true => sentences.join("\n- "),
            false => joined(&sentences),
        };
        self.push(turn, Role::Model, vec![Part::text(text)]);
    }

    fn comment(&mut self, told: Option<&Pending>, turn: &str) -> String {
        let language = told.map_or_else(|| self.any_language(), |pending| pending.language);
        let mut sentences = vec![self.idle_sentence(language, Role::Model)];
        sentences.extend(told.map(|pending| self.tell(pending, Place::Model, turn)));
        joined(&sentences)
    }

    /// A sentence with a fact in it.
    fn tell(&mut self, pending: &Pending, place: Place, turn: &str) -> String {
        let language = pending.language;
        let project = Project {
            files: &self.files,
            dirs: &self.dirs,
        };
        let frames = frames::of_facts(pending.kind, language, place);
        let filled = fill(frames, language, &mut self.words, project);
        if filled.is_order {
            self.orders.extend(filled.probes.first().cloned());
        }
        let leads: &[&str] = match language {
            Language::English => &english::LEADS,
            Language::Chinese => &chinese::LEADS,
        };
        let lead = match place {
            Place::User => self.words.dice.pick(leads),
            Place::Tool | Place::Model => "",
        };
        self.facts.push(Fact {
            kind: pending.kind,
            language,
            place,
            stage: self.stage,
            probes: filled.probes,
            said: filled.text.clone(),
            turn: turn.to_owned(),
            is_echoed: filled.is_order,
        });
        format!("{lead}{}", filled.text)
    }

    fn idle_sentence(&mut self, language: Language, role: Role) -> String {
        let frames: &[&str] = match (language, role) {
            (Language::English, Role::User) => &english::IDLE_USER,
            (Language::English, Role::Model) => &english::IDLE_MODEL,
            (Language::Chinese, Role::User) => &chinese::IDLE_USER,
            (Language::Chinese, Role::Model) => &chinese::IDLE_MODEL,
        };
        let project = Project {
            files: &self.files,
            dirs: &self.dirs,
        };
        fill(frames, language, &mut self.words, project).text
    }

    fn thought(&mut self) -> Part {
        let subject = capitalised(&self.words.phrase(2));
        let said = self.idle_sentence(Language::English, Role::Model);
        let mut part = Part::text(format!("**{subject}** {said}"));
        part.is_thought = true;
        part
    }

    /// Something that the user copied from elsewhere.
    fn pasted(&mut self) -> String {
        let n_lines = self.words.dice.between(5, 14);
        let lines = (0..n_lines).map(|_| outputs::log_line(&mut self.words));
        format!("\n```\n{}\n```\n", lines.collect::<Vec<_>>().join("\n"))
    }

    fn any_language(&mut self) -> Language {
        Language::ALL[self.words.dice.below(2)]
    }

    fn next_turn(&mut self) -> String {
        self.n_turns += 1;
        format!("t{}", self.n_turns)
    }

    fn push(&mut self, id: String, role: Role, parts: Vec<Part>) {
        for part in &parts {
            let n_tokens = weigh::parts([part], Profile::Analects);
            match (&part.body, role) {
                (Body::Response(_), _) => self.said.outputs += n_tokens,
                (Body::Call(_), _) => self.said.calls += n_tokens,
                (_, Role::User) => self.said.user += n_tokens,
                (_, Role::Model) => self.said.prose += n_tokens,
            }
        }
        self.history.push(Content { id, role, parts });
    }
}

/// A directory of the project.
fn dir(at: usize, words: &mut Words) -> String {
    let name = words.coin();
    match at % 5 {
        0 => format!("crates/{name}/src"),
        1 => format!("src/{name}"),
        2 => format!("docs/{name}"),
        3 => format!("tests/{name}"),
        _ => format!("web/{name}/lib"),
    }
}

/// Chinese sentences follow one another without a blank, but for those that end in a letter.
fn joined(sentences: &[String]) -> String {
    let mut text = String::new();
    for sentence in sentences {
        let needs_blank = !text.is_empty() && !text.ends_with(['。', '？', '\n']);
        if needs_blank {
            text.push(' ');
        }
        text.push_str(sentence);
    }
    text
}

fn tokens_of(text: &str) -> usize {
    weigh::parts([&Part::text(text)], Profile::Analects)
}
