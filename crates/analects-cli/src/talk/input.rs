//! What is asked: the prompt of the command line, and what is piped in.

use std::io::{self, Read};
use std::os::fd::AsFd;
use std::time::Duration;

use analects_engine::verbs::Failure;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FileType, fstat};

/// What is asked, whole.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Input {
    /// What was piped in, a blank line, and the prompt; or what there is of them.
    pub(crate) text: String,
    /// How much of it is context that was piped in before a prompt.
    pub(crate) piped_bytes: usize,
}

/// How much may be piped in.
const LIMIT_BYTES: usize = 8 * 1024 * 1024;

/// How long a pipe may be silent before something is said or done about it.
const PATIENCE: Duration = Duration::from_secs(3);

/// What is piped in, up to a little more than is allowed. Nothing, if nobody writes though there is a prompt.
///
/// A pipe of a shell is waited for to its end, as everybody does. Programs that start us may leave a socket open behind
/// which nobody is; with a prompt in hand, we do not wait for that one.
pub(crate) fn piped(
    stdin: impl AsFd + Read,
    prompt: Option<&str>,
    warn: &mut dyn FnMut(&str),
) -> Result<Vec<u8>, Failure> {
    let patience = prompt.map(|_| PATIENCE);
    read(stdin, patience, warn)
        .map_err(|error| Failure::bad_input(format!("cannot read what is piped in: {error}")))
}

/// Puts together what is asked.
pub(crate) fn gather(prompt: Option<&str>, piped: Vec<u8>) -> Result<Input, Failure> {
    if piped.len() > LIMIT_BYTES {
        let message = format!("more than {} MiB are piped in", LIMIT_BYTES >> 20);
        return Err(Failure::bad_input(message)
            .hint("write it to a file, and let the model read the part that matters"));
    }
    let piped = String::from_utf8(piped).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::bad_input(format!("what is piped in is not UTF-8, from byte {at} on"))
            .hint("`iconv -t UTF-8` converts texts")
    })?;
    let piped = piped.trim_end_matches(['\n', '\r']);
    let has_piped = !piped.trim().is_empty();
    match prompt {
        Some(prompt) if prompt.trim().is_empty() => {
            Err(Failure::bad_input("the prompt is empty").hint(HOW))
        }
        Some(prompt) if has_piped => Ok(Input {
            text: format!("{piped}\n\n{prompt}"),
            piped_bytes: piped.len(),
        }),
        None if !has_piped => Err(Failure::bad_input("nothing is asked").hint(HOW)),
        prompt => Ok(Input {
            text: prompt.unwrap_or(piped).to_owned(),
            piped_bytes: 0,
        }),
    }
}

const HOW: &str = "`analects -p TEXT` asks a model, `analects --help` tells what else there is";

fn read(
    mut stdin: impl AsFd + Read,
    patience: Option<Duration>,
    warn: &mut dyn FnMut(&str),
) -> io::Result<Vec<u8>> {
    if let Some(patience) = patience {
        let silence = silence(&stdin, patience)?;
        if let Some(said) = silence.said() {
            warn(said);
        }
        if silence == Silence::Nobody {
            return Ok(Vec::new());
        }
    }
    let mut bytes = Vec::new();
    let limit = LIMIT_BYTES as u64 + 1;
    stdin.by_ref().take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Who does not write.
#[derive(Debug, PartialEq, Eq)]
enum Silence {
    /// Somebody writes, or has ended.
    Broken,
    /// A pipe, whose writer may be busy.
    Pipe,
    /// Something behind which nobody may be.
    Nobody,
}

impl Silence {
    fn said(&self) -> Option<&'static str> {
        match self {
            Self::Broken => None,
            Self::Pipe => Some("waiting for what is piped in; `</dev/null` if that is nothing"),
            Self::Nobody => {
                Some("going on without stdin, which is open and silent; `</dev/null` closes it")
            }
        }
    }
}

/// Waits this long for a first word, or an end.
fn silence(stdin: &impl AsFd, patience: Duration) -> io::Result<Silence> {
    let patience = Timespec::try_from(patience).map_err(io::Error::other)?;
    let mut polled = [PollFd::new(stdin, PollFlags::IN)];
    if poll(&mut polled, Some(&patience))? > 0 {
        return Ok(Silence::Broken);
    }
    Ok(match FileType::from_raw_mode(fstat(stdin)?.st_mode) {
        FileType::Fifo => Silence::Pipe,
        _ => Silence::Nobody,
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::unix::net::UnixStream;

    use super::*;

    fn check(prompt: Option<&str>, piped: &str, expected: Result<(&str, usize), &str>) {
        let input = gather(prompt, piped.as_bytes().to_vec());
        let input = input.map_err(|failure| failure.message);
        let expected = expected
            .map(|(text, piped_bytes)| Input {
                text: text.to_owned(),
                piped_bytes,
            })
            .map_err(str::to_owned);
        assert_eq!(input, expected, "{prompt:?} {piped:?}");
    }

    #[test]
    fn what_is_piped_in_comes_first() {
        check(Some("why?"), "a log\n", Ok(("a log\n\nwhy?", 5)));
        check(Some("why?"), "", Ok(("why?", 0)));
        check(Some("why?"), " \n\n", Ok(("why?", 0)));
        // Alone, it is what the user says.
        check(None, "what is @a.rs?\r\n", Ok(("what is @a.rs?", 0)));
        check(
            Some(" why?\n"),
            "  a\n\nb\n\n",
            Ok(("  a\n\nb\n\n why?\n", 6)),
        );
    }

    #[test]
    fn nothing_is_no_question() {
        check(None, "", Err("nothing is asked"));
        check(None, " \n\t", Err("nothing is asked"));
        check(Some(""), "", Err("the prompt is empty"));
        // A script whose variable is not set does not mean the log that it pipes in.
        check(Some(" "), "a log\n", Err("the prompt is empty"));
    }

    #[test]
    fn what_cannot_be_text_is_refused_whole() {
        let refused = |bytes: Vec<u8>| gather(Some("why?"), bytes).unwrap_err().message;
        assert_eq!(
            refused(b"fine\xFF\xFE".to_vec()),
            "what is piped in is not UTF-8, from byte 4 on"
        );
        let limit = vec![b'x'; LIMIT_BYTES];
        assert!(gather(None, limit.clone()).is_ok());
        let more = [limit, b"x".to_vec()].concat();
        assert_eq!(refused(more), "more than 8 MiB are piped in");
    }

    /// What is read, and what is said about it.
    fn heard(stdin: impl AsFd + Read, patience: Option<Duration>) -> (Vec<u8>, String) {
        let mut said = String::new();
        let bytes = read(stdin, patience, &mut |words| said.push_str(words)).unwrap();
        (bytes, said)
    }

    #[test]
    fn a_socket_behind_which_nobody_is_is_not_waited_for() {
        let at_once = Some(Duration::ZERO);
        let (silent, _open) = UnixStream::pair().unwrap();
        let (bytes, said) = heard(&silent, at_once);
        assert_eq!(bytes, b"");
        assert!(said.starts_with("going on without stdin"), "{said}");
        let (loud, mut writer) = UnixStream::pair().unwrap();
        writer.write_all(b"words").unwrap();
        drop(writer);
        assert_eq!(heard(&loud, at_once), (b"words".to_vec(), String::new()));
        let (over, writer) = UnixStream::pair().unwrap();
        drop(writer);
        assert_eq!(heard(&over, at_once), (Vec::new(), String::new()));
    }

    #[test]
    fn a_pipe_is_waited_for() {
        let (pipe, writer) = io::pipe().unwrap();
        let mut writer = Some(writer);
        let mut said = String::new();
        let bytes = read(&pipe, Some(Duration::ZERO), &mut |words| {
            said.push_str(words);
            // Only now it speaks.
            writer.take().unwrap().write_all(b"late").unwrap();
        });
        assert_eq!(bytes.unwrap(), b"late");
        assert!(said.starts_with("waiting for what is piped in"), "{said}");
    }

    #[test]
    fn no_more_is_read_than_can_be_used() {
        let (endless, mut writer) = UnixStream::pair().unwrap();
        std::thread::scope(|scope| {
            // It ends only because nobody listens any more.
            scope.spawn(move || while writer.write_all(&[b'x'; 65_536]).is_ok() {});
            let (bytes, _) = heard(endless, None);
            assert_eq!(bytes.len(), LIMIT_BYTES + 1);
        });
    }
}
