//! Whatever is pressed, at whatever size.

use crossterm::event::KeyEventKind;
use proptest::prelude::*;

use super::*;

#[derive(Debug, Clone)]
enum Happening {
    Key(KeyEvent),
    Paste(String),
    Size(u16, u16),
    Gone,
}

fn any_key() -> impl Strategy<Value = KeyEvent> {
    let code = prop_oneof![
        4 => "[/?*qjkaped x<]".prop_map(|s| KeyCode::Char(s.chars().next().unwrap_or('x'))),
        1 => any::<char>().prop_map(KeyCode::Char),
        6 => prop::sample::select(vec![
            KeyCode::Enter, KeyCode::Esc, KeyCode::Tab, KeyCode::BackTab, KeyCode::Backspace,
            KeyCode::Up, KeyCode::Down, KeyCode::Left, KeyCode::Right, KeyCode::PageUp,
            KeyCode::PageDown, KeyCode::Home, KeyCode::End, KeyCode::Delete, KeyCode::F(1),
        ]),
    ];
    let modifiers = prop_oneof![
        5 => Just(KeyModifiers::NONE),
        1 => any::<u8>().prop_map(KeyModifiers::from_bits_truncate),
    ];
    (code, modifiers, any::<bool>()).prop_map(|(code, modifiers, is_release)| {
        let mut key = KeyEvent::new(code, modifiers);
        if is_release && code == KeyCode::Enter {
            key.kind = KeyEventKind::Release;
        }
        key
    })
}

fn any_happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        12 => any_key().prop_map(Happening::Key),
        1 => ".{0,20}".prop_map(Happening::Paste),
        3 => (0_u16..130, 0_u16..40).prop_map(|(x, y)| Happening::Size(x, y)),
        1 => (0_u16..6, 0_u16..6).prop_map(|(x, y)| Happening::Size(x, y)),
        1 => Just(Happening::Gone),
    ]
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,40}",
        any::<String>(),
        "[\u{300}\u{200d}\u{fe0f}\u{1f468}文\u{1b}\t\n a]{0,30}",
    ]
}

fn any_item() -> impl Strategy<Value = Item> {
    let texts = (
        any_text(),
        any_text(),
        prop::collection::vec(any_text(), 0..3),
    );
    (0_u8..20, texts, any::<bool>()).prop_map(|(id, (title, note, tags), is_bulk)| Item {
        id: format!("id{id}"),
        title,
        note,
        tags,
        is_bulk,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn nothing_panics_and_the_selection_is_always_one_of_the_shown(
        items in prop::collection::vec(any_item(), 0..30),
        text in any_text(),
        is_inbox in any::<bool>(),
        happenings in prop::collection::vec(any_happening(), 0..40),
    ) {
        let ids: Vec<_> = items.iter().map(|item| item.id.clone()).collect();
        let actions = if is_inbox { &INBOX[..] } else { &[RESUME] };
        let mut picker = Picker::new(&text, items, actions).in_color(is_inbox);
        let mut size = (80, 24);
        for happening in happenings {
            match happening {
                Happening::Size(columns, rows) => size = (columns, rows),
                Happening::Paste(text) => picker.paste(&text),
                Happening::Gone => {
                    let ids = picker.list.chosen();
                    picker.heed(Outcome::Gone { ids, said: text.clone() });
                }
                Happening::Key(key) => if let Step::Do { action, items } = picker.key(key) {
                    prop_assert!(!items.is_empty());
                    prop_assert!(items.len() == 1 || action.takes == Takes::Many);
                    prop_assert!(items.iter().all(|id| ids.contains(id)));
                },
            }
            if let Some(id) = picker.wants_preview().map(str::to_owned) {
                picker.give_preview(id, &text);
            }
            let screen = drawn(&mut picker, size);
            let drives = |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            prop_assert!(screen.content.iter().all(|cell| !cell.symbol().contains(drives)));
            let list = &picker.list;
            prop_assert_eq!(list.selected().is_some(), list.n_shown() > 0);
            prop_assert!(list.n_marked_unseen() <= list.n_marked());
            prop_assert!(list.n_shown() <= list.n_all());
        }
    }

    #[test]
    fn a_folded_text_loses_nothing_and_keeps_its_width(
        line in "[ a-z文é\u{300}ﾞ]{0,80}",
        columns in 5_u16..40,
    ) {
        let mut sheet = Sheet::new(&line);
        let rows = sheet.visible(columns, usize::MAX);
        let mut joined = String::new();
        for (n, (_, row)) in rows.iter().enumerate() {
            prop_assert!(text::width(row) <= columns, "{row:?}");
            let row = if n == 0 { row } else { row.strip_prefix("↳ ").unwrap_or(row) };
            joined.push_str(row);
        }
        // A letter under more marks than a row has columns is the one thing that cannot be shown.
        if !joined.contains('\u{fffd}') {
            prop_assert_eq!(joined, line);
        }
    }

    #[test]
    fn a_cut_text_fits(text in any_text(), columns in 0_u16..30) {
        let safe = text::one_line(&text);
        let cut = text::cut(&safe, columns);
        prop_assert!(text::width(&cut) <= columns);
        prop_assert_eq!(cut == safe, text::width(&safe) <= columns);
    }
}
