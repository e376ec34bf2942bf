//! The learner that needs no model.

use super::{Job, Made};
use crate::verbs::Failure;

/// Learns from all sessions at once, and puts what it is sure of into the inbox.
pub(crate) fn learn(_job: &Job<'_>) -> Result<Made, Failure> {
    Ok(Made::default())
}
