//! Tells a mistyped key from one that another program reads.

use super::keys;
use crate::jsonc::Item;

/// Groups that Gemini CLI reads at the top of `settings.json`. What is inside them is its business,
/// except in `context`, which we share.
const GEMINI_GROUPS: [&str; 26] = [
    "$schema",
    "admin",
    "advanced",
    "agents",
    "billing",
    "context",
    "contextManagement",
    "experimental",
    "extensions",
    "general",
    "hooks",
    "hooksConfig",
    "ide",
    "mcp",
    "mcpServers",
    "model",
    "modelConfigs",
    "output",
    "policyPaths",
    "privacy",
    "security",
    "skills",
    "telemetry",
    "tools",
    "ui",
    "useWriteTodos",
];

/// Keys of its first format, which had no groups.
const GEMINI_FLAT: [&str; 59] = [
    "accessibility",
    "allowMCPServers",
    "allowedTools",
    "autoAccept",
    "autoConfigureMaxOldSpaceSize",
    "bugCommand",
    "chatCompression",
    "checkpointing",
    "contextFileName",
    "coreTools",
    "customThemes",
    "customWittyPhrases",
    "debugKeystrokeLogging",
    "disableAutoUpdate",
    "disableUpdateNag",
    "dnsResolutionOrder",
    "enableInteractiveShell",
    "enablePromptCompletion",
    "enforcedAuthType",
    "excludeMCPServers",
    "excludeTools",
    "excludedProjectEnvVars",
    "extensionManagement",
    "fileFiltering",
    "folderTrust",
    "folderTrustFeature",
    "hasSeenIdeIntegrationNudge",
    "hideBanner",
    "hideCWD",
    "hideContextSummary",
    "hideFooter",
    "hideModelInfo",
    "hideSandboxStatus",
    "hideTips",
    "hideWindowTitle",
    "ideMode",
    "includeDirectories",
    "loadMemoryFromIncludeDirectories",
    "maxSessionTurns",
    "mcpServerCommand",
    "memoryDiscoveryMaxDirs",
    "memoryImportFormat",
    "preferredEditor",
    "retryFetchErrors",
    "sandbox",
    "selectedAuthType",
    "shellPager",
    "shellShowColor",
    "showCitations",
    "showLineNumbers",
    "showMemoryUsage",
    "showStatusInTitle",
    "skipNextSpeakerCheck",
    "summarizeToolOutput",
    "theme",
    "toolCallCommand",
    "toolDiscoveryCommand",
    "usageStatisticsEnabled",
    "vimMode",
];

/// Keys of `context` that Gemini CLI reads and we do not.
const GEMINI_CONTEXT: [&str; 4] = [
    "context.includeDirectoryTree",
    "context.fileFiltering.enableFileWatcher",
    "context.fileFiltering.enableFuzzySearch",
    "context.fileFiltering.enableRecursiveFileSearch",
];

/// A key that means nothing.
pub(super) struct Odd {
    /// Its name, with those around it.
    pub(super) name: String,
    /// Where it stands.
    pub(super) line: usize,
    /// Whether it is the name of a group, and no group stands there.
    pub(super) is_group: bool,
}

/// Unknown keys of a `settings.json`, with their lines.
pub(super) fn unknown_in_settings(root: &Item) -> Vec<Odd> {
    let mut unknown = Vec::new();
    for (name, item) in root.object().unwrap_or_default() {
        let is_foreign =
            GEMINI_GROUPS.contains(&name.as_str()) || GEMINI_FLAT.contains(&name.as_str());
        if name == "context" || !is_foreign {
            unknown.extend(unknown_below(name, item));
        }
    }
    unknown
}

/// Unknown keys of an `analects.json`, with their lines.
pub(super) fn unknown_in_analects(root: &Item) -> Vec<Odd> {
    let members = root.object().unwrap_or_default().iter();
    // What is inside hooks is judged where they are read.
    let members = members.filter(|(name, _)| !matches!(name.as_str(), "$schema" | "hooks"));
    members
        .flat_map(|(name, item)| unknown_below(name, item))
        .collect()
}

// As deep as the parser lets a file be, which is bounded.
/// The setting that somebody most likely meant by a name that is none.
pub(super) fn nearest(name: &str) -> Option<&'static str> {
    // A name without end is no slip of the pen, and to compare it would cost its square.
    if name.len() > MAX_NAME_BYTES {
        return None;
    }
    let likeness = |known: &str| strsim::normalized_damerau_levenshtein(name, known);
    let near = names().map(|known| (likeness(known), known));
    let nearest = near.max_by(|(one, _), (other, _)| one.total_cmp(other));
    let (likeness, known) = nearest?;
    (likeness >= MIN_LIKENESS).then_some(known)
}

/// No setting of ours has so long a name.
const MAX_NAME_BYTES: usize = 128;

/// About one letter in six may be wrong.
const MIN_LIKENESS: f64 = 0.83;

fn unknown_below(name: &str, item: &Item) -> Vec<Odd> {
    if is_known(name) {
        return Vec::new();
    }
    let is_group = is_known_prefix(name);
    match item.object() {
        Some(members) if is_group => members
            .iter()
            .flat_map(|(member, item)| unknown_below(&format!("{name}.{member}"), item))
            .collect(),
        _ => vec![Odd {
            name: name.to_owned(),
            line: item.line,
            is_group,
        }],
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    let ours = keys::ALL
        .iter()
        .flat_map(|key| std::iter::once(key.name).chain(key.aliases.iter().copied()));
    ours.chain(GEMINI_CONTEXT)
}

fn is_known(name: &str) -> bool {
    names().any(|known| known == name)
}

fn is_known_prefix(name: &str) -> bool {
    names().any(|known| {
        known
            .strip_prefix(name)
            .is_some_and(|rest| rest.starts_with('.'))
    })
}
