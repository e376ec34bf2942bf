//! Whole compressions of small histories.
