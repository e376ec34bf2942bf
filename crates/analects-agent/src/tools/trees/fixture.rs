//! A bench over a tree in memory. The workspace is `/ws`, its working directory too; `/else` belongs to it.

use analects_testkit::{FakeFiles, FakeSearch, Fixture};
use analects_world::{AbsPath, Cancel, Profile};

use crate::tools::{Bench, Output, Refusal, Workspace};

/// Calls a tool on a tree in the notation of fixtures; shows what the model reads, or why not.
pub(crate) fn call(
    tree: Fixture,
    tool: impl FnOnce(&Bench<'_>) -> Result<Output, Refusal>,
) -> String {
    let mut files = FakeFiles::new(&tree);
    // Written in 1970, but for what says otherwise in its name.
    for (path, _) in &tree.entries {
        let hours = path
            .split("-hour")
            .next()
            .and_then(|path| path.rsplit('/').next());
        if let Some(hours) = hours.and_then(|hours| hours.parse::<u64>().ok()) {
            files.date(&abs(path), NOW_MS - hours * 3_600_000);
        }
    }
    on(&files, &Cancel::new(), tool)
}

/// Calls a tool on a disk.
pub(crate) fn on(
    files: &FakeFiles,
    cancel: &Cancel,
    tool: impl FnOnce(&Bench<'_>) -> Result<Output, Refusal>,
) -> String {
    let workspace = Workspace {
        cwd: abs("/ws"),
        roots: vec![abs("/ws"), abs("/else")],
        readable: Vec::new(),
        writable: Vec::new(),
        scope: None,
    };
    let bench = Bench {
        files,
        search: &FakeSearch::new(files),
        workspace: &workspace,
        ignore_files: &[abs("/ws/.geminiignore")],
        heeds_git: true,
        measures: analects_chat::reading::Measures::USUAL,
        profile: Profile::Analects,
        cancel,
    };
    match tool(&bench) {
        Ok(output) => {
            let touched: Vec<_> = output.touched.iter().map(AbsPath::as_str).collect();
            format!("{}\n= {} {touched:?}\n", output.text, output.shown)
        }
        Err(refusal) => format!("{}: {}\n", refusal.kind.as_str(), refusal.message),
    }
}

/// What time it is.
pub(crate) const NOW_MS: u64 = 1_000_000_000_000;

fn abs(path: &str) -> AbsPath {
    AbsPath::new(path).unwrap()
}
