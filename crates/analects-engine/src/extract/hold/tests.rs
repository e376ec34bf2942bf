//! Locks that are held, lost and taken over.
