//! Places in which real processes of `attend` are started and timed.

use std::fs::{self, File};
use std::os::unix::fs::{DirBuilderExt as _, FileExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Where everything lies.
pub(crate) struct Place {
    pub(crate) attend: PathBuf,
    pub(crate) dir: PathBuf,
}

/// A process that is named and recorded as the host's, for a session of its own.
pub(crate) struct Host {
    child: Child,
    pub(crate) session: String,
}

/// A file in the directory of the store, written and synchronised.
pub(crate) struct Probe {
    file: File,
    path: PathBuf,
    pub(crate) taken: Vec<Duration>,
}

impl Place {
    pub(crate) fn new(dir: &Path) -> Self {
        fs::create_dir_all(dir.join("project")).unwrap();
        let mut private = fs::DirBuilder::new();
        private
            .recursive(true)
            .mode(0o700)
            .create(dir.join("data"))
            .unwrap();
        fs::create_dir_all(dir.join("claude/sessions")).unwrap();
        fs::copy("/bin/sh", dir.join("claude/claude")).unwrap();
        let built = std::env::var_os("ATTEND").map(PathBuf::from);
        let beside = || {
            let me = std::env::current_exe().unwrap();
            me.ancestors().nth(2).unwrap().join("attend")
        };
        Self {
            attend: built
                .unwrap_or_else(beside)
                .canonicalize()
                .expect("cargo build --release -p attend-bin"),
            dir: dir.canonicalize().unwrap(),
        }
    }

    /// `attend` with these arguments, beside `host` if there is one.
    pub(crate) fn attend(&self, host: Option<&Host>, args: &[&str]) -> Command {
        let mut command = Command::new(&self.attend);
        command
            .env_clear()
            .env("HOME", &self.dir)
            .env("ATTEND_HOME", &self.dir)
            .env("CLAUDE_CONFIG_DIR", self.dir.join("claude"))
            .args(args)
            .current_dir(self.dir.join("project"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(host) = host {
            command
                .env("CLAUDE_PID", host.child.id().to_string())
                .env("CLAUDE_CODE_SESSION_ID", &host.session);
        }
        command
    }

    pub(crate) fn host(&self, n: usize) -> Host {
        let child = Command::new(self.dir.join("claude/claude"))
            .args(["-c", "read -r line; :"])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let pid = child.id();
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
        let started = stat
            .rsplit(')')
            .next()
            .unwrap()
            .split_whitespace()
            .nth(19)
            .unwrap();
        let session = format!("00000000-0000-4000-8000-{n:012}");
        let record = json!({
            "pid": pid, "sessionId": session, "cwd": self.dir.join("project"), "procStart": started,
            "startedAt": 1, "kind": "interactive", "entrypoint": "cli", "status": "busy",
            "statusUpdatedAt": 1,
        });
        let record = (
            self.dir.join(format!("claude/sessions/{pid}.json")),
            record.to_string(),
        );
        fs::write(record.0, record.1).unwrap();
        Host { child, session }
    }

    /// What `attend` printed as JSON.
    pub(crate) fn json(&self, host: &Host, args: &[&str]) -> Value {
        let output = self.attend(Some(host), args).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    pub(crate) fn probe(&self) -> Probe {
        let path = self.dir.join(format!("data/probe-{}", std::process::id()));
        Probe {
            file: File::create(&path).unwrap(),
            path,
            taken: Vec::new(),
        }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

impl Probe {
    /// Writes a page and waits for the disk, so many times.
    pub(crate) fn syncs(&mut self, times: usize) {
        let start = Instant::now();
        for _ in 0..times {
            self.file.write_all_at(&[7; 4096], 0).unwrap();
            self.file.sync_data().unwrap();
        }
        self.taken.push(start.elapsed());
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

pub(crate) fn timed(mut command: Command) -> (Duration, Output) {
    let start = Instant::now();
    let output = command.output().unwrap();
    (start.elapsed(), output)
}

/// Prints the least, the middle, the 99th percentile and the greatest.
pub(crate) fn tell(what: &str, times: &[Duration]) {
    let mut times = times.to_vec();
    times.sort_unstable();
    let at = |share: usize| {
        times
            .get((times.len().max(1) - 1) * share / 100)
            .copied()
            .unwrap_or_default()
    };
    println!(
        "{what}: min {:.2?}, p50 {:.2?}, p99 {:.2?}, max {:.2?} ({})",
        at(0),
        at(50),
        at(99),
        at(100),
        times.len()
    );
}
