//! Who speaks: an agent, a person or a program, decided by the process and never by any text.

use std::path::PathBuf;

use attend_core::mail::{
    Answer, MailError, MailErrorKind, Name, Place, Process, Query, Reader, Seated, Sender,
    SenderKind, Sitter,
};
use attend_core::runtime::system::{SystemAround, has_terminal, user_name};
use attend_core::sensor::{HostProcess, Identity, SessionInfo};
use attend_sensors::host::claude_code::transcript;

use crate::env::{self, Env};
use crate::mailbox::{Mail, Open, ask, unfit};
use crate::output::{Failure, complain};
use crate::{former, session, tree};

/// Whoever runs this command.
#[derive(Clone, Debug)]
pub(crate) enum Speaker {
    /// A session of an agent.
    Agent(Box<Agent>),
    /// The person at a terminal.
    Person(Name),
    /// Neither.
    Program,
}

/// A session of an agent, as far as it is known.
#[derive(Clone, Debug)]
pub(crate) struct Agent {
    /// The session's id.
    pub(crate) session: String,
    /// What the host says of it.
    pub(crate) info: SessionInfo,
    /// Where it works.
    pub(crate) place: Place,
    /// The host's process, where the session may take a seat.
    process: Option<Process>,
    /// Where the host keeps its files.
    host_root: Option<PathBuf>,
}

/// Decides who runs this command: the nearest host above this process; else the session that the
/// environment names, where a record agrees; else a person, where a terminal controls the
/// process; else a program. `named` is a session that somebody asks about, which takes no seat.
pub(crate) fn find(named: Option<&str>, env: &Env) -> Result<Speaker, Failure> {
    let info = session::host(named, env).session();
    if let Some(doubt) = session::check(&info, env)? {
        complain(&doubt);
    }
    match &info.identity {
        Identity::Known { id, .. } => {
            let session = id.clone();
            let place = place_of(&info, env)?;
            let sits = named.is_none() && info.interactive == Some(true);
            let process = info.process.as_ref().filter(|_| sits);
            let process = process.map(|host| process_of(host, &SystemAround::new()));
            Ok(Speaker::Agent(Box::new(Agent {
                session,
                info,
                place,
                process,
                host_root: env.host_root(),
            })))
        }
        Identity::NoHost => Ok(by_terminal()),
        Identity::Refused { reason } if named.is_none() => {
            complain(&format!("not taken for an agent: {reason}"));
            Ok(by_terminal())
        }
        other => Err(Failure::refused(session::why_not(other))),
    }
}

fn by_terminal() -> Speaker {
    let person = has_terminal().then(person_name).flatten();
    person.map_or(Speaker::Program, Speaker::Person)
}

/// The user's name, in the form of a name that can be addressed.
fn person_name() -> Option<Name> {
    let known = user_name().unwrap_or_else(|| "user".to_owned());
    let fit = |c: char| match c {
        c if c.is_alphanumeric() || "._-".contains(c) => c,
        _ => '_',
    };
    let name: String = known.chars().take(100).map(fit).collect();
    Name::parse(&name).or_else(|| Name::parse(&format!("_{name}")))
}

/// Where a session works: where its host does.
fn place_of(info: &SessionInfo, env: &Env) -> Result<Place, Failure> {
    let cwd: PathBuf = match &info.cwd {
        Some(cwd) => cwd.clone(),
        None => env::directory(None)
            .map_err(|error| Failure::refused(format!("cannot tell this directory: {error}")))?,
    };
    tree::tracked_place(&cwd, env.host_root().as_deref()).map_err(|error| {
        let cwd = cwd.display();
        Failure::refused(format!(
            "cannot tell the project of this session, which works in {cwd}: {error}; make that directory \
             again, or let the session work in another"
        ))
    })
}

/// The host's process as a mailbox knows it. One whose life cannot be seen from here lives in a
/// namespace that nobody knows.
pub(crate) fn process_of(host: &HostProcess, around: &SystemAround) -> Process {
    let own = around.process(host.pid);
    let namespace = host.alive.map_or(0, |_| own.namespace);
    let started = host.started.clone().unwrap_or_default();
    Process::new(host.pid, started, own.boot, namespace)
}

impl Speaker {
    /// What it is.
    pub(crate) fn kind(&self) -> SenderKind {
        match self {
            Self::Agent(_) => SenderKind::Agent,
            Self::Person(_) => SenderKind::Person,
            Self::Program => SenderKind::Program,
        }
    }

    /// Sits down, where there is a seat for it; none for a program, and for a session that has
    /// none of its own.
    pub(crate) fn sit(&self, mailbox: &Open) -> Result<Option<Seated>, MailError> {
        let (sitter, host_root) = match self {
            Self::Agent(agent) => {
                let Some(process) = &agent.process else {
                    return Ok(None);
                };
                let sitter = Sitter::Session {
                    session: agent.session.clone(),
                    process: process.clone(),
                    place: agent.place.clone(),
                };
                (sitter, agent.host_root.as_deref())
            }
            Self::Person(name) => (Sitter::Person(name.clone()), None),
            Self::Program => return Ok(None),
        };
        former::sit(mailbox, &SystemAround::new(), sitter, host_root).map(Some)
    }

    /// The seat that it has already, without changing anything.
    pub(crate) fn seated(&self, mailbox: &Open) -> Result<Option<Seated>, Failure> {
        let query = match self {
            Self::Agent(agent) => Query::SeatOf {
                session: agent.session.clone(),
            },
            Self::Person(name) => Query::SeatOfPerson(name.clone()),
            Self::Program => return Ok(None),
        };
        match ask(mailbox, &query)? {
            Answer::Seat(seated) => Ok(seated),
            other => Err(unfit(&other)),
        }
    }

    /// Who it is as a sender, from the seat `seated` where it has one.
    pub(crate) fn sender(&self, seated: Option<&Seated>) -> Sender {
        match (self, seated) {
            (Self::Agent(agent), Some(seated)) => Sender::Seat {
                seat: seated.seat,
                session: Some(agent.session.clone()),
            },
            (Self::Agent(agent), None) => Sender::Session {
                session: agent.session.clone(),
                place: agent.place.clone(),
            },
            (Self::Person(_), Some(seated)) => Sender::Seat {
                seat: seated.seat,
                session: None,
            },
            _ => Sender::Program,
        }
    }

    /// This process as a reader of the seat `seated`.
    pub(crate) fn reader(&self, seated: &Seated, mail: &Mail) -> Reader {
        let session = match self {
            Self::Agent(agent) => agent.session.clone(),
            _ => seated.name.clone(),
        };
        seated.reader(session, mail.around().process(std::process::id()))
    }

    /// Whether what is shown to it can be found in a transcript.
    pub(crate) fn has_transcript(&self, env: &Env) -> bool {
        let Self::Agent(agent) = self else {
            return false;
        };
        let projects = env.host_root().map(|root| root.join("projects"));
        projects.is_some_and(|projects| transcript(&projects, &agent.session, None).is_some())
    }

    /// Why it has no seat, and what to do.
    pub(crate) fn no_seat(&self) -> Failure {
        Failure::refused(match self {
            Self::Agent(agent) if agent.process.is_none() => {
                "this session has no seat, so it has no mail: only an interactive session takes \
                 one; it may send"
            }
            Self::Program => {
                "this is neither a session of an agent nor a person at a terminal, so it has no \
                 mail; run it in one of them"
            }
            _ => {
                "nobody sits here yet; `attend whoami` in a session, or a first `attend send`, takes a seat"
            }
        })
    }
}

/// Whoever runs this command, on a seat where there is one for it: for commands that write.
pub(crate) fn seat(speaker: &Speaker, mailbox: &Open) -> Result<Seated, Failure> {
    speaker.sit(mailbox)?.ok_or_else(|| speaker.no_seat())
}

/// The mailbox and the seat whose mail is read, without changing anything where that can be
/// helped: what lies in a home that cannot be written is read all the same.
pub(crate) fn reading(speaker: &Speaker, mail: &Mail) -> Result<(Open, Seated), Failure> {
    let existing = mail.existing()?;
    if let Some(mailbox) = &existing
        && let Some(seated) = speaker.found(mailbox)?
    {
        return Ok((mailbox.clone(), seated));
    }
    if speaker.has_none() {
        return Err(speaker.no_seat());
    }
    let mailbox = match existing {
        Some(existing) => existing,
        None => mail.open()?,
    };
    let seated = seat(speaker, &mailbox)?;
    Ok((mailbox, seated))
}

impl Speaker {
    /// The seat that it has. A session sits down, where that can be written: whoever comes back
    /// is to find what was left for them.
    fn found(&self, mailbox: &Open) -> Result<Option<Seated>, Failure> {
        if let Self::Agent(_) = self {
            match self.sit(mailbox) {
                Err(error) if is_read_only(&error) => {}
                Ok(None) => {}
                sat => return Ok(sat?),
            }
        }
        self.seated(mailbox)
    }

    /// Whether it can have no seat at all.
    fn has_none(&self) -> bool {
        match self {
            Self::Agent(agent) => agent.process.is_none(),
            Self::Person(_) => false,
            Self::Program => true,
        }
    }
}

/// Whether an error says that the home cannot be written.
pub(crate) fn is_read_only(error: &MailError) -> bool {
    error.kind() == MailErrorKind::Denied
}
