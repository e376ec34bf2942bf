//! `get_context`: the verb `context`.

use analects_engine::verbs::{Failure, Verb};

use super::{Call, Told};

pub(super) use analects_engine::verbs::context::Brought as Answer;
pub(super) use analects_engine::verbs::context::Context as Arguments;

pub(super) fn context(call: &Call<'_>) -> Result<Told, Failure> {
    let arguments: Arguments = call.arguments()?;
    if arguments.paths.is_empty() {
        return Err(Failure::bad_input("which paths?"));
    }
    let answer = arguments.run(call.world, call.flags)?;
    let text = match (answer.text.is_empty(), answer.trusted) {
        (false, _) => answer.text.clone(),
        (true, true) => "These paths bring in no rules of their own.".to_owned(),
        (true, false) => {
            "This folder is not trusted, so its memory is not read; the user can change that with \
             `analects trust add`."
                .to_owned()
        }
    };
    Ok(Told::new(text, &answer))
}
