//! Imports as a list: every file once, each in a block of its own.
//!
//! The original visits imports last to first, labels the first block with a directory, has no depth
//! limit and drops failures without a word; `Head` keeps that, the others do not.

use std::collections::HashSet;

use analects_text::lines::LineIndex;
use analects_text::trim::trim;
use analects_world::AbsPath;
use analects_world::Profile;

use super::token::{self, Token};
use super::{Followed, ImportNode, Imported, Importer, MAX_REPORTED, Top};
use crate::load::Source;
use crate::render;

pub(super) fn expand(importer: &mut Importer<'_>, top: &Top<'_>) -> Imported {
    let profile = importer.options.profile;
    let first_label = match profile {
        Profile::Head => top.source.dir(),
        Profile::Analects | Profile::Seed => top.source.path.clone(),
    };
    let mut blocks = Blocks {
        importer,
        top,
        listed: HashSet::from([first_label.clone()]),
        texts: Vec::new(),
        nodes: Vec::new(),
    };
    blocks.list(&first_label, top.source);
    Imported {
        text: blocks.texts.join("\n\n"),
        imports: blocks.nodes,
    }
}

struct Blocks<'a, 'b> {
    importer: &'b mut Importer<'a>,
    top: &'b Top<'b>,
    /// Paths that have a block already.
    listed: HashSet<AbsPath>,
    texts: Vec<String>,
    nodes: Vec<ImportNode>,
}

/// A token still to be followed, with the depth it stands at.
struct Pending {
    target: AbsPath,
    written: String,
    at: usize,
    depth: usize,
    from: usize,
}

impl Blocks<'_, '_> {
    /// Lists the top file and, depth first, all it imports. The stack is our own: chains can be long.
    fn list(&mut self, label: &AbsPath, top: &Source) {
        let mut sources = vec![top.clone()];
        self.block(label, &sources[0]);
        let mut pending = self.pending(&sources[0], 0, 0);
        let mut n_failed = 0;
        while let Some(next) = pending.pop() {
            if self.listed.contains(&next.target) {
                continue;
            }
            let followed = if self.is_too_deep(next.depth) {
                self.importer.too_deep(&next.target)
            } else {
                self.importer
                    .follow(&next.target, &sources[next.from].path, self.top)
            };
            match followed {
                Followed::Again => {}
                Followed::New(source) => {
                    self.listed.insert(next.target.clone());
                    self.block(&next.target, &source);
                    self.nodes.push(ImportNode::new(&source, Vec::new()));
                    pending.extend(self.pending(&source, next.depth + 1, sources.len()));
                    sources.push(source);
                }
                Followed::Failed(reason) => {
                    n_failed += 1;
                    if n_failed <= MAX_REPORTED {
                        let from = &sources[next.from];
                        let token = Token {
                            at: next.at,
                            written: &next.written,
                        };
                        let lines = LineIndex::new(&from.text);
                        self.importer.failed(from, &lines, &token, &reason.short());
                    }
                }
            }
        }
        if n_failed > MAX_REPORTED {
            self.importer.more_failed(top, n_failed - MAX_REPORTED);
        }
    }

    fn is_too_deep(&self, depth: usize) -> bool {
        let options = self.importer.options;
        options.profile != Profile::Head && depth >= options.max_depth
    }

    /// The tokens of a file, so that popping from the end visits them in the wanted order.
    fn pending(&self, source: &Source, depth: usize, from: usize) -> Vec<Pending> {
        let profile = self.importer.options.profile;
        let dir = source.dir();
        let mut pending: Vec<_> = token::tokens(&source.text, profile)
            .iter()
            .map(|token| Pending {
                target: dir.join(&token.path(profile)),
                written: token.written.to_owned(),
                at: token.at,
                depth,
                from,
            })
            .collect();
        if profile != Profile::Head {
            pending.reverse();
        }
        pending
    }

    fn block(&mut self, path: &AbsPath, source: &Source) {
        let label = self.importer.sources.labels.label(path);
        let whole = format!("{}{}", render::harmless(&source.text), source.cut_note());
        let said = trim(&whole);
        if said.is_empty() && self.importer.options.profile != Profile::Head {
            return;
        }
        let block = format!("--- File: {label} ---\n{said}\n--- End of File: {label} ---");
        self.importer.purse.charge_frame(block.len() - said.len());
        self.texts.push(block);
    }
}
