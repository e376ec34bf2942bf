//! Addresses of servers, as people write them.
//!
//! Stricter than URLs are: no user, no query, no fragment, no letters beyond ASCII. So whoever parses it again later
//! cannot come to another host.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Where a server is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    is_secure: bool,
    host: Host,
    port: Option<u16>,
    /// Empty, or with a slash before it and none behind.
    path: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Host {
    Name(String),
    Ip(IpAddr),
}

impl Address {
    /// Reads `http://host:port/path` or `https://…`; else says what is wrong with it.
    pub(super) fn parse(text: &str) -> Result<Self, &'static str> {
        let (scheme, rest) = text.trim().split_once("://").ok_or(NO_SCHEME)?;
        let is_secure = match () {
            () if scheme.eq_ignore_ascii_case("https") => true,
            () if scheme.eq_ignore_ascii_case("http") => false,
            () => return Err(NO_SCHEME),
        };
        let (place, path) = match rest.find('/') {
            Some(at) => rest.split_at_checked(at).ok_or(NO_HOST)?,
            None => (rest, ""),
        };
        let (host, port) = host_and_port(place)?;
        Ok(Self {
            is_secure,
            host,
            port,
            path: check_path(path)?.to_owned(),
        })
    }

    /// Reads what Ollama takes for its address: a host, a port, both, or all of a URL. What it listens on everywhere
    /// is on this machine, too.
    pub(super) fn ollama(text: &str) -> Result<Self, &'static str> {
        let text = text.trim().trim_matches(['"', '\'']);
        let mut address = if text.contains("://") {
            Self::parse(text)?
        } else {
            let place = match text.strip_prefix(':') {
                _ if text.parse::<Ipv6Addr>().is_ok() => format!("[{text}]"),
                Some(port) => format!("127.0.0.1:{port}"),
                None => text.to_owned(),
            };
            let mut address = Self::parse(&format!("http://{place}"))?;
            address.port = address.port.or(Some(OLLAMA_PORT));
            address
        };
        if !address.path.ends_with("/v1") {
            address.path.push_str("/v1");
        }
        match address.host {
            Host::Ip(ip) if ip.is_unspecified() && ip.is_ipv4() => {
                address.host = Host::Ip(Ipv4Addr::LOCALHOST.into());
            }
            Host::Ip(ip) if ip.is_unspecified() => {
                address.host = Host::Ip(Ipv6Addr::LOCALHOST.into());
            }
            _ => {}
        }
        Ok(address)
    }

    /// Whether it is this machine.
    pub(super) fn is_here(&self) -> bool {
        match &self.host {
            Host::Ip(ip) => ip.is_loopback(),
            Host::Name(name) => name == "localhost" || name.ends_with(".localhost"),
        }
    }

    /// Whether somebody on the way can read along.
    pub(super) fn is_open(&self) -> bool {
        !self.is_secure && !self.is_here()
    }

    pub(super) fn port(&self) -> Option<u16> {
        self.port
    }

    /// The host, with its port where that is not the usual one.
    pub(super) fn place(&self) -> String {
        let port = self.port.map(|port| format!(":{port}"));
        format!("{}{}", self.host, port.unwrap_or_default())
    }
}

const OLLAMA_PORT: u16 = 11_434;

const NO_SCHEME: &str = "it must begin with http:// or https://";
const NO_HOST: &str = "it names no host";
const BAD_HOST: &str = "its host makes no sense";
const BAD_PORT: &str = "its port makes no sense";
const HAS_USER: &str = "it must not hold a user or a password";
const BAD_PATH: &str = "it must end with a plain path, without ? or #";

fn host_and_port(place: &str) -> Result<(Host, Option<u16>), &'static str> {
    if place.contains('@') {
        return Err(HAS_USER);
    }
    if place.contains(['?', '#']) {
        return Err(BAD_PATH);
    }
    let (host, port) = match place.strip_prefix('[') {
        Some(rest) => {
            let (ip, port) = rest.split_once(']').ok_or(BAD_HOST)?;
            let ip: Ipv6Addr = ip.parse().map_err(|_| BAD_HOST)?;
            let port = match port {
                "" => None,
                port => Some(port.strip_prefix(':').ok_or(BAD_HOST)?),
            };
            (Host::Ip(ip.into()), port)
        }
        None => match place.rsplit_once(':') {
            Some((host, port)) => (name(host)?, Some(port)),
            None => (name(place)?, None),
        },
    };
    let read = |port: &str| {
        let is_number = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
        let port = is_number.then(|| port.parse().ok()).flatten();
        port.filter(|&port| port > 0).ok_or(BAD_PORT)
    };
    Ok((host, port.map(read).transpose()?))
}

fn name(host: &str) -> Result<Host, &'static str> {
    if host.is_empty() {
        return Err(NO_HOST);
    }
    if let Ok(ip) = host.parse::<Ipv4Addr>() {
        return Ok(Host::Ip(ip.into()));
    }
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    // Browsers take `127.1` and `0x7f000001` for addresses, so a name must not look like one.
    let last = host.rsplit('.').find(|part| !part.is_empty());
    let is_number = last.is_none_or(|part| part.starts_with(|c: char| c.is_ascii_digit()));
    if host.len() > 253 || is_number || !host.bytes().all(is_plain) {
        return Err(BAD_HOST);
    }
    Ok(Host::Name(host.to_ascii_lowercase()))
}

fn check_path(path: &str) -> Result<&str, &'static str> {
    let is_plain = |byte: u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/' | b':')
    };
    let leads_up = path.split('/').any(|part| part == "..");
    if leads_up || !path.bytes().all(is_plain) {
        return Err(BAD_PATH);
    }
    Ok(path.trim_end_matches('/'))
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.is_secure { "https" } else { "http" };
        write!(f, "{scheme}://{}{}", self.place(), self.path)
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Ip(IpAddr::V4(ip)) => ip.fmt(f),
            Self::Ip(IpAddr::V6(ip)) => write!(f, "[{ip}]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn addresses_are_read_strictly() {
        for (text, read) in [
            ("https://api.openai.com/v1", "https://api.openai.com/v1"),
            (" HTTPS://API.Openai.com/v1/ ", "https://api.openai.com/v1"),
            ("http://[::1]:8080/a/b//", "http://[::1]:8080/a/b"),
            ("http://localhost", "http://localhost"),
            ("http://my_host.local:1", "http://my_host.local:1"),
        ] {
            assert_eq!(Address::parse(text).unwrap().to_string(), read);
        }
        for (text, wrong) in [
            ("api.openai.com", NO_SCHEME),
            ("ftp://x", NO_SCHEME),
            ("file:///etc/passwd", NO_SCHEME),
            ("http://", NO_HOST),
            ("http:///v1", NO_HOST),
            ("http://:80", NO_HOST),
            ("https://me:pass@host/v1", HAS_USER),
            ("https://localhost@evil.example/", HAS_USER),
            ("https://host?key=x", BAD_PATH),
            ("https://host/v1?key=x", BAD_PATH),
            ("https://host/v1#x", BAD_PATH),
            ("https://host/a/../b", BAD_PATH),
            ("https://host/a\\b", BAD_PATH),
            ("https://ho st", BAD_HOST),
            ("https://hö.example", BAD_HOST),
            ("https://a\\b", BAD_HOST),
            ("https://127.1", BAD_HOST),
            ("https://0x7f000001", BAD_HOST),
            ("https://2130706433", BAD_HOST),
            ("https://[::1", BAD_HOST),
            ("https://[::1]x", BAD_HOST),
            ("https://host:99999", BAD_PORT),
            ("https://host:0", BAD_PORT),
            ("https://host:+80", BAD_PORT),
            ("https://host:", BAD_PORT),
        ] {
            assert_eq!(Address::parse(text), Err(wrong), "{text}");
        }
    }

    #[test]
    fn ollama_writes_its_address_in_many_ways() {
        for (text, read) in [
            ("127.0.0.1", "http://127.0.0.1:11434/v1"),
            ("box:1234", "http://box:1234/v1"),
            (":5000", "http://127.0.0.1:5000/v1"),
            ("0.0.0.0", "http://127.0.0.1:11434/v1"),
            ("0.0.0.0:80", "http://127.0.0.1:80/v1"),
            ("[::]:80", "http://[::1]:80/v1"),
            ("::1", "http://[::1]:11434/v1"),
            ("http://box", "http://box/v1"),
            ("https://box:1/ollama/", "https://box:1/ollama/v1"),
            ("http://box:1/v1", "http://box:1/v1"),
            ("\"box\"", "http://box:11434/v1"),
        ] {
            assert_eq!(Address::ollama(text).unwrap().to_string(), read, "{text}");
        }
        assert!(Address::ollama("").is_err());
        assert!(Address::ollama("a b").is_err());
    }

    #[test]
    fn only_this_machine_is_here() {
        for (text, is_here, is_open) in [
            ("http://127.9.9.9", true, false),
            ("http://[::1]", true, false),
            ("http://LOCALHOST", true, false),
            ("http://a.localhost", true, false),
            ("http://127.0.0.1.evil.example", false, true),
            ("http://localhost.evil.example", false, true),
            ("http://0.0.0.0", false, true),
            ("http://192.168.0.1", false, true),
            ("https://192.168.0.1", false, false),
        ] {
            let address = Address::parse(text).unwrap();
            assert_eq!(
                (address.is_here(), address.is_open()),
                (is_here, is_open),
                "{text}"
            );
        }
    }

    proptest! {
        #[test]
        fn what_is_read_is_read_the_same_again(text in "(https?://)?[a-z0-9:/@.\\[\\]?#_é -]{0,30}") {
            if let Ok(address) = Address::parse(&text) {
                prop_assert_eq!(Address::parse(&address.to_string()), Ok(address));
            }
            let _ = Address::ollama(&text);
        }
    }
}
