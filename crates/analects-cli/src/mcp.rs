//! `analects mcp`: the MCP server, with this machine's doors.

use std::sync::Arc;

use analects_engine::verbs::Failure;
use analects_host::{
    Disk, DiskClaims, DiskSearch, DiskTapes, DiskWatch, HttpModels, LazyIndex, RealPrograms,
    WallClock,
};
use analects_mcp::{Doors, Over, Setup, TestTools};
use analects_world::{Claims, Clock, Desk, Files, Index, Models, Programs, Search, Tapes, Watch};

use crate::args::{Global, Mcp};
use crate::desk::{self, TellingDesk};

/// The real doors, open as long as the server runs.
struct Machine {
    desk: TellingDesk<'static>,
    index: LazyIndex,
    models: HttpModels,
    watch: DiskWatch,
}

impl Doors for Machine {
    fn search(&self) -> &dyn Search {
        &DiskSearch
    }

    fn files(&self) -> &dyn Files {
        &Disk
    }

    fn desk(&self) -> &dyn Desk {
        &self.desk
    }

    fn tapes(&self) -> &dyn Tapes {
        &DiskTapes
    }

    fn claims(&self) -> &dyn Claims {
        &DiskClaims
    }

    fn index(&self) -> &dyn Index {
        &self.index
    }

    fn clock(&self) -> &dyn Clock {
        &WallClock
    }

    fn programs(&self) -> &dyn Programs {
        &RealPrograms
    }

    fn models(&self) -> &dyn Models {
        &self.models
    }

    fn watch(&self) -> &dyn Watch {
        &self.watch
    }
}

/// Serves until the client is gone. Nothing but the protocol goes to stdout.
pub(crate) fn serve(global: &Global, args: &Mcp) -> Result<(), Failure> {
    let (around, desk) = desk::open(global)?;
    let setup = Setup {
        doors: Arc::new(Machine {
            index: desk::index(&around),
            desk: TellingDesk(desk),
            models: HttpModels::default(),
            watch: DiskWatch::default(),
        }),
        around,
        flags: global.flags(),
        test_tools: match args.test_tools {
            true => TestTools::Offered,
            false => TestTools::Hidden,
        },
    };
    let over = args.http.clone().map_or(Over::Stdio, Over::Http);
    analects_mcp::serve(setup, over)
}
