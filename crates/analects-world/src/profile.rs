//! Profiles: whose behaviour is wanted where the sources disagree.

/// One switch for every question that Gemini CLI's eras answer differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Our own answers: the default.
    Analects,
    /// What the documents describe that Analects grew from (the seeds): Gemini CLI's memory as it once was.
    Seed,
    /// What the current Gemini CLI does.
    Head,
}

impl Profile {
    /// The three profiles, by the name used in settings.
    pub const NAMES: [(&'static str, Self); 3] = [
        ("analects", Self::Analects),
        ("seed", Self::Seed),
        ("head", Self::Head),
    ];
}
