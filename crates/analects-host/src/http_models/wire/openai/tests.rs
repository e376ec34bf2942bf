//! What chat completions are asked, and what they mean by their answers.

mod answers;
mod questions;
