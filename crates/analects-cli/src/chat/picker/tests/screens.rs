//! What is seen, at sizes that people have.

use expect_test::{Expect, expect};
use ratatui::buffer::Cell;
use ratatui::style::Color;

use super::*;

fn check(mut picker: Picker, script: &str, size: (u16, u16), expected: Expect) {
    drawn(&mut picker, size);
    press(&mut picker, script, size);
    expected.assert_eq(&rows(&drawn(&mut picker, size)));
}

#[test]
fn sessions_at_80_by_24() {
    check(
        sessions().in_color(true),
        "j",
        (80, 24),
        expect![[r#"
            Sessions · 5
              Why does the build take so long                          2 h ago · 14 messages
            > Fix the parser for CRLF files                           5 h ago · 132 messages
              登录页面的错误信息要翻译成中文                          yesterday · 8 messages
              A title that says so much that it cannot possibly st…  2 days ago · 3 messages
              Evil \u{1b}[2J title\u{d}\u{a}of \u{202e}two lines               \u{7}just now
            ── preview · 1-16 of 40 ────────────────────────────────────────────────────────
            s2: line 1
            s2: line 2
            s2: line 3
            s2: line 4
            s2: line 5
            s2: line 6
            s2: line 7
            s2: line 8
            s2: line 9
            s2: line 10
            s2: line 11
            s2: line 12
            s2: line 13
            s2: line 14
            s2: line 15
            s2: line 16
            ? keys  enter resume  / search  tab preview  q leave
        "#]],
    );
}

#[test]
fn an_inbox_with_a_diff_at_120_by_30() {
    check(
        inbox().in_color(true),
        "j",
        (120, 30),
        expect![[r#"
        Inbox · 4
          [ ] release-a-crate                           │ ── preview ───────────────────────────────────────────────────────────
              seen in 4 sessions · new skill            │ A rule that you corrected twice:
        > [ ] style.md.patch                            │
              1 line added, 1 removed · memory          │ - tabs are no longer used
          [-] from-the-web                              │
              rests on foreign text · quarantine        │ --- style.md
          [ ] run-the-lab                               │ +++ style.md
              seen in 2 sessions                        │ @@ -1,3 +1,3 @@
                                                        │  # Style
                                                        │ -- Indent with tabs.
                                                        │ +- Indent with four blanks, and never with tabs:
                                                        │ ↳ \u{1b}[31mred\u{1b}[0m is not red here, and this line is so long
                                                        │ ↳ that it is folded.
                                                        │  - Name things well.
                                                        │
                                                        │ - after the diff
                                                        │
                                                        │
                                                        │
                                                        │
                                                        │
                                                        │
                                                        │
                                                        │
                                                        │
                                                        │
                                                        │
                                                        │
        ? keys  a accept for me  p accept for this project  e edit  d dismiss  space mark  / search  tab preview  q leave
    "#]],
    );
}

#[test]
fn marks_and_a_search_show_in_the_first_row() {
    check(
        inbox(),
        "  /SEEN",
        (80, 14),
        expect![[r#"
            Inbox · 2 of 4 · 2 marked, 1 not shown · /SEEN
            > [x] release-a-crate                             seen in 4 sessions · new skill
              [ ] run-the-lab                                             seen in 2 sessions


            ── preview · 1-7 of 40 ─────────────────────────────────────────────────────────
            release-a-crate: line 1
            release-a-crate: line 2
            release-a-crate: line 3
            release-a-crate: line 4
            release-a-crate: line 5
            release-a-crate: line 6
            release-a-crate: line 7
            /SEEN   enter keep  esc undo  ↑↓ move
        "#]],
    );
    check(
        inbox(),
        "  /SEEN<enter>",
        (80, 14),
        expect![[r#"
            Inbox · 2 of 4 · 2 marked, 1 not shown · /SEEN
            > [x] release-a-crate                             seen in 4 sessions · new skill
              [ ] run-the-lab                                             seen in 2 sessions


            ── preview · 1-7 of 40 ─────────────────────────────────────────────────────────
            release-a-crate: line 1
            release-a-crate: line 2
            release-a-crate: line 3
            release-a-crate: line 4
            release-a-crate: line 5
            release-a-crate: line 6
            release-a-crate: line 7
            ? keys  a accept for me  p accept for this project  e edit  d dismiss
        "#]],
    );
    check(
        inbox(),
        "/nowhere",
        (40, 10),
        expect![[r#"
        Inbox · 0 of 4 · /nowhere
        Nothing matches.



        ── preview ─────────────────────────────



        /nowhere   enter keep  esc undo  ↑↓ move
    "#]],
    );
}

#[test]
fn the_preview_scrolls_and_says_where_it_is() {
    check(
        sessions(),
        "<tab><pgdn>j",
        (80, 16),
        expect![[r#"
            Sessions · 5
            > Why does the build take so long                          2 h ago · 14 messages
              Fix the parser for CRLF files                           5 h ago · 132 messages
              登录页面的错误信息要翻译成中文                          yesterday · 8 messages
              A title that says so much that it cannot possibly st…  2 days ago · 3 messages
              Evil \u{1b}[2J title\u{d}\u{a}of \u{202e}two lines               \u{7}just now
            ── > preview · 10-17 of 40 ─────────────────────────────────────────────────────
            s1: line 10
            s1: line 11
            s1: line 12
            s1: line 13
            s1: line 14
            s1: line 15
            s1: line 16
            s1: line 17
            ? keys  enter resume  / search  tab list  q leave
        "#]],
    );
}

#[test]
fn all_keys_are_told() {
    check(
        inbox(),
        "?",
        (80, 24),
        expect![[r#"
        Inbox · 4
        a          accept for me
        p          accept for this project
        e          edit
        d          dismiss
        space      mark for an action on many, or not
        *          mark all that are shown, or none
        [-]        this one is decided on its own
        enter      go into the preview
        ↑ ↓, j k   up, down
        pgup pgdn  a page up, down
        home end   to the first, the last
        /          search; enter keeps it, esc undoes it
        tab, → ←   into the preview and back; it scrolls
        ?          these keys
        esc        one step back
        q, ctrl-c  leave






        any key: back
    "#]],
    );
}

#[test]
fn small_screens_show_the_list_or_the_preview() {
    check(
        sessions(),
        "j",
        (40, 10),
        expect![[r#"
        Sessions · 5
          Why does the build take so long
        > Fix the parser for CRLF files
          登录页面的错误信息要翻译成中文
          A title that says so much that it can…
        ── preview · 1-3 of 40 ─────────────────
        s2: line 1
        s2: line 2
        s2: line 3
        ? keys  enter resume  / search
    "#]],
    );
    check(
        inbox(),
        "j",
        (20, 5),
        expect![[r#"
        Inbox · 4
          [ ] release-a-cra…
        > [ ] style.md.patch
          [-] from-the-web
        ? keys
    "#]],
    );
    check(
        inbox(),
        "j<tab>",
        (20, 5),
        expect![[r#"
        Inbox · 4
        ── > preview · 1-2 …
        A rule that you
        ↳ corrected twice:
        ? keys
    "#]],
    );
    check(
        inbox(),
        "jj",
        (8, 2),
        expect![[r#"
          [ ] s…
        > [-] f…
    "#]],
    );
    check(
        inbox(),
        "",
        (1, 1),
        expect![[r#"
        …
    "#]],
    );
    check(inbox(), "", (0, 0), expect![[""]]);
}

#[test]
fn nothing_to_choose_says_so() {
    check(
        Picker::new("Inbox", Vec::new(), &INBOX),
        "a",
        (60, 8),
        expect![[r#"
            Inbox · 0
            Nothing is here.





            nothing to accept for me
        "#]],
    );
}

#[test]
fn without_colour_the_same_is_seen_and_nothing_is_styled() {
    let plain = Cell::EMPTY.style();
    for make in [sessions, inbox] {
        for size in [(80, 24), (120, 30)] {
            let screen = |has_color| {
                let mut picker = make().in_color(has_color);
                press(&mut picker, "j ", size);
                drawn(&mut picker, size)
            };
            let (with, without) = (screen(true), screen(false));
            assert_eq!(rows(&with), rows(&without));
            assert!(with.content.iter().any(|cell| cell.style() != plain));
            assert!(without.content.iter().all(|cell| cell.style() == plain));
        }
    }
    check(
        inbox(),
        "j ",
        (80, 24),
        expect![[r#"
            Inbox · 4 · 1 marked
              [ ] release-a-crate                             seen in 4 sessions · new skill
              [x] style.md.patch                            1 line added, 1 removed · memory
            > [-] from-the-web                            rests on foreign text · quarantine
              [ ] run-the-lab                                             seen in 2 sessions
            ── preview · 1-17 of 40 ────────────────────────────────────────────────────────
            from-the-web: line 1
            from-the-web: line 2
            from-the-web: line 3
            from-the-web: line 4
            from-the-web: line 5
            from-the-web: line 6
            from-the-web: line 7
            from-the-web: line 8
            from-the-web: line 9
            from-the-web: line 10
            from-the-web: line 11
            from-the-web: line 12
            from-the-web: line 13
            from-the-web: line 14
            from-the-web: line 15
            from-the-web: line 16
            from-the-web: line 17
            ? keys  a accept for me  p accept for this project  e edit  d dismiss
        "#]],
    );
}

#[test]
fn a_diff_is_coloured_and_a_list_in_markdown_is_not() {
    let mut picker = inbox().in_color(true);
    press(&mut picker, "j", (80, 40));
    let screen = drawn(&mut picker, (80, 40));
    let shown = rows(&screen);
    for (begin, expected) in [
        ("- tabs", Color::Reset),
        ("-- Indent", Color::Red),
        ("+- Indent", Color::Green),
        ("↳ ", Color::Green),
        ("- after", Color::Reset),
    ] {
        let y = shown.lines().position(|row| row.starts_with(begin));
        let y = u16::try_from(y.expect(begin)).unwrap();
        assert_eq!(screen[(0, y)].fg, expected, "{begin}");
    }
}

#[test]
fn ten_thousand_items_are_drawn_by_the_page_and_searched_in_one_go() {
    let items = (0..10_000).map(|n| item(&format!("id-{n}"), &format!("item {n}"), ""));
    let mut picker = Picker::new("Many", items.collect(), &[RESUME]);
    drawn(&mut picker, (80, 10));
    assert_eq!(picker.list.visible(4).count(), 4);
    press(&mut picker, "<end>", (80, 10));
    let screen = rows(&drawn(&mut picker, (80, 10)));
    assert!(screen.contains("> item 9999"), "{screen}");
    press(&mut picker, "/77 9<enter>", (80, 10));
    check(
        picker,
        "<down>",
        (80, 10),
        expect![[r#"
        Many · 55 of 10000 · /77 9
          item 779
        > item 977
          item 1779
          item 1977
        ── preview · 1-3 of 40 ─────────────────────────────────────────────────────────
        id-977: line 1
        id-977: line 2
        id-977: line 3
        ? keys  enter resume  / search  tab preview  q leave
    "#]],
    );
}
