//! The list of models that OpenAI, Anthropic and those who copy them give.

use analects_world::models::Listed;
use serde_json::Value;

/// How many models we are ready to hear of.
const MAX_MODELS: usize = 10_000;

/// Where a server says how much a model takes at once: what it was started with before what it was trained for.
const WINDOWS: [&str; 9] = [
    "/loaded_context_length",
    "/max_model_len",
    "/meta/n_ctx",
    "/max_input_tokens",
    "/context_length",
    "/context_window",
    "/max_context_length",
    "/meta/n_ctx_train",
    "/top_provider/context_length",
];

/// The models in a list; `None` if it is no such list. Whoever else listens on the port of a server must not
/// pass for one.
pub(super) fn models(answer: &Value) -> Option<Vec<Listed>> {
    let is_called_list = match answer.get("object") {
        Some(kind) if kind == "list" => true,
        Some(_) => return None,
        None => false,
    };
    let data = match answer.get("data")? {
        Value::Array(data) => data,
        // Ollama without any model.
        Value::Null if is_called_list => return Some(Vec::new()),
        _ => return None,
    };
    if data.is_empty() && !is_called_list && answer.get("has_more").is_none() {
        return None;
    }
    data.iter().take(MAX_MODELS).map(model).collect()
}

fn model(entry: &Value) -> Option<Listed> {
    let name = entry.get("id")?.as_str().filter(|id| !id.is_empty())?;
    let mut windows = WINDOWS.iter().filter_map(|at| entry.pointer(at)?.as_u64());
    Some(Listed {
        name: name.to_owned(),
        window_tokens: windows.find(|n| *n > 0),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(answer: &Value, expected: &[(&str, Option<u64>)]) {
        let models = models(answer).unwrap();
        let models: Vec<_> = models.iter().map(|m| (&*m.name, m.window_tokens)).collect();
        assert_eq!(models, expected);
    }

    #[test]
    fn every_server_says_its_window_elsewhere() {
        let vllm = json!({ "object": "list", "data": [{ "id": "qwen", "object": "model", "max_model_len": 32768 }] });
        check(&vllm, &[("qwen", Some(32768))]);
        let llama = json!({
            "models": [{ "name": "smol.gguf" }],
            "object": "list",
            "data": [{ "id": "smol.gguf", "meta": { "n_ctx_train": 8192, "n_ctx": 4096 } }],
        });
        check(&llama, &[("smol.gguf", Some(4096))]);
        let studio = json!({
            "object": "list",
            "data": [
                { "id": "a", "max_context_length": 131072, "loaded_context_length": 4096 },
                { "id": "b", "max_context_length": 131072 },
            ],
        });
        check(&studio, &[("a", Some(4096)), ("b", Some(131_072))]);
        let ollama = json!({ "object": "list", "data": [{ "id": "qwen3:4b", "object": "model", "owned_by": "library" }] });
        check(&ollama, &[("qwen3:4b", None)]);
        check(&json!({ "object": "list", "data": null }), &[]);
        let anthropic = json!({
            "data": [{ "type": "model", "id": "claude-x", "display_name": "X", "max_input_tokens": 1_000_000 }],
            "has_more": false,
        });
        check(&anthropic, &[("claude-x", Some(1_000_000))]);
    }

    #[test]
    fn a_stranger_does_not_pass() {
        for stranger in [
            json!(null),
            json!([]),
            json!({}),
            json!({ "status": "ok" }),
            json!({ "data": [] }),
            json!({ "data": {} }),
            json!({ "data": null }),
            json!({ "data": ["a"] }),
            json!({ "data": [{ "name": "a" }] }),
            json!({ "data": [{ "id": 5 }] }),
            json!({ "object": "error", "data": [{ "id": "a" }] }),
            json!({ "models": [{ "name": "models/gemini" }] }),
        ] {
            assert_eq!(models(&stranger), None, "{stranger}");
        }
    }
}
