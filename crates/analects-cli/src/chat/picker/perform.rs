//! The picker's loop: draw, wait for a key, act, draw again.
//!
//! Knows no terminal: a [`Stage`] is one, or a script in a test.

use std::io;

use crossterm::event::{Event, KeyCode, KeyModifiers};

use super::{Action, After, Outcome, Picked, Picker, Step};

/// Where a picker is shown, and where its keys come from.
pub(super) trait Stage {
    fn draw(&mut self, picker: &mut Picker) -> io::Result<()>;

    /// Forgets what is on the screen: the next time all of it is drawn.
    fn forget(&mut self) -> io::Result<()>;

    /// Waits for something to happen; `None` if nothing will any more.
    fn wait(&mut self) -> io::Result<Option<Event>>;

    /// What has happened already, without waiting.
    fn ready(&mut self) -> io::Result<Option<Event>>;

    /// Gives the terminal away until `work` is over.
    fn step_aside(&mut self, work: &mut dyn FnMut()) -> io::Result<()>;
}

/// What the caller knows about items and does with them.
pub(super) struct Doing<'a> {
    pub(super) preview: &'a mut dyn FnMut(&str) -> String,
    pub(super) act: &'a mut dyn FnMut(Action, &[String]) -> Outcome,
}

/// Performs a picker until it ends. Draws once for everything that happened meanwhile, and never without a reason.
pub(super) fn perform(
    stage: &mut dyn Stage,
    picker: &mut Picker,
    mut doing: Doing<'_>,
) -> io::Result<Picked> {
    loop {
        if let Some(id) = picker.wants_preview().map(str::to_owned) {
            let text = (doing.preview)(&id);
            picker.give_preview(id, &text);
        }
        stage.draw(picker)?;
        let Some(event) = stage.wait()? else {
            return Ok(Picked::Gone);
        };
        let mut next = Some(event);
        while let Some(event) = next {
            match take(stage, picker, event)? {
                Step::Stay => next = stage.ready()?,
                Step::Leave => return Ok(Picked::Left),
                Step::Do { action, items } => {
                    if action.after == After::Ends {
                        return Ok(Picked::Chose { action, items });
                    }
                    if !act(stage, picker, &mut doing, action, &items)? {
                        return Ok(Picked::Left);
                    }
                    break;
                }
            }
        }
    }
}

fn take(stage: &mut dyn Stage, picker: &mut Picker, event: Event) -> io::Result<Step> {
    match event {
        Event::Key(key) => {
            let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
            if is_control && key.code == KeyCode::Char('l') {
                stage.forget()?;
                return Ok(Step::Stay);
            }
            Ok(picker.key(key))
        }
        Event::Paste(text) => {
            picker.paste(&text);
            Ok(Step::Stay)
        }
        // The size is asked for whenever something is drawn.
        _ => Ok(Step::Stay),
    }
}

/// Does it; `false` if that was the last thing.
fn act(
    stage: &mut dyn Stage,
    picker: &mut Picker,
    doing: &mut Doing<'_>,
    action: Action,
    items: &[String],
) -> io::Result<bool> {
    let mut outcome = None;
    let mut work = || outcome = Some((doing.act)(action, items));
    match action.after {
        After::StepsAside => stage.step_aside(&mut work)?,
        After::Stays | After::Ends => work(),
    }
    // What was typed before the result could be seen was not meant for the item that comes next.
    while stage.ready()?.is_some() {}
    Ok(outcome.is_none_or(|outcome| picker.heed(outcome)))
}
