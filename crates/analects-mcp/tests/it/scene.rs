//! A home, a project, a server in it, and a client whose person answers as told.
#![expect(deprecated, reason = "roots are what the newest protocol calls old")]

use std::collections::VecDeque;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use analects_engine::verbs::Flags;
use analects_host::commit::{CommitDesk, OpenGate};
use analects_host::{
    Disk, DiskClaims, DiskSearch, DiskTapes, DiskWatch, HttpModels, LazyIndex, RealPrograms,
    WallClock,
};
use analects_mcp::{Doors, Setup, TestTools, serve_lines};
use analects_world::{
    AbsPath, Claims, Clock, Desk, Files, Index, Models, Programs, Search, SessionScope,
    Surroundings, Tapes, Watch,
};
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ElicitRequestParams,
    ElicitResult, ElicitationAction, Implementation, ListRootsResult, ProtocolVersion,
    ResourceUpdatedNotificationParam, Root,
};
use rmcp::service::{
    ClientLifecycleMode, ClientServiceExt, NotificationContext, RequestContext, RoleClient,
    RunningService,
};
use rmcp::{ClientHandler, ErrorData, ServiceExt};
use serde_json::Value;
use tokio::sync::{Semaphore, mpsc};

/// Only a failure takes this long.
const PATIENCE: Duration = Duration::from_secs(30);

/// A temporary directory `/T` with `/T/home` and the project `/T/repo`.
pub(crate) struct Scene {
    dir: tempfile::TempDir,
}

struct Machine {
    desk: CommitDesk<'static>,
    index: LazyIndex,
    models: HttpModels,
    watch: DiskWatch,
}

impl Doors for Machine {
    fn search(&self) -> &dyn Search {
        &DiskSearch
    }

    fn files(&self) -> &dyn Files {
        &Disk
    }
    fn desk(&self) -> &dyn Desk {
        &self.desk
    }
    fn tapes(&self) -> &dyn Tapes {
        &DiskTapes
    }

    fn claims(&self) -> &dyn Claims {
        &DiskClaims
    }

    fn index(&self) -> &dyn Index {
        &self.index
    }

    fn clock(&self) -> &dyn Clock {
        &WallClock
    }

    fn programs(&self) -> &dyn Programs {
        &RealPrograms
    }

    fn models(&self) -> &dyn Models {
        &self.models
    }
    fn watch(&self) -> &dyn Watch {
        &self.watch
    }
}

impl Scene {
    pub(crate) fn new() -> Self {
        let scene = Self {
            dir: tempfile::tempdir().unwrap(),
        };
        fs::create_dir_all(scene.path("home/.gemini")).unwrap();
        fs::create_dir_all(scene.path("repo/.git")).unwrap();
        scene
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        fs::canonicalize(self.dir.path()).unwrap().join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) -> &Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_default()
    }

    /// Text with this scene's directory called `/T`.
    pub(crate) fn shown(&self, text: &str) -> String {
        text.replace(self.path("").to_str().unwrap().trim_end_matches('/'), "/T")
    }

    pub(crate) fn setup(&self, flags: Flags) -> Setup {
        let abs = |path: &str| AbsPath::new(self.path(path).to_str().unwrap()).unwrap();
        let nowhere = self.path("none.json").to_str().unwrap().to_owned();
        let vars = [
            "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
            "GEMINI_CLI_SYSTEM_DEFAULTS_PATH",
        ];
        let state = abs("home/.gemini/analects");
        Setup {
            doors: Arc::new(Machine {
                index: LazyIndex::new(state.join("index.sqlite")),
                models: HttpModels::default(),
                watch: DiskWatch::default(),
                desk: CommitDesk::new(&state, &OpenGate),
            }),
            around: Surroundings {
                binary: None,
                sessions: SessionScope::All,
                cwd: abs("repo"),
                home: abs("home"),
                vars: vars.map(|name| (name.to_owned(), nowhere.clone())).into(),
            },
            flags,
            test_tools: TestTools::Hidden,
        }
    }

    /// A client without any abilities of its own, in a trusted folder.
    /// Trusts these folders by rules.
    pub(crate) fn trust(&self, paths: &[&str]) -> &Self {
        let rules = paths.iter().map(|path| {
            let path = self.path(path).to_str().unwrap().to_owned();
            (path, "TRUST_FOLDER".into())
        });
        let rules = serde_json::Value::Object(rules.collect());
        self.write("home/.gemini/trustedFolders.json", &rules.to_string())
    }

    pub(crate) async fn client(&self) -> Client {
        self.client_with(Person::default(), TRUSTED).await
    }

    pub(crate) async fn client_with(&self, person: Person, flags: Flags) -> Client {
        let (ours, theirs) = self.pipe(flags);
        let (person, heard) = person.listening();
        let (answers, asked) = (Arc::clone(&person.answers), Arc::clone(&person.asked));
        let running = person.serve(tokio::io::split(ours)).await.unwrap();
        Client {
            running,
            heard,
            answers,
            asked,
            server: theirs,
        }
    }

    /// The client of a server that was started in `dir`.
    pub(crate) async fn client_in(&self, dir: &str) -> Client {
        let mut setup = self.setup(TRUSTED);
        setup.around.cwd = AbsPath::new(self.path(dir).to_str().unwrap()).unwrap();
        let (ours, server) = Self::pipe_to(setup);
        let (person, heard) = Person::default().listening();
        let (answers, asked) = (Arc::clone(&person.answers), Arc::clone(&person.asked));
        let running = person.serve(tokio::io::split(ours)).await.unwrap();
        Client {
            running,
            heard,
            answers,
            asked,
            server,
        }
    }

    /// The same, as a client of the protocol without a handshake.
    pub(crate) async fn modern_client(&self, person: Person, flags: Flags) -> Client {
        let (ours, theirs) = self.pipe(flags);
        let (person, heard) = person.listening();
        let (answers, asked) = (Arc::clone(&person.answers), Arc::clone(&person.asked));
        let lifecycle = ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        };
        let serving = person.serve_with_lifecycle(tokio::io::split(ours), lifecycle);
        Client {
            running: serving.await.unwrap(),
            heard,
            answers,
            asked,
            server: theirs,
        }
    }

    /// A server, and the client's end of the pipe to it.
    pub(crate) fn pipe(
        &self,
        flags: Flags,
    ) -> (tokio::io::DuplexStream, tokio::task::JoinHandle<()>) {
        Self::pipe_to(self.setup(flags))
    }

    fn pipe_to(setup: Setup) -> (tokio::io::DuplexStream, tokio::task::JoinHandle<()>) {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let (read, write) = tokio::io::split(theirs);
        let server = tokio::spawn(serve_lines(setup, read, write));
        (ours, server)
    }
}

pub(crate) const TRUSTED: Flags = Flags {
    trust: true,
    no_memory: false,
    dry_run: false,
    yes: false,
};

/// The person behind a client, and what the client can do.
#[derive(Default)]
pub(crate) struct Person {
    pub(crate) can: ClientCapabilities,
    pub(crate) roots: Arc<Mutex<Vec<String>>>,
    answers: Arc<Mutex<VecDeque<ElicitResult>>>,
    asked: Arc<Mutex<Vec<String>>>,
    heard: Option<mpsc::UnboundedSender<String>>,
    /// Who thinks waits for a permit before every answer.
    pub(crate) thinks: Option<Arc<Semaphore>>,
}

impl Person {
    /// Somebody who can be asked.
    pub(crate) fn there() -> Self {
        Self {
            can: ClientCapabilities::builder().enable_elicitation().build(),
            ..Self::default()
        }
    }

    /// A client that works in these directories.
    pub(crate) fn working_in(uris: &[String]) -> Self {
        Self {
            can: ClientCapabilities::builder()
                .enable_roots()
                .enable_roots_list_changed()
                .build(),
            roots: Arc::new(Mutex::new(uris.to_vec())),
            ..Self::default()
        }
    }

    fn listening(mut self) -> (Self, mpsc::UnboundedReceiver<String>) {
        let (told, heard) = mpsc::unbounded_channel();
        self.heard = Some(told);
        (self, heard)
    }

    fn hear(&self, what: String) {
        self.heard.as_ref().unwrap().send(what).unwrap_or_default();
    }
}

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(self.can.clone(), Implementation::new("a\ntest client", "1"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams { message, .. } = request else {
            return Err(ErrorData::invalid_params("a form was expected", None));
        };
        self.asked.lock().unwrap().push(message);
        if let Some(thinks) = &self.thinks {
            thinks.acquire().await.unwrap().forget();
        }
        let answer = self.answers.lock().unwrap().pop_front();
        answer.ok_or_else(|| ErrorData::internal_error("nobody answers", None))
    }

    async fn list_roots(
        &self,
        _: RequestContext<RoleClient>,
    ) -> Result<ListRootsResult, ErrorData> {
        let roots = self.roots.lock().unwrap();
        Ok(ListRootsResult::new(roots.iter().map(Root::new).collect()))
    }

    async fn on_resource_updated(
        &self,
        updated: ResourceUpdatedNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.hear(updated.uri);
    }

    async fn on_resource_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.hear("list".to_owned());
    }
}

/// A connected client.
pub(crate) struct Client {
    pub(crate) running: RunningService<RoleClient, Person>,
    pub(crate) heard: mpsc::UnboundedReceiver<String>,
    pub(crate) server: tokio::task::JoinHandle<()>,
    answers: Arc<Mutex<VecDeque<ElicitResult>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Client {
    pub(crate) fn will_say(&self, action: ElicitationAction, content: Value) {
        let answer = ElicitResult::new(action).with_content(content);
        self.answers.lock().unwrap().push_back(answer);
    }

    /// What the person was asked so far.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> CallToolResult {
        let Value::Object(arguments) = arguments else {
            panic!("arguments are an object")
        };
        let call = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        self.running.call_tool(call).await.unwrap()
    }

    /// The next thing the client hears from the server by itself.
    pub(crate) async fn next(&mut self) -> String {
        let heard = tokio::time::timeout(PATIENCE, self.heard.recv());
        heard
            .await
            .expect("the server tells of the change")
            .unwrap()
    }
}

/// The text of a result.
pub(crate) fn text(result: &CallToolResult) -> String {
    result.content[0].as_text().unwrap().text.clone()
}

/// A result that is no error, as a program reads it.
pub(crate) fn structured(result: &CallToolResult) -> &Value {
    assert_eq!(result.is_error, Some(false), "{}", text(result));
    result.structured_content.as_ref().unwrap()
}
