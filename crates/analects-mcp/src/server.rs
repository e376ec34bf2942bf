//! The server as a client sees it: what it can do, and who answers what.
#![expect(
    deprecated,
    reason = "the conformance suite asks for log levels, which the newest protocol calls old"
)]

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use analects_world::ask::Always;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CustomRequest,
    CustomResult, ErrorCode, GetPromptRequestParams, GetPromptResponse, Implementation,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities,
    ServerConfig, SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter, Tool,
    UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, Peer, RequestContext, RoleServer, SubscriptionContext};
use rmcp::{ErrorData, ServerHandler};
use tokio::sync::Semaphore;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::exposure::Exposure;
use crate::news::Lookout;
use crate::roots::Roots;
use crate::setup::{Setup, TestTools};
use crate::work::{Client, MAX_AT_ONCE};
use crate::{prompts, resources, test_tools, tools};

/// What a model should know about this server before it needs it.
const INSTRUCTIONS: &str = include_str!("../prompts/instructions.md");

/// Requests that are answered if their parameters make sense, whatever the protocol.
const KNOWN: [&str; 5] = [
    "tools/call",
    "tools/list",
    "resources/list",
    "resources/read",
    "prompts/get",
];

/// The same, in the protocols that begin with a handshake.
const KNOWN_BEFORE: [&str; 3] = ["initialize", "resources/subscribe", "resources/unsubscribe"];

/// Everything that serves one connection; cheap to clone.
#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) setup: Setup,
    pub(crate) exposure: Exposure,
    pub(crate) connection: Arc<Connection>,
    pub(crate) turns: Arc<Semaphore>,
}

/// What is known of one client, for as long as it is there.
#[derive(Default)]
pub(crate) struct Connection {
    pub(crate) roots: Roots,
    pub(crate) always: Arc<Always>,
    pub(crate) lookout: Lookout,
    pub(crate) gone: CancellationToken,
    subscribed: Mutex<BTreeSet<String>>,
}

impl Connection {
    pub(crate) fn is_subscribed(&self, uri: &str) -> bool {
        self.subscribed().contains(uri)
    }

    fn subscribed(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.subscribed
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// The end of a connection that belongs to the protocol: when it is dropped, the client is gone.
pub(crate) struct Handler {
    server: Server,
    _leaving: DropGuard,
}

impl Handler {
    /// Serves one more connection. All of them take turns.
    pub(crate) fn new(setup: Setup, turns: Arc<Semaphore>) -> Self {
        let connection = Arc::new(Connection::default());
        Self {
            _leaving: connection.gone.clone().drop_guard(),
            server: Server {
                exposure: Exposure::load(&setup),
                setup,
                connection,
                turns,
            },
        }
    }

    /// Set when the client is gone; may be set from outside.
    pub(crate) fn gone(&self) -> CancellationToken {
        self.server.connection.gone.clone()
    }

    /// Tells the client of changes in its project from now on.
    async fn tell(&self, client: &Peer<RoleServer>) {
        if Client::at(client).has_roots() {
            self.server.connection.roots.ask(client).await;
        }
        self.server.tell(client).await;
    }

    fn has_test_tools(&self) -> bool {
        self.server.setup.test_tools == TestTools::Offered
    }

    fn knows(&self, uri: &str) -> bool {
        resources::is_watched(uri) || self.has_test_tools() && test_tools::knows(uri)
    }
}

/// The turns of a whole process.
pub(crate) fn turns() -> Arc<Semaphore> {
    Arc::new(Semaphore::new(MAX_AT_ONCE))
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let mut capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_resources_list_changed()
            .build();
        if self.has_test_tools() {
            test_tools::extend(&mut capabilities);
        }
        let me = Implementation::new("analects", env!("CARGO_PKG_VERSION")).with_title("Analects");
        ServerConfig::new(capabilities)
            .with_server_info(me)
            .with_instructions(INSTRUCTIONS.trim_end())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut tools = tools::all();
        if self.has_test_tools() {
            tools.extend(test_tools::tools());
        }
        Ok(ListToolsResult::with_all_items(tools))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::all().into_iter().find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if self.has_test_tools() && test_tools::is_one(&request.name) {
            return test_tools::call(request, context).await.map(Into::into);
        }
        let answer = tools::call(&self.server, request, &context).await;
        self.server.exposure.mask_answer(answer)
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let mut prompts = prompts::all();
        if self.has_test_tools() {
            prompts.extend(test_tools::prompts());
        }
        Ok(ListPromptsResult::with_all_items(prompts))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        if self.has_test_tools()
            && let Some(prompt) = test_tools::prompt(&request)
        {
            return Ok(prompt.into());
        }
        let answer = prompts::get(&self.server, request, &context).await;
        self.server.exposure.mask_answer(answer)
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let found = resources::list(&self.server, &context).await;
        let mut found = found.map_err(|error| self.server.exposure.mask_error(error))?;
        if self.has_test_tools() {
            found.extend(test_tools::resources());
        }
        let answer = ListResourcesResult::with_all_items(found);
        self.server.exposure.mask_answer(Ok(answer))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let mut found = resources::templates();
        if self.has_test_tools() {
            found.extend(test_tools::resource_templates());
        }
        Ok(ListResourceTemplatesResult::with_all_items(found))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if self.has_test_tools()
            && let Some(read) = test_tools::read(&request.uri)
        {
            return Ok(read.into());
        }
        let answer = resources::read(&self.server, request, &context).await;
        self.server.exposure.mask_answer(answer)
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if !self.knows(&request.uri) {
            return Err(resources::unknown(&request.uri));
        }
        self.server.connection.subscribed().insert(request.uri);
        self.tell(&context.peer).await;
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.server.connection.subscribed().remove(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        let mut accepted = SubscriptionFilter::new();
        accepted.resources_list_changed = requested.resources_list_changed;
        let uris = requested.resource_subscriptions.as_ref();
        accepted.resource_subscriptions = uris.map(|uris| {
            let known = uris.iter().filter(|uri| self.knows(uri));
            known.cloned().collect()
        });
        Some(accepted)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.server.tell_listener(&context).await;
        Ok(())
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.tell(&context.peer).await;
    }

    async fn on_roots_list_changed(&self, context: NotificationContext<RoleServer>) {
        let connection = &self.server.connection;
        connection.roots.forget().await;
        connection.roots.ask(&context.peer).await;
        connection.lookout.stir();
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method;
        let is_old = || KNOWN_BEFORE.contains(&method.as_str()) && !Client::of(&context).is_modern;
        // A request that we know ends up here if its parameters make no sense.
        Err(match KNOWN.contains(&method.as_str()) || is_old() {
            true => ErrorData::invalid_params("cannot understand the parameters", None),
            false => ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None),
        })
    }

    async fn complete(
        &self,
        _: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Ok(CompleteResult::default())
    }

    async fn set_level(
        &self,
        _: SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        match self.has_test_tools() {
            true => Ok(()),
            false => Err(ErrorData::method_not_found::<
                rmcp::model::SetLevelRequestMethod,
            >()),
        }
    }
}
