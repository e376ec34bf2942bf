//! What a line may refer to (files, commands, notes), and whether it exists: shared by the lints and `tidy`.

use analects_world::files::Files;

use super::missing_command::Judge;
use super::missing_file::{self, Project};
use super::path_shape;
use super::sheet::Sheet;
use super::supposed::is_supposed;
use super::survey::Survey;
use crate::layer::Layer;

/// Something that a page names and that does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Missing {
    /// Where it is named.
    pub(crate) at: usize,
    /// A path, or a command.
    pub(crate) name: String,
}

/// Whoever knows what the project has.
pub(crate) struct References<'a> {
    files: &'a dyn Files,
    survey: &'a Survey,
    project: Project<'a>,
    judge: Judge<'a>,
}

impl<'a> References<'a> {
    pub(crate) fn new(files: &'a dyn Files, survey: &'a Survey) -> Self {
        Self {
            files,
            survey,
            project: Project::new(files, survey),
            judge: Judge::new(files, survey),
        }
    }

    /// What a page names and nobody has, in the order of the page. Blocks of code are not looked at.
    pub(crate) fn missing(&mut self, sheet: &Sheet<'_>) -> Vec<Missing> {
        let mut missing: Vec<_> = match sheet.page.is_about(self.survey.root()) {
            true => {
                let paths = missing_file::missing(&mut self.project, sheet).into_iter();
                let paths = paths.map(|(at, path)| (at, path.to_owned()));
                let commands = self.judge.spans(sheet).into_iter();
                let commands = commands.map(|(span, _)| (span.at.start, span.text.clone()));
                paths.chain(commands).collect()
            }
            false => self.missing_beside(sheet),
        };
        missing.sort();
        missing.dedup();
        let named = |(at, name)| Missing { at, name };
        missing.into_iter().map(named).collect()
    }

    /// Memory for all projects is not about this one; but a link that begins with a dot says that it leads
    /// to a file beside it.
    fn missing_beside(&self, sheet: &Sheet<'_>) -> Vec<(usize, String)> {
        if sheet.page.layer != Layer::Global {
            return Vec::new();
        }
        let dir = sheet.page.dir();
        let links = beside(sheet).filter(|(at, path)| {
            let is_there = self.files.real(&dir.join(path)).is_ok();
            !is_there && !is_supposed(&sheet.page.text, *at)
        });
        links.map(|(at, path)| (at, path.to_owned())).collect()
    }
}

/// The links of a page that begin with a dot.
fn beside<'s>(sheet: &'s Sheet<'_>) -> impl Iterator<Item = (usize, &'s str)> {
    let links = sheet.outline.links.iter();
    let files = links.filter_map(|link| Some((link.at.start, path_shape::in_link(&link.target)?)));
    files.filter(|(_, path)| path.starts_with("./") || path.starts_with("../"))
}
