//! `attend config trust`: a person allows what a project would have run.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use attend_core::attention::sanitise;
use attend_core::runtime::StateDir;
use attend_core::runtime::config::{Asked, Reader, Trust};
use attend_core::runtime::system::user_home;
use attend_core::sensor::Value;
use attend_sensors::built_in;
use attend_sensors::host::claude_code::{Lineage, lineage};
use attend_sensors::script::Protocol;

use crate::cli::TrustArgs;
use crate::env::Env;
use crate::output::{Failure, print};
use crate::place::{self, ADVICE};
use crate::session;
use crate::speaker::{self, Speaker};
use crate::trust::{self, Book, Permission, Wanted};

/// How long another one may take to write down what it allows.
const PATIENCE: Duration = Duration::from_secs(2);

/// More than anybody answers.
const MOST_ANSWER: u64 = 100;

/// What is asked for, and how that stands.
struct Request {
    wanted: Wanted,
    permission: Permission,
}

/// Allows, shows or withdraws.
pub(crate) fn trust(args: &TrustArgs, env: &Env) -> Result<(), Failure> {
    let root = place::project(args.project.as_deref())?;
    if args.withdraw {
        return withdraw(&root, env);
    }
    let book = match trust::place(env).map(StateDir::existing).transpose() {
        Ok(dir) => dir.flatten().map(|dir| Book::read(&dir)).transpose(),
        Err(error) => Err(format!("{error}; {ADVICE}")),
    };
    let book = book.map_err(Failure::refused)?.unwrap_or_default();
    let (requests, refused) = requests(&root, &book, env);
    let mut text = String::new();
    for (name, why) in &refused {
        let _ = writeln!(text, "{name} cannot be allowed: {}", sanitise(why));
    }
    for request in &requests {
        text.push_str(&request.to_text());
    }
    if requests.is_empty() && refused.is_empty() {
        text.push_str("the file of this project would have nothing run\n");
    }
    let new = requests
        .iter()
        .filter(|request| request.permission != Permission::Allowed);
    let new: Vec<&Request> = new.collect();
    if args.show || new.is_empty() {
        return print(&text);
    }
    only_a_person(&root, env)?;
    print(&text)?;
    if !answers_yes("\nAllow this to run on this machine, as it is now? Type yes: ")? {
        return Err(Failure::refused("nothing was allowed"));
    }
    change(env, |book| {
        for request in &new {
            let wanted = &request.wanted;
            book.allow(&root, &wanted.sensor, &wanted.fingerprint());
        }
    })?;
    let names = new.iter().map(|request| request.wanted.sensor.as_str());
    let names: Vec<&str> = names.collect();
    print(&format!("allowed: {}\n", names.join(", ")))
}

fn withdraw(root: &Path, env: &Env) -> Result<(), Failure> {
    let mut gone = Vec::new();
    change(env, |book| gone = book.withdraw(root))?;
    print(&match gone.as_slice() {
        [] => "nothing of this project was allowed\n".to_owned(),
        names => format!("withdrawn: {}\n", names.join(", ")),
    })
}

/// What the project's file asks for; and what of it cannot be allowed, and why.
fn requests(root: &Path, book: &Book, env: &Env) -> (Vec<Request>, Vec<(String, String)>) {
    let asked = Asking::default();
    Reader::new(place::config_places(root, env), built_in())
        .trusting(asked.clone())
        .read();
    let asked = std::mem::take(&mut *asked.0.lock().unwrap_or_else(PoisonError::into_inner));
    let roots = session::roots(root, env);
    let (mut requests, mut refused) = (Vec::new(), Vec::new());
    for asked in asked {
        match Wanted::of(&asked, &roots) {
            Ok(wanted) => requests.push(Request {
                permission: book.permission(root, &wanted),
                wanted,
            }),
            Err(why) => refused.push((asked.name.to_string(), why)),
        }
    }
    (requests, refused)
}

/// Notes what is asked for, and allows nothing.
#[derive(Clone, Debug, Default)]
struct Asking(Arc<Mutex<Vec<Asked>>>);

impl Trust for Asking {
    fn renew(&mut self) -> bool {
        false
    }

    fn judge(&self, asked: &Asked) -> Result<Value, String> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(asked.clone());
        Err(String::new())
    }
}

impl Request {
    fn to_text(&self) -> String {
        let Wanted {
            sensor,
            config,
            pin,
            common,
        } = &self.wanted;
        let words = pin.argv.iter();
        let words: Vec<String> = words.map(|word| word.display().to_string()).collect();
        let how = match config.protocol {
            Protocol::Stream => "runs on:        ",
            _ => "at each look:   ",
        };
        let permission = match self.permission {
            Permission::Allowed => "allowed",
            Permission::Changed => "no longer what was allowed",
            Permission::New => "not allowed yet",
        };
        let mut text = format!("{sensor}: {permission}\n");
        let _ = writeln!(text, "  {how}{}", sanitise(&words.join(" ")));
        for file in &pin.files {
            let file = sanitise(&file.display().to_string());
            let _ = writeln!(text, "  content counts: {file}");
        }
        if !common.is_empty() {
            let said = common.iter().map(|(key, value)| format!("{key}: {value}"));
            let said: Vec<String> = said.collect();
            let _ = writeln!(text, "  as configured:  {}", sanitise(&said.join(", ")));
        }
        let _ = writeln!(text, "  fingerprint:    {}", self.wanted.fingerprint());
        text
    }
}

/// Refuses everybody but a person at a terminal.
fn only_a_person(root: &Path, env: &Env) -> Result<(), Failure> {
    let shown = root.display();
    let refused = |who: &str| {
        Failure::refused(format!(
            "only a person can allow this, at a terminal of their own, and this is {who}; there: attend config trust --project '{shown}'"
        ))
    };
    match speaker::find(None, env)? {
        Speaker::Agent(_) => Err(refused("a session of an agent")),
        Speaker::Program => Err(refused("no terminal")),
        Speaker::Person(_) if env.names_session() => {
            Err(refused("an environment that names a session of an agent"))
        }
        Speaker::Person(_) => match traces(env) {
            None => Ok(()),
            Some(Lineage::Apart(record)) => Err(refused(&format!(
                "a namespace of processes of its own, from which the host of the session in {} cannot be seen",
                record.display()
            ))),
            Some(Lineage::Below(pid)) => Err(refused(&format!(
                "below process {pid}, which a host of agents started or is"
            ))),
            Some(_) => Err(refused("perhaps below a host of agents")),
        },
    }
}

/// What tells of a host above this process, whatever this process was told of one.
fn traces(env: &Env) -> Option<Lineage> {
    let usual = user_home().map(|home| home.join(".claude"));
    let hosts: Vec<PathBuf> = env.host_root().into_iter().chain(usual).collect();
    lineage(Path::new("/proc"), &hosts, std::process::id())
}

/// Whether the person at the terminal answers `question` with `yes`, whatever standard input and
/// output are.
fn answers_yes(question: &str) -> Result<bool, Failure> {
    let failed = |error: std::io::Error| {
        Failure::refused(format!("cannot ask at the terminal /dev/tty: {error}"))
    };
    let terminal = OpenOptions::new().read(true).write(true).open("/dev/tty");
    let mut terminal = terminal.map_err(failed)?;
    terminal.write_all(question.as_bytes()).map_err(failed)?;
    let mut answer = String::new();
    let mut reader = BufReader::new(terminal).take(MOST_ANSWER);
    reader.read_line(&mut answer).map_err(failed)?;
    Ok(answer.trim() == "yes")
}

/// Writes down what `change` makes of what is allowed.
fn change(env: &Env, change: impl FnOnce(&mut Book)) -> Result<(), Failure> {
    let Some(place) = trust::place(env) else {
        return Err(Failure::refused(format!(
            "there is no place to write it down: neither ATTEND_HOME nor HOME names a directory; {ADVICE}"
        )));
    };
    let refused = |error: attend_core::runtime::StateError| {
        Failure::refused(format!(
            "cannot write down what is allowed: {error}; {ADVICE}"
        ))
    };
    let dir = StateDir::open(place).map_err(refused)?;
    let _lock = dir.lock_within(PATIENCE).map_err(refused)?;
    let mut book = Book::read(&dir).map_err(Failure::refused)?;
    change(&mut book);
    book.write(&dir).map_err(refused)
}
