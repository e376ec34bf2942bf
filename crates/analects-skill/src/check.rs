//! Checks a skill: against the standard, and for what its readers would stumble over.

use analects_text::lines::LineIndex;
use analects_text::markdown;
use analects_text::problem::Problem;
use analects_text::tokens;
use analects_world::AbsPath;
use analects_world::files::Files;

use crate::folder::{self, File};
use crate::{codes, skill};

/// Instructions have at most this many lines, as the standard advises.
const MAX_LINES: usize = 500;
/// What they cost at most, as it advises.
const MAX_TOKENS: usize = 5_000;
/// How many links are checked for leading anywhere.
const MAX_LINKS: usize = 200;

/// A skill that was looked through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checked {
    /// What is wrong with it.
    pub findings: Vec<Problem>,
    /// Its files, for whoever looks for more.
    pub files: Vec<File>,
}

/// Looks through the directory of a skill, links above it resolved.
#[must_use]
pub fn check(files: &dyn Files, dir: &AbsPath) -> Checked {
    let folder = folder::read(files, dir);
    let refused = |why: &String| Problem::new(&codes::SKILL_FAULT, why.clone()).in_file(dir);
    let refusals = folder.refusals.iter().filter(|why| !is_asset(why));
    let mut findings: Vec<_> = refusals.map(refused).collect();
    let first = folder.files.first();
    match first.filter(|file| file.name == skill::FILE) {
        Some(file) => findings.extend(judge(&file.text, dir, &folder.files)),
        None if findings.is_empty() => {
            let why = format!("there is no `{}` in it", skill::FILE);
            findings.push(Problem::new(&codes::SKILL_FAULT, why).in_file(dir));
        }
        None => {}
    }
    Checked {
        findings,
        files: folder.files,
    }
}

/// Whether it is only said that a file is no text: a picture may well belong to a skill.
fn is_asset(why: &str) -> bool {
    why.ends_with(folder::NO_TEXT) && !why.contains(skill::FILE)
}

/// What is wrong with a `SKILL.md` that lies beside these files.
fn judge(text: &str, dir: &AbsPath, beside: &[File]) -> Vec<Problem> {
    let path = dir.join(skill::FILE);
    let draft = skill::read(text, dir.file_name());
    let fault = |fault: &skill::Fault| {
        let problem = Problem::new(&codes::SKILL_FAULT, fault.why.clone());
        problem.in_file(&path).on_line(fault.line)
    };
    let mut findings: Vec<_> = draft.faults.iter().map(fault).collect();
    let body = draft.body.trim();
    let mut advise = |code, why: String| findings.push(Problem::new(code, why).in_file(&path));
    if body.is_empty() {
        let why = "it has no instructions".to_owned();
        advise(&codes::SKILL_FAULT, why);
    }
    let n_lines = body.lines().count();
    if n_lines > MAX_LINES {
        let why = format!("its instructions have {n_lines} lines, more than {MAX_LINES}");
        advise(&codes::SKILL_LONG, why);
    }
    let n_tokens = tokens::estimate(body);
    if n_tokens > MAX_TOKENS {
        let why = format!("its instructions cost about {n_tokens} tokens, more than {MAX_TOKENS}");
        advise(&codes::SKILL_LONG, why);
    }
    let is_there = |link: &str| {
        let target = dir.join(link);
        let is_dir = |file: &File| {
            file.name
                .starts_with(&format!("{}/", link.trim_end_matches('/')))
        };
        let is_file = |file: &File| dir.join(&file.name) == target;
        beside.iter().any(|file| is_file(file) || is_dir(file))
    };
    let index = LineIndex::new(text);
    for (at, link) in links(text) {
        if !is_there(link) {
            let why = format!("there is no `{}`", analects_text::frontmatter::shown(link));
            let problem = Problem::new(&codes::SKILL_LINK, why).in_file(&path);
            findings.push(problem.on_line(index.line(at)));
        }
    }
    findings
}

/// The links that lead to files beside it, each with where it stands. What stands in code is none.
fn links(text: &str) -> Vec<(usize, &str)> {
    let shielded = markdown::shielded(text);
    let opened = text.match_indices("](").take(MAX_LINKS);
    let link = |(at, _): (usize, &str)| {
        let rest = text.get(at + 2..)?;
        let target = rest.get(..rest.find(')')?)?;
        let target = target.split('#').next().unwrap_or_default();
        let is_path = !target.is_empty()
            && target.len() < 200
            && !target.starts_with('/')
            && !target.contains(|c: char| c.is_whitespace() || matches!(c, ':' | '<' | '{' | '*'));
        (is_path && !shielded.covers(at)).then_some((at, target))
    };
    opened.filter_map(link).collect()
}

#[cfg(test)]
mod tests {
    use analects_testkit::{Entry, FakeFiles, Fixture, show_problems};
    use expect_test::{Expect, expect};

    use super::*;

    const HEAD: &str = "---\nname: deploy\ndescription: Deploys it. Use it on Thursdays.\n---\n";

    fn found(fixture: &Fixture, expected: Expect) {
        let dir = AbsPath::new("/s/deploy").unwrap();
        let checked = check(&FakeFiles::new(fixture), &dir);
        expected.assert_eq(&show_problems(&checked.findings));
    }

    #[test]
    fn a_good_skill_has_no_findings() {
        let text = format!(
            "{HEAD}See [how](references/how.md#top), [all](references), [web](https://x.org).\n\
             Not `[this](gone.md)`.\n```\n[nor](this.md)\n```\n"
        );
        let fixture = Fixture::default()
            .file("/s/deploy/SKILL.md", text)
            .file("/s/deploy/references/how.md", "So.\n");
        found(&fixture, expect![""]);
    }

    #[test]
    fn everything_that_is_wrong_is_told_with_its_line() {
        let body = "Do it.\n".repeat(600);
        let text = format!("---\nname: ../../x\nmodel: pro\n---\n[a](gone.md)\n{body}");
        let fixture = Fixture::default()
            .file("/s/deploy/SKILL.md", text)
            .file("/s/deploy/blob", b"\0\xFF")
            .with("/s/deploy/key", Entry::Link("/etc/passwd".to_owned()));
        found(
            &fixture,
            expect![[r#"
            ! skill-fault: /s/deploy: `key` is a link
            ! skill-fault: /s/deploy/SKILL.md:2: `../../x` cannot be a name: 1 to 64 small letters, digits and single hyphens between them
            ! skill-fault: /s/deploy/SKILL.md:3: the standard knows no field `model`
            ! skill-fault: /s/deploy/SKILL.md:1: `description` is missing
            ! skill-long: /s/deploy/SKILL.md: its instructions have 601 lines, more than 500
            ! skill-link: /s/deploy/SKILL.md:5: there is no `gone.md`
        "#]],
        );
        let none = Fixture::default().file("/s/deploy/README.md", "x");
        found(
            &none,
            expect![[r#"
            ! skill-fault: /s/deploy: there is no `SKILL.md` in it
        "#]],
        );
        let empty = Fixture::default().file("/s/deploy/SKILL.md", HEAD);
        found(
            &empty,
            expect![[r#"
            ! skill-fault: /s/deploy/SKILL.md: it has no instructions
        "#]],
        );
        found(
            &Fixture::default(),
            expect![[r#"
            ! skill-fault: /s/deploy: `deploy` is a link, or not a directory
        "#]],
        );
    }
}
