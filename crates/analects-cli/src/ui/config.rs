//! Settings as people see them.

use std::io::{self, Write};

use analects_engine::verbs::answer::{Problem, TrustAnswer};
use analects_engine::verbs::config::{Origin, Shown, Value};
use analects_text::sanitize;

use super::{Human, Screen};

impl Human for Shown {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        for entry in &self.settings {
            let value = text(&entry.value);
            let origin = origin(&entry.origin, screen);
            let key = screen.bold(&entry.key);
            writeln!(
                out,
                "{key} = {value}  {}",
                screen.dim(&format!("({origin})"))
            )?;
        }
        Ok(())
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }

    fn trust(&self) -> Option<(bool, &TrustAnswer)> {
        Some((self.trusted, &self.trust))
    }
}

fn text(value: &Value) -> String {
    let quoted = |text: &str| format!("\"{}\"", sanitize::one_line(text));
    match value {
        Value::Unset(()) => "unset".to_owned(),
        Value::Flag(flag) => flag.to_string(),
        Value::Count(count) => count.to_string(),
        Value::Share(share) => share.to_string(),
        Value::Budgets(budgets) => {
            let items = budgets.iter();
            let items: Vec<_> = items
                .map(|(tool, n)| format!("{}: {n}", quoted(tool)))
                .collect();
            format!("{{{}}}", items.join(", "))
        }
        Value::Texts(texts) => {
            let items = texts.iter();
            let items: Vec<_> = items
                .map(|(name, text)| format!("{}: {}", quoted(name), quoted(text)))
                .collect();
            format!("{{{}}}", items.join(", "))
        }
        Value::Text(text) => quoted(text),
        Value::List(list) => {
            let items: Vec<_> = list.iter().map(|text| quoted(text)).collect();
            format!("[{}]", items.join(", "))
        }
    }
}

fn origin(origin: &Origin, screen: &Screen) -> String {
    match (&origin.source, origin.line) {
        (Some(path), Some(line)) => {
            format!("{}, {}:{line}", origin.scope, screen.short(path, None))
        }
        (Some(source), None) => format!("{}, {source}", origin.scope),
        (None, _) => origin.scope.clone(),
    }
}
