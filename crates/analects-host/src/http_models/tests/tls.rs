//! Servers that are secure, and servers that are not. What a process trusts stands in its environment.

use std::io::Write;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::process::{ask_hastily_with, ask_with};
use super::*;

const OURS: &str = include_str!("tls/ours.pem");
const OUR_KEY: &[u8] = include_bytes!("tls/ours.key.der");
const THEIRS: &str = include_str!("tls/theirs.pem");

/// What a process has in its environment that trusts this certificate and no other.
fn trusting<T>(certificate: &str, then: impl FnOnce(&[(&str, &str)]) -> T) -> T {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("trusted.pem");
    std::fs::write(&file, certificate).unwrap();
    let empty = dir.path().join("none");
    std::fs::create_dir(&empty).unwrap();
    then(&[
        ("SSL_CERT_FILE", file.to_str().unwrap()),
        ("SSL_CERT_DIR", empty.to_str().unwrap()),
    ])
}

/// A server with our certificate that answers every request.
fn secure_server() -> SocketAddr {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(OUR_KEY));
    let chain = vec![CertificateDer::from_pem_slice(OURS.as_bytes()).unwrap()];
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .unwrap();
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = StreamOwned::new(connection, stream);
            if server::read_request(&mut stream).is_some() {
                let _ = stream.write_all(sse(HELLO).as_bytes());
            }
        }
    });
    place
}

#[test]
fn a_secure_server_is_asked_if_this_machine_trusts_it() {
    let place = secure_server();
    for host in ["127.0.0.1", "localhost"] {
        let base_url = format!("https://{host}:{}", place.port());
        let told = trusting(OURS, |environment| ask_with(&base_url, environment));
        assert_eq!(told, "ok");
    }
    let base_url = format!("https://{place}");
    let told = trusting(THEIRS, |environment| ask_with(&base_url, environment));
    let expected = format!("unreachable: {place} has no certificate that this machine trusts: ");
    assert!(told.starts_with(&expected), "{told}");
}

#[test]
fn a_machine_without_certificates_can_still_talk_to_itself() {
    let server = Server::start(|asked| asked.say(sse(HELLO)));
    let told = trusting("", |environment| ask_with(&server.base_url, environment));
    assert_eq!(told, "ok");
    let base_url = server.base_url.replace("http:", "https:");
    let told = trusting("", |environment| ask_with(&base_url, environment));
    assert!(
        told.starts_with("unreachable: no secure connection can be made: "),
        "{told}"
    );
}

#[test]
fn a_server_without_tls_is_said_to_be_one() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = listener.local_addr().unwrap();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream
            .write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            .unwrap();
    });
    let base_url = format!("https://{place}");
    let told = trusting(OURS, |environment| ask_with(&base_url, environment));
    let expected = "does not speak TLS: does its address begin with http:// perhaps?";
    assert_eq!(told, format!("unreachable: {place} {expected}"));
}

#[test]
fn a_connection_that_is_never_made_is_not_waited_for() {
    // It takes the connection and never says a word of TLS.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = listener.local_addr().unwrap();
    let base_url = format!("https://{place}");
    let told = trusting(OURS, |environment| {
        ask_hastily_with(&base_url, 20, environment)
    });
    assert_eq!(
        told,
        format!("timed_out: no connection to {place} within 20 ms")
    );
}

#[test]
fn a_proxy_on_the_way_to_a_secure_server_never_sees_the_key() {
    let proxy = Server::start(|asked| {
        asked.say("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n");
    });
    let told = trusting(OURS, |environment| {
        let proxied = [environment, &[("HTTPS_PROXY", &*proxy.base_url)]].concat();
        ask_with("https://models.invalid/v1", &proxied)
    });
    assert!(
        told.starts_with("unreachable: no connection to models.invalid:443"),
        "{told}"
    );
    let asked = proxy.next();
    assert!(asked.starts_with("CONNECT models.invalid:443 "), "{asked}");
    assert!(!asked.contains(KEY), "{asked}");
}
