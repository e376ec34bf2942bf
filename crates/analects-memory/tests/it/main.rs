//! The memory room as a whole: beside the original, and against bad input.

mod bad_input;
mod peer;
