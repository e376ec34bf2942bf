//! A long output in the few words of a small model, where somebody wants that of a tool.

use analects_chat::condense::{self, Budgets};
use analects_chat::keep::{Kept, Label};
use analects_world::model::{Content, Role};
use analects_world::models::{Options, Thinking};

use crate::models::choose::choose;
use crate::models::ledger::Purpose;
use crate::settings::keys;
use crate::talk::aside::Aside;
use crate::talk::keep::keep;
use crate::talk::run::Run;

/// What the model reads of an output; of a longer one it gets both ends.
const READ_TOKENS: usize = 30_000;

impl Run<'_, '_> {
    /// What is told instead of an output; `None` if nobody wants that, or nobody could say it.
    pub(super) fn condensed(&mut self, label: Label<'_>, text: &str) -> Option<String> {
        let settings = &self.prepared.settings;
        let wanted = settings.budgets(&keys::context::SUMMARIZE_OUTPUT)?;
        let budgets = Budgets {
            told_tokens: *wanted.get(label.tool)?,
            read_tokens: READ_TOKENS,
        };
        let plan = condense::plan(text, label, &self.course.dialogue().shelf(), &budgets)?;
        let model = choose(&self.world, settings, Some("flash-lite")).ok()?;
        let options = Options {
            max_output_tokens: u32::try_from(plan.max_answer_tokens).ok(),
            temperature: Some(0.0),
            thinking: Thinking::Off,
            ..Options::USUAL
        };
        let aside = Aside {
            purpose: Purpose::Compress,
            system: "",
            history: &[Content::text("output", Role::User, &*plan.prompt)],
            options: &options,
        };
        // Without an answer the output is shortened.
        let said = self.aside(&model, &aside)?;
        let kept = keep(&self.world, &self.flags, std::slice::from_ref(&plan.keep));
        let kept = kept.first().copied().unwrap_or(Kept::Failed);
        condense::apply(&plan, &said, kept, &budgets).ok()
    }
}
