//! A tool call with its parsed arguments, and the table of all tools.

use analects_world::models::Tool;
use schemars::{JsonSchema, schema_for};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{
    Refusal, RefusalKind, ask_user, glob, grep_search, list_directory, read_file, read_many_files,
    replace, shell, write_file,
};

/// What a model wants, with arguments that have the right shape.
#[derive(Debug, Clone, PartialEq)]
pub enum Wanted {
    /// A file, or lines of it.
    ReadFile(read_file::Args),
    /// Many files.
    ReadManyFiles(read_many_files::Args),
    /// What a directory holds.
    ListDirectory(list_directory::Args),
    /// Files by their names.
    Glob(glob::Args),
    /// Lines by what they say.
    GrepSearch(grep_search::Args),
    /// A file with this content.
    WriteFile(write_file::Args),
    /// Another text in the place of one.
    Replace(replace::Args),
    /// A command line.
    Shell(shell::Args),
    /// A person's answer.
    AskUser(ask_user::Args),
}

/// A tool: its name, what a model is told of it, its arguments.
struct Row {
    name: &'static str,
    description: &'static str,
    schema: fn() -> Value,
    read: fn(&Value) -> Result<Wanted, serde_json::Error>,
}

macro_rules! row {
    ($module:ident, $description:literal, $variant:ident) => {
        Row {
            name: $module::NAME,
            description: include_str!(concat!("../../prompts/", $description)),
            schema: schema::<$module::Args>,
            read: |args| read::<$module::Args>(args).map(Wanted::$variant),
        }
    };
}

static ROWS: [Row; 9] = [
    row!(read_file, "read_file.md", ReadFile),
    row!(read_many_files, "read_many_files.md", ReadManyFiles),
    row!(list_directory, "list_directory.md", ListDirectory),
    row!(glob, "glob.md", Glob),
    row!(grep_search, "grep_search.md", GrepSearch),
    row!(write_file, "write_file.md", WriteFile),
    row!(replace, "replace.md", Replace),
    row!(shell, "run_shell_command.md", Shell),
    row!(ask_user, "ask_user.md", AskUser),
];

impl Wanted {
    /// Reads a call. What is wrong with it is said so that the model can do better.
    pub fn read(name: &str, args: &Value) -> Result<Self, Refusal> {
        let Some(row) = ROWS.iter().find(|row| row.name == name) else {
            // Which there are is known to whoever offers them.
            let message = format!("There is no tool `{}`.", shown(name));
            return Err(Refusal::new(RefusalKind::UnknownTool, message));
        };
        (row.read)(args).map_err(|error| {
            let message = format!(
                "The arguments of `{name}` make no sense: {}.",
                shown(&error.to_string())
            );
            Refusal::new(RefusalKind::BadArguments, message)
        })
    }

    /// Whether it changes nothing, so that others may run at the same time.
    #[must_use]
    pub fn only_looks(&self) -> bool {
        match self {
            Self::ReadFile(_)
            | Self::ReadManyFiles(_)
            | Self::ListDirectory(_)
            | Self::Glob(_)
            | Self::GrepSearch(_) => true,
            Self::WriteFile(_) | Self::Replace(_) | Self::Shell(_) | Self::AskUser(_) => false,
        }
    }
}

/// The tools as a model is told of them.
#[must_use]
pub fn offered() -> Vec<Tool> {
    let tool = |row: &Row| Tool {
        name: row.name.to_owned(),
        description: row.description.trim_end().to_owned(),
        parameters: (row.schema)(),
    };
    ROWS.iter().map(tool).collect()
}

/// The JSON schema of a tool's arguments, as servers take it: without what only other programs read.
#[must_use]
pub fn schema<T: JsonSchema>() -> Value {
    let mut schema = schema_for!(T).to_value();
    if let Some(fields) = schema.as_object_mut() {
        fields.remove("$schema");
        fields.remove("title");
        fields.remove("description");
    }
    schema
}

/// A call without arguments is one with an empty object.
fn read<T: DeserializeOwned>(args: &Value) -> Result<T, serde_json::Error> {
    match args {
        Value::Null => serde_json::from_value(Value::Object(serde_json::Map::new())),
        args => serde_json::from_value(args.clone()),
    }
}

/// Words of a model, short and on one line.
fn shown(text: &str) -> String {
    let line = analects_text::sanitize::one_line(text);
    let end = line.floor_char_boundary(MAX_SHOWN_BYTES);
    line.get(..end).unwrap_or_default().to_owned()
}

const MAX_SHOWN_BYTES: usize = 300;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_tool_is_offered_with_a_description_and_an_object_of_arguments() {
        let offered = offered();
        assert_eq!(offered.len(), ROWS.len());
        for tool in offered {
            assert!(tool.description.len() > 40, "{}", tool.name);
            assert_eq!(tool.parameters["type"], "object", "{}", tool.name);
            assert!(tool.parameters["properties"].is_object(), "{}", tool.name);
        }
    }

    #[test]
    fn what_is_wrong_with_a_call_is_said() {
        let refused = |name: &str, args: Value| Wanted::read(name, &args).unwrap_err();
        let unknown = refused("fly\u{1b}[2J", json!({}));
        assert_eq!(unknown.kind, RefusalKind::UnknownTool);
        assert!(!unknown.message.contains('\u{1b}'), "{unknown}");
        for args in [
            json!({}),
            json!({"file_path": 7}),
            json!([]),
            json!("x"),
            Value::Null,
        ] {
            let refusal = refused("read_file", args);
            assert_eq!(refusal.kind, RefusalKind::BadArguments);
        }
    }
}
