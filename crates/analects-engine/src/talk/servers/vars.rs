//! What a server finds in its environment, and what stands for `$NAME` in its entry.
//!
//! As in the original, a program inherits no variable that holds a secret by its name or by its value; what its entry
//! names explicitly it gets. The keys of models are ours: only the user's own settings can hand them on.

use std::collections::BTreeMap;

use analects_text::redact;
use analects_world::AbsPath;

use crate::models::keys;
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

/// The variables of this process, as an entry sees them.
#[derive(Clone, Copy)]
pub(super) struct Vars<'a> {
    pub(super) all: &'a BTreeMap<String, String>,
    /// Whether the keys of models may be named.
    pub(super) with_keys: bool,
    /// Where the extension lies, if it is one's entry.
    pub(super) extension: Option<&'a AbsPath>,
    /// Where the project lies.
    pub(super) workspace: &'a AbsPath,
}

impl Vars<'_> {
    /// What every program inherits.
    pub(super) fn inherited(&self) -> BTreeMap<String, String> {
        let is_strict = self
            .all
            .get("GITHUB_SHA")
            .is_some_and(|sha| !sha.is_empty())
            || self.all.get("SURFACE").is_some_and(|word| word == "Github");
        let kept = self.all.iter().filter(|(name, value)| {
            let name = name.to_ascii_uppercase();
            is_plain(&name) || (!is_strict && !is_secret(&name, value))
        });
        let mut kept: BTreeMap<_, _> = kept.map(|(k, v)| (k.clone(), v.clone())).collect();
        kept.insert("GEMINI_CLI".to_owned(), "1".to_owned());
        kept
    }

    /// A text of the entry with its variables.
    pub(super) fn filled(&self, text: &str) -> String {
        expand::filled(text, &|name| match (name, self.extension) {
            ("extensionPath", Some(path)) => Some(path.as_str()),
            ("workspacePath", Some(_)) => Some(self.workspace.as_str()),
            ("/" | "pathSeparator", Some(_)) => Some("/"),
            _ if keys::NAMES.contains(&name) && !self.with_keys => None,
            _ => self.all.get(name).map(String::as_str),
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
            with_keys: true,
            extension: None,
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
            with_keys: true,
            extension: None,
            workspace: &here,
        };
        let text = "$TOKEN ${GEMINI_API_KEY} ${extensionPath} ${NONE:-d} $NONE";
        assert_eq!(own.filled(text), "t k ${extensionPath} d $NONE");
        let theirs = Vars {
            with_keys: false,
            extension: Some(&root),
            ..own
        };
        assert_eq!(theirs.filled(text), "t ${GEMINI_API_KEY} /x d $NONE");
        assert_eq!(theirs.filled("${workspacePath}${/}a"), "/w/a");
    }

    #[test]
    fn code_is_steered_in_many_ways() {
        assert!(steers_programs("LD_PRELOAD") && steers_programs("node_options"));
        assert!(!steers_programs("PATH") && !steers_programs("LANG"));
    }
}
