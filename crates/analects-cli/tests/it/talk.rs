//! `analects -p` as a script runs it: what is piped in, and what is refused before a model is asked.

use std::io::Write;
use std::process::Stdio;

use expect_test::expect;

use crate::sandbox::{Ran, Sandbox};

/// Runs the binary with something piped in, whether it wants to hear it or not.
fn piped(sandbox: &Sandbox, args: &[&str], input: &[u8]) -> Ran {
    let mut command = sandbox.command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // It may hang up on what is too long.
            let _ = stdin.write_all(input);
        });
        sandbox.ran(child.wait_with_output().unwrap())
    })
}

#[test]
fn nothing_asked_is_bad_input() {
    let sandbox = Sandbox::new();
    for (args, input) in [
        (&[][..], &b""[..]),
        (&[], b" \n"),
        (&["-m", "flash"], b""),
        (&["--resume"], b"\n"),
    ] {
        let ran = piped(&sandbox, args, input);
        assert_eq!((ran.code, &*ran.out), (42, ""), "{args:?}");
        assert_eq!(
            ran.err,
            "error: nothing is asked\nhint: `analects -p TEXT` asks a model, `analects --help` tells what else \
             there is\n"
        );
    }
    // No input at all, as under cron.
    assert_eq!(sandbox.run(&[]).code, 42);
    let ran = piped(&sandbox, &["-p", ""], b"a log\n");
    assert_eq!((ran.code, &*ran.out), (42, ""));
    assert!(
        ran.err.starts_with("error: the prompt is empty\n"),
        "{}",
        ran.err
    );
}

#[test]
fn bad_input_is_told_in_every_format() {
    let sandbox = Sandbox::new();
    let ran = piped(&sandbox, &["--json"], b"");
    assert_eq!(ran.code, 42);
    expect![[r#"
        {
          "schemaVersion": 1,
          "session_id": null,
          "response": null,
          "stats": null,
          "error": {
            "type": "bad_input",
            "message": "nothing is asked",
            "code": 42,
            "hints": [
              "`analects -p TEXT` asks a model, `analects --help` tells what else there is"
            ]
          },
          "problems": []
        }
    "#]]
    .assert_eq(&ran.out);
    let ran = piped(&sandbox, &["-o", "stream-json"], b"");
    let event: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, ran.out.lines().count()), (42, 1));
    assert_eq!(
        (&event["type"], &event["status"]),
        (&"result".into(), &"error".into())
    );
    assert_eq!(event["error"]["code"], 42);
}

#[test]
fn too_much_and_no_text_are_bad_input() {
    let sandbox = Sandbox::new();
    let much = vec![b'x'; 8 * 1024 * 1024 + 1];
    let ran = piped(&sandbox, &["-p", "why?"], &much);
    assert_eq!((ran.code, &*ran.out), (42, ""));
    assert_eq!(
        ran.err,
        "error: more than 8 MiB are piped in\nhint: write it to a file, and let the model read the part that matters\n"
    );
    let ran = piped(&sandbox, &["-p", "why?"], b"caf\xE9\n");
    assert_eq!((ran.code, &*ran.out), (42, ""));
    assert_eq!(
        ran.err,
        "error: what is piped in is not UTF-8, from byte 3 on\nhint: `iconv -t UTF-8` converts texts\n"
    );
}

#[test]
fn a_hook_is_never_blocked_by_flags_that_are_not_its_own() {
    let sandbox = Sandbox::new();
    let ran = piped(&sandbox, &["-p", "why?", "hook", "gemini"], b"{}");
    assert_eq!((ran.code, &*ran.out, &*ran.err), (0, "", ""));
    // Somebody who asks about hooks is no hook.
    let ran = piped(&sandbox, &["-p", "hook", "--nonsense"], b"");
    assert_eq!(ran.code, 2);
}

#[test]
fn completions_and_manual_know_the_flags() {
    let sandbox = Sandbox::new();
    let script = sandbox.run(&["completions", "bash"]).out;
    assert!(script.contains("--approval-mode") && script.contains("stream-json"));
    let page = sandbox.run(&["man"]).out;
    assert!(
        page.contains("\\-\\-prompt") && page.contains("\\-\\-resume"),
        "{page}"
    );
}
