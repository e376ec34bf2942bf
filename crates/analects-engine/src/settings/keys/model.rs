//! Settings of models: which one is asked, where, and how much of it.
//!
//! What decides where a conversation is sent, or what it costs, is the user's alone. Keys are no settings: they come
//! from the environment or from `~/.gemini/.env`.

use super::SettingAuthority::{UserOnly, Workspace};
use super::{Key, Kind, Setting, list, own, shared};

/// The model that is wanted.
pub(crate) static NAME: Key = Key {
    variable: Some("GEMINI_MODEL"),
    kind: Kind::Text,
    meaning: "The model to ask: a name, one of `auto`, `pro`, `flash`, `flash-lite`, or an alias of your own; \
              `gemini:`, `anthropic:`, `openai:` or `local:` before it says whose it is. `--model` overrules it.",
    ..shared("model.name", Workspace)
};

/// Whose models are asked.
pub(crate) static PROVIDER: Key = Key {
    kind: Kind::Word(&["auto", "gemini", "anthropic", "openai", "local"]),
    default: |_| Setting::Text("auto".to_owned()),
    meaning: "Whose models are asked. `auto` goes by the name of the model, then by the keys that are set: Gemini, \
              Anthropic, OpenAI; then by addresses, then by local servers that answer.",
    ..own("model.provider", UserOnly)
};

/// Other names of models.
pub(crate) static ALIASES: Key = Key {
    kind: Kind::Texts,
    meaning: "Names of your own for models, which may also give `auto`, `pro`, `flash` and `flash-lite` another meaning.",
    ..own("model.aliases", UserOnly)
};

/// How much models take at once.
pub(crate) static WINDOWS: Key = Key {
    kind: Kind::Tokens,
    meaning: "How many tokens a model takes at once, by its name, where that is not known or known wrongly. \
              `context.windowTokens` overrules it for all.",
    ..own("model.windows", UserOnly)
};

/// Who is asked instead.
pub(crate) static FALLBACK: Key = Key {
    kind: Kind::Text,
    meaning: "The model of the same provider that is asked when the other one cannot answer. If unset: `flash` for a \
              `pro`, and none for the others; `off` for none at all.",
    ..own("model.fallback", UserOnly)
};

/// Servers on this machine.
pub(crate) static LOCAL_SERVERS: Key = Key {
    kind: Kind::Names,
    default: |_| {
        list(&[
            "http://127.0.0.1:11434/v1",
            "http://127.0.0.1:8080/v1",
            "http://127.0.0.1:8000/v1",
            "http://127.0.0.1:1234/v1",
        ])
    },
    meaning: "OpenAI-compatible servers that are looked for when no key and no address is set, the first that answers \
              counts: by default Ollama, llama.cpp, vLLM and LM Studio on their usual ports. An empty list looks for none.",
    ..own("model.localServers", UserOnly)
};

/// Whether a key may travel in the open.
pub(crate) static ALLOW_INSECURE: Key = Key {
    default: |_| Setting::Flag(false),
    meaning: "Whether a key may be sent over plain http to another machine, where everybody on the way can read it.",
    ..own("model.allowInsecure", UserOnly)
};

/// A proxy of our own.
pub(crate) static PROXY: Key = Key {
    kind: Kind::Text,
    meaning: "A proxy on the way to models that are not on this machine, as in `http://proxy.example:3128`. If unset, \
              `HTTPS_PROXY` and its kin count; one that wants a password belongs there.",
    ..own("model.proxy", UserOnly)
};

/// How often somebody tries.
pub(crate) static MAX_ATTEMPTS: Key = Key {
    aliases: &["general.maxAttempts"],
    kind: Kind::Count { min: 1, max: 20 },
    default: |_| Setting::Count(4),
    meaning: "How often a model is asked the same before there is no answer.",
    ..own("model.maxAttempts", UserOnly)
};

/// How long an answer may take.
pub(crate) static TIMEOUT_SECS: Key = Key {
    kind: Kind::Count {
        min: 1,
        max: 86_400,
    },
    default: |_| Setting::Count(1_800),
    meaning: "How many seconds one answer may take, from the first request to its end, with all attempts and the waits between \
              them.",
    ..own("model.timeoutSecs", UserOnly)
};

/// What nobody waits for may cost.
pub(crate) static BACKGROUND_DAILY_TOKENS: Key = Key {
    kind: Kind::Count {
        min: 0,
        max: 4_000_000_000,
    },
    default: |_| Setting::Count(500_000),
    meaning: "How many tokens a day (in UTC) models may read and write for what nobody waits for, such as summaries and \
              learning; 0 for none of it.",
    ..own("model.backgroundDailyTokens", UserOnly)
};
