//! Markdown as rows.
//!
//! Everything in it comes from a model: what would drive a terminal is made visible here, after the Markdown was
//! taken apart, because `&#27;` is harmless only until then.

use std::ops::Range;

use analects_text::{hidden, sanitize};
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use super::flow::Flow;
use super::row::{Glyph, Ink, Look, Place, Row};
use super::table::Table;

/// How a block is laid out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    pub(super) width: usize,
    pub(super) ink: Ink,
    pub(super) signs: Signs,
    /// What comes before was painted already.
    pub(super) from: Place,
    /// Whether an empty row comes first.
    pub(super) has_gap: bool,
}

/// What bullets, bars and rules are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signs {
    /// Drawn.
    Drawn,
    /// As they are typed: a screen reader says them, and any terminal has them.
    Typed,
}

impl Signs {
    fn pick(self, drawn: &'static str, typed: &'static str) -> &'static str {
        match self {
            Self::Drawn => drawn,
            Self::Typed => typed,
        }
    }
}

/// What is understood beyond CommonMark.
pub(super) fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS
}

/// The rows of `text`.
pub(super) fn rows(text: &str, layout: Layout) -> Vec<Row> {
    let parser = Parser::new_ext(text, options());
    let mut definitions: Vec<_> = parser
        .reference_definitions()
        .iter()
        .map(|(_, definition)| definition.span.clone())
        .collect();
    // The last one first: they are taken from the end.
    definitions.sort_by_key(|span| std::cmp::Reverse(span.start));
    let mut writer = Writer::new(text, layout, definitions);
    for (event, range) in parser.into_offset_iter() {
        writer.event(event, range);
    }
    writer.define(text.len());
    writer.flow.finish()
}

/// Takes events and makes rows.
struct Writer<'a> {
    source: &'a str,
    layout: Layout,
    flow: Flow,
    holders: Vec<Holder>,
    /// Each with all that are around it.
    looks: Vec<Look>,
    links: Vec<Link>,
    lists: Vec<Option<u64>>,
    table: Option<Table>,
    is_fixed: bool,
    /// Where the line of fixed text began.
    line: Option<Place>,
    /// Where links are defined: pulldown-cmark passes over that, and with it the address would be lost.
    definitions: Vec<Range<usize>>,
}

/// Something that holds blocks.
struct Holder {
    is_item: bool,
    is_empty: bool,
}

/// A link whose text is being written.
struct Link {
    address: String,
    text: String,
}

impl<'a> Writer<'a> {
    fn new(source: &'a str, layout: Layout, definitions: Vec<Range<usize>>) -> Self {
        let mut flow = Flow::new(layout.width, layout.from);
        if layout.has_gap {
            flow.gap();
        }
        Self {
            source,
            layout,
            flow,
            holders: vec![Holder {
                is_item: false,
                is_empty: true,
            }],
            looks: Vec::new(),
            links: Vec::new(),
            lists: Vec::new(),
            table: None,
            is_fixed: false,
            line: None,
            definitions,
        }
    }

    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag, range),
            Event::Text(text) => self.text(&text, &range),
            Event::Code(text) => self.code(&text, &range),
            Event::Html(text) | Event::InlineHtml(text) => self.text(&text, &range),
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => {
                self.text(&text, &range);
            }
            Event::SoftBreak => self.put(' ', Place::new(range.start, 0)),
            Event::HardBreak => self.flow.end_line(),
            Event::Rule => self.rule(range),
            Event::TaskListMarker(is_done) => {
                let sign = if is_done { "[x] " } else { "[ ] " };
                for (part, c) in sign.chars().enumerate() {
                    self.put(c, Place::new(range.start, part));
                }
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        let at = Place::new(range.start, 0);
        match tag {
            Tag::Paragraph => self.block(range.start),
            Tag::HtmlBlock => {
                self.block(range.start);
                self.is_fixed = true;
            }
            Tag::Heading { level, .. } => {
                self.block(range.start);
                self.begin_look(Look::BOLD);
                if self.layout.ink == Ink::None {
                    // One place for all of it: it is painted with the first word, or was.
                    for _ in 0..level as usize {
                        self.put('#', at);
                    }
                    self.put(' ', at);
                }
            }
            Tag::BlockQuote(_) => {
                self.block(range.start);
                let bar = self.layout.signs.pick("│ ", "> ");
                self.flow.open(None, bar, Look::DIM);
                self.hold(false);
            }
            Tag::CodeBlock(_) => {
                self.block(range.start);
                self.flow.open(None, "    ", Look::PLAIN);
                self.begin_look(Look::CODE);
                self.is_fixed = true;
            }
            Tag::List(first) => self.list(range.start, first),
            Tag::Item => {
                self.define(range.start);
                let marker = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        let marker = format!("{number}. ");
                        *number = number.saturating_add(1);
                        marker
                    }
                    _ => self.layout.signs.pick("• ", "- ").to_owned(),
                };
                let indent = " ".repeat(marker.chars().count());
                self.flow.open(Some((marker, at)), &indent, Look::PLAIN);
                self.hold(true);
            }
            Tag::Table(alignments) => {
                self.block(range.start);
                self.table = Some(Table::new(alignments));
            }
            Tag::TableHead | Tag::TableRow => self.with_table(Table::begin_row),
            Tag::TableCell => self.with_table(Table::begin_cell),
            Tag::Emphasis => self.begin_look(Look::ITALIC),
            Tag::Strong => self.begin_look(Look::BOLD),
            Tag::Strikethrough => {
                self.begin_look(Look::STRUCK);
                self.unless_colored("~~", at);
            }
            Tag::Link {
                dest_url,
                link_type,
                ..
            }
            | Tag::Image {
                dest_url,
                link_type,
                ..
            } => self.link(&dest_url, link_type),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        let end = Place::new(range.end.saturating_sub(1), 0);
        match tag {
            TagEnd::Paragraph => self.flow.end_line(),
            TagEnd::HtmlBlock => self.end_fixed(end),
            TagEnd::Heading(_) => {
                self.looks.pop();
                self.flow.end_line();
            }
            TagEnd::BlockQuote(_) | TagEnd::Item => {
                self.define(range.end);
                self.flow.close();
                self.holders.pop();
            }
            TagEnd::CodeBlock => {
                self.end_fixed(end);
                self.flow.close();
                self.looks.pop();
            }
            TagEnd::List(_) => {
                self.lists.pop();
            }
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    table.write(&mut self.flow, self.layout.signs);
                }
            }
            TagEnd::TableHead | TagEnd::TableRow => self.with_table(|table| table.end_row(end)),
            TagEnd::Emphasis | TagEnd::Strong => {
                self.looks.pop();
            }
            TagEnd::Strikethrough => {
                self.unless_colored("~~", end);
                self.looks.pop();
            }
            TagEnd::Link | TagEnd::Image => self.end_link(&range),
            _ => {}
        }
    }

    /// A block begins, with an empty row before it unless it is the first.
    fn block(&mut self, start: usize) {
        self.define(start);
        self.flow.end_line();
        if self.holders.last().is_some_and(|holder| !holder.is_empty) {
            self.flow.gap();
        }
        self.fill();
    }

    /// A list begins. In an item it follows the words it belongs to.
    fn list(&mut self, start: usize, first: Option<u64>) {
        if self.holders.last().is_some_and(|holder| holder.is_item) {
            self.define(start);
            self.flow.end_line();
            self.fill();
        } else {
            self.block(start);
        }
        self.lists.push(first);
    }

    fn fill(&mut self) {
        if let Some(holder) = self.holders.last_mut() {
            holder.is_empty = false;
        }
    }

    fn hold(&mut self, is_item: bool) {
        let is_empty = true;
        self.holders.push(Holder { is_item, is_empty });
    }

    /// Writes the definitions of links that stand before `end`, as they are.
    fn define(&mut self, end: usize) {
        while let Some(span) = self.definitions.pop_if(|span| span.start < end) {
            self.flow.end_line();
            let before = self.source.get(..span.start).unwrap_or_default();
            let is_empty = self.holders.last().is_none_or(|holder| holder.is_empty);
            if before.ends_with("\n\n") && !is_empty {
                self.flow.gap();
            }
            let text = self.source.get(span.clone()).unwrap_or_default();
            self.text(text.trim_end(), &span);
            self.flow.end_line();
        }
    }

    fn with_table(&mut self, act: impl FnOnce(&mut Table)) {
        if let Some(table) = &mut self.table {
            act(table);
        }
    }

    fn rule(&mut self, range: Range<usize>) {
        self.block(range.start);
        let c = match self.layout.signs {
            Signs::Drawn => '─',
            Signs::Typed => '-',
        };
        let at = Place::new(range.start, 0);
        let look = Look::DIM;
        let glyphs = vec![Glyph { c, look, at }; self.flow.room().min(40)];
        self.flow.put_row(&glyphs, at);
    }

    fn text(&mut self, text: &str, range: &Range<usize>) {
        // Where the words are not those of the source, all of them stand for the place it begins at.
        let step = usize::from(text.len() == range.len());
        self.safe(text, |idx| {
            Place::new(range.start + idx * step, idx * (1 - step))
        });
    }

    fn code(&mut self, text: &str, range: &Range<usize>) {
        let source = self.source.get(range.clone()).unwrap_or_default();
        let n_ticks = source.len() - source.trim_start_matches('`').len();
        let n_before = source.find(text).unwrap_or(n_ticks);
        self.begin_look(Look::CODE);
        self.unless_colored("`", Place::new(range.start, 0));
        self.safe(text, |idx| Place::new(range.start + n_before + idx, 0));
        self.unless_colored("`", Place::new(range.end.saturating_sub(1), 0));
        self.looks.pop();
    }

    fn link(&mut self, address: &str, kind: LinkType) {
        let address = match kind {
            // The text is the address.
            LinkType::Autolink | LinkType::Email => String::new(),
            _ => address.to_owned(),
        };
        let text = String::new();
        self.links.push(Link { address, text });
    }

    fn end_link(&mut self, range: &Range<usize>) {
        let Some(Link { address, text }) = self.links.pop() else {
            return;
        };
        if address.is_empty() || address == text {
            return;
        }
        let end = range.end.saturating_sub(1);
        let start = end.saturating_sub(address.len());
        let mark = Place::new(start.saturating_sub(1), 0);
        self.begin_look(Look::DIM);
        for c in [' ', '('] {
            self.put(c, mark);
        }
        self.safe(&address, |idx| Place::new(start + idx, 0));
        self.put(')', Place::new(end, 0));
        self.looks.pop();
    }

    /// Writes what says in words what otherwise a look says.
    fn unless_colored(&mut self, sign: &str, at: Place) {
        if self.layout.ink == Ink::None {
            for c in sign.chars() {
                self.put(c, at);
            }
        }
    }

    /// Writes foreign text: what drives a terminal is made visible, what hides without need is left out.
    fn safe(&mut self, text: &str, place: impl Fn(usize) -> Place) {
        let hidden = hidden::find(text);
        let mut hidden = hidden.iter().map(|hidden| hidden.at).peekable();
        for (idx, c) in text.char_indices() {
            let at = place(idx);
            let is_hidden = hidden.next_if_eq(&idx).is_some();
            if matches!(c, '\n' | '\t' | ' '..='~') {
                self.put(c, at);
                continue;
            }
            let mut bytes = [0; 4];
            let one = c.encode_utf8(&mut bytes);
            let shown = sanitize::one_line(one);
            if shown != *one {
                for (part, c) in shown.chars().enumerate() {
                    self.put(c, at.part(part));
                }
            } else if !is_hidden {
                self.put(c, at);
            }
        }
    }

    fn look(&self) -> Look {
        self.looks.last().copied().unwrap_or_default()
    }

    /// What is written from now on has this look besides.
    fn begin_look(&mut self, look: Look) {
        self.looks.push(self.look().and(look));
    }

    /// Writes one character that is safe.
    fn put(&mut self, c: char, at: Place) {
        let look = self.look();
        if let Some(link) = self.links.last_mut() {
            link.text.push(c);
        }
        self.fill();
        let glyph = Glyph { c, look, at };
        if let Some(table) = &mut self.table {
            table.put(glyph);
        } else if self.is_fixed {
            self.put_fixed(glyph);
        } else {
            self.flow.put(glyph);
        }
    }

    fn put_fixed(&mut self, glyph: Glyph) {
        let start = *self.line.get_or_insert(glyph.at);
        match glyph.c {
            '\n' => {
                self.flow.end_fixed(start, glyph.at);
                self.line = None;
            }
            '\t' => (0..4).for_each(|_| self.flow.put_fixed(Glyph { c: ' ', ..glyph })),
            _ => self.flow.put_fixed(glyph),
        }
    }

    fn end_fixed(&mut self, end: Place) {
        if let Some(start) = self.line.take() {
            self.flow.end_fixed(start, end);
        }
        self.is_fixed = false;
    }
}
