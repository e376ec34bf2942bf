//! What the server answers: words in whatever wire they were asked for, or bytes as they stand.

use analects_world::models::{Event, Listed};
use bytes::Bytes;
use serde_json::Value;

use super::recording::Recording;

/// How a request is answered. Made by one of the functions below, then made worse by the methods.
#[derive(Debug, Clone)]
pub struct Reply {
    pub(super) what: What,
    pub(super) manner: Manner,
}

#[derive(Debug, Clone)]
pub(super) enum What {
    /// Words, in the wire of the request.
    Say { events: Vec<Event>, quirk: Quirk },
    /// An error, in the shape that this service gives its errors.
    Trouble(Trouble),
    /// A number of tokens.
    Counted(u64),
    /// Models.
    Models(Vec<Listed>),
    /// A page of any kind.
    Page { status: u16, pieces: Vec<Bytes> },
    /// Bytes in the place of a head.
    Raw(Vec<Bytes>),
}

/// What is odd about an answer that is otherwise well-formed.
#[derive(Debug, Clone, PartialEq)]
pub enum Quirk {
    /// Nothing.
    None,
    /// It comes whole, though it was to come in pieces.
    Whole,
    /// Every count of tokens is this.
    Usage(Value),
    /// The arguments of every call are this text; where they are no text on the wire, a JSON string of it.
    Arguments(String),
    /// What marks the end of the stream is missing: `[DONE]`, `message_stop`.
    NoEndMark,
    /// What marks the end comes before the finish.
    EarlyEndMark,
    /// The text [`SWOLLEN`] is replaced by this many bytes of one letter.
    LongLine(u64),
    /// The event that says [`SWOLLEN`] comes again and again until there are this many bytes.
    Endless(u64),
}

/// What a script says where [`Quirk::LongLine`] and [`Quirk::Endless`] are to put their bytes.
pub const SWOLLEN: &str = "<swollen>";

/// An error that a service reports.
#[derive(Debug, Clone, PartialEq)]
pub struct Trouble {
    /// The status.
    pub status: u16,
    /// What it says. `{key}` stands for the key that the request brought.
    pub message: String,
    /// The service's word for it, where the one that goes with the status will not do.
    pub code: Option<&'static str>,
    /// How long to wait, said in the body as only Gemini does.
    pub retry_info_secs: Option<u64>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Manner {
    pub(super) headers: Vec<(String, String)>,
    pub(super) content_type: Option<&'static str>,
    pub(super) piece_bytes: Option<usize>,
    pub(super) holds_head: bool,
    /// After how many events, in any order.
    pub(super) holds_after: Vec<usize>,
    pub(super) stop: Option<Stop>,
    pub(super) trouble_after: Option<(usize, Trouble)>,
}

/// Where an answer stops before its time.
#[derive(Debug, Clone, Copy)]
pub(super) enum Stop {
    /// The connection breaks after this many bytes of the body.
    CutBytes(usize),
    /// The connection breaks after this many events.
    CutEvents(usize),
    /// The body ends after this many events, as if that were all.
    EndEvents(usize),
}

impl Reply {
    /// Words, thoughts, calls, usage and a finish, in the wire of the request. Without a finish there is none.
    #[must_use]
    pub fn say(events: impl IntoIterator<Item = Event>) -> Self {
        let events = events.into_iter().collect();
        let quirk = Quirk::None;
        Self::of(What::Say { events, quirk })
    }

    /// An error of this status, in the shape of the service.
    #[must_use]
    pub fn trouble(status: u16, message: &str) -> Self {
        Self::of(What::Trouble(Trouble::new(status, message)))
    }

    /// An error with all it can say.
    #[must_use]
    pub fn troubled(trouble: Trouble) -> Self {
        Self::of(What::Trouble(trouble))
    }

    /// A number of tokens, in the wire of the request.
    #[must_use]
    pub fn counted(tokens: u64) -> Self {
        Self::of(What::Counted(tokens))
    }

    /// Models, in the wire of the request.
    #[must_use]
    pub fn models(models: Vec<Listed>) -> Self {
        Self::of(What::Models(models))
    }

    /// Any bytes under any status.
    #[must_use]
    pub fn page(status: u16, content_type: &'static str, body: impl Into<Vec<u8>>) -> Self {
        let pieces = vec![Bytes::from(body.into())];
        let mut reply = Self::of(What::Page { status, pieces });
        reply.manner.content_type = Some(content_type);
        reply
    }

    /// A way to somewhere else.
    #[must_use]
    pub fn redirect(status: u16, to: &str) -> Self {
        Self::page(status, "text/html", "moved").with_header("location", to)
    }

    /// Bytes in the place of a head, after which the connection closes. None at all is a closed door.
    #[must_use]
    pub fn raw(bytes: impl Into<Vec<u8>>) -> Self {
        Self::of(What::Raw(vec![Bytes::from(bytes.into())]))
    }

    /// Nothing, until the test releases it: then words after all.
    #[must_use]
    pub fn silence() -> Self {
        Self::say([]).holding_head()
    }

    /// What another server once said.
    #[must_use]
    pub fn recorded(recording: &Recording) -> Self {
        let mut reply = Self::of(What::Page {
            status: recording.status,
            pieces: recording.pieces.clone(),
        });
        reply.manner.headers.clone_from(&recording.headers);
        reply
    }

    /// The same with a header more.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.manner
            .headers
            .push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same under another content type.
    #[must_use]
    pub fn typed(mut self, content_type: &'static str) -> Self {
        self.manner.content_type = Some(content_type);
        self
    }

    /// The same words with something odd about them.
    #[must_use]
    pub fn odd(mut self, odd: Quirk) -> Self {
        if let What::Say { quirk, .. } = &mut self.what {
            *quirk = odd;
        }
        self
    }

    /// The same in pieces of that many bytes, wherever that cuts a character.
    #[must_use]
    pub fn in_pieces_of(mut self, bytes: usize) -> Self {
        self.manner.piece_bytes = Some(bytes.max(1));
        self
    }

    /// The same, but not even a head before the test releases it.
    #[must_use]
    pub fn holding_head(mut self) -> Self {
        self.manner.holds_head = true;
        self
    }

    /// The same, but after this many events nothing before the test releases it. An answer that comes whole is one
    /// event. Said again, it is held again.
    #[must_use]
    pub fn holding_after(mut self, events: usize) -> Self {
        self.manner.holds_after.push(events);
        self
    }

    /// The same, but the connection breaks after this many bytes of the body.
    #[must_use]
    pub fn cut_after_bytes(mut self, bytes: usize) -> Self {
        self.manner.stop = Some(Stop::CutBytes(bytes));
        self
    }

    /// The same, but the connection breaks after this many events.
    #[must_use]
    pub fn cut_after_events(mut self, events: usize) -> Self {
        self.manner.stop = Some(Stop::CutEvents(events));
        self
    }

    /// The same, but the body ends after this many events, as if that were all.
    #[must_use]
    pub fn ending_after_events(mut self, events: usize) -> Self {
        self.manner.stop = Some(Stop::EndEvents(events));
        self
    }

    /// The same, but after this many events the service reports an error in the stream and ends it.
    #[must_use]
    pub fn troubled_after_events(mut self, events: usize, trouble: Trouble) -> Self {
        self.manner.trouble_after = Some((events, trouble));
        self
    }

    fn of(what: What) -> Self {
        let manner = Manner::default();
        Self { what, manner }
    }
}

impl Trouble {
    /// An error of this status.
    #[must_use]
    pub fn new(status: u16, message: &str) -> Self {
        Self {
            status,
            message: message.to_owned(),
            code: None,
            retry_info_secs: None,
        }
    }
}
