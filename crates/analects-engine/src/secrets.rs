//! Secrets must never be stored; this finds them, and knows the exceptions that a person made.

use analects_memory::fingerprint::fingerprint;
use analects_text::redact::{self, Finding};
use analects_world::changes::{Change, Changes, Splice};
use analects_world::files::Files;
use serde_json::Value;

use crate::verbs::Failure;
use crate::write::Before;

/// A secret that was found, named without saying it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secret {
    /// What kind of secret it is.
    pub kind: String,
    /// Its rule and the beginning of its hash: enough to allow it, too little to use it.
    pub fingerprint: String,
}

/// Longer names and values of fields are looked at apart from one another.
const MAX_NAME_BYTES: usize = 64;
const MAX_VALUE_BYTES: usize = 256;

/// Where a secret was found, and what to do about it, in words.
pub(crate) struct Refusal {
    /// Whose file it is in.
    pub(crate) place: String,
    /// A piece of advice.
    pub(crate) way_out: String,
}

/// The guard at the door of every file that memory is written to.
#[derive(Debug, Clone, Copy)]
pub struct Guarded<'a> {
    /// Fingerprints of findings that are no secrets, or may be stored all the same.
    pub allowed: &'a [String],
}

impl Guarded<'_> {
    /// The secrets in a text that nobody allowed.
    #[must_use]
    pub fn find(&self, text: &str) -> Vec<Secret> {
        let found = redact::scan(text).into_iter();
        found
            .map(|finding| secret(text, &finding))
            .filter(|secret| !self.allowed.contains(&secret.fingerprint))
            .collect()
    }

    /// `text` with every secret that nobody allowed masked.
    #[must_use]
    pub fn mask(&self, text: &str) -> String {
        let mut found = redact::scan(text);
        found.retain(|finding| !self.allowed.contains(&secret(text, finding).fingerprint));
        redact::mask(text, &found)
    }

    /// Masks every secret that nobody allowed in the strings of a JSON value, names of fields included.
    ///
    /// A field's name counts for its value: `{"password": "hunter2!Xy7"}` loses the password, though
    /// neither string alone tells of one. Recurses as deep as the value does, which its parser bounds.
    pub fn mask_json(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.mask(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.mask_json(item)),
            Value::Object(fields) => {
                let named = std::mem::take(fields).into_iter();
                *fields = named
                    .map(|(name, mut value)| {
                        self.mask_field(&name, &mut value);
                        (self.mask(&name), value)
                    })
                    .collect();
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn mask_field(&self, name: &str, value: &mut Value) {
        self.mask_json(value);
        let Value::String(text) = value else { return };
        if name.len() > MAX_NAME_BYTES || text.len() > MAX_VALUE_BYTES {
            return;
        }
        let before = format!("{name}: \"");
        let masked = self.mask(&format!("{before}{text}\""));
        let masked = masked.strip_prefix(&before);
        if let Some(masked) = masked.and_then(|masked| masked.strip_suffix('"')) {
            masked.clone_into(text);
        }
    }

    /// Fails if a change would store a secret that was not there before.
    pub(crate) fn check(&self, before: &Before, changes: &Changes) -> Result<(), Failure> {
        for (old, change) in before.of(changes) {
            let found = self.added(old, change);
            if !found.is_empty() {
                return Err(refuse(&found));
            }
        }
        Ok(())
    }

    /// Fails like [`Self::check`], in the words of whoever knows where the change comes from.
    pub(crate) fn refuse_added(
        &self,
        files: &dyn Files,
        changes: &Changes,
        told: &dyn Fn(&Change) -> Refusal,
    ) -> Result<(), Failure> {
        let before = Before::read(files, changes)?;
        for (old, change) in before.of(changes) {
            let found = self.added(old, change);
            let Some(first) = found.first() else {
                continue;
            };
            let Refusal { place, way_out } = told(change);
            let kind = &first.kind;
            let failure = Failure::bad_input(format!(
                "there is what looks like a secret ({kind}) in {place}, and secrets are not stored"
            ));
            return Err(allowing(failure.hint(way_out), &found));
        }
        Ok(())
    }

    /// The secrets that a change would store and that were not there before.
    pub(crate) fn added(&self, old: Option<&[u8]>, change: &Change) -> Vec<Secret> {
        let (was, is) = touched(old, change);
        let was = self.find(&was);
        let mut found = self.find(&is);
        found.retain(|secret| !was.contains(secret));
        found
    }
}

/// The refusal that a secret meets.
#[must_use]
pub fn refuse(found: &[Secret]) -> Failure {
    allowing(refusal(found), found)
}

/// The same where what is left of it could be stored.
#[must_use]
pub fn refuse_or_redact(found: &[Secret]) -> Failure {
    let way_out = "store it with the secret left out: `--redact`";
    allowing(refusal(found).hint(way_out), found)
}

fn refusal(found: &[Secret]) -> Failure {
    let mut kinds: Vec<_> = found.iter().map(|secret| secret.kind.as_str()).collect();
    kinds.dedup();
    Failure::bad_input(format!(
        "this looks like a secret ({}), and secrets are not stored",
        kinds.join(", ")
    ))
}

/// How to allow each finding.
fn allowing(failure: Failure, found: &[Secret]) -> Failure {
    found.iter().fold(failure, |failure, secret| {
        let print = &secret.fingerprint;
        failure.hint(format!(
            "if it is none, allow it: `--allow {print}`, or for good in `memory.allowedSecrets`"
        ))
    })
}

/// Whether the journal must not keep what a change takes away or puts in.
#[must_use]
pub fn touches_secret(old: Option<&[u8]>, change: &Change) -> bool {
    let (gone, new) = touched(old, change);
    !redact::scan(&gone).is_empty() || !redact::scan(&new).is_empty()
}

/// The lines in which a change differs from what was there, before and after.
fn touched(old: Option<&[u8]>, change: &Change) -> (String, String) {
    let old = old.unwrap_or_default();
    let new = change.text.as_deref().unwrap_or_default();
    let (was, is) = Splice::between(old, new).lines(old, new);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(was), text(is))
}

fn secret(text: &str, finding: &Finding) -> Secret {
    let said = text.get(finding.range.clone()).unwrap_or_default();
    Secret {
        kind: finding.description.to_owned(),
        fingerprint: fingerprint(finding.rule, said),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn secrets_in_json_are_masked_wherever_they_are_and_it_stays_json() {
        let token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
        let mut value = json!({
            "list": [token, 1, null, { token: "x" }],
            "password": "hunter2!Xy7",
            "tokens": "128000",
            "note": "the password is stored in 1Password",
        });
        Guarded { allowed: &[] }.mask_json(&mut value);
        let expected = json!({
            "list": ["[redacted: github-pat]", 1, null, { "[redacted: github-pat]": "x" }],
            "password": "[redacted: password]",
            "tokens": "128000",
            "note": "the password is stored in 1Password",
        });
        assert_eq!(value, expected);
    }

    #[test]
    fn what_a_person_allowed_is_left_in_json() {
        let token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
        let allowed = vec![fingerprint("github-pat", token)];
        let mut value = json!({ "a": token });
        Guarded { allowed: &allowed }.mask_json(&mut value);
        assert_eq!(value, json!({ "a": token }));
    }
}
