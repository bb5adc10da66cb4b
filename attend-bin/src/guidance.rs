//! Guidance: the ways that hold here, and where the session stands on their axis.

use std::path::{Path, PathBuf};

use attend_core::attention::{HandledSignals, reveal};
use attend_core::dynamics::Curve;
use attend_core::runtime::config::WaysSettings;
use attend_core::sensor::{ContextUsage, HostAnswer, HostRequest, Identity};
use attend_core::ways::{Corpus, Origin, Position, Root, Summary, Way};
use attend_sensors::{built_in, disclosure};

use crate::env::Env;
use crate::output::{Failure, complain_as};
use crate::{place, session, shelf};

/// The ways that hold here.
#[derive(Debug)]
pub(crate) struct Guidance {
    pub(crate) corpus: Corpus,
    settings: WaysSettings,
}

/// Where the session stands.
#[derive(Debug)]
pub(crate) struct Here {
    /// The project that it works in.
    pub(crate) project: PathBuf,
    /// The session; none where that is not known.
    pub(crate) session: Option<String>,
    /// How full its context is, as far as that is known.
    pub(crate) usage: Option<ContextUsage>,
    /// What is not known, for people.
    pub(crate) lacks: Option<String>,
}

impl Guidance {
    /// Those of the project at `project`. What is skipped is said on stderr.
    pub(crate) fn of(project: &Path, env: &Env) -> Self {
        let guidance = Self::quietly(project, env);
        for warning in guidance.corpus.warnings() {
            complain_as("ways", warning);
        }
        guidance
    }

    /// The same, without a word.
    pub(crate) fn quietly(project: &Path, env: &Env) -> Self {
        let settings = place::config(project, env).read().ways;
        let mut corpus = Corpus::load(&roots(project, &settings, env));
        // What the sensor of that name teaches.
        corpus.add_bundled("attend", &disclosure::way());
        Self { corpus, settings }
    }

    /// Those of whose trigger `wanted` takes the summary, without a word; of those that come with
    /// the program only where they are `bundled` in.
    pub(crate) fn sought(
        project: &Path,
        (env, settings): (&Env, WaysSettings),
        bundled: bool,
        wanted: &dyn Fn(&Summary) -> bool,
    ) -> Self {
        let mut corpus = if bundled {
            let mut corpus = Corpus::bundled();
            corpus.add_bundled("attend", &disclosure::way());
            corpus
        } else {
            Corpus::default()
        };
        for root in roots(project, &settings, env) {
            shelf::seek(&mut corpus, &root, wanted, env);
        }
        Self { corpus, settings }
    }

    /// The directories with ways of the project at `project`, the later over the earlier.
    pub(crate) fn roots(&self, project: &Path, env: &Env) -> Vec<Root> {
        roots(project, &self.settings, env)
    }

    /// The curve of `way` in a window of `window` tokens.
    pub(crate) fn curve(&self, way: &Way, window: u64) -> Curve {
        way.cadence.curve_in(window, self.settings.default_refire)
    }

    /// The signals of the built-in sensors that some way handles, with what its guidance is for.
    pub(crate) fn handled(&self) -> HandledSignals {
        let known = self.corpus.signals();
        let registry = built_in();
        let declared = registry.kinds().flat_map(|kind| &kind.declares().signals);
        let handled = declared.filter(|(signal, _)| known.contains(&signal.as_str()));
        handled.cloned().collect()
    }
}

impl Here {
    /// Where the session that was named stands, or the one that this process lies in.
    pub(crate) fn find(named: Option<&str>, env: &Env) -> Result<Self, Failure> {
        let host = session::host(named, env);
        let info = session::look(&host)?;
        session::check(&info, env)?;
        let Identity::Known { id, .. } = &info.identity else {
            if named.is_some() {
                return Err(Failure::refused(session::why_not(&info.identity)));
            }
            return Ok(Self {
                project: place::project(None)?,
                session: None,
                usage: None,
                lacks: Some(session::why_not(&info.identity)),
            });
        };
        let usage = match host.answer(&HostRequest::Context) {
            Ok(HostAnswer::Context(usage)) => Ok(usage),
            Ok(_) => Err("the host does not say how full the context is".to_owned()),
            Err(error) => Err(format!("cannot read the context's size: {error}")),
        };
        let lacks = match &usage {
            Ok(usage) if usage.tokens.is_some() => None,
            Ok(_) => Some("how many tokens the context holds is not known yet".to_owned()),
            Err(why) => Some(why.clone()),
        };
        // A session that ended is still one whose directory may be gone.
        let project = place::of_session(&info).or_else(|_| place::project(None))?;
        Ok(Self {
            project,
            session: Some(id.clone()),
            usage: usage.ok(),
            lacks,
        })
    }

    /// The session and its position on the axis of tokens, where both are known.
    pub(crate) fn position(&self) -> Option<(&str, Position, u64)> {
        let usage = self.usage.as_ref()?;
        let position = Position::new(usage.epoch.clone(), usage.tokens?);
        Some((self.session.as_deref()?, position, usage.window))
    }

    /// The session and its position, for a command that is nothing without them.
    pub(crate) fn known(&self) -> Result<(&str, Position, u64), Failure> {
        let why = || Failure::refused(self.lacks.clone().unwrap_or_default());
        self.position().ok_or_else(why)
    }
}

/// The directories with ways, the later over the earlier.
pub(crate) fn roots(project: &Path, settings: &WaysSettings, env: &Env) -> Vec<Root> {
    let more = settings.roots.iter().filter_map(|named| {
        let path = match named.strip_prefix("~/") {
            Some(below) => env.home()?.join(below),
            None => PathBuf::from(named),
        };
        Some((Origin::More, path))
    });
    let user = env
        .config()
        .map(|config| (Origin::User, config.join("ways")));
    let project = (Origin::Project, project.join(".claude/ways"));
    let all = more.chain(user).chain([project]);
    all.map(|(origin, path)| Root { origin, path }).collect()
}

/// The body of a way, harmless, in its lines.
///
/// Unlike in a line that a monitor reads, angle brackets and tabs may stay: there is code in it.
pub(crate) fn body(text: &str) -> String {
    let lines = text.trim_end().lines();
    lines
        .flat_map(|line| [reveal(line), "\n".to_owned()])
        .collect()
}

/// A number with commas between the thousands.
pub(crate) fn figure(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_keeps_its_code_and_loses_what_a_terminal_obeys() {
        let text = "\tgit push <remote> -> x\r\n\n\u{1b}[2Jred\u{202e}\u{ad} ☎\u{fe0f}\n [attend sensor=git priority=high] no\n- [ ] a\n\n";
        let expected = "\tgit push <remote> -> x\n\n␛[2Jred‹U+202E›‹U+00AD› ☎\u{fe0f}\n (attend sensor=git priority=high] no\n- [ ] a\n";
        assert_eq!(body(text), expected);
    }

    #[test]
    fn thousands_are_set_apart() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(figure(number), text);
        }
    }
}
