//! The picker on a screen of any size.
//!
//! Only what is visible is looked at, so that ten thousand items cost no more than ten.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier, Style};

use super::list::Row;
use super::text::{cut, one_line, width};
use super::{Focus, Mode, Picker};

/// From here on list and preview have room beside each other.
const WIDE_COLUMNS: u16 = 100;
/// Fewer rows hold no list and preview above each other: then there is one at a time.
const MIN_STACKED_ROWS: u16 = 7;
/// A list has at least this many, where it stands above the preview.
const MIN_LIST_ROWS: u16 = 3;
/// Narrower rows have no room for more than a title.
const MIN_DETAIL_COLUMNS: u16 = 60;

impl Picker {
    /// Draws all of it.
    pub(crate) fn draw(&mut self, frame: &mut Frame<'_>) {
        let place = Place::of(frame.area());
        if let Some(cursor) = self.draw_foot(frame.buffer_mut(), place.foot) {
            frame.set_cursor_position(cursor);
        }
        let buffer = frame.buffer_mut();
        self.draw_head(buffer, place.head);
        if self.mode == Mode::Help {
            self.draw_help(buffer, place.body);
            return;
        }
        match Halves::of(place.body, self.list.n_all()) {
            Halves::Beside {
                list,
                line,
                preview,
            } => {
                self.draw_list(buffer, list, Density::TwoRows);
                for y in line.y..line.bottom() {
                    put(buffer, line, y - line.y, "│", self.style(DIM));
                }
                self.draw_preview(buffer, preview);
            }
            Halves::Stacked { list, preview } => {
                self.draw_list(buffer, list, Density::OneRow);
                self.draw_preview(buffer, preview);
            }
            Halves::Either(area) => match self.focus {
                Focus::List => self.draw_list(buffer, area, Density::OneRow),
                Focus::Preview => self.draw_preview(buffer, area),
            },
        }
    }

    /// What this is, how much of it is shown, and why not all.
    fn draw_head(&self, buffer: &mut Buffer, area: Rect) {
        let list = &self.list;
        let mut facts = Vec::new();
        let query = one_line(list.query());
        facts.push(match query.as_str() {
            "" => list.n_all().to_string(),
            _ => format!("{} of {}", list.n_shown(), list.n_all()),
        });
        // Before what is looked for: how much an action would take must not be what is cut.
        match (list.n_marked(), list.n_marked_unseen()) {
            (0, _) => {}
            (n, 0) => facts.push(format!("{n} marked")),
            (n, n_unseen) => facts.push(format!("{n} marked, {n_unseen} not shown")),
        }
        if !query.is_empty() {
            facts.push(format!("/{query}"));
        }
        let facts = format!(" · {}", facts.join(" · "));
        let title = cut(&self.title, area.width);
        let x = put(buffer, area, 0, &title, self.style(BOLD));
        let room = area.right().saturating_sub(x);
        put_at(buffer, area, x, 0, &cut(&facts, room), self.style(DIM));
    }

    /// What is typed, or what was said last, or else what can be done; where the cursor is, if something is typed.
    fn draw_foot(&self, buffer: &mut Buffer, area: Rect) -> Option<Position> {
        if self.mode != Mode::Searching {
            let (said, style) = match self.said.as_str() {
                "" => (self.hints(area.width), self.style(DIM)),
                said => (cut(said, area.width), self.style(BOLD)),
            };
            put(buffer, area, 0, &said, style);
            return None;
        }
        let typed = format!("/{}", typed(self.list.query()));
        let typed = end_of(&typed, area.width.saturating_sub(1));
        let x = put(buffer, area, 0, &typed, self.style(BOLD));
        let after = x.saturating_add(3);
        let hints = self.hints(area.right().saturating_sub(after));
        put_at(buffer, area, after, 0, &hints, self.style(DIM));
        area.contains(Position::new(x, area.y))
            .then_some(Position::new(x, area.y))
    }

    fn draw_help(&mut self, buffer: &mut Buffer, area: Rect) {
        let rows = self.help.visible(area.width, usize::from(area.height));
        for (y, (_, row)) in (0..).zip(rows) {
            put(buffer, area, y, row, Style::new());
        }
    }

    fn draw_list(&mut self, buffer: &mut Buffer, area: Rect, density: Density) {
        if self.list.n_shown() == 0 {
            let why = match self.list.n_all() {
                0 => "Nothing is here.",
                _ => "Nothing matches.",
            };
            put(buffer, area, 0, &cut(why, area.width), Style::new());
            return;
        }
        let with_marks = self.takes_many();
        let (selected, has_color) = (self.list.at(), self.has_color);
        let n_rows = density.rows();
        let n_items = usize::from(area.height / n_rows);
        for (n, (place, row, is_marked)) in (0..).zip(self.list.visible(n_items)) {
            let is_selected = place == selected;
            let mut lead = if is_selected { "> " } else { "  " }.to_owned();
            if with_marks {
                lead.push_str(match (row.is_bulk, is_marked) {
                    (false, _) => "[-] ",
                    (true, false) => "[ ] ",
                    (true, true) => "[x] ",
                });
            }
            let styles = Styles::of(is_selected, has_color);
            draw_item(buffer, area, n * n_rows, &lead, row, density, styles);
        }
    }

    fn draw_preview(&mut self, buffer: &mut Buffer, area: Rect) {
        let Some((head, body)) = split_top(area) else {
            return;
        };
        let (has_color, dim) = (self.has_color, self.style(DIM));
        let name = match self.focus {
            Focus::List => "── preview",
            Focus::Preview => "── > preview",
        };
        let mut part = String::new();
        if let Some(sheet) = self.sheet() {
            let rows = sheet.visible(body.width, usize::from(body.height));
            for (y, (tone, row)) in (0..).zip(rows) {
                let style = if has_color {
                    tone.style()
                } else {
                    Style::new()
                };
                put(buffer, body, y, row, style);
            }
            let (first, last, n_all) = sheet.place();
            // Where all of it is seen, nobody asks which part.
            if n_all > last || first > 1 {
                part = format!(" · {first}-{last} of {n_all}");
            }
        }
        let mut says = format!("{name}{part}");
        says.push(' ');
        let rest = head.width.saturating_sub(width(&says));
        says.push_str(&"─".repeat(usize::from(rest)));
        put(buffer, head, 0, &cut(&says, head.width), dim);
    }

    fn style(&self, style: Style) -> Style {
        if self.has_color { style } else { Style::new() }
    }
}

const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);
const DIM: Style = Style::new().add_modifier(Modifier::DIM);

/// How an item looks.
#[derive(Clone, Copy)]
struct Styles {
    title: Style,
    detail: Style,
}

impl Styles {
    fn of(is_selected: bool, has_color: bool) -> Self {
        let (title, detail) = match (has_color, is_selected) {
            (false, _) => (Style::new(), Style::new()),
            (true, true) => (BOLD.fg(Color::Cyan), Style::new().fg(Color::Cyan)),
            (true, false) => (Style::new(), DIM),
        };
        Self { title, detail }
    }
}

/// How many rows an item takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Density {
    /// Title and details in one row.
    OneRow,
    /// The title, and the details below it.
    TwoRows,
}

impl Density {
    fn rows(self) -> u16 {
        match self {
            Self::OneRow => 1,
            Self::TwoRows => 2,
        }
    }
}

fn draw_item(
    buffer: &mut Buffer,
    area: Rect,
    y: u16,
    lead: &str,
    row: &Row,
    density: Density,
    styles: Styles,
) {
    let x = put(buffer, area, y, &cut(lead, area.width), styles.title);
    let room = area.right().saturating_sub(x);
    match density {
        Density::OneRow => {
            let is_roomy = area.width >= MIN_DETAIL_COLUMNS;
            let detail = if is_roomy { row.detail.as_str() } else { "" };
            let detail = cut(detail, room / 2);
            let detail_room = width(&detail);
            let gap = if detail.is_empty() { 0 } else { 2 };
            let title = cut(&row.title, room.saturating_sub(detail_room + gap));
            put_at(buffer, area, x, y, &title, styles.title);
            let x = area.right().saturating_sub(detail_room);
            put_at(buffer, area, x, y, &detail, styles.detail);
        }
        Density::TwoRows => {
            put_at(buffer, area, x, y, &cut(&row.title, room), styles.title);
            put_at(
                buffer,
                area,
                x,
                y + 1,
                &cut(&row.detail, room),
                styles.detail,
            );
        }
    }
}

/// The screen from top to bottom. What is most needed gets the first rows.
struct Place {
    head: Rect,
    body: Rect,
    foot: Rect,
}

impl Place {
    fn of(area: Rect) -> Self {
        let head_rows = u16::from(area.height >= 3);
        let foot_rows = u16::from(area.height >= 4);
        let body_rows = area.height - head_rows - foot_rows;
        let rows = |y: u16, height: u16| Rect {
            y: area.y + y,
            height,
            ..area
        };
        Self {
            head: rows(0, head_rows),
            body: rows(head_rows, body_rows),
            foot: rows(head_rows + body_rows, foot_rows),
        }
    }
}

/// Where list and preview are.
enum Halves {
    Beside {
        list: Rect,
        line: Rect,
        preview: Rect,
    },
    Stacked {
        list: Rect,
        preview: Rect,
    },
    /// There is room for one only.
    Either(Rect),
}

impl Halves {
    /// A list that needs less than its half leaves it to the preview. All items count: a search should not move things.
    fn of(body: Rect, n_items: usize) -> Self {
        if body.height < MIN_STACKED_ROWS {
            return Self::Either(body);
        }
        if body.width >= WIDE_COLUMNS {
            let list_columns = body.width / 5 * 2;
            let columns = |x: u16, width: u16| Rect {
                x: body.x + x,
                width,
                ..body
            };
            return Self::Beside {
                list: columns(0, list_columns - 1),
                line: columns(list_columns, 1),
                preview: columns(list_columns + 2, body.width - list_columns - 2),
            };
        }
        let needed = u16::try_from(n_items).unwrap_or(u16::MAX);
        let list_rows = needed.max(MIN_LIST_ROWS).min(body.height / 2);
        Self::Stacked {
            list: Rect {
                height: list_rows,
                ..body
            },
            preview: Rect {
                y: body.y + list_rows,
                height: body.height - list_rows,
                ..body
            },
        }
    }
}

/// The first row of an area, and the rest; nothing of nothing.
fn split_top(area: Rect) -> Option<(Rect, Rect)> {
    let rest = area.height.checked_sub(1)?;
    let below = Rect {
        y: area.y + 1,
        height: rest,
        ..area
    };
    Some((Rect { height: 1, ..area }, below))
}

/// Writes a safe text into a row of an area; where it ended.
fn put(buffer: &mut Buffer, area: Rect, y: u16, text: &str, style: Style) -> u16 {
    put_at(buffer, area, area.x, y, text, style)
}

/// As [`put`], from a column of the screen on. What lies outside the area is not written.
fn put_at(buffer: &mut Buffer, area: Rect, x: u16, y: u16, text: &str, style: Style) -> u16 {
    let area = area.intersection(buffer.area);
    if y >= area.height || x < area.x || x >= area.right() {
        return x;
    }
    let room = usize::from(area.right() - x);
    buffer.set_stringn(x, area.y + y, text, room, style).0
}

/// A query as it is typed: the blank at its end is part of it.
fn typed(query: &str) -> String {
    let blanks = query.len() - query.trim_end_matches(' ').len();
    format!("{}{}", one_line(query), " ".repeat(blanks))
}

/// The end of a safe text in at most this many columns: that is where one types.
fn end_of(text: &str, columns: u16) -> String {
    let mut end = text;
    while width(end) > columns {
        let mut chars = end.chars();
        if chars.next().is_none() {
            break;
        }
        end = chars.as_str();
    }
    end.to_owned()
}
