//! Ways in which a server misbehaves, so that a test can go through all of them.

use analects_world::models::Event;
use serde_json::json;

use super::reply::{Quirk, Reply, SWOLLEN, Trouble};
use crate::say;

/// One way to misbehave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mischief {
    /// Takes the request and says nothing.
    NeverAnswers,
    /// Says something, then nothing any more.
    FallsSilent,
    /// Closes the connection before a head.
    ClosesAtOnce,
    /// Says something that is no HTTP.
    NoHttp,
    /// Breaks the connection within an event.
    CutWithinEvent,
    /// Breaks the connection between two events.
    CutBetweenEvents,
    /// Ends the body before the answer is over.
    EndsEarly,
    /// Ends the body before it began.
    SaysNothing,
    /// Reports an error after the first words.
    TroubleInStream,
    /// Has too much to do, and says for how many seconds.
    BusyForSecs,
    /// Has too much to do, and says until when: a time that is over.
    BusyUntilDate,
    /// Has too much to do, and says for how long in the body, as Gemini does.
    BusySaysBody,
    /// Reports a failure of its own.
    Fails,
    /// Reports that it is overloaded.
    IsOverloaded,
    /// Reports that what was paid for is used up.
    IsUsedUp,
    /// Reports an error with the key in it.
    EchoesKey,
    /// Reports an error with the key in it after the first words.
    EchoesKeyInStream,
    /// Sends bytes that are no text.
    SendsBytes,
    /// Sends a page for people, as if all were well.
    SendsPage,
    /// Sends a page for people: a gateway found nobody.
    SendsGatewayPage,
    /// Sends half a JSON document as if it were a whole one.
    SendsHalfJson,
    /// Sends JSON that means nothing here.
    SendsOtherJson,
    /// Sends a line of 100 MB.
    SendsLongLine,
    /// Sends event after event for ever, or nearly.
    SendsTooMuch,
    /// Sends a good answer under the wrong name.
    SaysWrongType,
    /// Points to another address.
    PointsElsewhere,
    /// Calls a tool with arguments that are no JSON.
    CallsBadly,
    /// Calls a tool that nobody offered.
    CallsStranger,
    /// Counts less than nothing.
    CountsNegative,
    /// Counts fractions.
    CountsFractions,
    /// Counts in words.
    CountsWords,
    /// Counts more than there is.
    CountsHuge,
    /// Finishes without a word.
    OnlyFinishes,
    /// Thinks and finishes.
    OnlyThinks,
    /// Says all but why it ended.
    NoFinish,
    /// Marks the end before the finish.
    EarlyEndMark,
    /// Never marks the end.
    NoEndMark,
}

/// What is said where something is said.
const WORDS: [&str; 3] = ["Hel", "lo, ", "grüße"];

impl Mischief {
    /// All of them.
    pub const ALL: [Self; 37] = [
        Self::NeverAnswers,
        Self::FallsSilent,
        Self::ClosesAtOnce,
        Self::NoHttp,
        Self::CutWithinEvent,
        Self::CutBetweenEvents,
        Self::EndsEarly,
        Self::SaysNothing,
        Self::TroubleInStream,
        Self::BusyForSecs,
        Self::BusyUntilDate,
        Self::BusySaysBody,
        Self::Fails,
        Self::IsOverloaded,
        Self::IsUsedUp,
        Self::EchoesKey,
        Self::EchoesKeyInStream,
        Self::SendsBytes,
        Self::SendsPage,
        Self::SendsGatewayPage,
        Self::SendsHalfJson,
        Self::SendsOtherJson,
        Self::SendsLongLine,
        Self::SendsTooMuch,
        Self::SaysWrongType,
        Self::PointsElsewhere,
        Self::CallsBadly,
        Self::CallsStranger,
        Self::CountsNegative,
        Self::CountsFractions,
        Self::CountsWords,
        Self::CountsHuge,
        Self::OnlyFinishes,
        Self::OnlyThinks,
        Self::NoFinish,
        Self::EarlyEndMark,
        Self::NoEndMark,
    ];

    /// The events of a good answer, of which the misbehaving ones are made.
    #[must_use]
    pub fn good() -> Vec<Event> {
        let words = WORDS.iter().map(|words| say::text(words));
        words.chain([say::usage(3, 2), say::done()]).collect()
    }

    /// The reply that misbehaves so.
    #[must_use]
    pub fn reply(self) -> Reply {
        let good = || Reply::say(Self::good());
        let calls = |name| {
            let call = say::call("call_1", name, json!({"path": "a.txt"}));
            Reply::say([call, say::usage(3, 2), say::done()])
        };
        match self {
            Self::NeverAnswers => Reply::silence(),
            Self::FallsSilent => good().holding_after(2),
            Self::ClosesAtOnce => Reply::raw([]),
            Self::NoHttp => Reply::raw(&b"\x16\x03\x01\x00\x00nothing of the kind\r\n\r\n"[..]),
            Self::CutWithinEvent => good().cut_after_bytes(40),
            Self::CutBetweenEvents => good().cut_after_events(2),
            Self::EndsEarly => good().ending_after_events(2),
            Self::SaysNothing => good().ending_after_events(0),
            Self::TroubleInStream => {
                good().troubled_after_events(3, Trouble::new(503, "The model is overloaded."))
            }
            Self::BusyForSecs => busy("7"),
            Self::BusyUntilDate => busy("Sun, 06 Nov 1994 08:49:37 GMT"),
            Self::BusySaysBody => Reply::troubled(Trouble {
                retry_info_secs: Some(9),
                ..Trouble::new(429, "Resource has been exhausted.")
            }),
            Self::Fails => Reply::trouble(500, "An internal error has occurred."),
            Self::IsOverloaded => Reply::trouble(503, "The model is overloaded."),
            Self::IsUsedUp => Reply::troubled(Trouble {
                code: Some("insufficient_quota"),
                ..Trouble::new(429, "You exceeded your current quota.")
            }),
            Self::EchoesKey => Reply::trouble(401, "Incorrect API key provided: {key}."),
            Self::EchoesKeyInStream => {
                let trouble = Trouble::new(401, "Incorrect API key provided: {key}.");
                good().troubled_after_events(3, trouble)
            }
            Self::CallsBadly => calls("look").odd(Quirk::Arguments(
                "{\"path\": \"a.txt\", nonsense".to_owned(),
            )),
            Self::CallsStranger => calls("no_such_tool"),
            Self::OnlyFinishes => Reply::say([say::usage(3, 0), say::done()]),
            Self::OnlyThinks => Reply::say([say::thought("Hm."), say::usage(3, 1), say::done()]),
            Self::NoFinish => Reply::say([say::text("Hel"), say::text("lo")]),
            Self::EarlyEndMark => good().odd(Quirk::EarlyEndMark),
            Self::NoEndMark => good().odd(Quirk::NoEndMark),
            Self::CountsNegative => good().odd(Quirk::Usage(json!(-5))),
            Self::CountsFractions => good().odd(Quirk::Usage(json!(1.5))),
            Self::CountsWords => good().odd(Quirk::Usage(json!("many"))),
            Self::CountsHuge => good().odd(Quirk::Usage(json!(u64::MAX))),
            page => page.page(),
        }
    }

    /// The replies that are no answer at all.
    fn page(self) -> Reply {
        let html =
            "<!doctype html><html><head><title>Sign in</title></head><body>Sign in.</body></html>";
        let swollen = || Reply::say([say::text(SWOLLEN), say::done()]);
        match self {
            Self::SendsBytes => {
                let noise: Vec<u8> = (0..=255).cycle().take(4096).collect();
                Reply::page(200, "text/event-stream", noise)
            }
            Self::SendsPage => Reply::page(200, "text/html; charset=utf-8", html),
            Self::SendsGatewayPage => Reply::page(502, "text/html", html),
            Self::SendsHalfJson => {
                let half = "{\"candidates\": [{\"content\": {\"parts\": [{\"te";
                Reply::page(200, "application/json", half)
            }
            Self::SendsOtherJson => Reply::page(200, "application/json", "{\"status\": \"ok\"}"),
            Self::SendsLongLine => swollen().odd(Quirk::LongLine(100_000_000)),
            Self::SendsTooMuch => {
                // Few events and large ones: who counts bytes is not to be kept busy with reading.
                let words = format!("{SWOLLEN}{}", "a".repeat(60_000));
                Reply::say([say::text(&words), say::done()]).odd(Quirk::Endless(10_000_000_000))
            }
            Self::SaysWrongType => Reply::say(Self::good()).typed("application/octet-stream"),
            // The port where nobody listens: who follows finds out.
            Self::PointsElsewhere => Reply::redirect(307, "http://127.0.0.1:9/elsewhere"),
            other => unreachable!("{other:?} is an answer"),
        }
    }
}

fn busy(retry_after: &str) -> Reply {
    Reply::trouble(429, "Too many requests.").with_header("retry-after", retry_after)
}
