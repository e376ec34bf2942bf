//! Tells what a person typed from what the agent adds to user messages.

use crate::transcript::{AttachedText, Role};

use super::{Reading, Scene};

/// How far before an event its item may stand.
const MAX_STEPS_BACK: usize = 8;

/// How a prompt came to be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// As an item for the model, which may be the program's; before the first event or after it.
    Item {
        /// Whether the file has events at all there.
        after_events: bool,
    },
    /// As an event, so it is a person's.
    Event,
    /// As both.
    Both,
}

impl Known {
    /// Whether a person said it, as far as one can tell by now.
    pub(super) fn is_prompt(self) -> bool {
        self != Self::Item { after_events: true }
    }
}

/// Whether a part of a message only says where a picture of it begins or ends.
pub(super) fn is_picture_tag(text: &str) -> bool {
    let tag = text
        .trim()
        .strip_prefix('<')
        .and_then(|rest| rest.strip_suffix('>'));
    let tag = tag.filter(|tag| !tag.contains(['<', '>', '\n']));
    tag.is_some_and(|tag| tag == "/image" || tag == "image" || tag.starts_with("image "))
}

/// The working directory, of which the oldest files tell nowhere else.
pub(super) fn cwd_in(text: &str) -> Option<&str> {
    let text = text.trim_start();
    text.strip_prefix("<environment_context>")?;
    let tagged = text
        .split_once("<cwd>")
        .and_then(|(_, rest)| rest.split_once("</cwd>"));
    let named = || {
        let (_, rest) = text.split_once("Current working directory: ")?;
        rest.split_once('\n')
    };
    tagged
        .or_else(named)
        .map(|(cwd, _)| cwd.trim())
        .filter(|cwd| !cwd.is_empty())
}

impl Reading {
    /// A message to the model in the user's name: what was typed, and what others wrote into it.
    pub(super) fn prompt_item(
        &mut self,
        id: Option<&str>,
        text: String,
        attached: Vec<AttachedText>,
        scene: &Scene<'_>,
    ) {
        if let Some(turn) = self.twin(&text, Known::Event) {
            self.confirm(turn);
            if let Some(turn) = self.story.turn_mut(turn) {
                turn.attached.extend(attached);
            }
            return;
        }
        let known = Known::Item {
            after_events: self.has_events,
        };
        let mut said = scene.said(id, Role::User, text);
        said.attached = attached;
        self.say(said, Some(known));
    }

    /// A prompt, as it was shown.
    pub(super) fn prompt_event(&mut self, id: Option<&str>, text: String, scene: &Scene<'_>) {
        let item = [false, true].map(|after_events| Known::Item { after_events });
        let twin = item.into_iter().find_map(|known| self.twin(&text, known));
        match twin {
            Some(turn) => self.confirm(turn),
            None => {
                self.say(scene.said(id, Role::User, text), Some(Known::Event));
            }
        }
    }

    /// What stands in the user's name and was confirmed by no event, in a file that has them, is the program's.
    pub(super) fn settle_prompts(&mut self) {
        let unconfirmed = Some(Known::Item { after_events: true });
        // The event of the last one may not be written yet.
        let last_answer = self
            .story
            .turns()
            .iter()
            .rposition(|turn| turn.role == Role::Model);
        for index in 0..last_answer.unwrap_or_default() {
            if self.known.get(index) == Some(&unconfirmed)
                && let Some(turn) = self.story.turn_mut(index)
            {
                turn.role = Role::Program;
            }
        }
    }

    /// Takes back the last prompts with all that came of them.
    pub(super) fn take_back(&mut self, n_prompts: usize) {
        // Whatever is searched is taken back too, so that many of these take no longer than the file is.
        let n_prompts = n_prompts.min(self.n_prompts);
        let known = self.known.iter().enumerate().rev();
        let mut prompts = known.filter(|(_, known)| known.is_some_and(Known::is_prompt));
        let nth_last = n_prompts.checked_sub(1).and_then(|n| prompts.nth(n));
        if let Some((from, _)) = nth_last {
            self.known.truncate(from);
            self.story.take_back(from);
            self.n_prompts -= n_prompts;
        }
    }

    /// The same prompt, known in that way, since the model last spoke.
    fn twin(&self, text: &str, known: Known) -> Option<usize> {
        let turns = self.story.turns().iter().enumerate().rev();
        let since = turns
            .take(MAX_STEPS_BACK)
            .take_while(|(_, turn)| turn.role != Role::Model);
        since
            .filter(|(index, _)| self.known.get(*index) == Some(&Some(known)))
            .find(|(_, turn)| is_same(&turn.text, text))
            .map(|(index, _)| index)
    }

    fn confirm(&mut self, turn: usize) {
        if let Some(Some(known)) = self.known.get_mut(turn) {
            self.n_prompts += usize::from(!known.is_prompt());
            *known = Known::Both;
        }
    }
}

/// Parts are joined differently, and pictures are marked or not.
fn is_same(one: &str, other: &str) -> bool {
    let solid = |text: &str| text.replace(super::item::PICTURE, "");
    let (one, other) = (solid(one), solid(other));
    one.split_whitespace().eq(other.split_whitespace())
        || one.split_whitespace().collect::<String>()
            == other.split_whitespace().collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_around_pictures_are_not_text() {
        assert!(!is_picture_tag("<image src=x>\nis broken"));
        assert!(is_picture_tag("<image name=[Image #1]>") && is_picture_tag("</image>"));
    }

    #[test]
    fn the_directory_stands_in_the_context() {
        let new = "<environment_context>\n  <cwd>/repo</cwd>\n</environment_context>";
        let old =
            "<environment_context>\nCurrent working directory: /repo\nApproval policy: never\n";
        assert_eq!(cwd_in(new), Some("/repo"));
        assert_eq!(cwd_in(old), Some("/repo"));
        assert_eq!(cwd_in("<cwd>/elsewhere</cwd>"), None);
    }
}
