//! Follows the events of the parser and keeps what belongs together.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::{CodeBlock, Entry, EntryKind, Link, Outline, Span};

pub(super) fn read(text: &str) -> Outline {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut reader = Reader {
        source: text,
        outline: Outline::default(),
        open: Vec::new(),
        lists: Vec::new(),
        n_silent: 0,
        is_heading: false,
        block: None,
    };
    for (event, at) in Parser::new_ext(text, options).into_offset_iter() {
        reader.hear(event, at);
    }
    // Items close from the inside out; readers want them in the order of the text.
    reader.outline.entries.sort_by_key(|entry| entry.at.start);
    reader.outline
}

struct Reader<'a> {
    source: &'a str,
    outline: Outline,
    /// The entries around the current place, outermost first.
    open: Vec<Open>,
    /// The lists around the current place: where each begins, and what its items are.
    lists: Vec<(usize, EntryKind)>,
    /// How many things around the current place say nothing: headings, tables, front matter.
    n_silent: usize,
    is_heading: bool,
    block: Option<CodeBlock>,
}

/// An entry that is not over yet.
struct Open {
    entry: Entry,
    /// Whether the words of an item are complete: what follows is a paragraph of its own.
    is_told: bool,
}

impl Reader<'_> {
    fn hear(&mut self, event: Event<'_>, at: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, at),
            Event::End(tag) => self.end(tag),
            Event::Text(words) => match &mut self.block {
                Some(block) => push_lines(&mut block.lines, &words, at.start),
                None => self.say(&words, at.start, Voice::Prose),
            },
            Event::Code(code) => {
                self.say(&code, at.start, Voice::Code);
                let text = code.into_string();
                self.outline.spans.push(Span { at, text });
            }
            Event::SoftBreak | Event::HardBreak => {
                if let Some(open) = self.open.last_mut().filter(|_| self.n_silent == 0) {
                    open.entry.text.push(' ');
                    open.entry.lines.push((at.end, String::new()));
                }
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, at: Range<usize>) {
        match tag {
            Tag::Heading { .. } => {
                self.outline.headings.push(String::new());
                self.is_heading = true;
                self.n_silent += 1;
            }
            Tag::Table(_) | Tag::MetadataBlock(_) => self.n_silent += 1,
            Tag::List(first) => {
                let kind = match first {
                    Some(_) => EntryKind::Numbered,
                    None => EntryKind::Bullet,
                };
                self.lists.push((at.start, kind));
                self.interrupt();
            }
            Tag::Item => {
                let kind = self.lists.last().map_or(EntryKind::Bullet, |list| list.1);
                self.open(at, kind);
            }
            // The first paragraph of an item is the item.
            Tag::Paragraph if self.open.last().is_none_or(|open| open.is_told) => {
                self.interrupt();
                self.open(at, EntryKind::Paragraph);
            }
            Tag::CodeBlock(kind) => {
                self.interrupt();
                let lines = Vec::new();
                let language = language(&kind);
                self.block = Some(CodeBlock {
                    at,
                    language,
                    lines,
                });
            }
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                let target = dest_url.into_string();
                self.outline.links.push(Link { at, target });
            }
            Tag::BlockQuote(_) => self.interrupt(),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) | TagEnd::Table | TagEnd::MetadataBlock(_) => {
                self.is_heading = false;
                self.n_silent -= 1;
            }
            TagEnd::List(_) => {
                self.lists.pop();
            }
            TagEnd::Item => self.close(),
            TagEnd::Paragraph => {
                let is_item = |open: &Open| open.entry.kind != EntryKind::Paragraph;
                match self.open.last_mut() {
                    Some(open) if is_item(open) => open.is_told = true,
                    _ => self.close(),
                }
            }
            TagEnd::CodeBlock => self.outline.blocks.extend(self.block.take()),
            _ => {}
        }
    }

    fn open(&mut self, at: Range<usize>, kind: EntryKind) {
        let entry = Entry {
            kind,
            text: String::new(),
            lines: vec![(at.start, String::new())],
            section: self.outline.headings.len(),
            list: self.lists.last().map(|list| list.0),
            depth: self.lists.len(),
            is_code: true,
            is_alone: true,
            at,
        };
        let is_told = false;
        self.open.push(Open { entry, is_told });
    }

    /// Something begins inside an item that is not its words any more.
    fn interrupt(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.is_told = true;
            open.entry.is_alone = false;
        }
    }

    fn close(&mut self) {
        let Some(Open { mut entry, .. }) = self.open.pop() else {
            return;
        };
        entry.text = entry.text.trim().to_owned();
        let is_one_line = |text: &str| !text.trim().contains('\n');
        let source = self.source.get(entry.at.clone()).unwrap_or_default();
        entry.is_alone = entry.is_alone && is_one_line(source);
        if !entry.text.is_empty() {
            self.outline.entries.push(entry);
        }
    }

    fn say(&mut self, words: &str, at: usize, voice: Voice) {
        if let Some(heading) = self.outline.headings.last_mut().filter(|_| self.is_heading) {
            heading.push_str(words);
        }
        let Some(open) = self.open.last_mut().filter(|_| self.n_silent == 0) else {
            return;
        };
        let entry = &mut open.entry;
        // Words in a box of a task list, punctuation and blanks around code are no prose.
        if voice == Voice::Prose && words.contains(char::is_alphanumeric) {
            entry.is_code = false;
        }
        entry.text.push_str(words);
        if let Some((start, line)) = entry.lines.last_mut() {
            if line.is_empty() {
                *start = at;
            }
            line.push_str(words);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Voice {
    Prose,
    Code,
}

fn language(kind: &CodeBlockKind<'_>) -> String {
    let info = match kind {
        CodeBlockKind::Indented => return String::new(),
        CodeBlockKind::Fenced(info) => info,
    };
    let word = info
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | '{' | ':'))
        .next();
    word.unwrap_or_default().to_lowercase()
}

fn push_lines(lines: &mut Vec<(usize, String)>, text: &str, at: usize) {
    let mut from = at;
    for line in text.split_inclusive('\n') {
        // A line may come in pieces.
        match lines.last_mut() {
            Some((_, last)) if !last.ends_with('\n') => last.push_str(line),
            _ => lines.push((from, line.to_owned())),
        }
        from += line.len();
    }
}
