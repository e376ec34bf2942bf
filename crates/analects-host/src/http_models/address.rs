//! Where a request goes, and what may be said of it.

use std::net::IpAddr;

use analects_world::models::{Fault, Kind};
use reqwest::Url;

/// The address of a path on a server. What the base has as a query stays, behind that of the path.
pub(crate) fn address(base_url: &str, path: &str) -> Result<Url, Fault> {
    let mut url = Url::parse(base_url.trim()).map_err(|error| no_address(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(no_address("it must begin with http:// or https://"));
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err(no_address("it names no host"));
    }
    let (path, query) = match path.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (path, None),
    };
    let whole_path = format!("{}{path}", url.path().trim_end_matches('/'));
    let queries = [query, url.query()].into_iter().flatten();
    let whole_query: Vec<_> = queries.filter(|query| !query.is_empty()).collect();
    let whole_query = whole_query.join("&");
    url.set_path(&whole_path);
    url.set_query((!whole_query.is_empty()).then_some(&whole_query));
    url.set_fragment(None);
    Ok(url)
}

/// What a person is told of an address: host and port, and nothing that could be a secret.
pub(crate) fn place(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port_or_known_default() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

/// Whether it is this very machine.
pub(super) fn is_local(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    match bare.parse::<IpAddr>() {
        Ok(ip) => ip.to_canonical().is_loopback() || ip.is_unspecified(),
        Err(_) => {
            let name = host.trim_end_matches('.');
            name == "localhost" || name.ends_with(".localhost")
        }
    }
}

fn no_address(why: &str) -> Fault {
    let message = format!("the server's address is none: {why}");
    Fault::new(Kind::Unreachable, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(base_url: &str, path: &str) -> String {
        address(base_url, path).unwrap().into()
    }

    #[test]
    fn a_path_is_put_behind_the_base_with_or_without_its_slash() {
        for base_url in [
            "https://a.example/v1",
            "https://a.example/v1/",
            " https://a.example/v1// ",
        ] {
            assert_eq!(joined(base_url, "/models"), "https://a.example/v1/models");
        }
        assert_eq!(
            joined("http://127.0.0.1:11434", "/v1beta/models/a%2Fb:m?alt=sse"),
            "http://127.0.0.1:11434/v1beta/models/a%2Fb:m?alt=sse"
        );
        assert_eq!(
            joined("https://a.example/v1?api-version=2#top", "/m?alt=sse"),
            "https://a.example/v1/m?alt=sse&api-version=2"
        );
    }

    #[test]
    fn a_name_that_wants_out_of_its_place_stays_there() {
        let url = joined("https://a.example/", "/v1beta/models/..%2F..%2Fx:m");
        assert_eq!(url, "https://a.example/v1beta/models/..%2F..%2Fx:m");
    }

    #[test]
    fn what_is_no_address_is_said_without_repeating_it() {
        for base_url in [
            "",
            "localhost:8080",
            "file:///etc/passwd",
            "a secret",
            "http://",
            "http://?key=secret",
        ] {
            let fault = address(base_url, "/m").unwrap_err();
            assert_eq!(fault.kind, Kind::Unreachable, "{base_url}");
            assert!(!fault.message.contains("secret"), "{}", fault.message);
        }
    }

    #[test]
    fn a_person_is_told_host_and_port_alone() {
        let url = address("https://me:secret@a.example/v1?key=secret", "/m").unwrap();
        assert_eq!(place(&url), "a.example:443");
        let url = address("http://[::1]:8080", "/m").unwrap();
        assert_eq!(place(&url), "[::1]:8080");
    }

    #[test]
    fn this_machine_has_many_names() {
        let is_local = |base_url| is_local(&address(base_url, "/").unwrap());
        for local in [
            "http://localhost:1",
            "http://LOCALHOST.:1",
            "http://a.localhost",
            "http://127.0.0.1",
            "http://127.9.9.9",
            "http://2130706433",
            "http://[::1]",
            "http://[::ffff:127.0.0.1]",
            "http://0.0.0.0:80",
        ] {
            assert!(is_local(local), "{local}");
        }
        for far in [
            "http://localhost.example",
            "http://10.0.0.1",
            "http://[fe80::1]",
            "http://a",
        ] {
            assert!(!is_local(far), "{far}");
        }
    }
}
