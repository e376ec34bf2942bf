//! Turns of a conversation without its secrets, for whoever makes something new of them.

use analects_session::transcript::{Transcript, Turn};
use analects_world::model::{Body, Content, Part};
use serde_json::{Map, Value};

use crate::secrets::Guarded;

/// The same turns without secrets.
pub(crate) fn masked(turns: &[Content], guarded: &Guarded<'_>) -> Vec<Content> {
    let mut turns = turns.to_vec();
    turns.iter_mut().for_each(|turn| mask(turn, guarded));
    turns
}

/// Takes the secrets out of a turn. Media are not looked into.
pub(super) fn mask(turn: &mut Content, guarded: &Guarded<'_>) {
    for part in &mut turn.parts {
        mask_part(part, guarded);
    }
}

/// Parts stand in responses, and no deeper than a record's parser goes.
fn mask_part(part: &mut Part, guarded: &Guarded<'_>) {
    mask_fields(&mut part.rest, guarded);
    match &mut part.body {
        Body::Text(text) => *text = guarded.mask(text),
        Body::Call(call) => {
            guarded.mask_json(&mut call.args);
            mask_fields(&mut call.rest, guarded);
        }
        Body::Response(response) => {
            guarded.mask_json(&mut response.response);
            mask_fields(&mut response.rest, guarded);
            for part in &mut response.parts {
                mask_part(part, guarded);
            }
        }
        Body::Media(_) | Body::Other => {}
    }
}

/// Fields that we do not know, but for signatures: those must come back as they were, and are nobody's secret.
fn mask_fields(fields: &mut Map<String, Value>, guarded: &Guarded<'_>) {
    let unsigned = |name: &str| name != "thoughtSignature";
    let fields = fields.iter_mut().filter(|(name, _)| unsigned(name));
    fields.for_each(|(_, value)| guarded.mask_json(value));
}

/// Takes the secrets out of a transcript, before any part of it is cut out: half of a token is not
/// recognised any more.
pub(crate) fn mask_transcript(transcript: &mut Transcript, guarded: &Guarded<'_>) {
    if let Some(title) = &mut transcript.head.title {
        *title = guarded.mask(title);
    }
    let turns = transcript.turns.iter_mut();
    turns.for_each(|turn| mask_turn(turn, guarded));
}

/// Takes the secrets out of one turn of a transcript.
pub(super) fn mask_turn(turn: &mut Turn, guarded: &Guarded<'_>) {
    turn.text = guarded.mask(&turn.text);
    for attached in &mut turn.attached {
        attached.text = guarded.mask(&attached.text);
    }
    for tool in &mut turn.tools {
        tool.input = guarded.mask(&tool.input);
        tool.output = guarded.mask(&tool.output);
        for path in &mut tool.paths {
            *path = guarded.mask(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use analects_session::transcript::{AttachedText, Outcome, ToolUse};
    use analects_world::model::Role;
    use analects_world::provenance::Author;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_secret_is_masked_wherever_it_stands_and_a_signature_is_left() {
        let secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
        let mut response = Part::response("1", "t", json!({ secret: [secret] }));
        if let Body::Response(response) = &mut response.body {
            response.parts = vec![Part::text(secret)];
            response.rest = Map::from_iter([("more".to_owned(), json!(secret))]);
        }
        let mut code = Part::new(Body::Other);
        code.rest = Map::from_iter([("executableCode".to_owned(), json!({ "code": secret }))]);
        let mut signed = Part::call("1", "t", json!({ secret: secret }));
        let signature = Map::from_iter([("thoughtSignature".to_owned(), json!(secret))]);
        signed.rest.clone_from(&signature);
        let mut turn = Content::text("1", Role::Model, secret);
        turn.parts.extend([response, code, signed]);
        mask(&mut turn, &Guarded { allowed: &[] });
        assert_eq!(turn.parts[3].rest, signature);
        turn.parts[3].rest.clear();
        let shown = format!("{turn:?}");
        assert!(!shown.contains(secret), "{shown}");
        assert_eq!(shown.matches("[redacted").count(), 8, "{shown}");
    }

    #[test]
    fn a_secret_in_any_text_of_a_turn_is_masked() {
        let secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
        let mut turn = Turn {
            id: "1".to_owned(),
            at: None,
            role: analects_session::transcript::Role::User,
            text: secret.to_owned(),
            attached: vec![AttachedText {
                author: Author::File,
                text: secret.to_owned(),
            }],
            tools: vec![ToolUse {
                name: "t".to_owned(),
                input: secret.to_owned(),
                output: secret.to_owned(),
                outcome: Outcome::Unknown,
                paths: vec![secret.to_owned()],
            }],
            span: 0..0,
        };
        mask_turn(&mut turn, &Guarded { allowed: &[] });
        let shown = format!("{turn:?}");
        assert!(!shown.contains(secret), "{shown}");
        assert_eq!(shown.matches("[redacted").count(), 5, "{shown}");
    }
}
