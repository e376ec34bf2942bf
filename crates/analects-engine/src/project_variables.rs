//! Which variables of the user's environment a project's settings and programs get.
//!
//! A trusted project starts servers and hooks, and its entries name variables: `https://example.com/?k=$TOKEN`. It gets a
//! short list that programs need to run at all, and what the user named for it in `security.projectVariables`. A
//! variable that is not granted looks like one that is not set.

use std::collections::{BTreeMap, BTreeSet};

use analects_world::AbsPath;

use crate::World;
use crate::load_memory::Prepared;
use crate::settings::expand::is_common;
use crate::settings::keys;

/// The key that means every project.
const EVERY_PROJECT: &str = "*";

/// The variables that the programs of one project get.
#[derive(Debug, Clone, Default)]
pub(crate) struct ProjectVariables {
    granted: BTreeSet<String>,
}

impl ProjectVariables {
    /// Reads what the user granted to the project around the working directory.
    pub(crate) fn new(world: &World<'_>, prepared: &Prepared) -> Self {
        let Some(grants) = prepared.settings.texts(&keys::servers::PROJECT_VARIABLES) else {
            return Self::default();
        };
        let real = |path: &AbsPath| world.files.real_or_same(path);
        let here = [real(&prepared.root), real(&world.around.cwd)];
        // A relative folder would be another one in every project.
        let is_here = |folder: &str| {
            folder.starts_with(['/', '~']) && here.contains(&real(&world.around.resolve(folder)))
        };
        let is_meant = |folder: &str| folder == EVERY_PROJECT || is_here(folder);
        let meant = grants.iter().filter(|(folder, _)| is_meant(folder));
        let names = meant.flat_map(|(_, names)| names.split([',', ' ']));
        let names = names.map(|name| name.trim().trim_start_matches('$'));
        let granted = names.filter(|name| !name.is_empty()).map(str::to_owned);
        Self {
            granted: granted.collect(),
        }
    }

    /// True if the project may see the variable. Names are compared letter by letter, as the system does.
    pub(crate) fn allows(&self, name: &str) -> bool {
        is_common(name) || self.granted.contains(name)
    }

    /// True if the user named the variable for this project.
    pub(crate) fn is_granted(&self, name: &str) -> bool {
        self.granted.contains(name)
    }

    /// The part of an environment that the project may see.
    pub(crate) fn visible(&self, vars: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        let visible = vars.iter().filter(|(name, _)| self.allows(name));
        let visible = visible.map(|(name, value)| (name.clone(), value.clone()));
        visible.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load_memory::prepare;
    use crate::verbs::Flags;
    use analects_testkit::{FakeDesk, surroundings};

    /// The variables of `all` that a project in `/w/app` sees with these settings of the user and of the project.
    fn visible(user: &str, project: &str, all: &[(&str, &str)]) -> Vec<String> {
        let desk = FakeDesk::parse(&format!(
            "//- /h/.gemini/analects.json\n{user}\n//- /w/app/.git/HEAD\nref\n//- /w/link -> app\n\
             //- /w/app/.gemini/analects.json\n{project}\n"
        ));
        let around = surroundings("/w/app", "/h", all);
        let world = desk.world(&around);
        let flags = Flags {
            trust: true,
            ..Flags::default()
        };
        let prepared = prepare(&world, &flags).unwrap();
        let variables = ProjectVariables::new(&world, &prepared);
        variables.visible(&around.vars).into_keys().collect()
    }

    const ALL: [(&str, &str); 5] = [
        ("DATABASE_URL", "d"),
        ("EDITOR", "vi"),
        ("NPM_TOKEN", "t"),
        ("PATH", "/bin"),
        ("path", "x"),
    ];

    #[test]
    fn a_project_sees_the_common_variables_and_those_the_user_named_for_it() {
        let user = |grants: &str| format!("{{\"security\": {{\"projectVariables\": {grants}}}}}");
        for (grants, expected) in [
            ("{}", &["PATH"][..]),
            (r#"{"*": "EDITOR"}"#, &["EDITOR", "PATH"]),
            (
                r#"{"/w/app": "NPM_TOKEN, $DATABASE_URL"}"#,
                &["DATABASE_URL", "NPM_TOKEN", "PATH"],
            ),
            (r#"{"/w/link": "NPM_TOKEN"}"#, &["NPM_TOKEN", "PATH"]),
            (r#"{"/w": "NPM_TOKEN", "/w/app/sub": "EDITOR"}"#, &["PATH"]),
            (r#"{".": "EDITOR", "": "EDITOR"}"#, &["PATH"]),
            (r#"{"*": ""}"#, &["PATH"]),
            (r#"{"*": "*"}"#, &["PATH"]),
        ] {
            assert_eq!(visible(&user(grants), "{}", &ALL), expected, "{grants}");
        }
    }

    #[test]
    fn a_project_cannot_grant_itself_a_variable() {
        let project = r#"{"security": {"projectVariables": {"*": "NPM_TOKEN"}}}"#;
        assert_eq!(visible("{}", project, &ALL), ["PATH"]);
    }
}
