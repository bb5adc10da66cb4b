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

fn scene() -> (TempDir, StateDir) {
    let home = tempfile::tempdir().unwrap();
    let dir = StateDir::open(&home.path().join("sessions/one")).unwrap();
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

#[test]
fn what_is_stored_is_loaded_and_private() {
    let (home, dir) = scene();
    assert!(Saved::load(&dir).saved.is_none());
    saved().store(&dir).unwrap();
    assert_eq!(Saved::load(&dir).saved, Some(saved()));
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
fn a_directory_open_to_others_is_closed() {
    let home = tempfile::tempdir().unwrap();
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).unwrap();
    StateDir::open(home.path()).unwrap();
    assert_eq!(mode(home.path()), 0o700);
}

#[test]
fn links_and_what_is_no_file_are_refused() {
    let (home, dir) = scene();
    let link = home.path().join("link");
    symlink(dir.path(), &link).unwrap();
    let refused = StateDir::open(&link).unwrap_err();
    assert_eq!(refused.kind(), StateErrorKind::Unusable);
    assert!(refused.to_string().contains("ATTEND_HOME"), "{refused}");

    let elsewhere = home.path().join("elsewhere");
    fs::write(&elsewhere, "precious").unwrap();
    symlink(&elsewhere, dir.path().join("lock")).unwrap();
    symlink(&elsewhere, dir.path().join("checkpoint.json.new")).unwrap();
    assert_eq!(dir.lock().unwrap_err().kind(), StateErrorKind::Unusable);
    assert_eq!(saved().store(&dir).unwrap_err().kind(), StateErrorKind::Io);
    assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "precious");

    fs::create_dir(dir.path().join("checkpoint.json")).unwrap();
    assert!(
        Saved::load(&dir)
            .notice
            .unwrap()
            .contains("not a regular file")
    );
}

#[test]
#[ignore = "needs root"]
fn what_belongs_to_somebody_else_is_refused() {
    let (_home, dir) = scene();
    saved().store(&dir).unwrap();
    std::os::unix::fs::chown(dir.path().join("checkpoint.json"), Some(12_345), None).unwrap();
    assert!(Saved::load(&dir).notice.unwrap().contains("another user"));
    std::os::unix::fs::chown(dir.path(), Some(12_345), None).unwrap();
    let refused = StateDir::open(dir.path()).unwrap_err();
    assert!(refused.to_string().contains("another user"), "{refused}");
}

#[test]
fn a_place_where_nothing_can_be_made_is_named() {
    let refused = StateDir::open(Path::new("/proc/attend/state")).unwrap_err();
    assert_eq!(refused.kind(), StateErrorKind::Unusable);
    let text = refused.to_string();
    assert!(
        text.contains("/proc/attend/state") && text.contains("ATTEND_HOME"),
        "{text}"
    );
    assert!(
        StateDir::existing(Path::new("/proc/attend/state"))
            .unwrap()
            .is_none()
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
        let loaded = Saved::load(&dir);
        let kept = format!("checkpoint.json.damaged-{}", (n + 1).min(3));
        let notice = loaded.notice.unwrap();
        assert!(loaded.saved.is_none() && notice.contains(&kept), "{notice}");
        assert_eq!(fs::read(dir.path().join(kept)).unwrap(), damage);
    }
    assert!(fs::read(dir.path().join("checkpoint.json.damaged-1")).unwrap() == damages[2]);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 3);
    saved().store(&dir).unwrap();
    assert!(Saved::load(&dir).notice.is_none());
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

fn records() -> (Vec<Record>, Vec<Totals>) {
    let mut engine = engine();
    (engine.drain_journal(), engine.totals())
}

#[test]
fn a_journal_goes_on_where_it_ended() {
    let (_home, dir) = scene();
    let (records, totals) = records();
    assert!(!records.is_empty());
    let mut journal = Journal::open(&dir, &mut Vec::new());
    assert!(!journal.is_waiting());
    journal.flush(&totals).unwrap();
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    journal.push(&records[0]);
    assert!(journal.is_waiting());
    journal.flush(&totals).unwrap();
    drop(journal);

    // A crash in the middle of a line costs that line.
    let file = dir.path().join("journal.1.jsonl");
    let mut torn = fs::read(&file).unwrap();
    torn.extend_from_slice(b"{\"tick\":1,");
    fs::write(&file, torn).unwrap();
    let mut journal = Journal::open(&dir, &mut Vec::new());
    journal.push(&records[0]);
    journal.flush(&totals).unwrap();
    let expected = [
        JournalEntry::Segment { segment: 1, totals },
        JournalEntry::Record(records[0].clone()),
        JournalEntry::Record(records[0].clone()),
    ];
    assert_eq!(Journal::read(&dir).unwrap(), expected);
    assert_eq!(mode(&file), 0o600);
}

#[test]
fn segments_take_turns_and_begin_with_totals() {
    let (_home, dir) = scene();
    let (records, totals) = records();
    let mut journal = Journal::open(&dir, &mut Vec::new());
    let first_lines = || {
        let files = ["journal.0.jsonl", "journal.1.jsonl"].map(|name| dir.path().join(name));
        files.map(|file| {
            let text = fs::read_to_string(file).unwrap_or_default();
            text.lines().next().unwrap_or_default().to_owned()
        })
    };
    let mut begun = Vec::new();
    while begun.len() < 3 {
        for _ in 0..2_000 {
            journal.push(&records[0]);
        }
        journal.flush(&totals).unwrap();
        if begun.last() != Some(&first_lines()) {
            begun.push(first_lines());
            journal = Journal::open(&dir, &mut Vec::new());
        }
    }
    let segment = |segment| {
        let totals = totals.clone();
        serde_json::to_string(&JournalEntry::Segment { segment, totals }).unwrap()
    };
    let (one, two, three) = (segment(1), segment(2), segment(3));
    assert_eq!(
        begun,
        [
            [String::new(), one.clone()],
            [two.clone(), one],
            [two, three]
        ]
    );
    let entries = Journal::read(&dir).unwrap();
    assert!(matches!(
        entries[0],
        JournalEntry::Segment { segment: 2, .. }
    ));
    for n in ["journal.0.jsonl", "journal.1.jsonl"] {
        assert!(fs::metadata(dir.path().join(n)).unwrap().len() <= 4 << 20);
    }
}

#[test]
fn a_flood_of_records_is_bounded_and_counted() {
    let (_home, dir) = scene();
    let (records, totals) = records();
    let mut journal = Journal::open(&dir, &mut Vec::new());
    for _ in 0..20_000 {
        journal.push(&records[0]);
    }
    journal.flush(&totals).unwrap();
    let entries = Journal::read(&dir).unwrap();
    let JournalEntry::Lost { lost } = entries[1] else {
        panic!("{:?}", entries[1])
    };
    assert_eq!(entries.len() as u64 - 2 + lost, 20_000);
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
    assert_eq!(Saved::load(&dir).saved, Some(saved()));
    for _ in 0..100 {
        journal.push(&records[0]);
    }
    assert_eq!(
        journal.flush(&totals).unwrap_err().kind(),
        StateErrorKind::Io
    );
    assert_eq!(journal.flush(&totals), Ok(()), "it is said once");
    assert!(journal.is_waiting());
    fs::remove_file(ballast).unwrap();
    journal.flush(&totals).unwrap();
    assert_eq!(Journal::read(&dir).unwrap().len(), 102);
    saved().store(&dir).unwrap();
}
