//! One value changes, and nothing else does.

use super::*;

fn check(text: &str, path: &[&str], value: Option<&str>, expected: &str) {
    assert_eq!(set(text, path, value).unwrap(), expected);
}

#[test]
fn a_new_file_looks_like_the_original_writes_it() {
    check("", &["/a"], Some("X"), "{\n  \"/a\": \"X\"\n}");
    check("{}", &["/a"], Some("X"), "{\n  \"/a\": \"X\"\n}");
    check(
        "{\n  \"/a\": \"X\"\n}",
        &["/b"],
        Some("Y"),
        "{\n  \"/a\": \"X\",\n  \"/b\": \"Y\"\n}",
    );
    check(
        "{\n  \"projects\": {}\n}",
        &["projects", "/a"],
        Some("a"),
        "{\n  \"projects\": {\n    \"/a\": \"a\"\n  }\n}",
    );
}

#[test]
fn comments_order_and_layout_stay() {
    let text = "{\n\t// mine\n\t\"/a\": \"X\", // why\n\t\"/b\": \"Y\"\n}\n";
    check(
        text,
        &["/a"],
        Some("Z"),
        "{\n\t// mine\n\t\"/a\": \"Z\", // why\n\t\"/b\": \"Y\"\n}\n",
    );
    check(
        text,
        &["/b"],
        None,
        "{\n\t// mine\n\t\"/a\": \"X\" // why\n}\n",
    );
    check(text, &["/none"], None, text);
}

#[test]
fn what_is_no_object_is_not_touched() {
    for text in ["[]", "{\"a\"", "3"] {
        assert!(set(text, &["a"], Some("b")).is_err());
    }
}

#[test]
fn odd_names_are_escaped() {
    check(
        "",
        &["/q\"\\\n文"],
        Some("X"),
        "{\n  \"/q\\\"\\\\\\n文\": \"X\"\n}",
    );
}

fn path<'a>(text: &'a str) -> Vec<Step<'a>> {
    let step = |name: &'a str| match name.parse() {
        Ok(index) => Step::At(index),
        Err(_) => Step::Key(name),
    };
    text.split('.').map(step).collect()
}

/// Adds an element, and takes it away again.
fn check_push(before: &str, list: &str, after: &str) {
    let value = Json::Object(vec![("n".to_owned(), Json::Number(1))]);
    let mut draft = Draft::new(before).unwrap();
    draft.push(&path(list), &value).unwrap();
    assert_eq!(draft.clone().into_text(), after);
    let root = draft.root().unwrap();
    let n_elements = root.get(list).and_then(|item| item.list()).unwrap().len();
    let last = format!("{list}.{}", n_elements - 1);
    draft.remove(&path(&last)).unwrap();
    assert_eq!(draft.into_text(), before);
}

#[test]
fn an_element_is_added_in_the_manner_of_the_last() {
    check_push(
        "{\n  \"l\": [\n    1, // one\n    2 // two\n  ]\n}",
        "l",
        "{\n  \"l\": [\n    1, // one\n    2, // two\n    {\n      \"n\": 1\n    }\n  ]\n}",
    );
    check_push(
        "{\r\n\t\"l\": [\r\n\t\t2, /* two */\r\n\t],\r\n}\r\n",
        "l",
        "{\r\n\t\"l\": [\r\n\t\t2, /* two */\r\n\t\t{\r\n\t\t\t\"n\": 1\r\n\t\t},\r\n\t],\r\n}\r\n",
    );
    check_push("{\"l\": [1]}", "l", "{\"l\": [1, {\"n\": 1}]}");
    check_push("{\"l\": [1,]}", "l", "{\"l\": [1, {\"n\": 1},]}");
    check_push("{\"l\": []}", "l", "{\"l\": [\n  {\n    \"n\": 1\n  }\n]}");
    check_push(
        "{\n    \"l\": [ // none yet\n    ]\n}",
        "l",
        "{\n    \"l\": [ // none yet\n        {\n            \"n\": 1\n        }\n    ]\n}",
    );
    check_push(
        "\u{FEFF}{\n  \"l\": [\n    2 ]}",
        "l",
        "\u{FEFF}{\n  \"l\": [\n    2,\n    {\n      \"n\": 1\n    } ]}",
    );
}

#[test]
fn comments_are_never_taken_away() {
    for (before, gone, after) in [
        ("{\"a\": 1 /* a */, \"b\": 2}", "a", "{/* a */ \"b\": 2}"),
        (
            "{\n  \"a\": 1, // a\n  \"b\": 2 // b\n}",
            "b",
            "{\n  \"a\": 1 // a\n   // b\n}",
        ),
        (
            "{\n  \"a\": 1 // a\n  , /* x */ \"b\": 2\n}",
            "b",
            "{\n  \"a\": 1 // a\n   /* x */ \n}",
        ),
        ("{ /* x */ \"a\": 1 }", "a", "{ /* x */  }"),
        ("{\n  // x\n  \"a\": 1\n}", "a", "{\n  // x\n}"),
    ] {
        check(before, &[gone], None, after);
    }
}

#[test]
fn comments_alone_are_a_file_to_begin_with() {
    check(
        "// mine\n",
        &["a"],
        Some("X"),
        "// mine\n{\n  \"a\": \"X\"\n}\n",
    );
    check(
        "// mine",
        &["a"],
        Some("X"),
        "// mine\n{\n  \"a\": \"X\"\n}\n",
    );
}

#[test]
fn a_name_that_stands_twice_is_not_chosen_between() {
    let bad = set("{\"a\": {}, \"a\": {}}", &["a", "b"], Some("X")).unwrap_err();
    assert_eq!(bad.message, "`a` stands twice");
    assert!(set("{\"a\": [1]}", &["a", "b"], Some("X")).is_err());
}
