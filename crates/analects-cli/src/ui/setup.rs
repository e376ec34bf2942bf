//! Setup as people see it.

use std::io::{self, Write};

use analects_engine::verbs::setup::{HostState, Target, Wired};
use analects_text::sanitize;

use super::{Human, Screen, pad};

impl Human for Wired {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        if self.host == Target::Status {
            return show_status(out, &self.hosts);
        }
        for file in &self.files {
            write!(out, "{}", sanitize::for_terminal(&file.diff))?;
        }
        let is_same = self.files.iter().all(|file| file.state == "unchanged");
        match (is_same, self.written, self.is_undone) {
            (true, false, false) => writeln!(out, "Everything is wired already.")?,
            (true, false, true) => writeln!(out, "There is nothing of ours to take out.")?,
            (_, false, _) => writeln!(out, "Nothing was written: this was a dry run.")?,
            _ => {
                for file in &self.files {
                    let path = screen.short(&file.path, None);
                    writeln!(out, "{}  {path}", pad(&file.state, "unchanged".len()))?;
                }
            }
        }
        for note in &self.notes {
            writeln!(out, "note: {}", sanitize::one_line(note))?;
        }
        Ok(())
    }
}

fn show_status(out: &mut dyn Write, hosts: &[HostState]) -> io::Result<()> {
    for host in hosts {
        let name = pad(&host.host, "gemini".len());
        let scope = pad(&host.scope, "project".len());
        writeln!(out, "{name}  {scope}  {}", summary(host))?;
        if let Some(problem) = &host.problem {
            writeln!(out, "  {}", sanitize::one_line(problem))?;
        }
        if is_any(host, "stale") {
            let scope = if host.scope == "project" {
                " --scope project"
            } else {
                ""
            };
            writeln!(
                out,
                "  `analects setup {}{scope}` brings it up to date",
                host.host
            )?;
        }
    }
    Ok(())
}

fn summary(host: &HostState) -> String {
    let n_hooks = |state: &str| host.hooks.iter().filter(|hook| hook.state == state).count();
    if !is_any(host, "wired") && !is_any(host, "stale") {
        return "not wired".to_owned();
    }
    let mut parts = vec![format!("server {}", host.mcp)];
    for state in ["wired", "stale", "absent"] {
        match n_hooks(state) {
            0 => {}
            1 => parts.push(format!("1 hook {state}")),
            n => parts.push(format!("{n} hooks {state}")),
        }
    }
    match host.answers {
        Some(true) => parts.push("answers".to_owned()),
        Some(false) => parts.push("does not answer".to_owned()),
        None => {}
    }
    parts.join(", ")
}

fn is_any(host: &HostState, state: &str) -> bool {
    host.mcp == state || host.hooks.iter().any(|hook| hook.state == state)
}
