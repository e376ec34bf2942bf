//! HTTP clients: one per route (direct or proxy), created on first use.
//!
//! TLS is rustls with the cryptography of ring, and the certificates that this machine trusts.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use analects_world::models::{Endpoint, Fault, Kind};
use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder, Proxy, Url};

use super::address::is_local;

/// More ways than anybody has; beyond it something asks for ever new ones.
const MAX_CLIENTS: usize = 32;

/// The clients, by the way that they go.
#[derive(Default)]
pub(super) struct Clients(Mutex<HashMap<Way, Client>>);

/// A way to a server.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Way {
    route: Route,
    connect_ms: u64,
}

/// Who stands in between.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Route {
    /// Nobody: the server is on this machine, and answers in the clear.
    Clear,
    /// Nobody: the server is on this machine.
    Direct,
    /// Whoever the system says, or nobody.
    System,
    /// This proxy.
    Proxy(String),
}

impl Clients {
    /// The client for a request to this address.
    pub(super) fn client(&self, at: &Endpoint, url: &Url) -> Result<Client, Fault> {
        self.on(Way {
            route: Route::of(at.proxy.as_deref(), url),
            connect_ms: at.patience.connect_ms,
        })
    }

    fn on(&self, way: Way) -> Result<Client, Fault> {
        let mut clients = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = clients.get(&way) {
            return Ok(client.clone());
        }
        if clients.len() >= MAX_CLIENTS {
            clients.clear();
        }
        let client = build(&way)?;
        clients.insert(way, client.clone());
        Ok(client)
    }
}

/// A client for requests to this address, by the way that the system knows.
pub(crate) fn client_to(url: &Url, connect_ms: u64) -> Result<Client, Fault> {
    build(&Way {
        route: Route::of(None, url),
        connect_ms,
    })
}

impl Route {
    /// A proxy of the system is meant for servers elsewhere. It could not even reach one on this machine, so
    /// only a proxy that was set for us alone is asked for that.
    fn of(proxy: Option<&str>, url: &Url) -> Self {
        match (proxy, is_local(url), url.scheme()) {
            (Some(proxy), ..) => Self::Proxy(proxy.to_owned()),
            (None, true, "http") => Self::Clear,
            (None, true, _) => Self::Direct,
            (None, false, _) => Self::System,
        }
    }
}

fn build(way: &Way) -> Result<Client, Fault> {
    // Whoever comes second finds that it is done: it is the same one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = Client::builder()
        .user_agent(concat!("analects/", env!("CARGO_PKG_VERSION")))
        .redirect(Policy::none())
        .connect_timeout(Duration::from_millis(way.connect_ms));
    let client = routed(builder, &way.route)?.build();
    client.map_err(|error| unusable(&way.route, &error))
}

fn routed(builder: ClientBuilder, route: &Route) -> Result<ClientBuilder, Fault> {
    Ok(match route {
        // Without certificates: a machine that has none can still talk to itself.
        Route::Clear => builder.no_proxy().tls_certs_only([]),
        Route::Direct => builder.no_proxy(),
        Route::System => builder,
        Route::Proxy(proxy) => {
            let proxy = Proxy::all(proxy).map_err(|error| unusable(route, &error))?;
            builder.proxy(proxy)
        }
    })
}

/// The address of a proxy may hold a password, and the error the address.
fn unusable(route: &Route, error: &reqwest::Error) -> Fault {
    use std::error::Error;
    let message = match (route, error.source()) {
        (Route::Proxy(_), _) => "the address of the proxy is none".to_owned(),
        (_, Some(why)) => format!("no secure connection can be made: {why}"),
        (_, None) => "no secure connection can be made".to_owned(),
    };
    Fault::new(Kind::Unreachable, message)
}

#[cfg(test)]
mod tests {
    use analects_world::models::{Patience, Wire};

    use super::*;

    fn route(proxy: Option<&str>, url: &str) -> Route {
        Route::of(proxy, &Url::parse(url).unwrap())
    }

    #[test]
    fn a_server_on_this_machine_is_reached_directly_unless_somebody_says_otherwise() {
        assert_eq!(route(None, "http://localhost:8080/v1"), Route::Clear);
        assert_eq!(route(None, "https://127.0.0.1/v1"), Route::Direct);
        assert_eq!(route(None, "https://a.example/v1"), Route::System);
        let proxy = Route::Proxy("http://p:3128".to_owned());
        assert_eq!(route(Some("http://p:3128"), "http://localhost/"), proxy);
        assert_eq!(route(Some("http://p:3128"), "https://a.example/"), proxy);
    }

    #[test]
    fn a_proxy_that_is_none_is_a_fault_that_keeps_its_password() {
        let url = Url::parse("http://a.example/").unwrap();
        for proxy in [
            "",
            "http://",
            "http://me:secret@",
            "http://me:secret@p:port",
            "a secret",
        ] {
            let at = Endpoint {
                wire: Wire::OpenAi,
                base_url: String::new(),
                key: None,
                proxy: Some(proxy.to_owned()),
                patience: Patience::KNOCK,
            };
            let fault = Clients::default().client(&at, &url).unwrap_err();
            assert_eq!(fault.kind, Kind::Unreachable);
            assert!(!fault.message.contains("secret"), "{}", fault.message);
        }
    }

    #[test]
    fn one_way_has_one_client_and_there_are_never_too_many() {
        let clients = Clients::default();
        let url = Url::parse("http://127.0.0.1/").unwrap();
        for connect_ms in 0..100 {
            let at = Endpoint {
                wire: Wire::OpenAi,
                base_url: String::new(),
                key: None,
                proxy: None,
                patience: Patience {
                    connect_ms,
                    ..Patience::KNOCK
                },
            };
            clients.client(&at, &url).unwrap();
            clients.client(&at, &url).unwrap();
        }
        assert!(clients.0.lock().unwrap().len() <= MAX_CLIENTS);
    }
}
