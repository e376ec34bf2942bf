//! Chooses the file: by the words, by trust, and by one question where two are left.

use analects_memory::check::Survey;
use analects_memory::discover::Trust;
use analects_memory::note::Fact;
use analects_memory::route::filing::{self, Filing, Place as Wanted, Sureness};
use analects_text::problem::Problem;
use analects_text::truncate;
use analects_world::AbsPath;
use analects_world::ask::{Choosable, Question, Reply};

use crate::load_memory::Prepared;
use crate::place::{self, Place, Target};
use crate::verbs::{Failure, Flags};
use crate::{World, check, codes};

/// At most this many files of a project are known by name.
const MAX_FILES: usize = 50_000;
/// A question repeats no more of a fact than this.
const MAX_ASKED_BYTES: usize = 200;

/// Where a fact belongs, before anybody is asked.
pub(super) struct Choice {
    filing: Filing,
    problems: Vec<Problem>,
}

/// The file that a fact goes to.
pub(super) struct Chosen {
    pub(super) place: Place,
    /// The file of the root, where that should tell of this one.
    pub(super) root: Option<Place>,
    /// Whether the person would not say.
    pub(super) is_declined: bool,
    /// What is worth knowing about it.
    pub(super) problems: Vec<Problem>,
}

impl Choice {
    /// What the words of a fact tell. A project that is not trusted gets nothing: it goes to the notes on it.
    pub(super) fn of(
        world: &World<'_>,
        prepared: &Prepared,
        survey: Option<&Survey>,
        fact: &Fact,
    ) -> Self {
        let dirs = survey.map(Survey::dirs_below).unwrap_or_default();
        let mut files = survey.map(Survey::files_below).unwrap_or_default();
        files.truncate(MAX_FILES);
        let has_memory = survey.is_some_and(|survey| !survey.memory.is_empty());
        let project = filing::Project {
            name: prepared.root.file_name(),
            is_project: has_memory || check::name(world, prepared).is_some(),
            dirs: &dirs,
            files: &files,
        };
        let mut filing = filing::file(fact.as_str(), &project);
        if let Wanted::Dir(dir) = &filing.where_to
            && place::shut(dir).is_some()
        {
            filing.where_to = Wanted::Project;
        }
        let mut problems = Vec::new();
        let is_shared = matches!(filing.where_to, Wanted::Project | Wanted::Dir(_));
        if is_shared && prepared.decision.trust != Trust::Trusted {
            filing.where_to = Wanted::Private;
            let message = "this folder is not trusted, so its files are not written; it goes to your own notes on it";
            problems.push(Problem::new(&codes::KEPT_PRIVATE, message).in_file(&prepared.root));
        }
        Self { filing, problems }
    }

    /// The directory for which the fact would speak.
    pub(super) fn reach(&self, root: &AbsPath) -> AbsPath {
        match &self.filing.where_to {
            Wanted::Global | Wanted::Private => AbsPath::root(),
            Wanted::Project => root.clone(),
            Wanted::Dir(dir) => root.join(dir),
        }
    }

    /// The file, after the one question if it takes one. Nobody is asked who has agreed beforehand, or only looks.
    pub(super) fn settle(
        self,
        world: &World<'_>,
        flags: &Flags,
        prepared: &Prepared,
        fact: &Fact,
    ) -> Result<Chosen, Failure> {
        let Self {
            filing,
            mut problems,
        } = self;
        let find = |wanted: &Wanted| placed(world, flags, prepared, fact, wanted);
        let mut wanted = filing.where_to;
        let mut place = Place {
            because: filing.because,
            ..find(&wanted)?
        };
        let mut is_declined = false;
        if let Sureness::Between(other) = filing.sureness {
            let other_place = find(&other)?;
            let options = [option(&wanted, &place), option(&other, &other_place)];
            let answer = match flags.yes || flags.dry_run {
                true => Answer::Nobody,
                false => ask(world, fact, &options),
            };
            match answer {
                Answer::First => YOU.clone_into(&mut place.because),
                Answer::Second => {
                    place = Place {
                        because: YOU.to_owned(),
                        ..other_place
                    };
                    wanted = other;
                    problems.clear();
                }
                Answer::Declined => is_declined = true,
                Answer::Nobody => problems.push(assumed(&place, &other_place, &options)),
            }
        }
        let is_below = matches!(wanted, Wanted::Dir(_));
        let root = is_below.then(|| find(&Wanted::Project)).transpose()?;
        Ok(Chosen {
            place,
            root,
            is_declined,
            problems,
        })
    }
}

const YOU: &str = "you said so";

fn placed(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    fact: &Fact,
    wanted: &Wanted,
) -> Result<Place, Failure> {
    let dir;
    let target = match wanted {
        Wanted::Global => Target::Global,
        Wanted::Private => Target::Private,
        Wanted::Project => Target::Project,
        Wanted::Dir(path) => {
            dir = prepared.root.join(path);
            Target::Dir(dir.as_str())
        }
    };
    place::place(world, flags, prepared, fact.as_str(), target)
}

fn option(wanted: &Wanted, place: &Place) -> Choosable {
    let (label, whom) = match wanted {
        Wanted::Global => ("all projects", "your own"),
        Wanted::Private => ("only me, in this project", "your own"),
        Wanted::Project => ("this project", "shared with everybody who works on it"),
        Wanted::Dir(dir) => (dir.as_str(), "shared with everybody who works on it"),
    };
    Choosable {
        label: label.to_owned(),
        detail: format!("{}, {whom}", place.path),
    }
}

/// What a person said to two places.
enum Answer {
    First,
    Second,
    Declined,
    Nobody,
}

fn ask(world: &World<'_>, fact: &Fact, options: &[Choosable; 2]) -> Answer {
    let said = truncate::head_bytes(fact.as_str(), MAX_ASKED_BYTES);
    let more = if said.len() < fact.as_str().len() {
        "…"
    } else {
        ""
    };
    let question = Question {
        text: &format!("Where should this hold? \"{said}{more}\""),
        options,
    };
    match world.person.question(&question) {
        Reply::Chose(0) => Answer::First,
        Reply::Chose(1) => Answer::Second,
        // Whatever else is said is no place.
        Reply::Chose(_) | Reply::Said(_) | Reply::Declined => Answer::Declined,
        Reply::Nobody => Answer::Nobody,
    }
}

fn assumed(place: &Place, other: &Place, [first, second]: &[Choosable; 2]) -> Problem {
    let message = format!(
        "it may be meant for \"{}\" or for \"{}\" ({}), and nobody was asked; it goes to the narrower",
        first.label, second.label, other.path
    );
    Problem::new(&codes::PLACE_ASSUMED, message).in_file(&place.path)
}
