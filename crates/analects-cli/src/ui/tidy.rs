//! What was tidied, or could be, as people see it.

use std::io::{self, Write};

use analects_engine::verbs::answer::{Problem, TrustAnswer};
use analects_engine::verbs::memory::{TidyAnswer, TidyStep};
use analects_text::sanitize::{for_terminal, one_line};

use super::{Human, Screen, counted, number};

impl Human for TidyAnswer {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        let files = counted(self.files_checked, "memory file", "memory files");
        if self.steps.is_empty() {
            return writeln!(out, "{files} checked: nothing to tidy");
        }
        if self.written {
            return written(self, out, screen);
        }
        // Whoever chose has seen it all; whoever did not sees it here.
        let is_declined = !self.undecided && self.diff.is_empty();
        if !is_declined {
            for step in &self.steps {
                writeln!(out, "{}", screen.bold(&one_line(&step.reason)))?;
                writeln!(out, "{}", for_terminal(&step.diff))?;
                for doubt in &step.doubts {
                    writeln!(out, "warning: {}", one_line(doubt))?;
                }
            }
            let steps = counted(self.steps.len(), "step", "steps");
            writeln!(out, "{files} checked: {steps} to tidy them")?;
        }
        let nothing = match self.undecided {
            true => {
                "Nothing was written: nobody was there to choose. `--yes` takes all steps, `--only` one kind of them."
            }
            false => "Nothing was written.",
        };
        writeln!(out, "{}", screen.dim(nothing))
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }

    fn is_undecided(&self) -> bool {
        self.undecided
    }

    fn trust(&self) -> Option<(bool, &TrustAnswer)> {
        Some((self.trusted, &self.trust))
    }
}

fn written(answer: &TidyAnswer, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
    let taken: Vec<&TidyStep> = answer.steps.iter().filter(|step| step.taken).collect();
    for step in &taken {
        writeln!(out, "- {}", one_line(&step.reason))?;
    }
    let all = counted(answer.steps.len(), "step", "steps");
    writeln!(out, "{} of {all} taken.", number(taken.len()))?;
    let line = "Take it back with `analects memory undo`.";
    writeln!(out, "{}", screen.dim(line))
}
