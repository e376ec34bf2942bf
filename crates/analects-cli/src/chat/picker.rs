//! A list with a preview that fills the screen, to choose from.
