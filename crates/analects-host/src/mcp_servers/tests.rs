//! Real programs and real sockets, well behaved and not. Nothing here waits by the clock but for a time that must pass.

mod http;

use std::fs;
use std::path::Path;

use analects_world::AbsPath;
use analects_world::servers::Piece;
use serde_json::json;

use super::*;

/// What no trouble may repeat.
const SECRET: &str = "t-geheim-4711";

/// A program that does something, in a directory of its own.
struct Case {
    dir: tempfile::TempDir,
    servers: McpServers,
    timeout_ms: u64,
}

impl Case {
    fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
            servers: McpServers::default(),
            timeout_ms: 60_000,
        }
    }

    fn with_time(timeout_ms: u64) -> Self {
        Self {
            timeout_ms,
            ..Self::new()
        }
    }

    fn notes(&self) -> std::path::PathBuf {
        self.dir.path().join("notes")
    }

    fn server(&self, mode: &str) -> Server {
        let dir = AbsPath::new(self.dir.path().to_str().unwrap()).unwrap();
        let path = std::env::var("PATH").unwrap();
        let notes = self.notes();
        let vars = [
            ("PATH", path.as_str()),
            ("TOKEN", SECRET),
            ("NOTES", notes.to_str().unwrap()),
        ];
        let vars = vars.map(|(name, value)| (name.to_owned(), value.to_owned()));
        Server {
            name: "pond".to_owned(),
            reach: Reach::Program {
                command: "python3".to_owned(),
                args: ["-c", include_str!("tests/server.py"), mode]
                    .map(str::to_owned)
                    .to_vec(),
                dir: dir.clone(),
                vars: BTreeMap::from(vars),
            },
            roots: vec![dir.join("a b")],
            timeout_ms: self.timeout_ms,
        }
    }

    fn connect(&self, mode: &str) -> Result<Box<dyn Connection>, Trouble> {
        self.servers.connect(&self.server(mode), &Cancel::new())
    }
}

fn args(word: &str) -> Map<String, Value> {
    Map::from_iter([("word".to_owned(), json!(word))])
}

fn call(connection: &dyn Connection, word: &str) -> Result<Answer, Trouble> {
    connection.call("echo", &args(word), None, &Cancel::new(), &mut |_| {})
}

fn words(answer: &Answer) -> &str {
    match answer.pieces.as_slice() {
        [Piece::Text(words)] => words,
        other => panic!("{other:?}"),
    }
}

fn names(connection: &dyn Connection) -> Vec<&str> {
    let tools = connection.offer().tools.iter();
    tools.map(|tool| tool.name.as_str()).collect()
}

#[test]
fn a_program_says_what_it_offers_page_by_page_and_does_what_it_is_asked() {
    for mode in ["good", "old", "chatty"] {
        let case = Case::new();
        let connection = case.connect(mode).unwrap();
        let offer = connection.offer();
        assert_eq!(offer.instructions, "Feed the ducks.");
        assert_eq!(names(&*connection), ["echo", "quack"]);
        assert_eq!(offer.tools[0].annotations["readOnlyHint"], true);
        assert_eq!(offer.tools[0].schema["type"], "object");
        assert!(!offer.is_cut);
        let mut heard = Vec::new();
        let answer = connection.call("quack", &args("日"), None, &Cancel::new(), &mut |words| {
            heard.push(words.to_owned());
        });
        let answer = answer.unwrap();
        assert_eq!((words(&answer), answer.is_error), ("quack: 日", false));
        assert_eq!(heard, ["half"]);
        assert!(call(&*connection, "fail").unwrap().is_error);
    }
}

#[test]
fn many_calls_at_once_each_get_their_own_answer() {
    let case = Case::new();
    let connection = case.connect("good").unwrap();
    std::thread::scope(|scope| {
        for n in 0..16 {
            let connection = &*connection;
            scope.spawn(move || {
                let answer = call(connection, &n.to_string()).unwrap();
                assert_eq!(words(&answer), format!("echo: {n}"));
            });
        }
    });
}

#[test]
fn a_server_may_ask_where_the_project_is_and_nothing_else() {
    let case = Case::new();
    let connection = case.connect("asks").unwrap();
    let answer = call(&*connection, "").unwrap();
    let root = format!("file://{}/a%20b", case.dir.path().display());
    let told: Value = serde_json::from_str(words(&answer)).unwrap();
    let expected = json!({
        "sampling": -32601, "person": "decline", "dance": -32601, "ping": {}, "roots": [{"uri": root}],
    });
    assert_eq!(told, expected);
}

#[test]
fn a_program_that_cannot_be_started_says_why() {
    let case = Case::new();
    let mut server = case.server("good");
    let Reach::Program { command, .. } = &mut server.reach else {
        panic!("it is a program");
    };
    *command = "no-such-program".to_owned();
    let trouble = case.servers.connect(&server, &Cancel::new()).err().unwrap();
    let said = trouble.to_string();
    assert!(said.contains("cannot run `no-such-program`"), "{said}");
    let Reach::Program { dir: there, .. } = &mut server.reach else {
        panic!("it is a program");
    };
    *there = there.join("nowhere");
    let trouble = case.servers.connect(&server, &Cancel::new()).err().unwrap();
    assert!(trouble.to_string().contains("there is no directory"));
}

#[test]
fn whoever_does_not_shake_hands_is_told_of_without_a_secret() {
    for (mode, said) in [
        (
            "dies-at-once",
            "it is gone: it ended before it said what it is; it said: no way: [key]",
        ),
        ("garbage", "it makes no sense: what it says is no MCP"),
        (
            "long-line",
            "it makes no sense: it says more than 16 MiB at once",
        ),
        (
            "wrong-id",
            "it makes no sense: it answers what nobody asked",
        ),
        ("refuses", "it refused: go away, [key]"),
    ] {
        let trouble = Case::new().connect(mode).err().unwrap();
        assert_eq!(trouble.to_string(), said);
    }
}

#[test]
fn whoever_does_not_say_what_it_is_in_time_is_not_waited_for() {
    for mode in ["silent", "mute-list"] {
        let trouble = Case::with_time(1_500).connect(mode).err().unwrap();
        assert_eq!(trouble, Trouble::TimedOut(1_500), "{mode}");
    }
}

#[test]
fn whoever_does_not_answer_in_time_is_not_waited_for() {
    // One does not even listen, and is told more than a pipe holds.
    let long = "x".repeat(1 << 20);
    std::thread::scope(|scope| {
        for (mode, word) in [("mute-call", ""), ("wrong-answer", ""), ("deaf", &*long)] {
            scope.spawn(move || {
                // Enough to start on the busiest machine.
                let case = Case::with_time(8_000);
                let connection = case.connect(mode).unwrap();
                let late = Err(Trouble::TimedOut(8_000));
                assert_eq!(call(&*connection, word), late, "{mode}");
            });
        }
    });
    // Whoever asks may have less time than the server.
    let connection = Case::new().connect("mute-call").unwrap();
    let call = |whole_ms| {
        connection.call(
            "echo",
            &args(""),
            Some(whole_ms),
            &Cancel::new(),
            &mut |_| {},
        )
    };
    assert_eq!(call(50), Err(Trouble::TimedOut(50)));
}

#[test]
fn a_list_without_an_end_is_cut() {
    let case = Case::new();
    let connection = case.connect("endless-list").unwrap();
    assert_eq!(connection.offer().tools.len(), 32);
    assert!(connection.offer().is_cut);
    let connection = case.connect("same-page").unwrap();
    assert_eq!(names(&*connection), ["t", "t"]);
    assert!(connection.offer().is_cut);
}

#[test]
fn a_server_that_lies_about_its_tools_keeps_those_that_are_some() {
    let connection = Case::new().connect("lies").unwrap();
    assert_eq!(names(&*connection), ["no-object", "deep", "good"]);
    assert!(connection.offer().is_cut);
}

#[test]
fn a_server_that_dies_is_gone_for_good() {
    let case = Case::new();
    let connection = case.connect("dies").unwrap();
    for _ in 0..2 {
        let trouble = call(&*connection, "").unwrap_err();
        assert_eq!(trouble, Trouble::Gone("it hung up".to_owned()));
    }
}

#[test]
fn a_server_that_floods_us_with_questions_is_not_heard_any_more() {
    let case = Case::new();
    let connection = case.connect("floods").unwrap();
    let trouble = call(&*connection, "").unwrap_err();
    let said = "it does not stop talking".to_owned();
    assert_eq!(trouble, Trouble::Nonsense(said));
}

#[test]
fn whoever_cancels_does_not_wait_and_the_server_is_told() {
    let case = Case::new();
    let cancel = Cancel::new();
    let connection = case
        .servers
        .connect(&case.server("mute-call"), &cancel)
        .unwrap();
    // It is cancelled once the server has begun.
    let mut hear = |_: &str| cancel.cancel();
    let trouble = connection.call("echo", &args(""), None, &cancel, &mut hear);
    assert_eq!(trouble, Err(Trouble::Cancelled));
    wait_for(&case.notes());
    assert_eq!(
        fs::read_to_string(case.notes()).unwrap(),
        "notifications/cancelled"
    );
    let again = connection.call("echo", &args(""), None, &cancel, &mut |_| {});
    assert_eq!(again, Err(Trouble::Cancelled));
    let connection = case.servers.connect(&case.server("silent"), &cancel);
    assert_eq!(connection.err(), Some(Trouble::Cancelled));
}

#[test]
fn a_connection_that_is_cancelled_while_it_is_made_ends_the_program() {
    let case = Case::new();
    let cancel = Cancel::new();
    let server = case.server("silent");
    std::thread::scope(|scope| {
        let connecting = scope.spawn(|| case.servers.connect(&server, &cancel).err());
        cancel.cancel();
        assert_eq!(connecting.join().unwrap(), Some(Trouble::Cancelled));
    });
}

#[test]
fn the_whole_family_ends_with_the_connection() {
    let case = Case::new();
    let connection = case.connect("family").unwrap();
    wait_for(&case.notes());
    drop(connection);
    let noted = fs::read_to_string(case.notes()).unwrap();
    let pids: Vec<u32> = noted.lines().map(|pid| pid.parse().unwrap()).collect();
    assert!(pids.len() >= 2, "{noted}");
    for pid in pids {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat"));
        assert!(
            stat.is_err() || stat.unwrap().contains(") Z "),
            "{pid} runs"
        );
    }
}

/// Waits until somebody has written there; only a failure takes long.
fn wait_for(path: &Path) {
    let since = std::time::Instant::now();
    while fs::read_to_string(path).map_or(0, |text| text.len()) == 0 {
        assert!(since.elapsed().as_secs() < 30, "nobody writes");
        std::thread::yield_now();
    }
}
