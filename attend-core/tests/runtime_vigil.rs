//! Listening on a thread of its own: the doorbell rings, and time passes where there is none.

#![cfg(feature = "runtime")]

use std::fs::{self, File};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, SystemTime};

use attend_core::mail::MailWaker;
use attend_core::runtime::{Stir, Vigil};

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

fn kept(waker: Option<MailWaker>) -> Receiver<Stir> {
    let (tells, told) = channel();
    let vigil = Vigil::new(waker).expect("a loop");
    vigil
        .keep(move |stir| tells.send(stir).is_ok())
        .expect("a thread");
    told
}

#[test]
fn a_doorbell_that_is_touched_is_told() {
    let dir = tempfile::tempdir().expect("a directory");
    let bell = dir.path().join("1.bell");
    let told = kept(Some(MailWaker::new(&bell)));
    assert!(
        fs::metadata(&bell).is_ok(),
        "it is there before anybody rings"
    );
    // Only the bell says `Rung`, however often it is time to look.
    let touched = File::options().append(true).open(&bell).expect("the bell");
    touched
        .set_modified(SystemTime::UNIX_EPOCH)
        .expect("it is ours");
    loop {
        let stir = told.recv_timeout(PATIENCE).expect("it is heard");
        if stir == Stir::Rung {
            return;
        }
        assert_eq!(stir, Stir::Due);
    }
}

#[test]
fn without_a_doorbell_it_is_time_to_look_again_and_again() {
    let told = kept(None);
    for _ in 0..3 {
        assert_eq!(told.recv_timeout(PATIENCE), Ok(Stir::Due));
    }
}
