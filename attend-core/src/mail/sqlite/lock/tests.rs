//! Who waits for the lock of the store has it in the order in which they came, and where there can
//! be none is known.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use tempfile::TempDir;

use super::gate::{Gate, Hold};
use super::remote;
use super::turn::{Turn, is_awaited};
use crate::mail::error::MailErrorKind;

/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_mins(1);

/// A lock file in a directory of its own.
struct Place {
    _dir: TempDir,
    path: PathBuf,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("mail.lock");
        File::create(&path).unwrap();
        Self { _dir: dir, path }
    }

    fn open(&self) -> File {
        open(&self.path).unwrap()
    }

    fn gate(&self) -> Gate {
        Gate::new(self.open(), self.path.clone())
    }

    /// Does `then` with the store held, if that is possible within `patience`.
    fn hold(&self, patience: Duration, then: impl FnOnce(&Hold<'_>)) -> Result<(), MailErrorKind> {
        let gate = self.gate();
        let held = gate.hold(patience, || open(&self.path));
        held.map(|held| then(&held)).map_err(|error| error.kind())
    }

    /// The number that was drawn last.
    fn last(&self) -> Option<i64> {
        let mut last = [0; 8];
        self.open().read_exact_at(&mut last, 16).ok()?;
        Some(i64::from_le_bytes(last))
    }
}

fn open(path: &Path) -> std::io::Result<File> {
    File::options().read(true).write(true).open(path)
}

#[test]
fn the_first_to_wait_is_the_first_to_hold() {
    let place = Place::new();
    let came = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        let gate = place.gate();
        let held = gate.hold(PATIENCE, || open(&place.path)).unwrap();
        assert!(matches!(held, Hold::AtOnce { .. }));
        for n in 0..12 {
            let (place, came) = (&place, &came);
            scope.spawn(move || place.hold(PATIENCE, |_| came.lock().unwrap().push(n)));
            while place.last() != Some(n) {
                std::thread::yield_now();
            }
        }
        drop(held);
    });
    assert!(came.into_inner().unwrap().into_iter().eq(0..12));
    assert!(!is_awaited(&place.open()));
}

#[test]
fn nobody_comes_before_those_who_wait() {
    let place = Place::new();
    let waits = Turn::draw(place.open()).unwrap();
    assert!(is_awaited(&place.open()));
    let passed = place.hold(Duration::from_millis(5), |_| {});
    assert_eq!(passed, Err(MailErrorKind::Busy));
    drop(waits);
    place
        .hold(Duration::ZERO, |held| {
            assert!(matches!(held, Hold::AtOnce { .. }));
        })
        .unwrap();
}

#[test]
fn one_who_is_stopped_in_the_queue_holds_nobody_up_for_long() {
    let place = Place::new();
    let _stopped = Turn::draw(place.open()).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| place.hold(PATIENCE, |_| {}).unwrap());
        }
    });
    // Whoever comes now stands behind nobody.
    place.hold(Duration::ZERO, |_| {}).unwrap();
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "whoever holds the store takes their time"
)]
fn a_line_that_moves_stays_in_order_however_long_it_takes() {
    let place = Place::new();
    let came = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        let gate = place.gate();
        let held = gate.hold(PATIENCE, || open(&place.path)).unwrap();
        for n in 0..3 {
            let (place, came) = (&place, &came);
            scope.spawn(move || {
                let slowly = |_: &Hold<'_>| {
                    came.lock().unwrap().push(n);
                    std::thread::sleep(Duration::from_millis(800));
                };
                place.hold(PATIENCE, slowly)
            });
            while place.last() != Some(n) {
                std::thread::yield_now();
            }
        }
        drop(held);
    });
    assert_eq!(came.into_inner().unwrap(), [0, 1, 2]);
}

#[test]
fn whatever_stands_in_the_lock_file_it_is_a_lock() {
    for last in [i64::MIN, -1, 1 << 40, i64::MAX] {
        let place = Place::new();
        place.open().write_all_at(&last.to_le_bytes(), 16).unwrap();
        let first = Turn::draw(place.open()).unwrap();
        assert_eq!(first.before(), -1, "{last}");
        let second = Turn::draw(place.open()).unwrap();
        assert_eq!(second.before(), 0, "{last}");
        drop(first);
        drop(second);
        place.hold(Duration::ZERO, |_| {}).unwrap();
    }
}

#[test]
fn a_number_that_another_drew_meanwhile_is_passed_over() {
    let place = Place::new();
    let first = Turn::draw(place.open()).unwrap();
    let second = Turn::draw(place.open()).unwrap();
    // The first of two that write at once may write last.
    place.open().write_all_at(&0_i64.to_le_bytes(), 16).unwrap();
    let third = Turn::draw(place.open()).unwrap();
    assert_eq!(
        [first.before(), second.before(), third.before()],
        [-1, 0, 1]
    );
}

#[cfg(target_os = "linux")]
#[test]
fn file_systems_over_which_no_memory_is_shared_are_known() {
    assert_eq!(remote(0x6969), Some("NFS"));
    assert_eq!(remote(0xff53_4d42), Some("CIFS"));
    assert_eq!(remote(0x0102_1994), None, "a tmpfs");
}
