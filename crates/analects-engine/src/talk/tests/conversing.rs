//! A conversation: prompt after prompt, a person who is asked, and a record that is changed under it.

use analects_world::ask::Answer;

use super::*;
use crate::prompt::Audience;
use crate::talk::conversation::Taker;

impl Stage {
    pub(super) fn with_a_person(mut self) -> Self {
        self.wish.audience = Audience::Present;
        self
    }

    fn converse<T>(
        &self,
        tell: &mut dyn FnMut(Tell<'_>),
        hold: impl FnOnce(&mut Conversation<'_, '_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let around = surroundings("/w/app", "/h", &self.vars);
        let world = self.desk.world(&around);
        let hands = Hands {
            shell: &self.shell,
            servers: &self.servers,
        };
        let cancel = Cancel::new();
        converse(&world, hands, &self.flags, &self.wish, &cancel, tell, hold)
    }

    pub(super) fn words(&self, hold: impl FnOnce(&mut Conversation<'_, '_>)) {
        let hold = |talk: &mut Conversation<'_, '_>| {
            hold(talk);
            Ok(())
        };
        self.converse(&mut |_| {}, hold).unwrap();
    }
}

pub(super) fn say(talk: &mut Conversation<'_, '_>, text: &str) -> String {
    let said = Said {
        text,
        piped_bytes: 0,
    };
    let ended = talk.say(said, &Cancel::new()).unwrap();
    assert!(matches!(ended.how, How::Answered), "{:?}", ended.how);
    ended.response
}

pub(super) fn text(words: &str) -> Vec<Event> {
    vec![say::text(words)]
}

#[test]
fn what_was_said_before_is_said_again_and_recorded_once() {
    let stage = Stage::new("")
        .with_a_person()
        .answers([text("Seven."), text("One.")]);
    stage.words(|talk| {
        assert!(!talk.standing().is_recorded);
        assert_eq!(say(talk, "How many ducks?"), "Seven.");
        assert_eq!(say(talk, "And herons?"), "One.");
        let standing = talk.standing();
        assert!(standing.is_recorded && standing.used_tokens > 0 && standing.memory_tokens > 0);
        assert_eq!(
            talk.stats().models["gemini-2.5-flash"].api.total_requests,
            2
        );
    });
    stage.check(
        1,
        expect![[r#"
            [model] Seven.
            [user] And herons?
        "#]],
    );
}

#[test]
fn a_person_sees_what_would_be_written_and_it_is_written_as_they_saw_it() {
    let write = || {
        call(
            "write_file",
            json!({ "file_path": "new.txt", "content": "one\n" }),
        )
    };
    let cases = [
        (Answer::Yes, Some("one\n")),
        (Answer::No, None),
        (Answer::Nobody, None),
    ];
    for (answer, expected) in cases {
        let stage = Stage::new("")
            .with_a_person()
            .answers([write(), text("Done.")]);
        stage.desk.person.will_say(answer);
        stage.words(|talk| drop(say(talk, "Write it.")));
        assert_eq!(
            stage.desk.text("/w/app/new.txt").as_deref(),
            expected,
            "{answer:?}"
        );
        let asked = stage.desk.person.asked();
        assert!(
            asked[0].starts_with("Write new.txt\n") && asked[0].contains("+one"),
            "{asked:?}"
        );
    }
}

#[test]
fn in_auto_edit_a_person_is_asked_about_control_files_and_reads_why() {
    let write = |path: &str| call("write_file", json!({ "file_path": path, "content": "x\n" }));
    let paths = ["plain.txt", ".mcp.json", ".claude/a.md"];
    let answers = paths.map(write).into_iter().chain([text("Done.")]);
    let mut stage = Stage::new("").with_a_person().answers(answers);
    stage.wish.mode = Some("auto-edit".to_owned());
    // Agreeing to one for good says nothing of the next.
    stage.desk.person.will_say(Answer::Always);
    stage.desk.person.will_say(Answer::No);
    stage.words(|talk| drop(say(talk, "Write them.")));
    let is_written = |path| stage.desk.text(&format!("/w/app/{path}")).is_some();
    assert_eq!(paths.map(is_written), [true, true, false]);
    let asked = stage.desk.person.asked();
    assert_eq!(asked.len(), 2, "{asked:?}");
    let reason = "\n! This file configures a coding agent";
    assert!(asked.iter().all(|it| it.contains(reason)), "{asked:?}");
}

#[test]
fn a_person_is_asked_again_if_the_file_changes_while_they_think() {
    let stage = Stage::new("").with_a_person().answers([
        call("read_file", json!({ "file_path": "notes.txt" })),
        call(
            "replace",
            json!({ "file_path": "notes.txt", "old_string": "miller", "new_string": "baker" }),
        ),
        text("Done."),
    ]);
    let desk = Arc::clone(&stage.desk);
    stage.desk.person.will_say_while(Answer::Yes, move || {
        desk.edit("/w/app/notes.txt", "Ask the miller.\nOr the smith.\n");
    });
    stage.desk.person.will_say(Answer::Yes);
    stage.words(|talk| drop(say(talk, "Ask the baker.")));
    let asked = stage.desk.person.asked();
    assert_eq!(asked.len(), 2);
    assert!(
        asked[1].contains("(anew)") && asked[1].contains("Or the smith."),
        "{asked:?}"
    );
    assert_eq!(
        stage.desk.text("/w/app/notes.txt").as_deref(),
        Some("Ask the baker.\nOr the smith.\n")
    );
}

#[test]
fn a_person_changes_the_text_first_and_the_model_is_told() {
    let stage = Stage::new("").with_a_person().answers([
        call(
            "write_file",
            json!({ "file_path": "new.txt", "content": "one\n" }),
        ),
        text("Done."),
    ]);
    stage.desk.person.will_say(Answer::Edit);
    stage.desk.person.will_edit("two\n");
    stage.desk.person.will_say(Answer::Yes);
    stage.words(|talk| drop(say(talk, "Write it.")));
    assert_eq!(stage.desk.text("/w/app/new.txt").as_deref(), Some("two\n"));
    let told = shown(&stage.desk.models.asked()[1].history);
    assert!(
        told.contains("The user changed the text before it was written"),
        "{told}"
    );
}

#[test]
fn always_holds_for_a_file_and_for_the_programs_of_a_command() {
    let run = |command: &str| call("run_shell_command", json!({ "command": command }));
    let stage = Stage::new("").with_a_person().answers([
        run("ls -la"),
        run("ls src"),
        run("ls > out"),
        run("ls; rm -r src"),
        text("Done."),
    ]);
    stage.desk.person.will_say(Answer::Always);
    stage.desk.person.will_say(Answer::No);
    stage.desk.person.will_say(Answer::No);
    stage.words(|talk| drop(say(talk, "Look.")));
    let asked = stage.desk.person.asked();
    let commands: Vec<_> = asked
        .iter()
        .map(|asked| asked.lines().last().unwrap())
        .collect();
    assert_eq!(commands, ["ls -la", "ls > out", "ls; rm -r src"]);
    assert_eq!(stage.shell.lines(), ["ls -la", "ls src"]);
}

#[test]
fn the_last_prompts_are_taken_back_and_the_talk_goes_on_without_them() {
    let stage =
        Stage::new("")
            .with_a_person()
            .answers([text("Seven."), text("One."), text("None.")]);
    stage.words(|talk| {
        say(talk, "How many ducks?");
        say(talk, "And herons?");
        let answer = talk.rewind(1).unwrap();
        assert_eq!(answer.prompts, ["And herons?"]);
        assert!(talk.rewind(5).is_err());
        say(talk, "And swans?");
    });
    let last = shown(&stage.desk.models.asked()[2].history);
    assert!(
        !last.contains("herons?") && last.contains("And swans?"),
        "{last}"
    );
    assert!(
        last.contains("How many ducks?") && last.contains("Seven."),
        "{last}"
    );
}

#[test]
fn who_changes_memory_elsewhere_is_heard_and_said() {
    let stage = Stage::new("")
        .with_a_person()
        .answers([text("Yes."), text("Yes."), text("Yes.")]);
    let mut notices = Vec::new();
    let mut tell = |told: Tell<'_>| {
        if let Tell::Notice(problem) = told {
            notices.push(problem.message.clone());
        }
    };
    let held = stage.converse(&mut tell, |talk| {
        say(talk, "One?");
        say(talk, "Two?");
        stage
            .desk
            .edit("/w/app/GEMINI.md", "Write long sentences.\n");
        say(talk, "Three?");
        Ok(())
    });
    held.unwrap();
    assert_eq!(notices, ["memory has changed: /w/app/GEMINI.md"]);
    assert!(stage.systems()[2].contains("Write long sentences."));
}

#[test]
fn the_window_is_shown_part_by_part() {
    let stage = Stage::new("").with_a_person().answers([text("Seven.")]);
    stage.words(|talk| {
        say(talk, "How many ducks?");
        let window = talk.window().unwrap();
        let tokens = |by: Taker| window.parts.iter().find(|it| it.by == by).unwrap().tokens;
        assert!(tokens(Taker::Tools) > 100 && tokens(Taker::Instructions) > 100);
        assert!(tokens(Taker::Memory(analects_memory::layer::Layer::Global)) > 0);
        assert!(tokens(Taker::History) > 0);
        let all: usize = window.parts.iter().map(|it| it.tokens).sum();
        assert_eq!(all + window.free_tokens(), window.window_tokens);
    });
}

#[test]
fn a_long_conversation_keeps_what_was_planted_through_compressions_resumes_and_a_rewind() {
    let facts = [
        "Never push to the branch `release-7`.",
        "Always run `make check-ponds` before a commit.",
        "The port of the mill is 4711.",
    ];
    let n_prompts = 90;
    let mut answers = Vec::new();
    for n in 0..n_prompts + 20 {
        let parts: String = (0..40)
            .map(|k| format!("Part {k} of step {n} took {} minutes. ", n * 7 + k))
            .collect();
        answers.push(text(&format!("Step {n} is done. {parts}")));
    }
    let mut stage = Stage::new("").with_a_person().answers(answers);
    stage.flags.trust = true;
    let session = stage.wish.new_session.clone();
    let mut n = 0;
    let mut compressed = 0;
    for (part, fact) in facts.into_iter().enumerate() {
        if part > 0 {
            stage.wish.resume = Some(session.clone());
        }
        stage.words(|talk| {
            say(talk, fact);
            for _ in 0..n_prompts / 3 {
                n += 1;
                say(talk, &format!("Now do step {n} of the plan."));
            }
            say(talk, "This was a mistake: forget the zebra.");
            if part == 1 {
                assert_eq!(talk.rewind(1).unwrap().prompts.len(), 1);
            }
            let answer = talk.compress(None, &Cancel::new()).unwrap();
            assert_eq!(answer.status, "COMPRESSED", "{:?}", answer.problems);
            compressed += 1;
        });
    }
    assert_eq!(compressed, 3);
    stage.wish.resume = Some(session);
    stage.words(|talk| drop(say(talk, "Where were we?")));
    let asked = stage.desk.models.asked();
    let last = asked.last().unwrap();
    assert_eq!(analects_chat::faults::faults(&last.history), Vec::new());
    let all = shown(&last.history);
    for fact in facts {
        assert!(
            all.contains(fact.trim_end_matches('.')),
            "{fact} is lost in {all}"
        );
    }
}

#[test]
fn who_cancels_a_compression_keeps_everything_as_it_was() {
    let stage = Stage::new("").with_a_person().answers([
        text("Seven."),
        text("A summary."),
        text("Eight."),
    ]);
    stage.words(|talk| {
        say(talk, "How many ducks?");
        let cancel = Cancel::new();
        cancel.cancel();
        assert!(talk.compress(None, &cancel).is_err());
        say(talk, "And now?");
    });
    let last = shown(&stage.desk.models.asked().pop().unwrap().history);
    assert!(last.contains("[model] Seven."), "{last}");
}
