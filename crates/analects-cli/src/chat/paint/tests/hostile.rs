//! Text that means harm, and screens that nobody has.

use super::*;

#[test]
fn nothing_drives_the_terminal() {
    let text = "a\u{1b}[2Jb\u{9b}c\u{7}\u{8}\0 \u{1b}]0;t\u{7} &#27;[31m `\u{1b}c` [x](http://\u{1b}[1m) \u{202e}r\u{2066} \
                \u{e0041} z\u{200b}z\u{ad}z\n\n```\n\u{1b}[H\n```\n\n|\u{1b}[A|&#10;&#9;|\n|-|-|\n\n<b \u{1b}[1m>\n";
    for options in [RICH, sized(20, 5)] {
        for n in [1, 7, 1000] {
            let bytes = streamed(pieces(text, n), 33, options);
            assert_tame(&bytes);
            let page = page(&bytes, options.size);
            assert!(page.contains("zzz"), "{page}");
        }
    }
    let page = page(&streamed([text], 0, RICH), RICH.size);
    assert!(page.contains("a\\u{1b}[2Jb\\u{9b}c"), "{page}");
    assert!(page.contains("\\u{202e}r"), "{page}");
}

#[test]
fn endless_text_is_painted_on_any_screen() {
    let line = "x".repeat(1 << 20);
    let stars = "*".repeat(100_000);
    let words = "*a **b `c [d](e ".repeat(6000);
    let quotes = format!("{} a\n", ">".repeat(50_000));
    let nested = format!("{}a\n", "- ".repeat(20_000));
    let brackets = "[".repeat(50_000);
    let marks = "e\u{301}\u{302}\u{303}".repeat(10_000);
    let table = format!("{}\n{}\n", "|a".repeat(5000), "|-".repeat(5000));
    let cells = format!(
        "|{}|b|\n|-|-|\n{}",
        "h".repeat(7000),
        "|a|b|\n".repeat(3000)
    );
    for text in [
        &line, &stars, &words, &quotes, &nested, &brackets, &marks, &table, &cells,
    ] {
        for options in [RICH, sized(1, 1)] {
            let bytes = streamed(pieces(text, 5000), 33, options);
            assert_tame(&bytes);
            assert!(!bytes.is_empty());
        }
    }
}

#[test]
fn a_line_without_end_is_all_there() {
    let text: String = (0..20_000).map(|n| format!("{}", n % 10)).collect();
    for n in [100, 4096, 1 << 20] {
        let page = page(&streamed(pieces(&text, n), 33, RICH), RICH.size);
        assert_eq!(page.replace('\n', ""), text);
    }
}

#[test]
fn code_that_is_cut_goes_on_as_code() {
    let lines: String = (0..3000)
        .map(|n| format!("let x{n} = \"**a**\";\n"))
        .collect();
    let text = format!("Look:\n\n```rust\n{lines}```\n\nDone.\n");
    for n in [50, 1 << 20] {
        let page = page(&streamed(pieces(&text, n), 33, RICH), RICH.size);
        let expected: String = (0..3000)
            .map(|n| format!("    let x{n} = \"**a**\";\n"))
            .collect();
        assert_eq!(page, format!("Look:\n\n{expected}\nDone."));
    }
}

#[test]
fn a_list_that_is_cut_goes_on_counting() {
    let text: String = (1..2000).map(|n| format!("{n}. item {n}\n")).collect();
    for n in [50, 1 << 20] {
        let page = page(&streamed(pieces(&text, n), 33, RICH), RICH.size);
        assert_eq!(page, text.trim_end());
    }
}

#[test]
fn every_screen_takes_every_script() {
    let text = "文字が続く **文字** 👩‍👩‍👧‍👦 🇩🇪 ❤️ e\u{301}\u{301} क्षि العربية\n\n- 文字\n\n> 文\n\n|文|字|\n|-|-|\n|a|b|\n";
    for width in [1, 2, 3, 4, 10, 80] {
        for height in [1, 2, 24] {
            let options = sized(width, height);
            let bytes = streamed(pieces(text, 3), 33, options);
            assert_tame(&bytes);
            if width > 1 {
                terminal(&bytes, options.size);
            }
        }
    }
}
