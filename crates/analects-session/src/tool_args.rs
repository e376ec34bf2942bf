//! What the arguments of Gemini CLI's tools tell, beside what those of all tools do.

use analects_text::units;

/// The tool that runs commands.
pub(crate) const SHELL: &str = "run_shell_command";

/// Whether a text looks like a path: short, on one line, with a slash, a leading dot or an extension.
pub(crate) fn is_path_like(text: &str) -> bool {
    let is_one_line = !text.is_empty() && !text.contains('\n');
    is_one_line
        && units::count(text) <= 240
        && (text.contains(['/', '\\']) || text.starts_with('.') || has_extension(text))
}

fn has_extension(name: &str) -> bool {
    // A dot alone in front is no extension; one at the end is, to the original.
    name.rfind('.').is_some_and(|at| at > 0) && name != ".."
}
