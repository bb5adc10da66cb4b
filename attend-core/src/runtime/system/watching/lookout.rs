//! Waiting for a directory to change, in a program that has no loop of its own.

use std::io::stdout;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::inotify::{self, CreateFlags, Reader};
use rustix::io::Errno;

use super::linux::{MASK, PAUSE};
use super::{Woken, limits};
use crate::sensor::SensorError;

/// Waits for something to change in a directory, for the end of whoever reads standard output, or
/// for a while, whichever comes first. It starts no thread and changes no signal.
#[derive(Debug)]
pub struct Lookout(Option<OwnedFd>);

impl Lookout {
    /// Looks out for what changes in `directory`, from now on. Where that cannot be told, it says
    /// why, and only waits.
    pub fn at(directory: &Path) -> (Self, Option<SensorError>) {
        match watched(directory) {
            Ok(instance) => (Self(Some(instance)), None),
            Err(error) => (Self(None), Some(error)),
        }
    }

    /// Waits for `span` at most, and says why no longer. What changes at once is told at once, a
    /// moment after it.
    pub fn wait(&self, span: Duration) -> Woken {
        let told = self.poll(span, true);
        if let (Woken::Changed, Some(instance)) = (told, &self.0) {
            if self.poll(PAUSE, false) == Woken::Gone {
                return Woken::Gone;
            }
            drain(instance);
        }
        told
    }

    fn poll(&self, span: Duration, heeds_changes: bool) -> Woken {
        let stdout = stdout();
        let mut fds = vec![PollFd::new(&stdout, PollFlags::empty())];
        if let (Some(instance), true) = (&self.0, heeds_changes) {
            fds.push(PollFd::new(instance, PollFlags::IN));
        }
        let span = Timespec::try_from(span).ok();
        let told = poll(&mut fds, span.as_ref());
        if told.is_err() {
            // A signal that was caught: whoever waits looks once more.
            return Woken::Due;
        }
        match fds.as_slice() {
            [stdout, ..] if !stdout.revents().is_empty() => Woken::Gone,
            [_, instance] if !instance.revents().is_empty() => Woken::Changed,
            _ => Woken::Due,
        }
    }
}

fn watched(directory: &Path) -> Result<OwnedFd, SensorError> {
    limits::file_system(directory)?;
    let made = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC);
    let instance = made.map_err(limits::no_instance)?;
    inotify::add_watch(&instance, directory, MASK)
        .map_err(|error| limits::no_watch(directory, error))?;
    Ok(instance)
}

/// Reads what has changed until now.
fn drain(instance: &OwnedFd) {
    let mut buffer = [MaybeUninit::uninit(); 4 << 10];
    let mut events = Reader::new(instance, &mut buffer);
    while matches!(events.next(), Ok(_) | Err(Errno::INTR)) {}
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Longer than anybody waits for a test.
    const LONG: Duration = Duration::from_hours(1);

    #[test]
    fn a_change_is_told_once_and_nothing_else_is() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("mail");
        fs::write(&file, "one").unwrap();
        let (lookout, failed) = Lookout::at(dir.path());
        assert_eq!(failed, None);
        assert_eq!(lookout.wait(Duration::ZERO), Woken::Due, "it was before");
        for words in ["two", "three"] {
            fs::write(&file, words).unwrap();
            assert_eq!(lookout.wait(LONG), Woken::Changed, "{words}");
            assert_eq!(lookout.wait(Duration::ZERO), Woken::Due, "{words}");
        }
        let nowhere = dir.path().join("nowhere");
        let (lookout, failed) = Lookout::at(&nowhere);
        assert!(failed.is_some());
        assert_eq!(lookout.wait(Duration::ZERO), Woken::Due);
    }
}
