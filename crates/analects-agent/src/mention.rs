//! `@path` in what a user says: the file comes along.
//!
//! A path ends at white space or at punctuation; `@"two words.md"` and `@two\ words.md` say one with blanks. What
//! stands in code, and what is an address of somebody, is no path. What is not there stays as it was written.

use analects_text::markdown;
use analects_text::problem::{Code, Problem, Severity};
use analects_world::AbsPath;
use analects_world::files::Trouble;
use analects_world::model::Part;
use analects_world::provenance::Author;
use analects_world::provenance::gemini::FILES_HEADING;

use crate::tools::basket::Basket;
use crate::tools::gather::{self, MAX_FILES, Wish, is_pattern};
use crate::tools::read_many_files::{END, left_out};
use crate::tools::{Bench, For, Refusal, RefusalKind, Seen};

/// A path in a prompt leads nowhere.
pub const MENTION_MISSING: Code = Code {
    name: "mention-missing",
    severity: Severity::Note,
    meaning: "`@path` in a prompt names nothing that is there; it was sent as it was written.",
};

/// A path in a prompt leads to something that is not sent.
pub const MENTION_UNREAD: Code = Code {
    name: "mention-unread",
    severity: Severity::Warning,
    meaning: "`@path` in a prompt names something that lies outside of the workspace, cannot be read, or for which \
              there was no room; it was not sent.",
};

/// All codes of mentions, for the reference.
pub const CODES: [&Code; 2] = [&MENTION_MISSING, &MENTION_UNREAD];

/// A prompt with what it mentions.
#[derive(Debug)]
pub struct Mentioned {
    /// The parts of the user's turn: the prompt as it is, then what it brings along.
    pub parts: Vec<Part>,
    /// The files that were brought along.
    pub touched: Vec<AbsPath>,
    /// What was not, and why.
    pub problems: Vec<Problem>,
}

/// More mentions are not followed.
const MAX_MENTIONS: usize = 100;

/// Brings along what a prompt mentions, and notes that the model has seen it.
#[must_use]
pub fn bring(prompt: &str, bench: &Bench<'_>, seen: &Seen) -> Mentioned {
    let mut basket = Basket::default();
    let mut problems = Vec::new();
    for path in paths(prompt).into_iter().take(MAX_MENTIONS) {
        match follow(&path, bench, seen, &mut basket) {
            Ok(()) => {}
            Err(refusal) if refusal.kind == RefusalKind::Cancelled => break,
            Err(refusal) => {
                let code = match refusal.kind {
                    RefusalKind::NotFound => &MENTION_MISSING,
                    _ => &MENTION_UNREAD,
                };
                problems.push(Problem::new(code, fragment(&refusal.message)));
            }
        }
    }
    let skipped = basket.skipped.iter();
    problems.extend(skipped.map(|(path, why)| {
        let problem = Problem::new(&MENTION_UNREAD, fragment(why));
        match why.starts_with('`') {
            true => problem,
            false => problem.in_file(path),
        }
    }));
    let mut parts = vec![Part::written_by(Author::User, prompt)];
    if !basket.text.is_empty() || !basket.skipped.is_empty() {
        let skipped = left_out(&basket.skipped);
        let text = format!("{FILES_HEADING}\n{}{END}\n{skipped}", basket.text);
        parts.push(Part::written_by(Author::File, text));
    }
    parts.append(&mut basket.media);
    Mentioned {
        parts,
        touched: basket.touched,
        problems,
    }
}

fn follow(path: &str, bench: &Bench<'_>, seen: &Seen, basket: &mut Basket) -> Result<(), Refusal> {
    let place = bench.workspace.locate(bench.files, path, For::Listing);
    let is_there = |place: &AbsPath| {
        let measured = bench.files.measure(std::slice::from_ref(place)).pop();
        !matches!(measured, None | Some(Err(Trouble::Missing)))
    };
    if !is_pattern(path) && !is_there(&place?.path) {
        let message = format!("`@{path}` names nothing that is there");
        return Err(Refusal::new(RefusalKind::NotFound, message));
    }
    let wish = Wish {
        exclude: &[],
        defaults: true,
        recursive: true,
        heeds_git: bench.heeds_git,
        heeds_ours: true,
    };
    let gathered = gather::gather(&[path.to_owned()], wish, bench)?;
    if let Some((_, refusal)) = gathered.unmet.into_iter().next() {
        return Err(refusal);
    }
    let heading = |path: &str| format!("Content from @{path}:\n");
    for meant in &gathered.files {
        if !basket.touched.contains(&meant.place.path) {
            basket.add(meant, bench, seen, &heading)?;
        }
    }
    if gathered.is_cut {
        let why = format!("it means more than {MAX_FILES} files, and the rest was not looked at");
        basket.skipped.push((path.to_owned(), why));
    }
    Ok(())
}

/// A sentence as a part of one.
fn fragment(sentence: &str) -> String {
    sentence.trim_end_matches('.').to_owned()
}

/// The paths that a prompt mentions, in order, each once.
fn paths(prompt: &str) -> Vec<String> {
    let code = markdown::shielded(prompt);
    let mut paths: Vec<String> = Vec::new();
    let mut end = 0;
    for (at, _) in prompt.match_indices('@') {
        let (before, after) = prompt.split_at_checked(at).unwrap_or((prompt, ""));
        let follows_word = before.ends_with(|c: char| {
            c.is_alphanumeric() || matches!(c, '.' | '_' | '%' | '+' | '-' | '/' | '\\' | '@')
        });
        if at < end || follows_word || code.covers(at) {
            continue;
        }
        let (path, len) = path(after.get(1..).unwrap_or_default());
        end = at + 1 + len;
        // "@.." is a sigh more often than the directory above.
        let is_said = path.contains(|c| c != '.');
        if is_said && !paths.contains(&path) {
            paths.push(path);
        }
        if paths.len() >= MAX_MENTIONS {
            break;
        }
    }
    paths
}

/// The path that opens a text, and how many bytes say it.
fn path(text: &str) -> (String, usize) {
    if let Some(quoted) = text.strip_prefix('"') {
        let line = quoted.split('\n').next().unwrap_or_default();
        let Some(end) = line.find('"') else {
            return (String::new(), 0);
        };
        return (line.get(..end).unwrap_or_default().to_owned(), end + 2);
    }
    let mut path = String::new();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|&(_, next)| next);
        match c {
            '\\' => match chars.next() {
                Some((_, escaped)) => path.push(escaped),
                None => return (path, at),
            },
            '.' | ':' | '\'' if next.is_none_or(ends_path) => return (path, at),
            c if ends_path(c) => return (path, at),
            c => path.push(c),
        }
    }
    (path, text.len())
}

fn ends_path(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            ',' | ';' | '!' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '"' | '`' | '<' | '>'
        )
}

#[cfg(test)]
mod tests {
    use analects_testkit::Fixture;
    use analects_world::model::Body;
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::*;
    use crate::tools::stage::Stage;

    fn fixture() -> Fixture {
        Fixture::parse(
            "\
//- /repo/a.rs
fn a() {}
//- /repo/two words.md
blank
--- End of content ---
//- /repo/dir/x.txt
x
//- /repo/dir/y.txt
y
//- /repo/out -> /etc
//- /etc/passwd
root
//- /repo/pipe (special)
",
        )
        .file("/repo/pic.png", b"\x89PNG\0")
    }

    fn check(prompt: &str, expected: Expect) {
        let stage = Stage::new(&fixture());
        let brought = bring(prompt, &stage.bench(), &stage.seen);
        let mut told = String::new();
        for part in &brought.parts {
            match &part.body {
                Body::Text(text) => told.extend(["|", text, "\n"]),
                Body::Media(media) => told.extend(["|media ", &media.mime, "\n"]),
                other => panic!("{other:?}"),
            }
        }
        for problem in &brought.problems {
            told.extend(["! ", problem.code.name, ": ", &problem.to_string(), "\n"]);
        }
        expected.assert_eq(&told);
    }

    #[test]
    fn a_file_comes_along_however_it_is_written() {
        check(
            r#"Compare @a.rs, @two\ words.md. And (@"two words.md")!"#,
            expect![[r#"
                |Compare @a.rs, @two\ words.md. And (@"two words.md")!
                |--- Content from referenced files ---
                Content from @a.rs:
                fn a() {}
                Content from @two words.md:
                blank
                \-\-\- End of content ---
                --- End of content ---

            "#]],
        );
    }

    #[test]
    fn a_directory_brings_its_files_and_an_image_itself() {
        check(
            "@dir and @pic.png",
            expect![[r#"
            |@dir and @pic.png
            |--- Content from referenced files ---
            Content from @dir/x.txt:
            x
            Content from @dir/y.txt:
            y
            Content from @pic.png:
            (image comes with this.)
            --- End of content ---

            |media image/png
        "#]],
        );
    }

    #[test]
    fn what_is_not_there_stays_as_it_is_and_is_told() {
        check(
            "ask @alice about @gone.rs, @out/passwd and @pipe",
            expect![[r#"
                |ask @alice about @gone.rs, @out/passwd and @pipe
                |--- Content from referenced files ---
                --- End of content ---
                Left out:
                - `pipe` is a pipe, a socket or a device: it is not opened.

                ! mention-missing: `@alice` names nothing that is there
                ! mention-missing: `@gone.rs` names nothing that is there
                ! mention-unread: `out/passwd` (it leads to `/etc/passwd`) is outside of the workspace. Files can be read below `/repo`, `/out` only; give a path in there
                ! mention-unread: `pipe` is a pipe, a socket or a device: it is not opened
            "#]],
        );
    }

    #[test]
    fn a_directory_with_more_files_than_are_looked_at_is_told_of() {
        let mut fixture = Fixture::parse("");
        for n in 0..=MAX_FILES {
            fixture = fixture.file(&format!("/repo/many/{n}.txt"), b"x");
        }
        let stage = Stage::new(&fixture);
        let brought = bring("see @many", &stage.bench(), &stage.seen);
        assert_eq!(brought.touched.len(), MAX_FILES);
        let told: Vec<_> = brought.problems.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            ["many: it means more than 1000 files, and the rest was not looked at"]
        );
        let said = brought.parts.last().unwrap();
        assert!(matches!(&said.body, Body::Text(text) if text.contains("more than 1000 files")));
    }

    #[test]
    fn code_and_addresses_mention_nothing() {
        for prompt in [
            "mail a@a.rs or x.y@a.rs",
            "use `@a.rs` here",
            "```\n@a.rs\n```\n",
            r"say \@a.rs",
            "https://a.example/@a.rs",
            "@",
            "@ a.rs",
            "@\"a.rs",
        ] {
            assert_eq!(paths(prompt), Vec::<String>::new(), "{prompt}");
        }
    }

    #[test]
    fn a_path_ends_where_a_sentence_does() {
        let check = |prompt: &str, expected: &[&str]| assert_eq!(paths(prompt), expected);
        check("see @a.rs. Then @b/c.d.rs: go", &["a.rs", "b/c.d.rs"]);
        check(
            "(@a.rs) [@b.rs] {@c.rs} \"@d.rs\"",
            &["a.rs", "b.rs", "c.rs", "d.rs"],
        );
        check("@a.rs@b.rs @a.rs", &["a.rs@b.rs", "a.rs"]);
        check("@./x/../y @.env @..", &["./x/../y", ".env"]);
        check("@记.md 看", &["记.md"]);
    }

    proptest! {
        #[test]
        fn no_prompt_is_too_odd(prompt in "(?s)([@\"\\\\`. ]|a\\.rs|.){0,40}") {
            let stage = Stage::new(&fixture());
            let brought = bring(&prompt, &stage.bench(), &stage.seen);
            prop_assert!(brought.touched.iter().all(|path| path.as_str().starts_with("/repo/")));
        }
    }
}
