//! Every sentence of the routing table, carried out by a model that knows its place.
//!
//! What a model chooses is its own business; that the agent can reach every place it should choose, in one run, with
//! one consent, is ours.

use super::*;

const TABLE: &str = include_str!("../../../../../analects-memory/src/route/sentences.txt");

/// A sentence, and where it belongs.
struct Row<'t> {
    place: &'t str,
    sentence: &'t str,
}

fn rows() -> (Vec<&'static str>, Vec<Row<'static>>) {
    let lines = TABLE
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (mut files, mut rows) = (Vec::new(), Vec::new());
    for line in lines {
        if let Some(file) = line.strip_prefix("file: ") {
            files.push(file);
        } else if !line.starts_with("name: ") {
            let (place, sentence) = line.split_once(char::is_whitespace).unwrap();
            let sentence = sentence.trim();
            rows.push(Row { place, sentence });
        }
    }
    (files, rows)
}

#[test]
fn every_sentence_of_the_table_gets_where_it_belongs() {
    let (files, rows) = rows();
    assert!(rows.len() >= 60);
    let mut n_asked = 0;
    for Row { place, sentence } in rows {
        let (place, is_open) = match place.strip_prefix("ask:") {
            Some(place) => (place, true),
            None => (place, false),
        };
        let path = match place {
            "global" => GLOBAL.to_owned(),
            "project" => ROOT.to_owned(),
            // Private notes are not the agent's: what is about this project goes to its root.
            "private" => ROOT.to_owned(),
            dir => format!("/w/app/{}/GEMINI.md", dir.strip_prefix("dir:").unwrap()),
        };
        let is_dir = place.starts_with("dir:");
        let mut script = vec![remember(sentence)];
        if is_open {
            n_asked += 1;
            let question = json!({ "questions": [{ "question": "Where does this hold?" }] });
            script.push(call("ask_user", question));
        }
        let entry = format!("- {sentence}");
        let mut edits = Vec::new();
        match is_dir {
            true => {
                let args = json!({ "file_path": path, "content": format!("{entry}\n") });
                edits.push(say::call("e1", "write_file", args));
                let reference = format!("Write short sentences.\n- See {path}");
                edits.extend(edit("e2", ROOT, "Write short sentences.", &reference));
            }
            false => {
                let old = match path == GLOBAL {
                    true => "The user likes tea.",
                    false => "Write short sentences.",
                };
                edits.extend(edit("e1", &path, old, &format!("{old}\n{entry}")));
            }
        }
        script.push(edits);
        script.push(done("Filed."));
        script.push(vec![say::text("Noted.")]);
        let mut stage = stage("Remember it.").answers(script);
        stage.wish.audience = Audience::Present;
        for file in &files {
            stage.desk.edit(&format!("/w/app/{file}"), "x\n");
        }
        stage
            .desk
            .person
            .will_reply(Reply::Said("There.".to_owned()));
        stage.desk.person.will_say(Answer::Yes);
        stage.talk();
        let text = stage.desk.text(&path);
        assert!(
            text.is_some_and(|text| text.contains(&entry)),
            "{place}: {sentence}"
        );
        let root = stage.desk.text(ROOT).unwrap();
        assert_eq!(
            root.contains(&format!("- See {path}")),
            is_dir,
            "{sentence}"
        );
    }
    assert!(n_asked > 0);
}

fn edit(id: &str, path: &str, old: &str, new: &str) -> Vec<Event> {
    let args = json!({ "file_path": path, "old_string": old, "new_string": new });
    vec![say::call(id, "replace", args)]
}
