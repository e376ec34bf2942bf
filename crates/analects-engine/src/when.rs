//! Points in time as answers show them.

use analects_session::stamp::Stamp;

/// How long a day is.
pub(crate) const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// Milliseconds since 1970 as RFC 3339 in UTC, the way JavaScript writes it.
#[must_use]
pub(crate) fn utc(at_ms: u64) -> String {
    Stamp::from_ms(at_ms).unwrap_or(Stamp::MAX).to_string()
}

/// The day of a point in time, in UTC: `2026-01-01`.
#[must_use]
pub(crate) fn date(at_ms: u64) -> String {
    utc(at_ms).chars().take("2026-01-01".len()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_look_as_in_javascript() {
        assert_eq!(utc(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(utc(1_700_000_000_123), "2023-11-14T22:13:20.123Z");
        assert_eq!(date(1_700_000_000_123), "2023-11-14");
        assert!(utc(u64::MAX).starts_with("9999-"));
    }
}
