//! One request's work: the engine on a thread of its own, in the client's project, with the client to ask.

use std::sync::Arc;

use analects_engine::verbs::Flags;
use analects_engine::{World, trust};
use analects_world::ask::Always;
use analects_world::progress::Silent;
use analects_world::{AbsPath, SessionScope, Surroundings};
use rmcp::ErrorData;
use rmcp::model::{ClientCapabilities, InputRequiredResult};
use rmcp::service::{Peer, RequestContext, RoleServer};
use tokio::sync::{Semaphore, mpsc};
use tokio::task;

use crate::consent::Asking;
use crate::roots;
use crate::rounds::{self, Brought};
use crate::server::Server;
use crate::setup::Setup;

/// How many requests are worked on at once; others wait. Reading what the client says may need a thread, too.
pub(crate) const MAX_AT_ONCE: usize = 32;

/// What became of a request.
pub(crate) enum Done<T> {
    /// It is answered.
    Answered(T),
    /// The client has to find something out first.
    Asked(InputRequiredResult),
}

impl Server {
    /// Does `job` for a request.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        brought: &Brought,
        job: impl FnOnce(&World<'_>, &Flags) -> T + Send + 'static,
    ) -> Result<Done<T>, ErrorData> {
        let client = Client::of(context);
        let Some(roots) = self.roots_for(context, &client, brought).await else {
            return Ok(Done::Asked(rounds::ask_for_roots()));
        };
        let (ask, mut questions) = mpsc::channel(1);
        let asking = match client.can_ask() && !self.setup.flags.yes {
            false => Asking::Host,
            true if client.is_modern => Asking::Round(brought.consent()),
            true => Asking::Call(ask),
        };
        let desk = Desk {
            setup: self.setup.clone(),
            always: Arc::clone(&self.connection.always),
            roots: roots.clone(),
            sessions: self.exposure.sessions.clone(),
        };
        let _turn = take_turn(&self.turns).await?;
        let mut working = task::spawn_blocking(move || desk.work(asking, job));
        let worked = loop {
            tokio::select! {
                worked = &mut working => break worked,
                Some(question) = questions.recv() => tokio::select! {
                    () = question.put_to(context) => {}
                    () = self.connection.gone.cancelled() => {}
                },
            }
        };
        let (answer, asking) = worked.map_err(|_| internal("the request came to a sudden end"))?;
        if let Asking::Round(round) = asking
            && let Some(shown) = round.into_pending()
        {
            return Ok(Done::Asked(rounds::ask_for_consent(shown, &roots)));
        }
        Ok(Done::Answered(answer))
    }

    /// The client's roots; `None` if it has to be asked, and can only be asked in a round of its own.
    async fn roots_for(
        &self,
        context: &RequestContext<RoleServer>,
        client: &Client,
        brought: &Brought,
    ) -> Option<Vec<AbsPath>> {
        let known = &self.connection.roots;
        if !client.has_roots() {
            return Some(Vec::new());
        }
        if !client.is_modern {
            return Some(known.ask(&context.peer).await);
        }
        if let Some(roots) = brought.told_roots() {
            known.note(roots.clone()).await;
            return Some(roots);
        }
        known.known().await.or_else(|| brought.noted_roots())
    }

    /// The same without a client to ask: what it may need was asked before.
    pub(crate) async fn look<T: Send + 'static>(
        &self,
        job: impl FnOnce(&World<'_>, &Flags) -> T + Send + 'static,
    ) -> Option<T> {
        let desk = Desk {
            setup: self.setup.clone(),
            always: Arc::clone(&self.connection.always),
            roots: self.connection.roots.known().await.unwrap_or_default(),
            sessions: self.exposure.sessions.clone(),
        };
        let _turn = take_turn(&self.turns).await.ok()?;
        let working = task::spawn_blocking(move || desk.work(Asking::Host, job).0);
        working.await.ok()
    }
}

async fn take_turn(turns: &Semaphore) -> Result<impl Drop + '_, ErrorData> {
    turns
        .acquire()
        .await
        .map_err(|_| internal("the server is about to end"))
}

fn internal(message: &'static str) -> ErrorData {
    ErrorData::internal_error(message, None)
}

/// What a thread needs to open the doors by itself.
pub(crate) struct Desk {
    setup: Setup,
    always: Arc<Always>,
    roots: Vec<AbsPath>,
    sessions: SessionScope,
}

impl Desk {
    /// For work of the server itself, in the directory that it was started in.
    pub(crate) fn at_start(setup: &Setup) -> Self {
        Self {
            setup: setup.clone(),
            always: Arc::default(),
            roots: Vec::new(),
            sessions: SessionScope::Nothing,
        }
    }

    pub(crate) fn work<T>(
        &self,
        asking: Asking,
        job: impl FnOnce(&World<'_>, &Flags) -> T,
    ) -> (T, Asking) {
        let Setup { doors, around, .. } = &self.setup;
        let here = Surroundings {
            cwd: roots::choose(doors.files(), &self.roots, &around.cwd),
            sessions: self.sessions.clone(),
            ..around.clone()
        };
        let world = World {
            files: doors.files(),
            search: doors.search(),
            desk: doors.desk(),
            tapes: doors.tapes(),
            claims: doors.claims(),
            index: doors.index(),
            progress: &Silent,
            clock: doors.clock(),
            programs: doors.programs(),
            models: doors.models(),
            person: &asking,
            always: &self.always,
            around: &here,
        };
        // The client names the folder; what was said at the start is about the one that we were started in.
        let (flags, here) = trust::confine_to_start(&world, &around.cwd, &self.setup.flags);
        let world = World {
            around: &here,
            ..world
        };
        let answer = job(&world, &flags);
        (answer, asking)
    }
}

/// What is known of the client that made a request.
pub(crate) struct Client {
    capabilities: ClientCapabilities,
    /// Whether it speaks the protocol in which servers make no requests.
    pub(crate) is_modern: bool,
}

impl Client {
    /// The client of a connection that began with a handshake.
    pub(crate) fn at(peer: &Peer<RoleServer>) -> Self {
        let info = peer.peer_info();
        let capabilities = info.map(|info| info.capabilities.clone());
        Self {
            capabilities: capabilities.unwrap_or_default(),
            is_modern: false,
        }
    }

    pub(crate) fn of(context: &RequestContext<RoleServer>) -> Self {
        let version = context.protocol_version();
        Self {
            capabilities: context.client_capabilities().unwrap_or_default(),
            is_modern: version.is_some_and(|version| !version.has_initialize()),
        }
    }

    /// Whether it can put a question to the person.
    fn can_ask(&self) -> bool {
        // A client that names no way of asking means forms.
        let asks = self.capabilities.elicitation.as_ref();
        asks.is_some_and(|asks| asks.form.is_some() || asks.url.is_none())
    }

    pub(crate) fn has_roots(&self) -> bool {
        self.capabilities.roots.is_some()
    }
}
