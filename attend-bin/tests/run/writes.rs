//! The other end of a process's stdout, where what is written at once stays together.

use std::io::ErrorKind;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixDatagram;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::live::PATIENCE;

/// What is written at once stays together here.
pub(crate) struct Writes(UnixDatagram);

impl Writes {
    pub(crate) fn new() -> (Self, Stdio) {
        let (reader, writer) = UnixDatagram::pair().expect("a pair of sockets");
        (Self(reader), Stdio::from(OwnedFd::from(writer)))
    }

    /// The lines of the next write, where one comes within `time`.
    pub(crate) fn within(&self, time: Duration) -> Option<Vec<String>> {
        let until = Instant::now() + time;
        let mut bytes = [0; 8_192];
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let left = left.max(Duration::from_millis(1));
            self.0.set_read_timeout(Some(left)).expect("a timeout");
            match self.0.recv(&mut bytes) {
                Ok(length) => {
                    let text = std::str::from_utf8(&bytes[..length]).expect("attend writes UTF-8");
                    return Some(text.lines().map(str::to_owned).collect());
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return None,
                Err(error) => panic!("{error}"),
            }
        }
    }

    #[track_caller]
    pub(crate) fn next(&self) -> Vec<String> {
        self.within(PATIENCE).expect("something is said")
    }
}
