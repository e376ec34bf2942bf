//! Command lines, and what they mean.

use clap::Parser;

use super::*;

fn parse(line: &[&str]) -> Result<Cli, clap::Error> {
    let line = ["analects"].iter().chain(line);
    let cli = Cli::try_parse_from(line)?;
    check(&cli).map(|()| cli)
}

fn talk(line: &[&str]) -> Talk {
    parse(line).unwrap().talk
}

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[test]
fn command_lines_mean_what_they_say() {
    let asks = |prompt: &str| Talk {
        prompt: text(prompt),
        ..Talk::default()
    };
    let cases: &[(&[&str], Talk)] = &[
        (&[], Talk::default()),
        (&["-p", "what is this?"], asks("what is this?")),
        (&["--prompt=why"], asks("why")),
        (&["-p", "- one\n- two"], asks("- one\n- two")),
        (&["-p", "--"], asks("--")),
        (&["-p", ""], asks("")),
        (
            &["-p", "x", "-m", "flash"],
            Talk {
                model: text("flash"),
                ..asks("x")
            },
        ),
        (
            &["--resume", "-p", "x"],
            Talk {
                resume: text("latest"),
                ..asks("x")
            },
        ),
        (
            &["-r", "3", "-p", "x"],
            Talk {
                resume: text("3"),
                ..asks("x")
            },
        ),
        (
            &["-p", "x", "--resume", "0a1b2c3d"],
            Talk {
                resume: text("0a1b2c3d"),
                ..asks("x")
            },
        ),
        (
            &["-o", "stream-json", "-p", "x"],
            Talk {
                output_format: Some(Format::StreamJson),
                ..asks("x")
            },
        ),
        (
            &["-p", "x", "--max-turns", "5", "--ide-context", "ide.json"],
            Talk {
                max_turns: Some(5),
                ide_context: text("ide.json"),
                ..asks("x")
            },
        ),
        (
            &[
                "-p",
                "x",
                "--include-directories",
                "../a,~/b",
                "--include-directories=c",
            ],
            Talk {
                include_directories: ["../a", "~/b", "c"].map(str::to_owned).to_vec(),
                ..asks("x")
            },
        ),
    ];
    for (line, expected) in cases {
        assert_eq!(talk(line), *expected, "{line:?}");
    }
}

#[test]
fn modes_have_several_spellings() {
    for (line, expected) in [
        (&["--approval-mode", "default"][..], "default"),
        (&["--approval-mode", "auto-edit"], "auto-edit"),
        (&["--approval-mode", "auto_edit"], "auto-edit"),
        (&["--approval-mode", "autoEdit"], "auto-edit"),
        (&["--approval-mode", "yolo"], "yolo"),
        (&["--approval-mode=plan"], "plan"),
        (&["--yolo"], "yolo"),
    ] {
        let mode = talk(line).mode().and_then(Mode::word);
        assert_eq!(mode.as_deref(), Some(expected), "{line:?}");
    }
    assert_eq!(talk(&["-p", "x"]).mode(), None);
    // `-y` goes on to mean `--yes`.
    let yes = parse(&["-y", "-p", "x"]).unwrap();
    assert!(yes.global.yes && yes.talk.mode().is_none());
}

#[test]
fn json_is_short_for_a_format() {
    for (line, expected) in [
        (&["-p", "x"][..], Format::Text),
        (&["-p", "x", "--json"], Format::Json),
        (&["-p", "x", "-o", "json"], Format::Json),
        (&["--json", "-p", "x", "-o", "json"], Format::Json),
        (
            &["-p", "x", "--output-format=stream-json"],
            Format::StreamJson,
        ),
        (&["-p", "x", "-o", "text"], Format::Text),
    ] {
        assert_eq!(format(&parse(line).unwrap()), expected, "{line:?}");
    }
}

#[test]
fn what_makes_no_sense_is_a_usage_error() {
    for (line, words) in [
        (&["-p"][..], "a value is required"),
        (&["-p", "--json"], "`--prompt` wants a text"),
        (&["-p", "-m"], "`--prompt` wants a text"),
        (&["-p", "x", "memory", "list"], "without a command"),
        (&["-m", "flash", "doctor"], "without a command"),
        (&["--yolo", "session", "list"], "without a command"),
        (&["memory", "list", "-p", "x"], "unexpected argument '-p'"),
        (
            &["-p", "x", "--yolo", "--approval-mode", "plan"],
            "cannot be used with",
        ),
        (
            &["-p", "x", "--approval-mode", "brave"],
            "invalid value 'brave'",
        ),
        (&["-p", "x", "-o", "xml"], "invalid value 'xml'"),
        (&["-p", "x", "-o", "text", "--json"], "another format"),
        (&["-p", "x", "--max-turns", "0"], "invalid value '0'"),
        (&["-p", "x", "--max-turns", "-1"], "unexpected argument"),
        (&["-p", "x", "-p", "y"], "cannot be used multiple times"),
        (&["-p", "x", "what else"], "unrecognized subcommand"),
    ] {
        let error = parse(line).unwrap_err();
        let shown = error.to_string();
        assert!(
            error.use_stderr() && shown.contains(words),
            "{line:?}: {shown}"
        );
        assert_eq!(error.exit_code(), 2, "{line:?}");
    }
}

#[test]
fn a_verb_keeps_flags_of_the_same_name() {
    let cli = parse(&[
        "--json", "session", "compress", "latest", "--model", "flash",
    ])
    .unwrap();
    assert_eq!(cli.talk, Talk::default());
}
