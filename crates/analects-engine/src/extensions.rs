//! Which extensions are active, and which context files they bring along.

use analects_memory::discover::ExtensionFile;
use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::files::{Kind, Pick};

use crate::jsonc::{self, Item, Value};
use crate::{World, codes};

const MANIFEST: &str = "gemini-extension.json";
const INSTALL: &str = ".gemini-extension-install.json";
const ENABLEMENT: &str = "extension-enablement.json";

/// The context files of all extensions that are active in the working directory, sorted by path.
#[must_use]
pub(crate) fn context_files(
    world: &World<'_>,
    disabled: &[String],
) -> (Vec<ExtensionFile>, Vec<Problem>) {
    let (extensions, mut problems) = active(world, disabled);
    let mut files: Vec<ExtensionFile> = Vec::new();
    for extension in &extensions {
        files.extend(extension.files(&mut problems));
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files.dedup_by(|a, b| a.path == b.path);
    (files, problems)
}

/// The directories of the extensions that are active in the working directory. What is wrong with extensions is told by
/// [`context_files`].
pub(crate) fn roots(world: &World<'_>, disabled: &[String]) -> Vec<AbsPath> {
    let (extensions, _) = active(world, disabled);
    extensions.into_iter().map(|it| it.root).collect()
}

/// A server that an extension brings along.
pub(crate) struct ExtensionServer {
    /// What it is called.
    pub(crate) name: String,
    /// The extension's manifest.
    pub(crate) manifest: AbsPath,
    /// Where the extension lies.
    pub(crate) root: AbsPath,
    /// What the manifest says of it.
    pub(crate) item: Item,
}

/// The servers of the extensions that are active in the working directory, in the order of their directories.
pub(crate) fn servers(world: &World<'_>, disabled: &[String]) -> Vec<ExtensionServer> {
    let (extensions, _) = active(world, disabled);
    let mut all = Vec::new();
    for extension in extensions {
        let servers = extension.servers.as_ref().and_then(Item::object);
        all.extend(servers.unwrap_or_default().iter().map(|(name, item)| {
            let (manifest, root) = (extension.manifest.clone(), extension.root.clone());
            ExtensionServer {
                name: name.clone(),
                manifest,
                root,
                item: item.clone(),
            }
        }));
    }
    all
}

fn active(world: &World<'_>, disabled: &[String]) -> (Vec<Extension>, Vec<Problem>) {
    let home = world.around.global_dir().join("extensions");
    let mut problems = Vec::new();
    let pick = Pick::ending("");
    let Ok(mut listing) = world.files.list_one(&home, &pick) else {
        return (Vec::new(), problems);
    };
    listing.found.sort();
    let enablement = object(world, &home.join(ENABLEMENT), &mut problems);
    let is_dir = |kind| matches!(kind, Kind::Dir | Kind::Link);
    let mut extensions = Vec::new();
    for found in listing.found.into_iter().filter(|found| is_dir(found.kind)) {
        let Some(extension) = Extension::read(world, &home.join(&found.name), &mut problems) else {
            continue;
        };
        let is_off = disabled
            .iter()
            .any(|name| name.eq_ignore_ascii_case(&extension.name));
        if !is_off && is_enabled(enablement.as_ref(), &extension.name, &world.around.cwd) {
            extensions.push(extension);
        }
    }
    (extensions, problems)
}

struct Extension {
    name: String,
    root: AbsPath,
    manifest: AbsPath,
    context: Option<Item>,
    servers: Option<Item>,
}

impl Extension {
    fn read(world: &World<'_>, dir: &AbsPath, problems: &mut Vec<Problem>) -> Option<Self> {
        let install = object(world, &dir.join(INSTALL), problems);
        let text = |key| {
            install
                .as_ref()
                .and_then(|install| install.get(key)?.text())
        };
        // A linked extension lives where its author works on it.
        let root = match (text("type"), text("source")) {
            (Some("link"), Some(source)) => AbsPath::new(source).ok()?,
            _ => dir.clone(),
        };
        let manifest = root.join(MANIFEST);
        let root_item = object(world, &manifest, problems)?;
        let Some(name) = root_item.get("name").and_then(Item::text) else {
            let problem = Problem::new(&codes::BAD_EXTENSION, "the manifest has no `name`");
            problems.push(problem.in_file(&manifest));
            return None;
        };
        let context = root_item.get("contextFileName").cloned();
        let servers = root_item.get("mcpServers").cloned();
        Some(Self {
            name: name.to_owned(),
            root,
            manifest,
            context,
            servers,
        })
    }

    fn files(&self, problems: &mut Vec<Problem>) -> Vec<ExtensionFile> {
        let mut names = Vec::new();
        let mut bad = |item: &Item| {
            let message = "`contextFileName`: expected a text or a list of texts";
            let problem = Problem::new(&codes::BAD_EXTENSION, message).in_file(&self.manifest);
            problems.push(problem.on_line(item.line));
        };
        match self.context.as_ref().map(|item| (&item.value, item)) {
            None | Some((Value::Null, _)) => names.push("GEMINI.md"),
            Some((Value::Text(name), _)) if name.is_empty() => names.push("GEMINI.md"),
            Some((Value::Text(name), _)) => names.push(name),
            Some((Value::List(items), _)) => {
                for item in items {
                    match item.text() {
                        Some(name) => names.push(name),
                        None => bad(item),
                    }
                }
            }
            Some((_, item)) => bad(item),
        }
        let mut files = Vec::new();
        for name in names {
            if is_safe(name) {
                files.push(ExtensionFile {
                    path: self.root.join(name),
                    root: self.root.clone(),
                });
            } else {
                let message = format!("context file `{name}` does not lie in the extension");
                let problem = Problem::new(&codes::BAD_EXTENSION, message).in_file(&self.manifest);
                problems.push(problem);
            }
        }
        files
    }
}

fn is_safe(name: &str) -> bool {
    !name.trim().is_empty()
        && !name.starts_with('/')
        && !name.contains('\0')
        && name.split('/').all(|part| part != "..")
}

/// The last rule that matches the directory decides; without one, an extension is on.
fn is_enabled(enablement: Option<&Item>, name: &str, cwd: &AbsPath) -> bool {
    let rules = enablement.and_then(|all| all.get(name)?.get("overrides")?.list());
    let dir = format!("{}/", cwd.as_str().trim_end_matches('/'));
    let mut enabled = true;
    for rule in rules.unwrap_or_default().iter().filter_map(Item::text) {
        let (denies, rule) = match rule.strip_prefix('!') {
            Some(rule) => (true, rule),
            None => (false, rule),
        };
        let matches = match rule.strip_suffix('*') {
            Some(base) => dir.starts_with(base),
            None => dir == rule,
        };
        if matches {
            enabled = !denies;
        }
    }
    enabled
}

fn object(world: &World<'_>, path: &AbsPath, problems: &mut Vec<Problem>) -> Option<Item> {
    match jsonc::read_object(world.files, path)? {
        Ok(item) => Some(item),
        Err(bad) => {
            let mut problem = Problem::new(&codes::BAD_EXTENSION, bad.message).in_file(path);
            problem.line = bad.line;
            problems.push(problem);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use analects_testkit::{FakeDesk, show_problems, surroundings};
    use expect_test::{Expect, expect};

    fn check(tree: &str, expected: Expect) {
        let files = FakeDesk::parse(tree);
        let around = surroundings("/w/app", "/h", &[]);
        let world = files.world(&around);
        let (found, problems) = context_files(&world, &["off".to_owned()]);
        let paths: String = found
            .iter()
            .map(|file| format!("{}\n", file.path))
            .collect();
        expected.assert_eq(&(paths + &show_problems(&problems)));
    }

    #[test]
    fn active_extensions_bring_their_files_sorted() {
        check(
            r#"
//- /h/.gemini/extensions/b/gemini-extension.json
{"name": "b", "contextFileName": ["Z.md", "docs/A.md"]}
//- /h/.gemini/extensions/a/gemini-extension.json
{"name": "a"}
//- /h/.gemini/extensions/off/gemini-extension.json
{"name": "Off"}
//- /h/.gemini/extensions/no-manifest/x
//- /h/.gemini/extensions/linked/.gemini-extension-install.json
{"type": "link", "source": "/dev-ext"}
//- /dev-ext/gemini-extension.json
{"name": "linked", "contextFileName": "L.md"}
"#,
            expect![[r#"
                /dev-ext/L.md
                /h/.gemini/extensions/a/GEMINI.md
                /h/.gemini/extensions/b/Z.md
                /h/.gemini/extensions/b/docs/A.md
            "#]],
        );
    }

    #[test]
    fn the_last_matching_rule_decides() {
        check(
            r#"
//- /h/.gemini/extensions/extension-enablement.json
{"a": {"overrides": ["!/w/*", "/w/app/*"]}, "b": {"overrides": ["!/w/app/"]}, "c": {"overrides": ["!/other/*"]}}
//- /h/.gemini/extensions/a/gemini-extension.json
{"name": "a"}
//- /h/.gemini/extensions/b/gemini-extension.json
{"name": "b"}
//- /h/.gemini/extensions/c/gemini-extension.json
{"name": "c"}
"#,
            expect![[r#"
                /h/.gemini/extensions/a/GEMINI.md
                /h/.gemini/extensions/c/GEMINI.md
            "#]],
        );
    }

    #[test]
    fn a_context_file_of_the_wrong_kind_is_a_problem_and_null_is_none() {
        check(
            r#"
//- /h/.gemini/extensions/a/gemini-extension.json
{"name": "a", "contextFileName": 5}
//- /h/.gemini/extensions/b/gemini-extension.json
{"name": "b", "contextFileName": null}
//- /h/.gemini/extensions/c/gemini-extension.json
{"name": "c", "contextFileName": ["a..b.md", {}]}
"#,
            expect![[r#"
                /h/.gemini/extensions/b/GEMINI.md
                /h/.gemini/extensions/c/a..b.md
                ! bad-extension: /h/.gemini/extensions/a/gemini-extension.json:1: `contextFileName`: expected a text or a list of texts
                ! bad-extension: /h/.gemini/extensions/c/gemini-extension.json:1: `contextFileName`: expected a text or a list of texts
            "#]],
        );
    }

    #[test]
    fn a_bad_manifest_is_a_problem() {
        check(
            r#"
//- /h/.gemini/extensions/a/gemini-extension.json
{"name": "a", "contextFileName": ["../x.md", "/etc/passwd", "ok.md"]}
//- /h/.gemini/extensions/b/gemini-extension.json
{"version": "1"}
//- /h/.gemini/extensions/c/gemini-extension.json
{"name": 
"#,
            expect![[r#"
                /h/.gemini/extensions/a/ok.md
                ! bad-extension: /h/.gemini/extensions/b/gemini-extension.json: the manifest has no `name`
                ! bad-extension: /h/.gemini/extensions/c/gemini-extension.json:2: not valid JSON: expected value after colon in object property
                ! bad-extension: /h/.gemini/extensions/a/gemini-extension.json: context file `../x.md` does not lie in the extension
                ! bad-extension: /h/.gemini/extensions/a/gemini-extension.json: context file `/etc/passwd` does not lie in the extension
            "#]],
        );
    }
}
