//! Models over real HTTP, asked of a server that speaks all wires and misbehaves in every way we know.

mod badly;
mod fit;
mod parting;
mod talk;
mod well;
