//! Changing the rules: one member of the file, under the lock that Gemini CLI takes too.

use analects_world::AbsPath;
use analects_world::changes::{Change, Changes};
use analects_world::desk::Guard;
use analects_world::files::Files;

use super::{Level, path, record};
use crate::jsonc::{self, Bad};
use crate::verbs::{Failure, Flags};
use crate::write::{self, Written};
use crate::{World, json_edit};

/// Sets or removes the rule about a folder. A file that cannot be read is not touched.
pub fn set(
    world: &World<'_>,
    flags: &Flags,
    folder: &AbsPath,
    level: Option<Level>,
    who: &str,
) -> Result<Written, Failure> {
    let path = path(world);
    let about = match level {
        Some(Level::TrustParent) => folder.parent().unwrap_or_else(|| folder.clone()),
        _ => folder.clone(),
    };
    let about = world.files.real_or_same(&about);
    let is_trusted = matches!(level, Some(Level::TrustFolder | Level::TrustParent));
    let mut plan = |files: &dyn Files| {
        let old = write::text_of(files, &path)?;
        let text = old.as_deref().unwrap_or_default();
        let bad = |bad: Bad| {
            Failure::failed(format!("cannot change `{path}`: {}", bad.message))
                .hint("repair the file first; nothing was changed")
        };
        let keys = keys_of(text, folder).map_err(bad)?;
        if level.is_none() && keys.is_empty() {
            return Err(no_rule(folder));
        }
        let name = keys.last().map_or(folder.as_str(), String::as_str);
        let mut new = text.to_owned();
        if keys.len() > 1 {
            // One folder, several rules: readers disagree on which counts, so one rule remains.
            for key in &keys {
                new = json_edit::set(&new, &[key], None).map_err(bad)?;
            }
        }
        let new = json_edit::set(&new, &[name], level.map(Level::as_str)).map_err(bad)?;
        let is_same = old.as_deref() == Some(new.as_str());
        let old = old.as_deref().map(str::as_bytes);
        let change = Change::new(&path, old, Some(new.into_bytes())).owner_only();
        let rule = (!is_same).then_some(change);
        let record = record::plan_record(world, files, &about, is_trusted)?;
        let files = rule.into_iter().chain(record).collect();
        Ok(Changes::new(who, format!("trust of {folder}"), files))
    };
    write::write(world, flags, &[Guard(path.clone())], &mut plan)
}

/// The keys under which rules about `folder` stand in the file, however they are spelled there.
fn keys_of(text: &str, folder: &AbsPath) -> Result<Vec<String>, Bad> {
    let root = jsonc::parse_object(text.trim_start_matches('\u{FEFF}'))?;
    let keys = root.object().unwrap_or_default().iter().map(|(key, _)| key);
    let is_about = |key: &&String| AbsPath::new(key).is_ok_and(|path| path == *folder);
    Ok(keys.filter(is_about).cloned().collect())
}

fn no_rule(folder: &AbsPath) -> Failure {
    Failure::bad_input(format!("there is no rule about `{folder}`"))
        .hint("`analects trust show` lists all rules")
}

#[cfg(test)]
mod tests {
    use analects_testkit::{FakeDesk, surroundings};

    use analects_world::changes::Access;

    use super::*;
    use crate::verbs::FailureKind;

    const FILE: &str = "/h/.gemini/trustedFolders.json";

    fn change(desk: &FakeDesk, folder: &str, level: Option<Level>) -> Result<Written, Failure> {
        let around = surroundings("/", "/h", &[]);
        let world = desk.world(&around);
        let folder = AbsPath::new(folder).unwrap();
        set(&world, &Flags::default(), &folder, level, "test")
    }

    #[test]
    fn a_rule_is_added_changed_and_removed() {
        let desk = FakeDesk::parse("");
        change(&desk, "/w/a", Some(Level::TrustFolder)).unwrap();
        change(&desk, "/w/b", Some(Level::DoNotTrust)).unwrap();
        change(&desk, "/w/a", Some(Level::TrustParent)).unwrap();
        let text = "{\n  \"/w/a\": \"TRUST_PARENT\",\n  \"/w/b\": \"DO_NOT_TRUST\"\n}";
        assert_eq!(desk.text(FILE).as_deref(), Some(text));
        change(&desk, "/w/a", None).unwrap();
        assert_eq!(
            desk.text(FILE).as_deref(),
            Some("{\n  \"/w/b\": \"DO_NOT_TRUST\"\n}")
        );
        let (changes, guards) = desk.commits().pop().unwrap();
        assert_eq!(guards, [Guard(AbsPath::new(FILE).unwrap())]);
        assert_eq!(changes.files[0].access, Access::OwnerOnly);
    }

    #[test]
    fn the_same_rule_again_writes_nothing() {
        let desk = FakeDesk::parse("");
        change(&desk, "/w", Some(Level::TrustFolder)).unwrap();
        let again = change(&desk, "/w", Some(Level::TrustFolder)).unwrap();
        assert_eq!((again.diff.as_str(), desk.commits().len()), ("", 1));
    }

    #[test]
    fn a_rule_that_is_spelled_otherwise_is_found() {
        let desk = FakeDesk::parse(&format!("//- {FILE}\n{{\"/w/a/\": \"TRUST_FOLDER\"}}"));
        change(&desk, "/w/a", Some(Level::DoNotTrust)).unwrap();
        assert_eq!(
            desk.text(FILE).as_deref(),
            Some("{\"/w/a/\": \"DO_NOT_TRUST\"}")
        );
    }

    #[test]
    fn several_rules_about_one_folder_become_one() {
        let text = r#"{"/w/a": "TRUST_FOLDER", "/w/b": "TRUST_FOLDER", "/w/a/": "TRUST_FOLDER", "/w/a": "TRUST_FOLDER"}"#;
        let desk = FakeDesk::parse(&format!("//- {FILE}\n{text}"));
        change(&desk, "/w/a", Some(Level::DoNotTrust)).unwrap();
        let text = desk.text(FILE).unwrap();
        assert_eq!(text.matches("/w/a").count(), 1, "{text}");
        assert!(
            text.contains(r#""/w/a": "DO_NOT_TRUST""#) && text.contains("/w/b"),
            "{text}"
        );
    }

    #[test]
    fn a_byte_order_mark_stays() {
        let desk = FakeDesk::parse(&format!("//- {FILE}\n\u{FEFF}{{}}"));
        change(&desk, "/w", Some(Level::TrustFolder)).unwrap();
        assert!(desk.text(FILE).unwrap().starts_with("\u{FEFF}{"));
    }

    #[test]
    fn a_file_that_cannot_be_read_is_not_overwritten() {
        for text in ["[]", "{\"/w\": ", "{\"a\": \"\\ud800\"}"] {
            let desk = FakeDesk::parse(&format!("//- {FILE}\n{text}"));
            let failure = change(&desk, "/w", Some(Level::TrustFolder)).unwrap_err();
            assert!(failure.message.starts_with("cannot change"), "{failure}");
            assert_eq!(desk.text(FILE).as_deref(), Some(text));
        }
    }

    #[test]
    fn to_remove_a_rule_that_is_not_there_is_bad_input() {
        let failure = change(&FakeDesk::parse(""), "/w", None).unwrap_err();
        assert_eq!(failure.kind, FailureKind::BadInput);
    }
}
