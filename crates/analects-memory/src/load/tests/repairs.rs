//! Bytes that are not the text they should be.

use expect_test::expect;

use super::*;

#[test]
fn a_byte_order_mark_is_dropped_and_line_ends_stay() {
    check_bytes(
        b"\xEF\xBB\xBFone\r\ntwo\r\n",
        expect![[r#"
        project GEMINI.md (13 bytes): "one\r\ntwo\r\n"
    "#]],
    );
}

#[test]
fn utf16_is_read_and_noted() {
    check_bytes(
        b"\xFF\xFEh\0i\0\n\0",
        expect![[r#"
        project GEMINI.md (8 bytes): "hi\n"
        ! utf16: /p/GEMINI.md:1: UTF-16, converted
    "#]],
    );
    check_bytes(
        b"\xFE\xFF\0h\0i",
        expect![[r#"
        project GEMINI.md (6 bytes): "hi"
        ! utf16: /p/GEMINI.md:1: UTF-16, converted
    "#]],
    );
}

#[test]
fn bytes_that_are_no_text_are_replaced_and_located() {
    check_bytes(
        b"one\ntwo \xFF\n",
        expect![[r#"
        project GEMINI.md (10 bytes): "one\ntwo �\n"
        ! not-utf8: /p/GEMINI.md:2: holds bytes that are not UTF-8
    "#]],
    );
    check_bytes(
        b"one\n\ntwo \0\n",
        expect![[r#"
        project GEMINI.md (11 bytes): "one\n\ntwo �\n"
        ! nul-bytes: /p/GEMINI.md:3: holds NUL characters
    "#]],
    );
}

#[test]
fn a_character_torn_by_the_limit_is_no_problem_of_the_file() {
    for (name, bytes) in [
        ("utf-8", "规则".repeat(10).into_bytes()),
        ("utf-16", utf16("🦀".repeat(10))),
    ] {
        for limit in 20..24 {
            let fixture = Fixture::default().file("/p/GEMINI.md", &bytes);
            let load = Load::of(&["/p/GEMINI.md"], &fixture).limits(limit, 1000);
            let mut loader = Loader::new(&load.disk, &load.options);
            let (loaded, problems) = loader.load(&load.candidates, Format::Tree);
            assert!(
                !loaded[0].text.contains('\u{FFFD}'),
                "{name} {limit}: {}",
                loaded[0].text
            );
            assert!(
                !problems
                    .iter()
                    .any(|problem| problem.code == &codes::NOT_UTF8)
            );
        }
    }
}

fn utf16(text: String) -> Vec<u8> {
    let units = std::iter::once(0xFEFF).chain(text.encode_utf16().collect::<Vec<_>>());
    units.flat_map(u16::to_le_bytes).collect()
}

#[test]
fn what_nobody_sees_is_not_loaded_and_that_is_told() {
    // A word turned around, one that tag characters spell, and a family that needs its joiners.
    let text =
        "Use tabs.\nRun\u{202E} it\u{E006F}\u{E0062}\u{E0065}\u{E0079}.\n👩\u{200D}👧 \u{1B}[2J\n";
    check_bytes(
        text.as_bytes(),
        expect![[r#"
            project GEMINI.md (54 bytes): "Use tabs.\nRun it.\n👩\u{200d}👧 \u{1b}[2J\n"
            ! hidden-left-out: /p/GEMINI.md:2: 5 hidden characters were left out
        "#]],
    );
}
