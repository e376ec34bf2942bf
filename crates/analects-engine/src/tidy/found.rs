//! Steps by the rules of the memory room, on all memory that applies here and deeper in the project.

use std::collections::HashSet;

use analects_memory::check::{self as room, Survey};
use analects_memory::label::Labels;
use analects_memory::layer::Layer;
use analects_memory::page::Page;
use analects_memory::tidy::{self, Ground, Shelf, Step, TidyOptions};
use analects_text::decode::{Cut, Repair, decode};
use analects_text::problem::Problem;
use analects_world::files::{Files, Trouble, Want, Within};
use analects_world::{AbsPath, Profile};

use super::{Sight, Source, Wish};
use crate::load_memory::Prepared;
use crate::place::{self, Target};
use crate::verbs::{Failure, Flags};
use crate::{World, check, pages, write};

/// At most this many files are told where one is meant that is not there.
const MAX_TOLD: usize = 10;

/// Everything that does not change while a person thinks.
pub(super) struct Found {
    survey: Option<Survey>,
    /// Which files there are, and whom they speak for; what they say is read anew each time.
    pages: Vec<Page>,
    options: TidyOptions,
    paths: Vec<AbsPath>,
}

impl Found {
    /// Looks through the project; what could not be looked at is told.
    pub(super) fn new(
        world: &World<'_>,
        flags: &Flags,
        prepared: &Prepared,
        wish: &Wish,
    ) -> (Self, Vec<Problem>) {
        const WORK: &str = "looking through memory";
        world.progress.tell(WORK, 0, 3);
        let survey = check::survey(world, prepared, check::MAX_DIRS);
        world.progress.tell(WORK, 1, 3);
        let mut started = prepared.start(*world);
        // What cannot be read is not tidied, and whoever hears that all is tidy must know.
        let is_unread = |problem: &&Problem| problem.code == &analects_memory::codes::UNREADABLE;
        let mut problems: Vec<_> = started.problems.iter().filter(is_unread).cloned().collect();
        if let Some(survey) = &survey {
            check::touch_all(world, prepared, &mut started, survey);
            if survey.is_cut {
                let message = format!("only {} directories were looked into", check::MAX_DIRS);
                let problem = Problem::new(&room::codes::WALK_CUT, message);
                problems.push(problem.in_file(&prepared.root));
            }
        }
        world.progress.tell(WORK, 2, 3);
        let read = pages::read(world.files, &started, write::LIMIT_BYTES);
        world.progress.tell(WORK, 3, 3);
        let project = check::name(world, prepared).filter(|_| !prepared.no_memory);
        let private = project.as_ref().and_then(|_| {
            let place = place::place(world, flags, prepared, "", Target::Private).ok()?;
            Some(Shelf {
                path: place.path,
                style: place.style,
            })
        });
        let found = Self {
            survey,
            options: TidyOptions {
                profile: prepared.settings.profile,
                labels: Labels {
                    profile: Profile::Analects,
                    ..prepared.load.labels.clone()
                },
                project,
                editable: read.editable.into_iter().collect(),
                private,
                kinds: wish.kinds.iter().copied().collect(),
            },
            pages: read.all,
            paths: wish.paths.clone(),
        };
        (found, problems)
    }

    /// Fails if something that is named holds no memory: to hear that all is tidy there would be no answer.
    pub(super) fn require_paths(&self, files: &dyn Files) -> Result<(), Failure> {
        for path in &self.paths {
            let holds = |page: &Page| page.path.is_within(path);
            let is_dir = || files.require_dir(path).is_ok();
            if self.pages.iter().any(holds) || is_dir() {
                continue;
            }
            let what = match read(files, path) {
                Err(Trouble::Missing) => "there is no such file",
                _ => "that is no memory file that applies here",
            };
            let failure = Failure::bad_input(format!("cannot tidy `{path}`: {what}"));
            let there = self.pages.iter().take(MAX_TOLD);
            let there: Vec<_> = there.map(|page| format!("`{}`", page.path)).collect();
            return Err(match there.is_empty() {
                true => failure.hint("no memory applies here"),
                false => failure.hint(format!("memory files here: {}", there.join(", "))),
            });
        }
        Ok(())
    }

    fn is_wanted(&self, step: &Step) -> bool {
        let is_inside = |file: &&AbsPath| self.paths.iter().any(|path| file.is_within(path));
        self.paths.is_empty() || step.files().iter().all(is_inside)
    }
}

impl Source for Found {
    fn look(&self, files: &dyn Files) -> Result<Sight, Failure> {
        let (pages, editable) = again(files, &self.pages, &self.options.editable);
        let mut options = TidyOptions {
            editable,
            ..self.options.clone()
        };
        // Where a file lies that was not read as what it is, nothing new is put.
        let is_known = |path: &AbsPath| pages.iter().any(|page| page.path == *path);
        let is_absent = |path: &AbsPath| matches!(read(files, path), Err(Trouble::Missing));
        options.private = options
            .private
            .filter(|it| is_known(&it.path) || is_absent(&it.path));
        let survey = self.survey.as_ref();
        let ground = survey.map(|survey| Ground { files, survey });
        let mut plan = tidy::plan(&pages, ground, &options);
        plan.steps.retain(|step| self.is_wanted(step));
        Ok(Sight {
            pages,
            steps: plan.steps,
            problems: plan.notes,
        })
    }

    fn shelf(&self) -> Option<&AbsPath> {
        self.options.private.as_ref().map(|shelf| &shelf.path)
    }
}

/// The same pages as they are now, each file once whatever it is called, and those that may be changed.
pub(super) fn again(
    files: &dyn Files,
    pages: &[Page],
    editable: &HashSet<AbsPath>,
) -> (Vec<Page>, HashSet<AbsPath>) {
    let wants: Vec<_> = pages
        .iter()
        .map(|page| Want {
            path: &page.path,
            within: Within::Anywhere,
            limit_bytes: write::LIMIT_BYTES,
        })
        .collect();
    let mut seen = HashSet::new();
    let (mut now, mut open) = (Vec::new(), HashSet::new());
    for (page, blob) in pages.iter().zip(files.read(&wants)) {
        let Ok(blob) = blob else { continue };
        if !seen.insert(blob.id) {
            continue;
        }
        let cut = if blob.is_cut() { Cut::Cut } else { Cut::Whole };
        let decoded = decode(&blob.bytes, cut);
        let is_plain = decoded.repair == Repair::None && cut == Cut::Whole;
        if is_plain && page.layer != Layer::Extension && editable.contains(&page.path) {
            open.insert(page.path.clone());
        }
        now.push(Page {
            text: decoded.text.into_owned(),
            ..page.clone()
        });
    }
    (now, open)
}

fn read(files: &dyn Files, path: &AbsPath) -> Result<(), Trouble> {
    let want = Want {
        path,
        within: Within::Anywhere,
        limit_bytes: 0,
    };
    files.read_one(want).map(drop)
}
