//! What tools print.

use std::fmt::Write;

use super::mint::Mint;
use super::random::Random;

/// A command that did what it should.
pub(super) fn well(mint: &mut Mint) -> String {
    let n = mint.between(1, 400);
    let secs = format!("{}.{}s", mint.between(0, 90), mint.below(10));
    match mint.below(9) {
        0 => String::new(),
        1 => format!("done in {secs}"),
        2 => format!("✓ {n} artifacts written to build/{}", mint.fill("{h8}")),
        3 => format!("[info] loading configuration\n[info] {n} entries\n[info] finished in {secs}"),
        4 => format!("OK ({n} items)"),
        5 => passed(mint),
        6 => format!("{}wrote {n} files\n", log(mint)),
        7 => format!(
            "status: healthy\nreplicas: {}/{0}\nage: {secs}",
            mint.between(1, 6)
        ),
        _ => format!("{n} up to date, 0 errors"),
    }
}

/// Tests or checks that passed.
pub(super) fn passed(mint: &mut Mint) -> String {
    let n = mint.between(3, 900);
    let secs = format!("{}.{:02}", mint.between(0, 90), mint.below(100));
    match mint.below(7) {
        0 => format!(
            "running {n} tests\ntest result: ok. {n} passed; 0 failed; 0 ignored; finished in {secs}s"
        ),
        1 => format!("============ {n} passed in {secs}s ============"),
        2 => format!("Test Suites: 12 passed, 12 total\nTests:       {n} passed, {n} total"),
        3 => format!("ok  \texample.com/app/internal\t{secs}s"),
        4 => format!(
            "BUILD SUCCESSFUL in {}s\n{n} actionable tasks: {n} executed",
            mint.below(99)
        ),
        5 => format!("All checks passed! ({n} files)"),
        _ => format!("{n} tests, 0 failures\nFinished in {secs} seconds"),
    }
}

/// Tests that found an ordinary mistake in the code.
pub(super) fn test_failure(mint: &mut Mint) -> String {
    let (file, line) = (mint.file(), mint.between(3, 700));
    let module = mint.module();
    match mint.below(4) {
        0 => format!(
            "thread '{module}::works' panicked at {file}:{line}:5:\nassertion `left == right` failed\ntest result: FAILED. 41 passed; 1 failed"
        ),
        1 => format!(
            "FAILED {file}::test_{module} - AssertionError: assert 3 == 4\n1 failed, 17 passed in 2.31s"
        ),
        2 => format!("{file}({line},7): error TS2345: Argument of type 'string' is not assignable"),
        _ => format!("--- FAIL: Test{module} (0.01s)\n    {file}:{line}: got 0, want 1\nFAIL"),
    }
}

/// Something in the network, gone at the next try.
pub(super) fn hiccup(mint: &mut Mint) -> String {
    mint.pick(&[
        "error: connection reset by peer",
        "dial tcp: i/o timeout",
        "503 Service Unavailable, please retry",
        "could not acquire lock, another process holds it",
    ])
    .to_owned()
}

/// Lines of a log around something.
pub(super) fn log(mint: &mut Mint) -> String {
    let mut log = String::new();
    for _ in 0..mint.below(6) {
        let (minute, second) = (mint.below(60), mint.below(60));
        let module = mint.module();
        let hash = mint.fill("{h7}");
        writeln!(
            log,
            "10:{minute:02}:{second:02} INFO {module} processed {hash}"
        )
        .unwrap();
    }
    log
}

/// A file, or a part of one.
pub(super) fn code(random: &mut Random) -> String {
    let mut code = String::new();
    for _ in 0..random.between(2, 24) {
        writeln!(code, "{}", line(random)).unwrap();
    }
    code
}

/// A line of code.
pub(super) fn line(random: &mut Random) -> String {
    let n = random.between(1, 999);
    let name = random.pick(&[
        "items", "ctx", "rows", "state", "entry", "total", "limit", "opts",
    ]);
    match random.below(8) {
        0 => format!("    let {name} = load({n})?;"),
        1 => format!("    if {name}.len() > {n} {{ return None; }}"),
        2 => format!("const {} = {n};", name.to_uppercase()),
        3 => format!("def handle_{name}(self, limit={n}):"),
        4 => format!("    # keep the first {n} {name}"),
        5 => format!("    return {name}.filter((it) => it.id !== {n});"),
        6 => format!("  {name}: {n}"),
        _ => format!("func {name}(n int) error {{ return nil }} // {n}"),
    }
}

pub(super) fn git_status(file: &str) -> String {
    format!("On branch main\nChanges not staged for commit:\n\tmodified:   {file}\n")
}
