//! TOML as anybody might have written it.

use proptest::prelude::*;

use super::noise::{Noise, bytes, check_laws};
use super::*;
use crate::setup::wanted::Format;

/// Lines of a file: bare keys first, then tables, in any order that can be parsed.
fn file(bytes: Vec<u8>) -> String {
    let mut noise = Noise::new(bytes);
    let newline = if noise.flip() { "\r\n" } else { "\n" };
    let mut lines: Vec<String> = Vec::new();
    let roots = [
        "model = \"m\"",
        "x.y = [1,\n  2, # [\n]",
        "'é' = '''\n[no]\n'''",
        "x.z = {}",
    ];
    for line in roots {
        if noise.flip() {
            lines.push(line.to_owned());
        }
    }
    let servers = noise.below(6);
    match servers {
        1 => lines.push("mcp_servers = { }".to_owned()),
        2 => lines.push("mcp_servers = { a = { command = 'x' }, \"b c\" = {} }".to_owned()),
        3 => lines.push("mcp_servers.a.command = 'x'".to_owned()),
        _ => {}
    }
    let mut tables = vec![
        "[features]\nx = true",
        "[t.\"u.v\"]\n\n[[t.w]]\nn = 1\n[[t.w]]",
    ];
    if servers == 4 {
        tables.push("[mcp_servers]\na = { url = 'http://x' }\nb.command = 'y'");
    } else if servers == 5 {
        tables.push("[mcp_servers.a]\ncommand = 'x' # [\n[mcp_servers.a.env]\nK = 'v'");
    }
    match noise.below(5) {
        1 => tables.push("[[hooks.SessionStart]]\nmatcher = 'x'\n[[hooks.SessionStart.hooks]]\ncommand = 'date'\n[[hooks.SessionStart.hooks]]\ncommand = 'borg hook codex X'"),
        2 => tables.push("[hooks]\nSessionStart = [{ hooks = [{ command = 'date' }] }]\nStop = []"),
        3 => tables.push("[hooks]\nPostToolUse = [\n  { hooks = [ { command = 'date' } ] }, # last\n]"),
        4 => tables.push("[hooks.state.\"k:0:0\"]\ntrusted_hash = 'x'"),
        _ => {}
    }
    let n_tables = tables.len();
    tables.rotate_left(noise.below(n_tables));
    for table in tables {
        if noise.below(5) > 0 {
            lines.push(table.to_owned());
        }
    }
    let mut text = String::new();
    if noise.below(8) == 7 {
        text.push('\u{FEFF}');
    }
    for block in lines {
        match noise.below(5) {
            0 => text.push('\n'),
            1 => writeln!(text, "# {}", noise.remark()).unwrap(),
            2 => write!(text, "  \n\t# {}\n\n", noise.remark()).unwrap(),
            _ => {}
        }
        text.push_str(&block);
        if noise.flip() {
            write!(text, " # {}", noise.remark()).unwrap();
        }
        text.push('\n');
    }
    match noise.below(4) {
        0 => text.truncate(text.trim_end().len()),
        1 => write!(text, "\n# {}", noise.remark()).unwrap(),
        2 => text.push_str("\n\n"),
        _ => {}
    }
    text.replace('\n', newline)
}

/// What another program might do to a file that is wired.
fn edit(text: &str, way: u8) -> String {
    match way % 4 {
        0 => format!("{text}\n"),
        1 => format!("{text}\n[new]\nx = 1\n"),
        2 => format!("{text}\n[mcp_servers.analects.tools.t]\nmode = 1\n\n[new]\n"),
        _ => format!("{text}# remark-new;\n[new.table]"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn any_toml_keeps_its_bytes(bytes in bytes(), way in any::<u8>()) {
        let before = file(bytes);
        let path = "/h/.codex/config.toml";
        check_laws(Agent::Codex, Format::Toml, path, &before, |text| {
            // A table between braces cannot be extended from outside.
            let way = if text.contains("mcp_servers = {") { way % 2 } else { way };
            edit(text, way)
        });
    }
}
