//! What another server once said, kept as it came over the wire.
//!
//! A recording is what `curl -si --raw` shows: a status line, headers, an empty line, and the body, in chunks if
//! the head says so. Lines of the head and of the chunks may have lost their `\r`.

use bytes::Bytes;

/// An answer of another server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    /// The status.
    pub status: u16,
    /// The headers, names in lower case, without those that speak of the connection or the length.
    pub headers: Vec<(String, String)>,
    /// The body, in the pieces in which it was sent.
    pub pieces: Vec<Bytes>,
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
        let status = status_in(line).ok_or_else(|| format!("`{line}` is no status line"))?;
        let mut headers = Vec::new();
        let mut is_chunked = false;
        loop {
            let (line, after) = line_of(rest).ok_or("the head does not end")?;
            rest = after;
            if line.is_empty() {
                break;
            }
            let header = line.split_once(':');
            let (name, value) = header.ok_or_else(|| format!("`{line}` is no header"))?;
            let (name, value) = (name.trim().to_ascii_lowercase(), value.trim());
            is_chunked |= name == "transfer-encoding" && value.eq_ignore_ascii_case("chunked");
            if !OF_THE_CONNECTION.contains(&&*name) {
                headers.push((name, value.to_owned()));
            }
        }
        let pieces = if is_chunked {
            chunks(rest)?
        } else {
            vec![Bytes::copy_from_slice(rest)]
        };
        Ok(Self {
            status,
            headers,
            pieces,
        })
    }
}

fn status_in(line: &str) -> Option<u16> {
    let (_, rest) = line.strip_prefix("HTTP/")?.split_once(' ')?;
    let status = rest.split(' ').next()?.parse().ok()?;
    (200..600).contains(&status).then_some(status)
}

fn chunks(mut rest: &[u8]) -> Result<Vec<Bytes>, String> {
    let mut chunks = Vec::new();
    loop {
        let (line, after) = line_of(rest).ok_or("the chunks do not end")?;
        let size = usize::from_str_radix(line, 16).map_err(|_| format!("`{line}` is no size"))?;
        if size == 0 {
            return Ok(chunks);
        }
        let chunk = after.get(..size).ok_or("a chunk is cut")?;
        chunks.push(Bytes::copy_from_slice(chunk));
        let (line, after) = line_of(&after[size..]).ok_or("the chunks do not end")?;
        if !line.is_empty() {
            return Err(format!("`{line}` follows a chunk"));
        }
        rest = after;
    }
}

/// The first line without its end, and what follows.
fn line_of(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let line = std::str::from_utf8(bytes.get(..end)?).ok()?;
    let line = line.strip_suffix('\r').unwrap_or(line);
    Some((line, bytes.get(end + 1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_is_read_with_its_chunks() {
        let text = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\nTransfer-Encoding: chunked\r\n\r\n\
            9\r\ndata: a\n\n\r\nA\ndata: \xc3\xbc\n\n\n0\r\n\r\n";
        let recording = Recording::parse(text).unwrap();
        assert_eq!(recording.status, 200);
        let kind = ("content-type".to_owned(), "text/event-stream".to_owned());
        assert_eq!(recording.headers, [kind]);
        assert_eq!(recording.pieces, ["data: a\n\n", "data: ü\n\n"]);
    }

    #[test]
    fn a_body_without_chunks_is_one_piece() {
        let recording = Recording::parse(b"HTTP/1.1 401\nContent-Length: 2\n\n{}").unwrap();
        assert_eq!((recording.status, recording.headers.len()), (401, 0));
        assert_eq!(recording.pieces, ["{}"]);
    }

    #[test]
    fn what_is_no_recording_is_refused() {
        let chunked = "HTTP/1.1 200\ntransfer-encoding: chunked\n\n";
        for text in [
            "",
            "HTTP/1.1 OK\n\n",
            "data: a\n\n",
            "HTTP/1.1 200\nhead\n\n",
            "HTTP/1.1 200\na: b\n",
            "HTTP/1.1 99\n\n",
            chunked,
            &format!("{chunked}5\nabc"),
            &format!("{chunked}x\nabc\n0\n\n"),
            &format!("{chunked}1\nabc\n0\n\n"),
            &format!("{chunked}ffffffffffffffff\nabc\n0\n\n"),
        ] {
            assert!(Recording::parse(text.as_bytes()).is_err(), "{text}");
        }
    }
}
