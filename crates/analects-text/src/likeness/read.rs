//! Reads a sentence as a rule: what it says, what it denies, and under which condition.
//!
//! This is no grammar. It knows clauses, the reach of a denial and of a condition, and little else; the
//! same words in the same clauses give the same reading, and that is all a comparison needs.

use super::atoms::{Atom, Opener, Term, TermKind, atoms};
use super::lexicon::{Denial, Role};
use super::scan::Pause;

/// A term where it stands.
#[derive(Debug, Clone)]
pub(super) struct Placed {
    pub(super) term: Term,
    pub(super) role: Role,
    pub(super) is_denied: bool,
    /// Denied only to say what its opposite is not: `use a, not b`.
    pub(super) is_contrast: bool,
    pub(super) clause: usize,
}

/// What joins or parts terms.
#[derive(Debug, Clone, Copy)]
pub(super) enum Item {
    /// Index of a placed term.
    Term(usize),
    Link(&'static str),
    /// `and`, a comma of a list.
    Edge,
}

/// What a clause does as a whole.
#[derive(Debug, Clone, Default)]
pub(super) struct Clause {
    pub(super) sentence: usize,
    pub(super) n_denials: usize,
    /// Only tells how things are, or denies in part: `is not`, `do not always`.
    pub(super) is_vague: bool,
    pub(super) says_do: bool,
    /// Opens with a verb in the form of a command.
    pub(super) is_command: bool,
    /// Opens with where or for what it holds: `for releases, …`.
    pub(super) opens_with_link: bool,
    /// Ends with a colon.
    pub(super) is_lead: bool,
}

/// A text as read.
#[derive(Debug, Clone, Default)]
pub(super) struct Reading {
    pub(super) placed: Vec<Placed>,
    pub(super) items: Vec<Item>,
    pub(super) clauses: Vec<Clause>,
}

/// Reads `text`.
pub(super) fn read(text: &str) -> Reading {
    let atoms = atoms(text);
    let mut reader = Reader::new(&atoms);
    for at in 0..atoms.len() {
        reader.take(at);
    }
    reader.mark_lost_denial();
    reader.reading
}

/// How far a list may be looked ahead for; keeps reading linear.
const MAX_LIST_ATOMS: usize = 64;

/// How far a denial reaches in its clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    Nothing,
    Ahead,
    AheadInContrast,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    Start,
    Term,
    And,
    Comma,
    Other,
}

fn lone_term(text: &str, kind: TermKind) -> Term {
    Term {
        text: text.to_owned(),
        kind,
        is_relation: false,
        is_command: false,
    }
}

struct Reader<'a> {
    atoms: &'a [Atom],
    /// For every atom, the next pause at or behind it.
    pauses: Vec<Option<Pause>>,
    reading: Reading,
    // The clause so far.
    start: usize,
    role: Role,
    role_opens_clause: bool,
    n_role_terms: usize,
    reach: Reach,
    reach_role: Role,
    n_reached: usize,
    /// Terms since an order began, if one did.
    n_ordered: Option<usize>,
    /// Terms up to here already stand under a condition behind them.
    past: usize,
    /// Terms up to here were denied from behind.
    denied: usize,
    opens_with_link: bool,
    has_grammar: bool,
    before: Before,
}

impl<'a> Reader<'a> {
    fn new(atoms: &'a [Atom]) -> Self {
        let mut pauses = vec![None; atoms.len()];
        let mut next = None;
        for (at, atom) in atoms.iter().enumerate().rev() {
            if let Atom::Pause(pause) = atom {
                next = Some(*pause);
            }
            pauses[at] = next;
        }
        Self {
            atoms,
            pauses,
            reading: Reading {
                clauses: vec![Clause::default()],
                ..Reading::default()
            },
            start: 0,
            role: Role::Plain,
            role_opens_clause: false,
            n_role_terms: 0,
            reach: Reach::Nothing,
            reach_role: Role::Plain,
            n_reached: 0,
            n_ordered: None,
            past: 0,
            denied: 0,
            opens_with_link: false,
            has_grammar: false,
            before: Before::Start,
        }
    }

    fn take(&mut self, at: usize) {
        let atoms = self.atoms;
        let Some(atom) = atoms.get(at) else { return };
        let mut before = Before::Other;
        match atom {
            Atom::Term(term) => {
                self.term(term, at);
                before = Before::Term;
            }
            Atom::Opener(opener) => self.opener(*opener, at),
            Atom::Denial(denial) => self.denial(*denial, at),
            Atom::Over if self.n_ordered > Some(0) => self.denial(Denial::Contrast, at),
            Atom::Over => self.term(&lone_term("over", TermKind::Word), at),
            Atom::Just if self.reach != Reach::Nothing && self.n_reached == 0 => {
                self.term(&lone_term("only", TermKind::Exact), at);
            }
            Atom::Under(role) => self.under(*role),
            Atom::Past(role) => self.past(*role),
            Atom::Link(name) => self.link(name),
            Atom::And => {
                self.reading.items.push(Item::Edge);
                before = Before::And;
            }
            Atom::But => self.new_clause(),
            Atom::Pause(pause) => {
                self.pause(*pause, at);
                if *pause == Pause::Comma {
                    before = Before::Comma;
                }
            }
            Atom::Quiet | Atom::Just => {
                before = if self.before == Before::And {
                    Before::And
                } else {
                    Before::Other
                }
            }
        }
        self.before = before;
    }

    fn clause(&mut self) -> &mut Clause {
        if self.reading.clauses.is_empty() {
            self.reading.clauses.push(Clause::default());
        }
        let last = self.reading.clauses.len() - 1;
        &mut self.reading.clauses[last]
    }

    fn is_empty(&self) -> bool {
        self.reading.placed.len() == self.start
    }

    fn term(&mut self, term: &Term, at: usize) {
        if term.is_command {
            self.leave_opening_role(at);
        }
        if self.is_empty() && self.role == Role::Plain && !self.opens_with_link {
            self.clause().is_command = term.is_command;
        }
        if matches!(term.kind, TermKind::May | TermKind::Needless) {
            let is_permission = self.role == Role::Plain && (self.is_empty() || term.is_command);
            self.clause().says_do |= is_permission && term.kind == TermKind::May;
            self.reading.items.push(Item::Link("must"));
        }
        let is_reached = self.reach != Reach::Nothing && self.role == self.reach_role;
        let index = self.reading.placed.len();
        self.reading.placed.push(Placed {
            term: term.clone(),
            role: self.role,
            is_denied: is_reached,
            is_contrast: is_reached && self.reach == Reach::AheadInContrast,
            clause: self.reading.clauses.len() - 1,
        });
        self.reading.items.push(Item::Term(index));
        self.n_role_terms += 1;
        self.n_reached += usize::from(is_reached);
        if let Some(n) = &mut self.n_ordered {
            *n += 1;
        }
    }

    /// `Before committing run the tests`: the order ends the condition, though no comma does.
    fn leave_opening_role(&mut self, at: usize) {
        let comma_follows = self.pauses.get(at) == Some(&Some(Pause::Comma));
        if self.role != Role::Plain
            && self.role_opens_clause
            && self.n_role_terms > 0
            && !comma_follows
        {
            self.role = Role::Plain;
            self.reading.items.push(Item::Edge);
        }
    }

    /// `… and never …`: what follows stands on its own.
    fn part_after_and(&mut self) {
        if self.before == Before::And && !self.is_empty() {
            self.new_clause();
        }
    }

    fn opener(&mut self, opener: Opener, at: usize) {
        self.part_after_and();
        if opener == Opener::Always && self.reach != Reach::Nothing {
            if self.n_reached == 0 {
                self.clause().is_vague = true;
            } else {
                self.new_clause();
            }
        }
        self.leave_opening_role(at);
        self.has_grammar = true;
        if !self.is_empty() {
            let name = if opener == Opener::Use { "use" } else { "must" };
            self.reading.items.push(Item::Link(name));
        }
        if self.role == Role::Plain && self.reach == Reach::Nothing {
            self.clause().says_do = true;
            // `Use a, never b` is one order; after `always` and `please` two may follow.
            if matches!(opener, Opener::Must | Opener::Use) {
                self.n_ordered.get_or_insert(0);
            }
        }
    }

    fn denial(&mut self, denial: Denial, at: usize) {
        self.part_after_and();
        self.leave_opening_role(at);
        let is_empty = self.is_empty();
        if self.role != Role::Plain {
            // Denied within a condition: `if the tests do not pass`.
            self.reach(Reach::Ahead);
            return;
        }
        let follows_comma = is_empty && self.before == Before::Comma && self.start > 0;
        let is_contrast = match denial {
            Denial::Contrast => true,
            Denial::Bare => {
                self.before == Before::Term || follows_comma || self.n_ordered > Some(0)
            }
            _ => self.n_ordered > Some(0),
        };
        if is_contrast {
            self.reach(Reach::AheadInContrast);
            self.has_grammar = true;
            return;
        }
        let is_vague = match denial {
            Denial::Fact => true,
            // With a subject right before it: `the parser does not allocate`.
            Denial::State => matches!(self.reading.items.last(), Some(Item::Term(_))),
            Denial::Bare => is_empty,
            Denial::No => !is_empty || self.before == Before::Other,
            _ => false,
        };
        if self.reach == Reach::Ahead && self.n_reached == 0 {
            // `Do not avoid` is not `avoid`.
            self.term(&lone_term("not", TermKind::Exact), at);
        }
        if !is_empty {
            self.reading.items.push(Item::Link("must"));
        }
        let clause = self.clause();
        clause.n_denials += 1;
        clause.is_vague |= is_vague;
        self.has_grammar = true;
        // The whole clause is denied: `tests must not touch the network` and `do not touch the network
        // in tests` deny the same.
        let from = self.start.max(self.denied);
        for placed in self.reading.placed.iter_mut().skip(from) {
            placed.is_denied |= placed.role == Role::Plain;
        }
        self.denied = self.reading.placed.len();
        self.reach(Reach::Ahead);
    }

    fn reach(&mut self, reach: Reach) {
        self.reach = reach;
        self.reach_role = self.role;
        self.n_reached = 0;
    }

    fn under(&mut self, role: Role) {
        let conditions = [Role::When, Role::After, Role::Before, Role::Unless];
        let follows_condition = self
            .reading
            .placed
            .last()
            .is_some_and(|placed| conditions.contains(&placed.role));
        let waits = self.reach != Reach::Nothing && self.n_reached == 0;
        if role == Role::Then && (follows_condition || waits) {
            return;
        }
        self.reading.items.push(Item::Edge);
        self.role_opens_clause = self.is_empty();
        self.role = role;
        self.n_role_terms = 0;
        self.has_grammar = true;
        if self.reach == Reach::AheadInContrast {
            self.reach = Reach::Nothing;
        }
    }

    /// A condition behind what it governs.
    fn past(&mut self, role: Role) {
        let from = self.start.max(self.past);
        for placed in self.reading.placed.iter_mut().skip(from) {
            if matches!(placed.role, Role::Plain | Role::When) {
                placed.role = role;
                placed.is_denied = false;
            }
        }
        self.past = self.reading.placed.len();
        self.role = Role::Plain;
        self.reading.items.push(Item::Edge);
    }

    fn link(&mut self, name: &'static str) {
        if self.is_empty() && !self.has_grammar {
            self.opens_with_link = true;
            self.clause().opens_with_link = true;
        }
        let ends_contrast = !matches!(name, "to" | "from" | "into");
        if self.reach == Reach::AheadInContrast && self.n_reached > 0 && ends_contrast {
            self.reach = Reach::Nothing;
        }
        self.reading.items.push(Item::Link(name));
    }

    fn pause(&mut self, pause: Pause, at: usize) {
        let is_soft = match pause {
            Pause::Comma | Pause::Colon if self.has_grammar && self.waits_for_terms() => true,
            Pause::Comma => {
                (self.opens_with_link && !self.has_grammar && !self.is_empty())
                    || self.list_follows(at)
            }
            Pause::Colon => !self.has_grammar && self.reading.placed.len() - self.start <= 4,
            Pause::Semicolon | Pause::Stop => false,
        };
        if is_soft {
            self.reading.items.push(Item::Edge);
            if self.waits_for_terms() {
                // `Do not, if possible, use a`: the aside is over.
                self.role = Role::Plain;
            }
            return;
        }
        self.clause().is_lead = pause == Pause::Colon;
        let sentence = self.clause().sentence;
        self.new_clause();
        self.clause().sentence = sentence + usize::from(pause == Pause::Stop);
    }

    /// `Never, ever`, `Always:`.
    fn waits_for_terms(&self) -> bool {
        let says_do = self
            .reading
            .clauses
            .last()
            .is_some_and(|clause| clause.says_do);
        (self.reach != Reach::Nothing && self.n_reached == 0) || (self.is_empty() && says_do)
    }

    /// Whether the comma at `at` stands in a list: short pieces, and an `and` in the end.
    fn list_follows(&self, at: usize) -> bool {
        let (mut n_terms, mut n_commas, mut has_and, mut has_run) = (0, 1, false, false);
        for atom in self.atoms.iter().skip(at + 1).take(MAX_LIST_ATOMS) {
            match atom {
                Atom::Term(term) if term.is_command && n_terms == 0 => return false,
                Atom::Term(term) => {
                    n_terms += 1;
                    has_run |= term.kind == TermKind::Run;
                }
                Atom::And => {
                    has_and = true;
                    n_terms = 0;
                }
                Atom::Pause(Pause::Comma) => {
                    n_commas += 1;
                    n_terms = 0;
                }
                Atom::Quiet | Atom::Just => {}
                Atom::Link(_) if has_and => break,
                Atom::Pause(_) => break,
                _ => return false,
            }
            if n_terms > 3 {
                return false;
            }
        }
        // `small, focused commits`: one comma, within an order. Chinese has a mark of its own for that.
        let is_order = self.role == Role::Plain
            && (self.has_grammar
                || self
                    .reading
                    .clauses
                    .last()
                    .is_some_and(|clause| clause.is_command));
        has_and || n_commas > 1 || (is_order && n_terms <= 2 && !has_run)
    }

    /// A denial with nothing to deny still tells a text from one without it.
    fn mark_lost_denial(&mut self) {
        if self.reach != Reach::Nothing && self.n_reached == 0 && self.is_empty() {
            self.term(&lone_term("not", TermKind::Exact), self.atoms.len());
        }
    }

    fn new_clause(&mut self) {
        self.mark_lost_denial();
        self.reading.items.push(Item::Edge);
        let sentence = self.clause().sentence;
        if self.is_empty() && !self.has_grammar {
            *self.clause() = Clause {
                sentence,
                ..Clause::default()
            };
        } else {
            self.reading.clauses.push(Clause {
                sentence,
                ..Clause::default()
            });
        }
        self.start = self.reading.placed.len();
        self.past = self.start;
        self.role = Role::Plain;
        self.role_opens_clause = false;
        self.n_role_terms = 0;
        self.reach = Reach::Nothing;
        self.reach_role = Role::Plain;
        self.n_reached = 0;
        self.n_ordered = None;
        self.opens_with_link = false;
        self.has_grammar = false;
    }
}
