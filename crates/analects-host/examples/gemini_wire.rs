//! Sends what a file asks for to a server that speaks Gemini's wire, so that others can see what we send.
//!
//! `gemini_wire BASE_URL CASES.json`; the key stands in `GEMINI_API_KEY`. `cargo xtask gemini-wire` compares it with
//! what Gemini CLI and Google's SDK send.

use std::error::Error;

use analects_host::HttpModels;
use analects_world::Cancel;
use analects_world::model::{Content, Part, Role};
use analects_world::models::{
    Choice, Endpoint, Form, Models, Options, Patience, Request, Secret, Thinking, Tool, Wire,
};
use serde::Deserialize;
use serde_json::Value;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(base_url), Some(file)) = (args.next(), args.next()) else {
        return Err("usage: gemini_wire BASE_URL CASES.json".into());
    };
    let at = Endpoint {
        wire: Wire::Gemini,
        base_url,
        key: Some(Secret::new(std::env::var("GEMINI_API_KEY")?)),
        proxy: None,
        patience: Patience::TALK,
    };
    let cases: Vec<Case> = serde_json::from_str(&std::fs::read_to_string(file)?)?;
    for case in cases {
        send(&at, case)?;
    }
    Ok(())
}

/// One request, in the words of `xtask/hosts/gemini-wire-cases.mjs`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    ask: Ask,
    model: String,
    #[serde(default)]
    system: String,
    contents: Vec<Turn>,
    #[serde(default)]
    tools: Vec<Declared>,
    max_output_tokens: Option<u32>,
    temperature: Option<f64>,
    thinking_tokens: Option<u32>,
    schema: Option<Value>,
    choice: Option<String>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Ask {
    Stream,
    Count,
    List,
}

#[derive(Deserialize)]
struct Turn {
    role: String,
    parts: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Declared {
    name: String,
    description: String,
    parameters_json_schema: Value,
}

fn send(at: &Endpoint, case: Case) -> Result<(), Box<dyn Error>> {
    let ask = case.ask;
    let options = options(&case);
    let history: Vec<_> = case.contents.into_iter().map(content).collect();
    let tools: Vec<_> = case.tools.into_iter().map(tool).collect();
    let request = Request {
        model: &case.model,
        system: &case.system,
        history: &history,
        tools: &tools,
        options: &options,
    };
    let (models, cancel) = (HttpModels::default(), Cancel::new());
    match ask {
        Ask::Stream => models.ask(at, &request, &cancel, &mut |_| {})?,
        Ask::Count => drop(models.count(at, &request, &cancel)?),
        Ask::List => drop(models.list(at, &cancel)?),
    }
    Ok(())
}

fn options(case: &Case) -> Options {
    Options {
        max_output_tokens: case.max_output_tokens,
        temperature: case.temperature,
        thinking: match case.thinking_tokens {
            None => Thinking::Usual,
            Some(0) => Thinking::Off,
            Some(tokens) => Thinking::Tokens(tokens),
        },
        form: case.schema.clone().map_or(Form::Free, |schema| Form::Json {
            name: "answer",
            schema,
        }),
        choice: match case.choice.as_deref() {
            None => Choice::Auto,
            Some("none") => Choice::None,
            Some("any") => Choice::Any,
            Some(name) => Choice::Only(name.to_owned()),
        },
    }
}

fn content(turn: Turn) -> Content {
    Content {
        id: String::new(),
        role: match turn.role.as_str() {
            "model" => Role::Model,
            _ => Role::User,
        },
        parts: turn.parts.into_iter().map(Part::from_value).collect(),
    }
}

fn tool(declared: Declared) -> Tool {
    Tool {
        name: declared.name,
        description: declared.description,
        parameters: declared.parameters_json_schema,
    }
}
