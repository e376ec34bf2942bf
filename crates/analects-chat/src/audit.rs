//! Which facts of a history are still there after it was compressed.
//!
//! A judge that knows nothing of what it judges: it takes the paths, commands, error lines and wishes of the
//! user out of the raw history by rules of its own, and looks for each in what is left. It counts words that
//! are there, not whether a reader would understand them.
//!
//! Two texts are the same if their words and signs are: blanks, line ends, backticks and colours of a terminal
//! do not count, `&lt;` is `<`, and case does count. A fact is found only between word boundaries, so `a.rs` is
//! not in `data.rs`; it is in `src/a.rs`, however, and in `a.rs.bak`. Of a fact with more than 160 characters
//! the first 120 are enough, unless another one of its kind begins with the same: then all of it is looked for,
//! up to 1,000. What a model only thought is no text that is left.

mod command;
mod error;
mod facts;
mod needles;
mod path;
mod pieces;
mod symbols;
mod wish;

use analects_world::model::{Body, Call, Content, Response, Role};

use facts::Facts;
use needles::Needles;

/// What became of the facts of a history.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Audit {
    /// Files and directories that tools were pointed at or that were spoken of.
    pub paths: Tally,
    /// Commands that were run in a shell.
    pub commands: Tally,
    /// What went wrong, in the words of the programs; exit codes too.
    pub errors: Tally,
    /// Sentences in which the user asks for something, forbids or corrects it.
    pub imperatives: Tally,
}

/// What became of the facts of one kind. Each stands once, in the order in which they first came up, and is
/// shown in one line of at most 300 characters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    /// Those that are still there.
    pub survived: Vec<String>,
    /// Those that are not.
    pub lost: Vec<String>,
    /// How many older ones there were than are looked for: the newest 10,000 of a kind.
    pub n_unchecked: usize,
}

impl Tally {
    /// Which share of those that were looked for is still there; all, if there were none.
    #[must_use]
    pub fn share(&self) -> f64 {
        let n_checked = self.survived.len() + self.lost.len();
        match n_checked {
            0 => 1.0,
            #[expect(clippy::cast_precision_loss, reason = "there are at most 10,000")]
            n => self.survived.len() as f64 / n as f64,
        }
    }
}

/// Looks for the facts of `before` in `after`.
///
/// ```
/// use analects_chat::audit::audit;
/// use analects_world::model::{Content, Role};
///
/// let before = [Content::text("1", Role::User, "Never touch src/old.rs. Use port 8081 instead.")];
/// let after = [Content::text("2", Role::User, "The user said: never touch `src/old.rs`")];
/// let audit = audit(&before, &after);
/// assert_eq!(audit.paths.survived, ["src/old.rs"]);
/// assert_eq!(audit.imperatives.lost, ["Never touch src/old.rs", "Use port 8081 instead"]);
/// ```
#[must_use]
pub fn audit(before: &[Content], after: &[Content]) -> Audit {
    let mut found = Found::default();
    before.iter().for_each(|content| found.collect(content));
    let mut needles = Needles::default();
    let kinds = [
        &found.paths,
        &found.commands,
        &found.errors,
        &found.imperatives,
    ];
    let wanted = kinds.map(|facts| facts.wanted(&mut needles));
    let mut search = needles.search();
    for content in after {
        pieces::of_content(content, &mut |piece| search.hear(piece));
    }
    let found_needles = search.found();
    let [paths, commands, errors, imperatives] =
        std::array::from_fn(|kind| kinds[kind].tally(&wanted[kind], &found_needles));
    Audit {
        paths,
        commands,
        errors,
        imperatives,
    }
}

/// The facts of a history.
#[derive(Default)]
struct Found {
    paths: Facts,
    commands: Facts,
    errors: Facts,
    imperatives: Facts,
}

impl Found {
    fn collect(&mut self, content: &Content) {
        for part in content.parts.iter().filter(|part| !part.is_thought) {
            match &part.body {
                Body::Text(text) => path::in_text(text, &mut |path| self.paths.add(path)),
                Body::Call(call) => self.call(call),
                Body::Response(response) => self.response(response),
                Body::Media(_) | Body::Other => {}
            }
        }
        if content.role == Role::User {
            wish::in_turn(content, &mut |wish| self.imperatives.add(wish));
        }
    }

    fn call(&mut self, call: &Call) {
        path::in_args(&call.args, &mut |path| self.paths.add(path));
        if let Some(command) = command::of_call(call) {
            path::in_command(&command, &mut |path| self.paths.add(path));
            self.commands.add(&command);
        }
    }

    fn response(&mut self, response: &Response) {
        error::in_response(response, &mut |error| match error {
            error::Trouble::Line(line) => self.errors.add(line),
            error::Trouble::ExitCode(code) => {
                self.errors.add_any(&format!("exit code {code}"), || {
                    error::spellings(code).collect()
                });
            }
        });
    }
}

#[cfg(test)]
mod tests;
