//! Waiting for a lock with a deadline, which the system does not offer: on a thread of its own.

use std::fs::File;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::turn;

/// A thread that waits for the lock on a file.
#[derive(Debug)]
pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
enum State {
    /// Somebody waits for it.
    Wanted,
    /// It goes on waiting, and nobody wants it.
    Unwanted,
    /// It has the lock, or cannot have it.
    Got(io::Result<File>),
    /// It has ended.
    Over,
}

impl Queue {
    /// Starts a thread that waits for the lock on `file`, behind the number before it.
    pub(super) fn enter(file: File, behind: Option<i64>) -> io::Result<Arc<Self>> {
        let queue = Arc::new(Self {
            state: Mutex::new(State::Wanted),
            changed: Condvar::new(),
        });
        queue.clone().ask(file, behind)?;
        Ok(queue)
    }

    /// Starts another such thread: the first that has the lock hands it over.
    pub(super) fn ask(self: Arc<Self>, file: File, behind: Option<i64>) -> io::Result<()> {
        std::thread::Builder::new()
            .name("attend-mail-lock".to_owned())
            .spawn(move || {
                if let Some(number) = behind {
                    turn::wait_for(&file, number);
                }
                // The standard library's lock is the same `flock`.
                let locked = loop {
                    match file.lock() {
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                        locked => break locked,
                    }
                };
                self.tell(locked.map(|()| file));
            })?;
        Ok(())
    }

    /// Hands the lock over, or lets go of it where nobody wants it any more.
    fn tell(&self, locked: io::Result<File>) {
        let mut state = self.state();
        *state = match *state {
            State::Wanted => State::Got(locked),
            _ => State::Over,
        };
        self.changed.notify_all();
    }

    /// Wants the lock again; whether the thread still waits for it.
    pub(super) fn want(&self) -> bool {
        let mut state = self.state();
        let waits = matches!(*state, State::Unwanted);
        if waits {
            *state = State::Wanted;
        }
        waits
    }

    /// Waits at most so long for an answer; whether there is one.
    pub(super) fn is_answered(&self, patience: Duration) -> bool {
        !matches!(*self.waited(patience), State::Wanted)
    }

    /// Waits at most so long. None where that was not enough: then nobody wants it.
    pub(super) fn wait(&self, patience: Duration) -> Option<io::Result<File>> {
        let mut state = self.waited(patience);
        if let State::Got(locked) = std::mem::replace(&mut *state, State::Over) {
            Some(locked)
        } else {
            *state = State::Unwanted;
            None
        }
    }

    fn waited(&self, patience: Duration) -> MutexGuard<'_, State> {
        let waits = |state: &mut State| matches!(state, State::Wanted);
        let waited = self
            .changed
            .wait_timeout_while(self.state(), patience, waits);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
