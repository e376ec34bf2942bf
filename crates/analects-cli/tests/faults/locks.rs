//! Locks that outlive their holders: ours, Gemini CLI's, and those whose holder is alive after all.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::judge::{Story, Told};
use crate::place::{Place, Ran};
use crate::sound::{no_litter, worked};
use crate::tally::{Extent, Row, Tally};
use crate::writers::{WRITERS, Writer};

const LOCK: &str = "home/.gemini/tmp/repo/memory/.extraction.lock";

pub(crate) fn rows() -> Vec<Row> {
    vec![
        Row {
            fault: "dead lock holder",
            running: "our own lock".to_owned(),
            means: "it is taken over at once",
            is_traced: false,
            attempt: Box::new(ours),
        },
        Row {
            fault: "dead lock holder",
            running: "Gemini CLI's locks".to_owned(),
            means: "it is taken over within its ten seconds, one that is held is waited for",
            is_traced: false,
            attempt: Box::new(theirs),
        },
        Row {
            fault: "dead lock holder",
            running: "the extraction lock".to_owned(),
            means: "the dead are taken over, the living left alone",
            is_traced: false,
            attempt: Box::new(extraction),
        },
    ]
}

fn writer(name: &str) -> &'static Writer {
    WRITERS.iter().find(|writer| writer.name == name).unwrap()
}

fn ours(tally: &mut Tally, _: Extent) {
    let (place, writer) = (Place::new(), writer("memory add"));
    let story = Story::learn(&place, writer);
    for text in ["", "1", "999999999", "not a number", "\0\0\0\0"] {
        place.restore(&story.before);
        place.write("home/.gemini/analects/lock", text);
        tally.count(at_once(&place, writer, &story), || format!("{text:?}"));
    }
}

fn at_once(place: &Place, writer: &Writer, story: &Story) -> Result<(), String> {
    let since = Instant::now();
    done(place, writer, story, &writer.run(place))?;
    match since.elapsed() < Duration::from_secs(8) {
        true => Ok(()),
        false => Err(format!("it took {:?}", since.elapsed())),
    }
}

fn done(place: &Place, writer: &Writer, story: &Story, ran: &Ran) -> Result<(), String> {
    worked(ran)?;
    match story.judge(place, writer, ran)? {
        Told::End => Ok(()),
        told => Err(format!("{told:?}")),
    }
}

fn theirs(tally: &mut Tally, extent: Extent) {
    for (name, locks) in [
        ("trust add", &["home/.gemini/trustedFolders.json.lock"][..]),
        (
            "memory add, first of all",
            &["home/.gemini/projects.json.lock"],
        ),
        ("setup claude", &["dotfiles/claude.json.lock"]),
    ] {
        let (place, writer) = (Place::new(), writer(name));
        let story = Story::learn(&place, writer);
        for lock in locks {
            place.restore(&story.before);
            fs::create_dir(place.path(lock)).unwrap();
            place.age(lock, 3600);
            tally.count(at_once(&place, writer, &story), || format!("{lock}, old"));
            place.restore(&story.before);
            let held = place.path(lock);
            fs::create_dir(&held).unwrap();
            let given_back = thread::spawn(move || {
                // Somebody at work for a moment.
                thread::sleep(Duration::from_millis(200));
                fs::remove_dir(held).unwrap();
            });
            let judged = at_once(&place, writer, &story);
            given_back.join().unwrap();
            tally.count(judged, || format!("{lock}, held for a moment"));
        }
        // Ten seconds each, so only one of them in an ordinary test.
        if name == "trust add" || extent.rounds > 1 {
            let lock = locks.first().unwrap();
            place.restore(&story.before);
            fs::create_dir(place.path(lock)).unwrap();
            place.age(lock, -86_400);
            let ran = writer.run(&place);
            let judged = done(&place, writer, &story, &ran);
            tally.count(judged, || format!("{lock}, from tomorrow"));
        }
    }
}

fn extraction(tally: &mut Tally, _: Extent) {
    let (place, writer) = (Place::new(), writer("skill extract"));
    writer.furnish(&place);
    let before = place.tree();
    let mut gone = Command::new("true").spawn().unwrap();
    gone.wait().unwrap();
    let mut alive = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
    let now = jiff::Timestamp::now();
    let hours = |n: i64| (now - jiff::SignedDuration::from_hours(n)).to_string();
    let lock = |pid: u32, at: String, rest: Value| {
        let mut lock = json!({"pid": pid, "startedAt": at});
        let fields = rest.as_object().cloned().unwrap_or_default();
        lock.as_object_mut().unwrap().extend(fields);
        lock.to_string()
    };
    let dead = gone.id();
    let living = alive.id();
    let cases = [
        (
            "of a dead process",
            lock(dead, hours(0), json!({})),
            0,
            "done",
        ),
        (
            "of a living one",
            lock(living, hours(0), json!({})),
            0,
            "busy",
        ),
        ("of hours ago", lock(living, hours(2), json!({})), 0, "done"),
        (
            "from the future",
            lock(living, hours(-2), json!({})),
            0,
            "done",
        ),
        (
            "of a number given out again",
            lock(living, hours(0), json!({"born": 1, "token": "t"})),
            0,
            "done",
        ),
        ("empty and new", String::new(), 0, "busy"),
        ("empty and old", String::new(), 60, "done"),
        ("torn and old", "{\"pid\":12".to_owned(), 60, "done"),
        (
            "torn and from tomorrow",
            "{\"pid\":12".to_owned(),
            -86_400,
            "done",
        ),
    ];
    for (name, text, age, wanted) in cases {
        place.restore(&before);
        place.write(LOCK, text).age(LOCK, age);
        let ran = place.run(&["--trust", "skill", "extract", "--json"]);
        let judged = worked(&ran).and_then(|()| {
            let answer: Value = serde_json::from_str(&ran.out).map_err(|it| it.to_string())?;
            if answer["status"] != wanted {
                return Err(format!("{} instead of {wanted}", answer["status"]));
            }
            if (wanted == "busy") != place.path(LOCK).exists() {
                return Err("the lock is not where it should be".to_owned());
            }
            no_litter(&place.tree())
        });
        tally.count(judged, || format!("a lock {name}"));
    }
    let _ = alive.kill();
    let _ = alive.wait();
}
