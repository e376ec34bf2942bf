//! `just X`, against the recipes of every justfile.

use analects_world::AbsPath;

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
    let mut defined = Defined::default();
    for (path, text) in manifests.texts(&NAMES) {
        defined.n_files += 1;
        add(manifests, &mut defined, &path, text, MAX_IMPORTS);
    }
    defined
}

/// Justfiles import justfiles; no deeper than this.
const MAX_IMPORTS: usize = 8;

fn add(
    manifests: &Manifests<'_>,
    defined: &mut Defined,
    path: &AbsPath,
    text: Option<String>,
    depth: usize,
) {
    if !defined.read.insert(path.clone()) {
        return;
    }
    let Some(text) = text.filter(|_| depth > 0) else {
        defined.is_open = true;
        return;
    };
    let dir = path.parent().unwrap_or_else(AbsPath::root);
    for line in text.lines() {
        if let Some(imported) = line.strip_prefix("import") {
            let name = imported.trim_start_matches('?').trim();
            let path = dir.join(name.trim_matches(['\'', '"']));
            if !defined.read.contains(&path) {
                let text = manifests.text(&path);
                add(manifests, defined, &path, text, depth - 1);
            }
        } else if line.starts_with("mod ") || line.starts_with("mod? ") {
            defined.is_open = true;
        } else if let Some(alias) = line.strip_prefix("alias ") {
            let name = alias.split(":=").next().unwrap_or_default();
            defined.names.insert(name.trim().to_owned());
        } else {
            defined.names.extend(recipe(line));
        }
    }
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
