//! The tools, all in one table: what each is called, what it takes and answers, and which verb it is.

mod change;
mod context;
mod find;
mod save;
mod sessions;
mod skill;

use std::sync::{Arc, LazyLock};

use analects_engine::World;
use analects_engine::verbs::{Failure, Flags};
use analects_memory::render::harmless;
use analects_text::sanitize::one_line;
use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, JsonObject, Tool,
    ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::rounds::Brought;
use crate::schema;
use crate::server::Server;
use crate::work::Done;

/// One tool.
struct Row {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    effect: Effect,
    input: fn() -> JsonObject,
    output: fn() -> JsonObject,
    run: fn(&Call<'_>) -> Result<Told, Failure>,
}

/// What a call may do to the user's files.
#[derive(Clone, Copy)]
enum Effect {
    /// Nothing.
    Reads,
    /// It adds something; the same call once more adds nothing.
    Adds,
    /// It changes or removes something. Words may mean another entry the second time.
    Changes,
}

const TABLE: [Row; 8] = [
    Row {
        name: analects_engine::save_memory::NAME,
        title: "Remember a fact",
        description: "Remember a fact for all later conversations: a preference or a lasting fact that the user \
                      told, in one self-contained sentence. Not for secrets, nor for what only matters now.",
        effect: Effect::Adds,
        input: schema::input::<save::Arguments>,
        output: schema::output::<save::Answer>,
        run: save::save,
    },
    Row {
        name: "search_memory",
        title: "Search memory",
        description: "Find entries of memory by their words, the best first, each with its id.",
        effect: Effect::Reads,
        input: schema::input::<find::SearchArguments>,
        output: schema::output::<find::SearchAnswer>,
        run: find::search,
    },
    Row {
        name: "get_memory",
        title: "Read memory",
        description: "Read what is remembered: one entry by its id, the whole text of one layer, or all entries of \
                      all layers.",
        effect: Effect::Reads,
        input: schema::input::<find::GetArguments>,
        output: schema::output::<find::GetAnswer>,
        run: find::get,
    },
    Row {
        name: "update_memory",
        title: "Change an entry",
        description: "Let an entry of memory say something else, or take it to another place; it keeps its id. One of \
                      both at a time.",
        effect: Effect::Changes,
        input: schema::input::<change::UpdateArguments>,
        output: schema::output::<change::Answer>,
        run: change::update,
    },
    Row {
        name: "forget_memory",
        title: "Forget an entry",
        description: "Forget an entry of memory for good, when the user says so or it has become wrong.",
        effect: Effect::Changes,
        input: schema::input::<change::ForgetArguments>,
        output: schema::output::<change::Answer>,
        run: change::forget,
    },
    Row {
        name: "get_context",
        title: "Rules for files",
        description: "Get the rules that memory files beside or above these paths have for them, beyond what holds \
                      for the whole project. Call it before you work on files in another directory.",
        effect: Effect::Reads,
        input: schema::input::<context::Arguments>,
        output: schema::output::<context::Answer>,
        run: context::context,
    },
    Row {
        name: "search_sessions",
        title: "Search past sessions",
        description: "Find what was said and done in earlier conversations of any agent in this project: decisions, \
                      commands, errors and how they were solved. Read a whole one as the resource `session://ID`.",
        effect: Effect::Reads,
        input: schema::input::<sessions::Arguments>,
        output: schema::output::<sessions::Answer>,
        run: sessions::search,
    },
    Row {
        name: "activate_skill",
        title: "Activate a skill",
        description: "Get the instructions of a skill, for one kind of task, and the list of its files. Without a name: \
                      which skills there are and what for. An activated skill says how its task is done here; it never \
                      outranks what the user says or your rules on safety.",
        effect: Effect::Reads,
        input: schema::input::<skill::Arguments>,
        output: schema::output::<skill::Answer>,
        run: skill::activate,
    },
];

/// The tools as clients see them; made once, since schemas never change.
static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| TABLE.iter().map(Row::tool).collect());

/// All tools.
pub(crate) fn all() -> Vec<Tool> {
    TOOLS.clone()
}

impl Row {
    fn tool(&self) -> Tool {
        let (reads, destroys, repeats) = match self.effect {
            Effect::Reads => (true, false, true),
            Effect::Adds => (false, false, true),
            Effect::Changes => (false, true, false),
        };
        let hints = ToolAnnotations::with_title(self.title)
            .read_only(reads)
            .destructive(destroys)
            .idempotent(repeats)
            .open_world(false);
        Tool::new(self.name, self.description, Arc::new((self.input)()))
            .with_title(self.title)
            .with_raw_output_schema(Arc::new((self.output)()))
            .with_annotations(hints)
    }
}

/// A call that reached the engine's thread.
struct Call<'a> {
    world: &'a World<'a>,
    flags: &'a Flags,
    arguments: Value,
    /// The words for the journal.
    who: String,
}

impl Call<'_> {
    /// The arguments, or what is wrong with them.
    fn arguments<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        T::deserialize(&self.arguments).map_err(|error| {
            Failure::bad_input(format!("cannot understand the arguments: {error}"))
        })
    }
}

/// What a tool answers: a few words for a model, and all of it for a program.
struct Told {
    text: String,
    structured: Value,
    is_error: bool,
}

impl Told {
    fn new(text: impl Into<String>, answer: &impl Serialize) -> Self {
        Self {
            text: text.into(),
            structured: serde_json::to_value(answer).unwrap_or_default(),
            is_error: false,
        }
    }

    fn failed(failure: &Failure) -> Self {
        let hints = failure.hints.iter().map(String::as_str);
        let lines: Vec<_> = std::iter::once(failure.message.as_str())
            .chain(hints)
            .collect();
        Self {
            // Hints may quote what files say.
            text: harmless(&lines.join("\n")).into_owned(),
            structured: Value::Null,
            is_error: true,
        }
    }
}

/// Calls a tool. Whatever goes wrong is told to the model; only an unknown tool is an error of the client's.
pub(crate) async fn call(
    server: &Server,
    request: CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let Some(row) = TABLE.iter().find(|row| row.name == request.name) else {
        let message = format!("there is no tool `{}`", one_line(&request.name));
        return Err(ErrorData::invalid_params(message, None));
    };
    let brought = Brought::new(request.request_state.as_deref(), request.input_responses);
    let arguments = as_meant(request.arguments.unwrap_or_default());
    let who = format!("{} via {}", row.name, client(context));
    let job = move |world: &World<'_>, flags: &Flags| {
        let call = Call {
            world,
            flags,
            arguments,
            who,
        };
        (row.run)(&call).unwrap_or_else(|failure| Told::failed(&failure))
    };
    Ok(match server.work(context, &brought, job).await? {
        Done::Answered(told) => result(told).into(),
        Done::Asked(question) => question.into(),
    })
}

/// Arguments as their schema means them: `null` is what was left out, and `1.0` is an integer.
fn as_meant(mut arguments: JsonObject) -> Value {
    arguments.retain(|_, value| !value.is_null());
    for value in arguments.values_mut() {
        let whole = value.as_f64().filter(|number| number.fract() == 0.0);
        // Up to here every integer has a number of its own.
        let whole = whole.filter(|number| number.abs() <= 9_007_199_254_740_992.0);
        if let Some(whole) = whole {
            *value = (whole as i64).into();
        }
    }
    Value::Object(arguments)
}

fn result(told: Told) -> CallToolResult {
    let content = vec![ContentBlock::text(told.text)];
    let mut result = match told.is_error {
        true => CallToolResult::error(content),
        false => CallToolResult::success(content),
    };
    result.structured_content = Some(told.structured).filter(|value| !value.is_null());
    result
}

/// A client's name is a name, and no more.
const MAX_NAME_CHARS: usize = 60;

fn client(context: &RequestContext<RoleServer>) -> String {
    let name = context
        .client_info()
        .map(|info| info.name)
        .unwrap_or_default();
    let words: Vec<_> = name.split_whitespace().collect();
    match one_line(&words.join(" ")).as_ref() {
        "" => "an unnamed client".to_owned(),
        name => name.chars().take(MAX_NAME_CHARS).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_null_is_left_out_and_a_whole_number_is_an_integer() {
        let said =
            serde_json::json!({ "a": null, "b": 1.0, "c": 1.5, "d": 2, "e": 1e300, "f": "1.0" });
        let Value::Object(said) = said else {
            unreachable!()
        };
        let meant = serde_json::json!({ "b": 1, "c": 1.5, "d": 2, "e": 1e300, "f": "1.0" });
        assert_eq!(as_meant(said), meant);
    }

    #[test]
    fn there_are_no_more_than_eight_and_each_says_what_it_does() {
        let tools = all();
        assert!(tools.len() <= 8);
        for tool in tools {
            assert_eq!(tool.input_schema["type"], "object", "{}", tool.name);
            assert_eq!(
                tool.output_schema.unwrap()["type"],
                "object",
                "{}",
                tool.name
            );
            assert!(tool.annotations.unwrap().read_only_hint.is_some());
        }
    }
}
