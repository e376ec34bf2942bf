//! Chance as bytes, so that a failing case shrinks to a short one, and what every wired file must keep.

use proptest::prelude::*;

use super::*;
use crate::setup::draft::Draft;
use crate::setup::ours::is_ours;
use crate::setup::wanted::Format;

/// A source of decisions; once it is used up, the answer is always the first choice.
pub(super) struct Noise {
    bytes: std::vec::IntoIter<u8>,
    n_comments: usize,
}

impl Noise {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        Self {
            bytes: bytes.into_iter(),
            n_comments: 0,
        }
    }

    /// A number below `n`.
    pub(super) fn below(&mut self, n: usize) -> usize {
        usize::from(self.bytes.next().unwrap_or_default()) % n
    }

    pub(super) fn flip(&mut self) -> bool {
        self.below(2) == 1
    }

    pub(super) fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    /// What a comment says; never twice the same.
    pub(super) fn remark(&mut self) -> String {
        self.n_comments += 1;
        format!("remark-{}; {{\"[é", self.n_comments)
    }
}

pub(super) fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..300)
}

/// The comments of a text, in order.
fn remarks(text: &str) -> Vec<&str> {
    let after = text.split("remark-").skip(1);
    after.filter_map(|rest| rest.split(';').next()).collect()
}

/// What a file says about others: what is ours, and what is empty where ours could have been, left out.
fn foreign(format: Format, text: &str, host: Agent) -> String {
    let mut root = Draft::new(format, text).unwrap().root().unwrap();
    let Value::Object(members) = &mut root.value else {
        panic!("an object");
    };
    for (name, item) in members.iter_mut() {
        match (name.as_str(), &mut item.value) {
            ("mcpServers" | "mcp_servers", Value::Object(servers)) => {
                servers.retain(|(name, _)| name != "analects");
            }
            ("hooks", Value::Object(events)) => {
                events
                    .iter_mut()
                    .for_each(|(_, groups)| strip(groups, host));
                events.retain(|(_, groups)| groups.list().is_none_or(|list| !list.is_empty()));
            }
            _ => {}
        }
    }
    let is_ours_alone = |name: &str| matches!(name, "mcpServers" | "mcp_servers" | "hooks");
    members.retain(|(name, item)| {
        !(is_ours_alone(name) && item.object().is_some_and(<[_]>::is_empty))
    });
    said(&root)
}

fn strip(groups: &mut Item, host: Agent) {
    let Value::List(groups) = &mut groups.value else {
        return;
    };
    groups.retain_mut(|group| {
        let Value::Object(members) = &mut group.value else {
            return true;
        };
        let handlers = members.iter_mut().find(|(name, _)| name == "hooks");
        let Some(Value::List(handlers)) = handlers.map(|(_, item)| &mut item.value) else {
            return true;
        };
        let n_before = handlers.len();
        handlers.retain(|handler| {
            let command = handler.get("command").and_then(Item::text);
            !command.is_some_and(|command| is_ours(command, host))
        });
        n_before == handlers.len() || !handlers.is_empty()
    });
}

/// What holds for every file: `edit` is what someone else does to it once it is wired.
pub(super) fn check_laws(
    host: Agent,
    format: Format,
    path: &str,
    before: &str,
    edit: impl Fn(&str) -> String,
) {
    let foreign = |text: &str| foreign(format, text, host);
    let bench = Bench::with(path, before);
    bench.install(host);
    let wired = bench.text(path);
    assert!(wired.contains("/opt/bin/analects"), "{wired}");
    assert_eq!(remarks(&wired), remarks(before), "comments stay");
    assert_eq!(foreign(&wired), foreign(before), "others stay");
    assert!(!bench.install(host).written, "twice is once:\n{wired}");

    bench.uninstall(host);
    assert_eq!(bench.text(path), before, "all bytes come back:\n{wired}");
    assert_eq!(bench.desk.text(RECORD), None);

    bench.install(host);
    let edited = edit(&bench.text(path));
    bench.desk.edit(path, &edited);
    bench.uninstall(host);
    let rest = bench.text(path);
    assert!(!rest.contains("/opt/bin/analects"), "{rest}");
    assert_eq!(
        foreign(&rest),
        foreign(&edited),
        "what others did stays:\n{rest}"
    );
    assert_eq!(
        remarks(&rest),
        remarks(&edited),
        "{before}\n=====\n{edited}\n=====\n{rest}"
    );

    let bench = Bench::with(path, &wired);
    bench.uninstall(host);
    let rest = bench.text(path);
    assert_eq!(
        foreign(&rest),
        foreign(before),
        "without a record too:\n{rest}"
    );
    assert_eq!(remarks(&rest), remarks(before), "{wired}\n=====\n{rest}");
}
