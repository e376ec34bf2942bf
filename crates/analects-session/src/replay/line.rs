//! What one line of a record says, as far as replaying needs it.

use crate::json;
use crate::replay::MessageKind;
use crate::replay::scan::{Broken, Scan, Span};

/// What a line says. A line may be several of these at once; whoever applies it asks in the right order.
#[derive(Debug, Default)]
pub(crate) struct Line {
    /// The value of `$rewindTo`.
    pub(crate) rewind: Option<Span>,
    /// The value of `$set`, if it is an object.
    pub(crate) set: Option<Fields>,
    /// The line as a message.
    pub(crate) message: Head,
    /// The line as the header of a file.
    pub(crate) fields: Fields,
}

/// What a message says about itself before it is read.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Head {
    /// The whole object.
    pub(crate) span: Option<Span>,
    pub(crate) id: Option<Span>,
    pub(crate) kind: MessageKind,
    pub(crate) content: Option<Span>,
}

/// Facts about a conversation; a later one replaces an earlier one of the same name.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    facts: [Option<Span>; Fact::ALL.len()],
    /// The messages, if there is an array of them.
    pub(crate) messages: Option<Vec<Head>>,
}

/// The facts we know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fact {
    SessionId,
    ProjectHash,
    StartTime,
    LastUpdated,
    Summary,
    Scratchpad,
    Directories,
    Kind,
    Ours,
}

impl Fact {
    const ALL: [(Self, &'static str); 9] = [
        (Self::SessionId, "sessionId"),
        (Self::ProjectHash, "projectHash"),
        (Self::StartTime, "startTime"),
        (Self::LastUpdated, "lastUpdated"),
        (Self::Summary, "summary"),
        (Self::Scratchpad, "memoryScratchpad"),
        (Self::Directories, "directories"),
        (Self::Kind, "kind"),
        (Self::Ours, "analects"),
    ];

    fn named(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(_, known)| *known == name);
        found.map(|(fact, _)| *fact)
    }
}

impl Fields {
    pub(crate) fn get(&self, fact: Fact) -> Option<Span> {
        self.facts.get(fact as usize).copied().flatten()
    }

    /// What `later` says replaces what was known.
    pub(crate) fn merge(&mut self, later: &Self) {
        for (known, new) in self.facts.iter_mut().zip(later.facts) {
            *known = new.or(*known);
        }
    }

    fn put(&mut self, fact: Fact, span: Span) {
        if let Some(place) = self.facts.get_mut(fact as usize) {
            *place = Some(span);
        }
    }
}

/// Reads what stands at `span`. Any JSON that is no object says nothing.
pub(crate) fn read(text: &str, span: Span, open: &mut Vec<u8>) -> Result<Line, Broken> {
    let mut scan = Scan::new(text.as_bytes(), span, open);
    let mut line = Line::default();
    if scan.peek() == Some(b'{') {
        let whole = scan.object(|scan, name| line.field(text, scan, name))?;
        line.message.span = Some(whole);
    } else {
        scan.value()?;
    }
    scan.end()?;
    Ok(line)
}

impl Line {
    fn field(&mut self, text: &str, scan: &mut Scan<'_>, name: Span) -> Result<(), Broken> {
        let name = json::string(name.of(text)).unwrap_or_default();
        match &*name {
            "$rewindTo" => self.rewind = Some(scan.value()?),
            "$set" => self.set = set(text, scan)?,
            name if self.message.field(text, scan, name)? => {}
            name => self.fields.field(text, scan, name)?,
        }
        Ok(())
    }
}

fn set(text: &str, scan: &mut Scan<'_>) -> Result<Option<Fields>, Broken> {
    if scan.peek() != Some(b'{') {
        // To the original a list is an object too, one that sets nothing we know.
        return Ok(scan
            .value()?
            .of(text)
            .starts_with('[')
            .then(Fields::default));
    }
    let mut fields = Fields::default();
    scan.object(|scan, name| {
        let name = json::string(name.of(text)).unwrap_or_default();
        fields.field(text, scan, &name)
    })?;
    Ok(Some(fields))
}

impl Fields {
    fn field(&mut self, text: &str, scan: &mut Scan<'_>, name: &str) -> Result<(), Broken> {
        if name == "messages" {
            self.messages = messages(text, scan)?;
            return Ok(());
        }
        let span = scan.value()?;
        if let Some(fact) = Fact::named(name) {
            self.put(fact, span);
        }
        Ok(())
    }
}

fn messages(text: &str, scan: &mut Scan<'_>) -> Result<Option<Vec<Head>>, Broken> {
    if scan.peek() != Some(b'[') {
        scan.value()?;
        return Ok(None);
    }
    let mut heads = Vec::new();
    scan.array(|scan| {
        if scan.peek() != Some(b'{') {
            return scan.value().map(|_| ());
        }
        let mut head = Head::default();
        let whole = scan.object(|scan, name| {
            let name = json::string(name.of(text)).unwrap_or_default();
            if !head.field(text, scan, &name)? {
                scan.value()?;
            }
            Ok(())
        })?;
        head.span = Some(whole);
        heads.push(head);
        Ok(())
    })?;
    Ok(Some(heads))
}

impl Head {
    /// Takes the field if it is one of a message's.
    fn field(&mut self, text: &str, scan: &mut Scan<'_>, name: &str) -> Result<bool, Broken> {
        match name {
            "id" => self.id = Some(scan.value()?),
            "type" => {
                let word = json::string(scan.value()?.of(text));
                self.kind = MessageKind::named(&word.unwrap_or_default());
            }
            "content" => self.content = Some(scan.value()?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}
