//! What looks like a path of this project, and what only looks like a path.

/// The path that a code span names; `None` if it is anything else.
///
/// Only what has a directory and a kind (`src/main.rs`), says by a slash that it is a directory
/// (`src/api/`), or is the name of a document (`STYLE.md`): any other bare word may be anything.
pub(super) fn in_code(text: &str) -> Option<&str> {
    let path = without_place(text.trim());
    let is_shaped = match path.contains('/') {
        true => path.ends_with('/') || has_kind(path),
        false => is_document(path),
    };
    (is_shaped && is_plain(path)).then_some(path)
}

/// The path that a link leads to, as seen from its own file.
pub(super) fn in_link(target: &str) -> Option<&str> {
    let path = target.split(['#', '?']).next().unwrap_or_default();
    // `mailto:x`, `C:\x` and addresses have a colon; percent signs stand for characters we do not see.
    let is_file = has_kind(path) || path.ends_with('/');
    (is_file && !path.contains(['%', ':']) && is_plain(path)).then_some(path)
}

/// Whether `path` is one of this project: relative, without anything to be filled in.
pub(super) fn is_plain(path: &str) -> bool {
    let is_sign = |c: char| {
        c.is_whitespace() || c.is_control() || !(c.is_alphanumeric() || "/._-+@".contains(c))
    };
    !path.is_empty()
        && path.len() <= MAX_LEN
        && !path.starts_with(['/', '~', '-', '@'])
        && !path.contains(is_sign)
        && !path.contains("//")
        && !path.contains("...")
        && path.split('/').any(|name| !matches!(name, "." | ".." | ""))
        && !path.split('/').any(is_placeholder)
        && !is_host(path)
        && !path.split('/').any(|name| MADE.contains(&name))
}

/// Longer than any path that people write.
const MAX_LEN: usize = 256;

/// Directories that programs make: whether they exist says nothing.
const MADE: [&str; 22] = [
    ".cache",
    ".git",
    ".gradle",
    ".mypy_cache",
    ".next",
    ".nuxt",
    ".pytest_cache",
    ".ruff_cache",
    ".tox",
    ".turbo",
    ".venv",
    "__pycache__",
    "_build",
    "artifacts",
    "bin",
    "build",
    "coverage",
    "dist",
    "node_modules",
    "out",
    "target",
    "venv",
];

/// `src/main.rs:12`, `src/main.rs:12:3`, `src/main.rs#L4` and `src/main.rs::main` without the place in
/// the file.
fn without_place(text: &str) -> &str {
    let end = text.find([':', '#']).unwrap_or(text.len());
    match text.get(end..) {
        // Not a place but something else altogether: an address, a pair.
        Some(rest) if rest.starts_with("://") => "",
        _ => text.get(..end).unwrap_or_default(),
    }
}

/// Whether a bare name is that of a document of the project. Agents have files whose names are known
/// everywhere and that are there or not.
fn is_document(name: &str) -> bool {
    let known = [
        "agents", "claude", "gemini", "memory", "skill", "qwen", "codex", "copilot",
    ];
    let stem = name.strip_suffix(".md").unwrap_or_default();
    let first = stem.split(['.', '-', '_']).next().unwrap_or_default();
    stem.starts_with(|c: char| c.is_ascii_uppercase())
        && !known.contains(&first.to_lowercase().as_str())
}

/// Whether the last name has an ending such as files have.
fn has_kind(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let Some((stem, kind)) = name.rsplit_once('.') else {
        return false;
    };
    !stem.is_empty()
        && !stem.ends_with('.')
        && (1..=8).contains(&kind.len())
        && kind.chars().all(|c| c.is_ascii_alphanumeric())
        && kind.chars().any(|c| c.is_ascii_alphabetic())
        && !stem.starts_with(|c: char| c == 'v' && is_version(stem))
}

/// Whether the ending is one of text and code, which nobody writes by chance.
pub(super) fn is_written_by_people(path: &str) -> bool {
    let kind = path.rsplit_once('.').map_or("", |(_, kind)| kind);
    WRITTEN.contains(&kind)
}

const WRITTEN: [&str; 35] = [
    "c", "cc", "cjs", "cpp", "cs", "css", "go", "h", "hpp", "html", "java", "js", "json", "jsx",
    "kt", "md", "mdx", "mjs", "php", "proto", "py", "rb", "rs", "rst", "scala", "sh", "sql",
    "svelte", "swift", "toml", "ts", "tsx", "txt", "vue", "yml",
];

fn is_version(stem: &str) -> bool {
    stem.get(1..).is_some_and(|rest| {
        !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit() || c == '.')
    })
}

/// A name that stands for another one.
pub(super) fn is_placeholder(name: &str) -> bool {
    let lower = name.to_lowercase();
    let stem = lower.split('.').next().unwrap_or_default();
    let parts = || stem.split(['-', '_']);
    parts().any(|part| FILL_IN.contains(&part))
        || STAND_INS.contains(&stem)
        || (stem.starts_with("my") && !matches!(stem, "mypy" | "mysql"))
        || (stem.len() > 1 && stem.chars().all(|c| c.is_ascii_digit()))
        || lower.contains("xxx")
        || lower.contains("yyyy")
        || lower.contains("nnn")
        || is_shouted(name)
}

const FILL_IN: [&str; 12] = [
    "foo",
    "bar",
    "baz",
    "qux",
    "your",
    "my",
    "some",
    "placeholder",
    "dummy",
    "sample",
    "xyz",
    "abc",
];

const STAND_INS: [&str; 8] = [
    "path", "to", "x", "y", "name", "file", "filename", "example",
];

/// `FEATURE_NAME` and `NAME.md`'s stem are to be filled in; `README` and `docs/API.md` are names.
fn is_shouted(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    stem.contains('_')
        && stem.len() > 3
        && stem.chars().all(|c| c.is_ascii_uppercase() || c == '_')
        && (stem.ends_with("_NAME") || stem.ends_with("_ID") || stem.starts_with("YOUR_"))
}

/// `github.com/a/b.git` is an address without its beginning.
fn is_host(path: &str) -> bool {
    let Some((first, _)) = path.split_once('/') else {
        return false;
    };
    let ends = [
        ".com", ".org", ".io", ".dev", ".net", ".ai", ".app", ".sh", ".gov", ".edu",
    ];
    !first.starts_with('.') && ends.iter().any(|end| first.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_a_directory_and_a_kind_or_ends_with_a_slash() {
        for (text, path) in [
            ("src/main.rs", "src/main.rs"),
            ("./docs/a-b_c.md", "./docs/a-b_c.md"),
            ("src/main.rs:12:3", "src/main.rs"),
            ("tests/test_a.py::TestB", "tests/test_a.py"),
            ("src/api/", "src/api/"),
            ("文档/规则.md", "文档/规则.md"),
            ("STYLE.md", "STYLE.md"),
            ("packages/@scope/a.ts", "packages/@scope/a.ts"),
        ] {
            assert_eq!(in_code(text), Some(path), "{text}");
        }
    }

    #[test]
    fn everything_else_is_no_path() {
        for text in [
            "main.rs",
            "AGENTS.md",
            "CLAUDE.local.md",
            "notes.md",
            "and/or",
            "origin/main",
            "application/json",
            "@scope/pkg.js",
            "~/x/y.md",
            "/etc/x.conf",
            "src/*.rs",
            "src/<name>.rs",
            "$HOME/x.md",
            "a b/c.md",
            "https://a/b.md",
            "github.com/a/b.git",
            "dist/x.js",
            "path/to/file.ts",
            "src/foo.rs",
            "src/…/a.rs",
            "a/{b,c}.md",
            "v1/2.0",
            "1/2.5",
            "./",
            "../",
            "your-app/main.py",
            "s/a.b/c.d/g",
            "docs/YYYY-MM-DD.md",
            "-I/x/y.h",
        ] {
            let found = in_code(text);
            let is_harmless = text == "s/a.b/c.d/g";
            assert!(found.is_none() || is_harmless, "{text}: {found:?}");
        }
    }

    #[test]
    fn links_may_be_bare_names() {
        assert!(in_link("CONTRIBUTING.md#tests").is_some());
        assert!(in_link("docs/").is_some());
        for target in [
            "#top",
            "mailto:a@b.c",
            "https://x.y/z.md",
            "a%20b.md",
            "/abs.md",
            "page",
        ] {
            assert_eq!(in_link(target), None, "{target}");
        }
    }
}
