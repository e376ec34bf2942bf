//! A project: its acts are spread over its sessions, and ordinary work is put around them.

use analects_world::changes::ContentHash;

use super::act::{Act, Place, Time};
use super::episode::{Episode, Scene};
use super::filler::{self, filler};
use super::mint::Mint;
use super::moment::for_name;
use super::phrases::Lang;
use super::tape::{self, Head, Style};
use super::workflow::{self, Outcome};
use super::{Ineligible, Project, Session, almost, correct, decoy, fail_fix, poison};

const HOUR_MS: u64 = 3_600_000;

/// What everybody runs in projects of some kinds: known to every agent, so nothing to learn.
const STACKS: [&[&str]; 7] = [
    &["cargo fmt", "cargo clippy", "cargo build", "cargo test"],
    &["npm install", "npm run lint", "npm run build", "npm test"],
    &[
        "pip install -r requirements.txt",
        "ruff check .",
        "mypy .",
        "pytest",
    ],
    &["go vet ./...", "go build ./...", "go test ./..."],
    &["./gradlew assemble", "./gradlew test", "./gradlew check"],
    &["mix deps.get", "mix format", "mix test"],
    &["bundle install", "bundle exec rubocop", "bundle exec rspec"],
];

/// What kind of project.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    pub(super) langs: &'static [Lang],
    /// Whether there is anything to learn.
    pub(super) is_quiet: bool,
}

/// A session that is being put together.
struct Draft {
    lang: Lang,
    why_not: Option<Ineligible>,
    episodes: Vec<Episode>,
    is_twice: bool,
    start_ms: u64,
    updated_ms: u64,
    id: String,
}

/// Makes up a project. `shared` is a workflow that other projects have as well.
pub(super) fn project(
    mint: &mut Mint,
    plan: Plan,
    now_ms: u64,
    shared: &workflow::Workflow,
    next_secret: &mut usize,
) -> Project {
    mint.new_project();
    let root = format!("/home/dev/{}", mint.word());
    let generic = STACKS[mint.below(STACKS.len())];
    let mut drafts = drafts(mint, plan, now_ms);
    let mut project = Project {
        root: root.clone(),
        sessions: Vec::new(),
        planted: Vec::new(),
        decoys: Vec::new(),
        poison: Vec::new(),
        one_offs: Vec::new(),
    };
    for act in acts(mint, plan) {
        perform(mint, act, &mut drafts, &mut project, generic);
    }
    let at = eligible(&drafts)[mint.below(eligible(&drafts).len())];
    let mut scene = scene(mint, drafts[at].lang, &root, generic);
    let once = shared.play(&mut scene, Outcome::Validated);
    drafts[at].episodes.push(once);
    project.decoys.push(super::Decoy {
        what: "a workflow once in each of several projects",
        heads: shared.heads(),
    });
    let hash = ContentHash::of(root.as_bytes()).to_string();
    for draft in drafts {
        let sessions = draft.write(mint, &root, &hash, generic, next_secret);
        project.sessions.extend(sessions);
    }
    project.one_offs = mint.take_one_offs();
    project
}

fn acts(mint: &mut Mint, plan: Plan) -> Vec<Act> {
    let mut acts = Vec::new();
    if !plan.is_quiet {
        for _ in 0..mint.between(1, 2) {
            acts.push(workflow::planted(mint));
        }
        acts.push(workflow::with_poison(mint));
        for _ in 0..mint.between(1, 2) {
            acts.push(fail_fix::planted(mint));
        }
        for _ in 0..mint.between(1, 3) {
            acts.push(correct::planted(mint));
        }
        if mint.chance(50) {
            acts.push(correct::generated(mint));
        }
        if mint.chance(40) {
            acts.push(correct::for_later(mint));
        }
        if mint.chance(40) {
            acts.push(fail_fix::hinted(mint));
        }
        if mint.chance(30) {
            acts.push(workflow::documented(mint));
        }
        for _ in 0..mint.between(1, 2) {
            acts.push(correct::order(mint));
        }
    }
    for outcome in [Outcome::LastFails, Outcome::Rejected, Outcome::Stopped] {
        if mint.chance(60) {
            acts.push(decoy::unvalidated(mint, outcome));
        }
    }
    acts.extend([
        decoy::unvalidated(mint, Outcome::LastFails),
        decoy::one_session(mint),
        decoy::elsewhere(mint),
        decoy::two_files(mint),
        decoy::rewound(mint),
        decoy::incidents(mint),
        decoy::speculation(mint),
        decoy::asides(mint),
        decoy::taste(mint),
        decoy::read_only(mint),
        fail_fix::never_fixed(mint),
        fail_fix::fixed_once(mint),
        fail_fix::ordinary(mint),
        correct::taken_back(mint),
        correct::wrong_too(mint),
        almost::other_value(mint),
        almost::hearsay(mint),
        almost::asked(mint),
        poison::obeyed(mint),
        poison::obeyed(mint),
        poison::brought(mint),
        poison::ignored(mint),
    ]);
    acts
}

fn drafts(mint: &mut Mint, plan: Plan, now_ms: u64) -> Vec<Draft> {
    let mut why_nots = vec![None; mint.between(13, 17)];
    why_nots.extend([
        Some(Ineligible::FewPrompts),
        Some(Ineligible::FewPrompts),
        Some(Ineligible::SubAgent),
        Some(Ineligible::SubAgent),
    ]);
    mint.shuffle(&mut why_nots);
    // Whatever was touched last.
    why_nots.extend([None, Some(Ineligible::TooRecent)]);
    let n = why_nots.len();
    let mut drafts = Vec::new();
    for (idx, why_not) in why_nots.into_iter().enumerate() {
        let hours_ago = if why_not == Some(Ineligible::TooRecent) {
            1
        } else {
            4 + 30 * (n - idx) as u64 + mint.below(20) as u64
        };
        let updated_ms = now_ms - hours_ago * HOUR_MS - mint.below(1_000_000) as u64;
        drafts.push(Draft {
            lang: plan.langs[mint.below(plan.langs.len())],
            why_not,
            episodes: Vec::new(),
            is_twice: false,
            start_ms: updated_ms - 2 * HOUR_MS,
            updated_ms,
            id: mint.fill("{uuid}"),
        });
    }
    drafts
}

fn eligible(drafts: &[Draft]) -> Vec<usize> {
    let is_eligible = |at: &usize| drafts[*at].why_not.is_none();
    (0..drafts.len()).filter(is_eligible).collect()
}

/// Puts an act into some sessions and notes the truth about it.
fn perform(
    mint: &mut Mint,
    act: Act,
    drafts: &mut [Draft],
    project: &mut Project,
    generic: &'static [&'static str],
) {
    let eligible = eligible(drafts);
    let stage = match act.place {
        Place::Eligible => eligible,
        Place::Ineligible => (0..drafts.len())
            .filter(|at| !eligible.contains(at))
            .collect(),
        Place::Twice => {
            let at = eligible[mint.below(eligible.len())];
            drafts[at].is_twice = true;
            vec![at]
        }
    };
    let n_sessions = act.n_sessions.min(stage.len());
    let chosen = mint.some(n_sessions, stage.len());
    let mut ids = Vec::new();
    for (nth, at) in chosen.into_iter().enumerate() {
        let draft = &mut drafts[stage[at]];
        let mut scene = scene(mint, draft.lang, &project.root, generic);
        let time = Time {
            nth,
            of: n_sessions,
        };
        draft.episodes.push((act.play)(&mut scene, time));
        ids.push(draft.id.clone());
    }
    project.decoys.extend(act.decoy);
    project.poison.extend(act.poison);
    project
        .planted
        .extend(act.planted.map(|planted| super::Planted {
            sessions: ids,
            ..planted
        }));
}

fn scene<'a>(
    mint: &'a mut Mint,
    lang: Lang,
    root: &'a str,
    generic: &'static [&'static str],
) -> Scene<'a> {
    Scene {
        mint,
        lang,
        root,
        generic,
    }
}

impl Draft {
    /// The files of the session.
    fn write(
        mut self,
        mint: &mut Mint,
        root: &str,
        hash: &str,
        generic: &'static [&'static str],
        next_secret: &mut usize,
    ) -> Vec<Session> {
        let mut scene = scene(mint, self.lang, root, generic);
        scene.mint.shuffle(&mut self.episodes);
        if self.why_not != Some(Ineligible::FewPrompts) {
            let wanted = scene.mint.between(10, 24);
            let mut secret = Episode::default();
            filler::tell(&mut scene, &mut secret, *next_secret);
            *next_secret += 1;
            self.insert(&mut scene, secret);
            while n_prompts(&self.episodes) < wanted {
                let more = filler(&mut scene);
                self.insert(&mut scene, more);
            }
        }
        if self.why_not == Some(Ineligible::FewPrompts) {
            self.make_short(&mut scene);
        }
        let mut style = Style::any(scene.mint);
        if self.is_twice || self.episodes.iter().any(|it| it.is_rewound) {
            style.is_legacy = false;
        }
        let mut sessions = vec![self.file(scene.mint, root, hash, &style)];
        if self.is_twice {
            // The file that was resumed stays behind, without what came later.
            style.is_legacy = true;
            self.updated_ms -= HOUR_MS / 2;
            let rewound = |it: &Episode| it.is_rewound;
            self.episodes.retain(|it| !rewound(it));
            sessions.push(self.file(scene.mint, root, hash, &style));
        }
        sessions
    }

    /// Few prompts, however much was done about them.
    fn make_short(&mut self, scene: &mut Scene<'_>) {
        while n_prompts(&self.episodes) < 4 {
            let more = filler(scene);
            self.insert(scene, more);
        }
        for episode in &mut self.episodes {
            while episode.turns.len() > 3 {
                let last = episode.turns.pop().unwrap();
                episode.turn().replies.extend(last.replies);
            }
        }
        self.episodes.truncate(2);
    }

    fn insert(&mut self, scene: &mut Scene<'_>, episode: Episode) {
        let at = scene.mint.below(self.episodes.len() + 1);
        self.episodes.insert(at, episode);
    }

    fn file(&self, mint: &mut Mint, root: &str, hash: &str, style: &Style) -> Session {
        let is_sub_agent = self.why_not == Some(Ineligible::SubAgent);
        let head = Head {
            id: &self.id,
            project_hash: hash,
            kind: if is_sub_agent { "subagent" } else { "main" },
            start_ms: self.start_ms,
            updated_ms: self.updated_ms,
        };
        let short: String = self.id.chars().take(8).collect();
        let end = if style.is_legacy { "json" } else { "jsonl" };
        let file = if is_sub_agent && mint.chance(50) {
            format!("{}/{}.jsonl", mint.fill("{uuid}"), self.id)
        } else {
            format!("session-{}-{short}.{end}", for_name(self.start_ms))
        };
        let mut style = style.clone();
        style.is_legacy &= file.ends_with(".json");
        Session {
            bytes: tape::write(mint, &head, &style, &self.episodes),
            file,
            id: self.id.clone(),
            root: root.to_owned(),
            updated_ms: self.updated_ms,
            n_prompts: n_prompts(&self.episodes),
            is_torn: style.is_torn && !style.is_legacy,
            why_not: self.why_not,
        }
    }
}

/// How often a person said something, as the record stands in the end.
fn n_prompts(episodes: &[Episode]) -> usize {
    let lasting = || episodes.iter().filter(|it| !it.is_rewound);
    let n_turns: usize = lasting().map(|it| it.turns.len()).sum();
    let is_carried = lasting().next_back().is_some_and(|it| it.carry.is_some());
    n_turns + usize::from(is_carried)
}
