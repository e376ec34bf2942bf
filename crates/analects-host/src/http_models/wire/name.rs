//! Ids of calls and names of tools, as strict servers want them.
//!
//! Letters, digits, `_` and `-`, and not too long: OpenAI takes 40 characters of an id and 64 of a name, and
//! Anthropic takes no other characters. What is fine stays as it is, so that a prefix of a conversation stays
//! the same from one request to the next, which is what caches look for.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use analects_world::model::{Body, Part};
use analects_world::models::{Event, Tool, Wire};

use crate::fnv;

const MAX_ID: usize = 40;
const MAX_NAME: usize = 64;

/// Gives every call of a request an id that no other call has.
#[derive(Debug, Default)]
pub(super) struct Ids {
    used: HashSet<String>,
    tries: HashMap<String, u32>,
    n_invented: u32,
}

impl Ids {
    /// The id of the next call: its own where a server takes it, else one made from it or from its place.
    pub(super) fn next(&mut self, own: Option<&str>) -> String {
        let wanted = match own.filter(|id| !id.is_empty()) {
            Some(id) => legal(id, MAX_ID).into_owned(),
            None => {
                self.n_invented += 1;
                format!("call_{}", self.n_invented)
            }
        };
        let id = if self.used.contains(&wanted) {
            self.another(&wanted)
        } else {
            wanted
        };
        self.used.insert(id.clone());
        id
    }

    fn another(&mut self, wanted: &str) -> String {
        // Room for `_` and the digits of any number.
        let stem: String = wanted.chars().take(MAX_ID - 11).collect();
        let tries = self.tries.entry(stem.clone()).or_insert(1);
        loop {
            *tries += 1;
            let id = format!("{stem}_{tries}");
            if !self.used.contains(&id) {
                return id;
            }
        }
    }
}

/// The name of a tool as a server takes it.
pub(super) fn tool(name: &str) -> Cow<'_, str> {
    legal(if name.is_empty() { "tool" } else { name }, MAX_NAME)
}

/// The same for Gemini, which takes dots and colons too, but no digit or dash in the first place.
pub(super) fn gemini_tool(name: &str) -> Cow<'_, str> {
    let is_fine = |b: u8| is_legal(b) || matches!(b, b'.' | b':');
    let begins = |name: &str| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    match tool(name) {
        _ if begins(name) && name.len() <= MAX_NAME && name.bytes().all(is_fine) => name.into(),
        legal if begins(&legal) => legal,
        legal => {
            let stem: String = legal.chars().take(MAX_NAME - 1).collect();
            format!("_{stem}").into()
        }
    }
}

/// Tools that a server knows by another name than we do.
#[derive(Debug, Default)]
pub(in crate::http_models) struct Names(HashMap<String, String>);

impl Names {
    /// The tools of a request whose names this wire does not take as they are.
    pub(in crate::http_models) fn new(wire: Wire, tools: &[Tool]) -> Self {
        let told = match wire {
            Wire::Gemini => gemini_tool,
            Wire::OpenAi | Wire::Anthropic => tool,
        };
        let other = tools.iter().filter_map(|tool| match told(&tool.name) {
            Cow::Borrowed(name) if name == tool.name => None,
            name => Some((name.into_owned(), tool.name.clone())),
        });
        Self(other.collect())
    }

    /// Gives a call the name that its tool has here.
    pub(in crate::http_models) fn restore(&self, event: &mut Event) {
        if let Event::Part(Part {
            body: Body::Call(call),
            ..
        }) = event
            && let Some(name) = self.0.get(&call.name)
        {
            call.name.clone_from(name);
        }
    }
}

/// The text, if it is legal; else what is legal of it, and a hash that tells it from others of the like.
fn legal(text: &str, max: usize) -> Cow<'_, str> {
    if text.len() <= max && text.bytes().all(is_legal) {
        return Cow::Borrowed(text);
    }
    let stem = text
        .bytes()
        .map(|b| if is_legal(b) { b as char } else { '_' });
    let stem: String = stem.take(max - 17).collect();
    let hash = fnv::add(fnv::START, text.as_bytes());
    Cow::Owned(format!("{stem}_{hash:016x}"))
}

fn is_legal(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'-'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_stays_unless_a_server_would_refuse_it() {
        let mut ids = Ids::default();
        assert_eq!(ids.next(Some("toolu_01-A")), "toolu_01-A");
        assert_eq!(ids.next(None), "call_1");
        assert_eq!(ids.next(Some("toolu_01-A")), "toolu_01-A_2");
        assert_eq!(ids.next(Some("toolu_01-A_2")), "toolu_01-A_2_2");
        let strange = ids.next(Some("list.files:1 é"));
        let other = ids.next(Some("list.files:1 è"));
        assert!(strange.starts_with("list_files_1___"), "{strange}");
        assert_ne!(strange, other);
        let long = ids.next(Some(&"a".repeat(41)));
        assert_eq!(long.len(), MAX_ID);
        assert!(ids.next(Some(&"a".repeat(41))).len() <= MAX_ID);
    }

    #[test]
    fn gemini_takes_more_characters_but_not_at_the_beginning() {
        assert_eq!(gemini_tool("mcp.server:read-file"), "mcp.server:read-file");
        for name in ["1st", "-x", "ü", "", &"1".repeat(100), &"x".repeat(100)] {
            let told = gemini_tool(name);
            assert!(
                told.len() <= MAX_NAME && told.bytes().all(is_legal),
                "{told}"
            );
            assert!(
                told.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'),
                "{told}"
            );
        }
    }

    #[test]
    fn a_tool_is_called_by_its_name_and_never_by_nothing() {
        assert_eq!(tool("mcp_server_read-file"), "mcp_server_read-file");
        assert_eq!(tool(""), "tool");
        assert!(tool("a.b").starts_with("a_b_"));
        assert!(tool(&"x".repeat(100)).len() <= MAX_NAME);
    }
}
