//! Lint: commands that this project does not have (scripts, targets, recipes, packages, programs).
//!
//! Only what the project itself defines is judged, and only against everything it defines: a script
//! counts if any `package.json` has it. Where a definition cannot be read to its end (an include with a
//! variable in it), everything is taken to exist.

mod cargo;
mod just;
mod make;
mod manifests;
mod scripts;
mod shell;

use analects_text::outline::{CodeBlock, Span};
use analects_world::files::Files;

use super::missing_file::Project;
use super::path_shape;
use super::sheet::Sheet;
use super::supposed::is_supposed;
use super::survey::Survey;
use super::{Finding, codes};

use manifests::Manifests;

/// Languages in which a block of code is something to type into a shell.
const SHELLS: [&str; 11] = [
    "",
    "sh",
    "bash",
    "shell",
    "zsh",
    "console",
    "terminal",
    "fish",
    "shell-session",
    "shellsession",
    "cmd",
];

pub(super) fn check(files: &dyn Files, survey: &Survey, sheets: &[Sheet<'_>]) -> Vec<Finding> {
    let mut judge = Judge::new(files, survey);
    let mut findings = Vec::new();
    let root = survey.root();
    for sheet in sheets.iter().filter(|sheet| sheet.page.is_about(root)) {
        for (span, message) in judge.spans(sheet) {
            let problem = sheet.problem(&codes::MISSING_COMMAND, span.at.start, message);
            findings.push(problem.into());
        }
        for block in &sheet.outline.blocks {
            findings.extend(judge.block(sheet, block));
        }
    }
    findings
}

/// Tells which commands of a page nobody can run.
pub(super) struct Judge<'a> {
    manifests: Manifests<'a>,
    project: Project<'a>,
    survey: &'a Survey,
}

/// What a line of commands turned out to be.
#[derive(Default)]
struct Verdict {
    /// What is missing, and why.
    missing: Option<String>,
    /// Whether what follows happens somewhere else.
    leaves: bool,
}

impl<'a> Judge<'a> {
    pub(super) fn new(files: &'a dyn Files, survey: &'a Survey) -> Self {
        Self {
            manifests: Manifests::new(files, survey),
            project: Project::new(files, survey),
            survey,
        }
    }

    /// The commands inside the lines of a page that nobody can run, each with what is missing.
    pub(super) fn spans<'s>(&mut self, sheet: &'s Sheet<'_>) -> Vec<(&'s Span, String)> {
        let mut found = Vec::new();
        for span in &sheet.outline.spans {
            // A path alone names a file, whether or not it can be run.
            let is_command = span.text.trim().contains(' ') || span.text.starts_with("./");
            if is_command && !is_supposed(&sheet.page.text, span.at.start) {
                let message = self.line(sheet, &span.text).missing;
                found.extend(message.map(|message| (span, message)));
            }
        }
        found
    }

    fn block(&mut self, sheet: &Sheet<'_>, block: &CodeBlock) -> Vec<Finding> {
        let mut findings = Vec::new();
        if !SHELLS.contains(&block.language.as_str()) {
            return findings;
        }
        for (at, line) in &block.lines {
            if line.contains("<<") {
                // A text follows, not commands.
                break;
            }
            let Verdict { missing, leaves } = self.line(sheet, line);
            let told = |message: String| sheet.problem(&codes::MISSING_COMMAND, *at, message);
            findings.extend(missing.map(|message| told(message).into()));
            if leaves {
                break;
            }
        }
        findings
    }

    fn line(&mut self, sheet: &Sheet<'_>, line: &str) -> Verdict {
        let mut verdict = Verdict::default();
        for words in shell::commands(line) {
            let words: Vec<_> = words.iter().map(String::as_str).collect();
            if self.leaves(&words) {
                verdict.leaves = true;
                break;
            }
            if verdict.missing.is_none() {
                verdict.missing = self.missing(sheet, &words);
            }
        }
        verdict
    }

    /// Whether a command leads out of what we know.
    fn leaves(&self, words: &[&str]) -> bool {
        match words {
            ["git", "clone", ..] | ["cmake" | "./configure" | "pushd" | "ssh", ..] => true,
            ["cd", dir, ..] => {
                let dir = dir.trim_start_matches("./");
                dir != "." && !self.survey.has_ending(dir)
            }
            _ => false,
        }
    }

    fn missing(&mut self, sheet: &Sheet<'_>, words: &[&str]) -> Option<String> {
        let (&program, args) = words.split_first()?;
        match program {
            "npm" | "pnpm" | "yarn" | "bun" => {
                scripts::missing(self.manifests.scripts(), program, args)
            }
            "make" | "gmake" => make::missing(self.manifests.targets(), self.survey, args),
            "just" => just::missing(self.manifests.recipes(), args),
            "cargo" => cargo::missing(&mut self.manifests, args),
            "python" | "python3" | "node" | "bash" | "sh" | "zsh" | "ruby" | "perl" | "tsx"
            | "ts-node" | "bun-node" => {
                let script = args.iter().find(|arg| !arg.starts_with('-'));
                let has_code = args
                    .iter()
                    .any(|arg| matches!(*arg, "-c" | "-e" | "-m" | "-s"));
                let script = script.filter(|_| !has_code)?;
                self.missing_script(sheet, script)
            }
            _ if program.contains('/') => self.missing_script(sheet, program),
            _ => None,
        }
    }

    /// A program of this project that is run by its path.
    fn missing_script(&mut self, sheet: &Sheet<'_>, path: &str) -> Option<String> {
        let kinds = [
            ".sh", ".bash", ".zsh", ".fish", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl",
            ".ps1",
        ];
        let is_script = kinds.iter().any(|kind| path.ends_with(kind)) && is_own_name(path);
        let is_missing =
            is_script && path_shape::is_plain(path) && self.project.misses(&sheet.page.dir(), path);
        is_missing.then(|| format!("`{path}` does not exist"))
    }
}

/// Names that people give to a script that nobody has.
fn is_own_name(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    !matches!(
        stem,
        "script" | "test" | "main" | "app" | "server" | "index" | "program" | "hello"
    ) || path.contains('/')
}
