//! What was looked at, what was found, and what to do about it.

use std::fmt::Write as _;

use attend_core::attention::sanitise;
use serde::Serialize;

/// Everything that was looked at, in order.
#[derive(Serialize, Debug)]
pub(super) struct Report {
    version: &'static str,
    checks: Vec<Check>,
    /// How many of them have something to mend.
    pub(super) findings: usize,
}

#[derive(Serialize, Debug)]
struct Check {
    name: &'static str,
    outcome: Outcome,
    text: String,
    /// What to do about it; null where there is nothing to do.
    remedy: Option<String>,
}

#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    /// It is as it has to be.
    Ok,
    /// It is worth knowing, and may stay so.
    Note,
    /// It has to be mended, or something does not work.
    Finding,
}

impl Default for Report {
    fn default() -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            checks: Vec::new(),
            findings: 0,
        }
    }
}

impl Report {
    /// What was looked at is as it has to be.
    pub(super) fn fine(&mut self, name: &'static str, text: impl AsRef<str>) {
        self.add(name, Outcome::Ok, text.as_ref(), None);
    }

    /// It is worth knowing, and may stay so.
    pub(super) fn note(&mut self, name: &'static str, text: impl AsRef<str>) {
        self.add(name, Outcome::Note, text.as_ref(), None);
    }

    /// The same, where something can be done about it.
    pub(super) fn advise(&mut self, name: &'static str, text: impl AsRef<str>, remedy: &str) {
        self.add(name, Outcome::Note, text.as_ref(), Some(remedy));
    }

    /// It has to be mended, and how.
    pub(super) fn found(&mut self, name: &'static str, text: impl AsRef<str>, remedy: &str) {
        self.findings += 1;
        self.add(name, Outcome::Finding, text.as_ref(), Some(remedy));
    }

    /// The same, as an error tells it: what went wrong, a semicolon, and what to do; where it does
    /// not say that, it is `else_do`.
    pub(super) fn told(&mut self, name: &'static str, error: &str, else_do: &str) {
        let (text, remedy) = error.rsplit_once("; ").unwrap_or((error, else_do));
        self.found(name, text, remedy);
    }

    fn add(&mut self, name: &'static str, outcome: Outcome, text: &str, remedy: Option<&str>) {
        self.checks.push(Check {
            name,
            outcome,
            text: sanitise(text),
            remedy: remedy.map(sanitise),
        });
    }

    pub(super) fn to_text(&self) -> String {
        let width = self.checks.iter().map(|check| check.name.len()).max();
        let width = width.unwrap_or(0);
        let mut text = String::new();
        for check in &self.checks {
            let outcome = match check.outcome {
                Outcome::Ok => "ok",
                Outcome::Note => "note",
                Outcome::Finding => "MEND",
            };
            let _ = writeln!(text, "{outcome:4}  {:width$}  {}", check.name, check.text);
            if let Some(remedy) = &check.remedy {
                let _ = writeln!(text, "      {:width$}  → {remedy}", "");
            }
        }
        let _ = match self.findings {
            0 => writeln!(text, "\nnothing to mend"),
            1 => writeln!(text, "\n1 thing to mend"),
            count => writeln!(text, "\n{count} things to mend"),
        };
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_what_went_wrong_and_what_to_do() {
        let mut report = Report::default();
        report.fine("home", "it can be written");
        report.told(
            "store",
            "it is damaged (a; \u{1b}[2J); move it away",
            "look",
        );
        report.told("ways", "it cannot be told", "look there");
        report.note("mail", "there is none yet");
        let text = report.to_text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "ok    home   it can be written");
        assert!(
            lines[1].starts_with("MEND  store  it is damaged (a; "),
            "{text}"
        );
        assert_eq!(lines[2], "             → move it away");
        assert_eq!(lines[3], "MEND  ways   it cannot be told");
        assert_eq!(lines[4], "             → look there");
        assert_eq!(
            lines[5..],
            ["note  mail   there is none yet", "", "2 things to mend"]
        );
        assert!(!text.contains('\u{1b}'), "{text}");
        assert_eq!(report.findings, 2);
    }
}
