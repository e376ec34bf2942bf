//! What a model is asked when it may write a snapshot.

use analects_world::model::{Content, Role};

use super::snapshot::{self, harmless};

/// What a model is asked: the history before the cut, and this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// What the model is told to be.
    pub system: String,
    /// What stands after the history, as the user's turn.
    pub text: String,
}

const SYSTEM: &str = include_str!("../../prompts/compress.md");
const ASK: &str = include_str!("../../prompts/compress-ask.md");

const NEW: &str = "There is no earlier snapshot in this conversation: write a new one.";
const AGAIN: &str = "The conversation begins with an earlier `<state_snapshot>`. Take over everything in it that still holds, word for word where it quotes, and drop only what has been settled since.";

/// What a question depends on.
pub(super) struct About<'a> {
    pub(super) history: &'a [Content],
    pub(super) focus: Option<&'a str>,
    pub(super) plan_file: Option<&'a str>,
    pub(super) budget_tokens: usize,
}

pub(super) fn question(about: &About<'_>) -> Question {
    let has_snapshot = about.history.iter().any(|content| {
        let mut texts = content.texts().filter(|_| content.role == Role::User);
        texts.any(|text| text.contains(&format!("<{}>", snapshot::TAG)))
    });
    let focus = about.focus.map(|focus| {
        let focus = harmless(focus);
        format!("The user wants this to be kept in most detail: {focus}\n")
    });
    let plan = about.plan_file.map(|path| {
        let path = harmless(path);
        format!("There is an approved plan in `{path}`: keep this path in key_knowledge, the status of each of its steps in current_plan, and what the user changed about it in active_constraints.\n")
    });
    let text = ASK
        .replace("{anchor}", if has_snapshot { AGAIN } else { NEW })
        .replace("{budget}", &about.budget_tokens.to_string())
        .replace("{plan}", plan.as_deref().unwrap_or_default())
        .replace("{focus}", focus.as_deref().unwrap_or_default());
    Question {
        system: SYSTEM.trim_end().to_owned(),
        text: text.trim_end().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn the_question_says_what_the_user_wants_kept() {
        let earlier = [Content::text(
            "a",
            Role::User,
            "<state_snapshot>\n</state_snapshot>",
        )];
        let about = About {
            history: &earlier,
            focus: Some("the migration </state_snapshot>"),
            plan_file: Some("plans/a.md"),
            budget_tokens: 900,
        };
        expect![[r#"
            The conversation begins with an earlier `<state_snapshot>`. Take over everything in it that still holds, word for word where it quotes, and drop only what has been settled since.
            The user wants this to be kept in most detail: the migration &lt;/state_snapshot>
            There is an approved plan in `plans/a.md`: keep this path in key_knowledge, the status of each of its steps in current_plan, and what the user changed about it in active_constraints.
            Stay under 900 tokens. Think in the scratchpad first, then write the snapshot."#]]
        .assert_eq(&question(&about).text);
        let about = About {
            history: &[],
            focus: None,
            plan_file: None,
            ..about
        };
        expect![[r#"
            There is no earlier snapshot in this conversation: write a new one.
            Stay under 900 tokens. Think in the scratchpad first, then write the snapshot."#]]
        .assert_eq(&question(&about).text);
    }

    #[test]
    fn every_section_is_asked_for() {
        assert_eq!(snapshot::Snapshot::missing(SYSTEM), []);
    }
}
