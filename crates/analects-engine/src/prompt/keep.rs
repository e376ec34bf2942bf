//! Writing the finished prompt to a file, where `GEMINI_WRITE_SYSTEM_MD` asks for it.

use analects_memory::discover::Trust;
use analects_world::AbsPath;
use analects_world::changes::{Change, Changes};
use analects_world::files::Files;

use super::{Prompt, custom};
use crate::World;
use crate::load_memory::Prepared;
use crate::verbs::{Failure, Flags};
use crate::write;

/// Writes the prompt where it is wanted, through the commit point; says where that was.
pub fn keep(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    prompt: &Prompt,
) -> Result<Option<AbsPath>, Failure> {
    let Some(path) = &prompt.write_to else {
        return Ok(None);
    };
    // A folder that may not speak could have laid a link there.
    let is_trusted = prepared.decision.trust == Trust::Trusted;
    if !is_trusted && custom::is_projects(world, prepared, path) {
        let message = format!("will not write the prompt to `{path}`: this folder is not trusted");
        return Err(Failure::failed(message)
            .hint("unset `GEMINI_WRITE_SYSTEM_MD`, or name a file elsewhere"));
    }
    let mut plan = |files: &dyn Files| {
        let old = write::text_of(files, path)?;
        let is_same = old.as_deref() == Some(prompt.system.as_str());
        let old = old.as_deref().map(str::as_bytes);
        let change = Change::new(path, old, Some(prompt.system.clone().into_bytes()));
        let changed = if is_same { Vec::new() } else { vec![change] };
        let changed = write::hold(world, files, &prepared.root, changed)?;
        Ok(Changes::new("prompt", "GEMINI_WRITE_SYSTEM_MD", changed))
    };
    let written = write::write(world, flags, &[], &mut plan)?;
    Ok(written.receipt.is_some().then(|| path.clone()))
}
