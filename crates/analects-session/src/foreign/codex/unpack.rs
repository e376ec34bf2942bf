//! Compressed records, as Codex leaves its older ones.
//!
//! A few bytes can stand for gigabytes: no more comes out than the caller allows, and the window that a frame
//! asks for is bounded too.

use std::io::Read;

use analects_text::problem::Problem;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

use super::super::codes;

/// The largest window that zstd uses unless somebody asks it for more. Codex' frames have one as large as the file.
const MIN_WINDOW_BYTES: u64 = 128 * 1024 * 1024;

/// Room for a window is taken before anything is read.
const MAX_WINDOW_BYTES: u64 = 1024 * 1024 * 1024;

/// Unpacks zstd frames, at most `limit_bytes` of them. What stood before a fault or the limit is there.
#[must_use]
pub fn unpack(packed: &[u8], limit_bytes: usize) -> (Vec<u8>, Option<Problem>) {
    let mut unpacked = Vec::new();
    let mut rest = packed;
    while !rest.is_empty() {
        let before = rest.len();
        let fault = frame(&mut rest, &mut unpacked, limit_bytes).err();
        // A frame takes bytes, else it would come again.
        if let Some(fault) = fault.or_else(|| (rest.len() == before).then_some(Fault::Damaged)) {
            return (unpacked, Some(fault.problem(limit_bytes)));
        }
    }
    (unpacked, None)
}

enum Fault {
    Damaged,
    TooLarge,
}

impl Fault {
    fn problem(self, limit_bytes: usize) -> Problem {
        match self {
            Self::Damaged => Problem::new(&codes::UNPACK_FAILED, "the compressed data is damaged"),
            Self::TooLarge => {
                let message = format!("holds more than {limit_bytes} bytes: the rest was left out");
                Problem::new(&codes::UNPACK_CUT, message)
            }
        }
    }
}

fn frame(rest: &mut &[u8], unpacked: &mut Vec<u8>, limit_bytes: usize) -> Result<(), Fault> {
    let mut decoder = FrameDecoder::new();
    let limit = u64::try_from(limit_bytes).unwrap_or(u64::MAX);
    decoder.set_max_window_size(limit.clamp(MIN_WINDOW_BYTES, MAX_WINDOW_BYTES));
    match StreamingDecoder::new_with_decoder(&mut *rest, decoder) {
        Ok(mut stream) => {
            let room = limit_bytes.saturating_sub(unpacked.len());
            // One byte more than there is room for tells whether that was all.
            let allowed = u64::try_from(room).unwrap_or(u64::MAX).saturating_add(1);
            let outcome = stream.by_ref().take(allowed).read_to_end(unpacked);
            if unpacked.len() > limit_bytes {
                unpacked.truncate(limit_bytes);
                return Err(Fault::TooLarge);
            }
            outcome.map(drop).map_err(|_| Fault::Damaged)
        }
        Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
            length,
            ..
        })) => {
            let length = usize::try_from(length).unwrap_or(usize::MAX);
            *rest = rest.get(length..).ok_or(Fault::Damaged)?;
            Ok(())
        }
        Err(FrameDecoderError::WindowSizeTooBig { .. }) => Err(Fault::TooLarge),
        Err(_) => Err(Fault::Damaged),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    fn pack(text: &[u8]) -> Vec<u8> {
        compress_to_vec(text, CompressionLevel::Fastest)
    }

    fn check(packed: &[u8], limit: usize) -> (String, Option<&'static str>) {
        let (bytes, problem) = unpack(packed, limit);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        (text, problem.map(|problem| problem.code.name))
    }

    #[test]
    fn frames_are_unpacked_one_after_another() {
        let skipped = [0x50, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, b'n', b'o'];
        let packed = [&pack(b"The pond "), &skipped[..], &pack(b"is long.")].concat();
        assert_eq!(check(&packed, 100), ("The pond is long.".to_owned(), None));
        assert_eq!(check(&packed, 17), ("The pond is long.".to_owned(), None));
        assert_eq!(check(b"", 100), (String::new(), None));
    }

    #[test]
    fn a_bomb_yields_no_more_than_allowed() {
        let packed = pack(&vec![b'a'; 50_000_000]);
        assert!(packed.len() < 100_000);
        let (bytes, problem) = unpack(&packed, 1000);
        assert_eq!(bytes.len(), 1000);
        assert_eq!(problem.unwrap().code.name, "session-unpack-cut");
    }

    #[test]
    fn a_window_that_is_too_large_is_not_opened() {
        // A frame header: no content size, and a window of 2^41 bytes.
        let packed = [0x28, 0xB5, 0x2F, 0xFD, 0, 31 << 3, 1, 0, 0];
        assert_eq!(check(&packed, 100).1, Some("session-unpack-cut"));
    }

    #[test]
    fn damage_is_a_problem() {
        assert_eq!(check(b"not zstd", 100).1, Some("session-unpack-failed"));
        let packed = pack(b"The pond is long, and the geese are many.");
        let cut = &packed[..packed.len() - 5];
        assert_eq!(check(cut, 100).1, Some("session-unpack-failed"));
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let framed = [&[0x28, 0xB5, 0x2F, 0xFD][..], &bytes].concat();
            prop_assert!(unpack(&framed, 1000).0.len() <= 1000);
        }

        #[test]
        fn flipped_bytes_do_not_make_it_panic(at in 0_usize..60, with in any::<u8>()) {
            let mut packed = pack(b"The pond is long, the pond is long, and the geese are many.");
            let at = at % packed.len();
            packed[at] = with;
            prop_assert!(unpack(&packed, 1000).0.len() <= 1000);
        }
    }
}
