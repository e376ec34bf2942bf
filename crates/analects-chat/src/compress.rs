//! A long history made short.

pub mod split;
