//! Giving a project its folder: registry and markers, written together under Gemini CLI's lock.

use analects_memory::discover::Trust;
use analects_world::AbsPath;
use analects_world::changes::{Change, Changes, ContentHash};
use analects_world::desk::Guard;
use analects_world::files::Files;

use super::kin::{self, Notes};
use super::migrate;
use super::registry::{self, Owner, Registry};
use super::repository::RepositoryIdentity;
use crate::verbs::{Failure, Flags};
use crate::write::{self, Written};
use crate::{World, json_edit};

/// A project's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimed {
    /// Its name.
    pub slug: String,
    /// The private memory in it.
    pub memory: AbsPath,
    /// Where the project was before it moved, if it did.
    pub moved_from: Option<AbsPath>,
    /// What was written for it.
    pub written: Written,
}

/// Finds the folder of a project or makes one, and heals what contradicts it.
///
/// `wanted` names a folder whose own project is gone: it is adopted.
pub fn claim(
    world: &World<'_>,
    flags: &Flags,
    project: &AbsPath,
    wanted: Option<&str>,
    trust: Trust,
    who: &str,
) -> Result<Claimed, Failure> {
    let global = world.around.global_dir();
    // Asked once and before any lock is taken: git walks the whole history for it. What was noted of this very
    // `.git` still holds.
    let noted = Notes::read(world.files, &global).root_commit(world.files, project);
    let root_commit = noted.or_else(|| kin::root_commit(world, project, trust));
    let mut found = None;
    let mut plan = |files: &dyn Files| {
        let chosen = match wanted {
            Some(slug) => orphan(files, &global, slug)?,
            None => choose(world, files, project, &|| root_commit.clone())?,
        };
        let kin = root_commit.as_deref();
        let changes = changes(files, &global, project, &chosen, kin, who)?;
        found = Some(chosen);
        Ok(changes)
    };
    // Nearly always everything is in place; then nobody has to wait for a lock to hear so, unless a writer died and left
    // something to be put away.
    let is_settled = plan(world.files).is_ok_and(|changes| changes.files.is_empty())
        && write::unfinished(world).is_none();
    let written = if is_settled {
        Written::nothing()
    } else {
        let guard = Guard(Registry::path(&global));
        write::write(world, flags, &[guard], &mut plan)?
    };
    let chosen = found.ok_or_else(|| Failure::failed("the plan was never asked"))?;
    Ok(Claimed {
        memory: global.join("tmp").join(&chosen.slug).join("memory"),
        slug: chosen.slug,
        moved_from: chosen.moved_from,
        written,
    })
}

struct Chosen {
    slug: String,
    moved_from: Option<AbsPath>,
}

/// A folder whose project is gone, by its name.
fn orphan(files: &dyn Files, global: &AbsPath, slug: &str) -> Result<Chosen, Failure> {
    let registry = Registry::read(files, global);
    let folder = registry
        .marked_folders(files)
        .into_iter()
        .find(|(name, _)| name == slug);
    let Some((_, Owner::Project(from))) = folder else {
        return Err(
            Failure::bad_input(format!("there is no private folder `{slug}`"))
                .hint("`analects doctor` lists those whose project is gone"),
        );
    };
    if files.real(&from).is_ok() {
        return Err(Failure::bad_input(format!(
            "`{slug}` belongs to {from}, which is still there"
        ))
        .hint("only a folder whose project is gone can be adopted"));
    }
    Ok(Chosen {
        slug: slug.to_owned(),
        moved_from: Some(from),
    })
}

fn choose(
    world: &World<'_>,
    files: &dyn Files,
    project: &AbsPath,
    root_commit: &dyn Fn() -> Option<String>,
) -> Result<Chosen, Failure> {
    let global = world.around.global_dir();
    let registry = Registry::read(files, &global);
    let notes = Notes::read(files, &global);
    let registered = registry.slug(files, project);
    let others = registered
        .clone()
        .filter(|slug| notes.contradict(files, (slug, project), root_commit));
    let slug = match &others {
        Some(_) => notes.slug_of_same(files, project, root_commit),
        None => registered,
    };
    if let Some(slug) = slug {
        return Ok(Chosen {
            slug,
            moved_from: None,
        });
    }
    if let Some((slug, from)) = notes.moved_from(world, files, project, root_commit) {
        return Ok(Chosen {
            slug,
            moved_from: Some(from),
        });
    }
    let wanted = slugify(project.file_name());
    let mut candidates = (0..MAX_NAMES).map(|n| match n {
        0 => wanted.clone(),
        n => format!("{wanted}-{n}"),
    });
    // Another repository at this path keeps its folder.
    let is_free = |slug: &String| {
        !registry.is_taken(files, slug, project)
            && !notes.contradict(files, (slug, project), root_commit)
    };
    let free = candidates.find(is_free);
    let slug = free.ok_or_else(|| {
        let message = format!("no folder for {project}: `{wanted}` and all like it seem taken");
        Failure::failed(message).hint(format!("see whether {global}/tmp can be read"))
    })?;
    Ok(Chosen {
        slug,
        moved_from: None,
    })
}

/// Where folders cannot be looked into, every name seems taken; nobody has so many projects of one name.
const MAX_NAMES: u32 = 10_000;

/// The name of a folder as Gemini CLI makes it. Where that drops letters of other scripts, a few digits
/// of a hash keep two names apart; the original calls them all `project`.
fn slugify(name: &str) -> String {
    let lower = name.to_lowercase();
    let mut slug = String::new();
    for c in lower.chars() {
        match c {
            'a'..='z' | '0'..='9' => slug.push(c),
            _ if !slug.ends_with('-') => slug.push('-'),
            _ => {}
        }
    }
    let slug = slug.strip_prefix('-').unwrap_or(&slug);
    let slug = slug.strip_suffix('-').unwrap_or(slug);
    let slug = if slug.is_empty() { "project" } else { slug };
    if lower.chars().any(|c| c.is_alphanumeric() && !c.is_ascii()) {
        let hash = ContentHash::of(name.as_bytes()).to_string();
        return format!("{slug}-{}", hash.get(..6).unwrap_or_default());
    }
    slug.to_owned()
}

fn changes(
    files: &dyn Files,
    global: &AbsPath,
    project: &AbsPath,
    chosen: &Chosen,
    root_commit: Option<&str>,
    who: &str,
) -> Result<Changes, Failure> {
    let registry = Registry::read(files, global);
    let mut all = registry_changes(files, global, project, chosen)?;
    for marker in registry.foreign_markers(files, &chosen.slug, chosen.moved_from.as_ref()) {
        all.extend(replace(files, &marker, project.as_str())?);
    }
    all.extend(migrate::migration(files, global, project, &chosen.slug));
    if let Some(git) = kin::git_identity(files, project) {
        let path = Notes::path(global);
        let bytes = write::bytes_of(files, &path)?.unwrap_or_default();
        let mut text = String::from_utf8(bytes).unwrap_or_default();
        let slug = chosen.slug.as_str();
        let found = RepositoryIdentity::read(files, project);
        let remote = found.as_ref().and_then(RepositoryIdentity::remote);
        let remote = remote.map(str::to_owned);
        let noted = [
            ("path", Some(project.as_str())),
            ("git", Some(git.as_str())),
            ("rootCommit", root_commit),
            ("remote", remote.as_deref()),
        ];
        for (key, value) in noted.into_iter().filter(|(_, value)| value.is_some()) {
            // Notes of ours that cannot be read are worth nothing: they are begun anew.
            text = json_edit::set(&text, &["projects", slug, key], value)
                .or_else(|_| json_edit::set("", &["projects", slug, key], value))
                .map_err(|bad| Failure::failed(bad.message))?;
        }
        all.extend(replace(files, &path, &text)?);
    }
    Ok(Changes::new(who, format!("the folder of {project}"), all))
}

/// The registry with the project in it. A damaged one is kept beside its successor, which has all projects whose
/// folders name them.
fn registry_changes(
    files: &dyn Files,
    global: &AbsPath,
    project: &AbsPath,
    chosen: &Chosen,
) -> Result<Vec<Change>, Failure> {
    let path = Registry::path(global);
    let (mut text, kept) = registry::sound_text(files, global)?;
    let mut all: Vec<_> = kept.into_iter().collect();
    let failed = |bad: crate::jsonc::Bad| Failure::failed(bad.message);
    if let Some(from) = &chosen.moved_from {
        text = json_edit::set(&text, &["projects", from.as_str()], None).map_err(failed)?;
    }
    text = json_edit::set(&text, &["projects", project.as_str()], Some(&chosen.slug))
        .map_err(failed)?;
    all.extend(replace(files, &path, &text)?);
    Ok(all)
}

/// A change that gives a file this text, unless it has it.
fn replace(files: &dyn Files, path: &AbsPath, text: &str) -> Result<Option<Change>, Failure> {
    let old = write::bytes_of(files, path)?;
    let new = text.as_bytes().to_vec();
    let is_new = old.as_ref() != Some(&new);
    Ok(is_new.then(|| Change::new(path, old.as_deref(), Some(new))))
}

#[cfg(test)]
mod tests {
    use analects_testkit::{FakeDesk, surroundings};

    use super::*;

    fn claim_in(desk: &FakeDesk, project: &str) -> Claimed {
        let around = surroundings("/", "/h", &[]);
        let world = desk.world(&around);
        let project = AbsPath::new(project).unwrap();
        claim(
            &world,
            &Flags::default(),
            &project,
            None,
            Trust::Trusted,
            "test",
        )
        .unwrap()
    }

    #[test]
    fn a_new_project_gets_a_folder_and_keeps_it() {
        let desk = FakeDesk::parse("//- /w/My App/.git/\n");
        assert_eq!(claim_in(&desk, "/w/My App").slug, "my-app");
        assert_eq!(claim_in(&desk, "/w/My App").slug, "my-app");
        assert_eq!(
            desk.commits().len(),
            1,
            "the second look found everything in place"
        );
        let registry = "{\n  \"projects\": {\n    \"/w/My App\": \"my-app\"\n  }\n}";
        assert_eq!(
            desk.text("/h/.gemini/projects.json").as_deref(),
            Some(registry)
        );
        for base in ["tmp", "history"] {
            let marker = desk.text(&format!("/h/.gemini/{base}/my-app/.project_root"));
            assert_eq!(marker.as_deref(), Some("/w/My App"));
        }
    }

    #[test]
    fn where_nothing_can_be_read_no_name_is_looked_for_for_ever() {
        let desk = FakeDesk::parse("//- /h/.gemini/tmp -> tmp\n");
        let around = surroundings("/", "/h", &[]);
        let project = AbsPath::new("/a/app").unwrap();
        let flags = Flags::default();
        let claimed = claim(
            &desk.world(&around),
            &flags,
            &project,
            None,
            Trust::Trusted,
            "test",
        );
        let message = claimed.unwrap_err().to_string();
        assert!(message.contains("seem taken"), "{message}");
        assert!(desk.commits().is_empty());
    }

    #[test]
    fn a_name_that_is_taken_gets_a_number() {
        let desk = FakeDesk::parse("//- /h/.gemini/tmp/app-1/.project_root\n/elsewhere/app");
        assert_eq!(claim_in(&desk, "/a/app").slug, "app");
        assert_eq!(claim_in(&desk, "/b/app").slug, "app-2");
    }

    #[test]
    fn names_of_other_scripts_stay_apart() {
        assert_eq!(slugify("-- A__b --"), "a-b");
        assert_eq!(slugify("..."), "project");
        let [a, b] = ["记忆", "项目"].map(slugify);
        assert!(a != b && a.starts_with("project-"), "{a} {b}");
        assert_eq!(slugify("记忆"), a, "stable");
        assert!(slugify("café").starts_with("caf-"));
    }

    #[test]
    fn a_mapping_that_a_marker_contradicts_is_dropped() {
        let desk = FakeDesk::parse(
            "//- /h/.gemini/projects.json\n{\"projects\": {\"/a/app\": \"app\"}}\n\
             //- /h/.gemini/tmp/app/.project_root\n/b/app",
        );
        assert_eq!(claim_in(&desk, "/a/app").slug, "app-1");
        assert_eq!(claim_in(&desk, "/b/app").slug, "app");
    }

    #[test]
    fn a_broken_registry_is_kept_beside_its_successor() {
        let desk = FakeDesk::parse("//- /h/.gemini/projects.json\n{oops");
        assert_eq!(claim_in(&desk, "/a/app").slug, "app");
        let commits = desk.commits();
        let kept = commits[0]
            .0
            .files
            .iter()
            .find(|c| c.path.as_str().contains("unreadable"));
        assert_eq!(kept.unwrap().text.as_deref(), Some(&b"{oops"[..]));
    }

    #[test]
    fn a_damaged_registry_is_rebuilt_from_the_markers() {
        let damaged: [&[u8]; 4] = [b"{\"projects\": {\"/a", b"\xFF\xFE", b"", b"[]"];
        for damaged in damaged {
            let desk = FakeDesk::parse(
                "//- /h/.gemini/tmp/app/.project_root\n/a/app\n\
                 //- /h/.gemini/history/app/.project_root\n/a/app\n\
                 //- /h/.gemini/history/old/.project_root\n/a/old\n\
                 //- /h/.gemini/tmp/torn/.project_root\n/a/torn\n\
                 //- /h/.gemini/history/torn/.project_root\n/elsewhere\n\
                 //- /h/.gemini/tmp/Not A Slug/.project_root\n/a/odd\n",
            );
            desk.put(
                "/h/.gemini/projects.json",
                analects_testkit::Entry::File(damaged.to_vec()),
            );
            assert_eq!(claim_in(&desk, "/b/new").slug, "new");
            let registry = desk.text("/h/.gemini/projects.json").unwrap();
            let registry: serde_json::Value = serde_json::from_str(&registry).unwrap();
            let expected = serde_json::json!({"/a/app": "app", "/a/old": "old", "/b/new": "new"});
            assert_eq!(registry["projects"], expected);
            let (changes, _) = desk.commits().remove(0);
            let mut kept = changes.files.iter().filter(|it| it.notice.is_some());
            let kept = kept.next().map(|it| (it.text.as_deref(), it.access));
            let owner_only = analects_world::changes::Access::OwnerOnly;
            assert_eq!(kept, Some((Some(damaged), owner_only)));
        }
    }

    #[test]
    fn what_lay_under_a_hash_comes_along_once() {
        let hash = ContentHash::of(b"/a/app");
        let old = format!("/h/.gemini/tmp/{hash}");
        let desk = FakeDesk::parse(&format!(
            "//- {old}/memory/GEMINI.md\nMy port is 8081.\n//- {old}/chats/session-1.json\n{{}}\n\
             //- {old}/link -> /etc/passwd\n"
        ));
        claim_in(&desk, "/a/app");
        let new = "/h/.gemini/tmp/app";
        let memory = desk.text(&format!("{new}/memory/GEMINI.md"));
        assert_eq!(memory.as_deref(), Some("My port is 8081.\n"));
        assert!(desk.text(&format!("{new}/chats/session-1.json")).is_some());
        assert!(desk.text(&format!("{new}/link")).is_none());
        assert!(
            desk.text(&format!("{old}/memory/GEMINI.md")).is_some(),
            "the old one stays"
        );
        desk.edit(&format!("{new}/memory/GEMINI.md"), "edited");
        claim_in(&desk, "/a/app");
        let memory = desk.text(&format!("{new}/memory/GEMINI.md"));
        assert_eq!(memory.as_deref(), Some("edited"), "not brought back");
    }

    #[test]
    fn a_folder_that_found_another_project_is_not_taken_back() {
        let desk = FakeDesk::parse("//- /w/p/.git/\n");
        let claimed = claim_in(&desk, "/w/p");
        assert_eq!(claimed.slug, "p");
        for base in ["tmp", "history"] {
            desk.edit(&format!("/h/.gemini/{base}/p/.project_root"), "/w/q");
        }
        desk.edit(
            "/h/.gemini/projects.json",
            "{\"projects\": {\"/w/q\": \"p\"}}",
        );
        let tree = desk.text("/h/.gemini/analects/projects.json").unwrap();
        // The same `.git` under another path: here the fake's number is noted by hand.
        let moved = FakeDesk::parse("//- /w/p2/.git/\n");
        let git = kin::git_identity(&moved, &AbsPath::new("/w/p2").unwrap()).unwrap();
        let old = tree
            .split('"')
            .find(|part| part.contains(':') && part.starts_with('1'))
            .unwrap();
        moved.edit(
            "/h/.gemini/analects/projects.json",
            &tree.replace(old, &git),
        );
        for file in [
            "tmp/p/.project_root",
            "history/p/.project_root",
            "projects.json",
        ] {
            let path = format!("/h/.gemini/{file}");
            moved.edit(&path, &desk.text(&path).unwrap());
        }
        assert_eq!(claim_in(&moved, "/w/p2").slug, "p2");
        assert_eq!(
            moved.text("/h/.gemini/tmp/p/.project_root").as_deref(),
            Some("/w/q")
        );
    }

    #[test]
    fn a_marker_that_says_something_else_is_not_overwritten() {
        let notes = "important notes";
        let desk = FakeDesk::parse(&format!(
            "//- /h/.gemini/history/app/.project_root\n{notes}"
        ));
        assert_eq!(claim_in(&desk, "/a/app").slug, "app-1");
        assert_eq!(
            desk.text("/h/.gemini/history/app/.project_root").as_deref(),
            Some(notes)
        );
    }

    #[test]
    fn a_registry_of_another_shape_is_kept_beside_its_successor() {
        let text = "{\"projects\": [\"/important\"], \"v\": 1}";
        let desk = FakeDesk::parse(&format!("//- /h/.gemini/projects.json\n{text}"));
        claim_in(&desk, "/a/app");
        let (changes, _) = desk.commits().remove(0);
        let kept = changes
            .files
            .iter()
            .any(|c| c.text.as_deref() == Some(text.as_bytes()));
        assert!(kept, "{changes:?}");
    }

    #[test]
    fn a_name_that_ends_in_a_blank_keeps_its_folder() {
        let desk = FakeDesk::parse("//- /w/app /.git/\n");
        let slugs = [0, 1, 2].map(|_| claim_in(&desk, "/w/app ").slug);
        assert_eq!(slugs, ["app", "app", "app"]);
    }

    #[test]
    fn the_registry_is_written_under_its_lock() {
        let desk = FakeDesk::parse("");
        claim_in(&desk, "/a/app");
        let (_, guards) = desk.commits().pop().unwrap();
        assert_eq!(
            guards,
            [Guard(AbsPath::new("/h/.gemini/projects.json").unwrap())]
        );
    }

    #[test]
    fn another_repository_at_the_same_path_gets_a_folder_of_its_own_and_the_first_gets_its_back() {
        let desk = FakeDesk::parse("//- /w/app/a\n");
        let clone = |host: &str| {
            for path in ["/w/app/.git/config", "/w/app/.git"] {
                desk.remove(path);
            }
            let config = format!("[remote \"origin\"]\nurl = https://{host}/a/app.git\n");
            desk.edit("/w/app/.git/config", &config);
        };
        let private = || {
            let around = surroundings("/w/app", "/h", &[]);
            let paths = [AbsPath::new("/w/app").unwrap()];
            let (folders, problems) =
                crate::identity::private_folders(&desk.world(&around), &paths, Trust::Untrusted);
            let folders: Vec<_> = folders.iter().map(ToString::to_string).collect();
            (folders, problems.len())
        };
        let folder = |slug: &str| (vec![format!("/h/.gemini/tmp/{slug}/memory")], 0);
        clone("first.example");
        assert_eq!(claim_in(&desk, "/w/app").slug, "app");
        assert_eq!(private(), folder("app"));
        clone("first.example");
        assert_eq!(private(), folder("app"), "cloned again");
        clone("other.example");
        assert_eq!(private(), (Vec::new(), 1), "the notes are the first one's");
        assert_eq!(claim_in(&desk, "/w/app").slug, "app-1");
        assert_eq!(private(), folder("app-1"));
        clone("first.example");
        assert_eq!(private(), folder("app"));
        assert_eq!(claim_in(&desk, "/w/app").slug, "app");
    }
}
