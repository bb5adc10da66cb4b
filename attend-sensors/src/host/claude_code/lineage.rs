//! Whom a process descends from, by what whoever runs it cannot take back: not what it is told now.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::ancestry::{self, MAX_DEPTH, NAME};
use super::process::{FIRST_NAMESPACE, Stat, in_table};
use super::record::SessionRecord;
use crate::stat::head;

/// What the host puts into the environment of what it starts.
const MARKS: [&[u8]; 3] = [b"CLAUDECODE=", b"CLAUDE_CODE_SESSION_ID=", b"CLAUDE_PID="];

/// Where a process of the host keeps its files.
const ROOT: &[u8] = b"CLAUDE_CONFIG_DIR=";

/// The longest environment that is looked at, in bytes.
const MAX_ENVIRONMENT: usize = 1 << 20;

/// What tells that a process may have been started for an agent.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Lineage {
    /// This one, or an ancestor of it, is a process of the host, or began as one that the host
    /// started.
    Below(u32),
    /// It lies in a namespace of processes of its own, from which a process of the host cannot be
    /// seen of which there is this record: whoever put it there is not known.
    Apart(PathBuf),
}

/// What tells that the process `pid` may have been started for an agent, as the table below `proc`
/// shows it, by the host whose files lie below one of `hosts`; none where nothing does.
///
/// The environment with which each ancestor began counts, and so does every directory that one of
/// them names for the host's files: what a process is told now may be anything.
pub fn lineage(proc: &Path, hosts: &[PathBuf], pid: u32) -> Option<Lineage> {
    let mut hosts = hosts.to_vec();
    let first = in_table(proc, pid)?;
    let mut chain = Vec::new();
    let mut at = first;
    while at != 0 && chain.len() < MAX_DEPTH {
        let Some(stat) = Stat::read(proc, at) else {
            break;
        };
        let environment = head(&proc.join(format!("{at}/environ")), MAX_ENVIRONMENT);
        for entry in environment.iter().flat_map(|all| all.split(|b| *b == 0)) {
            let is_mark = |mark: &&[u8]| entry.len() > mark.len() && entry.starts_with(mark);
            if MARKS.iter().any(is_mark) {
                return Some(Lineage::Below(at));
            }
            if let Some(root) = entry.strip_prefix(ROOT).filter(|root| !root.is_empty()) {
                hosts.push(PathBuf::from(std::ffi::OsStr::from_bytes(root)));
            }
        }
        if at != first && stat.name == NAME {
            return Some(Lineage::Below(at));
        }
        chain.push((at, stat.start));
        at = stat.parent;
    }
    hosts.sort_unstable();
    hosts.dedup();
    let is_host = |(pid, start): &&(u32, String)| {
        let mut of = hosts
            .iter()
            .map(|host| ancestry::own_record(host, *pid, start));
        of.any(|record| record.is_some())
    };
    let below = chain.iter().find(is_host);
    below
        .map(|(pid, _)| Lineage::Below(*pid))
        .or_else(|| apart(proc, &hosts).map(Lineage::Apart))
}

/// A record of a process that cannot be seen from here, where this is not the namespace of
/// processes that the machine started with.
fn apart(proc: &Path, hosts: &[PathBuf]) -> Option<PathBuf> {
    let own = fs::read_link(proc.join("self/ns/pid")).ok()?;
    if own.as_os_str() == FIRST_NAMESPACE {
        return None;
    }
    let is_elsewhere = |record: &SessionRecord| {
        let runs = Stat::read(proc, record.pid).map(|runs| runs.start);
        let is_named = record.namespace.as_deref().map(std::ffi::OsStr::new);
        is_named != Some(own.as_os_str()) && runs != record.proc_start
    };
    hosts.iter().find_map(|host| {
        let records = SessionRecord::all(host).ok()?;
        let found = records.iter().find(|record| is_elsewhere(record))?;
        Some(SessionRecord::path(host, found.pid))
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use tempfile::TempDir;

    use super::*;

    /// A table of processes, and a host's directory.
    struct World(TempDir);

    impl World {
        /// Process 9 below 8 below 7, which the system started.
        fn new() -> Self {
            let world = Self(tempfile::tempdir().unwrap());
            world.process(7, 0, "sshd", "");
            world.process(8, 7, "bash", "HOME=/home/sam\0");
            world.process(9, 8, "attend", "HOME=/home/sam\0CLAUDECODE=\0");
            world
        }

        fn process(&self, pid: u32, parent: u32, name: &str, environment: &str) {
            let dir = self.proc().join(pid.to_string());
            fs::create_dir_all(&dir).unwrap();
            let fields = "0 ".repeat(17);
            let line = format!("{pid} ({name}) S {parent} {fields}100 0\n");
            fs::write(dir.join("stat"), line).unwrap();
            fs::write(dir.join("environ"), environment).unwrap();
        }

        fn lies_in(&self, namespace: &str) {
            fs::create_dir_all(self.proc().join("self/ns")).unwrap();
            symlink(namespace, self.proc().join("self/ns/pid")).unwrap();
        }

        fn record(&self, host: &str, pid: u32, more: &str) -> PathBuf {
            let sessions = self.0.path().join(host).join("sessions");
            fs::create_dir_all(&sessions).unwrap();
            let path = sessions.join(format!("{pid}.json"));
            let record = format!(r#"{{"pid":{pid},"procStart":"100"{more}}}"#);
            fs::write(&path, record).unwrap();
            path
        }

        fn proc(&self) -> PathBuf {
            self.0.path().join("proc")
        }

        fn told(&self) -> Option<Lineage> {
            lineage(&self.proc(), &[self.0.path().join("host")], 9)
        }
    }

    #[test]
    fn a_shell_of_a_person_descends_from_no_host() {
        let world = World::new();
        world.record("host", 6, "");
        assert_eq!(world.told(), None);
    }

    #[test]
    fn any_ancestor_that_is_the_hosts_or_began_for_it_tells() {
        for pid in [7, 8] {
            let world = World::new();
            world.record("host", pid, "");
            assert_eq!(world.told(), Some(Lineage::Below(pid)));
        }
        for mark in ["CLAUDECODE=1", "CLAUDE_PID=6", "CLAUDE_CODE_SESSION_ID=x"] {
            let world = World::new();
            world.process(7, 0, "sh", &format!("A=1\0{mark}\0B=2\0"));
            assert_eq!(world.told(), Some(Lineage::Below(7)), "{mark}");
        }
        let world = World::new();
        world.process(7, 0, "claude", "");
        assert_eq!(world.told(), Some(Lineage::Below(7)));
    }

    #[test]
    fn a_host_that_keeps_its_files_elsewhere_is_found_there() {
        let world = World::new();
        world.record("other", 7, "");
        assert_eq!(world.told(), None);
        let other = world.0.path().join("other");
        let environment = format!("CLAUDE_CONFIG_DIR={}\0", other.display());
        world.process(8, 7, "bash", &environment);
        assert_eq!(world.told(), Some(Lineage::Below(7)));
    }

    #[test]
    fn what_lies_in_a_namespace_of_its_own_may_be_anybodys_while_a_host_is_out_of_sight() {
        let world = World::new();
        let record = world.record("host", 6, "");
        world.lies_in(FIRST_NAMESPACE);
        assert_eq!(world.told(), None);
        let world = World::new();
        world.lies_in("pid:[7]");
        assert_eq!(world.told(), None, "there is no host");
        let host = world.record("host", 6, "");
        assert_ne!(record, host);
        assert_eq!(world.told(), Some(Lineage::Apart(host)));
        world.record("host", 6, r#","pidDomain":"x/pid:[7]""#);
        assert_eq!(world.told(), None, "it left its record here");
        world.record("host", 6, "");
        world.process(6, 1, "node", "");
        assert_eq!(world.told(), None, "it runs here");
    }
}
