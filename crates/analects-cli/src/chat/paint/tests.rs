//! What stands on a screen in the end, seen by a terminal.

use super::*;

#[test]
fn x() {}
