//! What a server offers and answers, read from whatever it said, within bounds.

use analects_world::servers::{Answer, Offer, Offered, Piece, Trouble};
use serde_json::{Map, Value};

/// How many tools of a server are taken.
const MAX_TOOLS: usize = 128;
/// A longer name is none.
const MAX_NAME_BYTES: usize = 256;
/// How much is taken of a description.
const MAX_DESCRIPTION_BYTES: usize = 16 << 10;
/// A tool whose schema is longer is left out.
const MAX_SCHEMA_BYTES: usize = 64 << 10;
/// How much is taken of instructions.
const MAX_INSTRUCTIONS_BYTES: usize = 64 << 10;
/// How many things said about a tool are taken.
const MAX_ANNOTATIONS: usize = 16;
/// How many pieces of an answer are taken.
const MAX_PIECES: usize = 256;
/// How much is taken of the words of an answer.
const MAX_WORDS_BYTES: usize = 4 << 20;

/// An offer without tools yet.
pub(super) fn offer(instructions: &str) -> Offer {
    let mut instructions = instructions.to_owned();
    let is_cut = cut(&mut instructions, MAX_INSTRUCTIONS_BYTES);
    Offer {
        instructions,
        tools: Vec::new(),
        is_cut,
    }
}

/// Takes a page of tools in, and answers where the next one is.
pub(super) fn page(result: Value, offer: &mut Offer) -> Result<Option<String>, Trouble> {
    let nonsense = || Trouble::Nonsense("its list of tools is none".to_owned());
    let Value::Object(mut result) = result else {
        return Err(nonsense());
    };
    let Some(Value::Array(tools)) = result.remove("tools") else {
        return Err(nonsense());
    };
    for tool in tools {
        match offered(tool) {
            Some(tool) if offer.tools.len() < MAX_TOOLS => offer.tools.push(tool),
            // One that is no tool is not missed; one for which there is no room is.
            Some(_) => {
                offer.is_cut = true;
                break;
            }
            None => offer.is_cut = true,
        }
    }
    let next = result.remove("nextCursor");
    Ok(next.and_then(|next| Some(next.as_str()?.to_owned())))
}

fn offered(tool: Value) -> Option<Offered> {
    let Value::Object(mut tool) = tool else {
        return None;
    };
    let name = tool.get("name")?.as_str()?.to_owned();
    if name.is_empty() || name.len() > MAX_NAME_BYTES {
        return None;
    }
    let schema = tool.remove("inputSchema").unwrap_or_default();
    if schema.to_string().len() > MAX_SCHEMA_BYTES {
        return None;
    }
    let description = tool.get("description").and_then(Value::as_str);
    let mut description = description.unwrap_or_default().to_owned();
    cut(&mut description, MAX_DESCRIPTION_BYTES);
    let annotations = match tool.remove("annotations") {
        Some(Value::Object(all)) => all
            .into_iter()
            .filter(is_plain)
            .take(MAX_ANNOTATIONS)
            .collect(),
        _ => Map::new(),
    };
    Some(Offered {
        name,
        description,
        schema,
        annotations,
    })
}

fn is_plain((name, value): &(String, Value)) -> bool {
    let is_short = |text: &str| text.len() <= MAX_NAME_BYTES;
    is_short(name)
        && match value {
            Value::Bool(_) | Value::Number(_) => true,
            Value::String(text) => is_short(text),
            Value::Null | Value::Array(_) | Value::Object(_) => false,
        }
}

/// What a tool answered.
pub(super) fn answer(result: Value) -> Result<Answer, Trouble> {
    let Value::Object(mut result) = result else {
        return Err(Trouble::Nonsense("its answer is none".to_owned()));
    };
    // The original takes the word for it, too.
    let is_error = match result.get("isError") {
        Some(Value::Bool(is_error)) => *is_error,
        Some(Value::String(word)) => word == "true",
        _ => false,
    };
    let mut answer = Answer {
        is_error,
        ..Answer::default()
    };
    let content = match result.remove("content") {
        Some(Value::Array(content)) => content,
        Some(Value::String(words)) => vec![serde_json::json!({ "type": "text", "text": words })],
        _ => Vec::new(),
    };
    let mut n_left = MAX_WORDS_BYTES;
    for block in content {
        if answer.pieces.len() >= MAX_PIECES {
            answer.is_cut = true;
            break;
        }
        take(piece(&block), &mut answer, &mut n_left);
    }
    // Who answers in a form only, has said nothing else.
    if answer.pieces.is_empty()
        && let Some(form) = result
            .remove("structuredContent")
            .filter(|form| !form.is_null())
    {
        take(
            Some(Piece::Text(form.to_string())),
            &mut answer,
            &mut n_left,
        );
    }
    Ok(answer)
}

fn take(piece: Option<Piece>, answer: &mut Answer, n_left: &mut usize) {
    match piece {
        Some(Piece::Text(mut words)) => {
            answer.is_cut |= cut(&mut words, *n_left);
            *n_left -= words.len();
            answer.pieces.push(Piece::Text(words));
        }
        Some(media @ Piece::Media { .. }) => answer.pieces.push(media),
        None => answer.is_cut = true,
    }
}

fn piece(block: &Value) -> Option<Piece> {
    let text = |from: &Value, name: &str| Some(from.get(name)?.as_str()?.to_owned());
    let media = |from: &Value, data: &str| {
        let mime = text(from, "mimeType").filter(|mime| mime.len() <= MAX_NAME_BYTES);
        Some(Piece::Media {
            mime: mime.unwrap_or_else(|| "application/octet-stream".to_owned()),
            data: text(from, data)?,
        })
    };
    match block.get("type")?.as_str()? {
        "text" => text(block, "text").map(Piece::Text),
        "image" | "audio" => media(block, "data"),
        "resource" => {
            let resource = block.get("resource")?;
            let words = text(resource, "text").map(Piece::Text);
            words.or_else(|| media(resource, "blob"))
        }
        "resource_link" => {
            let name = text(block, "title").or_else(|| text(block, "name"));
            let uri = text(block, "uri")?;
            let name = name.unwrap_or_default();
            Some(Piece::Text(format!("Resource link: {name} at {uri}")))
        }
        _ => None,
    }
}

/// Cuts a text, and answers whether that was needed.
fn cut(text: &mut String, limit_bytes: usize) -> bool {
    let is_long = text.len() > limit_bytes;
    if is_long {
        text.truncate(text.floor_char_boundary(limit_bytes));
    }
    is_long
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tools(page_of: Value) -> Offer {
        let mut offer = offer("");
        page(page_of, &mut offer).unwrap();
        offer
    }

    #[test]
    fn one_bad_tool_does_not_cost_the_others() {
        let offer = tools(json!({"tools": [
            {"name": "good", "description": "d", "inputSchema": {"type": "object"},
             "annotations": {"readOnlyHint": true, "evil": {"a": []}}},
            {"name": 7}, {"name": ""}, "x", null,
            {"name": "huge", "inputSchema": {"x": "y".repeat(MAX_SCHEMA_BYTES)}},
            {"name": "lies", "inputSchema": "string"},
            {"name": "long", "description": "é".repeat(MAX_DESCRIPTION_BYTES)},
        ]}));
        let names: Vec<_> = offer.tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(names, ["good", "lies", "long"]);
        assert!(offer.is_cut);
        assert_eq!(offer.tools[0].annotations.len(), 1);
        assert_eq!(offer.tools[1].schema, json!("string"));
        assert!(offer.tools[2].description.len() <= MAX_DESCRIPTION_BYTES);
    }

    #[test]
    fn there_are_never_too_many_tools() {
        let tool = |n: usize| json!({"name": format!("t{n}"), "inputSchema": {}});
        let offer = tools(json!({"tools": (0..500).map(tool).collect::<Vec<_>>()}));
        assert_eq!(offer.tools.len(), MAX_TOOLS);
        assert!(offer.is_cut);
        for none in [json!(null), json!({}), json!({"tools": {}}), json!([])] {
            assert!(page(none, &mut super::offer("")).is_err());
        }
    }

    #[test]
    fn an_answer_is_taken_piece_by_piece() {
        let answer = answer(json!({"isError": "true", "content": [
            {"type": "text", "text": "a"},
            {"type": "image", "mimeType": "image/png", "data": "AA=="},
            {"type": "resource", "resource": {"uri": "x:y", "text": "b"}},
            {"type": "resource", "resource": {"uri": "x:y", "blob": "AA=="}},
            {"type": "resource_link", "uri": "x:y", "name": "n"},
            {"type": "dance"}, {"type": "text"}, 7,
        ]}))
        .unwrap();
        let media = |mime: &str| Piece::Media {
            mime: mime.to_owned(),
            data: "AA==".to_owned(),
        };
        let expected = [
            Piece::Text("a".to_owned()),
            media("image/png"),
            Piece::Text("b".to_owned()),
            media("application/octet-stream"),
            Piece::Text("Resource link: n at x:y".to_owned()),
        ];
        assert_eq!(answer.pieces, expected);
        assert!(answer.is_error && answer.is_cut);
    }

    #[test]
    fn a_form_is_told_if_nothing_else_is() {
        let form = json!({"structuredContent": {"a": 1}, "content": []});
        let text = |piece: &str| vec![Piece::Text(piece.to_owned())];
        assert_eq!(answer(form).unwrap().pieces, text(r#"{"a":1}"#));
        let both =
            json!({"structuredContent": {"a": 1}, "content": [{"type": "text", "text": "x"}]});
        assert_eq!(answer(both).unwrap().pieces, text("x"));
        assert_eq!(answer(json!({})).unwrap(), Answer::default());
        assert!(answer(json!("x")).is_err());
    }

    #[test]
    fn a_long_answer_is_cut() {
        let long = json!({"type": "text", "text": "é".repeat(MAX_WORDS_BYTES / 3)});
        let answer = answer(json!({"content": [long, long, long]})).unwrap();
        let n_bytes = answer.pieces.iter().map(|piece| match piece {
            Piece::Text(text) => text.len(),
            Piece::Media { .. } => 0,
        });
        assert!(n_bytes.sum::<usize>() <= MAX_WORDS_BYTES);
        assert!(answer.is_cut);
        let block = json!({"type": "text", "text": "x"});
        let many = super::answer(json!({"content": vec![block; 1_000]})).unwrap();
        assert_eq!(many.pieces.len(), MAX_PIECES);
        assert!(many.is_cut);
    }
}
