//! What a file has besides its content: mode, owner, extended attributes and access lists.

use std::ffi::CStr;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use analects_world::changes::Access;
use rustix::fs::{
    XattrFlags, fgetxattr, fgetxattr_query, flistxattr, flistxattr_query, fremovexattr, fsetxattr,
};
use rustix::io::Errno;

/// The access list of a file, as the kernel stores it.
const ACCESS_LIST: &str = "system.posix_acl_access";

/// Sums over the content that the kernel makes itself: the new content has others.
const CONTENT_SUMS: [&str; 2] = ["security.ima", "security.evm"];

/// Gives a new file the mode, the owner, the extended attributes and the access list of the one it replaces.
///
/// A file for its owner only gets no access list, whatever the old one allowed. Fails if an attribute or the list
/// cannot be kept; labels that only the system may set (`security.`, `trusted.`) are kept where that is possible.
pub(super) fn copy_attributes(new: &File, old: Option<&File>, access: Access) -> io::Result<()> {
    let old_meta = old.map(File::metadata).transpose()?;
    let mode = match (access, &old_meta) {
        (Access::OwnerOnly, _) => 0o600,
        (Access::Keep, Some(old)) => old.mode() & 0o7777,
        (Access::Keep, None) => 0o666 & !umask(),
    };
    if let Some(old) = &old_meta {
        let new_meta = new.metadata()?;
        if (new_meta.uid(), new_meta.gid()) != (old.uid(), old.gid()) {
            std::os::unix::fs::fchown(new, Some(old.uid()), Some(old.gid()))?;
        }
    }
    if let Some(old) = old {
        copy_extended(new, old, access)?;
    }
    // Last: a change of owner or access list can change the mode, and the mode of a list is that of the old file.
    new.set_permissions(fs::Permissions::from_mode(mode))
}

fn copy_extended(new: &File, old: &File, access: Access) -> io::Result<()> {
    let names = attribute_names(old)?;
    let is_copied = |name: &&str| {
        let opens_to_others = *name == ACCESS_LIST && access == Access::OwnerOnly;
        !CONTENT_SUMS.contains(name) && !opens_to_others
    };
    let mut has_access_list = false;
    for name in names.iter().map(String::as_str).filter(is_copied) {
        let Some(value) = attribute(old, name)? else {
            continue;
        };
        let is_label = name.starts_with("security.") || name.starts_with("trusted.");
        match fsetxattr(new, name, &value, XattrFlags::empty()) {
            Err(_) if is_label => {}
            Err(errno) => {
                let message = format!("its attribute `{name}` cannot be kept ({errno})");
                return Err(io::Error::other(message));
            }
            Ok(()) => has_access_list |= name == ACCESS_LIST,
        }
    }
    if !has_access_list {
        // The directory may give every new file a list; this one had none.
        let _ = fremovexattr(new, ACCESS_LIST);
    }
    Ok(())
}

/// The names of all extended attributes; none where the file system has no such thing.
fn attribute_names(file: &File) -> io::Result<Vec<String>> {
    let list = loop {
        let n_bytes = match flistxattr_query(file) {
            Err(Errno::OPNOTSUPP | Errno::NOSYS) => return Ok(Vec::new()),
            n_bytes => n_bytes?,
        };
        let mut list = vec![0; n_bytes];
        match flistxattr(file, list.as_mut_slice()) {
            // Another program added one meanwhile.
            Err(Errno::RANGE) => {}
            read => {
                list.truncate(read?);
                break list;
            }
        }
    };
    let names = list.split_inclusive(|&byte| byte == 0);
    let name = |bytes: &[u8]| {
        let name = CStr::from_bytes_with_nul(bytes).ok()?;
        name.to_str().ok().map(str::to_owned)
    };
    let named: Option<Vec<_>> = names.map(name).collect();
    named.ok_or_else(|| io::Error::other("the name of one of its attributes is not UTF-8"))
}

/// The value of one attribute; `None` if another program removed it meanwhile.
fn attribute(file: &File, name: &str) -> io::Result<Option<Vec<u8>>> {
    loop {
        let n_bytes = match fgetxattr_query(file, name) {
            Err(Errno::NODATA) => return Ok(None),
            n_bytes => n_bytes?,
        };
        let mut value = vec![0; n_bytes];
        match fgetxattr(file, name, value.as_mut_slice()) {
            Err(Errno::RANGE) => {}
            Err(Errno::NODATA) => return Ok(None),
            read => {
                value.truncate(read?);
                return Ok(Some(value));
            }
        }
    }
}

/// What this process takes away from the rights of new files. The system only tells when it is set, so it is read
/// from what the kernel reports; the usual value is used where it reports nothing.
fn umask() -> u32 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("Umask:"));
    line.and_then(|mask| u32::from_str_radix(mask.trim(), 8).ok())
        .unwrap_or(0o022)
}
