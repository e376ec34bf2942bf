//! Where other agents keep their files. What is wired into each is in `setup`, what it is told in `hook`.

use analects_world::{AbsPath, Agent, Surroundings};

/// An agent's own directory in the user's home, with its settings and its records. Gemini CLI's variable
/// moves only its own.
pub(crate) fn dir(host: Agent, around: &Surroundings) -> AbsPath {
    let (variable, name) = match host {
        Agent::Gemini => return around.global_dir(),
        Agent::Claude => ("CLAUDE_CONFIG_DIR", ".claude"),
        Agent::Codex => ("CODEX_HOME", ".codex"),
    };
    let told = around.var(variable).map(|dir| around.resolve(dir));
    told.unwrap_or_else(|| users_home(around).join(name))
}

/// The user's home, even where Gemini CLI's variable puts another in its place.
pub(crate) fn users_home(around: &Surroundings) -> AbsPath {
    let is_geminis = around
        .var("GEMINI_CLI_HOME")
        .is_some_and(|home| around.resolve(home) == around.home);
    match around.var("HOME") {
        Some(home) if is_geminis => around.resolve(home),
        _ => around.home.clone(),
    }
}
