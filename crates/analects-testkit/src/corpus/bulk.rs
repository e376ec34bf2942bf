//! Very many sessions, one after the other: for measuring, so without the truth about them.

use super::episode::{Call, End, Episode, Scene};
use super::filler::filler;
use super::mint::Mint;
use super::moment::for_name;
use super::phrases::Lang;
use super::tape::{self, Head, Style};
use super::workflow::{Outcome, Workflow};
use super::{Session, outputs};
use analects_world::changes::ContentHash;
use serde_json::json;

/// Sessions of one project that take about `total_bytes` together.
///
/// Made one by one, so that all of them never are in memory. Each has ten prompts or more; workflows recur.
#[must_use]
pub fn many(seed: u64, n_sessions: usize, total_bytes: usize) -> Many {
    let mut mint = Mint::new(seed);
    let root = format!("/home/dev/{}", mint.word());
    let workflows = (0..N_WORKFLOWS).map(|_| Workflow::new(&mut mint)).collect();
    let mut blocks = Vec::new();
    for _ in 0..N_BLOCKS {
        let mut block = String::new();
        let wanted = mint.between(500, 9_000);
        while block.len() < wanted {
            block.push_str(&outputs::code(&mut mint));
            block.push_str(&outputs::log(&mut mint));
        }
        blocks.push(block);
    }
    Many {
        hash: ContentHash::of(root.as_bytes()).to_string(),
        mint,
        root,
        workflows,
        blocks,
        each_bytes: total_bytes / n_sessions.max(1),
        n_left: n_sessions,
    }
}

const N_WORKFLOWS: usize = 12;
const N_BLOCKS: usize = 97;

/// See [`many`].
#[derive(Debug)]
pub struct Many {
    mint: Mint,
    root: String,
    hash: String,
    workflows: Vec<Workflow>,
    /// Long outputs, used again and again.
    blocks: Vec<String>,
    each_bytes: usize,
    n_left: usize,
}

impl Iterator for Many {
    type Item = Session;

    fn next(&mut self) -> Option<Session> {
        self.n_left = self.n_left.checked_sub(1)?;
        let lang = if self.mint.chance(50) {
            Lang::En
        } else {
            Lang::Zh
        };
        let mut scene = Scene {
            mint: &mut self.mint,
            lang,
            root: &self.root,
            generic: &["cargo fmt", "cargo build", "cargo test"],
        };
        let mut episodes = Vec::new();
        let mut n_prompts = 0;
        // What a record adds to what was printed: each output stands in it about twice.
        let mut n_bytes = 0;
        while n_prompts < 10 || n_bytes < self.each_bytes {
            let mut episode = if scene.mint.chance(15) {
                let workflow = &self.workflows[scene.mint.below(N_WORKFLOWS)];
                workflow.play(&mut scene, Outcome::Validated)
            } else {
                filler(&mut scene)
            };
            for turn in &mut episode.turns {
                n_bytes += 1_500 + turn.replies.len() * 900;
                if n_bytes < self.each_bytes {
                    let block = &self.blocks[scene.mint.below(N_BLOCKS)];
                    n_bytes += block.len() * 2;
                    turn.call(read(scene.root, block));
                }
            }
            n_prompts += episode.turns.len();
            episodes.push(episode);
        }
        Some(self.session(&episodes, n_prompts))
    }
}

fn read(root: &str, block: &str) -> Call {
    Call {
        tool: "read_file".to_owned(),
        args: json!({ "file_path": format!("{root}/src/main.rs") }),
        output: block.to_owned(),
        end: End::Well,
    }
}

impl Many {
    fn session(&mut self, episodes: &[Episode], n_prompts: usize) -> Session {
        let id = self.mint.fill("{uuid}");
        let updated_ms = 1_790_000_000_000 - self.n_left as u64 * 600_000;
        let start_ms = updated_ms - 7_200_000;
        let mut style = Style::any(&mut self.mint);
        style.is_legacy = false;
        let head = Head {
            id: &id,
            project_hash: &self.hash,
            kind: "main",
            start_ms,
            updated_ms,
        };
        let short: String = id.chars().take(8).collect();
        Session {
            file: format!("session-{}-{short}.jsonl", for_name(start_ms)),
            bytes: tape::write(&mut self.mint, &head, &style, episodes),
            root: self.root.clone(),
            updated_ms,
            n_prompts,
            is_torn: style.is_torn,
            why_not: None,
            id,
        }
    }
}
