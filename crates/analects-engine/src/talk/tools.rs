//! Running what a model calls: within the policy, those that only look at once, and what came of it in the order of
//! the calls.

mod perform;

use std::sync::mpsc;
use std::thread;

use analects_agent::policy::{Asked, Decision, Mode, Policy, decide};
use analects_agent::tools::{For, Output, Refusal, RefusalKind, Seen, Wanted, Workspace, ask_user, schema};
use analects_chat::keep::{Kept, Label};
use analects_chat::{route, shorten};
use analects_session::message::Status;
use analects_world::model::{Body, Call, Part, Response};
use analects_world::models::Tool;
use analects_world::{AbsPath, Cancel};
use serde_json::{Map, Value, json};

use super::record::Used;
use super::run::Run;
use super::{Hands, Tell, keep};
use crate::World;
use crate::load_memory::Prepared;
use crate::prompt::{Audience, PromptOptions, Writer};
use crate::save_memory::{self, SaveMemory};
use crate::verbs::Flags;

pub(super) use perform::Done;
use perform::{Job, Performer};

/// What tools need, for as long as a talk goes on.
pub(super) struct Toolbox<'a> {
    pub(super) hands: Hands<'a>,
    pub(super) workspace: Workspace,
    pub(super) policy: Policy,
    pub(super) mode: Mode,
    pub(super) vars: std::collections::BTreeMap<String, String>,
    pub(super) seen: Seen,
    /// Where plans of this project lie.
    pub(super) plans: AbsPath,
    /// The plan that was written in this talk.
    pub(super) plan: Option<AbsPath>,
    pub(super) ignore_files: Vec<AbsPath>,
    pub(super) heeds_git: bool,
}
