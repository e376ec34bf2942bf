//! What a host says about an event: one JSON object, of which we want a handful of members.

use std::collections::BTreeMap;
use std::fmt;

use analects_world::changes::ContentHash;
use analects_world::{AbsPath, Agent};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::surrogates;
use crate::World;
use crate::sessions::{self, Stored};
use crate::verbs::Failure;

/// An event, whoever it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// A session starts, goes on, or was compacted.
    SessionStart,
    /// A prompt is about to go to the model.
    BeforeAgent,
    /// A tool has run.
    AfterTool,
    /// A conversation is about to be compacted.
    PreCompact,
    /// A session is over.
    SessionEnd,
    /// Something that we hear of and have nothing to say to.
    Other,
}

/// All spellings, without case and punctuation.
const EVENTS: [(&str, Event); 11] = [
    ("sessionstart", Event::SessionStart),
    ("beforeagent", Event::BeforeAgent),
    ("userpromptsubmit", Event::BeforeAgent),
    ("aftertool", Event::AfterTool),
    ("posttooluse", Event::AfterTool),
    ("precompact", Event::PreCompact),
    ("precompress", Event::PreCompact),
    ("postcompact", Event::Other),
    ("sessionend", Event::SessionEnd),
    ("afteragent", Event::Other),
    ("stop", Event::Other),
];

impl Event {
    /// Our word for it.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::SessionStart => "session-start",
            Self::BeforeAgent => "before-agent",
            Self::AfterTool => "after-tool",
            Self::PreCompact => "pre-compact",
            Self::SessionEnd => "session-end",
            Self::Other => "other",
        }
    }

    /// The event of this name, in any host's spelling or in ours.
    pub(super) fn named(name: &str) -> Option<Self> {
        let plain: String = name.chars().filter(|c| !matches!(c, '-' | '_')).collect();
        let plain = plain.to_lowercase();
        let found = EVENTS.iter().find(|(known, _)| *known == plain);
        found.map(|(_, event)| *event)
    }
}

/// What we want to know of an event.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Input {
    /// The conversation.
    pub(super) session: Option<String>,
    /// The sub-agent inside of it, which has a context of its own.
    pub(super) agent: Option<String>,
    /// Where the host works.
    pub(super) cwd: Option<String>,
    /// What happened.
    pub(super) event: Option<String>,
    /// Why a session starts.
    pub(super) source: Option<String>,
    /// The host's own record of the conversation.
    pub(super) transcript: Option<String>,
    /// Who wants a conversation to be compacted.
    pub(super) trigger: Option<String>,
    /// What the user wants to be kept then.
    pub(super) focus: Option<String>,
    /// What the user said.
    pub(super) prompt: Option<String>,
    /// The tool that ran.
    pub(super) tool: Option<String>,
    /// What it was asked to do.
    pub(super) tool_input: Value,
}

impl Input {
    /// A name for the files of ours that are about this conversation. A sub-agent has a context, and so
    /// files, of its own.
    pub(super) fn conversation(&self, host: Agent) -> Option<String> {
        let session = self.session.as_deref()?;
        let agent = self.agent.as_deref().unwrap_or_default();
        let name = ContentHash::of(format!("{session}\0{agent}").as_bytes()).short();
        Some(format!("{}-{name}", host.as_str()))
    }

    /// The host's own record of the conversation. Only one in the host's own place is one.
    pub(super) fn record(&self, world: &World<'_>, host: Agent) -> Result<Stored, Failure> {
        let path = self.transcript.as_deref();
        let path = path.and_then(|path| AbsPath::new(path).ok());
        let record = path.and_then(|path| sessions::at(world, host, &path));
        record.ok_or_else(|| Failure::bad_input("the host names no record of its own"))
    }
}

/// Reads the input; `None` if it is not one JSON object. A blank input says nothing, as `{}` does.
///
/// Of an input that was cut, the members that came before the cut count: it is the answer of a tool,
/// which stands last, that can be long.
pub(super) fn parse(bytes: &[u8], is_cut: bool) -> Option<Input> {
    let mut input = Input::default();
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Some(input);
    }
    let bytes = surrogates::replaced(bytes);
    let mut json = serde_json::Deserializer::from_slice(&bytes);
    let read = Members(&mut input)
        .deserialize(&mut json)
        .and_then(|()| json.end());
    match read {
        Ok(()) => Some(input),
        Err(error) if is_cut && error.is_eof() => Some(input),
        Err(_) => None,
    }
}

/// Fills in the members as they come, so that those before a cut are there.
struct Members<'a>(&'a mut Input);

impl<'de> DeserializeSeed<'de> for Members<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Members<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let input = self.0;
        while let Some(name) = map.next_key::<String>()? {
            let place = match name.as_str() {
                "session_id" => &mut input.session,
                "agent_id" => &mut input.agent,
                "cwd" => &mut input.cwd,
                "hook_event_name" => &mut input.event,
                "source" => &mut input.source,
                "transcript_path" => &mut input.transcript,
                "trigger" => &mut input.trigger,
                "custom_instructions" => &mut input.focus,
                "prompt" => &mut input.prompt,
                "tool_name" => &mut input.tool,
                "tool_input" => {
                    input.tool_input = members(map.next_value()?);
                    continue;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            *place = text(value(map.next_value()?));
        }
        Ok(())
    }
}

/// What can be read. A number beyond all bounds, or a depth that nobody needs, is JSON, too: it must not
/// cost us the members beside it.
fn value(json: &RawValue) -> Value {
    serde_json::from_str(json.get()).unwrap_or_default()
}

/// The members that can be read.
fn members(json: &RawValue) -> Value {
    match value(json) {
        Value::Null => {
            let members: BTreeMap<String, &RawValue> =
                serde_json::from_str(json.get()).unwrap_or_default();
            let members = members.into_iter();
            members.map(|(name, json)| (name, value(json))).collect()
        }
        read => read,
    }
}

/// A text that says something. A host that has nothing to say sends null or an empty one; anything else is
/// somebody else's member of the same name.
fn text(value: Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_spelling_of_an_event_is_understood() {
        for (name, event) in [
            ("SessionStart", Event::SessionStart),
            ("session-start", Event::SessionStart),
            ("SESSION_START", Event::SessionStart),
            ("BeforeAgent", Event::BeforeAgent),
            ("UserPromptSubmit", Event::BeforeAgent),
            ("before-agent", Event::BeforeAgent),
            ("AfterTool", Event::AfterTool),
            ("PostToolUse", Event::AfterTool),
            ("post_tool_use", Event::AfterTool),
            ("PreCompress", Event::PreCompact),
            ("pre-compact", Event::PreCompact),
            ("PostCompact", Event::Other),
            ("SessionEnd", Event::SessionEnd),
        ] {
            assert_eq!(Event::named(name), Some(event), "{name}");
        }
        assert_eq!(Event::named("BeforeTool"), None);
        assert_eq!(Event::named(""), None);
    }

    #[test]
    fn members_of_another_kind_are_as_good_as_none() {
        let input = parse(
            br#"{"session_id": 7, "prompt": ["x"], "cwd": "", "source": null}"#,
            false,
        );
        assert_eq!(input, Some(Input::default()));
    }

    #[test]
    fn what_is_no_object_is_no_input() {
        for text in [
            "[]",
            "3",
            "\"x\"",
            "{",
            "{} {}",
            "{\"cwd\": \"/w\", nonsense",
            "\u{feff}{}",
        ] {
            assert_eq!(parse(text.as_bytes(), false), None, "{text}");
        }
        assert_eq!(parse(b"\xFF\xFE", false), None);
        assert_eq!(parse(b" \n", false), Some(Input::default()));
    }

    #[test]
    fn of_a_cut_input_counts_what_came_before_the_cut() {
        let text =
            br#"{"cwd": "/w", "tool_input": {"file_path": "a"}, "tool_response": "and so on"#;
        assert_eq!(parse(text, false), None);
        let input = parse(text, true).unwrap();
        assert_eq!(input.cwd.as_deref(), Some("/w"));
        assert_eq!(input.tool_input["file_path"], "a");
    }

    #[test]
    fn depth_is_no_danger() {
        let deep = format!("{{\"tool_response\": {}", "[".repeat(200_000));
        assert_eq!(parse(deep.as_bytes(), false), None);
        let deep = format!("{{\"tool_input\": {}", "[".repeat(200_000));
        assert_eq!(parse(deep.as_bytes(), true), Some(Input::default()));
    }

    #[test]
    fn a_member_that_cannot_be_read_does_not_hide_the_others() {
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        let hosts = format!(
            r#"{{"cwd": "/w", "prompt": "cut \ud83d", "source": {deep}, "tool_input": {{"file_path": "a\udc00", "n": 1e999, "deep": {deep}}}}}"#
        );
        let input = parse(hosts.as_bytes(), false).unwrap();
        assert_eq!(input.cwd.as_deref(), Some("/w"));
        assert_eq!(input.prompt.as_deref(), Some("cut \u{fffd}"));
        assert_eq!(input.tool_input["file_path"], "a\u{fffd}");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_harm(bytes in prop::collection::vec(any::<u8>(), 0..200), cut in any::<bool>()) {
            let _ = parse(&bytes, cut);
        }
    }
}
