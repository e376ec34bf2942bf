//! What another server once said, kept as text.
//!
//! A recording is what `curl -i` shows: a status line, headers, an empty line, and the body with its chunks
//! put together. Lines of the head may end with or without `\r`.

use bytes::Bytes;

/// An answer of another server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    /// The status.
    pub status: u16,
    /// The headers, names in lower case, without those that speak of the connection or the length.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// Said anew by whoever replays it.
const OF_THE_CONNECTION: [&str; 6] = [
    "connection",
    "content-length",
    "date",
    "keep-alive",
    "trailer",
    "transfer-encoding",
];

impl Recording {
    /// Reads a recording; what is wrong with it otherwise.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let (line, mut rest) = line_of(bytes).ok_or("no status line")?;
        let mut words = line.split(' ');
        let version = words.next().unwrap_or_default();
        if !version.starts_with("HTTP/") {
            return Err(format!("`{line}` is no status line"));
        }
        let status = words.next().and_then(|word| word.parse().ok());
        let status = status
            .filter(|status| (200..600).contains(status))
            .ok_or_else(|| format!("`{line}` has no status"))?;
        let mut headers = Vec::new();
        loop {
            let (line, after) = line_of(rest).ok_or("the head does not end")?;
            rest = after;
            if line.is_empty() {
                break;
            }
            let (name, value) = line
                .split_once(':')
                .ok_or_else(|| format!("`{line}` is no header"))?;
            let name = name.trim().to_ascii_lowercase();
            if !OF_THE_CONNECTION.contains(&&*name) {
                headers.push((name, value.trim().to_owned()));
            }
        }
        Ok(Self {
            status,
            headers,
            body: rest.to_vec(),
        })
    }

    /// The recording as text to keep.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut head = format!("HTTP/1.1 {}\n", self.status);
        for (name, value) in &self.headers {
            head.extend([name, ": ", value, "\n"]);
        }
        head.push('\n');
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(&self.body);
        bytes
    }

    /// The body, cut where its events end.
    pub(super) fn events(&self) -> Vec<Bytes> {
        let mut events = Vec::new();
        let mut start = 0;
        let mut line = 0;
        for (at, _) in self
            .body
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'\n')
        {
            let is_empty = matches!(self.body.get(line..at), Some(b"" | b"\r"));
            line = at + 1;
            if is_empty {
                events.push(Bytes::copy_from_slice(&self.body[start..line]));
                start = line;
            }
        }
        if start < self.body.len() {
            events.push(Bytes::copy_from_slice(&self.body[start..]));
        }
        events
    }
}

/// The first line without its end, and what follows.
fn line_of(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let line = std::str::from_utf8(bytes.get(..end)?).ok()?;
    Some((
        line.strip_suffix('\r').unwrap_or(line),
        bytes.get(end + 1..)?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_is_read_written_and_cut_at_its_events() {
        let text = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\nTransfer-Encoding: chunked\r\n\r\n\
            data: a\ndata: b\n\ndata: c\r\n\r\ndata: d";
        let recording = Recording::parse(text).unwrap();
        assert_eq!(recording.status, 200);
        assert_eq!(
            recording.headers,
            [("content-type".into(), "text/event-stream".into())]
        );
        assert_eq!(
            recording.events(),
            ["data: a\ndata: b\n\n", "data: c\r\n\r\n", "data: d"]
        );
        assert_eq!(Recording::parse(&recording.to_bytes()), Ok(recording));
    }

    #[test]
    fn what_is_no_recording_is_refused() {
        for text in [
            "",
            "HTTP/1.1 OK\n\n",
            "data: a\n\n",
            "HTTP/1.1 200\nhead\n\n",
            "HTTP/1.1 200\na: b\n",
            "HTTP/1.1 99\n\n",
        ] {
            assert!(Recording::parse(text.as_bytes()).is_err(), "{text}");
        }
    }
}
