//! Memory in a talk: rendered anew before every request, and brought along by tools.
//!
//! Nothing is watched: memory is loaded again for each request, which costs a few milliseconds beside an answer that
//! takes seconds. So whatever changed it (a save, an edit, another agent, a folder that was trusted) is in the next
//! request, once, and a text that did not change stays as it was, byte for byte.

use analects_memory::discover::Trust;
use analects_memory::layer::Layer;
use analects_memory::load::{Loaded, Tracked};
use analects_text::problem::Problem;
use analects_text::tokens;
use analects_world::AbsPath;
use analects_world::changes::ContentHash;
use analects_world::model::{Body, Content};
use serde_json::Value;

use crate::World;
use crate::load_memory::{self, Prepared};
use crate::prompt::{self, PromptOptions};
use crate::verbs::{Failure, Flags};

/// What a conversation knows of memory.
pub(super) struct Memory {
    flags: Flags,
    /// What was brought in just in time, as it was then.
    rows: Vec<Tracked>,
    /// Where in the history that stands.
    shown: Vec<Shown>,
    /// What left it.
    gone: Vec<AbsPath>,
    /// What servers say, which stands in no file.
    words: Vec<Loaded>,
}

/// A text that came along with the answer of a tool.
struct Shown {
    call: String,
    text: String,
    paths: Vec<AbsPath>,
}

/// The system text of a request.
pub(super) struct System {
    /// The text.
    pub(super) text: String,
    /// The memory files in it.
    pub(super) n_files: usize,
    /// What they cost.
    pub(super) memory_tokens: usize,
    /// What each of them has of that.
    pub(super) shares: Vec<Share>,
    /// What was wrong on the way.
    pub(super) problems: Vec<Problem>,
}

/// What one file of memory has of the system text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) layer: Layer,
    pub(super) path: AbsPath,
    pub(super) tokens: usize,
    /// Of its text.
    pub(super) hash: ContentHash,
}

/// The files that are not as they were: changed, new or gone.
pub(super) fn changed(before: &[Share], now: &[Share]) -> Vec<String> {
    let is_in = |all: &[Share], share: &Share| all.contains(share);
    let new = now.iter().filter(|share| !is_in(before, share));
    let is_gone = |share: &&Share| now.iter().all(|other| other.path != share.path);
    let gone = before.iter().filter(is_gone);
    let gone = gone.map(|share| format!("{} (gone)", share.path));
    new.map(|share| share.path.to_string())
        .chain(gone)
        .collect()
}

impl System {
    /// A text without memory.
    pub(super) fn fixed(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            n_files: 0,
            memory_tokens: 0,
            shares: Vec::new(),
            problems: Vec::new(),
        }
    }
}

/// What a tool brought along.
pub(super) struct Along {
    /// The text to put behind its output.
    pub(super) text: String,
    /// The files in it.
    pub(super) n_files: usize,
    /// What it costs.
    pub(super) tokens: usize,
    /// What was wrong on the way.
    pub(super) problems: Vec<Problem>,
}

impl Memory {
    /// Nothing was brought in yet.
    pub(super) fn new(flags: Flags) -> Self {
        Self {
            flags,
            rows: Vec::new(),
            shown: Vec::new(),
            gone: Vec::new(),
            words: Vec::new(),
        }
    }

    /// The same, with what servers say.
    pub(super) fn with(self, words: Vec<Loaded>) -> Self {
        Self { words, ..self }
    }

    /// The system text as everything stands now.
    pub(super) fn render(
        &mut self,
        world: &World<'_>,
        options: &PromptOptions<'_>,
    ) -> Result<System, Failure> {
        let prepared = load_memory::prepare(world, &self.flags)?;
        let mut started = prepared.start(*world);
        started.loader.resume(std::mem::take(&mut self.rows));
        started.loader.forget(&std::mem::take(&mut self.gone));
        self.rows = started.loader.tracked();
        if prepared.decision.trust == Trust::Trusted {
            started.add(&self.words);
        }
        let prompt = prompt::assemble(world, &prepared, &started, options)?;
        let layers = started.stack.layers.iter();
        let shares: Vec<_> = layers
            .flat_map(|stacked| stacked.blocks.iter().map(|block| (stacked.layer, block)))
            .map(|(layer, block)| Share {
                layer,
                path: block.path.clone(),
                tokens: block.tokens,
                hash: ContentHash::of(block.text.as_bytes()),
            })
            .collect();
        let layers = started.stack.layers.iter().map(|layer| layer.tokens());
        let mut problems = started.problems;
        problems.extend(prompt.problems);
        Ok(System {
            n_files: shares.len(),
            shares,
            memory_tokens: layers.sum(),
            text: prompt.system,
            problems,
        })
    }

    /// What a call that touched these paths brings along, if anything. A rule that cannot be loaded is a problem and
    /// no failure: the tool has done its work.
    pub(super) fn touch(
        &mut self,
        world: &World<'_>,
        prepared: &Prepared,
        call: &str,
        paths: &[AbsPath],
    ) -> Option<Along> {
        let mut started = prepared.start(*world);
        started.loader.resume(std::mem::take(&mut self.rows));
        started.loader.forget(&std::mem::take(&mut self.gone));
        let nearby = started.touch_all(paths);
        self.rows = started.loader.tracked();
        let text = nearby.text();
        if text.is_empty() {
            return None;
        }
        let paths = nearby.fragments.iter().map(|it| it.block.path.clone());
        self.shown.push(Shown {
            call: call.to_owned(),
            text: text.clone(),
            paths: paths.collect(),
        });
        Some(Along {
            tokens: tokens::estimate(&text),
            n_files: nearby.fragments.len(),
            text,
            problems: nearby.problems,
        })
    }

    /// Forgets what the history no longer says: the next tool that gets there brings it along again.
    pub(super) fn forget_what_left(&mut self, history: &[Content]) {
        let (here, left) = std::mem::take(&mut self.shown)
            .into_iter()
            .partition(|shown| stands(history, shown));
        self.shown = here;
        self.gone
            .extend(left.into_iter().flat_map(|shown| shown.paths));
    }
}

/// Whether the answer of the call still has the text.
fn stands(history: &[Content], shown: &Shown) -> bool {
    let mut answers = history.iter().flat_map(|turn| &turn.parts);
    answers.any(|part| match &part.body {
        Body::Response(answer) => {
            answer.id.as_deref() == Some(&*shown.call) && says(&answer.response, &shown.text)
        }
        Body::Text(text) => text.contains(&shown.text),
        _ => false,
    })
}

fn says(response: &Value, text: &str) -> bool {
    let output = response.get("output").and_then(Value::as_str);
    output.is_some_and(|output| output.contains(text))
}
