//! The JSON that a hook answers on stdout.

use serde_json::{Map, Value};

/// What a hook says of what is about to happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Decision {
    /// It may.
    Allow,
    /// A person is to be asked.
    Ask,
    /// It may not.
    Block,
}

impl Decision {
    /// The decision of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "allow" | "approve" => Some(Self::Allow),
            "ask" => Some(Self::Ask),
            "block" | "deny" => Some(Self::Block),
            _ => None,
        }
    }
}

/// What a hook wants, or several hooks together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Output {
    /// Whether everything goes on; if not, it stops here.
    pub goes_on: Option<bool>,
    /// Why it stops.
    pub stop_reason: Option<String>,
    /// Whether nothing is shown of what the hook says.
    pub is_quiet: Option<bool>,
    /// What the user is to read.
    pub message: Option<String>,
    /// What it says of what is about to happen.
    pub decision: Option<Decision>,
    /// Why.
    pub reason: Option<String>,
    /// What only has a meaning at this event.
    pub specific: Map<String, Value>,
}

/// What is said where a hook says nothing.
const NO_REASON: &str = "No reason provided";

impl Output {
    /// Why it stops here, if it does.
    #[must_use]
    pub fn stops(&self) -> Option<&str> {
        (self.goes_on == Some(false)).then(|| self.why())
    }

    /// Why it is not done, if it is not.
    #[must_use]
    pub fn blocks(&self) -> Option<&str> {
        (self.decision == Some(Decision::Block)).then(|| self.why())
    }

    /// Why a person is to be asked, if one is.
    #[must_use]
    pub fn asks(&self) -> Option<&str> {
        (self.decision == Some(Decision::Ask)).then(|| self.why())
    }

    /// What the model is to know.
    #[must_use]
    pub fn context(&self) -> Option<&str> {
        let context = self.specific.get("additionalContext")?.as_str()?;
        Some(context).filter(|context| !context.trim().is_empty())
    }

    /// What the user is to read.
    #[must_use]
    pub fn shown(&self) -> Option<&str> {
        let message = self
            .message
            .as_deref()
            .filter(|_| self.is_quiet != Some(true));
        message.filter(|message| !message.trim().is_empty())
    }

    /// What is to be put in the place of some arguments of a tool.
    #[must_use]
    pub fn tool_input(&self) -> Option<&Map<String, Value>> {
        let input = self.specific.get("tool_input")?.as_object()?;
        Some(input).filter(|input| !input.is_empty())
    }

    fn why(&self) -> &str {
        let reasons = [&self.stop_reason, &self.reason];
        let mut said = reasons.into_iter().filter_map(Option::as_deref);
        said.find(|reason| !reason.trim().is_empty())
            .unwrap_or(NO_REASON)
    }
}
