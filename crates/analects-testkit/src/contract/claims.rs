//! What every `Claims` door promises.

use analects_world::AbsPath;
use analects_world::claim::{Claims, Pulse};
use analects_world::files::{Files, Trouble, Want, Within};

/// Checks the contract. `top` is an empty directory of `files`.
pub fn claims(claims: &dyn Claims, files: &dyn Files, top: &AbsPath) {
    let path = top.join("new/folder/.lock");
    let read = || {
        let blob = files.read_one(Want {
            path: &path,
            within: Within::Anywhere,
            limit_bytes: 100,
        });
        match blob {
            Ok(blob) => Some(String::from_utf8(blob.bytes).unwrap()),
            Err(Trouble::Missing) => None,
            Err(trouble) => panic!("{trouble}"),
        }
    };
    assert_eq!(claims.swap(&path, b"one", None), Ok(false));
    assert_eq!(claims.put(&path, b"one"), Ok(true));
    assert_eq!(claims.put(&path, b"two"), Ok(false));
    assert_eq!(read().as_deref(), Some("one"));
    assert_eq!(claims.swap(&path, b"two", Some(b"three")), Ok(false));
    assert_eq!(claims.swap(&path, b"two", None), Ok(false));
    assert_eq!(read().as_deref(), Some("one"));
    assert_eq!(claims.swap(&path, b"one", Some(b"two")), Ok(true));
    assert_eq!(read().as_deref(), Some("two"));
    assert_eq!(claims.swap(&path, b"two", None), Ok(true));
    assert_eq!(read(), None);
    assert_eq!(claims.put(&path, b"again"), Ok(true));

    let me = claims.who();
    assert_eq!(claims.pulse(me.pid), Pulse::Beating { born: me.born });
    assert_ne!(me.token, claims.who().token);
}
