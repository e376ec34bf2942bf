//! Where a client works: its roots decide which project is meant.
#![expect(
    deprecated,
    reason = "the newest protocol calls roots old; its clients still have them"
)]

use std::time::Duration;

use analects_world::{AbsPath, Files};
use rmcp::model::{ClientResult, ListRootsRequest, ListRootsResult, ServerRequest};
use rmcp::service::{Peer, PeerRequestOptions, RoleServer};
use tokio::sync::Mutex;

/// A program answers this by itself; who takes longer has none.
const PATIENCE: Duration = Duration::from_secs(5);

/// The roots of one client, asked for once and again when they change.
#[derive(Default)]
pub(crate) struct Roots(Mutex<Option<Vec<AbsPath>>>);

impl Roots {
    /// The roots as far as they are known.
    pub(crate) async fn known(&self) -> Option<Vec<AbsPath>> {
        self.0.lock().await.clone()
    }

    /// The roots, from the client if need be. Who asks meanwhile waits for the same answer.
    pub(crate) async fn ask(&self, client: &Peer<RoleServer>) -> Vec<AbsPath> {
        let mut known = self.0.lock().await;
        if let Some(roots) = &*known {
            return roots.clone();
        }
        let roots = listed(client).await.unwrap_or_default();
        known.insert(roots).clone()
    }

    /// Notes the roots that a client told by itself.
    pub(crate) async fn note(&self, roots: Vec<AbsPath>) {
        *self.0.lock().await = Some(roots);
    }

    /// They have changed: whoever needs them asks again.
    pub(crate) async fn forget(&self) {
        *self.0.lock().await = None;
    }
}

async fn listed(client: &Peer<RoleServer>) -> Option<Vec<AbsPath>> {
    let request = ServerRequest::ListRootsRequest(ListRootsRequest::default());
    let options = PeerRequestOptions::with_timeout(PATIENCE);
    let asked = client
        .send_request_with_option(request, options)
        .await
        .ok()?;
    match asked.await_response().await.ok()? {
        ClientResult::ListRootsResult(result) => Some(paths(&result)),
        _ => None,
    }
}

/// The roots that are directories of this machine.
pub(crate) fn paths(result: &ListRootsResult) -> Vec<AbsPath> {
    let roots = result.roots.iter();
    roots.filter_map(|root| path(&root.uri)).collect()
}

/// The first root that there is, or else the directory that the server was started in.
pub(crate) fn choose(files: &dyn Files, roots: &[AbsPath], or_else: &AbsPath) -> AbsPath {
    let mut there = roots.iter().filter(|root| files.require_dir(root).is_ok());
    // As the shell has it: the real directory, which is the one that trust is about.
    there
        .next()
        .map_or_else(|| or_else.clone(), |root| files.real_or_same(root))
}

/// The path in a `file:` URI.
fn path(uri: &str) -> Option<AbsPath> {
    let (scheme, rest) = uri.split_once(':')?;
    // The name of a machine stands between two slashes and the path; it may be left out with them.
    let (host, rest) = match rest.strip_prefix("//") {
        Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
        None => ("", rest),
    };
    let is_here = host.is_empty() || host.eq_ignore_ascii_case("localhost");
    if !scheme.eq_ignore_ascii_case("file") || !is_here {
        return None;
    }
    let mut bytes = Vec::with_capacity(rest.len());
    let mut left = rest.bytes();
    while let Some(byte) = left.next() {
        let mut digit = || char::from(left.next()?).to_digit(16);
        bytes.push(match byte {
            b'%' => u8::try_from(digit()? * 16 + digit()?).ok()?,
            b'?' | b'#' => break,
            byte => byte,
        });
    }
    AbsPath::new(std::str::from_utf8(&bytes).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_this_machine_are_roots() {
        let found = |uri: &str| path(uri).map(|path| path.to_string());
        for (uri, expected) in [
            ("file:///w/app", Some("/w/app")),
            ("file:///w/app/", Some("/w/app")),
            ("file://localhost/w/a%20b/%E6%96%87", Some("/w/a b/文")),
            ("file:///w/app?x#y", Some("/w/app")),
            ("file:/w/app", Some("/w/app")),
            ("FILE://LOCALHOST/w/app", Some("/w/app")),
            ("file:w/app", None),
            ("file://", None),
            ("file://server/w", None),
            ("file:///w/%zz", None),
            ("file:///w/%f", None),
            ("file:///%FF", None),
            ("https://example.com/w", None),
            ("/w/app", None),
            ("", None),
        ] {
            assert_eq!(found(uri).as_deref(), expected, "{uri}");
        }
    }
}
