//! The whole agent on a real small model, behind a server that we did not write.
//!
//! It has no judgement, and repeats itself: what it says is of no interest, only what becomes of it.

use std::fs::File;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use analects_testkit::SmallModel;
use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox};

/// A repository, and the model.
struct Lab {
    sandbox: Sandbox,
    model: SmallModel,
}

impl Lab {
    fn find() -> Option<Self> {
        let model = SmallModel::find()?;
        let sandbox = Sandbox::new();
        sandbox.write("repo/GEMINI.md", "Answer in one short sentence.\n");
        // A small model on one thread takes long to read: the tools are enough.
        sandbox.write("home/brief.md", "You help in a repository. Be brief.\n");
        Some(Self { sandbox, model })
    }

    fn command(&self, args: &[&str]) -> Command {
        let named = ["--trust", "-m", SmallModel::NAME];
        let mut command = self.sandbox.command(&[&named[..], args].concat());
        command
            .env("OPENAI_API_KEY", &self.model.key)
            .env("GEMINI_SYSTEM_MD", self.sandbox.path("home/brief.md"))
            .env("OPENAI_BASE_URL", format!("{}/v1", self.model.address))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn ran(&self, mut command: Command) -> Ran {
        let ran = self.sandbox.ran(command.output().unwrap());
        // Whatever happens, nobody is shown what a server says to programs.
        for text in [&ran.out, &ran.err] {
            assert!(!text.contains("context size"), "{text}");
            assert!(!text.contains("panicked"), "{text}");
        }
        ran
    }

    /// The same until it answers: now and then it goes in circles, and is stopped.
    fn answer(&self, args: &[&str]) -> Ran {
        let mut last = None;
        for _ in 0..TRIES {
            let ran = self.ran(self.command(args));
            assert!([0, 54].contains(&ran.code), "{} {}", ran.out, ran.err);
            if ran.code == 0 && !ran.out.trim().is_empty() {
                return ran;
            }
            last = Some(ran);
        }
        panic!("no answer: {last:?}")
    }

    fn sessions(&self) -> usize {
        let listed = self.sandbox.json(&["session", "list"]);
        listed["sessions"].as_array().unwrap().len()
    }
}

fn events(ran: &Ran) -> Vec<Value> {
    let lines = ran.out.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// One test: the server keeps what it has read of the last request, which begins as the next one.
#[test]
fn small_model_holds_the_whole_agent() {
    let Some(lab) = Lab::find() else {
        return;
    };
    too_much_is_told_in_our_words(&lab);
    let ran = lab.answer(&["-p", "Say hello."]);
    assert!(!ran.out.trim().is_empty(), "{}", ran.err);
    let n_before = lab.sessions();
    it_streams(&lab);
    assert_eq!(
        lab.sessions(),
        n_before,
        "it went on with what was recorded"
    );
    a_cancelled_run_ends_at_once(&lab);
    let ran = lab.answer(&["--resume", "latest", "-p", "Say hello."]);
    assert!(!ran.out.trim().is_empty(), "{}", ran.err);
    an_errand_ends_whatever_it_says(&lab);
}

/// The agent that keeps memory, on a model that does not know what it is asked.
fn an_errand_ends_whatever_it_says(lab: &Lab) {
    let settings = json!({ "memory": { "writer": "manager" } });
    lab.sandbox
        .write("home/.gemini/settings.json", settings.to_string());
    let before = "- Likes tea\n- Builds with make\n";
    lab.sandbox.write("home/.gemini/GEMINI.md", before);
    let mut command = lab
        .sandbox
        .command(&["--trust", "memory", "tidy", "--json"]);
    command
        .env("OPENAI_API_KEY", &lab.model.key)
        .env("OPENAI_BASE_URL", format!("{}/v1", lab.model.address))
        .stdin(Stdio::null());
    let ran = lab.ran(command);
    // Without anybody to choose nothing is written, whatever it proposed.
    assert!([0, 1].contains(&ran.code), "{} {}", ran.out, ran.err);
    let text = std::fs::read_to_string(lab.sandbox.path("home/.gemini/GEMINI.md"));
    assert_eq!(text.unwrap(), before);
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["written"], false, "{answer}");
    let record = keeper(&lab.sandbox.path("home/.gemini/tmp/repo/chats"));
    let said = record
        .lines()
        .filter(|line| line.contains(r#""type":"gemini""#));
    let ids: std::collections::BTreeSet<_> = said
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter_map(|line| line["id"].as_str().map(str::to_owned))
        .collect();
    assert!(ids.len() <= 11, "ten turns and one of grace: {}", ids.len());
    assert!(record.contains(r#""kind":"subagent""#), "{record}");
}

/// What the agent that keeps memory recorded.
fn keeper(chats: &std::path::Path) -> String {
    let dirs = std::fs::read_dir(chats).unwrap().map_while(Result::ok);
    let dirs = dirs.filter(|entry| entry.path().is_dir());
    let files = dirs.flat_map(|dir| std::fs::read_dir(dir.path()).unwrap().map_while(Result::ok));
    let paths = files.map(|file| file.path());
    let mut keepers = paths.filter(|path| path.to_string_lossy().contains("-keeper"));
    std::fs::read_to_string(keepers.next().unwrap()).unwrap()
}

/// By our count, and where the server counts otherwise.
fn too_much_is_told_in_our_words(lab: &Lab) {
    let plain = "Herons stand in ponds. ".repeat(2_000);
    // Nobody's words: a token has two letters here, not four.
    let odd: String = (0..850_u64)
        .map(|n| format!("{:x} ", n.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
        .map(|word| word.replace(['0', '1', '2', '3', '4'], "q"))
        .collect();
    for text in [plain, odd] {
        lab.sandbox.write("long.txt", text);
        let mut command = lab.command(&["-p", "Sum it up."]);
        command.stdin(File::open(lab.sandbox.path("long.txt")).unwrap());
        let ran = lab.ran(command);
        assert_eq!((ran.code, &*ran.out), (1, ""), "{}", ran.err);
        assert!(ran.err.contains("send less at once"), "{}", ran.err);
    }
}

fn it_streams(lab: &Lab) {
    let more = [
        "--resume",
        "latest",
        "-p",
        "And goodbye.",
        "--output-format",
        "stream-json",
    ];
    let ran = lab.answer(&more);
    let events = events(&ran);
    let kinds: Vec<_> = events
        .iter()
        .filter_map(|event| event["type"].as_str())
        .collect();
    assert_eq!(kinds.first(), Some(&"init"), "{}", ran.out);
    assert_eq!(kinds.last(), Some(&"result"), "{}", ran.out);
    let said = events.iter().find(|event| event["role"] == "assistant");
    let said = said.and_then(|event| event["content"].as_str());
    assert!(
        said.is_some_and(|text| !text.trim().is_empty()),
        "{}",
        ran.out
    );
    let tokens = &events.last().unwrap()["stats"];
    assert!(
        tokens["input_tokens"].as_u64() > Some(1_000),
        "the server counts: {tokens}"
    );
}

fn a_cancelled_run_ends_at_once(lab: &Lab) {
    for _ in 0..TRIES {
        let (address, spoke) = relay(&lab.model.address);
        let mut command = lab.command(&["-p", "Tell a long story of a heron and a mill."]);
        command.env("OPENAI_BASE_URL", format!("{address}/v1"));
        let child = command.spawn().unwrap();
        spoke.recv_timeout(PATIENCE).unwrap();
        let id = child.id().to_string();
        let told = Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success();
        let asked = Instant::now();
        let ran = lab.sandbox.ran(child.wait_with_output().unwrap());
        // It may have had little to say.
        if !told || ran.code == 0 {
            continue;
        }
        assert_eq!((ran.code, &*ran.out), (130, ""), "{}", ran.err);
        assert!(
            asked.elapsed() < AT_ONCE,
            "it took {:?} to end",
            asked.elapsed()
        );
        return;
    }
    panic!("no answer was long enough to be cancelled");
}

/// How often it may say something of no use: it draws its words at random.
const TRIES: usize = 4;
/// A machine with much to do reads a prompt slowly.
const PATIENCE: Duration = Duration::from_secs(240);
const AT_ONCE: Duration = Duration::from_secs(2);

/// Passes everything on, and tells when the first word of an answer comes.
fn relay(to: &str) -> (String, mpsc::Receiver<()>) {
    let to = to.strip_prefix("http://").unwrap().to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (tell, told) = mpsc::channel();
    thread::spawn(move || {
        for client in listener.incoming().map_while(Result::ok) {
            let server = TcpStream::connect(&to).unwrap();
            let tell = tell.clone();
            let (asks, asked) = (client.try_clone().unwrap(), server.try_clone().unwrap());
            thread::spawn(move || pass_on(asks, asked, |_| {}));
            thread::spawn(move || {
                pass_on(server, client, |bytes| {
                    if String::from_utf8_lossy(bytes).contains(r#""content":""#) {
                        // Whoever heard it once has left.
                        let _ = tell.send(());
                    }
                });
            });
        }
    });
    (address, told)
}

fn pass_on(mut from: TcpStream, mut to: TcpStream, look: impl Fn(&[u8])) {
    let mut bytes = [0; 4096];
    while let Ok(n @ 1..) = from.read(&mut bytes) {
        if to.write_all(&bytes[..n]).is_err() {
            break;
        }
        look(&bytes[..n]);
    }
    // Who leaves here leaves there, too.
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}
