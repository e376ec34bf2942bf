//! The published table of intended differences, read as data.
//!
//! A row is ``| `name` | theirs | ours | compared | why |``. *Compared* names the kinds of cases that show it,
//! *why* cites entries of the legend, which are rows of two cells: ``| W2 | … |`` or ``| §2 imports | … |``.

/// `docs/reference/compatibility.md`.
#[derive(Debug)]
pub struct Page<'a> {
    /// In the order of the page.
    pub rows: Vec<Row<'a>>,
    /// What can be cited, and what it says.
    pub legend: Vec<(&'a str, &'a str)>,
}

/// One intended difference.
#[derive(Debug)]
pub struct Row<'a> {
    /// What tests call it.
    pub name: &'a str,
    /// What Gemini CLI does.
    pub theirs: &'a str,
    /// What we do.
    pub ours: &'a str,
    /// The kinds of recorded cases that show it; none if other tests do.
    pub compared: Vec<&'a str>,
    /// Entries of the legend.
    pub cited: Vec<&'a str>,
}

impl Page<'static> {
    /// The page as it is published.
    #[must_use]
    pub fn published() -> Self {
        Page::parse(include_str!("../../../../docs/reference/compatibility.md"))
    }
}

impl<'a> Page<'a> {
    /// Reads a page.
    #[must_use]
    pub fn parse(text: &'a str) -> Self {
        let mut page = Page {
            rows: Vec::new(),
            legend: Vec::new(),
        };
        for cells in text.lines().filter_map(cells) {
            match &*cells {
                [name, theirs, ours, compared, why] if name.starts_with('`') => {
                    page.rows.push(Row {
                        name: name.trim_matches('`'),
                        theirs,
                        ours,
                        compared: listed(compared),
                        cited: listed(why),
                    });
                }
                [entry, says] if entry.starts_with(['W', '§']) => page.legend.push((entry, says)),
                _ => {}
            }
        }
        page
    }

    /// The names of the rows that cases of a kind show.
    pub fn rows_of(&self, kind: &str) -> impl Iterator<Item = &'a str> {
        let of_kind = self
            .rows
            .iter()
            .filter(move |row| row.compared.contains(&kind));
        of_kind.map(|row| row.name)
    }
}

/// The cells of a line that is a row of a table.
fn cells(line: &str) -> Option<Vec<&str>> {
    let inner = line.strip_prefix('|')?.strip_suffix('|')?;
    Some(inner.split('|').map(str::trim).collect())
}

/// A list with commas; a dash is an empty one.
fn listed(cell: &str) -> Vec<&str> {
    let items = cell.split(',').map(str::trim);
    items.filter(|item| !matches!(*item, "" | "–")).collect()
}

#[cfg(test)]
mod tests;
