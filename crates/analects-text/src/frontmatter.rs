//! The head of a Markdown file: a map in YAML between two lines of dashes.
//!
//! Fields are words or lists of words; what is nested deeper is seen and not read. Every word stays as it is written:
//! `no` and `010` are words, and what they mean is for whoever reads the field. Aliases are refused, so nothing can
//! grow. Nothing here calls itself, however deep a file is nested.

use granit_parser::{Event, Marker, Options, Parser, ScalarStyle, ScanError, Span, StrInput};

use crate::lines::LineIndex;
use crate::{sanitize, truncate};

/// A head may be this long.
const LIMIT_BYTES: usize = 64 * 1024;
/// A head may have this many fields, and a list this many words.
const MAX_MEMBERS: usize = 500;
/// Collections may be nested so deep.
const MAX_DEPTH: usize = 32;
/// How much is repeated of what a parser says.
const MAX_SHOWN_BYTES: usize = 200;

/// A file, taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts<'a> {
    /// The head, as it is written.
    pub head: &'a str,
    /// What stands below the head.
    pub body: &'a str,
    /// The line on which that begins.
    pub body_line: usize,
}

/// A field of a head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// What it is called.
    pub name: String,
    /// Its line in the file.
    pub line: usize,
    /// What it holds.
    pub value: Given,
}

/// What a field holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    /// Nothing: `~`, `null` or no value at all.
    Nothing,
    /// A word, or many.
    Text(String),
    /// Words, each with its line.
    List(Vec<(String, usize)>),
    /// Fields of their own, in their order; a name may be there twice. What is nested in them is not read.
    Map(Vec<Field>),
    /// Something else: a list of lists.
    Nested,
}

/// What is wrong with a head, and on which line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// The line in the file.
    pub line: usize,
    /// A lowercase fragment.
    pub why: String,
    /// Whether it is a list where fields should be: some kinds of file are written so.
    pub is_list: bool,
}

impl Wrong {
    fn new(line: usize, why: impl Into<String>) -> Self {
        Self {
            line,
            why: why.into(),
            is_list: false,
        }
    }
}

/// Takes a file apart.
pub fn split(text: &str) -> Result<Parts<'_>, Wrong> {
    let mut lines = text.split_inclusive('\n');
    let opening = lines.next().unwrap_or_default();
    if opening.trim_end() != DASHES {
        let why = "no frontmatter: the first line must be `---`, and fields follow";
        return Err(Wrong::new(1, why));
    }
    let (mut end, mut line) = (opening.len(), 2);
    for next in lines {
        if next.trim_end() == DASHES {
            return Ok(Parts {
                head: text.get(opening.len()..end).unwrap_or_default(),
                body: text.get(end + next.len()..).unwrap_or_default(),
                // Dashes that end the file have no line below them.
                body_line: line + usize::from(next.ends_with('\n')),
            });
        }
        (end, line) = (end + next.len(), line + 1);
    }
    Err(Wrong::new(
        1,
        "the frontmatter is not closed: no other line is `---`",
    ))
}

const DASHES: &str = "---";

impl Parts<'_> {
    /// The fields of the head, in their order; each name once.
    pub fn fields(&self) -> Result<Vec<Field>, Wrong> {
        if self.head.len() > LIMIT_BYTES {
            let why = format!("the frontmatter is longer than {LIMIT_BYTES} bytes");
            return Err(Wrong::new(1, why));
        }
        let mut options = Options::default();
        options.disallow_directives = true;
        options.emit_unresolved_aliases = true;
        options.flow_nesting_limit = MAX_DEPTH;
        options.block_nesting_limit = MAX_DEPTH;
        let parser = Parser::new_from_str_with_options(self.head, options);
        let lines = LineIndex::new(self.head);
        let mut events = Events {
            parser,
            lines,
            line: 1,
        };
        match events.node()? {
            Event::MappingStart(..) => events.map(),
            Event::StreamEnd => Ok(Vec::new()),
            Event::SequenceStart(..) => Err(Wrong {
                is_list: true,
                ..events.wrong("the frontmatter is a list, not fields")
            }),
            _ => Err(events.wrong("the frontmatter has no fields: write `name: …`, one in a line")),
        }
    }
}

/// What a parser sees, one thing after the other.
struct Events<'a> {
    parser: Parser<'a, StrInput<'a>>,
    lines: LineIndex,
    /// The line of the last one, in the file.
    line: usize,
}

impl<'a> Events<'a> {
    /// The next thing that says something.
    fn node(&mut self) -> Result<Event<'a>, Wrong> {
        loop {
            let next = self.parser.next().transpose();
            let next: Option<(Event<'a>, Span)> = next.map_err(|error| self.broken(&error))?;
            let Some((event, span)) = next else {
                return Ok(Event::StreamEnd);
            };
            self.line = self.line_of(span.start);
            match event {
                Event::StreamStart | Event::DocumentStart(..) | Event::DocumentEnd => {}
                Event::Alias(_) | Event::UnresolvedAlias(_) => {
                    return Err(
                        self.wrong("aliases are not read here; a word with a `*` stands in quotes")
                    );
                }
                event => return Ok(event),
            }
        }
    }

    fn map(&mut self) -> Result<Vec<Field>, Wrong> {
        let mut fields: Vec<Field> = Vec::new();
        loop {
            let name = match self.node()? {
                Event::Scalar(name, ..) => name.into_owned(),
                Event::MappingEnd => return Ok(fields),
                _ => return Err(self.wrong("the name of a field must be a word")),
            };
            let line = self.line;
            if fields.iter().any(|field| field.name == name) {
                return Err(self.wrong(format!("the field `{}` is there twice", shown(&name))));
            }
            if fields.len() >= MAX_MEMBERS {
                return Err(self.wrong(format!("more than {MAX_MEMBERS} fields")));
            }
            let value = self.value()?;
            fields.push(Field { name, line, value });
        }
    }

    fn value(&mut self) -> Result<Given, Wrong> {
        Ok(match self.node()? {
            Event::Scalar(text, ScalarStyle::Plain, ..) if is_nothing(&text) => Given::Nothing,
            Event::Scalar(text, ..) => Given::Text(text.into_owned()),
            Event::SequenceStart(..) => self.list()?,
            Event::MappingStart(..) => self.members()?,
            _ => {
                self.skip()?;
                Given::Nested
            }
        })
    }

    fn members(&mut self) -> Result<Given, Wrong> {
        let mut fields = Vec::new();
        loop {
            let name = match self.node()? {
                Event::Scalar(name, ..) => name.into_owned(),
                Event::MappingEnd => return Ok(Given::Map(fields)),
                _ => {
                    // A name that is nested itself: it ends, and so does the map around it.
                    self.skip()?;
                    self.skip()?;
                    return Ok(Given::Nested);
                }
            };
            let line = self.line;
            let value = match self.node()? {
                Event::Scalar(text, ScalarStyle::Plain, ..) if is_nothing(&text) => Given::Nothing,
                Event::Scalar(text, ..) => Given::Text(text.into_owned()),
                _ => {
                    self.skip()?;
                    Given::Nested
                }
            };
            if fields.len() >= MAX_MEMBERS {
                return Err(self.wrong(format!("more than {MAX_MEMBERS} fields")));
            }
            fields.push(Field { name, line, value });
        }
    }

    fn list(&mut self) -> Result<Given, Wrong> {
        let mut words = Vec::new();
        loop {
            match self.node()? {
                Event::Scalar(text, ..) => words.push((text.into_owned(), self.line)),
                Event::SequenceEnd => return Ok(Given::List(words)),
                _ => {
                    // What is nested ends, and so does the list around it.
                    self.skip()?;
                    self.skip()?;
                    return Ok(Given::Nested);
                }
            }
            if words.len() > MAX_MEMBERS {
                return Err(self.wrong(format!("a list of more than {MAX_MEMBERS} words")));
            }
        }
    }

    /// Reads on to the end of what has just begun.
    fn skip(&mut self) -> Result<(), Wrong> {
        let mut depth = 1;
        while depth > 0 {
            match self.node()? {
                Event::SequenceStart(..) | Event::MappingStart(..) => depth += 1,
                Event::SequenceEnd | Event::MappingEnd => depth -= 1,
                Event::StreamEnd => return Ok(()),
                _ => {}
            }
        }
        Ok(())
    }

    fn wrong(&self, why: impl Into<String>) -> Wrong {
        Wrong::new(self.line, why)
    }

    fn broken(&self, error: &ScanError) -> Wrong {
        let info = error.info();
        let hint = match info.contains("alias") {
            true => "; a word with a `*` stands in quotes",
            false => "",
        };
        let why = format!("not valid YAML: {}{hint}", shown(&info));
        Wrong::new(self.line_of(*error.marker()), why)
    }

    /// The line in the file. The parser's own count does not serve: to it a carriage return alone ends a line, too.
    fn line_of(&self, marker: Marker) -> usize {
        let line = marker.byte_offset().map_or(1, |at| self.lines.line(at));
        // The dashes stand above.
        line + 1
    }
}

/// Words of a file, short and on one line.
#[must_use]
pub fn shown(text: &str) -> String {
    let head = truncate::head_bytes(text, MAX_SHOWN_BYTES);
    sanitize::one_line(head).replace('`', "'")
}

fn is_nothing(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_as_the_file_has_them() {
        let text = "---\na: [1,\r\r\r2]\nb: é\nc: [\n---\n";
        let wrong = split(text).unwrap().fields().unwrap_err();
        assert_eq!(wrong.line, 4, "{}", wrong.why);
        let fields = text.replace("c: [\n", "c: d\n");
        let fields = split(&fields).unwrap().fields().unwrap();
        let lines: Vec<_> = fields.iter().map(|field| field.line).collect();
        assert_eq!(lines, [2, 3, 4]);
    }

    #[test]
    fn the_body_begins_on_a_line_that_is_there() {
        assert_eq!(split("---\na: b\n---\n").unwrap().body_line, 4);
        assert_eq!(split("---\na: b\n---").unwrap().body_line, 3);
    }

    #[test]
    fn fields_and_body_are_told_apart() {
        let text = "--- \r\nname: a\r\nlist: [x, y]\r\nnone:\r\n---  \r\nbody\r\n";
        let parts = split(text).unwrap();
        assert_eq!((parts.body, parts.body_line), ("body\r\n", 6));
        let values = parts.fields().unwrap();
        let values: Vec<_> = values.into_iter().map(|field| field.value).collect();
        assert_eq!(values[0], Given::Text("a".to_owned()));
        let words = vec![("x".to_owned(), 3), ("y".to_owned(), 3)];
        assert_eq!(values[1..], [Given::List(words), Given::Nothing]);
    }

    #[test]
    fn a_list_is_told_from_other_mistakes() {
        let wrong = |text| split(text).and_then(|parts| parts.fields()).unwrap_err();
        assert!(wrong("---\n- a\n---\n").is_list);
        assert!(!wrong("---\na: *b\n---\n").is_list);
        assert!(!wrong("no head\n").is_list);
    }
}
