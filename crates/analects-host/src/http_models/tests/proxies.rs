//! Who stands in between, and who does not.

use super::process::ask_with;
use super::server::read_request;
use super::*;

#[test]
fn a_proxy_of_the_system_never_stands_before_this_machine() {
    let proxy = Server::start(|asked| asked.hang_up());
    let server = Server::start(|asked| asked.say(sse(HELLO)));
    let everywhere = [
        ("HTTP_PROXY", &*proxy.base_url),
        ("HTTPS_PROXY", &*proxy.base_url),
        ("ALL_PROXY", &*proxy.base_url),
    ];
    assert_eq!(ask_with(&server.base_url, &everywhere), "ok");
    let by_name = server.base_url.replace("127.0.0.1", "localhost");
    assert_eq!(ask_with(&by_name, &everywhere), "ok");
    assert_eq!(proxy.n_connections(), 0);
}

#[test]
fn a_proxy_of_the_system_stands_before_all_others() {
    let proxy = Server::start(|asked| asked.say(sse(HELLO)));
    let http = ("HTTP_PROXY", &*proxy.base_url);
    assert_eq!(ask_with("http://models.invalid/v1", &[http]), "ok");
    let asked = proxy.next();
    assert!(
        asked.starts_with("POST http://models.invalid/v1/v1beta/"),
        "{asked}"
    );
}

#[test]
fn a_proxy_that_is_set_for_us_stands_before_everything() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let proxy = format!("http://me:pass@{}", listener.local_addr().unwrap());
    let answering = std::thread::spawn(move || {
        use std::io::Write;
        let (mut stream, _) = listener.accept().unwrap();
        let asked = read_request(&mut stream).unwrap();
        stream.write_all(sse(HELLO).as_bytes()).unwrap();
        asked
    });
    let mut at = endpoint("http://127.0.0.1:9/v1");
    at.proxy = Some(proxy);
    assert!(ask(&at).is_ok());
    let asked = answering.join().unwrap();
    assert!(
        asked.starts_with("POST http://127.0.0.1:9/v1/v1beta/"),
        "{asked}"
    );
    assert!(asked.contains("proxy-authorization: Basic "), "{asked}");
}
