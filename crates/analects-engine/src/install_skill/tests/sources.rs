//! What sources are, and what they are not.

use super::super::source::{Source, understand};
use super::*;

fn meant(desk: &FakeDesk, said: &str, reference: Option<&str>) -> Result<String, String> {
    let around = surroundings("/w/app", "/h", &[]);
    let source = understand(&desk.world(&around), said, reference);
    let told = |source| match source {
        Source::Directory(path) => format!("directory {path}"),
        Source::Package(path) => format!("package {path}"),
        Source::Repository { url, reference } => {
            format!("repository {url} {}", reference.unwrap_or_default())
        }
    };
    source.map(told).map_err(|failure| failure.message)
}

#[test]
fn a_source_is_understood() {
    let desk = desk();
    desk.edit("/src/x.skill", "");
    desk.edit("/src/a#b/SKILL.md", SKILL);
    desk.edit("/src/bare.git/HEAD", "ref: refs/heads/main\n");
    desk.edit("/src/bare.git/objects/x", "");
    desk.edit("/w/app/.git/HEAD", "ref: refs/heads/main\n");
    let check = |said: &str, expected: &str| {
        assert_eq!(meant(&desk, said, None).as_deref(), Ok(expected), "{said}");
    };
    check("/src/deploy", "directory /src/deploy");
    check("../../src/deploy/SKILL.md", "directory /src/deploy");
    check("/src/x.skill", "package /src/x.skill");
    check("/src/a#b", "directory /src/a#b");
    check("/src/bare.git", "repository /src/bare.git ");
    check("/src/bare.git#v1", "repository /src/bare.git v1");
    check(".", "directory /w/app");
    check(".#main", "repository /w/app main");
    check(
        "https://host/a.git#v1.0",
        "repository https://host/a.git v1.0",
    );
    check("HTTPS://host/a", "repository HTTPS://host/a ");
    check("ssh://git@host:22/a", "repository ssh://git@host:22/a ");
    check(
        "git@host.org:me/a.git#x/y",
        "repository git@host.org:me/a.git x/y",
    );
    check("file:///src/bare.git", "repository file:///src/bare.git ");
    let named = meant(&desk, "https://host/a", Some("v2"));
    assert_eq!(named.as_deref(), Ok("repository https://host/a v2"));
}

#[test]
fn what_runs_a_program_or_can_be_changed_on_its_way_is_no_source() {
    let desk = desk();
    let refused = |said: &str| meant(&desk, said, None).unwrap_err();
    for said in [
        "ext::sh -c id",
        "fd::7",
        "-u=x",
        "--upload-pack=x",
        "http://host/a",
        "git://host/a",
        "javascript://x",
        "",
        "a\nb",
        "git@-oProxyCommand=id:x",
        "https://host/a#-x",
        "https://host/a#a..b",
        "https://host/a#a b",
        "/src/deploy#v1",
        "/none",
    ] {
        let why = refused(said);
        assert!(!why.is_empty(), "{said}");
    }
    assert!(refused("ext::sh -c id").contains("would run a program"));
    assert!(refused("/src/deploy#v1").contains("it is no repository"));
    let both = meant(&desk, "https://host/a#v1", Some("v2")).unwrap_err();
    assert!(both.contains("two branches or tags"), "{both}");
    desk.edit("/src/readme.txt", "x");
    assert!(refused("/src/readme.txt").contains("is no skill"));
    let around = surroundings("/w/app", "/h", &[]);
    let short = understand(&desk.world(&around), "me/skills", None).unwrap_err();
    assert!(
        short.hints[0].contains("https://github.com/me/skills"),
        "{short:?}"
    );
}

#[test]
fn a_repository_is_told_with_its_commit_and_without_its_password() {
    let desk = desk();
    desk.repository("https://me:pw@host/skills", "/src");
    let wish = from("https://me:pw@host/skills#main");
    let answer = install(&desk, &wish).unwrap();
    assert_eq!(answer.source.location, "https://host/skills");
    assert_eq!(answer.source.reference.as_deref(), Some("main"));
    assert!(answer.source.commit.unwrap().starts_with("c0ffee"));
    let why = &desk.commits()[0].0.why;
    assert_eq!(
        why,
        "install the skill deploy from https://host/skills#main at c0ffee000000"
    );
    let failed = install(&desk, &from("https://me:pw@host/none")).unwrap_err();
    assert!(
        failed
            .message
            .contains("no repository at https://host/none"),
        "{failed}"
    );
    assert!(!format!("{failed:?}").contains("pw"), "{failed:?}");
}

/// A package of files that are not compressed.
fn package(files: &[(&str, &str)]) -> Vec<u8> {
    use std::io::Write;
    let mut bytes = Vec::new();
    let mut archive = rawzip::ZipArchiveWriter::new(&mut bytes);
    for (name, text) in files {
        let (mut entry, _) = archive
            .new_file(rawzip::path::EntryPath::verbatim(name.as_bytes()))
            .start()
            .unwrap();
        entry.write_all(text.as_bytes()).unwrap();
        let crc = rawzip::crc32(text.as_bytes());
        let said = rawzip::DataDescriptorOutput::new(crc, text.len() as u64);
        entry.finish(said).unwrap();
    }
    archive.finish().unwrap();
    bytes
}

#[test]
fn a_package_is_installed_and_a_bad_one_is_refused() {
    let desk = desk();
    let good = package(&[("deploy/SKILL.md", SKILL), ("deploy/a.md", "a\n")]);
    desk.put("/src/deploy.skill", Entry::File(good));
    let answer = install(&desk, &from("/src/deploy.skill")).unwrap();
    assert_eq!(answer.skills[0].name, "deploy");
    assert_eq!(desk.text(HERE).as_deref(), Some(SKILL));
    assert_eq!(
        desk.text("/h/.gemini/skills/deploy/a.md").as_deref(),
        Some("a\n")
    );
    for bad in [
        package(&[("SKILL.md", SKILL), ("../../x", "x")]),
        package(&[("README.md", "x")]),
        b"nothing".to_vec(),
    ] {
        desk.put("/src/bad.skill", Entry::File(bad));
        let refused = install(&desk, &from("/src/bad.skill")).unwrap_err();
        assert!(
            refused.message.contains("`bad.skill` cannot be taken"),
            "{refused}"
        );
    }
    assert_eq!(desk.commits().len(), 1);
}
