//! The secret scanner from the outside: what it must find, what it must leave, what always holds.

mod look_alikes;
mod made_up;
mod properties;
mod secrets;
