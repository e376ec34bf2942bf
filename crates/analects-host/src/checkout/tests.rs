//! Repositories on this disk, fetched by the real `git`.

use std::io;

use super::*;

struct Place(tempfile::TempDir);

impl Place {
    /// A repository with one commit, and a branch with another.
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        let repo = place.path("repo");
        fs::create_dir(&repo).unwrap();
        place.git(&["init", "-q", "-b", "main"]);
        fs::write(repo.join("a.md"), "main\n").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", repo.join("link")).unwrap();
        place.git(&["add", "-A"]);
        place.git(&["commit", "-qm", "one"]);
        place.git(&["checkout", "-q", "-b", "next"]);
        fs::write(repo.join("a.md"), "next\n").unwrap();
        place.git(&["commit", "-qam", "two"]);
        place.git(&["checkout", "-q", "main"]);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn git(&self, args: &[&str]) {
        let mut command = Command::new("git");
        without_git_variables(&mut command);
        command
            .args(["-c", "user.name=x", "-c", "user.email=x@example.org"])
            .args(args)
            .current_dir(self.path("repo"));
        assert!(command.status().unwrap().success(), "{args:?}");
    }

    fn into(&self) -> AbsPath {
        AbsPath::new(self.path("into").to_str().unwrap()).unwrap()
    }

    /// What `a.md` says in the repository, and its commit.
    fn look(&self, url: &str, reference: Option<&str>) -> Result<(String, String), String> {
        let remote = Remote {
            url,
            reference,
            into: &self.into(),
            limit_ms: 60_000,
        };
        let mut seen = None;
        check_out(&remote, &mut |_| {}, &mut |checkout| {
            let text = fs::read_to_string(checkout.dir.join("a.md").as_str()).unwrap();
            seen = Some((text, checkout.commit.clone()));
        })?;
        assert_eq!(self.left(), Vec::<String>::new(), "it is gone afterwards");
        Ok(seen.unwrap())
    }

    fn left(&self) -> Vec<String> {
        // What nothing is left in is gone itself.
        let Ok(entries) = fs::read_dir(self.path("into")) else {
            return Vec::new();
        };
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string();
        entries.map(|entry| name(entry).unwrap()).collect()
    }
}

#[test]
fn a_repository_is_there_for_a_moment() {
    let place = Place::new();
    let repo = place.path("repo");
    let repo = repo.to_str().unwrap();
    let (text, commit) = place.look(repo, None).unwrap();
    assert_eq!((text.as_str(), commit.len()), ("main\n", 40));
    let (text, other) = place.look(&format!("file://{repo}"), Some("next")).unwrap();
    assert_eq!(text, "next\n");
    assert_ne!(commit, other);
}

#[test]
fn what_git_says_is_told_and_nothing_is_left() {
    let place = Place::new();
    let repo = place.path("repo");
    let said = place
        .look(repo.to_str().unwrap(), Some("nowhere"))
        .unwrap_err();
    assert!(said.contains("Remote branch nowhere not found"), "{said}");
    let said = place.look("/no/such/place", None).unwrap_err();
    assert!(said.contains("/no/such/place"), "{said}");
    assert_eq!(place.left(), Vec::<String>::new());
}

#[test]
fn programs_are_no_repositories() {
    let place = Place::new();
    let mark = place.path("mark");
    let url = format!("ext::touch {}", mark.display());
    let said = place.look(&url, None).unwrap_err();
    assert!(said.contains("transport 'ext' not allowed"), "{said}");
    assert!(!mark.exists());
    let said = place.look("http://127.0.0.1:9/x", None).unwrap_err();
    assert!(said.contains("transport 'http' not allowed"), "{said}");
    // What looks like an option is the name of a repository, and of none.
    let said = place.look("--upload-pack=true", None).unwrap_err();
    assert!(said.contains("repository"), "{said}");
}

#[test]
fn what_a_process_left_that_is_no_more_is_swept_away() {
    let place = Place::new();
    let into = place.path("into");
    let own = format!("{}-7", std::process::id());
    for name in ["4194305-0", &own, "other"] {
        fs::create_dir_all(into.join(name).join("x")).unwrap();
    }
    sweep(&into);
    let mut left = place.left();
    left.sort();
    let mut expected = [own, "other".to_owned()];
    expected.sort();
    assert_eq!(left, expected);
}

#[test]
fn whoever_takes_too_long_is_ended() {
    let mut child = Command::new("sh")
        .args(["-c", "echo begun >&2; exec sleep 100"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let told = lines(child.stderr.take().unwrap());
    let mut heard = Vec::new();
    let until = Instant::now() + Duration::from_millis(300);
    let ended = see_through(&mut child, &told, Some(until), &mut |line| {
        heard.push(line.to_owned());
    });
    assert_eq!(ended, None);
    assert!(heard.len() <= 1, "{heard:?}");
    assert!(child.try_wait().unwrap().is_some(), "it has ended");
}
