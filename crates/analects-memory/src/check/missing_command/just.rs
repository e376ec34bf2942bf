//! `just X`, against the recipes of every justfile.

use super::manifests::{Defined, Manifests};
use super::shell::{first_plain, is_name};

const NAMES: [&str; 4] = ["justfile", "Justfile", ".justfile", "JUSTFILE"];

/// Flags that take the next word with them, or ask for something else than a recipe.
const WITH_VALUE: [&str; 4] = ["--set", "--shell", "--dotenv-path", "--color"];

pub(super) fn missing(defined: &Defined, args: &[&str]) -> Option<String> {
    let elsewhere = [
        "-f",
        "--justfile",
        "-d",
        "--working-directory",
        "-s",
        "--show",
        "-g",
    ];
    if args.iter().any(|arg| elsewhere.contains(arg)) {
        return None;
    }
    let (_, recipe) = first_plain(args, &WITH_VALUE)?;
    if !is_name(recipe) || recipe.contains([':', '/', '.']) || defined.has(recipe) {
        return None;
    }
    Some(match defined.n_files {
        0 => "`just` finds no justfile".to_owned(),
        _ => format!("no justfile has a recipe `{recipe}`"),
    })
}

pub(super) fn read(manifests: &Manifests<'_>) -> Defined {
    manifests.defined(&NAMES, add_line)
}

fn add_line<'a>(defined: &mut Defined, line: &'a str) -> Vec<&'a str> {
    if let Some(imported) = line.strip_prefix("import") {
        let name = imported.trim_start_matches('?').trim();
        return vec![name.trim_matches(['\'', '"'])];
    }
    if line.starts_with("mod ") || line.starts_with("mod? ") {
        defined.is_open = true;
    } else if let Some(alias) = line.strip_prefix("alias ") {
        let name = alias.split(":=").next().unwrap_or_default();
        defined.names.insert(name.trim().to_owned());
    } else {
        defined.names.extend(recipe(line));
    }
    Vec::new()
}

/// The name of the recipe that a line begins: `@name a b='c': d`, but not `name := value`.
fn recipe(line: &str) -> Option<String> {
    let line = line.strip_prefix('@').unwrap_or(line);
    let name: String = line
        .chars()
        .take_while(|&c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
        .collect();
    let rest = line.strip_prefix(&name)?;
    let is_recipe = rest.contains(':') && !rest.trim_start().starts_with(":=");
    (is_recipe && !name.is_empty()).then_some(name)
}
