//! The four layers, their ranks, and the text they make together.

use analects_text::trim::trim;
use analects_world::Profile;

/// Where memory comes from. Lowest rank first: a later layer may overrule an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// The user's own, for every project: `~/.gemini`.
    Global,
    /// What installed extensions bring along.
    Extension,
    /// What the project says, committed for everyone.
    Project,
    /// The user's own notes on this project, never committed.
    Private,
}

impl Layer {
    /// The order in which layers are read, shown and sent. It differs from the rank on purpose: stable
    /// text first keeps a model's prompt cache warm, and it is the order of Gemini CLI's files.
    pub const READING_ORDER: [Self; 4] =
        [Self::Global, Self::Private, Self::Extension, Self::Project];

    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Extension => "extension",
            Self::Project => "project",
            Self::Private => "user_project",
        }
    }

    /// The heading in flattened text.
    #[must_use]
    pub fn heading(self, profile: Profile) -> &'static str {
        match (self, profile) {
            (Self::Global, _) => "Global",
            (Self::Extension, _) => "Extension",
            (Self::Project, _) => "Project",
            (Self::Private, Profile::Head) => "Private Project Memory",
            (Self::Private, _) => "User Project Memory",
        }
    }

    /// The tag around the layer in a prompt.
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Self::Global => "global_context",
            Self::Extension => "extension_context",
            Self::Project => "project_context",
            Self::Private => "user_project_memory",
        }
    }

    fn index(self) -> usize {
        self as usize
    }
}

/// The text of each layer; an absent layer is an empty text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HierarchicalMemory([String; 4]);

impl HierarchicalMemory {
    /// The text of a layer.
    #[must_use]
    pub fn get(&self, layer: Layer) -> &str {
        &self.0[layer.index()]
    }

    /// Replaces the text of a layer.
    pub fn set(&mut self, layer: Layer, text: String) {
        self.0[layer.index()] = text;
    }

    /// All layers as one text, each under its heading; blank ones are left out.
    #[must_use]
    pub fn flatten(&self, profile: Profile) -> String {
        let sections = Layer::READING_ORDER.into_iter().filter_map(|layer| {
            let text = trim(self.get(layer));
            (!text.is_empty()).then(|| format!("--- {} ---\n{text}", layer.heading(profile)))
        });
        sections.collect::<Vec<_>>().join("\n\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_rise_from_global_to_private() {
        assert!(Layer::Global < Layer::Extension);
        assert!(Layer::Extension < Layer::Project);
        assert!(Layer::Project < Layer::Private);
    }

    #[test]
    fn blank_layers_vanish_and_the_rest_keeps_its_order() {
        let mut memory = HierarchicalMemory::default();
        memory.set(Layer::Project, " p \n".to_owned());
        memory.set(Layer::Private, "u".to_owned());
        memory.set(Layer::Extension, "\u{FEFF} \n".to_owned());
        assert_eq!(
            memory.flatten(Profile::Seed),
            "--- User Project Memory ---\nu\n\n--- Project ---\np"
        );
        assert_eq!(
            memory.flatten(Profile::Head),
            "--- Private Project Memory ---\nu\n\n--- Project ---\np"
        );
        assert_eq!(HierarchicalMemory::default().flatten(Profile::Analects), "");
    }
}
