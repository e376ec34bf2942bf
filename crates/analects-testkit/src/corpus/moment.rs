//! Times as records write them.

/// `2026-08-21T10:00:00.000Z`.
pub(super) fn iso(ms: u64) -> String {
    let (secs, ms) = (ms / 1_000, ms % 1_000);
    let (year, month, day) = date(secs / 86_400);
    let (hour, minute, second) = (secs / 3_600 % 24, secs / 60 % 60, secs % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ms:03}Z")
}

/// `2026-08-21T10-00`, for the name of a file.
pub(super) fn for_name(ms: u64) -> String {
    let iso = iso(ms).replace(':', "-");
    iso.chars().take(16).collect()
}

/// The date this many days after the first of 1970.
fn date(days: u64) -> (u64, u64, u64) {
    // Years that begin in March: the day that some of them lack comes last.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_written_as_records_write_it() {
        assert_eq!(iso(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(iso(951_782_400_007), "2000-02-29T00:00:00.007Z");
        assert_eq!(iso(1_787_306_400_000), "2026-08-21T10:00:00.000Z");
        assert_eq!(for_name(1_787_306_400_000), "2026-08-21T10-00");
    }
}
