//! The events at which hooks run.

/// Something at which hooks run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Event {
    /// A session begins or goes on.
    SessionStart,
    /// The user has said something.
    BeforeAgent,
    /// A model is about to be asked.
    BeforeModel,
    /// The tools that a model is offered are about to be chosen.
    BeforeToolSelection,
    /// A model has answered.
    AfterModel,
    /// A tool is about to be used.
    BeforeTool,
    /// Somebody would have to agree to a call.
    Notification,
    /// A tool was used.
    AfterTool,
    /// A history is about to be compressed.
    PreCompress,
    /// It was.
    PostCompress,
    /// The model has said its last word to what the user said.
    AfterAgent,
    /// A session is over.
    SessionEnd,
}

/// How the answers of several hooks become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Whoever blocks or stops decides; what is said is joined.
    Strictest,
    /// A later word replaces an earlier one.
    Latest,
    /// The tools that any of them wants.
    Union,
    /// Nobody decides anything; what is said is joined.
    Advice,
}

/// What a matcher is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Matching {
    /// It is looked for in the name of a tool.
    Tool,
    /// It is the word.
    Word,
    /// Nothing: it has no meaning there.
    Nothing,
}

impl Event {
    /// All of them, in the order in which they come.
    pub const ALL: [Self; 12] = [
        Self::SessionStart,
        Self::BeforeAgent,
        Self::BeforeModel,
        Self::BeforeToolSelection,
        Self::AfterModel,
        Self::BeforeTool,
        Self::Notification,
        Self::AfterTool,
        Self::PreCompress,
        Self::PostCompress,
        Self::AfterAgent,
        Self::SessionEnd,
    ];

    /// The word for it in settings.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SessionStart => "SessionStart",
            Self::BeforeAgent => "BeforeAgent",
            Self::BeforeModel => "BeforeModel",
            Self::BeforeToolSelection => "BeforeToolSelection",
            Self::AfterModel => "AfterModel",
            Self::BeforeTool => "BeforeTool",
            Self::Notification => "Notification",
            Self::AfterTool => "AfterTool",
            Self::PreCompress => "PreCompress",
            Self::PostCompress => "PostCompress",
            Self::AfterAgent => "AfterAgent",
            Self::SessionEnd => "SessionEnd",
        }
    }

    /// The event of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.as_str() == name)
    }

    /// How the answers of several hooks become one.
    #[must_use]
    pub fn way(self) -> Way {
        match self {
            Self::BeforeTool
            | Self::AfterTool
            | Self::BeforeAgent
            | Self::AfterAgent
            | Self::SessionStart => Way::Strictest,
            Self::BeforeModel | Self::AfterModel => Way::Latest,
            Self::BeforeToolSelection => Way::Union,
            Self::Notification | Self::PreCompress | Self::PostCompress | Self::SessionEnd => {
                Way::Advice
            }
        }
    }

    pub(super) fn matching(self) -> Matching {
        match self {
            Self::BeforeTool | Self::AfterTool => Matching::Tool,
            Self::SessionStart | Self::SessionEnd | Self::PreCompress | Self::PostCompress => {
                Matching::Word
            }
            Self::BeforeAgent
            | Self::AfterAgent
            | Self::BeforeModel
            | Self::AfterModel
            | Self::BeforeToolSelection
            | Self::Notification => Matching::Nothing,
        }
    }
}
