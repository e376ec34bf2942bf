//! Values as TOML writes them: in one line, or as tables with headers.

use crate::json_edit::{Json, Step, quoted};

/// Whether a value is written as tables with headers.
pub(super) fn is_section(value: &Json) -> bool {
    match value {
        Json::Object(_) => true,
        Json::List(values) => {
            !values.is_empty() && values.iter().all(|value| matches!(value, Json::Object(_)))
        }
        Json::Text(_) | Json::Number(_) | Json::Flag(_) => false,
    }
}

/// The value in one line.
pub(super) fn in_line(value: &Json) -> String {
    match value {
        Json::Text(text) => quoted(text),
        Json::Number(number) => number.to_string(),
        Json::Flag(flag) => flag.to_string(),
        Json::List(values) => {
            let values: Vec<_> = values.iter().map(in_line).collect();
            format!("[{}]", values.join(", "))
        }
        Json::Object(members) if members.is_empty() => "{}".to_owned(),
        Json::Object(members) => {
            let members: Vec<_> = members.iter().map(line).collect();
            format!("{{ {} }}", members.join(", "))
        }
    }
}

/// A name, between quotes if it needs them.
pub(super) fn key(name: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if !name.is_empty() && name.bytes().all(is_bare) {
        name.to_owned()
    } else {
        quoted(name)
    }
}

/// The tables that say `value` at `path`, as blocks of lines; a path through an element has no header.
pub(super) fn blocks(path: &[Step<'_>], value: &Json) -> Option<Vec<Vec<String>>> {
    let name = |step: &Step<'_>| match step {
        Step::Key(name) => Some(key(name)),
        Step::At(_) => None,
    };
    let names: Option<Vec<_>> = path.iter().map(name).collect();
    let names = names?.join(".");
    if names.is_empty() || !is_section(value) {
        return None;
    }
    let mut blocks = Vec::new();
    tables(&names, value, &mut blocks);
    Some(blocks)
}

/// Every table in a block of its own; those inside an element stand with it.
fn tables(names: &str, value: &Json, blocks: &mut Vec<Vec<String>>) {
    match value {
        Json::Object(members) => {
            let lines: Vec<_> = members
                .iter()
                .filter(|(_, value)| !is_section(value))
                .map(line)
                .collect();
            if !lines.is_empty() || members.is_empty() {
                let header = format!("[{names}]");
                blocks.push(std::iter::once(header).chain(lines).collect());
            }
            for (name, value) in members.iter().filter(|(_, value)| is_section(value)) {
                tables(&format!("{names}.{}", key(name)), value, blocks);
            }
        }
        Json::List(values) => {
            for value in values {
                let mut block = Vec::new();
                element(names, value, &mut block);
                blocks.push(block);
            }
        }
        Json::Text(_) | Json::Number(_) | Json::Flag(_) => {}
    }
}

fn element(names: &str, value: &Json, block: &mut Vec<String>) {
    let Json::Object(members) = value else {
        return;
    };
    block.push(format!("[[{names}]]"));
    let plain = members.iter().filter(|(_, value)| !is_section(value));
    block.extend(plain.map(line));
    for (name, value) in members.iter().filter(|(_, value)| is_section(value)) {
        let names = format!("{names}.{}", key(name));
        match value {
            Json::List(values) => {
                for value in values {
                    element(&names, value, block);
                }
            }
            _ => block.extend(tables_of(&names, value)),
        }
    }
}

fn tables_of(names: &str, value: &Json) -> Vec<String> {
    let mut blocks = Vec::new();
    tables(names, value, &mut blocks);
    blocks.concat()
}

fn line((name, value): &(String, Json)) -> String {
    format!("{} = {}", key(name), in_line(value))
}
