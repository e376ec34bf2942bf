//! Commands that are told something, and answer.

use super::*;

const ROOM: usize = 1024 * 1024;

impl Case {
    fn fed_with(&self, input: &[u8], cancel: &Cancel) -> Result<Fed, String> {
        let command = Command {
            line: &self.line,
            dir: &self.dir,
            vars: &self.vars,
            idle_ms: self.idle_ms,
            whole_ms: self.whole_ms,
            leave_ms: self.leave_ms,
        };
        self.shell.feed(&command, input, ROOM, cancel)
    }

    fn fed(&self, input: &str) -> Fed {
        self.fed_with(input.as_bytes(), &Cancel::new()).unwrap()
    }
}

fn said(fed: &Fed) -> (How, &str, &str) {
    let text = |bytes| str::from_utf8(bytes).unwrap();
    (fed.ended.how, text(&fed.stdout), text(&fed.stderr))
}

#[test]
fn what_it_is_told_is_all_it_reads_and_its_streams_are_kept_apart() {
    let fed = case("cat; echo trouble >&2; exit 2").fed("{\"a\": 1}");
    assert_eq!(said(&fed), (How::Code(2), "{\"a\": 1}", "trouble\n"));
    assert!(!fed.is_cut && fed.ended.left.is_empty());
    assert_eq!(said(&case("cat").fed("")), (How::Code(0), "", ""));
}

#[test]
fn much_is_told_and_heard_at_the_same_time() {
    let much = "0123456789abcde\n".repeat(64 * 1024);
    let fed = case("cat").fed(&much);
    assert_eq!(said(&fed), (How::Code(0), &*much, ""));
    assert!(!fed.is_cut);
}

#[test]
fn who_does_not_read_is_no_failure() {
    let much = "x".repeat(ROOM);
    for line in [
        "echo fine",
        "exec 0<&-; echo fine",
        "head -c 1 >/dev/null; echo fine",
    ] {
        assert_eq!(
            said(&case(line).fed(&much)),
            (How::Code(0), "fine\n", ""),
            "{line}"
        );
    }
}

#[test]
fn of_a_flood_the_beginning_is_kept_and_nobody_waits() {
    let fed =
        case("head -c 10485760 /dev/zero | tr '\\0' o; head -c 10485760 /dev/zero >&2").fed("x");
    assert_eq!(fed.ended, ended(How::Code(0)));
    assert!(fed.is_cut);
    assert_eq!((fed.stdout.len(), fed.stderr.len()), (ROOM, ROOM));
    assert!(fed.stdout.iter().all(|byte| *byte == b'o'));
    let mut endless = case("yes");
    endless.whole_ms = Some(100);
    let fed = endless.fed("");
    assert_eq!(fed.ended, ended(How::TimedOut(Limit::Whole)));
    assert_eq!((fed.stdout.len(), fed.is_cut), (ROOM, true));
}

#[test]
fn who_hangs_is_ended_with_the_grandchild_that_holds_its_pipes() {
    let mut case = case(&format!("({FOREVER}) & echo $! ; trap '' TERM; {FOREVER}"));
    case.whole_ms = Some(100);
    let fed = case.fed(&"x".repeat(ROOM));
    assert_eq!(fed.ended, ended(How::TimedOut(Limit::Whole)));
    let [grandchild] = pids(str::from_utf8(&fed.stdout).unwrap())[..] else {
        panic!("{fed:?}")
    };
    assert!(!is_running(grandchild));
}

#[test]
fn who_ended_is_not_waited_for_because_of_somebody_in_the_background() {
    let fed = case(&format!("{FOREVER} & echo $!")).fed(&"x".repeat(ROOM));
    let pid = pids(str::from_utf8(&fed.stdout).unwrap())[0];
    let left = Left(pid);
    assert_eq!(fed.ended.how, How::Code(0));
    assert_eq!(fed.ended.left, [left.0]);
}

#[test]
fn what_cannot_be_run_says_so_in_its_own_words() {
    let dir = tempfile::tempdir().unwrap();
    let script = dir.path().join("guard.sh");
    fs::write(&script, "echo no").unwrap();
    let fed = case(script.to_str().unwrap()).fed("{}");
    let (how, out, err) = said(&fed);
    assert_eq!((how, out), (How::Code(126), ""));
    assert!(err.contains("ermission denied"), "{err}");
    let mut nowhere = case("cat");
    nowhere.dir = AbsPath::new("/no/such/place").unwrap();
    let why = nowhere.fed_with(b"", &Cancel::new()).unwrap_err();
    assert_eq!(why, "there is no directory /no/such/place");
}

#[test]
fn who_was_cancelled_before_is_not_even_begun() {
    let cancel = Cancel::new();
    let case = case("echo x");
    cancel.cancel();
    let fed = case.fed_with(b"x", &cancel).unwrap();
    assert_eq!(said(&fed), (How::Cancelled, "", ""));
}
