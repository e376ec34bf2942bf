//! What the tour shows, in order: a table of what is typed and what must come of it.

/// A part of the tour.
pub(super) struct Chapter {
    pub(super) title: &'static str,
    /// Why anybody would want that.
    pub(super) why: &'static str,
    pub(super) lines: &'static [Line],
}

/// What is typed.
pub(super) struct Line {
    pub(super) typed: &'static str,
    /// With this exit code it must end,
    pub(super) code: i32,
    /// and this it must say.
    pub(super) says: &'static [&'static str],
    pub(super) shown: Shown,
}

/// How much of what comes out is shown.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shown {
    All,
    /// The first lines, this many.
    Head(usize),
    /// This many lines, starting with the first that contains this.
    From(&'static str, usize),
}

impl Line {
    const fn new(typed: &'static str, says: &'static [&'static str]) -> Self {
        Self {
            typed,
            code: 0,
            says,
            shown: Shown::All,
        }
    }

    /// Shows a part only.
    const fn show(mut self, shown: Shown) -> Self {
        self.shown = shown;
        self
    }

    /// Must fail, with this code.
    const fn fails(mut self, code: i32) -> Self {
        self.code = code;
        self
    }
}

/// The whole life of a memory.
pub(super) const CHAPTERS: &[Chapter] = &[
    Chapter {
        title: "Define: memory is text",
        why: "What an agent should know stands in Markdown files: yours in your home, the project's beside its code. \
              `@path` brings in another file.",
        lines: &[
            Line::new("cat ~/.gemini/GEMINI.md", &["Answer in a few words."]),
            Line::new("cat GEMINI.md", &["whole cents", "@docs/texts.md"]),
        ],
    },
    Chapter {
        title: "Trust: a folder does not speak by itself",
        why: "A repository may come from anybody. Until you say so, nothing that lies in it reaches a model.",
        lines: &[
            Line::new("analects memory list", &["not trusted", "1 file"]),
            Line::new("analects trust add", &["TRUST_FOLDER"]),
        ],
    },
    Chapter {
        title: "Discover: what applies here, and what it costs",
        why: "Every file is listed by layer, with the tokens that it takes from each request.",
        lines: &[Line::new(
            "analects memory list",
            &["Global", "Project", "docs/texts.md", "2 files"],
        )],
    },
    Chapter {
        title: "Load: what a model reads",
        why: "The files become one text, weakest first, and every part says where it came from.",
        lines: &[Line::new(
            "analects memory show",
            &["Context from: GEMINI.md", "Imported from: docs/texts.md"],
        )],
    },
    Chapter {
        title: "Just in time: deeper memory comes with the files",
        why: "What holds for one directory only costs nothing until a tool touches a file there.",
        lines: &[Line::new(
            "analects context shop/payments/refund.ts",
            &["shop/payments/GEMINI.md", "Refunds go back"],
        )],
    },
    Chapter {
        title: "Save: you see the change, and can take it back",
        why: "At a terminal you are shown this diff and asked; here `--yes` answers for you. Every write is in a log, \
              with its way back.",
        lines: &[
            Line::new(
                "analects memory add \"Orders ship on Thursdays only\" --dry-run",
                &["+- Orders ship on Thursdays only", "Nothing was written."],
            ),
            Line::new(
                "analects memory add \"Orders ship on Thursdays only\" --yes",
                &["Remembered in"],
            ),
            Line::new(
                "analects memory search Thursdays",
                &["Orders ship on Thursdays only"],
            ),
            Line::new(
                "analects memory undo --yes",
                &["-- Orders ship on Thursdays only", "Taken back"],
            ),
            Line::new("analects memory search Thursdays", &["No entry says that."]),
        ],
    },
    Chapter {
        title: "Refuse: what does not belong stays out",
        why: "A key in a memory file would be sent to every model, and committed. It is not stored.",
        lines: &[Line::new(
            "analects remember \"The token is ghp_1234567890abcdefghijABCDEFGHIJ123456\"",
            &["looks like a secret"],
        )
        .fails(42)],
    },
    Chapter {
        title: "Compress: a long session made short",
        why: "Four hours ago a long session ended. Its end stays as it is; the rest becomes a snapshot of quotations, \
              made without a model. An audit counts what survived. A rule that you stated on the way waits in the inbox.",
        lines: &[
            Line::new("analects session list", &["2c9e6a3f"]),
            Line::new(
                "analects session compress latest",
                &["compressed:", "still there:", "in the inbox"],
            ),
        ],
    },
    Chapter {
        title: "Record: nothing that was said is lost",
        why: "The record still has all of it: sessions of Analects, Gemini CLI, Claude Code and Codex are found by \
              what was said in them, and a compression can be undone.",
        lines: &[
            Line::new(
                "analects session search \"freeze the stock\" --limit 2",
                &["freeze the stock"],
            ),
            Line::new("analects session compress latest --undo", &["2c9e6a3f"]),
        ],
    },
    Chapter {
        title: "Learn: what was done twice becomes a skill",
        why: "In two sessions the same commands were run in the same order, and worked. The learner finds that \
              without a model, and only proposes.",
        lines: &[Line::new(
            "analects skill extract",
            &["new skill: run-freeze-stock-to-check-prices"],
        )],
    },
    Chapter {
        title: "Inbox: everything learned waits for your yes",
        why: "The skill waits beside the rule from the long session. Each says what it rests on.",
        lines: &[
            Line::new(
                "analects memory inbox list",
                &["run-freeze-stock-to-check-prices", "extraction.patch"],
            ),
            Line::new(
                "analects memory inbox show run-freeze-stock-to-check-prices",
                &["analects-evidence", "just import-prices"],
            )
            .show(Shown::From("## Procedure", 6)),
        ],
    },
    Chapter {
        title: "Accept: now it counts",
        why: "Accepting shows the change and asks, like every write, and `memory undo` takes it back.",
        lines: &[
            Line::new(
                "analects memory inbox accept extraction.patch --yes",
                &["+- Never touch the order history", "Done"],
            ),
            Line::new(
                "analects memory inbox accept run-freeze-stock-to-check-prices --yes",
                &["SKILL.md", "Done"],
            )
            .show(Shown::Head(5)),
        ],
    },
    Chapter {
        title: "Use: the next conversation knows it",
        why: "The rule stands in memory, and the skill is offered to the model, which takes it up when a task \
              matches.",
        lines: &[
            Line::new("analects memory show", &["Never touch the order history"])
                .show(Shown::From("MEMORY.md", 3)),
            Line::new(
                "analects prompt",
                &[
                    "<name>run-freeze-stock-to-check-prices</name>",
                    "Never touch the order history",
                ],
            )
            .show(Shown::From("<available_skills>", 4)),
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chapter_has_a_title_a_reason_and_something_to_check() {
        for chapter in CHAPTERS {
            assert!(!chapter.title.is_empty() && chapter.title.len() < 64);
            assert!(chapter.why.ends_with('.'), "{}", chapter.why);
            assert!(!chapter.lines.is_empty(), "{}", chapter.title);
            for line in chapter.lines {
                assert!(!line.says.is_empty(), "{}", line.typed);
                assert!(line.typed.len() <= 76, "{}", line.typed);
            }
        }
    }
}
