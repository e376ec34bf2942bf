//! `analects`: the command line.
//!
//! Reads arguments, asks the engine, shows the answer. Answers go to stdout, everything else to stderr.

mod args;
mod chat;
mod desk;
mod exit;
mod hook;
mod mcp;
mod pages;
mod person;
mod run;
mod spelling;
mod talk;
mod tour;
mod ui;
mod waiting;

use std::process::ExitCode;

fn main() -> ExitCode {
    run::run(std::env::args_os())
}
