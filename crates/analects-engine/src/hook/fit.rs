//! Memory within a host's limits, with a note where something had to go.

use analects_memory::load::Loaded;
use analects_memory::render;
use analects_memory::stack::{self, LayerLimits, LayerText, MemoryStack};
use analects_text::tokens;
use analects_world::Profile;

use super::host::Room;

/// What may be said at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// The budget, in tokens.
    pub(super) tokens: usize,
    /// How much room the host has.
    pub(super) room: Room,
    /// The budget of one layer, in tokens.
    pub(super) layer_tokens: usize,
}

/// Memory as it is said.
#[derive(Debug)]
pub(super) struct Fitted {
    /// The text; empty if there is no memory.
    pub(super) text: String,
    /// The layers in it.
    pub(super) stack: MemoryStack,
}

/// How often we try to come closer to a limit before we give up.
const MAX_TRIES: usize = 8;

/// Renders what fits; `None` if not even the frame does.
///
/// Short layers stay whole: what goes, goes from the longest files of the longest layers, and each cut
/// says so. What is the user's own has its room first; the project gets what is left.
pub(super) fn fit(loaded: &[Loaded], profile: Profile, limits: Limits) -> Option<Fitted> {
    let all = LayerLimits {
        own: limits.layer_tokens,
        project: limits.layer_tokens,
    };
    let whole = render(loaded, profile, all);
    if limits.admit(&whole.text) {
        return Some(whole);
    }
    let (projects, own): (Vec<_>, Vec<_>) =
        loaded.iter().cloned().partition(|file| file.is_of_project);
    let [own, projects] = [own, projects].map(|files| costs(&files, limits.layer_tokens));
    let layers = whole.stack.layers.iter();
    let said: usize = layers.map(LayerText::tokens).sum();
    let frame = tokens::estimate(&whole.text).saturating_sub(said);
    let mut wanted = limits.tokens;
    for _ in 0..MAX_TRIES {
        let room = wanted.checked_sub(frame)?;
        let own_share = share(&own, room);
        let taken: usize = own.iter().map(|cost| (*cost).min(own_share)).sum();
        let left = room.saturating_sub(taken);
        let shares = LayerLimits {
            own: own_share.min(limits.layer_tokens),
            project: share(&projects, left).min(limits.layer_tokens),
        };
        let fitted = render(loaded, profile, shares);
        if limits.admit(&fitted.text) {
            return Some(fitted);
        }
        wanted = limits.closer(wanted, &fitted.text);
    }
    None
}

/// What each layer of these files costs.
fn costs(files: &[Loaded], layer_tokens: usize) -> Vec<usize> {
    let stack = stack::stack(files, layer_tokens);
    stack.layers.iter().map(LayerText::tokens).collect()
}

impl Limits {
    /// What is allowed where a text is cut by tokens alone: no character takes more room than it costs.
    pub(super) fn narrow_tokens(self) -> usize {
        self.tokens.min(self.room.limit / 4)
    }

    /// What is left where this is said, too.
    pub(super) fn less(self, text: &str) -> Self {
        let mut left = self;
        left.tokens = left.tokens.saturating_sub(tokens::estimate(text));
        // And the blank line between.
        left.room.limit = (left.room.limit).saturating_sub(self.room.taken_by(text) + 2);
        left
    }

    /// Whether a text may be said.
    pub(super) fn admit(self, text: &str) -> bool {
        tokens::estimate(text) <= self.tokens && self.room.taken_by(text) <= self.room.limit
    }

    /// A smaller budget than `wanted`, which led to a text that is too long.
    fn closer(self, wanted: usize, text: &str) -> usize {
        let scaled = |limit: usize, taken: usize| wanted.saturating_mul(limit) / taken.max(1);
        let by_tokens = scaled(self.tokens, tokens::estimate(text));
        let by_room = scaled(self.room.limit, self.room.taken_by(text));
        // A little less, since a cut never meets its mark.
        by_tokens.min(by_room).min(wanted) * 19 / 20
    }
}

fn render(loaded: &[Loaded], profile: Profile, layers: LayerLimits) -> Fitted {
    let stack = stack::stack_within(loaded, layers);
    let text = render::render(&stack, profile).text;
    // The ruler at the top parts it from the rest of a system prompt, which is not here.
    let text = text.trim_start_matches(['\n', '-']).to_owned();
    Fitted { text, stack }
}

/// The largest share such that layers cut to it stay within `limit` together.
fn share(costs: &[usize], limit: usize) -> usize {
    let mut costs: Vec<_> = costs.iter().copied().filter(|cost| *cost > 0).collect();
    costs.sort_unstable();
    let mut left = limit;
    for (at, cost) in costs.iter().enumerate() {
        let share = left / (costs.len() - at);
        if *cost > share {
            return share;
        }
        left -= cost;
    }
    usize::MAX
}
