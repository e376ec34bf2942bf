//! What is judged: something that makes a history shorter.

use analects_chat::compress::{self, Answer, Ask, Trigger};
use analects_chat::limits::{Limits, Wishes};
use analects_chat::weigh;
use analects_world::Profile;
use analects_world::model::{Content, Role};

/// A model that is asked: the system text and the turns before it, and its answer.
pub(crate) type Model<'a> = dyn Fn(&str, &[Content]) -> String + 'a;

/// Something that makes a history shorter.
pub(crate) trait Squeeze: Sync {
    /// The history, shorter, for a window of that many tokens. Without a model it has to do alone.
    fn squeeze(
        &self,
        history: Vec<Content>,
        window_tokens: usize,
        model: Option<&Model<'_>>,
    ) -> Vec<Content>;
}

/// Leaves everything as it is: nothing can score better.
pub(crate) struct Everything;

impl Squeeze for Everything {
    fn squeeze(&self, history: Vec<Content>, _: usize, _: Option<&Model<'_>>) -> Vec<Content> {
        history
    }
}

/// Keeps the newest 15 in a hundred: who does not score far better has understood nothing.
pub(crate) struct Newest;

impl Squeeze for Newest {
    fn squeeze(&self, mut history: Vec<Content>, _: usize, _: Option<&Model<'_>>) -> Vec<Content> {
        let budget = weigh::history(&history, Profile::Analects) * 15 / 100;
        let mut kept = 0;
        let older = history.iter().rev().skip_while(|content| {
            kept += weigh::content(content, Profile::Analects);
            kept <= budget
        });
        let n_older = older.count();
        history.split_off(n_older)
    }
}

/// What we ship.
pub(crate) struct Ours;

impl Squeeze for Ours {
    fn squeeze(
        &self,
        history: Vec<Content>,
        window_tokens: usize,
        model: Option<&Model<'_>>,
    ) -> Vec<Content> {
        let limits = Limits::of(window_tokens, Profile::Analects, &Wishes::default());
        let ask = Ask {
            limits: &limits,
            trigger: Trigger::Auto,
            pins: &[],
            focus: None,
            plan_file: None,
        };
        let Some(plan) = compress::plan(&history, &ask) else {
            return history;
        };
        let said = model.map(|model| {
            let question = plan.question();
            let mut turns = history.get(..plan.cut()).unwrap_or_default().to_vec();
            turns.push(Content::text("question", Role::User, &*question.text));
            model(&question.system, &turns)
        });
        let answer = said.as_deref().map_or(Answer::NotAsked, Answer::Said);
        let id = format!("snapshot-{}", history.len());
        compress::apply(history, plan, &id, answer).history
    }
}
