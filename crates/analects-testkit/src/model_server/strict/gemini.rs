//! What Gemini would refuse.

use serde_json::{Map, Value};

use super::{bad, is_between, list, need, only, text_of};
use crate::model_server::reply::Trouble;

const FIELDS: [&str; 7] = [
    "cachedContent",
    "contents",
    "generationConfig",
    "safetySettings",
    "systemInstruction",
    "toolConfig",
    "tools",
];

const CONFIG_FIELDS: [&str; 21] = [
    "candidateCount",
    "enableEnhancedCivicAnswers",
    "frequencyPenalty",
    "imageConfig",
    "logprobs",
    "maxOutputTokens",
    "mediaResolution",
    "presencePenalty",
    "responseFormat",
    "responseJsonSchema",
    "responseLogprobs",
    "responseMimeType",
    "responseModalities",
    "responseSchema",
    "seed",
    "speechConfig",
    "stopSequences",
    "temperature",
    "thinkingConfig",
    "topK",
    "topP",
];

/// What a part can be; exactly one of these.
const DATA_FIELDS: [&str; 9] = [
    "codeExecutionResult",
    "executableCode",
    "fileData",
    "functionCall",
    "functionResponse",
    "inlineData",
    "text",
    "toolCall",
    "toolResponse",
];

const PART_FIELDS: [&str; 5] = [
    "mediaResolution",
    "partMetadata",
    "thought",
    "thoughtSignature",
    "videoMetadata",
];

/// The part of JSON schema that stands in `parameters` and `responseSchema`.
const SCHEMA_FIELDS: [&str; 22] = [
    "anyOf",
    "default",
    "description",
    "enum",
    "example",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "nullable",
    "pattern",
    "properties",
    "propertyOrdering",
    "required",
    "title",
    "type",
];

pub(super) fn check(body: &Map<String, Value>) -> Result<(), Trouble> {
    check_names("", body, &FIELDS)?;
    let contents = list(body.get("contents"));
    let contents = contents
        .ok_or_else(|| bad("* GenerateContentRequest.contents: contents is not specified"))?;
    check_contents(contents)?;
    if let Some(system) = body.get("systemInstruction") {
        check_parts("system_instruction", system)?;
    }
    let tools = body.get("tools").and_then(Value::as_array);
    let mut names = Vec::new();
    for (index, tool) in tools.into_iter().flatten().enumerate() {
        names.extend(check_tool(index, tool)?);
    }
    check_tool_config(body.get("toolConfig"), &names)?;
    body.get("generationConfig").map_or(Ok(()), check_config)
}

/// Either contents alone, or a whole request that names its model once more.
pub(super) fn check_count(body: &Map<String, Value>) -> Result<(), Trouble> {
    check_names("", body, &["contents", "generateContentRequest"])?;
    match (body.get("contents"), body.get("generateContentRequest")) {
        (Some(contents), None) => {
            let contents = list(Some(contents));
            check_contents(
                contents.ok_or_else(|| {
                    bad("* CountTokensRequest.contents: contents is not specified")
                })?,
            )
        }
        (None, Some(Value::Object(request))) => {
            let mut request = request.clone();
            let model = request.shift_remove("model");
            let model = model.as_ref().and_then(Value::as_str).unwrap_or_default();
            need(model.starts_with("models/"), || {
                "* CountTokensRequest.generate_content_request.model: model is not specified"
                    .to_owned()
            })?;
            check(&request)
        }
        _ => Err(bad(
            "one of contents and generate_content_request must be set",
        )),
    }
}

fn check_names(at: &str, fields: &Map<String, Value>, known: &[&str]) -> Result<(), Trouble> {
    only(fields, known, |name| {
        let at = if at.is_empty() {
            String::new()
        } else {
            format!(" at '{at}'")
        };
        format!("Invalid JSON payload received. Unknown name \"{name}\"{at}: Cannot find field.")
    })
}

/// A call follows the user, its response follows the call, and each call has its response.
fn check_contents(contents: &[Value]) -> Result<(), Trouble> {
    for (index, content) in contents.iter().enumerate() {
        let at = format!("contents[{index}]");
        let role = text_of(content, "role").unwrap_or("user");
        need(matches!(role, "user" | "model" | "function"), || {
            "Please use a valid role: user, model.".to_owned()
        })?;
        check_parts(&at, content)?;
        let before = index.checked_sub(1).and_then(|index| contents.get(index));
        let n_calls = before.map_or(0, |before| count(before, "functionCall"));
        let n_responses = count(content, "functionResponse");
        need(n_responses == 0 || n_calls > 0, || {
            "Please ensure that function response turn comes immediately after a function call turn."
                .to_owned()
        })?;
        need(n_responses == n_calls, || {
            "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."
                .to_owned()
        })?;
        let is_after_user = before.is_some_and(|before| before["role"] != "model");
        need(count(content, "functionCall") == 0 || is_after_user, || {
            "Please ensure that function call turn comes immediately after a user turn or after a function response turn."
                .to_owned()
        })?;
    }
    let last = contents
        .last()
        .map_or(0, |last| count(last, "functionCall"));
    need(last == 0, || {
        "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."
            .to_owned()
    })
}

fn count(content: &Value, field: &str) -> usize {
    let parts = content["parts"].as_array().into_iter().flatten();
    parts.filter(|part| part.get(field).is_some()).count()
}

fn check_parts(at: &str, content: &Value) -> Result<(), Trouble> {
    let fields = content.as_object();
    let fields = fields.ok_or_else(|| bad(format!("Invalid value at '{at}'")))?;
    check_names(at, fields, &["parts", "role"])?;
    let parts = list(fields.get("parts"));
    let parts =
        parts.ok_or_else(|| bad(format!("* {at}.parts: contents.parts must not be empty.")))?;
    for (index, part) in parts.iter().enumerate() {
        check_part(&format!("{at}.parts[{index}]"), part)?;
    }
    Ok(())
}

fn check_part(at: &str, part: &Value) -> Result<(), Trouble> {
    let fields = part.as_object();
    let fields = fields.ok_or_else(|| bad(format!("Invalid value at '{at}'")))?;
    let known = [&DATA_FIELDS[..], &PART_FIELDS[..]].concat();
    check_names(at, fields, &known)?;
    let n_data = DATA_FIELDS
        .iter()
        .filter(|name| fields.contains_key(**name))
        .count();
    need(n_data == 1, || {
        format!("* {at}.data: required oneof field 'data' must have one initialized field")
    })?;
    need(fields.get("text").is_none_or(Value::is_string), || {
        format!("Invalid value at '{at}.text' (TYPE_STRING)")
    })?;
    if let Some(signature) = fields.get("thoughtSignature") {
        need(signature.as_str().is_some_and(is_base64), || {
            format!(
                "Invalid value at '{at}.thought_signature' (TYPE_BYTES), Base64 decoding failed"
            )
        })?;
    }
    let inner: (&str, &[&str], &str) = if fields.contains_key("functionCall") {
        (
            "functionCall",
            &["id", "name", "args", "partialArgs", "willContinue"],
            "args",
        )
    } else if fields.contains_key("functionResponse") {
        let known = &[
            "id",
            "name",
            "response",
            "parts",
            "willContinue",
            "scheduling",
        ];
        ("functionResponse", known, "response")
    } else {
        return Ok(());
    };
    let (name, known, object) = inner;
    check_function(&format!("{at}.{name}"), &fields[name], known, object)
}

fn check_function(at: &str, value: &Value, known: &[&str], object: &str) -> Result<(), Trouble> {
    let fields = value.as_object();
    let fields = fields.ok_or_else(|| bad(format!("Invalid value at '{at}'")))?;
    check_names(at, fields, known)?;
    need(
        text_of(value, "name").is_some_and(|name| !name.is_empty()),
        || format!("* {at}.name: Name cannot be empty."),
    )?;
    let inner = fields.get(object);
    need(inner.is_none_or(Value::is_object), || {
        format!("Invalid value at '{at}.{object}' (type.googleapis.com/google.protobuf.Struct)")
    })?;
    need(object == "args" || inner.is_some(), || {
        format!("* {at}.response: required field is not set")
    })
}

fn is_base64(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    let is_digit = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '-' | '_');
    body.chars().all(is_digit) && body.len() % 4 != 1
}

fn check_tool(index: usize, tool: &Value) -> Result<Vec<&str>, Trouble> {
    let declarations = tool["functionDeclarations"].as_array();
    let mut names = Vec::new();
    for declaration in declarations.into_iter().flatten() {
        let at = format!("tools[{index}].function_declarations[{}]", names.len());
        let fields = declaration.as_object();
        let fields = fields.ok_or_else(|| bad(format!("Invalid value at '{at}'")))?;
        let known = [
            "behavior",
            "description",
            "name",
            "parameters",
            "parametersJsonSchema",
            "response",
            "responseJsonSchema",
        ];
        check_names(&at, fields, &known)?;
        let name = text_of(declaration, "name").filter(|name| is_function_name(name));
        let name = name.ok_or_else(|| {
            bad(format!(
                "* GenerateContentRequest.{at}.name: Invalid function name."
            ))
        })?;
        need(!names.contains(&name), || {
            format!("Duplicate function declaration found: {name}")
        })?;
        if let Some(schema) = fields.get("parameters") {
            need(!fields.contains_key("parametersJsonSchema"), || {
                format!("* {at}: parameters and parameters_json_schema are mutually exclusive")
            })?;
            check_schema(&format!("{at}.parameters"), schema)?;
        }
        names.push(name);
    }
    Ok(names)
}

/// Must start with a letter or an underscore; letters, digits, `_`, `.`, `:` and `-`, at most 64.
fn is_function_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':' | '-');
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts_well && name.len() <= 64 && name.chars().all(is_plain)
}

fn check_schema(at: &str, schema: &Value) -> Result<(), Trouble> {
    let fields = schema.as_object();
    let fields = fields.ok_or_else(|| bad(format!("Invalid value at '{at}'")))?;
    check_names(at, fields, &SCHEMA_FIELDS)?;
    let kind = fields.get("type");
    need(kind.is_none_or(Value::is_string), || {
        format!("Proto field is not repeating, cannot start list. at '{at}.type'")
    })?;
    let properties = fields.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        check_schema(&format!("{at}.properties[{name}]"), property)?;
    }
    if let Some(items) = fields.get("items") {
        check_schema(&format!("{at}.items"), items)?;
    }
    let choices = fields.get("anyOf").and_then(Value::as_array);
    let mut choices = choices.into_iter().flatten();
    choices.try_for_each(|choice| check_schema(&format!("{at}.any_of"), choice))
}

fn check_tool_config(config: Option<&Value>, names: &[&str]) -> Result<(), Trouble> {
    let Some(config) = config.and_then(|config| config.get("functionCallingConfig")) else {
        return Ok(());
    };
    let mode = text_of(config, "mode").unwrap_or("AUTO");
    need(["AUTO", "ANY", "NONE", "VALIDATED"].contains(&mode), || {
        format!("Invalid value at 'tool_config.function_calling_config.mode', \"{mode}\"")
    })?;
    let Some(allowed) = list(config.get("allowedFunctionNames")) else {
        return Ok(());
    };
    need(matches!(mode, "ANY" | "VALIDATED"), || {
        "allowed_function_names should only be set when mode is ANY.".to_owned()
    })?;
    let is_known = |name: &Value| name.as_str().is_some_and(|name| names.contains(&name));
    need(allowed.iter().all(is_known), || {
        "allowed_function_names should be a subset of the declared functions.".to_owned()
    })
}

fn check_config(config: &Value) -> Result<(), Trouble> {
    let fields = config.as_object();
    let fields = fields.ok_or_else(|| bad("Invalid value at 'generation_config'"))?;
    check_names("generation_config", fields, &CONFIG_FIELDS)?;
    need(is_between(fields.get("temperature"), 0.0, 2.0), || {
        "* GenerateContentRequest.generation_config.temperature: must be in the range [0.0, 2.0]"
            .to_owned()
    })?;
    let limit = fields.get("maxOutputTokens");
    need(
        limit.is_none_or(|limit| limit.as_u64().is_some_and(|n| n > 0)),
        || {
            "* GenerateContentRequest.generation_config.max_output_tokens: must be positive"
                .to_owned()
        },
    )?;
    if let Some(schema) = fields.get("responseSchema") {
        check_schema("generation_config.response_schema", schema)?;
    }
    let has_schema =
        fields.contains_key("responseSchema") || fields.contains_key("responseJsonSchema");
    let is_json = fields
        .get("responseMimeType")
        .is_some_and(|kind| kind == "application/json");
    need(!has_schema || is_json, || {
        "response_schema is only supported when response_mime_type is application/json".to_owned()
    })?;
    let Some(Value::Object(thinking)) = fields.get("thinkingConfig") else {
        return Ok(());
    };
    let known = ["includeThoughts", "thinkingBudget", "thinkingLevel"];
    check_names("generation_config.thinking_config", thinking, &known)?;
    need(
        !(thinking.contains_key("thinkingBudget") && thinking.contains_key("thinkingLevel")),
        || "You can only set only one of thinking budget and thinking level.".to_owned(),
    )
}
