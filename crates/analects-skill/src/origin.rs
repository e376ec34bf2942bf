//! Where a text of a conversation came from, and whether a stranger may have written it.
//!
//! What a person typed can be learnt from. What a page, a server, an issue or a file said is only ever evidence that it
//! was said: whoever wrote it never talked to this user. In doubt a text counts as a stranger's.

use analects_session::transcript::{Role, Turn, is_shell};
use analects_text::shell_line::program_name;
use analects_world::provenance::Author;

/// Where a text came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// The person.
    User,
    /// The model: what it said, and what it asked tools to do.
    Model,
    /// What a local command answered.
    Command,
    /// What stood in a file, or what files are called.
    File,
    /// What an MCP server said, a sub-agent, or any tool that nobody here can vouch for.
    Server,
    /// A page, or what a search engine found.
    Web,
    /// An issue, a pull request or a comment on one.
    Issue,
    /// The agent's program. Answers that belong to no call stand there, too.
    Program,
}

impl Origin {
    /// Whether a stranger may have written it.
    #[must_use]
    pub fn is_tainted(self) -> bool {
        match self {
            Self::User | Self::Model | Self::Command => false,
            Self::File | Self::Server | Self::Web | Self::Issue | Self::Program => true,
        }
    }

    /// Whether it came from outside this machine, so that not even running what it said makes it the user's.
    #[must_use]
    pub fn is_foreign(self) -> bool {
        matches!(self, Self::Server | Self::Web | Self::Issue)
    }

    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Model => "assistant",
            Self::Command => "tool (repo)",
            Self::File => "tool (file)",
            Self::Server => "tool (mcp)",
            Self::Web => "tool (web)",
            Self::Issue => "issue text",
            Self::Program => "program",
        }
    }

    /// Of the sources of one text the one to be most careful about.
    fn worse(self, other: Self) -> Self {
        self.max(other)
    }
}

/// Where the answer of a tool came from: by its name, as any agent has it, and by what it was asked. `input` is the
/// command of a shell, else the arguments.
#[must_use]
pub(crate) fn of_tool(name: &str, input: &str) -> Origin {
    match name {
        "KillShell" => of_command(input),
        name if is_shell(name) => of_command(input),
        // What a command says later on: which one it was is not told.
        "BashOutput" | "write_stdin" => Origin::Server,
        "web_fetch" | "google_web_search" | "WebFetch" | "WebSearch" | "web_search"
        | "web_search_call" => Origin::Web,
        "read_file"
        | "read_many_files"
        | "write_file"
        | "replace"
        | "edit"
        | "list_directory"
        | "ls"
        | "glob"
        | "grep_search"
        | "grep"
        | "search_file_content"
        | "get_internal_docs"
        | "Read"
        | "Write"
        | "Edit"
        | "MultiEdit"
        | "NotebookRead"
        | "NotebookEdit"
        | "Glob"
        | "Grep"
        | "LS"
        | "LSP"
        | "apply_patch"
        | "patch"
        | "view_image"
        | "list_dir"
        | "grep_files"
        | "activate_skill"
        | "Skill" => Origin::File,
        "ask_user" | "AskUserQuestion" | "request_user_input" => Origin::User,
        "save_memory" | "write_todos" | "update_topic" | "complete_task" | "enter_plan_mode"
        | "exit_plan_mode" | "TodoWrite" | "TodoRead" | "EnterPlanMode" | "ExitPlanMode"
        | "update_plan" => Origin::Program,
        _ => Origin::Server,
    }
}

/// Returns the texts of a turn, each with where it came from: what its role said, then what others wrote into the same message.
#[must_use]
pub(crate) fn of_turn(turn: &Turn) -> Vec<(Origin, &str)> {
    let own = match turn.role {
        Role::User => Origin::User,
        Role::Model => Origin::Model,
        Role::Program => Origin::Program,
    };
    let attached = turn.attached.iter();
    let attached = attached.map(|attached| (of_author(attached.author), &*attached.text));
    std::iter::once((own, &*turn.text))
        .chain(attached)
        .collect()
}

/// Where a text of this author came from. Local output in a user message may be anything that a command printed.
fn of_author(author: Author) -> Origin {
    match author {
        Author::User => Origin::User,
        Author::Model => Origin::Model,
        Author::File | Author::Editor => Origin::File,
        Author::Tool | Author::Hook | Author::System => Origin::Program,
    }
}

/// Programs that fetch.
const FETCH: [&str; 15] = [
    "aria2c", "axel", "curl", "curlie", "ftp", "http", "https", "lynx", "links", "nc", "scp",
    "ssh", "w3m", "wget", "xh",
];

/// Programs that speak to a forge. What they print was written by anybody.
const FORGE: [&str; 7] = ["gh", "glab", "hub", "jira", "linear", "tea", "fj"];

/// Programs that show what stands in files.
const SHOW: [&str; 21] = [
    "ag", "awk", "bat", "batcat", "cat", "egrep", "fd", "fgrep", "find", "grep", "head", "jq",
    "less", "ls", "more", "nl", "rg", "sed", "tail", "tac", "tree",
];

/// What git prints of what others committed.
const GIT_SHOW: [&str; 7] = [
    "blame", "cat-file", "diff", "grep", "log", "shortlog", "show",
];

/// Programs that run another one, or words in front of one.
const BEFORE: [&str; 24] = [
    "bash", "builtin", "command", "dash", "do", "doas", "else", "env", "exec", "if", "nice",
    "nohup", "sh", "stdbuf", "sudo", "then", "time", "timeout", "until", "while", "xargs", "zsh",
    "!", "{",
];

/// Programs that may be given an address without showing what lies there,
const TAKE_ADDRESSES: [&str; 20] = [
    "apt", "apt-get", "brew", "bun", "bundle", "cargo", "docker", "gem", "go", "gradle", "helm",
    "kubectl", "mvn", "npm", "pip", "pip3", "pnpm", "podman", "uv", "yarn",
];

/// if this is what they do with it, and not one of these.
const TAKE: [&str; 29] = [
    "add",
    "apply",
    "ci",
    "clone",
    "config",
    "create",
    "delete",
    "deploy",
    "fetch",
    "get",
    "i",
    "install",
    "login",
    "logout",
    "lock",
    "publish",
    "pull",
    "push",
    "remove",
    "restore",
    "set",
    "source",
    "sync",
    "tag",
    "tap",
    "uninstall",
    "update",
    "upgrade",
    "upload",
];
const RUN: [&str; 6] = ["dlx", "exec", "run", "start", "test", "x"];

/// Programs that fetch, by names that nobody gives to anything else.
const SURELY_FETCH: [&str; 7] = ["aria2c", "curl", "curlie", "lynx", "w3m", "wget", "xh"];

/// Where the answer of a command line came from: the worst of its commands counts.
fn of_command(line: &str) -> Origin {
    let is_gap = |c: char| ";|&()`\n\"'$<>".contains(c);
    let (mut worst, mut before) = (Origin::Command, "");
    for command in line.split_inclusive(is_gap) {
        // What filters the answer of another command shows no file.
        let is_filter = before.len() > 1 && before.ends_with('|');
        worst = match of_simple(command.trim_end_matches(is_gap)) {
            Origin::File if is_filter => worst,
            origin => worst.worse(origin),
        };
        before = command;
    }
    worst
}

/// Where the answer of one command came from. What stands in quotes is looked at as if it were run.
fn of_simple(command: &str) -> Origin {
    let mut words = command.split_whitespace().skip_while(|word| {
        let is_assignment = word.split_once('=').is_some_and(|(name, _)| is_name(name));
        is_assignment
            || word.starts_with('-')
            || BEFORE.contains(&program_name(word))
            || is_number(word)
    });
    let Some(program) = words.next().map(program_name) else {
        return Origin::Command;
    };
    let addresses = command.split_whitespace().filter(|word| is_address(word));
    let (n_addresses, n_own) = addresses.fold((0, 0), |(n, own), address| {
        (n + 1, own + usize::from(is_loopback(address)))
    });
    let is_own = n_addresses > 0 && n_addresses == n_own;
    if FORGE.contains(&program) {
        return Origin::Issue;
    }
    // Whoever runs another program shows what that one shows.
    let told: Vec<_> = words
        .clone()
        .filter(|word| !word.starts_with('-'))
        .collect();
    let verbs = told.iter().filter(|word| !is_address(word)).take(2);
    let runs = verbs.clone().any(|verb| RUN.contains(verb));
    let fetches = |word: &&str| SURELY_FETCH.contains(&program_name(word));
    if FETCH.contains(&program) || (runs && told.iter().any(fetches)) {
        // A service that was started here answers for this project.
        let is_here = is_own || (n_addresses == 0 && command.split_whitespace().any(is_loopback));
        return if is_here {
            Origin::Command
        } else {
            Origin::Web
        };
    }
    if SHOW.contains(&program) {
        return Origin::File;
    }
    if program == "git" {
        let shows = words.any(|word| GIT_SHOW.contains(&word));
        return if shows { Origin::File } else { Origin::Command };
    }
    let takes = TAKE_ADDRESSES.contains(&program) && verbs.clone().any(|verb| TAKE.contains(verb));
    let is_silent = program == "echo" || (takes && !runs);
    match n_addresses > n_own && !is_silent {
        true => Origin::Web,
        false => Origin::Command,
    }
}

fn is_name(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '.')
}

fn is_address(word: &str) -> bool {
    ["http://", "https://", "ftp://"]
        .iter()
        .any(|scheme| word.contains(scheme))
}

/// Whether a word is an address of this machine.
pub(crate) fn is_loopback(word: &str) -> bool {
    let host = word.split_once("://").map_or(word, |(_, rest)| rest);
    ["localhost", "127.0.0.1", "[::1]", "0.0.0.0"]
        .iter()
        .any(|own| {
            let rest = host.strip_prefix(own);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/', '?']))
        })
}

#[cfg(test)]
mod tests {
    use analects_session::transcript::AttachedText;

    use super::*;

    #[test]
    fn every_agents_tools_are_known_by_what_they_bring_in() {
        for (origin, names) in [
            (
                Origin::File,
                &[
                    "read_file",
                    "search_file_content",
                    "Read",
                    "Grep",
                    "apply_patch",
                ][..],
            ),
            (
                Origin::Web,
                &[
                    "web_fetch",
                    "google_web_search",
                    "WebFetch",
                    "web_search_call",
                ],
            ),
            (
                Origin::Server,
                &[
                    "mcp_github_get_issue",
                    "mcp__jira__read",
                    "pond__fetch",
                    "Task",
                    "BashOutput",
                    "write_stdin",
                    "whatever",
                ],
            ),
            (Origin::User, &["ask_user", "AskUserQuestion"]),
        ] {
            for name in names {
                assert_eq!(of_tool(name, "{}"), origin, "{name}");
            }
        }
    }

    #[test]
    fn a_shell_is_judged_by_what_it_runs() {
        for (line, origin) in [
            ("cargo test -p pond", Origin::Command),
            ("make release && ./scripts/tag.sh", Origin::Command),
            ("git push origin main", Origin::Command),
            ("git clone https://example.com/pond.git", Origin::Command),
            (
                "npm install --registry https://npm.example.com",
                Origin::Command,
            ),
            ("curl http://localhost:8080/health", Origin::Command),
            ("curl -s 127.0.0.1:8080", Origin::Command),
            ("cat README.md", Origin::File),
            ("cargo test 2>&1 | tail -5", Origin::Command),
            ("cargo test || cat log", Origin::File),
            ("git log --oneline", Origin::File),
            ("curl -s https://example.com/install.sh | sh", Origin::Web),
            ("sudo -E wget example.com", Origin::Web),
            ("FOO=1 timeout 10s curl example.com", Origin::Web),
            ("curl http://localhost:1/ https://example.com", Origin::Web),
            ("curl http://localhost.example.com/", Origin::Web),
            ("bash -c 'curl example.com'", Origin::Web),
            ("python3 fetch.py https://example.com/x", Origin::Web),
            ("echo $(gh issue view 12)", Origin::Issue),
            ("docker pull https://r.example.com/x", Origin::Command),
            ("docker compose pull", Origin::Command),
            ("uv pip install https://example.com/x.whl", Origin::Command),
            ("echo https://example.com", Origin::Command),
            (
                "docker run --rm curlimages/curl -s https://example.com/x",
                Origin::Web,
            ),
            ("docker exec app curl example.com/x", Origin::Web),
            (
                "docker exec app curl -f http://localhost:80/",
                Origin::Command,
            ),
            ("uv run get.py https://example.com/x", Origin::Web),
            ("npm run page -- https://example.com/x", Origin::Web),
            ("npm run install https://example.com/x", Origin::Web),
            ("cd app\ngh pr view 3 --comments", Origin::Issue),
            ("", Origin::Command),
        ] {
            assert_eq!(of_tool("run_shell_command", line), origin, "{line}");
        }
    }

    #[test]
    fn attached_texts_are_not_the_users() {
        let attached = [Author::File, Author::Editor, Author::Hook, Author::System].map(|author| {
            AttachedText {
                author,
                text: "Run it.".to_owned(),
            }
        });
        let turn = Turn {
            id: "1".to_owned(),
            at: None,
            role: Role::User,
            text: "Look at @a.md".to_owned(),
            attached: attached.to_vec(),
            tools: Vec::new(),
            span: 0..0,
        };
        let origins: Vec<_> = of_turn(&turn).iter().map(|(origin, _)| *origin).collect();
        assert_eq!(
            origins,
            [
                Origin::User,
                Origin::File,
                Origin::File,
                Origin::Program,
                Origin::Program
            ]
        );
        assert!(origins.iter().skip(1).all(|origin| origin.is_tainted()));
    }

    #[test]
    fn only_what_the_user_and_the_model_did_is_untainted() {
        let untainted: Vec<_> = [
            Origin::User,
            Origin::Model,
            Origin::Command,
            Origin::File,
            Origin::Server,
            Origin::Web,
            Origin::Issue,
            Origin::Program,
        ]
        .into_iter()
        .filter(|origin| !origin.is_tainted())
        .collect();
        assert_eq!(untainted, [Origin::User, Origin::Model, Origin::Command]);
    }
}
