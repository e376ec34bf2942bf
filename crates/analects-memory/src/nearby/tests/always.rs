//! Whatever happens in a conversation, its rules are in it, and none is in it twice.

use std::collections::{BTreeMap, BTreeSet};

use analects_world::files::Trouble;
use proptest::prelude::*;

use super::live::{Chat, Live};
use super::*;

/// Memory files, and beside them files to import. Each holds one word of a few, so that files often come
/// to say the same, or what they said before; some import as well.
const FILES: [&str; 8] = [
    "/repo/GEMINI.md",
    "/repo/a/GEMINI.md",
    "/repo/a/AGENTS.md",
    "/repo/a/b/GEMINI.md",
    "/repo/c/GEMINI.md",
    "/repo/c/AGENTS.md",
    "/repo/lib/one.md",
    "/repo/lib/two.md",
];
const DIRS: [&str; 4] = ["/repo", "/repo/a", "/repo/a/b", "/repo/c"];
const TEXTS: [&str; 7] = [
    "<red>",
    "<green>",
    "<blue>",
    "<grey> @/repo/lib/one.md",
    "<pink> @/repo/lib/one.md @/repo/lib/two.md",
    "<gold> @/repo/lib/two.md",
    "",
];

#[derive(Debug, Clone)]
enum Step {
    Touch(Vec<usize>),
    Write(usize, usize),
    Replace(usize, usize),
    /// The so-many-th of the blocks in sight leaves the context.
    Leave(usize),
    Fail(usize),
    Heal(usize),
    Resume,
}

fn step() -> impl Strategy<Value = Step> {
    let (file, text) = (0..FILES.len(), 0..TEXTS.len());
    prop_oneof![
        4 => prop::collection::vec(0..DIRS.len(), 1..3).prop_map(Step::Touch),
        2 => (file.clone(), text.clone()).prop_map(|(file, text)| Step::Write(file, text)),
        1 => (file.clone(), text).prop_map(|(file, text)| Step::Replace(file, text)),
        2 => (0_usize..8).prop_map(Step::Leave),
        1 => file.clone().prop_map(Step::Fail),
        1 => file.prop_map(Step::Heal),
        1 => Just(Step::Resume),
    ]
}

/// What a model sees: the latest block under each name.
#[derive(Default)]
struct Sight {
    /// In the system text, which never leaves.
    start: BTreeMap<AbsPath, String>,
    /// In tool results.
    later: BTreeMap<AbsPath, String>,
}

impl Sight {
    fn block(&self, path: &AbsPath) -> Option<&String> {
        self.later.get(path).or_else(|| self.start.get(path))
    }

    fn sees(&self, word: &str) -> bool {
        self.sees_without(word, &[])
    }

    fn sees_without(&self, word: &str, replaced: &[&AbsPath]) -> bool {
        let is_covered = |path: &AbsPath| self.later.contains_key(path);
        let start = self.start.iter().filter(|(path, _)| !is_covered(path));
        let blocks = start.chain(&self.later);
        let mut blocks = blocks.filter(|(path, _)| !replaced.contains(path));
        blocks.any(|(_, text)| text.contains(word))
    }
}

struct Model<'a> {
    live: &'a Live,
    texts: [usize; FILES.len()],
    failing: BTreeSet<usize>,
    sight: Sight,
}

impl Model<'_> {
    /// The words that a file says, imports included, as far as they can be read.
    fn words(&self, file: &str) -> Vec<&'static str> {
        let Some(at) = FILES.iter().position(|path| *path == file) else {
            return Vec::new();
        };
        if self.failing.contains(&at) {
            return Vec::new();
        }
        // A twin in the same directory may say it, with an import as it was when the twin could be read.
        let is_beside = |&twin: &usize| abs(FILES[twin]).parent() == abs(file).parent();
        if self.failing.iter().any(is_beside) && TEXTS[self.texts[at]].contains('@') {
            return Vec::new();
        }
        let mut words = Vec::new();
        for part in TEXTS[self.texts[at]].split_whitespace() {
            match part.strip_prefix('@') {
                Some(import) if !file.starts_with("/repo/lib") => words.extend(self.words(import)),
                Some(_) => {}
                None => words.push(part),
            }
        }
        words
    }

    fn touch(&mut self, chat: &mut Chat<'_>, dirs: &[usize]) -> Result<(), TestCaseError> {
        let paths: Vec<_> = dirs.iter().map(|&at| DIRS[at]).collect();
        let blocks = chat.touch(&paths).fragments.into_iter().map(|f| f.block);
        let blocks: Vec<_> = blocks.collect();
        let is_changed = |block: &&Block| block.text.contains("[changed since");
        let changed: Vec<_> = blocks.iter().filter(is_changed).map(|b| &b.path).collect();
        for Block { path, text, .. } in &blocks {
            // By another name, words that import are other words.
            let is_old = |word: &str| match text.contains("/repo/lib") {
                true => self.sight.block(path).is_some_and(|old| old.contains(word)),
                false => self.sight.sees_without(word, &changed),
            };
            let is_word = |part: &&str| part.starts_with('<') && part.ends_with('>');
            let mut words = text.split_whitespace().filter(is_word).peekable();
            // A name alone may stand for another text each time.
            let is_echo = words.peek().is_none();
            let is_news = words.any(|word| !is_old(word));
            let refers = text.contains("already processed") || text.contains("Import failed");
            let is_told = refers || changed.contains(&path);
            let is_equal = self.sight.later.get(path) == Some(text);
            prop_assert!(is_news || is_told, "said again: {text}");
            prop_assert!(!is_equal || is_echo, "said again: {text}");
        }
        let blocks = blocks.into_iter().map(|block| (block.path, block.text));
        self.sight.later.extend(blocks);
        for dir in paths {
            let scope = |file: &&&str| abs(dir).is_within(&abs(file).parent().unwrap());
            for file in FILES.iter().filter(scope) {
                for word in self.words(file) {
                    prop_assert!(self.sight.sees(word), "{word} of {file} is missing");
                }
            }
        }
        prop_assert!(
            chat.touch(&[DIRS[dirs[0]]]).fragments.is_empty(),
            "twice in a row"
        );
        Ok(())
    }

    fn take<'b>(&mut self, chat: &mut Chat<'b>, step: &Step) -> Result<(), TestCaseError>
    where
        Self: 'b,
    {
        match step {
            Step::Touch(dirs) => self.touch(chat, dirs)?,
            Step::Write(file, text) | Step::Replace(file, text) => {
                // Imports of imports would only blur what is seen here.
                let text = if FILES[*file].starts_with("/repo/lib") {
                    *text % 3
                } else {
                    *text
                };
                self.texts[*file] = text;
                match step {
                    Step::Write(..) => self.live.write(FILES[*file], TEXTS[text]),
                    _ => self.live.replace(FILES[*file], TEXTS[text]),
                }
            }
            Step::Leave(at) => {
                let gone = self.sight.later.keys().nth(*at).cloned();
                if let Some(gone) = gone {
                    self.sight.later.remove(&gone);
                    chat.loader.forget(&[gone]);
                }
            }
            Step::Fail(file) => {
                self.failing.insert(*file);
                self.live.fail(FILES[*file], Some(Trouble::Denied));
            }
            Step::Heal(file) => {
                self.failing.remove(file);
                self.live.fail(FILES[*file], None);
            }
            Step::Resume => {}
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn every_rule_is_in_sight_and_none_twice(steps in prop::collection::vec(step(), 1..40)) {
        let fixture: String = FILES.iter().map(|path| format!("//- {path}\n")).collect();
        let live = Live::new(&format!("//- /repo/.git/\n{fixture}"));
        let mut model = Model {
            live: &live,
            texts: [TEXTS.len() - 1; FILES.len()],
            failing: BTreeSet::new(),
            sight: Sight::default(),
        };
        // The first steps happen before the conversation starts.
        let (before, during) = steps.split_at(steps.len() / 4);
        let mut chat = live.start();
        for step in before.iter().filter(|step| !matches!(step, Step::Touch(_) | Step::Leave(_))) {
            model.take(&mut chat, step)?;
        }
        chat = live.start();
        model.sight.start = chat.start.iter().cloned().collect();
        for step in during {
            if matches!(step, Step::Resume) {
                let tracked = chat.loader.tracked();
                chat = live.start();
                model.sight.start = chat.start.iter().cloned().collect();
                chat.loader.resume(tracked);
            } else {
                model.take(&mut chat, step)?;
            }
        }
    }
}
