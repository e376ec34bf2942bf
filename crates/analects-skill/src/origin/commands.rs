//! Which local commands print what a stranger wrote.
//!
//! A command runs here, but its output may come from elsewhere: a registry's description of a package, the help text of
//! a program that was fetched a moment ago, a row that a visitor of a site left in a database. The classes are tables:
//! programs that always print such text, and package managers and clients of which only some sub-commands do. What
//! builds, tests or installs is the project's own doing and is not in them.

use analects_text::shell_line::program_name;
use serde_json::Value;

use super::Origin;

/// Programs that print strangers' text whatever they are asked, by where that text comes from.
const PRINT_STRANGERS: [(Origin, &[&str]); 6] = [
    // Programs that speak to a forge. What they print was written by anybody.
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
    // Rows of a database, letters and logs: whoever uses the service writes them.
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
struct Subcommands {
    origin: Origin,
    programs: &'static [&'static str],
    /// Words that follow one another; `*` is any word. Options do not count.
    show: &'static [&'static str],
}

/// A package manager asked to show or to run something that it fetches; a client asked for text that its users write.
const SHOW_STRANGERS: [Subcommands; 17] = [
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
const OWN_WORK: [&str; 39] = [
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

/// The sub-command stands among the first words; what comes before it are values of options.
const MAX_VERB_PLACES: usize = 4;

/// Directories that hold what package managers fetched.
const PACKAGE_DIRS: [&str; 12] = [
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
const INTERPRETERS: [&str; 9] = [
    "bun", "deno", "node", "nodejs", "perl", "php", "python", "python3", "ruby",
];

/// Options whose value says what is left out, or only what a file is called.
const LEAVES_OUT: [&str; 12] = [
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
const PATH_ARGUMENTS: [&str; 11] = [
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

/// How a commit of somebody else's repository is named.
const REMOTE_REFS: [&str; 9] = [
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
const FETCH: [&str; 18] = [
    "aria2c", "axel", "curl", "curlie", "ftp", "http", "https", "lynx", "links", "nc", "ncat",
    "rsync", "scp", "sftp", "ssh", "w3m", "wget", "xh",
];

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
pub(super) fn of_command(line: &str) -> Origin {
    let is_gap = |c: char| ";|&()`\n\"'$<>".contains(c);
    let (mut worst, mut before) = (Origin::Command, "");
    for command in line.split_inclusive(is_gap) {
        // What filters the answer of another command shows no file.
        let is_filter = before.len() > 1 && before.ends_with('|');
        // What stands in quotes is a value, unless a shell is told to run it.
        let (said, _) = before.split_at(before.len() - usize::from(before.ends_with(['"', '\''])));
        let is_value = said.len() < before.len() && !said.trim_end().ends_with("-c");
        let simple = Simple {
            text: command.trim_end_matches(is_gap),
            is_value,
        };
        worst = match simple.origin() {
            Origin::File if is_filter => worst,
            origin => worst.worse(origin),
        };
        before = command;
    }
    if worst == Origin::File && mentions_package(line) {
        worst = Origin::Web;
    }
    worst
}

/// True if the arguments of a tool name something that a package manager fetched.
pub(super) fn reads_package(input: &str) -> bool {
    let Ok(Value::Object(arguments)) = serde_json::from_str(input) else {
        return is_in_package(input.trim());
    };
    let named = arguments
        .iter()
        .filter(|(name, _)| PATH_ARGUMENTS.contains(&name.as_str()));
    let mut texts = named.flat_map(|(_, value)| match value {
        Value::Array(items) => items.iter().collect(),
        other => vec![other],
    });
    texts.any(|value| value.as_str().is_some_and(is_in_package))
}

/// One command of a line. What stands in quotes is looked at as if it were run.
struct Simple<'a> {
    text: &'a str,
    /// Whether it stands in quotes, so that it is more likely a value.
    is_value: bool,
}

impl<'a> Simple<'a> {
    /// Where its answer came from.
    fn origin(&self) -> Origin {
        let Some((path, words)) = self.program() else {
            return Origin::Command;
        };
        let program = program_name(path);
        // A script of the project may be called like one of these.
        let is_known = path.starts_with('/') || !path.contains('/');
        if let Some(origin) = always_prints(program, &words).filter(|_| is_known) {
            return origin;
        }
        let addresses = self.text.split_whitespace().filter(|word| is_address(word));
        let (n_addresses, n_own) = addresses.fold((0, 0), |(n, own), address| {
            (n + 1, own + usize::from(is_loopback(address)))
        });
        let is_own = n_addresses > 0 && n_addresses == n_own;
        // Whoever runs another program shows what that one shows.
        let told: Vec<_> = words
            .iter()
            .copied()
            .filter(|word| !word.starts_with('-'))
            .collect();
        let verbs = told.iter().filter(|word| !is_address(word)).take(2);
        let runs = verbs.clone().any(|verb| RUN.contains(verb));
        let fetches = |word: &&str| SURELY_FETCH.contains(&program_name(word));
        if FETCH.contains(&program) || (runs && told.iter().any(fetches)) {
            // A service that was started here answers for this project.
            let has_own = || self.text.split_whitespace().any(is_loopback);
            let is_here = is_own || (n_addresses == 0 && has_own());
            return if is_here {
                Origin::Command
            } else {
                Origin::Web
            };
        }
        if let Some(origin) = shows_strangers(program, &told).filter(|_| is_known) {
            return origin;
        }
        let script = told.first().filter(|_| INTERPRETERS.contains(&program));
        if is_in_package(script.unwrap_or(&path)) && !self.is_value {
            return Origin::Web;
        }
        if SHOW.contains(&program) {
            return Origin::File;
        }
        if program == "git" {
            return of_git(&words);
        }
        let takes =
            TAKE_ADDRESSES.contains(&program) && verbs.clone().any(|verb| TAKE.contains(verb));
        let is_silent = program == "echo" || (takes && !runs);
        if n_addresses > n_own && !is_silent {
            Origin::Web
        } else {
            Origin::Command
        }
    }

    /// The program as it is called, and the words behind it. What only starts another program is left out, and so is the
    /// interpreter of `python -m`.
    fn program(&self) -> Option<(&'a str, Vec<&'a str>)> {
        let mut words = self.text.split_whitespace().skip_while(|word| {
            let is_assignment = word.split_once('=').is_some_and(|(name, _)| is_name(name));
            is_assignment
                || word.starts_with('-')
                || BEFORE.contains(&program_name(word))
                || is_number(word)
        });
        // `\npm` is not the alias of that name, and `npm.cmd` is what Windows calls it.
        let path = words.next()?.trim_start_matches('\\');
        let endings = [".bat", ".cmd", ".exe", ".ps1"];
        let path = endings
            .iter()
            .find_map(|ending| path.strip_suffix(ending))
            .unwrap_or(path);
        let words: Vec<_> = words.collect();
        let is_python = program_name(path).starts_with("py");
        match words.as_slice() {
            ["-m", module, rest @ ..] if is_python => Some((module, rest.to_vec())),
            _ => Some((path, words)),
        }
    }
}

/// The origin of what a program prints whatever it is asked, if that is a stranger's text.
fn always_prints(program: &str, words: &[&str]) -> Option<Origin> {
    // These write the clipboard unless they are told to print it.
    if matches!(program, "xclip" | "xsel") {
        let prints = |word: &&str| matches!(*word, "-o" | "-out" | "--output");
        return words.iter().any(prints).then_some(Origin::Server);
    }
    let mut rows = PRINT_STRANGERS.iter();
    let row = rows.find(|(_, programs)| programs.contains(&program))?;
    Some(row.0)
}

/// The origin of what a sub-command prints, if that is a stranger's text. `told` are the words without options.
fn shows_strangers(program: &str, told: &[&str]) -> Option<Origin> {
    let is_fetched = |word: &&str| word.contains('@') || word.starts_with("npm:");
    if matches!(program, "go" | "deno") && told.first() == Some(&"run") {
        return told.iter().any(is_fetched).then_some(Origin::Web);
    }
    let rows = SHOW_STRANGERS.iter();
    let rows: Vec<_> = rows.filter(|row| row.programs.contains(&program)).collect();
    for at in 0..told.len().min(MAX_VERB_PLACES) {
        let rest = told.get(at..).unwrap_or_default();
        let mut rows = rows.iter();
        if let Some(row) = rows.find(|row| row.show.iter().any(|words| begins(rest, words))) {
            return Some(row.origin);
        }
        if rest.first().is_some_and(|word| OWN_WORK.contains(word)) {
            return None;
        }
    }
    None
}

/// True if the words begin with these, of which `*` is any.
fn begins(words: &[&str], with: &str) -> bool {
    let mut words = words.iter();
    with.split(' ').all(|wanted| {
        let word = words.next();
        word.is_some_and(|word| wanted == "*" || *word == wanted)
    })
}

/// What git prints of what lies here already: commits of a remote are strangers', the others are files.
fn of_git(words: &[&str]) -> Origin {
    if !words.iter().any(|word| GIT_SHOW.contains(word)) {
        return Origin::Command;
    }
    let is_remote = |word: &&str| {
        let mut parts = word
            .split("..")
            .map(|part| part.trim_start_matches(['.', '^']));
        parts.any(|part| {
            REMOTE_REFS
                .iter()
                .any(|remote| part.starts_with(remote) || part.ends_with("@{u}"))
        })
    };
    if words.iter().any(is_remote) {
        Origin::Web
    } else {
        Origin::File
    }
}

/// True if a line names something that a package manager fetched, and not only to leave it out.
fn mentions_package(line: &str) -> bool {
    let mut before = "";
    for word in line.split([' ', '\t', '\n', '"', '\'', ';', '|', '&', '(', ')']) {
        if word.is_empty() {
            continue;
        }
        let is_left_out = LEAVES_OUT.contains(&before) || word.starts_with(['!', '-']);
        if !is_left_out && is_in_package(word) {
            return true;
        }
        before = word;
    }
    false
}

/// True if a path leads into a directory of fetched packages.
fn is_in_package(path: &str) -> bool {
    let path = path.replace('\\', "/");
    PACKAGE_DIRS.iter().any(|dir| {
        let mut found = path.match_indices(dir);
        found.any(|(at, dir)| {
            let before = path.get(..at).unwrap_or_default();
            let behind = path.get(at + dir.len()..).unwrap_or_default();
            (before.is_empty() || before.ends_with(['/', '='])) && behind.starts_with('/')
        })
    })
}

fn is_name(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '.')
}

fn is_address(word: &str) -> bool {
    ["http://", "https://", "ftp://", "gs://", "s3://"]
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
    use super::*;

    #[test]
    fn a_shell_is_judged_by_what_it_runs() {
        for (line, origin) in [
            ("cargo test -p pond", Origin::Command),
            ("make release && ./scripts/tag.sh", Origin::Command),
            ("git push origin main", Origin::Command),
            ("git clone https://example.com/pond.git", Origin::Web),
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
            assert_eq!(of_command(line), origin, "{line}");
        }
    }

    #[test]
    fn what_strangers_wrote_is_theirs_though_a_local_command_prints_it() {
        for line in [
            // A package manager asked to show something.
            "npm view left-pad",
            "npm info left-pad readme",
            "npm show left-pad",
            "npm search tea",
            "npm audit",
            "npm --prefix app view left-pad",
            "pnpm view left-pad",
            "yarn info left-pad",
            "bun pm view left-pad",
            "pip show requests",
            "pip index versions requests",
            "pip download requests",
            "python3 -m pip show requests",
            "uv pip show requests",
            "cargo info serde",
            "cargo search serde",
            "cargo doc --open",
            "cargo +nightly info serde",
            "gem info rails",
            "brew info tea",
            "apt show curl",
            "apt-cache show curl",
            "go doc fmt",
            "composer show monolog/monolog",
            "helm show readme bitnami/redis",
            // or to run something.
            "npx left-pad",
            "npx --yes left-pad --help",
            "CI=1 npx left-pad",
            "sudo npx left-pad",
            "pnpm dlx left-pad",
            "npm exec left-pad",
            "npm create vite@latest",
            "npm init vite",
            "yarn dlx left-pad",
            "bunx left-pad",
            "uvx ruff --help",
            "uv tool run ruff",
            "pipx run cowsay",
            "go run example.com/x@latest",
            "node_modules/.bin/left-pad --help",
            "./node_modules/.bin/left-pad --help",
            "node node_modules/left-pad/cli.js --help | head",
            // What lies in packages.
            "cat node_modules/left-pad/README.md",
            "cat 'node_modules/left-pad/README.md'",
            "head -5 vendor/x/README.md",
            "rg token .venv/lib/python3.12/site-packages/requests",
            "grep -r x ~/.cargo/registry/src",
            "less third_party/x/y",
            // Images, logs, databases, letters, the clipboard.
            "docker run --rm alpine ls",
            "docker logs web",
            "docker compose -f a.yml logs web",
            "docker inspect alpine",
            "kubectl logs web",
            "kubectl -n prod logs web",
            "journalctl -u web",
            "psql -c 'select 1'",
            "sqlite3 app.db .dump",
            "redis-cli get x",
            "mutt",
            "pbpaste",
            "xclip -selection c -o",
            "wl-paste | head",
            "aws s3 cp s3://x/y -",
            "man tar",
            // What others committed.
            "git clone git@example.com:x/y.git",
            "git fetch",
            "git -C app fetch origin",
            "git pull --rebase",
            "git ls-remote origin",
            "git show origin/main:README.md",
            "git log HEAD..origin/main",
            "git diff main...upstream/main",
            "git log FETCH_HEAD",
            "git log ..@{u}",
            "git log --oneline --all",
            "gh pr view 3",
            "cd app && npm view left-pad | cat",
            "bash -c 'npm view left-pad'",
            "echo $(npm view left-pad)",
            "timeout 5 npm view left-pad",
            "\\npm view left-pad",
            "npm.cmd view left-pad",
            "/usr/bin/npx left-pad",
        ] {
            let origin = of_command(line);
            assert!(origin.is_foreign(), "{line}: {origin:?}");
        }
    }

    #[test]
    fn what_builds_tests_and_installs_is_the_projects_own() {
        for line in [
            "npm test",
            "npm run build",
            "npm run view",
            "npm run info -- --help",
            "npm t",
            "npm ci",
            "npm install",
            "npm install left-pad",
            "npm init -y",
            "npm start",
            "yarn",
            "yarn build",
            "yarn add left-pad",
            "pnpm run search",
            "pnpm install",
            "bun test",
            "cargo build",
            "cargo test doc",
            "cargo run -- search x",
            "cargo add serde",
            "cargo clippy --all-targets",
            "pip install requests",
            "python3 -m pip install requests",
            "python3 -m pytest",
            "uv run pytest",
            "uv sync",
            "poetry install",
            "poetry run pytest",
            "bundle exec rspec",
            "go test ./...",
            "go run ./cmd/x",
            "go build",
            "brew install tea",
            "apt install curl",
            "docker build -t info .",
            "docker compose up -d logs",
            "docker exec app pytest",
            "docker ps",
            "kubectl apply -f logs.yaml",
            "kubectl get pods",
            "git push origin main",
            "git commit -m fetch",
            "git checkout -b pull",
            "git status",
            "git merge origin/main",
            "rm -rf node_modules",
            "xclip -selection c",
            "make man",
            "./scripts/info",
        ] {
            assert_eq!(of_command(line), Origin::Command, "{line}");
        }
        for line in [
            "git log --oneline",
            "git show HEAD",
            "cat src/vendor.rs",
            "grep -r x --exclude-dir=node_modules .",
            "find . -name '*.rs' -not -path './node_modules/*'",
            "rg x -g '!node_modules/**'",
            "ls",
            "cat docs/npm.md",
        ] {
            assert_eq!(of_command(line), Origin::File, "{line}");
        }
    }

    #[test]
    fn a_tool_that_reads_a_package_reads_what_a_stranger_wrote() {
        for (input, is_package) in [
            (r#"{"file_path": "node_modules/x/README.md"}"#, true),
            (r#"{"file_path": "/w/app/node_modules/x/README.md"}"#, true),
            (r#"{"file_path": "C:\\app\\node_modules\\x\\a.md"}"#, true),
            (r#"{"include": ["src/**", "vendor/x/*.md"]}"#, true),
            (r#"{"path": "/u/.cargo/registry/src/x"}"#, true),
            (r#"{"pattern": "x", "exclude": ["node_modules/**"]}"#, false),
            (
                r#"{"file_path": "src/a.rs", "content": "node_modules/x"}"#,
                false,
            ),
            (r#"{"file_path": "src/my_node_modules/a"}"#, false),
            (r#"{"file_path": "docs/vendor.md"}"#, false),
            ("node_modules/x/a.md", true),
            ("{}", false),
            ("", false),
        ] {
            assert_eq!(reads_package(input), is_package, "{input}");
        }
    }
}
