//! Lint: lines of global memory that belong to one project.
//!
//! Every project would hear them. Only the project at hand can be recognised by its name; of any other
//! one only a line that begins with `this project` gives itself away.

use super::said::Said;
use super::sheet::Sheet;
use super::{Finding, codes};
use crate::layer::Layer;
use crate::route::{self, Project};

pub(super) fn check(sheets: &[Sheet<'_>], said: &[Said<'_>], name: &str) -> Vec<Finding> {
    let project = project(name);
    let global = said
        .iter()
        .filter(|said| sheets[said.sheet].page.layer == Layer::Global);
    let told = |said: &Said<'_>| {
        let message = told(said.text, &project)?;
        let sheet = &sheets[said.sheet];
        Some(sheet.problem(&codes::WRONG_SCOPE, said.at, message).into())
    };
    global.filter_map(told).collect()
}

/// What is known of the project when global memory is judged.
pub(crate) fn project(name: &str) -> Project<'_> {
    Project {
        name,
        is_repository: true,
        // A path such as `src/main.rs` exists in many projects, and says nothing about this one.
        names: &[],
    }
}

fn told(text: &str, project: &Project<'_>) -> Option<String> {
    if let Some(mention) = named(text, project) {
        return Some(format!(
            "`{mention}` is this project, and this is memory for all"
        ));
    }
    let mention = route::names_project(text, project)?;
    let is_phrase = mention.contains(' ') || !mention.is_ascii();
    (is_phrase && text.to_lowercase().starts_with(&mention))
        .then(|| "speaks of one project, and this is memory for all".to_owned())
}

/// What in a line calls the project at hand by its name.
pub(crate) fn named(text: &str, project: &Project<'_>) -> Option<String> {
    let mention = route::names_project(text, project)?;
    if is_name(&mention, project.name) {
        return Some(mention);
    }
    // Another mention may stand behind this one.
    let rest = text.to_lowercase().replace(&mention, " ");
    let mention = route::names_project(&rest, project)?;
    is_name(&mention, project.name).then_some(mention)
}

/// Whether a mention is the project's name, or a path that holds it.
fn is_name(mention: &str, name: &str) -> bool {
    let uniform = |text: &str| text.to_lowercase().replace('-', "_");
    let name = uniform(name);
    let mention = uniform(mention.strip_suffix("'s").unwrap_or(mention));
    mention.split(['/', ':', '\\']).any(|part| part == name)
}
