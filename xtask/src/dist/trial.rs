//! The archive as a stranger meets it: checked, unpacked into an empty prefix, and used there.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{at, remove};
use crate::shell::{Done, root};

/// What is asked of the model, and looked for afterwards.
const QUESTION: &str = "where does the lighthouse keeper sleep";

/// What the model says.
const ANSWER: &str = "In the room below the lamp.";

/// Tries out what was packed.
pub(super) fn trial(dir: &Path, name: &str, completions: &[(&str, &str)]) -> Done {
    at(dir, "sha256sum", &["--check", "--strict", "SHA256SUMS"])?;
    let prefix = dir.join("trial");
    let home = prefix.join("home/.gemini");
    std::fs::create_dir_all(&home).map_err(|error| error.to_string())?;
    let archive = format!("../{name}.tar.gz");
    at(&prefix, "tar", &["-xzf", &archive, "--strip-components=1"])?;
    for (shell, place) in completions {
        check_script(shell, &prefix.join(place))?;
    }
    let trial = Trial { prefix };
    trial.shows()?;
    trial.asks_and_finds_again()?;
    trial.speaks_tls()?;
    remove(&trial.prefix)
}

/// Whether a shell can read its script. Who has no such shell is told so.
fn check_script(shell: &str, script: &Path) -> Done {
    let program = match shell {
        // They have no way to read a script without running it.
        "elvish" | "powershell" => return Ok(()),
        other => other,
    };
    match Command::new(program).arg("-n").arg(script).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("{shell} cannot read its completions")),
        Err(_) => {
            println!("dist: no {shell} here to read its completions");
            Ok(())
        }
    }
}

/// A prefix that the archive was unpacked into, with a home of its own.
struct Trial {
    prefix: PathBuf,
}

impl Trial {
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(self.prefix.join("bin/analects"));
        command
            .args(args)
            .current_dir(&self.prefix)
            .env_clear()
            .env("HOME", self.prefix.join("home"));
        command
    }

    /// It starts, and reads this repository's memory.
    fn shows(&self) -> Done {
        let version = format!("analects {}\n", env!("CARGO_PKG_VERSION"));
        said(&mut self.command(&["--version"]), &version)?;
        let mut show = self.command(&["memory", "show", "--trust"]);
        said(show.current_dir(root()), "--- Context from: GEMINI.md ---")
    }

    /// It finds a server by its name, and what was said in its index: the C library's part and SQLite's.
    fn asks_and_finds_again(&self) -> Done {
        let (listener, port) = listen()?;
        std::thread::spawn(move || {
            for stream in listener.incoming().filter_map(Result::ok) {
                // Who hangs up is not answered; it is the other side that is tried.
                let _ = answer(stream);
            }
        });
        let mut ask = self.command(&["-m", "openai:any", "-p", QUESTION, "--trust"]);
        ask.env("OPENAI_API_KEY", "none");
        ask.env("OPENAI_BASE_URL", format!("http://localhost:{port}/v1"));
        said(&mut ask, ANSWER)?;
        said(
            &mut self.command(&["session", "search", "lighthouse"]),
            "keeper",
        )
    }

    /// It begins to speak TLS, by its own means.
    fn speaks_tls(&self) -> Done {
        let (listener, port) = listen()?;
        let mut ask = self.command(&["-m", "openai:any", "-p", QUESTION, "--trust"]);
        ask.env("OPENAI_API_KEY", "none");
        ask.env("OPENAI_BASE_URL", format!("https://localhost:{port}/v1"));
        ask.stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut child = ask.spawn().map_err(|error| error.to_string())?;
        let mut greeting = [0; 2];
        let heard = listener
            .accept()
            .and_then(|(mut stream, _)| stream.read_exact(&mut greeting));
        let _ = child.kill();
        let _ = child.wait();
        heard.map_err(|error| error.to_string())?;
        // A handshake, of any version.
        match greeting {
            [0x16, 0x03] => Ok(()),
            _ => Err("the binary does not speak TLS".to_owned()),
        }
    }
}

/// Runs a command that must succeed and print something.
fn said(command: &mut Command, wanted: &str) -> Done {
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    match output.status.success() && out.contains(wanted) {
        true => Ok(()),
        false => Err(format!(
            "{command:?} did not say `{wanted}`, but:\n{out}{err}"
        )),
    }
}

fn listen() -> Result<(TcpListener, u16), String> {
    let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    Ok((listener, address.port()))
}

/// Answers one request as a model would.
fn answer(stream: TcpStream) -> std::io::Result<()> {
    let mut input = BufReader::new(stream);
    let mut n_bytes = 0;
    loop {
        let mut line = String::new();
        input.read_line(&mut line)?;
        let line = line.trim_end().to_lowercase();
        if let Some(length) = line.strip_prefix("content-length:") {
            n_bytes = length.trim().parse().unwrap_or(0);
        }
        if line.is_empty() {
            break;
        }
    }
    std::io::copy(&mut input.by_ref().take(n_bytes), &mut std::io::sink())?;
    let choice =
        serde_json::json!({ "index": 0, "delta": { "content": ANSWER }, "finish_reason": "stop" });
    let event =
        serde_json::json!({ "id": "1", "object": "chat.completion.chunk", "choices": [choice] });
    let body = format!("data: {event}\n\ndata: [DONE]\n\n");
    write!(
        input.get_mut(),
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}
