//! The programs and sub-commands that print what a stranger wrote, and those that do the project's own work.

use crate::origin::Origin;

/// Programs that print strangers' text whatever they are asked, by where that text comes from.
pub(super) const PRINT_STRANGERS: [(Origin, &[&str]); 6] = [
    // Clients of forges and issue trackers.
    (
        Origin::Issue,
        &["acli", "fj", "gh", "glab", "hub", "jira", "linear", "tea"],
    ),
    // Programs that fetch a package and run it.
    (Origin::Web, &["bunx", "npx", "pnpx", "uvx"]),
    // Manuals: every package brings its own.
    (
        Origin::Web,
        &[
            "apropos", "cheat", "info", "man", "perldoc", "pydoc", "pydoc3", "ri", "tldr", "whatis",
        ],
    ),
    // What a registry or a name server says of a name.
    (
        Origin::Web,
        &["apt-cache", "dig", "finger", "nslookup", "whois"],
    ),
    // Clients of databases and mail, and logs: the users of a service write that text.
    (
        Origin::Server,
        &[
            "aerc",
            "bq",
            "clickhouse-client",
            "cqlsh",
            "duckdb",
            "himalaya",
            "influx",
            "journalctl",
            "mail",
            "mailx",
            "mariadb",
            "mongo",
            "mongosh",
            "mu",
            "mutt",
            "mycli",
            "mysql",
            "neomutt",
            "notmuch",
            "pgcli",
            "psql",
            "redis-cli",
            "sqlite3",
            "sqlplus",
            "stern",
        ],
    ),
    // The clipboard holds what was copied, from wherever that was.
    (
        Origin::Server,
        &["pbpaste", "termux-clipboard-get", "wl-paste"],
    ),
];

/// Programs of which some sub-commands print strangers' text.
pub(super) struct Subcommands {
    pub(super) origin: Origin,
    pub(super) programs: &'static [&'static str],
    /// Words that follow one another; `*` is any word. Options do not count.
    pub(super) show: &'static [&'static str],
}

/// A package manager asked to show or to run something that it fetches; a client asked for text that its users write.
pub(super) const SHOW_STRANGERS: [Subcommands; 17] = [
    Subcommands {
        origin: Origin::Web,
        programs: &["bun", "npm", "pnpm", "yarn"],
        show: &[
            "audit", "bugs", "create", "dlx", "docs", "exec", "find", "fund", "info", "init *",
            "repo", "s", "search", "se", "show", "v", "view", "x",
        ],
    },
    Subcommands {
        origin: Origin::Web,
        programs: &[
            "conda", "mamba", "pip", "pip3", "pipx", "poetry", "rye", "uv",
        ],
        show: &[
            "download", "index", "info", "inspect", "search", "show", "tool run", "run-pip",
        ],
    },
    Subcommands {
        origin: Origin::Web,
        programs: &["pipx"],
        show: &["run", "runpip"],
    },
    Subcommands {
        origin: Origin::Web,
        programs: &["cargo"],
        show: &["audit", "doc", "info", "owner", "search"],
    },
    Subcommands {
        origin: Origin::Web,
        programs: &["go"],
        show: &["doc"],
    },
    Subcommands {
        origin: Origin::Web,
        programs: &["bundle", "bundler", "composer", "gem"],
        show: &[
            "audit",
            "contents",
            "info",
            "open",
            "query",
            "search",
            "show",
            "specification",
        ],
    },
    Subcommands {
        origin: Origin::Web,
        programs: &["brew", "port"],
        show: &["cat", "desc", "home", "info", "log", "search"],
    },
    Subcommands {
        origin: Origin::Web,
        programs: &[
            "apk", "apt", "apt-get", "aptitude", "dnf", "flatpak", "snap", "yum", "zypper",
        ],
        show: &["changelog", "find", "info", "policy", "search", "show"],
    },
    Subcommands {
        origin: Origin::Web,
        programs: &["nix"],
        show: &["run", "search", "shell"],
    },
    Subcommands {
        origin: Origin::Web,
        programs: &["dotnet", "mix", "nuget"],
        show: &["hex.docs", "hex.info", "package search", "search"],
    },
    Subcommands {
        origin: Origin::Web,
        programs: &["helm"],
        show: &["get", "search", "show"],
    },
    Subcommands {
        origin: Origin::Server,
        programs: &["docker", "docker-compose", "nerdctl", "podman"],
        show: &["history", "inspect", "logs", "run", "search"],
    },
    Subcommands {
        origin: Origin::Server,
        programs: &[
            "heroku", "kubectl", "fly", "flyctl", "netlify", "oc", "railway", "vercel",
        ],
        show: &["logs"],
    },
    Subcommands {
        origin: Origin::Server,
        programs: &["aws", "az", "gcloud", "gsutil"],
        show: &[
            "cat", "dynamodb", "logging", "logs", "monitor", "s3", "s3api", "ses", "sns", "sqs",
            "storage",
        ],
    },
    Subcommands {
        origin: Origin::Web,
        programs: &["git"],
        show: &[
            "clone",
            "fetch",
            "ls-remote",
            "pull",
            "remote show",
            "remote update",
            "submodule update",
        ],
    },
    Subcommands {
        origin: Origin::Web,
        programs: &["hg", "svn"],
        show: &["checkout", "clone", "incoming", "log", "pull", "update"],
    },
    Subcommands {
        origin: Origin::Web,
        programs: &["ollama", "huggingface-cli", "hf"],
        show: &["run", "search", "show"],
    },
];

/// Sub-commands that do the project's own work: words behind them are names of scripts, packages or images.
pub(super) const OWN_WORK: [&str; 39] = [
    "add",
    "apply",
    "bench",
    "branch",
    "build",
    "check",
    "checkout",
    "ci",
    "clippy",
    "commit",
    "compile",
    "config",
    "down",
    "exec",
    "fmt",
    "i",
    "install",
    "lint",
    "merge",
    "pack",
    "publish",
    "push",
    "rebase",
    "remove",
    "restart",
    "restore",
    "rm",
    "run",
    "stash",
    "start",
    "status",
    "stop",
    "switch",
    "t",
    "tag",
    "test",
    "uninstall",
    "up",
    "upgrade",
];

/// How many words are searched for the sub-command: values of options may come before it.
pub(super) const MAX_VERB_PLACES: usize = 4;

/// Directories that hold what package managers fetched.
pub(super) const PACKAGE_DIRS: [&str; 12] = [
    ".cargo/registry",
    ".gradle/caches",
    ".m2/repository",
    ".pnpm-store",
    "bower_components",
    "dist-packages",
    "go/pkg/mod",
    "node_modules",
    "site-packages",
    "target/registry",
    "third_party",
    "vendor",
];

/// Programs whose first word is the script that they run.
pub(super) const INTERPRETERS: [&str; 9] = [
    "bun", "deno", "node", "nodejs", "perl", "php", "python", "python3", "ruby",
];

/// Options whose value says what is left out, or only what a file is called.
pub(super) const LEAVES_OUT: [&str; 12] = [
    "!",
    "--exclude",
    "--exclude-dir",
    "--glob",
    "--ignore",
    "-E",
    "-I",
    "-g",
    "-iname",
    "-name",
    "-not",
    "-path",
];

/// Arguments of tools that name what is read.
pub(super) const PATH_ARGUMENTS: [&str; 11] = [
    "absolute_path",
    "dir_path",
    "file_path",
    "include",
    "include_pattern",
    "notebook_path",
    "path",
    "paths",
    "pattern",
    "target_file",
    "uri",
];

/// How arguments of git name commits of a remote.
pub(super) const REMOTE_REFS: [&str; 9] = [
    "--all",
    "--remotes",
    "@{u}",
    "@{upstream}",
    "FETCH_HEAD",
    "origin/",
    "refs/remotes/",
    "remotes/",
    "upstream/",
];

/// Programs that fetch.
pub(super) const FETCH: [&str; 18] = [
    "aria2c", "axel", "curl", "curlie", "ftp", "http", "https", "lynx", "links", "nc", "ncat",
    "rsync", "scp", "sftp", "ssh", "w3m", "wget", "xh",
];

/// Programs that show what stands in files.
pub(super) const SHOW: [&str; 21] = [
    "ag", "awk", "bat", "batcat", "cat", "egrep", "fd", "fgrep", "find", "grep", "head", "jq",
    "less", "ls", "more", "nl", "rg", "sed", "tail", "tac", "tree",
];

/// What git prints of what others committed.
pub(super) const GIT_SHOW: [&str; 7] = [
    "blame", "cat-file", "diff", "grep", "log", "shortlog", "show",
];

/// Programs that run another one, or words in front of one.
pub(super) const BEFORE: [&str; 24] = [
    "bash", "builtin", "command", "dash", "do", "doas", "else", "env", "exec", "if", "nice",
    "nohup", "sh", "stdbuf", "sudo", "then", "time", "timeout", "until", "while", "xargs", "zsh",
    "!", "{",
];

/// Programs that may be given an address without showing what lies there,
pub(super) const TAKE_ADDRESSES: [&str; 20] = [
    "apt", "apt-get", "brew", "bun", "bundle", "cargo", "docker", "gem", "go", "gradle", "helm",
    "kubectl", "mvn", "npm", "pip", "pip3", "pnpm", "podman", "uv", "yarn",
];

/// if this is what they do with it, and not one of these.
pub(super) const TAKE: [&str; 29] = [
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
pub(super) const RUN: [&str; 6] = ["dlx", "exec", "run", "start", "test", "x"];

/// Programs that fetch, with names that no other program has.
pub(super) const SURELY_FETCH: [&str; 7] =
    ["aria2c", "curl", "curlie", "lynx", "w3m", "wget", "xh"];
