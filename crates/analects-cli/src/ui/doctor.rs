//! An examination as people see it.

use std::io::{self, Write};

use analects_engine::verbs::doctor::Examined;
use analects_text::sanitize;

use super::{Human, Screen, pad};

impl Human for Examined {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        if let Some(adopted) = &self.adopted {
            write!(out, "{}", sanitize::for_terminal(&adopted.diff))?;
            let word = if adopted.written {
                "now"
            } else {
                "would be, or already is,"
            };
            writeln!(
                out,
                "This project's private folder is {word} `{}`.\n",
                adopted.folder
            )?;
        }
        writeln!(out, "analects {}", self.version)?;
        for finding in &self.findings {
            let severity = pad(&finding.severity, "warning".len());
            let severity = match finding.severity.as_str() {
                "ok" => screen.dim(&severity).into_owned(),
                _ => screen.bold(&severity).into_owned(),
            };
            let topic = pad(&finding.topic, "providers".len());
            writeln!(
                out,
                "{severity}  {topic}  {}",
                sanitize::one_line(&finding.message)
            )?;
            if let Some(hint) = &finding.hint {
                writeln!(out, "{:20}hint: {}", "", sanitize::one_line(hint))?;
            }
        }
        Ok(())
    }
}
