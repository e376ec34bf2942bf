//! What the user asks for, forbids and corrects, sentence by sentence.
//!
//! A sentence counts if it has a word of wishing in it or begins with a verb as one tells somebody to do
//! something, in English or Chinese. Questions, code in fences and quoted lines do not count, nor does anything that
//! the user did not write. Of a snapshot that an earlier compression left, the constraints count.

mod sentence;
mod words;

use analects_world::model::Content;
use analects_world::provenance::Author;
use sentence::sentences;

const SNAPSHOT: &str = "<state_snapshot>";
const CONSTRAINTS: (&str, &str) = ("<active_constraints>", "</active_constraints>");

/// Shows `found` every sentence of a user's turn that wants something.
pub(super) fn in_turn(turn: &Content, found: &mut dyn FnMut(&str)) {
    for span in turn.authored_texts() {
        let text = span.text.trim_start();
        match span.author {
            Author::User => in_text(&span.text, found),
            Author::System if text.starts_with(SNAPSHOT) => in_text(constraints(text), found),
            _ => {}
        }
    }
}

fn in_text(text: &str, found: &mut dyn FnMut(&str)) {
    sentences(text, &mut |sentence| {
        if !sentence.is_question && words::wants(sentence.text) {
            found(sentence.text);
        }
    });
}

fn constraints(snapshot: &str) -> &str {
    let inside = snapshot.split_once(CONSTRAINTS.0).map(|(_, after)| after);
    let inside = inside.and_then(|after| after.split_once(CONSTRAINTS.1));
    inside.map_or("", |(inside, _)| inside)
}

#[cfg(test)]
mod tests {
    use analects_world::model::Role;

    use super::*;

    fn check(text: &str, wishes: &[&str]) {
        let mut found = Vec::new();
        let turn = Content::text("1", Role::User, text);
        in_turn(&turn, &mut |wish| found.push(wish.to_owned()));
        assert_eq!(found, wishes, "{text}");
    }

    #[test]
    fn wishes_are_found_in_english() {
        check(
            "Hi there. We must keep v1.2 alive! Nice weather. Please use spaces, e.g. two. Should we always ask? \
             Actually that's wrong, take the other one instead.",
            &[
                "We must keep v1.2 alive",
                "Please use spaces, e.g. two",
                "Actually that's wrong, take the other one instead",
            ],
        );
        check(
            "- Fix the parser\n1. then run all tests\n> never quoted\n```\nmust not\n```\nThe mustard is only here",
            &[
                "Fix the parser",
                "then run all tests",
                "The mustard is only here",
            ],
        );
    }

    #[test]
    fn wishes_are_found_in_chinese() {
        check(
            "你好。必须用制表符；别动配置！特别好看。把端口改成8081，谢谢。要不要重试？分别测试",
            &["必须用制表符", "别动配置", "把端口改成8081，谢谢"],
        );
    }

    #[test]
    fn what_programs_say_in_the_name_of_the_user_is_left_out() {
        check("<session_context>\nAlways be kind.", &[]);
        check("<hook_context>Always be kind.</hook_context>", &[]);
        check(
            "<hook_context>Always be kind.</hook_context>\n\nNever push.",
            &["Never push"],
        );
        check(
            "<state_snapshot><overall_goal>Fix it.</overall_goal><active_constraints>\n- Never push.\n</active_constraints></state_snapshot>",
            &["Never push"],
        );
    }
}
