//! One value changes, and nothing else does.

use super::*;

fn path<'a>(text: &'a str) -> Vec<Step<'a>> {
    let step = |name: &'a str| match name.parse() {
        Ok(index) => Step::At(index),
        Err(_) => Step::Key(name),
    };
    text.split('.').map(step).collect()
}

fn text(text: &str) -> Json {
    Json::Text(text.to_owned())
}

fn server() -> Json {
    let args = Json::List(vec![text("mcp")]);
    Json::Object(vec![
        ("command".to_owned(), text("/bin/a")),
        ("args".to_owned(), args),
    ])
}

fn group() -> Json {
    let handler = Json::Object(vec![("command".to_owned(), text("a hook"))]);
    Json::Object(vec![
        ("matcher".to_owned(), text("x")),
        ("hooks".to_owned(), Json::List(vec![handler])),
    ])
}

fn check_set(before: &str, at: &str, value: &Json, after: &str) {
    let mut draft = Draft::new(before).unwrap();
    draft.set(&path(at), value).unwrap();
    assert_eq!(draft.clone().into_text(), after);
    draft.root().unwrap();
}

fn check_remove(before: &str, at: &str, after: &str) {
    let mut draft = Draft::new(before).unwrap();
    draft.remove(&path(at)).unwrap();
    assert_eq!(draft.into_text(), after);
}

const SECTION: &str = "[m.a]\ncommand = \"/bin/a\"\nargs = [\"mcp\"]\n";

#[test]
fn a_new_table_is_appended() {
    check_set("", "m.a", &server(), SECTION);
    check_set("x = 1", "m.a", &server(), &format!("x = 1\n\n{SECTION}"));
    let crlf = SECTION.replace('\n', "\r\n");
    check_set(
        "# c\r\nx = 1\r\n",
        "m.a",
        &server(),
        &format!("# c\r\nx = 1\r\n\r\n{crlf}"),
    );
    check_set(
        "[m.b]\nx = 1\n\n",
        "m.a",
        &server(),
        &format!("[m.b]\nx = 1\n\n{SECTION}"),
    );
    check_set(
        "m.b.x = 1\n",
        "m.a",
        &server(),
        &format!("m.b.x = 1\n\n{SECTION}"),
    );
}

#[test]
fn between_braces_it_stays_there() {
    let new = "a = { command = \"/bin/a\", args = [\"mcp\"] }";
    check_set(
        "m = {} # c\n",
        "m.a",
        &server(),
        &format!("m = {{ {new} }} # c\n"),
    );
    let before = "m = { b = { x = 1 } }\n";
    let after = format!("m = {{ b = {{ x = 1 }}, {new} }}\n");
    check_set(before, "m.a", &server(), &after);
    check_remove(&after, "m.a", before);
}

#[test]
fn a_value_is_replaced_where_it_stands() {
    check_set(
        "[m.a] # ours\n  command = '/old' # c\n  x = 1\n",
        "m.a.command",
        &text("/new"),
        "[m.a] # ours\n  command = \"/new\" # c\n  x = 1\n",
    );
    check_set(
        "m.a.command = '/old'\n",
        "m.a.command",
        &text("n"),
        "m.a.command = \"n\"\n",
    );
    check_set(
        "  [m.a]\n  x = 1",
        "m.a.command",
        &text("n"),
        "  [m.a]\n  command = \"n\"\n  x = 1",
    );
}

#[test]
fn a_table_goes_with_all_that_is_said_of_it() {
    let text = "x = 1\n\n# about a\n[m.a]\ncommand = \"c\"\n\n[m.a.env]\nK = \"v\"\n\n[m.b]\ny = 2\n[m.a.tools.t]\nz = 3\n";
    check_remove(text, "m.a", "x = 1\n\n# about a\n\n[m.b]\ny = 2\n");
    check_remove("[m]\na.x = 1\nb.x = 2\na.y = 3\n", "m.a", "[m]\nb.x = 2\n");
    check_remove("[m]\na = 1\n", "m.none", "[m]\na = 1\n");
}

#[test]
fn elements_are_added_and_removed() {
    let mut draft = Draft::new("[[h.E]]\n[[h.E.hooks]]\ncommand = \"b\"\n").unwrap();
    draft.push(&path("h.E"), &group()).unwrap();
    draft.push(&path("h.F"), &group()).unwrap();
    let ours = "[[h.E]]\nmatcher = \"x\"\n[[h.E.hooks]]\ncommand = \"a hook\"\n";
    let both = format!(
        "[[h.E]]\n[[h.E.hooks]]\ncommand = \"b\"\n\n{ours}\n{}",
        ours.replace("h.E", "h.F")
    );
    assert_eq!(draft.clone().into_text(), both);
    draft.remove(&path("h.E.1")).unwrap();
    draft.remove(&path("h.F.0")).unwrap();
    assert_eq!(
        draft.into_text(),
        "[[h.E]]\n[[h.E.hooks]]\ncommand = \"b\"\n"
    );
    let inline = "[h]\nE = [\n  { hooks = [] }, # theirs\n]\n";
    let mut draft = Draft::new(inline).unwrap();
    draft.push(&path("h.E"), &group()).unwrap();
    assert_eq!(
        draft.clone().into_text(),
        "[h]\nE = [\n  { hooks = [] }, # theirs\n  { matcher = \"x\", hooks = [{ command = \"a hook\" }] },\n]\n"
    );
    draft.remove(&path("h.E.1")).unwrap();
    assert_eq!(draft.into_text(), inline);
}

#[test]
fn what_cannot_be_extended_is_refused() {
    for (before, at) in [
        ("m = 1\n", "m.a"),
        ("[[m]]\nx = 1\n", "m.a"),
        ("m = { a.x = 1 }\n", "m.b"),
        ("m = [1]\n", "m.a"),
    ] {
        let mut draft = Draft::new(before).unwrap();
        assert!(draft.set(&path(at), &server()).is_err(), "{before}");
        assert_eq!(draft.into_text(), before);
    }
    let mut draft = Draft::new("m = 1\n").unwrap();
    assert!(draft.push(&path("m"), &group()).is_err());
}

#[test]
fn what_is_no_toml_says_where() {
    let bad = Draft::new("x = 1\n[m\ny = 2\n").unwrap_err();
    assert_eq!(bad.line, Some(2));
    assert!(
        bad.message.starts_with("not valid TOML: "),
        "{}",
        bad.message
    );
    let bad = Draft::new("x = 1\nx = 2\n").unwrap_err();
    assert_eq!(bad.line, Some(2));
}
