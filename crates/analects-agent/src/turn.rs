//! What happens next.
