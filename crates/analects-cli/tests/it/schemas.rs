//! What `--json` prints is what the published schemas say, field by field.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value};

use crate::sandbox::Sandbox;

/// What an answer has too much or too little of, by the schema of that name.
fn faults(name: &str, answer: &Value) -> Vec<String> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/schemas");
    let text = fs::read_to_string(dir.join(format!("{name}.json"))).unwrap();
    let root: Value = serde_json::from_str(&text).unwrap();
    look(&root, &root, answer, name)
}

/// The fields and types of JSON Schema that ours use; no more.
fn look(root: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    if let Some(target) = schema["$ref"].as_str() {
        let target = root.pointer(target.trim_start_matches('#')).unwrap();
        return look(root, target, value, at);
    }
    for several in ["anyOf", "oneOf"] {
        if let Some(variants) = schema[several].as_array() {
            let mut tried = variants.iter().map(|one| look(root, one, value, at));
            let least = tried.by_ref().min_by_key(Vec::len);
            return least.unwrap_or_default();
        }
    }
    let mut found = Vec::new();
    if !is_of_type(&schema["type"], value) {
        found.push(format!("{at}: {value} is no {}", schema["type"]));
        return found;
    }
    if schema.get("const").is_some_and(|only| only != value) {
        found.push(format!("{at}: {value} is not {}", schema["const"]));
    }
    if let Some(known) = schema["enum"].as_array()
        && !known.contains(value)
    {
        found.push(format!("{at}: {value} is no known word"));
    }
    match value {
        Value::Object(fields) => found.extend(look_at_fields(root, schema, fields, at)),
        Value::Array(items) if schema["items"].is_object() => {
            found.extend(
                items
                    .iter()
                    .flat_map(|item| look(root, &schema["items"], item, &format!("{at}[]"))),
            );
        }
        _ => {}
    }
    found
}

fn look_at_fields(
    root: &Value,
    schema: &Value,
    fields: &Map<String, Value>,
    at: &str,
) -> Vec<String> {
    let mut found = Vec::new();
    for wanted in schema["required"].as_array().into_iter().flatten() {
        let wanted = wanted.as_str().unwrap();
        if !fields.contains_key(wanted) {
            found.push(format!("{at}.{wanted} is missing"));
        }
    }
    let rest = &schema["additionalProperties"];
    for (name, value) in fields {
        let at = format!("{at}.{name}");
        match schema["properties"].get(name) {
            Some(known) if known.is_object() => found.extend(look(root, known, value, &at)),
            Some(_) => {}
            None if rest.is_object() => found.extend(look(root, rest, value, &at)),
            None if schema["properties"].is_object() && *rest != true => {
                found.push(format!("{at} is unknown"));
            }
            None => {}
        }
    }
    found
}

fn is_of_type(kind: &Value, value: &Value) -> bool {
    let is = |kind: &Value| match kind.as_str().unwrap_or_default() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => false,
    };
    match kind {
        Value::Null => true,
        Value::Array(kinds) => kinds.iter().any(is),
        one => is(one),
    }
}

/// Runs a command and holds its answer against its schema, whichever exit code it has.
fn check(sandbox: &Sandbox, words: &[&str], args: &[&str]) -> Value {
    let all: Vec<_> = words.iter().chain(args).copied().collect();
    let ran = sandbox.run(&[&all[..], &["--trust", "--json"]].concat());
    let answer: Value = serde_json::from_str(&ran.out)
        .unwrap_or_else(|error| panic!("{all:?}: {error}\n{}\n{}", ran.out, ran.err));
    let name = match answer.get("error") {
        Some(_) => "failure".to_owned(),
        None => format!("{}.answer", words.join("-")),
    };
    assert_eq!(faults(&name, &answer), [""; 0], "{all:?}");
    answer
}

/// The same, where an answer is wanted and no failure.
fn answered(sandbox: &Sandbox, words: &[&str], args: &[&str]) -> Value {
    let answer = check(sandbox, words, args);
    assert!(answer.get("error").is_none(), "{words:?}: {answer}");
    answer
}

fn full() -> Sandbox {
    let sandbox = Sandbox::new();
    let skill = "---\nname: ponds\ndescription: How to count at the pond.\n---\n\nCount twice.\n";
    let said = |id: &str, kind: &str, text: &str| {
        format!(
            "{{\"id\":\"{id}\",\"timestamp\":\"2026-03-01T10:00:00.000Z\",\"type\":\"{kind}\",\
             \"content\":\"{text}\"}}\n"
        )
    };
    let record = format!(
        "{{\"sessionId\":\"3f1c0000-0000-4000-8000-000000000001\",\"projectHash\":\"aa\",\
         \"startTime\":\"2026-03-01T10:00:00.000Z\",\"lastUpdated\":\"2026-03-01T10:05:00.000Z\",\
         \"kind\":\"main\"}}\n{}{}{}{}",
        said("u1", "user", "Count the ducks."),
        said("g1", "gemini", "Seven."),
        said("u2", "user", "Never count the geese."),
        said("g2", "gemini", "I will not."),
    );
    sandbox
        .write("home/.gemini/GEMINI.md", "- Be brief.\n- Be brief.\n")
        .write(
            "home/.gemini/tmp/repo/.project_root",
            sandbox.path("repo").to_str().unwrap(),
        )
        .write("repo/GEMINI.md", "Use tabs.\n@./docs/style.md\n@gone.md\n")
        .write("repo/docs/style.md", "- Wrap at 100.\n")
        .write("repo/AGENTS.md", "Write tests first.\n")
        .write("repo/api/v2/GEMINI.md", "Nothing is deprecated here yet.\n")
        .write(
            "home/.gemini/tmp/repo/chats/session-2026-03-01T10-00-3f1c0000.jsonl",
            &record,
        )
        .write(
            "home/.gemini/tmp/repo/memory/skills/herons/SKILL.md",
            skill.replace("ponds", "herons"),
        )
        .write(
            "home/.gemini/tmp/repo/memory/skills/swans/SKILL.md",
            skill.replace("ponds", "swans"),
        )
        .write("ponds/SKILL.md", skill)
        .write("lakes/SKILL.md", skill.replace("ponds", "lakes"))
        .link("repo/CLAUDE.md", "AGENTS.md");
    let record =
        sandbox.path("home/.gemini/tmp/repo/chats/session-2026-03-01T10-00-3f1c0000.jsonl");
    let file = fs::File::options().append(true).open(record).unwrap();
    let long_ago = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_hours(490_000);
    file.set_modified(long_ago).unwrap();
    sandbox
}

#[test]
fn what_reads_answers_by_its_schema() {
    let sandbox = full();
    for (words, args) in [
        (&["memory", "show"][..], &[][..]),
        (&["memory", "show"], &["--tagged"]),
        (&["memory", "list"], &[]),
        (&["memory", "list"], &["--entries"]),
        (&["memory", "cost"], &[]),
        (&["memory", "reload"], &[]),
        (&["memory", "reload"], &[]),
        (&["memory", "search"], &["brief"]),
        (&["memory", "log"], &[]),
        (&["memory", "check"], &[]),
        (&["memory", "inbox", "list"], &[]),
        (&["memory", "inbox", "show"], &["herons"]),
        (&["context"], &["api/v2/x.rs"]),
        (&["prompt"], &[]),
        (&["session", "list"], &[]),
        (&["session", "show"], &["latest"]),
        (&["session", "search"], &["ducks"]),
        (&["skill", "list"], &[]),
        (&["skill", "check"], &[]),
        (&["config", "show"], &[]),
        (&["trust", "show"], &[]),
        (&["doctor"], &[]),
        (&["doctor"], &["--usage"]),
        (&["setup"], &["status"]),
        (&["setup"], &["gemini", "--dry-run"]),
    ] {
        answered(&sandbox, words, args);
    }
}

#[test]
fn what_writes_answers_by_its_schema() {
    let sandbox = full();
    let (ponds, lakes) = (sandbox.path("ponds"), sandbox.path("lakes"));
    let (ponds, lakes) = (ponds.to_str().unwrap(), lakes.to_str().unwrap());
    for (words, args) in [
        (
            &["memory", "add"][..],
            &["Ponds are deep.", "--to", "global", "--yes"][..],
        ),
        (
            &["memory", "edit"],
            &["Ponds are deep.", "Ponds are very deep.", "--yes"],
        ),
        (
            &["memory", "move"],
            &["Ponds are very deep.", "--to", "private", "--yes"],
        ),
        (&["memory", "log"], &[]),
        (&["memory", "undo"], &["--yes"]),
        (&["memory", "forget"], &["Ponds are very deep.", "--yes"]),
        (&["memory", "tidy"], &["--yes"]),
        (&["memory", "check"], &["--fix", "--yes"]),
        (&["memory", "inbox", "accept"], &["herons", "--yes"]),
        (&["memory", "inbox", "dismiss"], &["swans", "--yes"]),
        (&["skill", "show"], &["herons"]),
        (&["skill", "disable"], &["herons"]),
        (&["skill", "enable"], &["herons"]),
        (&["skill", "install"], &[ponds, "--yes"]),
        (&["skill", "link"], &[lakes, "--yes"]),
        (&["skill", "uninstall"], &["ponds", "--yes"]),
        (&["skill", "extract"], &[]),
        (&["session", "pin"], &["latest", "never count geese"]),
        (&["session", "summarize"], &["latest"]),
        (&["session", "compress"], &["latest", "--dry-run"]),
        (&["session", "import"], &["latest", "--dry-run"]),
        (&["session", "rewind"], &["latest", "--dry-run"]),
        (
            &["session", "delete"],
            &["3f1c0000-0000-4000-8000-000000000001", "--dry-run"],
        ),
        (&["trust", "add"], &[]),
        (&["trust", "deny"], &["--dry-run"]),
        (&["trust", "remove"], &[]),
        (&["setup"], &["gemini", "--yes"]),
    ] {
        answered(&sandbox, words, args);
    }
}

#[test]
fn a_failure_has_a_schema_too() {
    let sandbox = full();
    let answer = check(&sandbox, &["session", "show"], &["0000"]);
    assert_eq!(
        answer["error"]["message"], "there is no session `0000`",
        "{answer}"
    );
    for (args, message) in [
        (&["memory", "lst"][..], "unrecognized subcommand 'lst'"),
        (
            &["memory", "list", "--entrie"],
            "unexpected argument '--entrie' found",
        ),
        (
            &["memory", "forget"],
            "the following required arguments were not provided: <ENTRY>",
        ),
    ] {
        let ran = sandbox.run(&[args, &["--json"]].concat());
        let answer: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(faults("failure", &answer), [""; 0]);
        assert_eq!(
            (ran.code, &answer["error"]["message"]),
            (2, &message.into())
        );
        assert!(ran.err.starts_with("error: "), "{}", ran.err);
        let hints = answer["error"]["hints"].as_array().unwrap();
        assert_eq!(hints.last().unwrap(), "try `--help`");
    }
    // What stands behind `--` is no flag.
    assert_eq!(sandbox.run(&["memory", "lst", "--", "--json"]).out, "");
}
