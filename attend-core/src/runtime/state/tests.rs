//! State on real files: private, whole, and never in anybody's way.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use super::*;
use crate::attention::{Attention, Input, Record, SensorProfile, Totals};
use crate::dynamics::Tick;
use crate::sensor::{Event, Report, SensorName, Snapshot};

mod journal;

mod places;

fn scene() -> (TempDir, StateDir) {
    let home = tempfile::tempdir().unwrap();
    let dir = StateDir::open(home.path().join("sessions/one")).unwrap();
    (home, dir)
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// An engine that has something to remember.
fn engine() -> Attention {
    let git = SensorName::new("git").unwrap();
    let mut engine = Attention::builder().build();
    engine.input(
        Tick::new(1),
        Input::Sensors(vec![SensorProfile::new(git.clone())]),
    );
    let mut report = Report::new();
    report.event(Event::new(1.0, "upstream moved")).unwrap();
    engine.input(Tick::new(1), Input::Report(git, report));
    engine
}

fn saved() -> Saved {
    let wall = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    let mut saved = Saved::new(wall, engine().checkpoint());
    let git = SensorName::new("git").unwrap();
    saved
        .snapshots
        .insert(git, Snapshot::of(&("main", 3)).unwrap());
    saved.banner = Some("attend 0.1.0".to_owned());
    saved
}

fn records() -> (Vec<Record>, Vec<Totals>) {
    let mut engine = engine();
    (engine.drain_journal(), engine.totals())
}

/// What is loaded, and what is said of it.
fn load(dir: &StateDir) -> (Option<Saved>, Option<String>) {
    let loaded = Saved::load(dir).unwrap();
    (loaded.saved, loaded.notice)
}

#[test]
fn what_is_stored_is_loaded_and_private() {
    let (home, dir) = scene();
    assert_eq!(load(&dir), (None, None));
    saved().store(&dir).unwrap();
    assert_eq!(load(&dir), (Some(saved()), None));
    assert_eq!(Saved::peek(&dir), Ok(Some(saved())));
    assert_eq!(mode(&dir.path().join("checkpoint.json")), 0o600);
    for made in ["sessions", "sessions/one"] {
        assert_eq!(mode(&home.path().join(made)), 0o700);
    }
    assert_eq!(
        fs::read_dir(dir.path()).unwrap().count(),
        1,
        "nothing else is left"
    );
}

#[test]
fn what_is_damaged_is_set_aside_by_name() {
    let (_home, dir) = scene();
    let file = dir.path().join("checkpoint.json");
    saved().store(&dir).unwrap();
    let whole = fs::read(&file).unwrap();
    let mut newer: serde_json::Value = serde_json::from_slice(&whole).unwrap();
    newer["version"] = 99.into();
    let newer = serde_json::to_vec(&newer).unwrap();
    let damages = [
        b"".as_slice(),
        b"\xff\xfe\x00",
        &whole[..whole.len() / 2],
        b"[]",
        &newer,
    ];
    for (n, damage) in damages.into_iter().enumerate() {
        fs::write(&file, damage).unwrap();
        assert!(Saved::peek(&dir).is_err());
        let (none, notice) = load(&dir);
        let kept = format!("checkpoint.json.damaged-{}", (n + 1).min(3));
        let notice = notice.unwrap();
        assert!(none.is_none() && notice.contains(&kept), "{notice}");
        assert_eq!(fs::read(dir.path().join(kept)).unwrap(), damage);
    }
    assert!(fs::read(dir.path().join("checkpoint.json.damaged-1")).unwrap() == damages[2]);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 3);
    saved().store(&dir).unwrap();
    assert_eq!(load(&dir), (Some(saved()), None));
}

#[test]
fn what_would_not_be_read_is_not_stored() {
    let (_home, dir) = scene();
    saved().store(&dir).unwrap();
    let greedy = SensorName::new("greedy").unwrap();
    let mut large = saved();
    let snapshot = Snapshot::of(&"x".repeat(64 << 20)).unwrap();
    large.snapshots.insert(greedy.clone(), snapshot);
    let refused = large.store(&dir).unwrap_err();
    assert_eq!(refused.kind(), StateErrorKind::TooLarge);
    assert_eq!(load(&dir), (Some(saved()), None));
    assert_eq!(large.shed(), Some(greedy));
    assert_eq!(large, saved());
}

#[test]
fn what_cannot_be_read_now_stays_as_it_is() {
    use rustix::io::Errno;
    let (_home, dir) = scene();
    saved().store(&dir).unwrap();
    for error in [
        Errno::IO,
        Errno::MFILE,
        Errno::NOMEM,
        Errno::ACCESS,
        Errno::FBIG,
        Errno::STALE,
    ] {
        let judged = Saved::judge(&dir, Err(error.into()));
        assert_eq!(judged.unwrap_err().kind(), StateErrorKind::Io, "{error}");
    }
    let no_memory = std::io::ErrorKind::OutOfMemory.into();
    assert!(Saved::judge(&dir, Err(no_memory)).is_err());
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    assert_eq!(load(&dir), (Some(saved()), None));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the holder is another process")]
fn another_process_that_holds_the_directory_is_named() {
    let (_home, dir) = scene();
    assert_eq!(dir.holder(), None);
    let lock = dir.lock().unwrap();
    assert_eq!(dir.holder(), Some(std::process::id()));
    drop(lock);
    assert_eq!(dir.holder(), None);

    let file = dir.path().join("lock");
    let mut child = std::process::Command::new("flock")
        .arg(&file)
        .args(["sh", "-c", "echo $$ > \"$0\"; read line"])
        .arg(&file)
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let refused = loop {
        match dir.lock() {
            Ok(early) => drop(early),
            Err(error) if error.kind() == (StateErrorKind::Busy { holder: None }) => {}
            Err(error) => break error,
        }
        std::thread::yield_now();
    };
    let StateErrorKind::Busy { holder: Some(pid) } = refused.kind() else {
        panic!("{refused}")
    };
    assert!(
        refused.to_string().contains(&format!("process {pid}")),
        "{refused}"
    );
    drop(child.stdin.take());
    child.wait().unwrap();
    dir.lock().unwrap();
}

#[test]
fn a_journal_that_is_none_is_set_aside_by_name() {
    let (_home, dir) = scene();
    let (records, totals) = records();
    for (n, damage) in [b"\xff\n{}\n".as_slice(), b"{\"lost\":1}\n"]
        .into_iter()
        .enumerate()
    {
        fs::write(dir.path().join("journal.1.jsonl"), damage).unwrap();
        let mut notices = Vec::new();
        let mut journal = Journal::open(&dir, &mut notices);
        let kept = format!("journal.1.jsonl.damaged-{}", n + 1);
        assert!(notices.concat().contains(&kept), "{notices:?}");
        assert_eq!(fs::read(dir.path().join(kept)).unwrap(), damage);
        for record in &records {
            journal.push(record);
        }
        journal.flush(&totals).unwrap();
        assert_eq!(Journal::read(&dir).unwrap().len(), 1 + records.len());
    }
    // A segment that a crash left empty is none, and nothing is wrong with it.
    fs::write(dir.path().join("journal.0.jsonl"), b"").unwrap();
    let mut notices = Vec::new();
    Journal::open(&dir, &mut notices);
    assert!(notices.is_empty(), "{notices:?}");
}

#[test]
#[ignore = "needs a user namespace"]
#[expect(
    clippy::disallowed_methods,
    reason = "the disk is full for a process of its own"
)]
fn a_full_disk_is_said_once_and_got_over() {
    let home = tempfile::tempdir().unwrap();
    let script = "mount -t tmpfs -o size=256k none /mnt && exec \"$0\" --ignored --exact \"$1\"";
    let inner = concat!(module_path!(), "::on_the_full_disk");
    let output = std::process::Command::new("unshare")
        .args(["-Urm", "sh", "-c", script])
        .arg(std::env::current_exe().unwrap())
        .arg(inner.trim_start_matches("attend_core::"))
        .current_dir(home.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}"
    );
}

#[test]
#[ignore = "is started by the test above, on a small disk of its own"]
fn on_the_full_disk() {
    let dir = StateDir::open(Path::new("/mnt/state")).unwrap();
    let (records, totals) = records();
    let mut journal = Journal::open(&dir, &mut Vec::new());
    journal.push(&records[0]);
    journal.flush(&totals).unwrap();
    saved().store(&dir).unwrap();
    let ballast = Path::new("/mnt/ballast");
    assert!(fs::write(ballast, vec![0; 1 << 20]).is_err());
    assert_eq!(saved().store(&dir).unwrap_err().kind(), StateErrorKind::Io);
    assert_eq!(load(&dir), (Some(saved()), None));
    for _ in 0..100 {
        journal.push(&records[0]);
    }
    assert_eq!(
        journal.flush(&totals).unwrap_err().kind(),
        StateErrorKind::Io
    );
    assert_eq!(journal.flush(&totals), Ok(()), "it is said once");
    assert!(journal.is_waiting());
    // A restart finds the disk as full.
    let mut after = Journal::open(&dir, &mut Vec::new());
    for _ in 0..100 {
        after.push(&records[0]);
    }
    let failed = after.flush(&totals).unwrap_err();
    assert_eq!(failed.kind(), StateErrorKind::Io);
    assert_eq!(Journal::read(&dir).unwrap().len(), 2);
    fs::remove_file(ballast).unwrap();
    journal.flush(&totals).unwrap();
    assert_eq!(Journal::read(&dir).unwrap().len(), 102);
    after.flush(&totals).unwrap();
    assert_eq!(Journal::read(&dir).unwrap().len(), 202);
    saved().store(&dir).unwrap();
}
