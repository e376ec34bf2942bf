//! Markdown as a model speaks it, painted without flicker.
