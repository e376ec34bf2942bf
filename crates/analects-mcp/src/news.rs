//! Telling clients that memory or a skill has changed.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use analects_engine::watch_memory::{self, News, Sight};
use analects_world::watch::Watching;
use rmcp::model::ResourceUpdatedNotificationParam;
use rmcp::service::{Peer, RoleServer, SubscriptionContext};
use tokio::sync::{Notify, OnceCell, broadcast};

use crate::resources;
use crate::server::Server;

/// Programs write a file in several steps; all of them are one change.
const REST: Duration = Duration::from_millis(200);

/// News that nobody has fetched yet; who is further behind has missed some, and looks at everything.
const MAX_WAITING: usize = 16;

/// The watch of one connection.
pub(crate) struct Lookout {
    told: broadcast::Sender<News>,
    /// Memory as it was when it was last looked at.
    sight: Arc<Mutex<Option<Sight>>>,
    /// Something happened that may have changed it.
    stirred: Arc<Notify>,
    watch: OnceCell<()>,
    teller: OnceCell<()>,
}

impl Default for Lookout {
    fn default() -> Self {
        Self {
            told: broadcast::Sender::new(MAX_WAITING),
            sight: Arc::default(),
            stirred: Arc::default(),
            watch: OnceCell::new(),
            teller: OnceCell::new(),
        }
    }
}

impl Lookout {
    /// Looks again, whether or not something was heard.
    pub(crate) fn stir(&self) {
        self.stirred.notify_one();
    }

    fn replace(&self, now: Sight) -> Option<News> {
        let mut sight = self.sight.lock().unwrap_or_else(PoisonError::into_inner);
        let news = sight.as_ref().map(|before| now.news_since(before));
        *sight = Some(now);
        news.filter(|news| *news != News::default())
    }
}

impl Server {
    /// Watches memory from now on, until the client is gone. Returns once changes will be noticed.
    pub(crate) async fn watch(&self) {
        let lookout = &self.connection.lookout;
        lookout.watch.get_or_init(|| self.start_watch()).await;
    }

    async fn start_watch(&self) {
        let lookout = &self.connection.lookout;
        let (sight, stirred) = (Arc::clone(&lookout.sight), Arc::clone(&lookout.stirred));
        let hear = move |path| {
            let sight = sight.lock().unwrap_or_else(PoisonError::into_inner);
            if sight.as_ref().is_none_or(|sight| sight.concerns(&path)) {
                stirred.notify_one();
            }
        };
        // Where nothing can be watched, nothing is told; everything else works.
        if let Ok(watching) = self.setup.doors.watch().start(Box::new(hear)) {
            let watching = self.survey(watching).await;
            tokio::spawn(self.clone().keep_watch(watching));
        }
    }

    /// Tells a client of the older protocols of all changes from now on.
    pub(crate) async fn tell(&self, client: &Peer<RoleServer>) {
        let lookout = &self.connection.lookout;
        let start = async || {
            let told = lookout.told.subscribe();
            tokio::spawn(self.clone().keep_telling(client.clone(), told));
        };
        lookout.teller.get_or_init(start).await;
        self.watch().await;
    }

    async fn keep_watch(self, mut watching: Option<Box<dyn Watching>>) {
        let connection = &self.connection;
        while let Some(over) = watching.take() {
            tokio::select! {
                () = connection.gone.cancelled() => return,
                () = connection.lookout.stirred.notified() => {}
            }
            tokio::time::sleep(REST).await;
            watching = self.survey(over).await;
        }
    }

    /// Looks at memory, watches where it lies now, and tells what is other than before.
    async fn survey(&self, mut watching: Box<dyn Watching>) -> Option<Box<dyn Watching>> {
        let looked = self.look(|world, flags| {
            let before = watch_memory::look(world, flags);
            if let Ok(sight) = &before {
                watching.over(&sight.dirs);
            }
            // What changed before the watch was in place would be missed.
            let now = before.and_then(|_| watch_memory::look(world, flags));
            (now, watching)
        });
        let (sight, watching) = looked.await?;
        let lookout = &self.connection.lookout;
        // A project that is gone may come back: what was watched goes on to be.
        if let Some(news) = sight.ok().and_then(|now| lookout.replace(now)) {
            // Nobody may be listening.
            let _ = lookout.told.send(news);
        }
        Some(watching)
    }

    async fn keep_telling(self, client: Peer<RoleServer>, mut told: broadcast::Receiver<News>) {
        loop {
            let news = tokio::select! {
                () = self.connection.gone.cancelled() => return,
                news = next(&mut told) => news,
            };
            for uri in news.uris {
                if self.connection.is_subscribed(&uri) {
                    let updated = ResourceUpdatedNotificationParam::new(uri);
                    let _ = client.notify_resource_updated(updated).await;
                }
            }
            if news.is_other_list {
                let _ = client.notify_resource_list_changed().await;
            }
        }
    }

    /// Tells a client of the newer protocol, as long as it listens.
    pub(crate) async fn tell_listener(&self, listener: &SubscriptionContext) {
        let mut told = self.connection.lookout.told.subscribe();
        self.watch().await;
        loop {
            let news = tokio::select! {
                () = self.connection.gone.cancelled() => return,
                () = listener.cancelled() => return,
                news = next(&mut told) => news,
            };
            // What it did not ask for is held back there.
            for uri in news.uris {
                let _ = listener.sink().notify_resource_updated(uri).await;
            }
            if news.is_other_list {
                let _ = listener.sink().notify_resource_list_changed().await;
            }
        }
    }
}

/// News in a client's words.
struct Told {
    uris: Vec<String>,
    is_other_list: bool,
}

async fn next(told: &mut broadcast::Receiver<News>) -> Told {
    match told.recv().await {
        Ok(news) => {
            let layers = news.layers.iter().map(|layer| resources::uri(*layer));
            let skills = news.skills.iter().map(|name| resources::skill_uri(name));
            Told {
                uris: layers.chain(skills).collect(),
                is_other_list: news.is_other_files,
            }
        }
        Err(broadcast::error::RecvError::Lagged(_)) => Told {
            uris: resources::LAYERS.map(resources::uri).into(),
            is_other_list: true,
        },
        // The sender lives as long as the connection, and so does whoever waits here.
        Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
    }
}
