//! Points in time as answers show them.

use analects_session::stamp::Stamp;

/// Milliseconds since 1970 as RFC 3339 in UTC, the way JavaScript writes it.
#[must_use]
pub(crate) fn utc(at_ms: u64) -> String {
    Stamp::from_ms(at_ms).unwrap_or(Stamp::MAX).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_look_as_in_javascript() {
        assert_eq!(utc(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(utc(1_700_000_000_123), "2023-11-14T22:13:20.123Z");
        assert!(utc(u64::MAX).starts_with("9999-"));
    }
}
