//! Takes one atom after the other and keeps the clause in mind.

use super::super::atoms::{Atom, Opener, Term, TermKind};
use super::super::lexicon::{Denial, Role};
use super::super::scan::Pause;
use super::{Clause, Item, Placed, Reading};

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

/// The reading so far, and the clause that is being read.
pub(super) struct Reader<'a> {
    atoms: &'a [Atom],
    /// For every atom, the next pause at or behind it.
    pauses: Vec<Option<Pause>>,
    /// Clauses that are over, and all terms.
    reading: Reading,
    open: Open,
    before: Before,
}

/// The clause that is being read.
struct Open {
    clause: Clause,
    /// Its first term.
    start: usize,
    /// Whether anything but terms and links stood in it.
    has_grammar: bool,
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
}

impl Open {
    fn new(start: usize, sentence: usize) -> Self {
        Self {
            clause: Clause {
                sentence,
                ..Clause::default()
            },
            start,
            has_grammar: false,
            role: Role::Plain,
            role_opens_clause: false,
            n_role_terms: 0,
            reach: Reach::Nothing,
            reach_role: Role::Plain,
            n_reached: 0,
            n_ordered: None,
            past: start,
            denied: start,
        }
    }

    /// Whether a denial has found nothing to deny yet.
    fn denial_waits(&self) -> bool {
        self.reach != Reach::Nothing && self.n_reached == 0
    }

    fn reach(&mut self, reach: Reach) {
        self.reach = reach;
        self.reach_role = self.role;
        self.n_reached = 0;
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(atoms: &'a [Atom]) -> Self {
        let mut next = None;
        let mut pauses: Vec<Option<Pause>> = atoms
            .iter()
            .rev()
            .map(|atom| {
                if let Atom::Pause(pause) = atom {
                    next = Some(*pause);
                }
                next
            })
            .collect();
        pauses.reverse();
        Self {
            atoms,
            pauses,
            reading: Reading::default(),
            open: Open::new(0, 0),
            before: Before::Start,
        }
    }

    /// The reading, when no atom is left.
    pub(super) fn finish(mut self) -> Reading {
        self.mark_lost_denial();
        self.reading.clauses.push(self.open.clause);
        self.reading
    }

    /// Takes the atom at `at`.
    pub(super) fn take(&mut self, at: usize) {
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
            Atom::Over if self.open.n_ordered > Some(0) => self.denial(Denial::Contrast, at),
            Atom::Over => self.term(&lone_term("over", TermKind::Word), at),
            Atom::Just if self.open.denial_waits() => {
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

    fn is_empty(&self) -> bool {
        self.reading.placed.len() == self.open.start
    }

    fn term(&mut self, term: &Term, at: usize) {
        if term.is_command {
            self.leave_opening_role(at);
        }
        if self.is_empty() && self.open.role == Role::Plain && !self.open.clause.opens_with_link {
            self.open.clause.is_command = term.is_command;
        }
        if matches!(term.kind, TermKind::May | TermKind::Needless) {
            let is_permission =
                self.open.role == Role::Plain && (self.is_empty() || term.is_command);
            self.open.clause.says_do |= is_permission && term.kind == TermKind::May;
            self.reading.items.push(Item::Link("must"));
        }
        let is_reached =
            self.open.reach != Reach::Nothing && self.open.role == self.open.reach_role;
        let index = self.reading.placed.len();
        self.reading.placed.push(Placed {
            term: term.clone(),
            role: self.open.role,
            is_denied: is_reached,
            is_contrast: is_reached && self.open.reach == Reach::AheadInContrast,
            clause: self.reading.clauses.len(),
        });
        self.reading.items.push(Item::Term(index));
        self.open.n_role_terms += 1;
        self.open.n_reached += usize::from(is_reached);
        if let Some(n) = &mut self.open.n_ordered {
            *n += 1;
        }
    }

    /// `Before committing run the tests`: the order ends the condition, though no comma does.
    fn leave_opening_role(&mut self, at: usize) {
        let comma_follows = self.pauses.get(at) == Some(&Some(Pause::Comma));
        if self.open.role != Role::Plain
            && self.open.role_opens_clause
            && self.open.n_role_terms > 0
            && !comma_follows
        {
            self.open.role = Role::Plain;
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
        if opener == Opener::Always && self.open.reach != Reach::Nothing {
            if self.open.n_reached == 0 {
                self.open.clause.is_vague = true;
            } else {
                self.new_clause();
            }
        }
        self.leave_opening_role(at);
        self.open.has_grammar = true;
        if !self.is_empty() {
            let name = if opener == Opener::Use { "use" } else { "must" };
            self.reading.items.push(Item::Link(name));
        }
        if self.open.role == Role::Plain && self.open.reach == Reach::Nothing {
            self.open.clause.says_do = true;
            // `Use a, never b` is one order; after `always` and `please` two may follow.
            if matches!(opener, Opener::Must | Opener::Use) {
                self.open.n_ordered.get_or_insert(0);
            }
        }
    }

    fn denial(&mut self, denial: Denial, at: usize) {
        self.part_after_and();
        self.leave_opening_role(at);
        let is_empty = self.is_empty();
        if self.open.role != Role::Plain {
            // Denied within a condition: `if the tests do not pass`.
            self.open.reach(Reach::Ahead);
            return;
        }
        let follows_comma = is_empty && self.before == Before::Comma && self.open.start > 0;
        let is_contrast = match denial {
            Denial::Contrast => true,
            Denial::Bare => {
                self.before == Before::Term || follows_comma || self.open.n_ordered > Some(0)
            }
            _ => self.open.n_ordered > Some(0),
        };
        if is_contrast {
            self.open.reach(Reach::AheadInContrast);
            self.open.has_grammar = true;
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
        if self.open.reach == Reach::Ahead && self.open.n_reached == 0 {
            // `Do not avoid` is not `avoid`.
            self.term(&lone_term("not", TermKind::Exact), at);
        }
        if !is_empty {
            self.reading.items.push(Item::Link("must"));
        }
        self.open.clause.n_denials += 1;
        self.open.clause.is_vague |= is_vague;
        self.open.has_grammar = true;
        // The whole clause is denied: `tests must not touch the network` and `do not touch the network
        // in tests` deny the same.
        let from = self.open.start.max(self.open.denied);
        for placed in self.reading.placed.iter_mut().skip(from) {
            placed.is_denied |= placed.role == Role::Plain;
        }
        self.open.denied = self.reading.placed.len();
        self.open.reach(Reach::Ahead);
    }

    fn under(&mut self, role: Role) {
        let conditions = [Role::When, Role::After, Role::Before, Role::Unless];
        let follows_condition = self
            .reading
            .placed
            .last()
            .is_some_and(|placed| conditions.contains(&placed.role));
        if role == Role::Then && (follows_condition || self.open.denial_waits()) {
            return;
        }
        self.reading.items.push(Item::Edge);
        self.open.role_opens_clause = self.is_empty();
        self.open.role = role;
        self.open.n_role_terms = 0;
        self.open.has_grammar = true;
        if self.open.reach == Reach::AheadInContrast {
            self.open.reach = Reach::Nothing;
        }
    }

    /// A condition behind what it governs.
    fn past(&mut self, role: Role) {
        let from = self.open.start.max(self.open.past);
        for placed in self.reading.placed.iter_mut().skip(from) {
            if matches!(placed.role, Role::Plain | Role::When) {
                placed.role = role;
                placed.is_denied = false;
            }
        }
        self.open.past = self.reading.placed.len();
        self.open.role = Role::Plain;
        self.reading.items.push(Item::Edge);
    }

    fn link(&mut self, name: &'static str) {
        if self.is_empty() && !self.open.has_grammar {
            self.open.clause.opens_with_link = true;
        }
        let ends_contrast = !matches!(name, "to" | "from" | "into");
        if self.open.reach == Reach::AheadInContrast && self.open.n_reached > 0 && ends_contrast {
            self.open.reach = Reach::Nothing;
        }
        self.reading.items.push(Item::Link(name));
    }

    fn pause(&mut self, pause: Pause, at: usize) {
        let is_soft = match pause {
            Pause::Comma | Pause::Colon if self.open.has_grammar && self.waits_for_terms() => true,
            Pause::Comma => {
                (self.open.clause.opens_with_link && !self.open.has_grammar && !self.is_empty())
                    || self.list_follows(at)
            }
            Pause::Colon => {
                !self.open.has_grammar && self.reading.placed.len() - self.open.start <= 4
            }
            Pause::Semicolon | Pause::Stop => false,
        };
        if is_soft {
            self.reading.items.push(Item::Edge);
            if self.waits_for_terms() {
                // `Do not, if possible, use a`: the aside is over.
                self.open.role = Role::Plain;
            }
            return;
        }
        self.open.clause.is_lead = pause == Pause::Colon;
        self.new_clause();
        self.open.clause.sentence += usize::from(pause == Pause::Stop);
    }

    /// `Never, ever`, `Always:`.
    fn waits_for_terms(&self) -> bool {
        self.open.denial_waits() || (self.is_empty() && self.open.clause.says_do)
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
        let is_order =
            self.open.role == Role::Plain && (self.open.has_grammar || self.open.clause.is_command);
        has_and || n_commas > 1 || (is_order && n_terms <= 2 && !has_run)
    }

    /// A denial with nothing to deny still tells a text from one without it.
    fn mark_lost_denial(&mut self) {
        if self.open.denial_waits() && self.is_empty() {
            self.term(&lone_term("not", TermKind::Exact), self.atoms.len());
        }
    }

    fn new_clause(&mut self) {
        self.mark_lost_denial();
        self.reading.items.push(Item::Edge);
        let start = self.reading.placed.len();
        let next = Open::new(start, self.open.clause.sentence);
        let over = std::mem::replace(&mut self.open, next);
        if over.start < start || over.has_grammar {
            self.reading.clauses.push(over.clause);
        }
    }
}
