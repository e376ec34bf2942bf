//! What is judged: something that makes a history shorter.

use analects_chat::weigh;
use analects_world::Profile;
use analects_world::model::Content;

/// A model that is asked: the system text and the turns before it, and its answer.
pub(crate) type Model<'a> = dyn Fn(&str, &[Content]) -> String + 'a;

/// Something that makes a history shorter.
pub(crate) trait Squeeze: Sync {
    /// The history, shorter, for a window of so many tokens. Without a model it has to do alone.
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
