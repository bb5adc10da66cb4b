//! Who sits at a desk: sessions of a fake host that live on, a person at a terminal, a program.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

use serde_json::{Value, json};

use crate::delivered::Delivered;
use crate::home::{scrub, stderr, stdout};
use crate::live::{PATIENCE, left_out};
use crate::monitor_pipe::MonitorPipe;
use crate::world::World;

/// Two sessions.
pub(crate) const ONE: &str = "00000000-0000-4000-8000-000000000001";
pub(crate) const TWO: &str = "00000000-0000-4000-8000-000000000002";

/// What one command did.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Done {
    fn of(output: &Output) -> Self {
        Self {
            code: output.status.code().expect("an exit code"),
            out: stdout(output),
            err: stderr(output),
        }
    }

    /// What was printed, by a command that did what was asked.
    #[track_caller]
    pub(crate) fn ok(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (0, ""), "{}", self.out);
        self.out
    }

    /// The same as JSON.
    #[track_caller]
    pub(crate) fn json(self) -> Value {
        serde_json::from_str(&self.ok()).expect("one JSON document")
    }

    /// What a refused command said.
    #[track_caller]
    pub(crate) fn refused(self) -> String {
        assert_eq!((self.code, self.out.as_str()), (1, ""), "{}", self.err);
        self.err
    }
}

/// A live session: a process named as the host's is, which runs commands and lives on.
pub(crate) struct Desk {
    child: Child,
    commands: Option<ChildStdin>,
    told: BufReader<ChildStdout>,
    place: PathBuf,
    /// Where it works.
    dir: PathBuf,
}

impl Desk {
    /// The interactive session `session` in the project, with a record of its own.
    pub(crate) fn new(world: &World, session: &str) -> Self {
        let desk = Self::start(world);
        desk.record(world, session, "interactive");
        desk
    }

    /// The same without a person at it.
    pub(crate) fn headless(world: &World, session: &str) -> Self {
        let desk = Self::start(world);
        desk.record(world, session, "headless");
        desk
    }

    /// An interactive session in another directory than the project.
    pub(crate) fn in_dir(world: &World, dir: PathBuf, session: &str) -> Self {
        let desk = Self::start_in(world, dir);
        desk.record(world, session, "interactive");
        desk
    }

    /// A host that has no record yet.
    pub(crate) fn start(world: &World) -> Self {
        Self::start_in(world, world.repo())
    }

    fn start_in(world: &World, dir: PathBuf) -> Self {
        let program = world.beside("claude-bin/claude");
        fs::create_dir_all(world.beside("claude-bin")).expect("a directory");
        if !program.exists() {
            std::os::unix::fs::symlink("/bin/sh", &program).expect("a shell");
        }
        // A subshell would be a process of the host's name, too.
        let script =
            "while IFS= read -r line; do eval \"{ $line; }\" </dev/null; echo \"=$?\"; done";
        let mut command = Command::new(program);
        scrub(&mut command, world.home.path());
        command
            .args(["-c", script])
            .env("A", env!("CARGO_BIN_EXE_attend"))
            .current_dir(&dir)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit());
        let mut child = command.spawn().expect("it starts");
        Self {
            commands: child.stdin.take(),
            told: BufReader::new(child.stdout.take().expect("a pipe")),
            place: world.beside(&format!("desk-{}", child.id())),
            child,
            dir,
        }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Writes the host's record of this process, which says that it holds `session`.
    pub(crate) fn record(&self, world: &World, session: &str, kind: &str) {
        self.record_of(world, session, (kind, "busy"));
    }

    /// The same of an interactive session, which does `status`.
    pub(crate) fn record_doing(&self, world: &World, session: &str, status: &str) {
        self.record_of(world, session, ("interactive", status));
    }

    fn record_of(&self, world: &World, session: &str, (kind, status): (&str, &str)) {
        let pid = self.pid();
        let record = json!({
            "pid": pid, "sessionId": session, "cwd": self.dir, "procStart": started(pid),
            "startedAt": 1, "kind": kind, "entrypoint": "cli", "status": status,
            "statusUpdatedAt": 1,
        });
        let sessions = world.beside("claude/sessions");
        fs::create_dir_all(&sessions).expect("a directory");
        fs::write(sessions.join(format!("{pid}.json")), record.to_string()).expect("a record");
    }

    /// Runs a line of shell in which `attend` stands for the program.
    pub(crate) fn run(&mut self, line: &str) -> Done {
        let (out, err) = (
            self.place.with_extension("out"),
            self.place.with_extension("err"),
        );
        let line = line.replace("attend ", "\"$A\" ");
        let commands = self.commands.as_mut().expect("it is open");
        writeln!(
            commands,
            "{{ {line}; }} >'{}' 2>'{}'",
            out.display(),
            err.display()
        )
        .expect("it reads commands");
        let mut code = String::new();
        self.told.read_line(&mut code).expect("it says how it went");
        let code = code.trim().strip_prefix('=').expect("an exit code");
        Done {
            code: code.parse().expect("a number"),
            out: fs::read_to_string(out).expect("UTF-8"),
            err: fs::read_to_string(err).expect("UTF-8"),
        }
    }

    /// Starts a loop under Monitor in this process, past its banner. Gives its pid, too.
    pub(crate) fn reader(&mut self) -> (String, Delivered) {
        let (monitor, writer, path) = MonitorPipe::named();
        let started = self.run(&format!("attend run >'{path}' 2>/dev/null & echo $!"));
        let mut delivered = Delivered::by(monitor);
        let banner = delivered.line_within(PATIENCE).expect("a banner");
        assert!(banner.starts_with("[attend]"), "{banner}");
        drop(writer);
        // The shell may have something to say of one that was killed.
        (started.out.trim().to_owned(), delivered)
    }

    /// The name of its seat.
    #[track_caller]
    pub(crate) fn seat(&mut self) -> String {
        let who = self.run("attend whoami --json").json();
        who["seat"].as_str().expect("a seat").to_owned()
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.commands = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// When the process `pid` started, as its record says it: field 22 of its `stat`.
fn started(pid: u32) -> String {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("it runs");
    let (_, fields) = stat.rsplit_once(')').expect("a name in brackets");
    let started = fields.split_whitespace().nth(19);
    started.expect("22 fields").to_owned()
}

/// A line of shell run by a person at a terminal; none where there is no program that makes one.
pub(crate) fn person(world: &World, line: &str) -> Option<Done> {
    person_says(world, line, "")
}

/// The same by a person who types `answer`.
pub(crate) fn person_says(world: &World, line: &str, answer: &str) -> Option<Done> {
    let (out, err) = (world.beside("person.out"), world.beside("person.err"));
    let line = line.replace("attend ", "\"$A\" ");
    let line = format!("{{ {line}; }} >'{}' 2>'{}'", out.display(), err.display());
    let mut command = Command::new("script");
    scrub(&mut command, world.home.path());
    let output = command
        .args(["-qec", &line, "/dev/null"])
        .env("A", env!("CARGO_BIN_EXE_attend"))
        .env("SHELL", "/bin/sh")
        .env("USER", "somebody-else")
        .env("LOGNAME", "somebody-else")
        .current_dir(world.repo())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut typed) = output else {
        left_out("a person at a terminal", "script is not installed");
        return None;
    };
    let mut keys = typed.stdin.take().expect("a pipe");
    keys.write_all(answer.as_bytes()).expect("it reads");
    drop(keys);
    let output = typed.wait_with_output().expect("it ends");
    Some(Done {
        code: output.status.code().expect("an exit code"),
        out: fs::read_to_string(out).expect("UTF-8"),
        err: fs::read_to_string(err).expect("UTF-8"),
    })
}

/// `attend` run by neither an agent nor a person: without a terminal.
pub(crate) fn program(world: &World, args: &[&str]) -> Done {
    Done::of(&alone(world, args).output().expect("setsid starts"))
}

/// The same, not started yet.
pub(crate) fn alone(world: &World, args: &[&str]) -> Command {
    let mut command = Command::new("setsid");
    scrub(&mut command, world.home.path());
    command
        .args(["-w", env!("CARGO_BIN_EXE_attend")])
        .args(args)
        .current_dir(world.repo())
        .stdin(Stdio::null());
    command
}

/// The user's name, as the system knows it.
pub(crate) fn user() -> String {
    let output = Command::new("id").arg("-un").output().expect("id starts");
    stdout(&output).trim().to_owned()
}

/// The id of the message that a receipt in JSON tells of.
#[track_caller]
pub(crate) fn id(receipt: &Value) -> String {
    receipt["id"].as_str().expect("an id").to_owned()
}
