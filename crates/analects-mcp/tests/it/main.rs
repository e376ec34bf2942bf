//! The server as clients see it: the SDK's own client on the other end of a pipe in memory, a real disk below.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "these tests use a real disk, and stop at the first surprise"
)]

mod consent;
mod end;
mod modern;
mod prompts;
mod resources;
mod roots;
mod scene;
mod sessions;
mod tools;
