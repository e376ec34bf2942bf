//! What keys come to: scripts, and the step of the last key.

use super::*;

const SIZE: (u16, u16) = (80, 24);

fn done(action: Action, items: &[&str]) -> Step {
    Step::Do {
        action,
        items: items.iter().map(|id| (*id).to_owned()).collect(),
    }
}

fn check(make: fn() -> Picker, cases: &[(&str, Step)]) {
    for (script, expected) in cases {
        let mut picker = make();
        drawn(&mut picker, SIZE);
        assert_eq!(&press(&mut picker, script, SIZE), expected, "{script:?}");
    }
}

#[test]
fn a_session_is_chosen_with_enter() {
    let resumed = |id| done(RESUME, &[id]);
    check(
        sessions,
        &[
            ("<enter>", resumed("s1")),
            ("j<enter>", resumed("s2")),
            ("<down><down><up><enter>", resumed("s2")),
            ("<ctrl-n><ctrl-n><ctrl-p><enter>", resumed("s2")),
            ("k<enter>", resumed("s1")),
            ("<end><enter>", resumed("s5")),
            ("<end>j<enter>", resumed("s5")),
            ("<end><home><enter>", resumed("s1")),
            ("<pgdn><enter>", resumed("s5")),
            ("<pgdn><pgup><enter>", resumed("s1")),
            // In the preview, arrows scroll and the choice stays.
            ("j<tab>jj<pgdn><enter>", resumed("s2")),
            ("j<right>jj<left>j<enter>", resumed("s3")),
        ],
    );
}

#[test]
fn a_search_is_begun_kept_and_undone() {
    let resumed = |id| done(RESUME, &[id]);
    check(
        sessions,
        &[
            ("/crlf<enter><enter>", resumed("s2")),
            ("/PARSER fix<enter><enter>", resumed("s2")),
            ("/中文<enter><enter>", resumed("s3")),
            ("/132 mess<enter><enter>", resumed("s2")),
            ("/s4<enter><enter>", resumed("s4")),
            ("/nothing<enter><enter>", Step::Stay),
            // Letters that mean something elsewhere are only letters here.
            ("/jkq?", Step::Stay),
            ("/messages<down><enter><enter>", resumed("s2")),
            // What is selected stays so when the search is undone.
            ("/crlf<esc><enter>", resumed("s2")),
            ("/crlf<enter><esc><enter>", resumed("s2")),
            ("/crlfx<back><enter><enter>", resumed("s2")),
            ("/crlf nope<ctrl-w><enter><enter>", resumed("s2")),
            ("/nope<ctrl-u><enter><enter>", resumed("s1")),
            ("/<back><enter>", resumed("s1")),
        ],
    );
}

#[test]
fn esc_goes_one_step_back_and_q_leaves_at_once() {
    check(
        sessions,
        &[
            ("q", Step::Leave),
            ("<esc>", Step::Leave),
            ("<ctrl-c>", Step::Leave),
            ("/a<ctrl-c>", Step::Leave),
            ("?<ctrl-c>", Step::Leave),
            ("/a<esc>", Step::Stay),
            ("/a<esc><esc>", Step::Leave),
            ("/a<enter><esc>", Step::Stay),
            ("/a<enter><esc><esc>", Step::Leave),
            ("/a<enter>q", Step::Leave),
            ("<tab><esc>", Step::Stay),
            ("<tab><esc><esc>", Step::Leave),
            ("?<esc>", Step::Stay),
            ("?q", Step::Stay),
            ("?qq", Step::Leave),
            // Not a letter, with a key that makes it something else.
            ("<ctrl-q>", Step::Stay),
        ],
    );
}

#[test]
fn an_action_takes_what_is_marked_or_else_what_is_selected() {
    check(
        inbox,
        &[
            ("a", done(ACCEPT, &["release-a-crate"])),
            ("jp", done(ACCEPT_HERE, &["style.md.patch"])),
            ("jjd", done(DISMISS, &["from-the-web"])),
            ("  a", done(ACCEPT, &["release-a-crate", "style.md.patch"])),
            (" k a", done(ACCEPT, &["style.md.patch"])),
            // What takes one takes what is selected, whatever is marked.
            (" e", done(EDIT, &["style.md.patch"])),
            // One that is decided on its own cannot be marked, alone or with all.
            ("jj ", Step::Stay),
            ("jj d", done(DISMISS, &["from-the-web"])),
            (
                "*a",
                done(
                    ACCEPT,
                    &["release-a-crate", "style.md.patch", "run-the-lab"],
                ),
            ),
            ("**a", done(ACCEPT, &["release-a-crate"])),
            // Marks outlive the search that found them.
            ("/lab<enter> <esc><home>a", done(ACCEPT, &["run-the-lab"])),
            // Enter does nothing here but look closer.
            ("<enter>", Step::Stay),
            ("<enter><tab>ja", done(ACCEPT, &["style.md.patch"])),
            ("<ctrl-a>", Step::Stay),
            ("/nothing<enter>a", Step::Stay),
        ],
    );
}

#[test]
fn pasted_text_is_looked_for_and_never_acts() {
    let mut picker = inbox();
    picker.paste("dadada");
    assert_eq!(picker.list.query(), "");
    press(&mut picker, "/", SIZE);
    picker.paste("the\nlab\u{1b}");
    assert_eq!(picker.list.query(), "the lab ");
    picker.paste(&"x".repeat(100_000));
    assert_eq!(picker.list.query().len(), 200);
}

#[test]
fn what_is_gone_leaves_the_selection_where_it_was() {
    let mut picker = inbox();
    press(&mut picker, "j   ", SIZE);
    let gone = |ids: &[&str]| Outcome::Gone {
        ids: ids.iter().map(|id| (*id).to_owned()).collect(),
        said: "accepted\n\u{1b}[2J".to_owned(),
    };
    assert!(picker.heed(gone(&["style.md.patch"])));
    assert_eq!(picker.said, r"accepted\u{a}\u{1b}[2J");
    assert_eq!(press(&mut picker, "", SIZE), Step::Stay);
    assert_eq!(press(&mut picker, "e", SIZE), done(EDIT, &["run-the-lab"]));
    assert!(picker.said.is_empty());

    // An action that failed leaves the marks, to be tried again.
    press(&mut picker, "<home> ", SIZE);
    assert!(picker.heed(gone(&[])));
    assert_eq!(
        press(&mut picker, "a", SIZE),
        done(ACCEPT, &["release-a-crate"])
    );
    assert!(picker.heed(gone(&["release-a-crate", "from-the-web", "run-the-lab"])));
    assert_eq!(press(&mut picker, "a", SIZE), Step::Stay);
    assert_eq!(picker.said, "nothing to accept for me");

    let items = proposals();
    let said = String::new();
    assert!(picker.heed(Outcome::Renewed { items, said }));
    assert_eq!(
        press(&mut picker, "a", SIZE),
        done(ACCEPT, &["release-a-crate"])
    );
    assert!(!picker.heed(Outcome::Leave));
}
