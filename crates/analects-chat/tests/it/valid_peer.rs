//! Our answers beside those of the original.
