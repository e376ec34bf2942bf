//! Control files: what agents, git, editors, shells and build servers read and obey without a question.
//!
//! An edit of such a file decides what the *next* program does, so it is asked for even where other edits are not
//! (`auto-edit`), and no rule of a project lifts that. Names are compared as the most lenient file system would compare
//! them: without regard to case, invisible characters, trailing dots or streams, so that a checkout on another disk
//! does not turn a harmless name into a control file.

use analects_text::sanitize::is_invisible;
use analects_world::AbsPath;
use serde_json::Value;

use super::{Asked, Decision, Rule, Tier};
use crate::policy::rule::{About, Source};
use crate::policy::tool::Name;

/// The tools that write files.
const WRITERS: [&str; 2] = ["write_file", "replace"];

/// How the guard ranks among our rules: above the rule that lets edits through, below those of `plan` and `yolo`.
const PRIORITY: u16 = 20;

/// Why a group of files is protected, and the names in it. A name is a sequence of path components that may occur at
/// any depth; everything below it is meant, too. A leading `*` matches any beginning of a component.
struct ControlGroup {
    reason: &'static str,
    names: &'static [&'static str],
}

const CONTROL_FILES: [ControlGroup; 6] = [
    ControlGroup {
        reason: "This is a memory file: agents take what it says for instructions.",
        names: &[
            "AGENT.md",
            "AGENTS.md",
            "AGENTS.override.md",
            "CLAUDE.local.md",
            "CLAUDE.md",
            "CRUSH.md",
            "GEMINI.md",
            "QWEN.md",
            "WARP.md",
        ],
    },
    ControlGroup {
        reason: "This file configures a coding agent: its permissions, servers, hooks or instructions.",
        names: &[
            ".agent",
            ".agents",
            ".aider.conf.yml",
            ".amazonq",
            ".augment",
            ".claude",
            ".claude.json",
            ".clinerules",
            ".codex",
            ".continue",
            ".copilot",
            ".crush.json",
            ".cursor",
            ".cursorrules",
            ".factory",
            ".gemini",
            ".github/agents",
            ".github/chatmodes",
            ".github/copilot-instructions.md",
            ".github/hooks",
            ".github/instructions",
            ".github/prompts",
            ".github/skills",
            ".goose",
            ".goosehints",
            ".junie",
            ".kilocode",
            ".kiro",
            ".mcp.json",
            ".opencode",
            ".qwen",
            ".roo",
            ".roomodes",
            ".roorules",
            ".rules",
            ".trae",
            ".windsurf",
            ".windsurfrules",
            "crush.json",
            "opencode.json",
            "opencode.jsonc",
        ],
    },
    ControlGroup {
        reason: "Git runs or obeys this file.",
        names: &[
            "*.git",
            ".gitconfig",
            ".githooks",
            ".gitmodules",
            ".husky",
            ".huskyrc",
            ".lefthook",
            ".lefthook.yml",
            ".pre-commit-config.yaml",
            "lefthook.yml",
        ],
    },
    ControlGroup {
        reason: "An editor runs or obeys this file when it opens the folder.",
        names: &[
            "*.code-workspace",
            "*.sublime-project",
            ".devcontainer",
            ".devcontainer.json",
            ".dir-locals.el",
            ".exrc",
            ".fleet",
            ".idea",
            ".nvim.lua",
            ".nvimrc",
            ".vimrc",
            ".vscode",
            ".zed",
        ],
    },
    ControlGroup {
        reason: "A shell or a login runs or obeys this file.",
        names: &[
            ".bash_login",
            ".bash_profile",
            ".bashrc",
            ".envrc",
            ".profile",
            ".ssh",
            ".zlogin",
            ".zprofile",
            ".zshenv",
            ".zshrc",
        ],
    },
    ControlGroup {
        reason: "A build server runs this file with the secrets of the repository.",
        names: &[
            ".buildkite",
            ".circleci",
            ".drone.yml",
            ".github/actions",
            ".github/workflows",
            ".gitlab-ci.yml",
            ".woodpecker",
            "azure-pipelines.yml",
            "bitbucket-pipelines.yml",
            "jenkinsfile",
        ],
    },
];

/// A path that is protected because of what it is for here, not because of its name alone.
#[derive(Debug, Clone)]
struct ControlTree {
    path: AbsPath,
    reason: &'static str,
}

/// Control files beside those of the built-in table.
#[derive(Debug, Clone, Default)]
pub struct ControlFiles {
    names: Vec<Vec<String>>,
    trees: Vec<ControlTree>,
}

impl ControlFiles {
    /// Adds a configured name of memory files (`context.fileName`), at any depth.
    pub fn add_memory_name(&mut self, name: &str) {
        let name = components(name);
        if !name.is_empty() {
            self.names.push(name);
        }
    }

    /// Adds a file that is loaded as memory here, whatever its name: one that a memory file imports.
    pub fn add_memory_file(&mut self, path: AbsPath) {
        let [memory, ..] = &CONTROL_FILES;
        let reason = memory.reason;
        self.trees.push(ControlTree { path, reason });
    }

    /// Adds where a link with a protected name leads, and everything below.
    pub fn add_link_target(&mut self, path: AbsPath) {
        let reason = "A link with the name of a control file leads here.";
        self.trees.push(ControlTree { path, reason });
    }

    /// Adds the directory that git runs hooks from (`core.hooksPath`), and everything below.
    pub fn add_hook_dir(&mut self, path: AbsPath) {
        let reason = "Git runs hooks from this directory (`core.hooksPath`).";
        self.trees.push(ControlTree { path, reason });
    }

    /// The rule that asks before a control file is written: one of the built-in table, or one of these.
    #[must_use]
    pub fn into_rule(self) -> Rule {
        Rule {
            decision: Decision::Ask,
            source: Source {
                file: "shipped/control files".to_owned(),
                line: None,
                tier: Tier::Default,
                priority: PRIORITY,
            },
            about: About {
                tools: WRITERS.map(Name::new).to_vec(),
                control_files: Some(self),
                ..About::default()
            },
            allows_redirection: false,
            message: None,
            is_floor: false,
        }
    }

    /// Why a call needs approval: what the first control file is that it names or reaches. `None` if it reaches none.
    ///
    /// The path counts as the model wrote it and as it resolves: `.claude/x` is a control file wherever `.claude`
    /// leads, and so is `notes/x` if `notes` leads to `.claude`.
    pub(super) fn reason(&self, asked: &Asked<'_>) -> Option<&str> {
        let written = asked.args.get("file_path").and_then(Value::as_str);
        let resolved = asked.paths.iter();
        let by_name = written
            .into_iter()
            .chain(resolved.clone().map(AbsPath::as_str))
            .find_map(|path| self.reason_by_name(path));
        by_name.or_else(|| {
            let mut trees = self.trees.iter();
            let found = trees.find(|tree| resolved.clone().any(|path| path.is_within(&tree.path)));
            found.map(|tree| tree.reason)
        })
    }

    fn reason_by_name(&self, path: &str) -> Option<&str> {
        let path = components(path);
        let mut names = self.names.iter();
        if names.any(|name| occurs(&path, name.iter().map(String::as_str))) {
            let [memory, ..] = &CONTROL_FILES;
            return Some(memory.reason);
        }
        let mut groups = CONTROL_FILES.iter();
        let found = groups.find(|group| {
            let mut names = group.names.iter();
            names.any(|name| occurs(&path, name.split('/')))
        });
        found.map(|group| group.reason)
    }
}

/// The names of the built-in table that could be links, as paths below a directory.
pub fn control_file_names() -> impl Iterator<Item = &'static str> {
    let names = CONTROL_FILES.iter().flat_map(|group| group.names);
    names.copied().filter(|name| !name.starts_with('*'))
}

/// True if the names follow one another somewhere in the path.
fn occurs<'n>(path: &[String], names: impl Iterator<Item = &'n str> + Clone) -> bool {
    let n_names = names.clone().count();
    path.windows(n_names.max(1)).any(|window| {
        let mut pairs = window.iter().zip(names.clone());
        pairs.all(|(component, name)| is_same_name(component, name))
    })
}

/// The components of a path as a lenient file system would see them, `.` and `..` resolved by their words.
fn components(path: &str) -> Vec<String> {
    let mut components = Vec::new();
    for name in path.split(['/', '\\']) {
        match name {
            "" | "." => {}
            ".." => {
                components.pop();
            }
            _ => components.push(folded(name)),
        }
    }
    components
}

/// A name without what some file system ignores in it: case, invisible characters, what follows a `:`, dots and spaces
/// at the end.
fn folded(name: &str) -> String {
    let visible = name.chars().filter(|c| !is_invisible(*c));
    // Upper case first: `ſ` is another spelling of `s` only there.
    let upper: String = visible.flat_map(char::to_uppercase).collect();
    let lower = upper.to_lowercase();
    let plain = lower.split(':').next().unwrap_or_default();
    plain.trim_end_matches(['.', ' ']).to_owned()
}

/// True if a folded component is the name, or its short form on a Windows disk (`CLAUDE~1` for `.claude`).
fn is_same_name(component: &str, name: &str) -> bool {
    if let Some(ending) = name.strip_prefix('*') {
        return component.ends_with(ending) || is_short_form(component, ending);
    }
    component.eq_ignore_ascii_case(name) || is_short_form(component, name)
}

/// How many characters a short name keeps of a long one, before `~1`.
const SHORT_CHARS: usize = 6;

fn is_short_form(component: &str, name: &str) -> bool {
    let Some((start, number)) = component.split_once('~') else {
        return false;
    };
    let name = name.trim_start_matches('.');
    let stem = name.split('.').next().unwrap_or_default();
    let kept: String = stem.chars().take(SHORT_CHARS).collect();
    number.starts_with(|c: char| c.is_ascii_digit()) && start.eq_ignore_ascii_case(&kept)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn is_protected(path: &str) -> bool {
        ControlFiles::default().reason_by_name(path).is_some()
    }

    #[test]
    fn control_files_are_known_at_any_depth_and_in_any_spelling() {
        for path in [
            "AGENTS.md",
            "/w/a/b/CLAUDE.md",
            "gemini.MD",
            ".claude/settings.json",
            "a/.Claude/agents/x.md",
            "./x/../.mcp.json",
            ".codex/config.toml",
            ".agents/skills/x/SKILL.md",
            ".cursor/rules/x.mdc",
            ".cursorrules",
            ".windsurfrules",
            ".github/copilot-instructions.md",
            ".github/instructions/a.instructions.md",
            ".GitHub/Workflows/ci.yml",
            ".git/hooks/pre-commit",
            ".git",
            "pond.git/hooks/post-receive",
            ".husky/pre-commit",
            ".vscode/tasks.json",
            ".idea/workspace.xml",
            "pond.code-workspace",
            ".envrc",
            ".devcontainer/devcontainer.json",
            ".bashrc",
            // What other disks take for the same.
            ".vſcode/tasks.json",
            ".g\u{200c}it/config",
            ".git./config",
            ".git /config",
            ".git::$INDEX_ALLOCATION/config",
            "GIT~1/config",
            "CLAUDE~1/settings.json",
            ".claude\\settings.json",
            "CLAUDE.md.",
        ] {
            assert!(is_protected(path), "{path}");
        }
    }

    #[test]
    fn other_files_are_not_control_files() {
        for path in [
            "",
            "src/main.rs",
            "README.md",
            "docs/agents.html",
            "docs/claude.md.txt",
            ".github/ISSUE_TEMPLATE/bug.md",
            ".github/dependabot.yml",
            "claude/x",
            "src/git/hooks.rs",
            ".gitignore",
            ".gitattributes",
            ".claude/../src/a.rs",
            "workflows/ci.yml",
            "backup~1.txt",
            "rules/a.md",
            ".editorconfig",
            ".env",
            "package.json",
        ] {
            assert!(!is_protected(path), "{path}");
        }
    }

    #[test]
    fn every_control_file_is_found_below_any_directory() {
        for name in control_file_names() {
            for path in [
                name.to_owned(),
                format!("/w/x/{name}"),
                format!("a/{}/b", name.to_uppercase()),
            ] {
                assert!(is_protected(&path), "{path}");
            }
        }
    }

    #[test]
    fn the_reference_lists_every_control_file() {
        let page = include_str!("../../../../docs/reference/policy.md");
        for name in CONTROL_FILES.iter().flat_map(|group| group.names) {
            assert!(page.contains(&format!("`{name}`")), "{name}");
        }
    }

    #[test]
    fn configured_names_count_too() {
        let mut files = ControlFiles::default();
        files.add_memory_name("docs/Gedächtnis.md");
        files.add_memory_name("./");
        assert!(files.reason_by_name("/w/Docs/GEDÄCHTNIS.md").is_some());
        assert!(files.reason_by_name("Gedächtnis.md").is_none());
        assert!(files.reason_by_name("src/a.rs").is_none());
    }

    /// A name in another spelling: each character in upper or lower case, with something invisible before it or not.
    fn respelled(name: &str, choices: &[u8]) -> String {
        let mut choices = choices.iter().cycle();
        let mut spelled = String::new();
        for c in name.chars() {
            let choice = choices.next().copied().unwrap_or_default();
            if choice & 4 != 0 && c != '/' {
                spelled.push('\u{200d}');
            }
            match choice & 1 {
                0 => spelled.extend(c.to_uppercase()),
                _ => spelled.extend(c.to_lowercase()),
            }
            if choice & 8 != 0 && c == '/' {
                spelled.push_str("./x/../");
            }
        }
        spelled
    }

    proptest! {
        #[test]
        fn no_spelling_and_no_way_to_a_control_file_hides_it(
            name in proptest::sample::select(control_file_names().collect::<Vec<_>>()),
            choices in proptest::collection::vec(any::<u8>(), 1..40),
            before in proptest::collection::vec("[a-zA-Z.]{0,6}", 0..4),
            behind in proptest::option::of("[a-z]{1,6}"),
        ) {
            let mut parts: Vec<_> = before.into_iter().filter(|part| part != "..").collect();
            parts.push(respelled(name, &choices));
            parts.extend(behind);
            let path = parts.join("/");
            prop_assert!(is_protected(&path), "{path:?}");
        }

        #[test]
        fn any_text_is_judged(path in any::<String>()) {
            let _ = is_protected(&path);
        }
    }
}
