//! Any bytes at all.

use analects_memory::import::Format;
use analects_testkit::{FakeFiles, Fixture};
use proptest::prelude::*;

use super::{Mouth, Profile, assert_well_formed};

/// Pieces that mean something to one of the readers on the way.
const PIECES: [&[u8]; 36] = [
    b"@a.md",
    b"@./b.md",
    b" @../repo/GEMINI.md",
    b"@",
    b"`",
    b"```\n",
    b"~~~\n",
    b"<!--",
    b"-->",
    b"\n",
    b"\r\n",
    b"    ",
    b"\t",
    b"- ",
    b"> ",
    b"---",
    b" End of Context from: GEMINI.md ---",
    b"</project_context>",
    b"<",
    b"/",
    b"project_context",
    b"[cut off: ",
    b"]",
    b"\xEF\xBB\xBF",
    b"\xFF\xFE",
    b"\xFE\xFF",
    b"\0",
    b"\xFF",
    b"\xE8\xAE",
    "规则".as_bytes(),
    "\u{200B}".as_bytes(),
    "\u{202E}".as_bytes(),
    "－".as_bytes(),
    "＜".as_bytes(),
    b"\\ ",
    b"\x1b[2J",
];

fn content() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        8 => prop::sample::select(PIECES.to_vec()).prop_map(<[u8]>::to_vec),
        1 => prop::collection::vec(any::<u8>(), 0..8),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_bytes_give_a_result(
        contents in prop::collection::vec(content(), 7),
        profile in prop::sample::select(vec![Profile::Analects, Profile::Seed, Profile::Head]),
        is_flat in any::<bool>(),
        file_limit in prop_oneof![Just(usize::MAX), 0_usize..100],
        load_limit in prop_oneof![Just(1_000_000_usize), 0_usize..300],
        layer_limit_tokens in prop_oneof![Just(usize::MAX), 0_usize..60],
    ) {
        let paths = [
            "/home/u/.gemini/GEMINI.md",
            "/home/u/.gemini/tmp/repo/memory/MEMORY.md",
            "/repo/GEMINI.md",
            "/repo/a.md",
            "/repo/sub/GEMINI.md",
            "/repo/sub/b.md",
            "/repo/.geminiignore",
        ];
        let files = paths.iter().zip(&contents);
        let fixture = files.fold(Fixture::default(), |tree, (path, bytes)| tree.file(path, bytes));
        let format = if is_flat { Format::Flat } else { Format::Tree };
        let mouth = Mouth { profile, format, file_limit, load_limit, layer_limit_tokens };
        let swallowed = mouth.swallow(&FakeFiles::new(&fixture));
        if profile == Profile::Analects && !is_flat {
            assert_well_formed(&swallowed);
        }
        let n_bytes: usize = contents.iter().map(Vec::len).sum();
        prop_assert!(swallowed.prompt.len() < 12 * n_bytes.min(load_limit) + 8_000);
    }
}
