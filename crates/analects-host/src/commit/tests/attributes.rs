//! What a file has besides its content is kept.

use rustix::fs::{XattrFlags, getxattr, listxattr, setxattr};

use super::*;

const ACCESS_LIST: &str = "system.posix_acl_access";
const DEFAULT_LIST: &str = "system.posix_acl_default";

/// An access list as the kernel takes it: the owner and user 12 may read and write, all others nothing.
fn access_list() -> Vec<u8> {
    const ANYBODY: u32 = u32::MAX;
    let entries: [(u16, u16, u32); 5] = [
        (0x01, 6, ANYBODY),
        (0x02, 6, 12),
        (0x04, 0, ANYBODY),
        (0x10, 6, ANYBODY),
        (0x20, 0, ANYBODY),
    ];
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (tag, rights, id) in entries {
        list.extend(tag.to_le_bytes());
        list.extend(rights.to_le_bytes());
        list.extend(id.to_le_bytes());
    }
    list
}

fn set(path: &Path, name: &str, value: &[u8]) -> bool {
    setxattr(path, name, value, XattrFlags::empty()).is_ok()
}

fn get(path: &Path, name: &str) -> Option<Vec<u8>> {
    let mut value = vec![0; 4096];
    let n_bytes = getxattr(path, name, value.as_mut_slice()).ok()?;
    value.truncate(n_bytes);
    Some(value)
}

/// The names of a file's attributes that users set.
fn names(path: &Path) -> Vec<String> {
    let mut list = vec![0; 4096];
    let n_bytes = listxattr(path, list.as_mut_slice()).unwrap();
    list.truncate(n_bytes);
    let text = String::from_utf8(list).unwrap();
    let mut names: Vec<_> = text.split_terminator('\0').map(str::to_owned).collect();
    names.retain(|name| !name.starts_with("security."));
    names.sort();
    names
}

#[test]
fn extended_attributes_and_access_lists_are_kept() {
    for name in ["a.md", "inside/a.md"] {
        let place = Place::new();
        place.write(name, "old");
        let path = place.dir.path().join(name);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        if !set(&path, "user.author", b"me") {
            return; // This file system has no attributes to lose.
        }
        set(&path, "user.empty", b"");
        set(&path, "user.long", &[7; 2000]);
        let has_list = set(&path, ACCESS_LIST, &access_list());
        let then = (names(&path), fs::metadata(&path).unwrap().mode());
        place.put(&OpenGate, &[(name, Some("new"))]).unwrap();
        assert_eq!(place.read(name).as_deref(), Some("new"));
        assert_eq!((names(&path), fs::metadata(&path).unwrap().mode()), then);
        assert_eq!(get(&path, "user.author").as_deref(), Some(&b"me"[..]));
        assert_eq!(get(&path, "user.long"), Some(vec![7; 2000]));
        assert_eq!(get(&path, ACCESS_LIST), has_list.then(access_list));
    }
}

#[test]
fn an_access_list_never_opens_a_file_for_its_owner_only() {
    let place = Place::new();
    place.write("t.json", "old");
    let path = place.dir.path().join("t.json");
    if !set(&path, ACCESS_LIST, &access_list()) {
        return;
    }
    let mut changes = place.changes(&[("t.json", Some("new"))]);
    changes.files[0].access = Access::OwnerOnly;
    let desk = place.desk(&OpenGate);
    desk.commit(&[], &mut |_| Some(changes.clone())).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, 0o600);
    assert_eq!(get(&path, ACCESS_LIST), None);
}

#[test]
fn a_directory_gives_a_file_no_access_list_that_it_did_not_have() {
    let place = Place::new();
    place.write("dir/a.md", "old");
    let path = place.dir.path().join("dir/a.md");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o660)).unwrap();
    if !set(path.parent().unwrap(), DEFAULT_LIST, &access_list()) {
        return;
    }
    place.put(&OpenGate, &[("dir/a.md", Some("new"))]).unwrap();
    assert_eq!(get(&path, ACCESS_LIST), None);
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, 0o660);
}

#[test]
fn a_file_with_hard_links_is_refused_and_both_names_stay_together() {
    for name in ["a.md", "inside/a.md"] {
        let place = Place::new();
        place.write(name, "old");
        let path = |name: &str| place.dir.path().join(name);
        fs::hard_link(path(name), path("other.md")).unwrap();
        let refused = place.put(&OpenGate, &[(name, Some("new"))]);
        let message = refused.unwrap_err().to_string();
        assert!(message.contains("2 hard links"), "{message}");
        assert_eq!(place.read(name).as_deref(), Some("old"));
        assert_eq!(
            fs::metadata(path(name)).unwrap().ino(),
            fs::metadata(path("other.md")).unwrap().ino()
        );
        assert!(place.leftovers().is_empty());
        // To remove one name leaves the other.
        place.put(&OpenGate, &[(name, None)]).unwrap();
        assert_eq!(place.read("other.md").as_deref(), Some("old"));
    }
}

#[test]
fn a_backup_that_shares_our_own_state_does_not_stop_us() {
    let place = Place::new();
    place.write("state/entries.json", "old");
    let path = |name: &str| place.dir.path().join(name);
    fs::hard_link(path("state/entries.json"), path("backup.json")).unwrap();
    place
        .put(&OpenGate, &[("state/entries.json", Some("new"))])
        .unwrap();
    assert_eq!(place.read("state/entries.json").as_deref(), Some("new"));
    assert_eq!(place.read("backup.json").as_deref(), Some("old"));
}
