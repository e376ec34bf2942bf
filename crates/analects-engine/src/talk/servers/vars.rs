//! What a server finds in its environment, and what stands for `$NAME` in its entry.
//!
//! As in the original, a program inherits no variable that holds a secret by its name or by its value; what its entry
//! names explicitly it gets. The keys of models are ours: only the user's own settings can hand them on. A project's
//! entries get even less: what [`ProjectVariables`] allows, to inherit and to name.

use std::collections::BTreeMap;

use analects_text::redact;
use analects_world::AbsPath;

use crate::models::keys;
use crate::project_variables::ProjectVariables;
use crate::settings::expand;

/// Inherited whatever they look like.
const ALWAYS: [&str; 9] = [
    "HOME", "LANG", "LOGNAME", "PATH", "SHELL", "TEMP", "TMP", "TMPDIR", "USER",
];
/// Inherited by none, though neither name nor value looks like a secret.
const NEVER: [&str; 12] = [
    "AWS_DEFAULT_REGION",
    "AZURE_CLIENT_ID",
    "AZURE_TENANT_ID",
    "CLIENT_ID",
    "CONNECTION_STRING",
    "DATABASE_URL",
    "DB_URI",
    "FIREBASE_PROJECT_ID",
    "GOOGLE_CLOUD_ACCOUNT",
    "GOOGLE_CLOUD_PROJECT",
    "SLACK_WEBHOOK_URL",
    "TWILIO_ACCOUNT_SID",
];
/// What the names of secrets have in them.
const SECRET: [&str; 10] = [
    "AUTH",
    "CERT",
    "CREDENTIAL",
    "CREDS",
    "KEY",
    "PASSWD",
    "PASSWORD",
    "PRIVATE",
    "SECRET",
    "TOKEN",
];
/// Variables that make other programs run other code than they would.
const STEERING: [&str; 28] = [
    "BASH_ENV",
    "CLASSPATH",
    "CORECLR_ENABLE_PROFILING",
    "CORECLR_PROFILER_PATH",
    "DOTNET_STARTUP_HOOKS",
    "DYLD_FALLBACK_FRAMEWORK_PATH",
    "DYLD_FALLBACK_LIBRARY_PATH",
    "DYLD_FRAMEWORK_PATH",
    "DYLD_INSERT_LIBRARIES",
    "DYLD_LIBRARY_PATH",
    "ELECTRON_RUN_AS_NODE",
    "ENV",
    "JAVA_TOOL_OPTIONS",
    "LD_AUDIT",
    "LD_DEBUG",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "LD_PROFILE",
    "NODE_OPTIONS",
    "NODE_PATH",
    "PERL5DB",
    "PERL5LIB",
    "PERL5OPT",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "RUBYLIB",
    "RUBYOPT",
    "_JAVA_OPTIONS",
];

/// Whose entry is read, which decides what it may see.
#[derive(Clone, Copy)]
pub(super) enum EntryOwner<'a> {
    /// The user's own, or the administrator's.
    User,
    /// An extension's, in this directory.
    Extension(&'a AbsPath),
    /// The project's.
    Project(&'a ProjectVariables),
}

/// The variables of this process, as an entry sees them.
#[derive(Clone, Copy)]
pub(super) struct Vars<'a> {
    pub(super) all: &'a BTreeMap<String, String>,
    /// Whose entry it is.
    pub(super) owner: EntryOwner<'a>,
    /// Where the project lies.
    pub(super) workspace: &'a AbsPath,
}

impl Vars<'_> {
    /// What every program inherits.
    pub(super) fn inherited(&self) -> BTreeMap<String, String> {
        let mut kept = match self.owner {
            EntryOwner::Project(allowed) => allowed.visible(self.all),
            EntryOwner::User | EntryOwner::Extension(_) => self.without_secrets(),
        };
        kept.insert("GEMINI_CLI".to_owned(), "1".to_owned());
        kept
    }

    fn without_secrets(&self) -> BTreeMap<String, String> {
        let is_strict = self
            .all
            .get("GITHUB_SHA")
            .is_some_and(|sha| !sha.is_empty())
            || self.all.get("SURFACE").is_some_and(|word| word == "Github");
        let kept = self.all.iter().filter(|(name, value)| {
            let name = name.to_ascii_uppercase();
            is_plain(&name) || (!is_strict && !is_secret(&name, value))
        });
        kept.map(|(k, v)| (k.clone(), v.clone())).collect()
    }

    /// A text of the entry with its variables.
    pub(super) fn filled(&self, text: &str) -> String {
        expand::filled(text, &|name| {
            let value = self.all.get(name).map(String::as_str);
            match (self.owner, name) {
                (EntryOwner::User, _) => value,
                (EntryOwner::Project(allowed), _) => value.filter(|_| allowed.allows(name)),
                (EntryOwner::Extension(path), "extensionPath") => Some(path.as_str()),
                (EntryOwner::Extension(_), "workspacePath") => Some(self.workspace.as_str()),
                (EntryOwner::Extension(_), "/" | "pathSeparator") => Some("/"),
                (EntryOwner::Extension(_), _) => value.filter(|_| !keys::NAMES.contains(&name)),
            }
        })
    }
}

/// Whether a variable makes programs run other code than they would.
pub(super) fn steers_programs(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    STEERING.contains(&name.as_str())
}

fn is_plain(name: &str) -> bool {
    ALWAYS.contains(&name) || name.starts_with("GEMINI_CLI_")
}

fn is_secret(name: &str, value: &str) -> bool {
    NEVER.contains(&name)
        || keys::NAMES.contains(&name)
        || SECRET.iter().any(|word| name.contains(word))
        || has_password(value)
        || !redact::scan(value).is_empty()
}

/// Whether a value is an address with a password in it.
fn has_password(value: &str) -> bool {
    let Some((_, rest)) = value.split_once("://") else {
        return false;
    };
    let place = rest.split('/').next().unwrap_or_default();
    place
        .rsplit_once('@')
        .is_some_and(|(who, _)| who.contains(':'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn vars(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        let pairs = pairs.iter();
        pairs
            .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
            .collect()
    }

    fn inherited(pairs: &[(&str, &str)]) -> Vec<String> {
        let all = vars(pairs);
        let vars = Vars {
            all: &all,
            owner: EntryOwner::User,
            workspace: &AbsPath::root(),
        };
        vars.inherited().into_keys().collect()
    }

    #[test]
    fn a_program_inherits_no_secret() {
        let all = [
            ("PATH", "/bin"),
            ("EDITOR", "vi"),
            ("GEMINI_CLI_IDE", "x"),
            ("GEMINI_API_KEY", "k"),
            ("gh_token", "k"),
            ("DATABASE_URL", "x"),
            ("PROXY", "http://me:pass@proxy:3128"),
            ("NOTE", "ghp_0123456789abcdefghijABCDEFGHIJ012345"),
            ("OLLAMA_HOST", "x"),
        ];
        assert_eq!(
            inherited(&all),
            ["EDITOR", "GEMINI_CLI", "GEMINI_CLI_IDE", "PATH"]
        );
    }

    #[test]
    fn where_strangers_may_have_started_us_only_the_usual_is_inherited() {
        let all = [("PATH", "/bin"), ("EDITOR", "vi"), ("GITHUB_SHA", "1")];
        assert_eq!(inherited(&all), ["GEMINI_CLI", "PATH"]);
    }

    #[test]
    fn an_entry_names_what_it_needs_but_not_our_keys() {
        let all = vars(&[("TOKEN", "t"), ("GEMINI_API_KEY", "k")]);
        let (root, here) = (AbsPath::new("/x").unwrap(), AbsPath::new("/w").unwrap());
        let own = Vars {
            all: &all,
            owner: EntryOwner::User,
            workspace: &here,
        };
        let text = "$TOKEN ${GEMINI_API_KEY} ${extensionPath} ${NONE:-d} $NONE";
        assert_eq!(own.filled(text), "t k ${extensionPath} d $NONE");
        let theirs = Vars {
            owner: EntryOwner::Extension(&root),
            ..own
        };
        assert_eq!(theirs.filled(text), "t ${GEMINI_API_KEY} /x d $NONE");
        assert_eq!(theirs.filled("${workspacePath}${/}a"), "/w/a");
    }

    #[test]
    fn an_entry_of_a_project_sees_and_inherits_the_common_variables_only() {
        let all = vars(&[
            ("EDITOR", "vi"),
            ("GEMINI_CLI_IDE_SERVER_PORT", "1"),
            ("HOME", "/h"),
            ("HTTPS_PROXY", "p"),
            ("PATH", "/bin"),
            ("TOKEN", "t"),
        ]);
        let project = Vars {
            all: &all,
            owner: EntryOwner::Project(&ProjectVariables::default()),
            workspace: &AbsPath::root(),
        };
        let text =
            "$EDITOR ${TOKEN} ${TOKEN:-d} ${GEMINI_CLI_IDE_SERVER_PORT} $HOME ${PATH:-x} $path";
        assert_eq!(
            project.filled(text),
            "$EDITOR ${TOKEN} d ${GEMINI_CLI_IDE_SERVER_PORT} /h /bin $path"
        );
        let inherited: Vec<_> = project.inherited().into_keys().collect();
        assert_eq!(inherited, ["GEMINI_CLI", "HOME", "PATH"]);
    }

    #[test]
    fn code_is_steered_in_many_ways() {
        assert!(steers_programs("LD_PRELOAD") && steers_programs("node_options"));
        assert!(!steers_programs("PATH") && !steers_programs("LANG"));
    }

    proptest! {
        #[test]
        fn no_text_of_a_project_carries_a_variable_away(
            pieces in proptest::collection::vec(
                prop_oneof![
                    Just("$".to_owned()), Just("{".to_owned()), Just("}".to_owned()), Just(":-".to_owned()),
                    Just("SHOP_DB".to_owned()), Just("PATH".to_owned()), Just("${".to_owned()), "[ -~]{0,3}",
                ],
                0..24,
            ),
        ) {
            let all = vars(&[("SHOP_DB", "geheim"), ("PATH", "/bin"), ("shop_db", "geheim")]);
            let project = Vars {
                all: &all,
                owner: EntryOwner::Project(&ProjectVariables::default()),
                workspace: &AbsPath::root(),
            };
            let filled = project.filled(&pieces.concat());
            prop_assert!(!filled.contains("geheim"), "{filled:?}");
        }
    }
}
