//! Who may write a file, and whether its text may give instructions.
//!
//! A file that another user of the machine wrote, or may change, is that user's text. So is a directory in which others
//! may put files. Git refuses such repositories since CVE-2022-24765; memory, settings, rules, skills and agents are
//! refused for the same reason.

use crate::AbsPath;
use crate::files::{Blob, Files, Identity, Listing, Measure, Pick, Trouble, Want};

/// The user id of the administrator.
const ROOT: u32 = 0;

/// Whose a file or directory is, and who may write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ownership {
    /// The user it belongs to.
    pub owner: u32,
    /// The group it belongs to.
    pub group: u32,
    /// Its permissions, as `chmod` knows them.
    pub mode: u32,
    /// The user that this process works for.
    pub user: u32,
}

impl Ownership {
    /// The ownership of a file that this process makes up itself.
    #[must_use]
    pub fn own() -> Self {
        Self {
            owner: ROOT,
            group: ROOT,
            mode: 0o600,
            user: ROOT,
        }
    }
}

/// Whose files may give instructions: those of the user and of root, and of whom the user named.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrustedOwners {
    /// Further users.
    pub users: Vec<u32>,
    /// Groups whose members may write such files.
    pub groups: Vec<u32>,
    /// Nothing is checked at all.
    pub is_unchecked: bool,
    /// The user who became root by `sudo`.
    pub sudo_user: Option<u32>,
}

impl TrustedOwners {
    /// True if a file or directory belongs to a trusted user and others may not write it.
    ///
    /// A group is private if its number is the owner's: the usual way in which a user has a group of their own.
    #[must_use]
    pub fn accepts(&self, ownership: &Ownership) -> bool {
        let Ownership {
            owner,
            group,
            mode,
            user,
        } = *ownership;
        let by_sudo = user == ROOT && self.sudo_user == Some(owner);
        let is_trusted_user =
            owner == user || owner == ROOT || by_sudo || self.users.contains(&owner);
        let is_trusted_group = group == owner || group == ROOT || self.groups.contains(&group);
        let is_closed = mode & 0o002 == 0 && (mode & 0o020 == 0 || is_trusted_group);
        self.is_unchecked || (is_trusted_user && is_closed)
    }
}

/// A view of a disk in which files of strangers cannot be read: [`Trouble::Foreign`]. Judged by the opened file.
#[derive(Clone, Copy)]
pub struct OwnedFiles<'a> {
    /// The disk.
    pub files: &'a dyn Files,
    /// Whose files can be read.
    pub owners: &'a TrustedOwners,
}

impl Files for OwnedFiles<'_> {
    fn list(&self, dirs: &[AbsPath], pick: &Pick) -> Vec<Result<Listing, Trouble>> {
        self.files.list(dirs, pick)
    }

    fn read(&self, wants: &[Want<'_>]) -> Vec<Result<Blob, Trouble>> {
        let blobs = self.files.read(wants).into_iter();
        let judged = blobs.map(|blob| match blob {
            Ok(blob) if !self.owners.accepts(&blob.ownership) => Err(Trouble::Foreign),
            blob => blob,
        });
        judged.collect()
    }

    fn real(&self, path: &AbsPath) -> Result<AbsPath, Trouble> {
        self.files.real(path)
    }

    fn link(&self, path: &AbsPath) -> Result<Option<String>, Trouble> {
        self.files.link(path)
    }

    fn identify(&self, path: &AbsPath) -> Result<Identity, Trouble> {
        self.files.identify(path)
    }

    fn ownership(&self, paths: &[AbsPath]) -> Vec<Result<Ownership, Trouble>> {
        self.files.ownership(paths)
    }

    fn measure(&self, paths: &[AbsPath]) -> Vec<Result<Measure, Trouble>> {
        self.files.measure(paths)
    }

    fn piece(&self, path: &AbsPath, start: u64, limit_bytes: usize) -> Result<Vec<u8>, Trouble> {
        self.files.piece(path, start, limit_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USER: u32 = 1000;

    fn is_accepted(
        owners: &TrustedOwners,
        (owner, group, mode): (u32, u32, u32),
        user: u32,
    ) -> bool {
        owners.accepts(&Ownership {
            owner,
            group,
            mode,
            user,
        })
    }

    #[test]
    fn files_of_the_user_and_of_root_count_unless_others_may_write_them() {
        let owners = TrustedOwners::default();
        for (file, expected) in [
            ((USER, USER, 0o644), true),
            ((USER, USER, 0o664), true),
            ((USER, 100, 0o644), true),
            ((USER, 100, 0o664), false),
            ((USER, USER, 0o666), false),
            ((USER, USER, 0o646), false),
            ((0, 0, 0o644), true),
            ((0, 0, 0o775), true),
            ((0, 100, 0o775), false),
            ((0, 0, 0o1777), false),
            ((1001, USER, 0o644), false),
            ((1001, 1001, 0o600), false),
            ((65534, 65534, 0o644), false),
        ] {
            assert_eq!(is_accepted(&owners, file, USER), expected, "{file:?}");
        }
    }

    #[test]
    fn root_takes_the_files_of_the_user_who_called_sudo_and_of_no_other() {
        let owners = TrustedOwners {
            sudo_user: Some(USER),
            ..TrustedOwners::default()
        };
        assert!(is_accepted(&owners, (USER, USER, 0o644), 0));
        assert!(!is_accepted(&owners, (1001, 1001, 0o644), 0));
        assert!(
            !is_accepted(&owners, (USER, USER, 0o644), 1001),
            "not without root"
        );
        let none = TrustedOwners::default();
        assert!(!is_accepted(&none, (USER, USER, 0o644), 0));
    }

    #[test]
    fn the_user_may_name_users_and_groups_or_switch_the_check_off() {
        let named = TrustedOwners {
            users: vec![1001],
            groups: vec![100],
            ..TrustedOwners::default()
        };
        assert!(is_accepted(&named, (1001, 100, 0o664), USER));
        assert!(!is_accepted(&named, (1001, 101, 0o664), USER));
        assert!(!is_accepted(&named, (1001, 100, 0o666), USER));
        let all = TrustedOwners {
            is_unchecked: true,
            ..TrustedOwners::default()
        };
        assert!(is_accepted(&all, (7, 7, 0o777), USER));
    }
}
