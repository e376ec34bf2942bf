//! Models over HTTP.

#[expect(dead_code, reason = "not yet")]
mod wire;

use analects_world::Cancel;
use analects_world::models::{Endpoint, Event, Fault, Kind, Listed, Models, Request};

/// Models over HTTP.
#[derive(Debug, Default)]
pub struct HttpModels;

impl Models for HttpModels {
    fn ask(
        &self,
        _: &Endpoint,
        _: &Request<'_>,
        _: &Cancel,
        _: &mut dyn FnMut(Event),
    ) -> Result<(), Fault> {
        Err(Fault::new(Kind::Unreachable, "not yet"))
    }

    fn count(&self, _: &Endpoint, _: &Request<'_>, _: &Cancel) -> Result<Option<u64>, Fault> {
        Ok(None)
    }

    fn list(&self, _: &Endpoint, _: &Cancel) -> Result<Vec<Listed>, Fault> {
        Err(Fault::new(Kind::Unreachable, "not yet"))
    }
}
