//! How long a server asks to be left alone.

use std::time::{Duration, SystemTime};

use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

/// Nobody waits longer than a day because a server says so.
const MAX_MS: u64 = 24 * 60 * 60 * 1_000;

/// What the head of an answer asks for. A date is measured by the clock of the server, where it tells the
/// time, and by ours where it does not.
pub(in crate::http_models) fn asked_for(headers: &HeaderMap, now: SystemTime) -> Option<u64> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    if let Some(ms) = text("retry-after-ms").and_then(|ms| whole(ms.parse().ok()?)) {
        return Some(ms);
    }
    let after = text(RETRY_AFTER.as_str())?;
    if let Ok(secs) = after.parse::<f64>() {
        return whole(secs * 1_000.0);
    }
    let at = httpdate::parse_http_date(after).ok()?;
    let date = text(DATE.as_str()).and_then(|date| httpdate::parse_http_date(date).ok());
    let wait = at
        .duration_since(date.unwrap_or(now))
        .unwrap_or(Duration::ZERO);
    Some(
        u64::try_from(wait.as_millis())
            .unwrap_or(MAX_MS)
            .min(MAX_MS),
    )
}

/// A duration as Google's servers write it: `12s`, `0.25s`.
pub(super) fn seconds(text: &str) -> Option<u64> {
    let secs: f64 = text.trim().strip_suffix('s')?.parse().ok()?;
    whole(secs * 1_000.0)
}

/// Milliseconds that make sense: not negative, and no more than somebody would wait.
fn whole(ms: f64) -> Option<u64> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "it lies between 0 and a day"
    )]
    (ms >= 0.0).then(|| ms.min(MAX_MS as f64).ceil() as u64)
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    fn after(headers: &[(&'static str, &'static str)]) -> Option<u64> {
        let headers = headers.iter().map(|(name, value)| {
            let name = HeaderName::from_static(name);
            (name, HeaderValue::from_static(value))
        });
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:30 GMT").unwrap();
        asked_for(&headers.collect(), now)
    }

    #[test]
    fn seconds_milliseconds_and_dates_are_understood() {
        assert_eq!(after(&[("retry-after", "12")]), Some(12_000));
        assert_eq!(after(&[("retry-after", "0.5")]), Some(500));
        assert_eq!(
            after(&[("retry-after", "2"), ("retry-after-ms", "1500.5")]),
            Some(1_501)
        );
        let date = ("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(after(&[date]), Some(7_000));
        let by_the_server = ("date", "Sun, 06 Nov 1994 08:49:36 GMT");
        assert_eq!(after(&[date, by_the_server]), Some(1_000));
        assert_eq!(seconds("34.074824224s"), Some(34_075));
    }

    #[test]
    fn what_makes_no_sense_is_not_heeded_and_what_is_silly_is_capped() {
        for nonsense in ["", "soon", "-5", "NaN", "-inf"] {
            assert_eq!(after(&[("retry-after", nonsense)]), None, "{nonsense}");
            assert_eq!(seconds(nonsense), None);
        }
        assert_eq!(seconds("12"), None);
        for silly in ["99999999999999999999", "inf", "1e300"] {
            assert_eq!(after(&[("retry-after", silly)]), Some(MAX_MS));
        }
        let long_ago = ("retry-after", "Sun, 06 Nov 1983 08:49:37 GMT");
        assert_eq!(after(&[long_ago]), Some(0));
        let far = ("retry-after", "Sun, 06 Nov 2994 08:49:37 GMT");
        assert!(after(&[far]).is_none_or(|ms| ms == MAX_MS));
    }
}
