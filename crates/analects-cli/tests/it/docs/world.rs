//! Where a page is told: a home and a project that nobody else sees, a shell, and a terminal at which somebody agrees.
//!
//! Every command is a process of its own, as it is for a reader; directory and variables go from one to the next.

use std::fs;
use std::path::PathBuf;

use analects_testkit::ModelServer;
use analects_testkit::model_server::Script;
use analects_world::models::Wire;
use serde_json::json;

use super::past;
use crate::agent::stage::says;
use crate::models::variables;
use crate::sandbox::Sandbox;
use crate::screen::{Screen, Size};

/// Wide enough for what a page can show.
const SIZE: Size = Size {
    columns: 110,
    rows: 50,
};

/// What runs until somebody ends it, and what it says when it is ready.
const LASTING: [(&str, &str); 1] = [("analects mcp --http", "listening on")];

/// A world of a page.
pub(crate) struct World {
    sandbox: Sandbox,
    server: Option<ModelServer>,
    /// How many commands were run.
    runs: usize,
}

/// How a command ended, and all that was seen.
pub(crate) struct Seen {
    pub(crate) code: i32,
    pub(crate) text: String,
}

impl World {
    /// `empty`: a new home. `pond`: a project with memory, notes, sessions, a skill and things that wait. `model`: that,
    /// and a model that answers. None is `pond`.
    pub(crate) fn new(name: Option<&str>) -> Self {
        let mut world = Self {
            sandbox: Sandbox::new(),
            server: (name == Some("model"))
                .then(|| ModelServer::start(Script::new().otherwise(|_| says("Seven ducks.")))),
            runs: 0,
        };
        let sandbox = &world.sandbox;
        sandbox.write("shell/directory", world.home());
        sandbox.write("shell/variables", "");
        // What others would get from the network lies on this disk.
        let git = format!(
            "[user]\n\tname = Ada\n\temail = ada@pond.example\n[init]\n\tdefaultBranch = main\n\
             [url \"file://{}/github/\"]\n\tinsteadOf = https://github.com/\n[protocol \"file\"]\n\tallow = always\n",
            sandbox.real()
        );
        sandbox.write("home/.gitconfig", git);
        match name {
            Some("empty") => {}
            Some("pond" | "model") | None => world.pond(),
            Some(other) => panic!("there is no world `{other}`"),
        }
        world
    }

    fn home(&self) -> String {
        format!("{}/home", self.sandbox.real())
    }

    fn pond(&mut self) {
        let sandbox = &self.sandbox;
        let pond = format!("{}/pond", self.home());
        let (registry, trusted) = (
            json!({ "projects": { pond.as_str(): "pond" } }),
            json!({ pond.as_str(): "TRUST_FOLDER" }),
        );
        for (path, text) in FILES {
            sandbox.write(path, text);
        }
        sandbox
            .write("home/.gemini/projects.json", registry.to_string())
            .write("home/.gemini/trustedFolders.json", trusted.to_string())
            .write("home/.gemini/tmp/pond/.project_root", &pond)
            .write("shell/directory", &pond);
        past::hold(sandbox, &pond);
        let notes = format!("{}/.gemini/tmp/pond/memory/MEMORY.md", self.home());
        let patch = format!(
            "--- {notes}\n+++ {notes}\n@@ -1 +1,2 @@\n - My local database is called pond_ada\n+- The staging server is \
             heron\n"
        );
        let inbox = "home/.gemini/tmp/pond/memory/.inbox/private/extraction.patch";
        sandbox.write(inbox, patch);
        let committed = self.run("git init -q && git add . && git commit -qm 'A pond'");
        assert_eq!(committed.code, 0, "{}", committed.text);
    }

    /// Runs a command as a reader would, and agrees to what is asked.
    pub(crate) fn run(&mut self, command: &str) -> Seen {
        self.runs += 1;
        let lasting = LASTING
            .iter()
            .find(|(begins, _)| command.starts_with(begins));
        let command = match lasting {
            // Whoever else is on this machine keeps the port that a page names.
            Some(_) => command.replace(":8080", ":0"),
            None => command.to_owned(),
        };
        let shell = self.sandbox.path("shell");
        let shell = shell.to_str().unwrap();
        let script = format!(
            ". {shell}/variables\ncd \"$(cat {shell}/directory)\"\n{command}\n\
             code=$?\npwd > {shell}/directory\nexport -p > {shell}/variables\nexit $code\n"
        );
        let file = format!("shell/{}.sh", self.runs);
        self.sandbox.write(&file, script);
        let file = self.sandbox.path(&file);
        let words = ["sh", file.to_str().unwrap()];
        let mut screen = Screen::run(&self.sandbox, &words, self.variables(), SIZE);
        let code = match lasting {
            Some((_, sign)) => {
                screen.wait_for(sign).keys("Ctrl-C");
                screen.end();
                0
            }
            None => screen.agree().code().unwrap_or(-1),
        };
        Seen {
            code,
            text: self.steady(&screen.raw()),
        }
    }

    fn variables(&self) -> Vec<(&'static str, String)> {
        let ours = PathBuf::from(env!("CARGO_BIN_EXE_analects"));
        let ours = ours.parent().unwrap().display();
        let mut variables = vec![
            ("PATH", format!("{ours}:/usr/local/bin:/usr/bin:/bin")),
            ("TERM", "dumb".to_owned()),
            ("PAGER", "cat".to_owned()),
            ("EDITOR", "true".to_owned()),
            ("TZ", "UTC".to_owned()),
        ];
        if let Some(server) = &self.server {
            variables.extend(variables_of(server));
        }
        variables
    }

    /// What was written, as in `/home/ada`.
    fn steady(&self, raw: &[u8]) -> String {
        let text = String::from_utf8_lossy(raw).replace("\r\n", "\n");
        let text = text
            .split('\n')
            .map(left_standing)
            .collect::<Vec<_>>()
            .join("\n");
        let text = text.replace(&self.home(), "/home/ada");
        let text = text.replace(&self.sandbox.real(), "/tmp");
        let binary = fs::canonicalize(env!("CARGO_BIN_EXE_analects")).unwrap();
        text.replace(binary.to_str().unwrap(), "/usr/local/bin/analects")
    }
}

/// What is left of a row after a line of progress was wiped away, where a machine was slow enough to show one.
fn left_standing(row: &str) -> &str {
    row.rsplit("\r\u{1b}[K").next().unwrap_or_default()
}

fn variables_of(server: &ModelServer) -> [(&'static str, String); 2] {
    variables(server, Wire::Gemini)
}

/// The project `pond`, and what Ada has of her own.
const FILES: [(&str, &str); 16] = [
    (
        "home/.gemini/GEMINI.md",
        "## Gemini Added Memories\n- Answer in short sentences\n- I use tabs in makefiles\n",
    ),
    (
        "home/.gemini/tmp/pond/memory/MEMORY.md",
        "- My local database is called pond_ada\n- Migrations are tried on heron first\n",
    ),
    (
        "home/.gemini/skills/release/SKILL.md",
        "---\nname: release\ndescription: Releases a version of pond. Use it when somebody wants a new version.\n---\n\
         1. `make check`\n2. Raise the version in `VERSION`.\n3. Tag it.\n",
    ),
    (
        "home/.gemini/tmp/pond/memory/skills/deploy/SKILL.md",
        "---\nname: deploy\ndescription: Brings pond to the staging server. Use it after a release.\n---\n\
         1. `make check`\n2. `make deploy`\n",
    ),
    (
        "home/.gemini/tmp/pond/memory/.quarantine/skills/fetch/SKILL.md",
        "---\nname: fetch\ndescription: Fetches the list of birds. Use it when the list is old.\n---\n\
         1. `make birds`\n",
    ),
    (
        "home/work/skills/birds/SKILL.md",
        "---\nname: birds\ndescription: Adds a bird to the list. Use it when somebody saw a new one.\n---\n\
         1. Add a line to `birds.txt`, in the order of the alphabet.\n",
    ),
    (
        "home/pond/GEMINI.md",
        "# Pond\n\n- Run `make check` before a commit\n- Integration tests need the database on port 5433\n\n\
         How we write: @docs/style.md\n",
    ),
    (
        "home/pond/docs/style.md",
        "- Functions are named by what they answer\n- Comments say why\n",
    ),
    (
        "home/pond/src/store/GEMINI.md",
        "- The store never blocks: what takes long goes through `src/store/queue.py`\n",
    ),
    (
        "home/pond/src/store/queue.py",
        "def put(job):\n    jobs.append(job)\n",
    ),
    (
        "home/pond/src/parser.py",
        "def parse(name):\n    return name.strip()\n",
    ),
    ("home/pond/VERSION", "1.4.0\n"),
    ("home/pond/birds.txt", "duck\nheron\n"),
    ("home/pond/tools/migrate.sh", "echo fine\n"),
    ("home/pond/tools/seed.sh", "echo fine\n"),
    (
        "home/pond/Makefile",
        "check:\n\t@echo fine\ndeploy:\n\t@echo fine\nbirds:\n\t@echo fine\n",
    ),
];
