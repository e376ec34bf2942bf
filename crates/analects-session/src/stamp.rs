//! Timestamps, as records write them.

use std::fmt;

use jiff::Timestamp;

/// A point in time, in milliseconds since 1970. Never before that: no session is older.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stamp(u64);

impl Stamp {
    /// The last second that a date can say.
    pub const MAX: Self = Self(253_402_207_200_000);

    /// The moment this many milliseconds after the beginning of 1970; `None` if a date cannot express it.
    #[must_use]
    pub fn from_ms(ms: u64) -> Option<Self> {
        let signed = i64::try_from(ms).ok()?;
        Timestamp::from_millisecond(signed)
            .is_ok()
            .then_some(Self(ms))
    }

    /// The time that a record names, in RFC 3339. What is no time, or none that a record could have, is none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let stamp: Timestamp = text.trim().parse().ok()?;
        u64::try_from(stamp.as_millisecond()).ok().map(Self)
    }

    /// Milliseconds since the beginning of 1970.
    #[must_use]
    pub fn as_ms(self) -> u64 {
        self.0
    }

    /// The day it falls on in UTC, as a person says it: `Friday, 2026-08-21`.
    #[must_use]
    pub fn day(self) -> String {
        self.timestamp().strftime("%A, %Y-%m-%d").to_string()
    }

    fn timestamp(self) -> Timestamp {
        let ms = i64::try_from(self.0).unwrap_or(i64::MAX);
        Timestamp::from_millisecond(ms).unwrap_or(Timestamp::MAX)
    }
}

/// As JavaScript writes it: in UTC, with three digits after the second.
impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.timestamp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_records_have_them_and_written_as_javascript_does() {
        for (text, ms) in [
            ("1970-01-01T00:00:00.000Z", Some(0)),
            ("2023-11-14T22:13:20.123Z", Some(1_700_000_000_123)),
            ("2023-11-14T23:13:20.123456+01:00", Some(1_700_000_000_123)),
            ("2023-11-14T22:13:20Z", Some(1_700_000_000_000)),
            ("1969-12-31T23:59:59Z", None),
            ("2023-11-14", None),
            ("+275760-09-13T00:00:00.000Z", None),
            ("", None),
        ] {
            assert_eq!(Stamp::parse(text).map(Stamp::as_ms), ms, "{text}");
        }
        let stamp = Stamp::from_ms(1_700_000_000_123).unwrap();
        assert_eq!(stamp.to_string(), "2023-11-14T22:13:20.123Z");
        assert_eq!(stamp.day(), "Tuesday, 2023-11-14");
        assert_eq!(Stamp::MAX.day(), "Thursday, 9999-12-30");
        assert_eq!(Stamp::from_ms(u64::MAX), None);
        assert_eq!(Stamp::from_ms(Stamp::MAX.as_ms()), Some(Stamp::MAX));
    }
}
