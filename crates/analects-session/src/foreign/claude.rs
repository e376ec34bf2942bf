//! Claude Code's records: a line of JSON for each block of an answer, for each result of a tool, and for much else.
//!
//! Turns stand in the order of the file. What the lines point to (`parentUuid`) tells only which of them are on a
//! way that was left: it was a part of the conversation, but not of what goes on.

mod branches;
mod line;

use std::collections::HashMap;

use analects_text::problem::Problem;
use analects_world::Agent;
use analects_world::provenance::{Author, claude, unwrap_tag, user_text};

use crate::stamp::Stamp;
use crate::transcript::{AttachedText, Head, Kind, Outcome, Role, ToolUse, Transcript};

use super::clip::{Clip, Excerpt};
use super::json::Raw;
use super::lines::{self, Place, Problems};
use super::name::Named;
use super::story::{Said, Seen, Story, key_of, when};
use super::{Base, Limits, MAX_PATH_BYTES, Record, codes, tools};
use branches::Branches;
use line::{Attachment, Block, Line, Message, Origin};

/// A title is a line.
const MAX_TITLE_BYTES: usize = 1024;

/// Reads a record.
///
/// Lines of sub-agents inside a main conversation, as older versions wrote them, are left out; a file that
/// has no others is a sub-agent's.
#[must_use]
pub fn read(bytes: &[u8], named: &Named, limits: Limits) -> (Record, Vec<Problem>) {
    let first = Reading::of(bytes, named.kind.clone(), limits);
    let is_all_aside = first.0.n_aside > 0 && first.0.story.turns().is_empty();
    let (reading, mut problems) = if is_all_aside {
        Reading::of(bytes, Kind::Subagent { parent: None }, limits)
    } else {
        first
    };
    let record = reading.finish(&named.id, &mut problems);
    (record, problems.finish())
}

/// What was read so far.
struct Reading {
    kind: Kind,
    limits: Limits,
    story: Story,
    seen: Seen,
    /// The turn of each message of the model, whose blocks stand on lines of their own.
    answers: HashMap<u64, usize>,
    n_aside: usize,
    branches: Branches,
    session: Option<String>,
    cwd: Option<String>,
    branch: Option<String>,
    custom_title: Option<String>,
    ai_title: Option<String>,
    /// Summaries, and the last line of what each sums up.
    summaries: Vec<(Option<String>, String)>,
}

impl Reading {
    fn of(bytes: &[u8], kind: Kind, limits: Limits) -> (Self, Problems) {
        let mut reading = Self {
            kind,
            limits,
            story: Story::default(),
            seen: Seen::default(),
            answers: HashMap::new(),
            n_aside: 0,
            branches: Branches::default(),
            session: None,
            cwd: None,
            branch: None,
            custom_title: None,
            ai_title: None,
            summaries: Vec::new(),
        };
        let mut problems = Problems::default();
        lines::read(bytes, &mut problems, |object, place| {
            let line = serde_json::from_str(object);
            line.map(|line| reading.line(&line, place)).is_ok()
        });
        (reading, problems)
    }

    fn line(&mut self, line: &Line<'_>, place: &Place) {
        let title = |raw: Raw<'_>| {
            raw.text(MAX_TITLE_BYTES)
                .filter(|title| !title.trim().is_empty())
        };
        match line.r#type.word().as_deref() {
            Some("custom-title") => self.custom_title = title(line.custom_title),
            Some("ai-title") => self.ai_title = title(line.ai_title).or(self.ai_title.take()),
            Some("summary") => self.sum_up(line, title(line.summary)),
            Some(kind @ ("user" | "assistant" | "system" | "attachment" | "compact_boundary")) => {
                self.talk(kind, line, place);
            }
            // Agents invent new kinds of lines all the time; none of them was a part of the conversation yet.
            _ => {}
        }
    }

    fn talk(&mut self, kind: &str, line: &Line<'_>, place: &Place) {
        if line.is_sidechain.is_true() && self.kind == Kind::Main {
            self.n_aside += 1;
            return;
        }
        let uuid = line.uuid.word();
        // Compaction writes old lines again.
        if uuid.as_deref().is_some_and(|uuid| !self.seen.insert(uuid)) {
            return;
        }
        let at = when(line.timestamp);
        self.story.happened(at);
        self.note_surroundings(line);
        let scene = Scene {
            id: uuid.as_deref(),
            at,
            place,
        };
        let n_before = self.story.turns().len();
        match kind {
            "user" => self.user(line, &scene),
            "assistant" => self.assistant(line, &scene),
            "attachment" => self.attachment(line, &scene),
            _ => self.system(line, &scene),
        }
        let answer = line.message.fields::<Message<'_>>().id.word();
        let answer = answer.and_then(|id| self.answers.get(&key_of(&id)).copied());
        let turn = Some(n_before).filter(|at| *at < self.story.turns().len());
        let turn = turn.or(answer);
        let is_prompt = turn
            .and_then(|turn| self.story.turns().get(turn))
            .is_some_and(|turn| turn.role == Role::User);
        let parent = line.parent_uuid.word();
        if let Some(uuid) = uuid.as_deref() {
            self.branches.add(uuid, parent.as_deref(), turn, is_prompt);
        }
    }

    fn note_surroundings(&mut self, line: &Line<'_>) {
        let word = |raw: Raw<'_>| raw.word().map(String::from).filter(|word| !word.is_empty());
        if self.session.is_none() {
            self.session = word(line.session_id);
        }
        if self.cwd.is_none() {
            self.cwd = line.cwd.text(MAX_PATH_BYTES).filter(|cwd| !cwd.is_empty());
        }
        // Git's word for having no branch.
        if let Some(branch) = word(line.git_branch).filter(|branch| branch != "HEAD") {
            self.branch = Some(branch);
        }
    }

    fn user(&mut self, line: &Line<'_>, scene: &Scene<'_>) {
        let Message { content, .. } = line.message.fields();
        let Origin { kind: origin } = line.origin.fields();
        let is_programs = line.is_compact_summary.is_true()
            || line.is_visible_in_transcript_only.is_true()
            || line.prompt_source.is("system")
            || !(origin.source().is_none() || origin.is("human"));
        let author = is_programs.then_some(Author::System);
        let mut message = self.message(content, author);
        if line.plan_content.is_string() {
            message.hand_over_plan(self.limits.text_bytes);
        }
        // Texts that the program put in for the model: instructions of skills, caveats, sources of pictures.
        if line.is_meta.is_true() {
            self.story.attach(message.into_attached(Author::System));
        } else {
            self.say(message, scene);
        }
    }

    /// Takes the texts out of a message, and hands results to the tools they belong to. `author` wrote all of it, if given.
    fn message(&mut self, content: Raw<'_>, author: Option<Author>) -> UserMessage {
        let limit = self.limits.text_bytes;
        let mut message = UserMessage::new(limit);
        if let Some(text) = content.excerpt(limit) {
            message.add(&text, author);
        }
        content.each(|raw| {
            let block: Block<'_> = raw.fields();
            match block.r#type.word().as_deref() {
                Some("text") => {
                    if let Some(text) = block.text.excerpt(limit) {
                        message.add(&text, author);
                    }
                }
                Some(kind @ ("image" | "document")) => message.add_typed(&format!("[{kind}]")),
                Some(kind) if kind.ends_with("tool_result") => self.result(&block),
                _ => {}
            }
        });
        message
    }

    /// Adds a turn: the user's, or the program's where the user typed nothing.
    fn say(&mut self, message: UserMessage, scene: &Scene<'_>) {
        let (typed, attached) = (message.typed.finish(), message.attached);
        if !typed.trim().is_empty() {
            let mut said = scene.said(Role::User, typed);
            said.attached = attached;
            self.story.say(said);
            return;
        }
        let is_notice = |text: &&AttachedText| claude::is_shown(&text.text);
        let mut notices = Clip::new(self.limits.text_bytes);
        for notice in attached.iter().filter(is_notice) {
            pour_line(&mut notices, unwrap_tag(&notice.text));
        }
        if notices.is_empty() {
            self.story.attach(attached);
        } else {
            self.story.say(scene.said(Role::Program, notices.finish()));
        }
    }

    fn assistant(&mut self, line: &Line<'_>, scene: &Scene<'_>) {
        let message: Message<'_> = line.message.fields();
        let is_programs = line.is_api_error_message.is_true() || message.model.is("<synthetic>");
        let role = if is_programs {
            Role::Program
        } else {
            Role::Model
        };
        let answer = message.id.word().or_else(|| line.request_id.word());
        let answer = Answer {
            key: answer.as_deref().filter(|_| !is_programs).map(key_of),
            role,
        };
        if let Some(text) = message.content.text(self.limits.text_bytes) {
            self.answer_text(&text, &answer, scene);
        }
        message.content.each(|raw| {
            let block: Block<'_> = raw.fields();
            match block.r#type.word().as_deref() {
                Some("text") => {
                    let text = block.text.text(self.limits.text_bytes);
                    self.answer_text(&text.unwrap_or_default(), &answer, scene);
                }
                Some(kind) if kind.ends_with("tool_use") => self.call(&block, &answer, scene),
                Some(kind) if kind.ends_with("tool_result") => self.result(&block),
                _ => {}
            }
        });
    }

    fn answer_text(&mut self, text: &str, answer: &Answer, scene: &Scene<'_>) {
        let text = text.trim();
        if text.is_empty() || text == "(no content)" {
            return;
        }
        let turn = self.answer_turn(answer, scene);
        if let Some(turn) = self.story.turn_mut(turn) {
            if !turn.text.is_empty() {
                turn.text.push('\n');
            }
            turn.text.push_str(text);
        }
    }

    fn call(&mut self, block: &Block<'_>, answer: &Answer, scene: &Scene<'_>) {
        let name = block.name.word().unwrap_or_default();
        let tool = ToolUse {
            input: tools::input(&name, block.input, self.limits.tool_bytes),
            paths: tools::paths(block.input),
            name: name.into(),
            output: String::new(),
            outcome: Outcome::Unknown,
        };
        let turn = self.answer_turn(answer, scene);
        self.story.call(turn, block.id.word().as_deref(), tool);
    }

    /// The turn that a message of the model became, or becomes now.
    fn answer_turn(&mut self, answer: &Answer, scene: &Scene<'_>) -> usize {
        // Blocks of one line belong together even where the message has no name.
        let key = answer
            .key
            .unwrap_or(u64::try_from(scene.place.line).unwrap_or_default());
        if let Some(turn) = self.answers.get(&key) {
            return *turn;
        }
        let turn = self.story.say(scene.said(answer.role, String::new()));
        self.answers.insert(key, turn);
        turn
    }

    fn result(&mut self, block: &Block<'_>) {
        let mut output = Clip::new(self.limits.tool_bytes);
        block.content.pour(&mut output);
        block.content.each(|raw| {
            let part: Block<'_> = raw.fields();
            match part.r#type.word().as_deref() {
                Some("text") => {
                    output.new_line();
                    part.text.pour(&mut output);
                }
                Some(kind @ ("image" | "document")) => pour_line(&mut output, &format!("[{kind}]")),
                _ => {}
            }
        });
        let outcome = if block.is_error.is_true() {
            Outcome::Failed
        } else {
            Outcome::Succeeded
        };
        if let Some(id) = block.tool_use_id.word() {
            self.story.result(&id, output.finish(), outcome);
        }
    }

    fn attachment(&mut self, line: &Line<'_>, scene: &Scene<'_>) {
        let attachment: Attachment<'_> = line.attachment.fields();
        let kind = attachment.r#type.word().unwrap_or_default();
        if kind != "queued_command" {
            let mut text = Clip::new(self.limits.tool_bytes);
            line.attachment.pour_strings(&mut text);
            self.story.attach(vec![AttachedText {
                author: claude::author_of_attachment(&kind),
                text: text.finish(),
            }]);
            return;
        }
        let Origin { kind: origin } = attachment.origin.fields();
        let is_programs = attachment.command_mode.is("task-notification")
            || !(origin.source().is_none() || origin.is("human"));
        let message = self.message(attachment.prompt, is_programs.then_some(Author::System));
        if attachment.is_meta.is_true() {
            self.story.attach(message.into_attached(Author::System));
        } else {
            self.say(message, scene);
        }
    }

    fn system(&mut self, line: &Line<'_>, scene: &Scene<'_>) {
        let text = line.content.excerpt(self.limits.text_bytes);
        let Some(text) = text.filter(|text| !text.text.trim().is_empty()) else {
            return;
        };
        let mut message = UserMessage::new(self.limits.text_bytes);
        message.add(&text, Some(Author::System));
        if line.is_meta.is_true() {
            self.story.attach(message.attached);
        } else {
            self.say(message, scene);
        }
    }

    fn sum_up(&mut self, line: &Line<'_>, summary: Option<String>) {
        if let Some(summary) = summary.filter(|_| self.summaries.len() < MAX_SUMMARIES) {
            let leaf = line.leaf_uuid.word().map(Into::into);
            self.summaries.push((leaf, summary));
        }
    }

    fn finish(self, id: &str, problems: &mut Problems) -> Record {
        // A file may begin with summaries of other conversations.
        let is_ours =
            |leaf: &Option<String>| leaf.as_ref().is_none_or(|leaf| self.seen.contains(leaf));
        let mut ours = self
            .summaries
            .iter()
            .rev()
            .filter(|(leaf, _)| is_ours(leaf));
        let summary = ours.next().map(|(_, summary)| summary.clone());
        let told = self.story.finish();
        if told.n_stray > 0 {
            let message = format!("results of tools without a call: {}", told.n_stray);
            problems.add_whole(&codes::STRAY_RESULT, message);
        }
        let other = self.session.filter(|session| session != id);
        let (kind, continues) = match self.kind {
            Kind::Main => (Kind::Main, other.map(|id| Base { id, end: None })),
            Kind::Subagent { parent } => (
                Kind::Subagent {
                    parent: parent.or(other),
                },
                None,
            ),
        };
        let head = Head {
            agent: Agent::Claude,
            id: id.to_owned(),
            title: self.custom_title.or(self.ai_title).or(summary),
            cwd: self.cwd,
            branch: self.branch,
            started: told.started,
            updated: told.updated,
            kind,
        };
        let turns = told.turns;
        Record {
            transcript: Transcript { head, turns },
            continues,
            left: self.branches.left(),
        }
    }
}

/// A file with more summaries than this holds those of others only.
const MAX_SUMMARIES: usize = 1000;

/// Where and when a line stands.
struct Scene<'a> {
    id: Option<&'a str>,
    at: Option<Stamp>,
    place: &'a Place,
}

impl Scene<'_> {
    fn said(&self, role: Role, text: String) -> Said<'_> {
        Said {
            id: self.id,
            at: self.at,
            role,
            text,
            attached: Vec::new(),
            place: self.place,
        }
    }
}

/// A message in the user's name, while it is read.
struct UserMessage {
    typed: Clip,
    attached: Vec<AttachedText>,
}

impl UserMessage {
    fn new(limit_bytes: usize) -> Self {
        Self {
            typed: Clip::new(limit_bytes),
            attached: Vec::new(),
        }
    }

    /// Adds a text block; `author` wrote all of it, if given.
    fn add(&mut self, block: &Excerpt, author: Option<Author>) {
        let mut spans = claude::split_text(&block.text, block.cut_at);
        if let Some(author) = author {
            spans.iter_mut().for_each(|span| span.author = author);
        }
        let typed = user_text(&spans);
        let typed = typed.trim();
        if !typed.is_empty() {
            self.add_typed(typed);
        }
        self.attached.extend(AttachedText::from_spans(&spans));
    }

    /// Attaches everything but the first line: the user approved a plan, and the model wrote it.
    fn hand_over_plan(&mut self, limit_bytes: usize) {
        let text = std::mem::replace(&mut self.typed, Clip::new(limit_bytes)).finish();
        let (first, plan) = text.split_once('\n').unwrap_or((&text, ""));
        self.add_typed(first);
        if !plan.trim().is_empty() {
            self.attached.push(AttachedText {
                author: Author::Model,
                text: plan.trim().to_owned(),
            });
        }
    }

    fn add_typed(&mut self, text: &str) {
        pour_line(&mut self.typed, text);
    }

    /// Everything in it as texts of this author or of those who are known.
    fn into_attached(self, author: Author) -> Vec<AttachedText> {
        let mut attached = self.attached;
        let text = self.typed.finish();
        if !text.trim().is_empty() {
            attached.push(AttachedText { author, text });
        }
        attached
    }
}

/// A message of the model, or of the program in its place.
struct Answer {
    key: Option<u64>,
    role: Role,
}

fn pour_line(clip: &mut Clip, text: &str) {
    clip.new_line();
    clip.push(text);
}
