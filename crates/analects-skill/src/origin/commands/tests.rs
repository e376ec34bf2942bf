//! Commands by what they print, both ways.

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
        // Files of packages.
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
