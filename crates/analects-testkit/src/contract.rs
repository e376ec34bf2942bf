//! What every `Files` door promises, checked the same way on the fake and on the real disk; and, in
//! [`search`], every `Search` door, and by [`claims`] every `Claims` door.

mod claims;
pub mod search;

use analects_world::AbsPath;
use analects_world::files::{Files, Found, Kind, Pick, Subdirs, Trouble, Want, Within};

use crate::Fixture;

pub use claims::claims;

/// The tree the contract is checked on; all paths lie below `/T`.
const TREE: &str = "\
//- /T/repo/GEMINI.md
root
//- /T/repo/a/GEMINI.md
deep
//- /T/repo/a/.gemini/GEMINI.md
dotted
//- /T/repo/a/note.md
//- /T/repo/a/note.txt
//- /T/repo/b/GEMINI.md/
//- /T/repo/pipe/GEMINI.md (special)
//- /T/repo/inside.md -> a/GEMINI.md
//- /T/repo/absolute.md -> /T/repo/a/GEMINI.md
//- /T/repo/outside.md -> ../secret.md
//- /T/repo/a%2Eb.md -> ../secret.md
//- /T/repo/round.md -> round.md
//- /T/repo/dangling.md -> nowhere
//- /T/repo/out -> ../other
//- /T/repo/linked -> a
//- /T/secret.md
secret
//- /T/other/GEMINI.md
other
//- /T/way-in -> repo
";

/// Checks the whole contract. `build` makes a door over the tree and says where `/T` really is.
pub fn files<Door: Files>(build: impl FnOnce(&Fixture) -> (Door, AbsPath)) {
    let (door, top) = build(&Fixture::parse(TREE));
    let case = Case { files: &door, top };
    case.lists_names_and_subdirectories();
    case.answers_in_order();
    case.looks_names_up_without_subdirectories();
    case.finds_by_suffix();
    case.reads_up_to_the_limit();
    case.names_what_is_no_file();
    case.judges_by_the_opened_file();
    case.follows_no_link_to_a_file_itself();
    case.measures_and_takes_pieces();
    case.tells_whose_things_are();
    case.resolves_links();
    case.tells_where_links_point();
}

struct Case<'a> {
    files: &'a dyn Files,
    top: AbsPath,
}

impl Case<'_> {
    fn at(&self, path: &str) -> AbsPath {
        self.top.join(path)
    }

    fn pick(names: &[&str], subdirs: Subdirs) -> Pick {
        Pick {
            names: names.iter().map(|&name| name.to_owned()).collect(),
            suffix: None,
            subdirs,
        }
    }

    fn read(&self, path: &str, root: Option<&str>) -> Result<String, Trouble> {
        let (path, root) = (self.at(path), root.map(|root| self.at(root)));
        let within = root.as_ref().map_or(Within::Anywhere, Within::Root);
        let want = Want {
            path: &path,
            within,
            limit_bytes: 1000,
        };
        self.files
            .read_one(want)
            .map(|blob| String::from_utf8(blob.bytes).unwrap())
    }

    fn lists_names_and_subdirectories(&self) {
        let pick = Self::pick(&["GEMINI.md", ".gemini/GEMINI.md"], Subdirs::Report);
        let mut listing = self.files.list_one(&self.at("repo"), &pick).unwrap();
        listing.subdirs.sort();
        assert_eq!(
            listing.subdirs,
            ["a", "b", "pipe"],
            "links to directories are no sub-directories"
        );
        assert_eq!(listing.found, [found("GEMINI.md", Kind::File)]);
        let mut deep = self
            .files
            .list_one(&self.at("repo/a"), &pick)
            .unwrap()
            .found;
        deep.sort();
        assert_eq!(
            deep,
            [
                found(".gemini/GEMINI.md", Kind::File),
                found("GEMINI.md", Kind::File)
            ]
        );
        let kind = |dir: &str| self.files.list_one(&self.at(dir), &pick).unwrap().found[0].kind;
        assert_eq!(kind("repo/b"), Kind::Dir);
        assert_eq!(kind("repo/pipe"), Kind::Special);
        assert_eq!(
            kind("repo/linked"),
            Kind::File,
            "a linked directory can be listed when named"
        );
    }

    fn follows_no_link_to_a_file_itself(&self) {
        let read = |path: &str| {
            let path = self.at(path);
            let want = Want {
                path: &path,
                within: Within::Itself,
                limit_bytes: 1000,
            };
            self.files.read_one(want).map(drop)
        };
        assert_eq!(read("repo/a/GEMINI.md"), Ok(()));
        for link in ["repo/inside.md", "repo/linked/GEMINI.md", "repo/outside.md"] {
            assert_eq!(read(link), Err(Trouble::Outside), "{link}");
        }
    }

    fn tells_where_links_point(&self) {
        let link = |path: &str| self.files.link(&self.at(path));
        let points = |target: &str| Ok(Some(target.to_owned()));
        assert_eq!(link("repo/inside.md"), points("a/GEMINI.md"));
        assert_eq!(link("repo/linked"), points("a"));
        assert_eq!(link("repo/dangling.md"), points("nowhere"));
        assert_eq!(link("repo/round.md"), points("round.md"));
        assert_eq!(link("way-in/outside.md"), points("../secret.md"));
        assert_eq!(link("repo/GEMINI.md"), Ok(None));
        assert_eq!(link("repo/a"), Ok(None));
        assert_eq!(link("repo/none"), Err(Trouble::Missing));
    }

    fn answers_in_order(&self) {
        let dirs: Vec<_> = ["repo/a", "none", "repo/GEMINI.md", "repo"]
            .map(|d| self.at(d))
            .into();
        let pick = Self::pick(&["GEMINI.md"], Subdirs::Report);
        let answers = self.files.list(&dirs, &pick);
        assert!(answers[0].is_ok() && answers[3].is_ok());
        assert_eq!(answers[1], Err(Trouble::Missing));
        assert_eq!(answers[2], Err(Trouble::NotDir));
    }

    fn looks_names_up_without_subdirectories(&self) {
        let names = [
            "GEMINI.md",
            "inside.md",
            "dangling.md",
            "absent.md",
            ".gemini/GEMINI.md",
        ];
        let pick = Self::pick(&names, Subdirs::Skip);
        let mut listing = self.files.list_one(&self.at("repo"), &pick).unwrap();
        listing.found.sort();
        assert_eq!(
            listing.found,
            [
                found("GEMINI.md", Kind::File),
                found("dangling.md", Kind::Link),
                found("inside.md", Kind::Link),
            ]
        );
        assert!(listing.subdirs.is_empty());
        assert_eq!(
            self.files.list_one(&self.at("none"), &pick),
            Err(Trouble::Missing)
        );
        let file = self.files.list_one(&self.at("repo/GEMINI.md"), &pick);
        assert_eq!(file, Err(Trouble::NotDir));
    }

    fn finds_by_suffix(&self) {
        let pick = Pick {
            names: vec![],
            suffix: Some(".md".to_owned()),
            subdirs: Subdirs::Skip,
        };
        let mut found_names = self
            .files
            .list_one(&self.at("repo/a"), &pick)
            .unwrap()
            .found;
        found_names.sort();
        assert_eq!(
            found_names,
            [found("GEMINI.md", Kind::File), found("note.md", Kind::File)]
        );
    }

    fn reads_up_to_the_limit(&self) {
        let path = self.at("repo/GEMINI.md");
        let want = |limit_bytes| Want {
            path: &path,
            within: Within::Anywhere,
            limit_bytes,
        };
        let cut = self.files.read_one(want(2)).unwrap();
        assert_eq!(
            (cut.bytes.as_slice(), cut.len, cut.is_cut()),
            (&b"ro"[..], 5, true)
        );
        let whole = self.files.read_one(want(5)).unwrap();
        assert!(!whole.is_cut());
        assert_eq!(whole.id, cut.id);
    }

    fn names_what_is_no_file(&self) {
        assert_eq!(self.read("repo/none.md", None), Err(Trouble::Missing));
        assert_eq!(self.read("repo/dangling.md", None), Err(Trouble::Missing));
        assert_eq!(self.read("repo/b/GEMINI.md", None), Err(Trouble::IsDir));
        assert_eq!(
            self.read("repo/pipe/GEMINI.md", None),
            Err(Trouble::Special)
        );
        assert_eq!(self.read("repo/round.md", None), Err(Trouble::Loop));
        assert_eq!(self.read("repo/GEMINI.md/x.md", None), Err(Trouble::NotDir));
        assert_eq!(self.read(&"n".repeat(300), None), Err(Trouble::TooLong));
    }

    fn judges_by_the_opened_file(&self) {
        let inside = |path: &str| self.read(path, Some("repo"));
        assert_eq!(inside("repo/inside.md").as_deref(), Ok("deep\n"));
        assert_eq!(
            inside("repo/absolute.md").as_deref(),
            Ok("deep\n"),
            "an absolute link may stay inside"
        );
        assert_eq!(inside("repo/outside.md"), Err(Trouble::Outside));
        assert_eq!(inside("repo/a%2Eb.md"), Err(Trouble::Outside));
        assert_eq!(inside("repo/out/GEMINI.md"), Err(Trouble::Outside));
        assert_eq!(inside("secret.md"), Err(Trouble::Outside));
        assert_eq!(
            self.read("repo/outside.md", None).as_deref(),
            Ok("secret\n")
        );
        // The root itself may be reached through a link.
        assert_eq!(
            self.read("way-in/GEMINI.md", Some("way-in")).as_deref(),
            Ok("root\n")
        );
        assert_eq!(
            self.read("way-in/GEMINI.md", Some("repo")).as_deref(),
            Ok("root\n")
        );
    }

    fn measures_and_takes_pieces(&self) {
        let measure = |path: &str| self.files.measure(&[self.at(path)]).pop().unwrap();
        let whole = self.read("repo/GEMINI.md", None).unwrap();
        assert_eq!(measure("repo/GEMINI.md").unwrap().len, whole.len() as u64);
        assert_eq!(measure("way-in/GEMINI.md"), measure("repo/GEMINI.md"));
        assert_eq!(measure("repo"), Err(Trouble::IsDir));
        assert_eq!(measure("repo/dangling.md"), Err(Trouble::Missing));
        let piece = |start: u64, limit: usize| {
            let path = self.at("repo/GEMINI.md");
            String::from_utf8(self.files.piece(&path, start, limit).unwrap()).unwrap()
        };
        assert_eq!(piece(0, 100), whole);
        assert_eq!(piece(1, 2), whole.get(1..3).unwrap());
        assert_eq!(piece(1_000, 2), "");
        let missing = self.at("repo/dangling.md");
        assert_eq!(self.files.piece(&missing, 0, 1), Err(Trouble::Missing));
    }

    fn tells_whose_things_are(&self) {
        let whose = |path: &str| self.files.ownership(&[self.at(path)]).pop().unwrap();
        let file = whose("repo/GEMINI.md").unwrap();
        assert_eq!(file.owner, file.user, "the tests made it");
        assert_eq!(file.mode & 0o002, 0, "others may not write it");
        assert_eq!(whose("way-in/GEMINI.md"), Ok(file), "links are resolved");
        assert_eq!(whose("repo").unwrap().owner, file.owner);
        assert_eq!(whose("repo/dangling.md"), Err(Trouble::Missing));
        let path = self.at("repo/GEMINI.md");
        let want = Want {
            path: &path,
            within: Within::Anywhere,
            limit_bytes: 1,
        };
        let opened = self.files.read_one(want).unwrap();
        assert_eq!(opened.ownership, file, "the opened file says the same");
    }

    fn resolves_links(&self) {
        let real = |path: &str| self.files.real(&self.at(path));
        let top = self.files.real(&self.top).unwrap();
        assert_eq!(
            real("way-in/linked/GEMINI.md"),
            Ok(top.join("repo/a/GEMINI.md"))
        );
        assert_eq!(real("repo/dangling.md"), Err(Trouble::Missing));
        let id = |path: &str| self.files.identify(&self.at(path));
        assert_eq!(id("way-in/linked"), id("repo/a"));
        assert_ne!(id("repo/a"), id("repo/b"));
        assert_eq!(id("repo/dangling.md"), Err(Trouble::Missing));
        assert_eq!(real("repo/round.md"), Err(Trouble::Loop));
    }
}

fn found(name: &str, kind: Kind) -> Found {
    Found {
        name: name.to_owned(),
        kind,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FakeFiles;

    #[test]
    fn the_fake_keeps_the_contract() {
        files(|fixture| (FakeFiles::new(fixture), AbsPath::new("/T").unwrap()));
    }
}
