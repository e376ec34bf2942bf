//! What the binary says about itself.

use expect_test::expect;

use crate::sandbox::Sandbox;

#[test]
fn help_shows_nouns_and_shared_flags() {
    let ran = Sandbox::new().run(&["--help"]);
    assert_eq!(ran.code, 0);
    let help: String = ran
        .out
        .lines()
        .map(|line| format!("{}\n", line.trim_end()))
        .collect();
    expect![[r#"
        A memory that coding agents can trust.

        Finds, imports, orders and shows the memory files that apply to a directory:
        your own, those of extensions, those of the project, and your private notes on
        it. Alone at a terminal it is a chat with an agent that works by them; with `-p`
        it answers once.

        Usage: analects [OPTIONS] [COMMAND]

        Commands:
          memory       The memory that applies here
          remember     Remember a fact: short for `memory add`
          context      Show what a tool that touches these paths would bring in
          prompt       Show the system prompt that a conversation here would begin with
          session      What was said and done before, in whichever agent
          skill        Instructions for one kind of task, and where they come from
          config       The settings in force
          trust        Who may speak: the folders whose own memory is read
          doctor       Look at everything Analects depends on, and say what to do where
                       something is wrong
          setup        Wire Analects into another agent: its server and its hooks, in
                       the agent's own files
          hook         Answer a hook of another agent; reads JSON from stdin
          mcp          Serve memory to another agent over MCP
          tour         See the whole life of a memory, in a home and a repository to
                       throw away
          completions  Print a completion script for a shell
          man          Print a manual page
          help         Print this message or the help of the given subcommand(s)

        Options:
          -h, --help
                  Print help (see a summary with '-h')

          -V, --version
                  Print version

        Agent options (without a command):
          -p, --prompt <TEXT>
                  Ask this, let the model work, and print its answer.

                  What is piped in comes first, as context. `@path` brings a file along.

          -m, --model <NAME>
                  Ask this model: its name, or an alias such as `flash`

          -r, --resume [<SESSION>]
                  Go on with a session: `latest` (also if nothing is named), its number,
                  or its id

          -o, --output-format <FORMAT>
                  How the answer is printed; `--json` is short for `json`

                  Possible values:
                  - text:        The answer, and nothing else
                  - json:        One object, at the end
                  - stream-json: An object a line, as things happen

              --approval-mode <MODE>
                  What may be done without asking. Nobody is asked here: what would have
                  to be is refused

                  Possible values:
                  - default:   What the policy allows
                  - auto-edit: Changes to files too
                  - yolo:      Everything
                  - plan:      Looking only, and writing a plan

              --yolo
                  Allow everything: short for `--approval-mode yolo`

              --max-turns <N>
                  End after so many turns (also `model.maxSessionTurns`)

              --ide-context <FILE>
                  Read from this file what is open in an editor

              --screen-reader
                  Write nothing over: for screen readers

              --include-directories <DIR,…>
                  Let the model work in these directories too

        Global options:
              --cwd <DIR>
                  Work in this directory instead of the current one

              --home <DIR>
                  Use this home directory (also GEMINI_CLI_HOME)

              --trust
                  Trust the folder for this run

              --json
                  Answer with one JSON object

          -q, --quiet
                  Show errors only

          -v, --verbose
                  Show notes too

              --no-memory
                  Load no memory at all

              --dry-run
                  Show what would be written, and write nothing

          -y, --yes
                  Consent to what would be asked

              --color <WHEN>
                  When to use colour

                  Possible values:
                  - auto:   In a terminal, unless NO_COLOR is set
                  - always: Always
                  - never:  Never

                  [default: auto]
    "#]]
    .assert_eq(&help);
}

#[test]
fn help_fits_into_80_columns() {
    for args in [
        &["-h"][..],
        &["memory", "-h"],
        &["memory", "show", "-h"],
        &["memory", "check", "-h"],
        &["memory", "tidy", "-h"],
        &["context", "-h"],
        &["prompt", "-h"],
        &["config", "-h"],
        &["hook", "-h"],
        &["tour", "--help"],
    ] {
        let out = Sandbox::new().run(args).out;
        let widest = out.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(80), "{args:?}: {out}");
    }
}

#[test]
fn a_command_line_that_makes_no_sense_is_a_usage_error() {
    let sandbox = Sandbox::new();
    for args in [
        &["memroy"][..],
        &["memory", "lst"],
        &["context"],
        &["memory", "list", "--jsn"],
        &["-p", "why?", "memory", "list"],
        &["--yolo", "doctor"],
        &["memory", "list", "-p", "why?"],
        &["why?"],
    ] {
        let ran = sandbox.run(args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
        assert!(ran.err.contains("Usage:"), "{}", ran.err);
    }
    let typo = sandbox.run(&["memory", "lst"]);
    assert!(typo.err.contains("'list'"), "{}", typo.err);
}

#[test]
fn a_noun_alone_shows_what_there_is() {
    let sandbox = Sandbox::new();
    for (alone, whole) in [
        (&["memory"][..], &["memory", "show"][..]),
        (&["memory", "inbox"], &["memory", "inbox", "list"]),
        (&["session", "--all"], &["session", "list", "--all"]),
        (&["sessions"], &["session", "list"]),
        (&["skill"], &["skill", "list"]),
        (&["--trust", "trust"], &["trust", "show", "--trust"]),
        (
            &["config", "--color", "always"],
            &["config", "show", "--color", "always"],
        ),
    ] {
        let (alone, whole) = (sandbox.run(alone), sandbox.run(whole));
        assert_eq!((alone.code, alone.out), (0, whole.out));
    }
}

#[test]
fn the_version_is_the_workspaces() {
    let ran = Sandbox::new().run(&["--version"]);
    assert_eq!(ran.out, format!("analects {}\n", env!("CARGO_PKG_VERSION")));
}
