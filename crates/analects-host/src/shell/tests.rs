//! Real processes. Nothing here waits by the clock: commands say when they are ready.

mod feed;

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;
use std::time::Duration;

use analects_world::AbsPath;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};

use super::*;

/// Longer than any test; whoever sleeps this long has to be ended.
const FOREVER: &str = "sleep 1000";

/// A command as tests want it: nothing in the environment but a path.
struct Case {
    line: String,
    dir: AbsPath,
    vars: BTreeMap<String, String>,
    idle_ms: Option<u64>,
    whole_ms: Option<u64>,
    leave_ms: Option<u64>,
    shell: RealShell,
}

fn case(line: &str) -> Case {
    let path = ("PATH".to_owned(), "/usr/local/bin:/usr/bin:/bin".to_owned());
    Case {
        line: line.to_owned(),
        dir: AbsPath::root(),
        vars: BTreeMap::from([path]),
        idle_ms: None,
        whole_ms: Some(30_000),
        leave_ms: None,
        shell: RealShell::default(),
    }
}

fn case_without_proc(line: &str) -> Case {
    let proc = Path::new("/no/proc/here");
    Case {
        shell: RealShell { proc },
        ..case(line)
    }
}

impl Case {
    fn run_with(&self, cancel: &Cancel, hear: &mut dyn FnMut(&[u8])) -> Result<Ended, String> {
        let command = Command {
            line: &self.line,
            dir: &self.dir,
            vars: &self.vars,
            idle_ms: self.idle_ms,
            whole_ms: self.whole_ms,
            leave_ms: self.leave_ms,
        };
        self.shell.run(&command, cancel, hear)
    }

    fn run(&self) -> (Ended, String) {
        let mut printed = Vec::new();
        let ended = self.run_with(&Cancel::new(), &mut |piece| {
            printed.extend_from_slice(piece);
        });
        (ended.unwrap(), String::from_utf8(printed).unwrap())
    }

    /// Cancels as soon as this many lines were printed.
    fn cancel_after(&self, n_lines: usize) -> (Ended, String) {
        let (cancel, mut printed) = (Cancel::new(), String::new());
        let ended = self.run_with(&cancel, &mut |piece| {
            printed.push_str(str::from_utf8(piece).unwrap());
            if printed.matches('\n').count() >= n_lines {
                cancel.cancel();
            }
        });
        (ended.unwrap(), printed)
    }
}

/// The numbers that a command printed.
fn pids(printed: &str) -> Vec<u32> {
    let words = printed.split_ascii_whitespace();
    words.filter_map(|word| word.parse().ok()).collect()
}

fn is_running(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}

/// Whether a process ends, if it is given the time to: where nobody can look, nobody can wait for that either.
fn ends_soon(pid: u32) -> bool {
    let pid = Pid::from_raw(pid.cast_signed()).unwrap();
    let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else {
        return true;
    };
    let mut fds = [PollFd::new(&handle, PollFlags::IN)];
    let patience = Timespec::try_from(Duration::from_secs(10)).unwrap();
    poll(&mut fds, Some(&patience)).unwrap() == 1
}

fn ended(how: How) -> Ended {
    let left = Vec::new();
    Ended { how, left }
}

/// Somebody whom a test left running on purpose.
struct Left(u32);

impl Drop for Left {
    fn drop(&mut self) {
        let pid = Pid::from_raw(self.0.cast_signed()).unwrap();
        let _ = kill_process(pid, Signal::KILL);
    }
}

#[test]
fn both_streams_come_in_order_and_the_code_is_told() {
    let case = case("echo one; echo two >&2; echo three; exit 3");
    let expected = (ended(How::Code(3)), "one\ntwo\nthree\n".to_owned());
    assert_eq!(case.run(), expected);
}

#[test]
fn a_signal_of_somebody_else_is_told() {
    assert_eq!(case("kill -9 $$").run().0, ended(How::Signal(9)));
}

#[test]
fn the_environment_is_the_given_one_and_a_mark() {
    let mut case = case("tr '\\0' '\\n' < /proc/$$/environ");
    case.vars.insert("GREETING".to_owned(), "hi".to_owned());
    case.vars
        .insert(family::MARK.to_owned(), ".outer.".to_owned());
    let (_, printed) = case.run();
    let lines: Vec<_> = printed.lines().collect();
    let [mark, greeting, path] = lines[..] else {
        panic!("{printed}");
    };
    assert!(mark.starts_with("ANALECTS_COMMAND=.outer.."), "{mark}");
    assert_eq!(greeting, "GREETING=hi");
    assert_eq!(path, "PATH=/usr/local/bin:/usr/bin:/bin");
}

#[test]
fn there_is_neither_input_nor_a_terminal() {
    let line = "cat; read -r _ _ _ _ group session tty _ < /proc/$$/stat; \
        [ $group = $$ ] && [ $session = $$ ] && echo tty $tty; : < /dev/tty || echo none";
    let (ended, printed) = case(line).run();
    assert_eq!(ended.how, How::Code(0));
    assert!(printed.starts_with("tty 0\n"), "{printed}");
    assert!(printed.ends_with("none\n"), "{printed}");
}

#[test]
fn a_command_that_ended_leaves_no_trace_in_the_table_of_processes() {
    let (_, printed) = case("echo $$").run();
    let pid = pids(&printed)[0];
    assert!(!fs::exists(format!("/proc/{pid}")).unwrap());
}

#[test]
fn nothing_runs_if_it_was_cancelled_before() {
    let (cancel, mut n_heard) = (Cancel::new(), 0);
    cancel.cancel();
    let answer = case("echo x").run_with(&cancel, &mut |_| n_heard += 1);
    assert_eq!((answer, n_heard), (Ok(ended(How::Cancelled)), 0));
}

#[test]
fn who_is_cancelled_may_put_things_in_order() {
    let line = format!("trap 'echo bye; exit 0' TERM; {FOREVER} & echo $! $$ ready; wait");
    let (answer, printed) = case(&line).cancel_after(1);
    assert_eq!(answer, ended(How::Cancelled));
    assert!(printed.ends_with("bye\n"), "{printed}");
    assert!(pids(&printed).into_iter().all(|pid| !is_running(pid)));
}

#[test]
fn who_does_not_listen_is_ended_and_so_are_its_children() {
    let line = format!("trap '' TERM; {FOREVER} & echo $! $$; while :; do {FOREVER}; done");
    let (answer, printed) = case(&line).cancel_after(1);
    assert_eq!(answer, ended(How::Cancelled));
    assert_eq!(pids(&printed).len(), 2);
    assert!(pids(&printed).into_iter().all(|pid| !is_running(pid)));
}

#[test]
fn where_processes_cannot_be_looked_up_the_group_is_ended() {
    let line = format!("trap '' TERM; {FOREVER} & echo $! $$; while :; do {FOREVER}; done");
    let (answer, printed) = case_without_proc(&line).cancel_after(1);
    assert_eq!(answer, ended(How::Cancelled));
    assert_eq!(pids(&printed).len(), 2);
    assert!(pids(&printed).into_iter().all(ends_soon));
    let alone = case_without_proc(&format!("{FOREVER} & echo $!; exit 3"));
    let (answer, printed) = alone.run();
    let _cleaned = Left(pids(&printed)[0]);
    // Nobody can say who is left.
    assert_eq!(answer, ended(How::Code(3)));
}

#[test]
fn who_left_the_session_is_ended_too() {
    for line in [
        // Orphaned, in a session that nobody leads any more.
        "setsid sh -c 'sleep 1000 >/dev/null 2>&1 & echo $!'; sleep 1000",
        // Without an environment, yet with a parent.
        "env -i setsid sleep 1000 & echo $!; sleep 1000",
        // A group of its own, as shells with job control make them.
        "set -m; sleep 1000 & echo $!; sleep 1000",
        // A stranger that ignores the signal.
        "setsid sh -c 'trap \"\" TERM; echo $$; while :; do sleep 1000; done' & sleep 1000",
    ] {
        let (answer, printed) = case(line).cancel_after(1);
        assert_eq!(answer, ended(How::Cancelled), "{line}");
        assert_eq!(pids(&printed).len(), 1, "{line}");
        assert!(!is_running(pids(&printed)[0]), "{line}");
    }
}

#[test]
fn whoever_was_found_once_is_known_from_then_on() {
    let line = "setsid sh -c 'echo $$; exec env -i sleep 1000 >/dev/null' & wait";
    let mut command = std::process::Command::new("bash");
    let command = command.args(["-c", line]).stdout(Stdio::piped());
    let mut leader = command.spawn().unwrap();
    let mut stdout = BufReader::new(leader.stdout.take().unwrap());
    let mut printed = String::new();
    stdout.read_line(&mut printed).unwrap();
    let child = pids(&printed)[0];
    let _cleaned = Left(child);
    let pid = Pid::from_child(&leader);
    let mut family = Family::new(pid, Mark::new(&BTreeMap::new()), Path::new("/proc"));
    let mut finds_child = || {
        let members = family.members().unwrap();
        members.iter().any(|member| member.pid == child)
    };
    assert!(finds_child());
    leader.kill().unwrap();
    // Nobody else has the pipe: its end is that of the leader.
    stdout.read_to_string(&mut printed).unwrap();
    assert!(finds_child());
    leader.wait().unwrap();
}

#[test]
fn a_whole_tree_is_ended() {
    let line = "b() { echo $BASHPID; [ $1 -gt 0 ] && { b $(($1-1)) & b $(($1-1)) & }; \
        sleep 1000; }; trap '' TERM; b 5";
    let (answer, printed) = case(line).cancel_after(63);
    assert_eq!(answer, ended(How::Cancelled));
    assert_eq!(pids(&printed).len(), 63);
    assert!(pids(&printed).into_iter().all(|pid| !is_running(pid)));
}

#[test]
fn who_starts_another_for_every_one_that_ends_is_ended() {
    // Each in a session of its own, and quick to have a successor.
    let line = "export f='echo $$; trap \"setsid sh -c \\\"\\$f\\\" & exit\" TERM; sleep 1000 & wait'; \
        setsid sh -c \"$f\" & wait";
    let (answer, printed) = case(line).cancel_after(1);
    assert_eq!(answer, ended(How::Cancelled));
    assert!(pids(&printed).into_iter().all(|pid| !is_running(pid)));
}

#[test]
fn the_neighbour_runs_on() {
    let (cancel, line) = (Cancel::new(), format!("echo $$; {FOREVER}"));
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        let neighbour = scope.spawn(|| {
            case(&line).run_with(&cancel, &mut |piece| {
                tell.send(String::from_utf8(piece.to_vec()).unwrap())
                    .unwrap();
            })
        });
        let pid = pids(&told.recv().unwrap())[0];
        let (answer, _) = case(&line).cancel_after(1);
        assert_eq!(answer, ended(How::Cancelled));
        assert!(is_running(pid));
        cancel.cancel();
        assert_eq!(neighbour.join().unwrap(), Ok(ended(How::Cancelled)));
        assert!(!is_running(pid));
    });
}

#[test]
fn silence_and_the_whole_time_are_limits() {
    let mut silent = case(&format!("echo hi; {FOREVER}"));
    silent.idle_ms = Some(100);
    let expected = (ended(How::TimedOut(Limit::Idle)), "hi\n".to_owned());
    assert_eq!(silent.run(), expected);

    let mut talking = case("while :; do echo x; done");
    (talking.idle_ms, talking.whole_ms) = (Some(20_000), Some(200));
    let (answer, printed) = talking.run();
    assert_eq!(answer, ended(How::TimedOut(Limit::Whole)));
    assert!(printed.starts_with("x\nx\n"));

    let mut endless = case("echo x");
    (endless.idle_ms, endless.whole_ms) = (Some(u64::MAX), Some(u64::MAX));
    assert_eq!(endless.run().0, ended(How::Code(0)));
}

#[test]
fn a_server_in_the_background_is_told_of_and_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let mut case = case("mkfifo up go went");
    case.dir = AbsPath::new(dir.path().to_str().unwrap()).unwrap();
    assert_eq!(case.run().0, ended(How::Code(0)));
    let open = |name: &str| {
        // Both ways, so that opening does not wait for the other side.
        let mut options = fs::OpenOptions::new();
        let both = options.read(true).write(true).open(dir.path().join(name));
        both.unwrap()
    };
    let (mut go, held) = (open("go"), open("went"));
    let mut went = fs::File::open(dir.path().join("went")).unwrap();
    case.line = "(exec 3>went; echo $BASHPID; echo up >up; read -r _ <go; \
        for _ in {1..20000}; do echo more || exit; done; echo fine >&3) & read -r _ <up"
        .to_owned();
    let (answer, printed) = case.run();
    let pid = pids(&printed)[0];
    let _cleaned = Left(pid);
    assert_eq!(answer.how, How::Code(0));
    assert_eq!(answer.left, [pid]);
    drop(held);
    go.write_all(b"go\n").unwrap();
    // Had its pipe broken, or filled up, this would be empty, or never come.
    let mut said = String::new();
    went.read_to_string(&mut said).unwrap();
    assert_eq!(said, "fine\n");
}

#[test]
fn who_holds_the_pipe_keeps_nobody_waiting() {
    let (answer, printed) = case(&format!("{FOREVER} & echo $!")).run();
    let pid = pids(&printed)[0];
    let _cleaned = Left(pid);
    assert_eq!(answer.how, How::Code(0));
    assert_eq!(answer.left, [pid]);
    assert!(is_running(pid));
}

#[test]
fn last_words_of_somebody_nobody_waited_for_are_heard() {
    let (answer, printed) = case("echo word > >(cat)").run();
    assert_eq!(answer, ended(How::Code(0)));
    assert_eq!(printed, "word\n");
}

#[test]
fn a_command_can_be_left_alone() {
    let mut case = case(&format!("echo $$; exec {FOREVER}"));
    case.leave_ms = Some(200);
    let (answer, printed) = case.run();
    let pid = pids(&printed)[0];
    let _cleaned = Left(pid);
    assert_eq!(answer.how, How::Left);
    assert_eq!(answer.left, [pid]);
    assert!(is_running(pid));
    case.line = "exit 4".to_owned();
    case.leave_ms = Some(20_000);
    assert_eq!(case.run().0, ended(How::Code(4)));
}

#[test]
fn who_stops_talking_is_still_waited_for() {
    let (answer, printed) = case("echo a; exec >&- 2>&-; sleep 0.2; exit 5").run();
    assert_eq!((answer, printed.as_str()), (ended(How::Code(5)), "a\n"));
}

#[test]
fn bytes_come_as_they_are() {
    let mut printed = Vec::new();
    let case = case(r"printf '\xff\x00\xfe\r\033[1m'");
    let answer = case.run_with(&Cancel::new(), &mut |piece| {
        printed.extend_from_slice(piece);
    });
    assert_eq!(answer, Ok(ended(How::Code(0))));
    assert_eq!(printed, b"\xff\x00\xfe\r\x1b[1m");
}

#[test]
fn much_output_comes_in_small_pieces() {
    let (mut n_bytes, mut largest) = (0, 0);
    let case = case("head -c 200000000 /dev/zero");
    let answer = case.run_with(&Cancel::new(), &mut |piece| {
        n_bytes += piece.len();
        largest = largest.max(piece.len());
    });
    assert_eq!(answer, Ok(ended(How::Code(0))));
    assert_eq!(n_bytes, 200_000_000);
    assert!(largest <= 64 * 1024);
}

#[test]
fn what_cannot_be_started_says_why() {
    let refused = |case: &Case| case.run_with(&Cancel::new(), &mut |_| ()).unwrap_err();
    let mut nowhere = case("echo x");
    nowhere.dir = AbsPath::new("/no/such/place").unwrap();
    assert_eq!(refused(&nowhere), "there is no directory /no/such/place");

    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("bash"), "").unwrap();
    let mut broken = case("echo x");
    let path = dir.path().to_str().unwrap().to_owned();
    broken.vars.insert("PATH".to_owned(), path.clone());
    let why = refused(&broken);
    assert!(
        why.starts_with(&format!("cannot run {path}/bash: ")),
        "{why}"
    );

    assert!(
        refused(&case("echo \0")).contains("nul"),
        "a line has no NUL"
    );
    assert!(refused(&case(&":".repeat(5_000_000))).contains("too long"));
}

#[test]
fn cancelling_takes_little_time() {
    let since = Instant::now();
    let (answer, _) = case(&format!("echo ready; {FOREVER}")).cancel_after(1);
    assert_eq!(answer, ended(How::Cancelled));
    // Nobody needed the grace.
    assert!(since.elapsed() < Duration::from_secs(5));
}
