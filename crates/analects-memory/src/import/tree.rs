//! Imports in place: the text of the imported file stands where its token stood.

use analects_text::lines::LineIndex;
use analects_world::AbsPath;
use analects_world::Profile;

use super::token::{self, Token};
use super::{Followed, ImportNode, Imported, Importer, MAX_REPORTED, Reason, Top};
use crate::label::in_marker;
use crate::load::Source;
use crate::render;

pub(super) fn expand(importer: &mut Importer<'_>, top: &Top<'_>) -> Imported {
    let mut expansion = Expansion {
        importer,
        top,
        text: String::new(),
        chain: Vec::new(),
    };
    let imports = expansion.add(top.source);
    Imported {
        text: expansion.text,
        imports,
    }
}

struct Expansion<'a, 'b> {
    importer: &'b mut Importer<'a>,
    top: &'b Top<'b>,
    text: String,
    /// The imports around the current place, outermost first. The top-level file is not among them: the
    /// original lets a file import itself once.
    chain: Vec<AbsPath>,
}

impl Expansion<'_, '_> {
    /// Appends the text of `source`, its imports in place.
    fn add(&mut self, source: &Source) -> Vec<ImportNode> {
        let profile = self.importer.options.profile;
        let is_raw =
            profile == Profile::Head && self.chain.len() >= self.importer.options.max_depth;
        let tokens = if is_raw {
            Vec::new()
        } else {
            token::tokens(&source.text, profile)
        };
        let lines = std::cell::LazyCell::new(|| LineIndex::new(&source.text));
        let mut imports = Vec::new();
        let mut n_failed = 0;
        let mut from = 0;
        for token in &tokens {
            self.add_said(source.text.get(from..token.at));
            from = token.end();
            let target = source.dir().join(&token.path(profile));
            match self.follow(token, &target, source) {
                Followed::New(imported) => imports.push(self.add_import(token, imported)),
                Followed::Again => {
                    self.comment("File already processed", token, "");
                }
                Followed::Failed(reason) => {
                    let why = match profile {
                        Profile::Head => in_marker(&reason.as_node(&target)),
                        Profile::Analects | Profile::Seed => reason.short(),
                    };
                    self.comment("Import failed", token, &format!(" - {why}"));
                    n_failed += 1;
                    if n_failed <= MAX_REPORTED {
                        self.importer.failed(source, &lines, token, &reason.short());
                    }
                }
            }
        }
        self.add_said(source.text.get(from..));
        self.text.push_str(&source.cut_note());
        if n_failed > MAX_REPORTED {
            self.importer.more_failed(source, n_failed - MAX_REPORTED);
        }
        imports
    }

    fn follow(&mut self, token: &Token<'_>, target: &AbsPath, from: &Source) -> Followed {
        let is_on_chain = self.chain.contains(target);
        match self.importer.options.profile {
            Profile::Head if token.is_url() => Followed::Failed(Reason::Outside),
            // The original looks at the chain only: a diamond is expanded twice.
            Profile::Head if is_on_chain => {
                match self.importer.follow(target, &from.path, self.top) {
                    Followed::Failed(Reason::Outside) => Followed::Failed(Reason::Outside),
                    _ => Followed::Again,
                }
            }
            Profile::Analects | Profile::Seed
                if self.chain.len() >= self.importer.options.max_depth =>
            {
                self.importer.too_deep(target)
            }
            _ => self.importer.follow(target, &from.path, self.top),
        }
    }

    fn add_import(&mut self, token: &Token<'_>, imported: Source) -> ImportNode {
        self.comment("Imported from", token, "");
        self.text.push('\n');
        self.chain.push(imported.path.clone());
        let imports = self.add(&imported);
        self.chain.pop();
        self.text.push('\n');
        self.comment("End of import from", token, "");
        ImportNode::new(&imported, imports)
    }

    fn add_said(&mut self, said: Option<&str>) {
        self.text
            .push_str(&render::harmless(said.unwrap_or_default()));
    }

    fn comment(&mut self, what: &str, token: &Token<'_>, rest: &str) {
        let label = in_marker(token.written);
        let comment = format!("<!-- {what}: {label}{rest} -->");
        self.importer.purse.charge_frame(comment.len());
        self.text.push_str(&comment);
    }
}
