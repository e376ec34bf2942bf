//! Stable ids for turns that we made ourselves.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// A name that follows from other names, whatever their order: the same each time, and the one that the
/// original gives.
#[must_use]
pub fn stable_id(sources: &[&str]) -> String {
    let mut sorted = sources.to_vec();
    // The original sorts by UTF-16.
    sorted.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
    let hash = Sha256::digest(sorted.join("|"));
    let mut id = String::with_capacity(32);
    for byte in hash.iter().take(16) {
        let _ = write!(id, "{byte:02x}");
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_the_names_does_not_matter() {
        assert_eq!(stable_id(&["b", "a"]), stable_id(&["a", "b"]));
        assert_eq!(
            stable_id(&["environment-context"]),
            "d04923d38bb0f6017037e74183378ef4"
        );
    }
}
