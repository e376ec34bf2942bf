//! Every kind of problem with the files that define sub-agents.

use analects_text::problem::Code;
use analects_text::problem::Severity::{Error, Warning};

/// A file that defines no agent.
pub const BAD_AGENT: Code = Code {
    name: "bad-agent",
    severity: Error,
    meaning: "A file that should define an agent cannot be understood, or says something that no agent can be. There is \
              no such agent until it is repaired.",
};

/// A definition that is probably not what was meant.
pub const ODD_AGENT: Code = Code {
    name: "odd-agent",
    severity: Warning,
    meaning: "An agent is there, but not quite as it was written down: a field is unknown and means nothing, a tool is \
              not there, or something that nobody can see was left out of its text.",
};

/// An agent of a kind that is not run here.
pub const AGENT_SKIPPED: Code = Code {
    name: "agent-skipped",
    severity: Warning,
    meaning: "A file defines an agent that runs elsewhere. Only local ones are run, so it is left out.",
};

/// All codes of sub-agents, for the reference.
pub const ALL: [&Code; 3] = [&BAD_AGENT, &ODD_AGENT, &AGENT_SKIPPED];
