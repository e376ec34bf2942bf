//! A message of a checkpoint.

use std::borrow::Cow;

use crate::message::Message;
use crate::record::lines::on_one_line;
use crate::replay::MessageRef;

/// A message that stands after a checkpoint.
#[derive(Debug, Clone)]
pub enum Entry<'a> {
    /// One of the record, byte for byte, whatever is in it.
    Kept(MessageRef<'a>),
    /// One that is new, or was changed.
    Anew(Box<Message>),
}

impl From<Message> for Entry<'_> {
    fn from(message: Message) -> Self {
        Self::Anew(Box::new(message))
    }
}

impl<'a> From<MessageRef<'a>> for Entry<'a> {
    fn from(message: MessageRef<'a>) -> Self {
        Self::Kept(message)
    }
}

impl<'a> Entry<'a> {
    /// A message that needs another name.
    pub(super) fn unnamed(message: MessageRef<'a>) -> Self {
        Self::from(Message {
            id: made_up_id(&message),
            ..message.read()
        })
    }

    /// Its name.
    #[must_use]
    pub fn id(&self) -> Cow<'_, str> {
        match self {
            Self::Kept(message) if message.is_named() => message.id(),
            Self::Kept(message) => Cow::Owned(made_up_id(message)),
            Self::Anew(message) => Cow::Borrowed(&message.id),
        }
    }

    /// The message, read.
    pub(super) fn read(&self) -> Message {
        match self {
            Self::Kept(message) => Message {
                id: self.id().into_owned(),
                ..message.read()
            },
            Self::Anew(message) => (**message).clone(),
        }
    }

    /// Its JSON, on one line.
    pub(super) fn json(&self) -> String {
        match self {
            Self::Kept(message) if message.is_named() => on_one_line(message.raw()),
            Self::Kept(_) | Self::Anew(_) => on_one_line(&self.read().to_value().to_string()),
        }
    }
}

/// A name for a message of an old record that has none: without it no line-wise reader would see it.
fn made_up_id(message: &MessageRef<'_>) -> String {
    format!("at-{}", message.span().start)
}
