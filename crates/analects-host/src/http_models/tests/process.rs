//! A process of its own for a request. The environment belongs to the process, so whatever depends on it needs
//! another one: the tests run themselves once more.

use std::process::Command;

use super::*;

/// Tell the test in the new process whom to ask, and how long to wait for a connection.
const ASK: &str = "ANALECTS_TEST_ASKS";
const CONNECT: &str = "ANALECTS_TEST_CONNECT_MS";

/// Asks a server from a process with this environment and nothing else; answers the fault, or `ok`.
pub(super) fn ask_with(base_url: &str, environment: &[(&str, &str)]) -> String {
    ask_hastily_with(base_url, LONG_MS, environment)
}

/// The same, with less patience for a connection.
pub(super) fn ask_hastily_with(
    base_url: &str,
    connect_ms: u64,
    environment: &[(&str, &str)],
) -> String {
    let me = std::env::current_exe().unwrap();
    let this = concat!(module_path!(), "::this_process_asks");
    let (_, this) = this.split_once("::").unwrap();
    let output = Command::new(me)
        .args(["--exact", this, "--nocapture"])
        .env_clear()
        .env(ASK, base_url)
        .env(CONNECT, connect_ms.to_string())
        .envs(environment.iter().copied())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let told = text.split("<<").nth(1);
    let told = told.and_then(|rest| rest.split(">>").next());
    told.unwrap_or_else(|| panic!("it says nothing: {text}"))
        .to_owned()
}

#[test]
#[expect(
    clippy::print_stdout,
    reason = "that is how it tells the other process"
)]
fn this_process_asks() {
    let Ok(base_url) = std::env::var(ASK) else {
        return;
    };
    let mut at = endpoint(&base_url);
    at.patience.connect_ms = std::env::var(CONNECT).unwrap().parse().unwrap();
    match ask(&at) {
        Ok(_) => println!("<<ok>>"),
        Err(fault) => println!("<<{}: {fault}>>", fault.kind.as_str()),
    }
}
