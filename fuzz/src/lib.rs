//! What must hold for any bytes at all, one function per kind of input.
//!
//! A target takes bytes as a hostile file would contain them, passes them through the rooms that read such files, and
//! panics if a promise of those rooms is broken. libFuzzer searches for such bytes (`fuzz_targets/`,
//! `cargo xtask fuzz`); the tests replay what it found (`corpus/`) and mutations of it.
//!
//! Inputs of several files are one text with `//- name` before each, as in fixtures.
#![expect(
    clippy::unwrap_used,
    reason = "a promise that is broken must stop the run at once"
)]

mod foreign;
mod frontmatter;
mod hook;
mod import;
mod notes;
mod patch;
mod policy;
mod provenance;
mod replay;
mod settings;
mod setup;
mod sheet;
mod shell_line;
mod snapshot;
mod text;

pub use foreign::foreign;
pub use frontmatter::frontmatter;
pub use hook::hook;
pub use import::import;
pub use notes::notes;
pub use patch::patch;
pub use policy::policy;
pub use provenance::provenance;
pub use replay::replay;
pub use settings::settings;
pub use setup::setup;
pub use shell_line::shell_line;
pub use snapshot::snapshot;
pub use text::text;

/// Something that is fed with bytes.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Its name: that of its binary, and of the folder of its corpus.
    pub name: &'static str,
    /// Feeds it; panics if a promise is broken.
    pub feed: fn(&[u8]),
}

/// Every target.
pub const TARGETS: [Target; 14] = [
    target("foreign", foreign),
    target("frontmatter", frontmatter),
    target("hook", hook),
    target("import", import),
    target("notes", notes),
    target("patch", patch),
    target("policy", policy),
    target("provenance", provenance),
    target("replay", replay),
    target("settings", settings),
    target("setup", setup),
    target("shell_line", shell_line),
    target("snapshot", snapshot),
    target("text", text),
];

const fn target(name: &'static str, feed: fn(&[u8])) -> Target {
    Target { name, feed }
}
