//! `attend whoami`: who speaks from here, on which seat, and how that was found.

use std::fmt::Write as _;

use attend_core::attention::sanitise;
use attend_core::mail::{Answer, Query, Seated, SenderKind};
use attend_core::sensor::{Evidence, Identity, SessionInfo};
use serde::Serialize;

use crate::cli::WhoamiArgs;
use crate::env::Env;
use crate::mailbox::{Mail, ask, unfit};
use crate::output::{Failure, complain, print, print_json};
use crate::speaker::{self, Agent, Speaker};

/// Who asks, as it is printed. What there is not is null.
#[derive(Serialize, Debug)]
struct WhoAmI {
    /// The name of the seat.
    seat: Option<String>,
    kind: SenderKind,
    session_id: Option<String>,
    /// The name of the project's folder.
    project: Option<String>,
    /// The top of the work tree.
    root: Option<String>,
    /// The name of the project in mail.
    persona: Option<String>,
    /// How the session was found: `named`, `hook`, `environment` or `record`.
    found_by: Option<&'static str>,
    /// The host's process.
    host_pid: Option<u32>,
}

/// Prints who speaks where this command runs. An interactive session sits down first.
pub(crate) fn whoami(args: &WhoamiArgs, env: &Env) -> Result<(), Failure> {
    let speaker = speaker::find(args.session.as_deref(), env)?;
    let who = match &speaker {
        Speaker::Agent(agent) => {
            let (seated, persona) = seated(&speaker, agent, env);
            WhoAmI::agent(agent, seated, persona)
        }
        Speaker::Person(name) => WhoAmI {
            seat: Some(name.as_str().to_owned()),
            ..WhoAmI::nobody(speaker.kind())
        },
        Speaker::Program => WhoAmI::nobody(speaker.kind()),
    };
    if args.json {
        print_json(&who)
    } else {
        print(&who.to_text())
    }
}

/// The seat of a session and the persona of its project, as far as there are any. That no mail
/// can be read is no reason not to say who it is.
fn seated(speaker: &Speaker, agent: &Agent, env: &Env) -> (Option<Seated>, Option<String>) {
    let looked = Mail::of(env).and_then(|mail| {
        let taken = mail.open().and_then(|mailbox| {
            let seated = speaker.sit(&mailbox)?;
            Ok((Some(mailbox), seated))
        });
        let (mailbox, seated) = match taken {
            Err(error) if speaker::is_read_only(&error) => (mail.existing()?, None),
            taken => taken?,
        };
        let Some(mailbox) = mailbox else {
            return Ok((None, None));
        };
        let seated = match seated {
            None => speaker.seated(&mailbox)?,
            some => some,
        };
        match ask(&mailbox, &Query::Project(agent.place.clone()))? {
            Answer::Project(persona) => Ok((seated, persona)),
            other => Err(unfit(&other)),
        }
    });
    looked.unwrap_or_else(|failure| {
        complain(&format!("the seat is not known: {failure}"));
        (None, None)
    })
}

impl WhoAmI {
    fn nobody(kind: SenderKind) -> Self {
        Self {
            seat: None,
            kind,
            session_id: None,
            project: None,
            root: None,
            persona: None,
            found_by: None,
            host_pid: None,
        }
    }

    fn agent(agent: &Agent, seated: Option<Seated>, persona: Option<String>) -> Self {
        let (seat, of_seat) =
            seated.map_or((None, None), |seated| (Some(seated.name), seated.persona));
        Self {
            seat,
            session_id: Some(agent.session.clone()),
            project: Some(agent.place.folder()),
            root: Some(agent.place.root.display().to_string()),
            persona: of_seat.or(persona),
            found_by: Some(found_by(&agent.info)),
            host_pid: agent.info.process.as_ref().map(|process| process.pid),
            ..Self::nobody(SenderKind::Agent)
        }
    }

    fn to_text(&self) -> String {
        let mut text = String::new();
        let said = |text: &Option<String>| text.as_deref().map(sanitise).unwrap_or_default();
        let _ = match (self.kind, &self.seat) {
            (SenderKind::Person, _) => writeln!(
                text,
                "{}, a person (a terminal, and no host above this process)",
                said(&self.seat)
            ),
            (SenderKind::Program, _) => writeln!(
                text,
                "a program (neither a host above this process nor a terminal): it may send, and has no mail"
            ),
            (_, Some(_)) => writeln!(text, "{}, an agent", said(&self.seat)),
            (_, None) => writeln!(text, "an agent without a seat"),
        };
        if let Some(session) = &self.session_id {
            let how = match self.found_by {
                Some("named") => "as it was named",
                Some("hook") => "a hook of the host told it when the session began",
                Some("environment") => "the host's environment names it",
                _ => "the host's record of its process names it",
            };
            let pid = self.host_pid.map(|pid| format!(", process {pid}"));
            let pid = pid.unwrap_or_default();
            let _ = writeln!(text, "session {} ({how}{pid})", sanitise(session));
        }
        if self.root.is_some() {
            let persona = match &self.persona {
                Some(persona) => format!(", called {} in mail", sanitise(persona)),
                None => String::new(),
            };
            let (project, root) = (said(&self.project), said(&self.root));
            let _ = writeln!(text, "project {project} at {root}{persona}");
        }
        text
    }
}

fn found_by(info: &SessionInfo) -> &'static str {
    match &info.identity {
        Identity::Known {
            by: Evidence::Named,
            ..
        } => "named",
        Identity::Known {
            by: Evidence::Hook, ..
        } => "hook",
        Identity::Known {
            by: Evidence::Environment,
            ..
        } => "environment",
        _ => "record",
    }
}
