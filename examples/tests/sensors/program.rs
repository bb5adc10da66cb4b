//! An example that runs beside the test, in a directory of its own.

#![expect(
    clippy::disallowed_methods,
    reason = "the examples are started as processes, and waited for"
)]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// It is killed at the end of the test, if it still runs then.
pub(crate) struct Program {
    child: Child,
    directory: TempDir,
    lines: Receiver<String>,
}

impl Program {
    /// Starts the example `name` where `.claude/attend.yaml` says `config`.
    pub(crate) fn start(name: &str, config: &str) -> Self {
        Self::fed(name, &[(".claude/attend.yaml", config)], "")
    }

    /// Starts the example `name` where `files` lie, with `input` on its input.
    pub(crate) fn fed(name: &str, files: &[(&str, &str)], input: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = directory.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let mut child = Command::new(built(name))
            .current_dir(directory.path())
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // One that does not read its input may end before it was written.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let (send, lines) = channel();
        let out = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            let lines = out.lines().map_while(Result::ok);
            lines.map_while(|line| send.send(line).ok()).count()
        });
        Self {
            child,
            directory,
            lines,
        }
    }

    pub(crate) fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// Its next line.
    #[track_caller]
    pub(crate) fn line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("a line")
    }

    /// The lines that it writes until it ends, which it does well.
    pub(crate) fn rest(mut self) -> Vec<String> {
        assert!(self.child.wait().unwrap().success());
        self.lines.iter().collect()
    }

    /// The same once it is told to end.
    pub(crate) fn ends(self) -> Vec<String> {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        self.rest()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program of the example `name`, which cargo builds beside the tests.
fn built(name: &str) -> PathBuf {
    let me = std::env::current_exe().unwrap();
    let target = me.ancestors().nth(2).unwrap();
    let program = target.join("examples").join(name);
    let built = |path: &Path| fs::metadata(path).and_then(|found| found.modified()).ok();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("{name}.rs"));
    assert!(
        built(&program).is_some_and(|at| Some(at) >= built(&source)),
        "{} is not built: cargo build -p examples --examples",
        program.display()
    );
    program
}

/// What the comment at the top of the example `name` says that it prints.
pub(crate) fn promised(name: &str) -> Vec<String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("{name}.rs"));
    let text = fs::read_to_string(source).unwrap();
    let comment = text.lines().map_while(|line| line.strip_prefix("//!"));
    let printed = comment.skip_while(|line| *line != " ```text").skip(1);
    let printed = printed.take_while(|line| *line != " ```");
    printed.map(|line| line.trim_start().to_owned()).collect()
}

/// Words in which numbers are `N`.
pub(crate) fn without_numbers(line: &str) -> String {
    let mut told = String::new();
    for c in line.chars() {
        let digit = c.is_ascii_digit() || c == '.';
        match (digit, told.ends_with('N')) {
            (true, true) => {}
            (true, false) => told.push('N'),
            (false, _) => told.push(c),
        }
    }
    told
}
