//! The fixed answers of the conformance suite's tools, resources and prompts.

use rmcp::model::{
    ContentBlock, GetPromptRequestParams, GetPromptResult, Prompt, PromptArgument, PromptMessage,
    ReadResourceResult, Resource, ResourceContents, ResourceTemplate, Role,
};
use serde_json::{Value, json};

/// One red pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/// No sound at all.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const TEXT: &str = "test://static-text";
const BINARY: &str = "test://static-binary";
const WATCHED: &str = "test://watched-resource";
const TEMPLATE: &str = "test://template/{id}/data";

pub(super) fn image() -> ContentBlock {
    ContentBlock::image(PNG, "image/png")
}

pub(super) fn audio() -> ContentBlock {
    ContentBlock::audio(WAV, "audio/wav")
}

pub(super) fn embedded() -> ContentBlock {
    let text = "This is an embedded resource content.";
    ContentBlock::resource(ResourceContents::text(text, "test://embedded-resource"))
}

pub(super) fn mixed() -> Vec<ContentBlock> {
    let data = json!({ "test": "data", "value": 123 }).to_string();
    let resource = ResourceContents::text(data, "test://mixed-content-resource");
    vec![
        ContentBlock::text("Multiple content types test:"),
        image(),
        ContentBlock::resource(resource.with_mime_type("application/json")),
    ]
}

pub(super) fn referring_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": { "address": {
            "type": "object",
            "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
        } },
        "properties": { "name": { "type": "string" }, "address": { "$ref": "#/$defs/address" } },
        "additionalProperties": false,
    })
}

pub(super) fn form() -> Value {
    json!({
        "type": "object",
        "properties": {
            "username": { "type": "string", "description": "User's response" },
            "email": { "type": "string", "description": "User's email address" },
        },
        "required": ["username", "email"],
    })
}

pub(super) fn form_with_defaults() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "default": "John Doe" },
            "age": { "type": "integer", "default": 30 },
            "score": { "type": "number", "default": 95.5 },
            "status": { "type": "string", "enum": ["active", "inactive", "pending"], "default": "active" },
            "verified": { "type": "boolean", "default": true },
        },
    })
}

pub(super) fn form_with_enums() -> Value {
    let plain = ["option1", "option2", "option3"];
    let titled = |word: &str| {
        let choice = |(n, name): (usize, &str)| json!({ "const": format!("value{n}"), "title": format!("{name} {word}") });
        [(1, "First"), (2, "Second"), (3, "Third")].map(choice)
    };
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": { "type": "string", "enum": plain },
            "titledSingle": { "type": "string", "oneOf": titled("Option") },
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": { "type": "array", "items": { "type": "string", "enum": plain } },
            "titledMulti": { "type": "array", "items": { "anyOf": titled("Choice") } },
        },
    })
}

/// Whether this is a resource of the suite.
pub(crate) fn knows(uri: &str) -> bool {
    uri == WATCHED || read(uri).is_some()
}

/// The resources of the suite.
pub(crate) fn resources() -> Vec<Resource> {
    let resource = |(uri, about, mime): (&str, &str, &str)| {
        let name = uri.trim_start_matches("test://");
        Resource::new(uri, name)
            .with_description(about)
            .with_mime_type(mime)
    };
    [
        (TEXT, "A text", "text/plain"),
        (BINARY, "An image", "image/png"),
        (WATCHED, "Something to subscribe to", "text/plain"),
    ]
    .map(resource)
    .into()
}

/// The resource templates of the suite.
pub(crate) fn resource_templates() -> Vec<ResourceTemplate> {
    let template = ResourceTemplate::new(TEMPLATE, "template");
    vec![
        template
            .with_description("Data of an id")
            .with_mime_type("application/json"),
    ]
}

/// A resource of the suite.
pub(crate) fn read(uri: &str) -> Option<ReadResourceResult> {
    let contents = match uri {
        TEXT => ResourceContents::text("This is the content of the static text resource.", uri),
        BINARY => ResourceContents::blob(PNG, uri).with_mime_type("image/png"),
        WATCHED => ResourceContents::text("Nothing changes here.", uri),
        other => {
            let id = other
                .strip_prefix("test://template/")?
                .strip_suffix("/data")?;
            let data =
                json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
            ResourceContents::text(data.to_string(), uri).with_mime_type("application/json")
        }
    };
    Some(ReadResourceResult::new(vec![contents]))
}

/// The prompts of the suite.
pub(crate) fn prompts() -> Vec<Prompt> {
    let prompt = |(name, about, needed): (&str, &str, &[&str])| {
        let argument = |name: &&str| PromptArgument::new(*name).with_required(true);
        let arguments = needed.iter().map(argument).collect();
        Prompt::new(name, Some(about), Some(arguments))
    };
    let all: [(&str, &str, &[&str]); 4] = [
        ("test_simple_prompt", "A text", &[]),
        (
            "test_prompt_with_arguments",
            "A text with arguments",
            &["arg1", "arg2"],
        ),
        (
            "test_prompt_with_embedded_resource",
            "A resource",
            &["resourceUri"],
        ),
        ("test_prompt_with_image", "An image", &[]),
    ];
    all.map(prompt).into()
}

/// A prompt of the suite.
pub(crate) fn prompt(request: &GetPromptRequestParams) -> Option<GetPromptResult> {
    let argument = |name: &str| {
        let arguments = request.arguments.as_ref();
        let said = arguments.and_then(|arguments| arguments.get(name)?.as_str());
        said.unwrap_or_default().to_owned()
    };
    let say = |text: String| PromptMessage::new_text(Role::User, text);
    let messages = match request.name.as_str() {
        "test_simple_prompt" => vec![say("This is a simple prompt for testing.".to_owned())],
        "test_prompt_with_arguments" => {
            let (one, two) = (argument("arg1"), argument("arg2"));
            vec![say(format!(
                "Prompt with arguments: arg1='{one}', arg2='{two}'"
            ))]
        }
        "test_prompt_with_embedded_resource" => {
            let text = "Embedded resource content for testing.";
            let resource = ResourceContents::text(text, argument("resourceUri"));
            vec![
                PromptMessage::new(Role::User, ContentBlock::resource(resource)),
                say("Please process the embedded resource above.".to_owned()),
            ]
        }
        "test_prompt_with_image" => vec![
            PromptMessage::new(Role::User, image()),
            say("Please analyze the image above.".to_owned()),
        ],
        _ => return None,
    };
    Some(GetPromptResult::new(messages))
}
