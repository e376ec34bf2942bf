//! Who stands in between, and who does not. The environment is that of a process, so each case has its own:
//! the test runs itself once more.

use std::process::Command;

use super::server::read_request;
use super::*;

/// Tells the test in the new process whom to ask.
const ASK: &str = "ANALECTS_TEST_ASKS";

/// Asks a server from a process with this environment; answers the fault, or `ok`.
fn ask_with(base_url: &str, environment: &[(&str, &str)]) -> String {
    let me = std::env::current_exe().unwrap();
    let output = Command::new(me)
        .args(["--exact", "http_models::tests::proxies::in_a_process_of_its_own", "--nocapture"])
        .env_clear()
        .env(ASK, base_url)
        .envs(environment.iter().copied())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let told = text.split("<<").nth(1).and_then(|rest| rest.split(">>").next());
    told.unwrap_or_else(|| panic!("it says nothing: {text}")).to_owned()
}

#[test]
#[expect(clippy::print_stdout, reason = "that is how it tells the other process")]
fn in_a_process_of_its_own() {
    let Ok(base_url) = std::env::var(ASK) else { return };
    match ask(&endpoint(&base_url)) {
        Ok(_) => println!("<<ok>>"),
        Err(fault) => println!("<<{}: {fault}>>", fault.kind.as_str()),
    }
}

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
fn a_proxy_of_the_system_stands_before_all_others_unless_it_is_told_not_to() {
    let proxy = Server::start(|asked| asked.say(sse(HELLO)));
    let http = ("HTTP_PROXY", &*proxy.base_url);
    assert_eq!(ask_with("http://models.invalid/v1", &[http]), "ok");
    let asked = proxy.next();
    assert!(asked.starts_with("POST http://models.invalid/v1/v1beta/"), "{asked}");
    let not_there = ("NO_PROXY", "invalid");
    let told = ask_with("http://models.invalid/v1", &[http, not_there]);
    assert!(told.starts_with("unreachable: models.invalid:80 is not found"), "{told}");
    assert_eq!(proxy.n_connections(), 1);
}

#[test]
fn a_proxy_on_the_way_to_a_secure_server_never_sees_the_key() {
    let proxy = Server::start(|asked| {
        asked.say("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n");
    });
    let told = ask_with(
        "https://models.invalid/v1",
        &[("HTTPS_PROXY", &proxy.base_url), ("SSL_CERT_DIR", "/etc/ssl/certs")],
    );
    assert!(told.starts_with("unreachable: "), "{told}");
    let asked = proxy.next();
    assert!(asked.starts_with("CONNECT models.invalid:443 "), "{asked}");
    assert!(!asked.contains(KEY), "{asked}");
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
    assert!(asked.starts_with("POST http://127.0.0.1:9/v1/v1beta/"), "{asked}");
    assert!(asked.contains("proxy-authorization: Basic "), "{asked}");
}
