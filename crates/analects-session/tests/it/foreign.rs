//! Other agents' records, as those agents wrote them.
//!
//! The files below `foreign/` were written by Claude Code 2.1.325 and Codex 0.166.0, run headless against a scripted
//! model; long texts, prompts of the hosts and paths of the machine were taken out.

mod claude;
mod codex;
mod robust;
mod show;
