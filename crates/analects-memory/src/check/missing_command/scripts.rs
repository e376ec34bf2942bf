//! `npm run X` and its kin, against the scripts of every `package.json`.

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::manifests::{Defined, Manifests};
use super::shell::{first_plain, is_name};

/// Flags that take the next word with them.
const WITH_VALUE: [&str; 8] = [
    "-F",
    "--filter",
    "-C",
    "--dir",
    "--prefix",
    "--workspace",
    "--cwd",
    "--filter-prod",
];

pub(super) fn missing(defined: &Defined, program: &str, args: &[&str]) -> Option<String> {
    if args.contains(&"--if-present") {
        return None;
    }
    let (at, verb) = first_plain(args, &with_value(program))?;
    let rest = args.get(at + 1..).unwrap_or_default();
    let script = match (program, verb) {
        ("npm" | "pnpm", "test") => "test",
        (_, "run") | ("npm", "run-script") => first_plain(rest, &with_value(program))?.1,
        ("yarn", "workspace") => match rest {
            [_, "run", script, ..] => script,
            _ => return None,
        },
        _ => return None,
    };
    // `bun run x.ts` runs a file.
    if !is_name(script) || script.contains(['/', '.']) || defined.has(script) {
        return None;
    }
    Some(match defined.n_files {
        0 => format!("`{program} {verb}` finds no package.json"),
        1 => format!("package.json has no script `{script}`"),
        n => format!("none of {n} package.json files has a script `{script}`"),
    })
}

/// `-w` names a workspace for npm, and is a switch for pnpm.
fn with_value(program: &str) -> Vec<&'static str> {
    let own = if program == "npm" { &["-w"][..] } else { &[] };
    WITH_VALUE.iter().chain(own).copied().collect()
}

pub(super) fn read(manifests: &Manifests<'_>) -> Defined {
    let mut defined = Defined::default();
    for (_, text) in manifests.texts(&["package.json"]) {
        defined.n_files += 1;
        if text.and_then(|text| add(&mut defined, &text)).is_none() {
            defined.is_open = true;
        }
    }
    defined
}

/// Adds what one file defines; `None` if it cannot be read.
fn add(defined: &mut Defined, text: &str) -> Option<()> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default()).ok()?;
    let Some(Value::Object(root)) = parsed.value else {
        return None;
    };
    // Programs of dependencies can be run like scripts, and are often called like them.
    for group in ["scripts", "dependencies", "devDependencies", "bin"] {
        defined.names.extend(keys(&root, group));
    }
    Some(())
}

fn keys(root: &Object<'_>, group: &str) -> Vec<String> {
    let group = root.get(group).map(|property| &property.value);
    let Some(Value::Object(group)) = group else {
        return Vec::new();
    };
    let names = group.properties.iter();
    names
        .map(|property| property.name.as_str().to_owned())
        .collect()
}
