//! What messages are asked, and what they mean by their answers.

mod answers;
mod questions;
mod there_and_back;
mod valid;
