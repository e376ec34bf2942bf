//! The figures as tables, on the terminal and in the reference.

use std::fmt::Write;
use std::path::Path;

use super::figures::{Promise, Row, Unit, Versus};
use crate::shell::{self, Done};

/// The one page about speed. What stands between the marks is ours, the rest is written by hand.
pub(super) const PAGE: &str = "docs/reference/performance.md";
pub(super) const PICTURE: &str = "docs/reference/performance.svg";
const BEGIN: &str = "<!-- cargo xtask compare --write: begin -->\n";
const END: &str = "<!-- cargo xtask compare --write: end -->";

/// Puts the tables into a page, below a line on the machine.
pub(super) fn write(page: &Path, machine: &str, rows: &[Row]) -> Done {
    let text = shell::read(page)?;
    let marks = text.split_once(BEGIN);
    let (before, rest) = marks.ok_or_else(|| format!("{PAGE} has no place for the tables"))?;
    let end = rest.split_once(END);
    let (_, after) = end.ok_or_else(|| format!("{PAGE} has no end of the tables"))?;
    let tables = tables(rows);
    shell::write(
        page,
        &format!("{before}{BEGIN}\n{machine}\n\n{tables}\n{END}{after}"),
    )
}

/// How many cores there are, how busy they are before anything is measured, and who goes first.
pub(super) fn machine() -> String {
    let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split_whitespace().next().unwrap_or("unknown");
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let ahead = match is_real_time(&stat) {
        true => "; measured ahead of all others (`chrt --fifo`)",
        false => "",
    };
    format!("{n_cores} cores, load average before the run {load}{ahead}.")
}

/// Whether a process is scheduled before all ordinary ones, as its line in `/proc` tells.
fn is_real_time(stat: &str) -> bool {
    // Its name may hold blanks. The 41st field is the policy, of which 1 and 2 are such.
    let fields = stat.rsplit_once(')').map(|(_, rest)| rest);
    let policy = fields.and_then(|rest| rest.split_whitespace().nth(41 - 3));
    matches!(policy, Some("1" | "2"))
}

/// Two tables: beside peers, and beside what the machine takes at least.
pub(super) fn tables(rows: &[Row]) -> String {
    let peers = table(rows, Versus::Peer, "beside", "times better");
    let limits = table(rows, Versus::Limit, "the least", "times the least");
    let told = [Some(peers), Some(limits), growth(rows)];
    told.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

fn table(rows: &[Row], versus: Versus, beside: &str, ratio: &str) -> String {
    let mut table = format!(
        "| | {beside} | {ratio} | middle half | promised | kept | ours here |\n|---|---|---|---|---|---|---|\n"
    );
    let mut group = None;
    for row in rows.iter().filter(|row| row.versus == versus) {
        if group.replace(row.group) != Some(row.group) {
            let _ = writeln!(table, "| **{}** | | | | | | |", row.group.title());
        }
        let [low, high] = row.middle_half().map(times);
        let promises = row.promises.iter().map(|it| promise(row, it));
        let promises = promises.collect::<Vec<_>>().join(", ");
        let kept = match row.promises {
            [] => "",
            all if all.iter().all(|it| row.holds(it)) => "yes",
            _ => "**no**",
        };
        let _ = writeln!(
            table,
            "| {} | {} | **{}** | {low} – {high} | {promises} | {kept} | {} |",
            row.name,
            row.other,
            times(row.ratio()),
            here(row),
        );
    }
    table
}

/// How much longer the largest input takes than the smallest of its kind, for what was measured in three sizes.
fn growth(rows: &[Row]) -> Option<String> {
    let kinds = [
        ("load the memory of", "directories, one name"),
        ("load the memory of", "directories, three names"),
        ("replay a session of", "MB"),
    ];
    let mut table =
        String::from("| | larger input | theirs takes | ours takes |\n|---|---|---|---|\n");
    let mut n_rows = 0;
    for (start, end) in kinds {
        let peers = rows.iter().filter(|row| row.versus == Versus::Peer);
        let sized = peers.filter_map(|row| {
            let size = row.name.strip_prefix(start)?.strip_suffix(end)?;
            Some((size.trim().parse::<f64>().ok()?, row))
        });
        let sized: Vec<_> = sized.collect();
        let [(least, small), .., (most, large)] = sized.as_slice() else {
            continue;
        };
        let grown = [0, 1].map(|at| large.samples[at].median() / small.samples[at].median());
        let _ = writeln!(
            table,
            "| {start} … {end} | {} | {} | {} |",
            times(most / least),
            times(grown[0]),
            times(grown[1])
        );
        n_rows += 1;
    }
    (n_rows > 0).then_some(table)
}

fn promise(row: &Row, promise: &Promise) -> String {
    match (*promise, row.versus) {
        (Promise::Ratio(ratio), Versus::Peer) => format!("≥ {ratio}×"),
        (Promise::Ratio(ratio), Versus::Limit) => format!("≤ {ratio}×"),
        (Promise::Median(most), _) => format!("< {most} {}", unit(row)),
        (Promise::P95(most), _) => format!("p95 < {most} {}", unit(row)),
        (Promise::Throughput(least), _) => format!("≥ {least} MB/s"),
    }
}

/// For orientation: what we took on the machine that measured.
fn here(row: &Row) -> String {
    let [median, p95] = [50, 95].map(|hundredths| row.ours().percentile(hundredths));
    let told = format!("{} {}", digits(median), unit(row));
    let throughput = row.throughput().filter(|_| row.versus == Versus::Limit);
    match (throughput, row.promises) {
        (Some(throughput), _) => format!("{told}, {throughput:.0} MB/s"),
        (None, [Promise::P95(_), ..]) => format!("{told}, p95 {}", digits(p95)),
        (None, _) => told,
    }
}

fn unit(row: &Row) -> &'static str {
    match row.unit {
        Unit::Milliseconds => "ms",
        Unit::Mebibytes => "MiB",
    }
}

/// A ratio.
pub(super) fn times(ratio: f64) -> String {
    format!("{}×", digits(ratio))
}

/// As many digits as say something.
fn digits(number: f64) -> String {
    match number {
        100.0.. => format!("{number:.0}"),
        10.0.. => format!("{number:.1}"),
        0.1.. => format!("{number:.2}"),
        _ => format!("{number:.4}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::figures::tests::row;

    #[test]
    fn a_promise_that_does_not_hold_is_said_aloud() {
        let mut row = row(Versus::Peer, 40.0, &[10.0]);
        row.promises = &[Promise::Ratio(5.0), Promise::Median(20.0)];
        let line = "| watch a text | somebody | **4.00×** | 4.00× – 4.00× | ≥ 5×, < 20 ms | **no** | 10.0 ms |";
        assert!(tables(&[row]).contains(line));
    }

    #[test]
    fn a_name_with_blanks_does_not_hide_the_policy() {
        let stat = |policy| {
            let zeros = "0 ".repeat(37);
            format!("7 (a ) b) R {zeros}{policy} 0 0")
        };
        assert!(is_real_time(&stat(1)) && !is_real_time(&stat(0)));
    }

    #[test]
    fn rows_of_a_kind_tell_how_time_grows() {
        let sized = |n: usize, other: f64, ours: f64| Row {
            name: format!("replay a session of {n} MB"),
            ..row(Versus::Peer, other, &[ours])
        };
        let rows = [
            sized(1, 10.0, 2.0),
            sized(10, 90.0, 20.0),
            sized(50, 600.0, 90.0),
        ];
        let line = "| replay a session of … MB | 50.0× | 60.0× | 45.0× |";
        assert!(tables(&rows).contains(line));
    }
}
