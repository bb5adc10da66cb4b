//! Standard output: written in whole lines when the reader has room, and watched for its end.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use tokio::io::Interest;

use super::raw::stdout_was_closed;
use super::ready::ready;

/// What a pipe that has room takes without making the writer wait.
const CHUNK: usize = 4_096;

/// How long to wait where the system does not tell when there is room.
const LATER: Duration = Duration::from_millis(10);

/// Where lines are written.
///
/// The descriptor stays as it is: blocking, and shared with whoever shares it. What is written
/// fits into the room that there is, so no write blocks on a pipe or a socket.
#[derive(Debug)]
pub struct Output {
    fd: OwnedFd,
    /// Bytes of the last write that got out.
    written: AtomicUsize,
}

/// Lines that were not written, or not all of them.
#[derive(Debug)]
#[non_exhaustive]
pub struct Unwritten {
    /// How many bytes of them were.
    pub written: usize,
    /// Whether nobody reads any more.
    pub closed: bool,
    /// Why.
    pub error: io::Error,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Room {
    Some,
    None,
    Gone,
}

/// Waits for `span`, or less if nobody reads standard output any more, and says whether that is
/// so. A file is always read.
pub fn reader_is_gone(span: Duration) -> bool {
    let stdout = io::stdout();
    let mut fds = [PollFd::new(&stdout, PollFlags::empty())];
    let span = Timespec::try_from(span).ok();
    let told = poll(&mut fds, span.as_ref());
    told.is_ok_and(|told| told > 0)
}

impl Output {
    /// The standard output of this process.
    ///
    /// # Errors
    ///
    /// It was closed from the start, or there are no more descriptors.
    pub fn stdout() -> io::Result<Self> {
        if stdout_was_closed() {
            return Err(io::Error::other(
                "it is closed, so nobody could read a line; leave it open, or send it to a file",
            ));
        }
        let stdout = io::stdout().as_fd().try_clone_to_owned()?;
        Ok(Self::to(stdout))
    }

    /// Another descriptor: a pipe, a socket, a terminal or a file.
    pub fn to(fd: OwnedFd) -> Self {
        Self {
            fd,
            written: AtomicUsize::new(0),
        }
    }

    /// Writes `text`, which ends in a line end, when and as far as the reader has room.
    ///
    /// # Errors
    ///
    /// Nobody reads any more, or the system refused. What was written before cannot be taken
    /// back.
    pub async fn write(&self, text: &str) -> Result<(), Unwritten> {
        self.written.store(0, Ordering::Relaxed);
        for chunk in chunks(text) {
            let mut rest = chunk.as_bytes();
            while !rest.is_empty() {
                let written = self.write_some(rest).await.map_err(|error| Unwritten {
                    written: self.written(),
                    closed: matches!(error.kind(), io::ErrorKind::BrokenPipe),
                    error,
                })?;
                self.written.fetch_add(written, Ordering::Relaxed);
                rest = rest.get(written..).unwrap_or_default();
            }
        }
        Ok(())
    }

    /// How many bytes of the last write, which may have been cancelled, got out.
    pub fn written(&self) -> usize {
        self.written.load(Ordering::Relaxed)
    }

    /// Whether a line would be written at once, as far as can be told: none where nobody reads any
    /// more.
    pub(crate) fn is_ready(&self) -> Option<bool> {
        match self.room() {
            Ok(Room::Gone) => None,
            Ok(Room::None) => Some(false),
            // What cannot be told is found out by writing.
            Ok(Room::Some) | Err(_) => Some(true),
        }
    }

    /// Waits until a line would be written at once, or would fail.
    pub(crate) async fn becomes_ready(&self) {
        // What fails here fails again for whoever writes.
        let _ = self.has_room().await;
    }

    /// Ends a line that was torn, if there is room for that.
    pub(crate) fn close_line(&self) {
        if self.is_ready() == Some(true) {
            // The reader joins what follows to the torn line, otherwise; nothing more is lost.
            let _ = rustix::io::write(&self.fd, b"\n");
        }
    }

    /// Ends once nobody reads any more; never where that cannot be told, as of a file.
    pub async fn closed(&self) {
        if self.watch_close().await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    async fn watch_close(&self) -> io::Result<()> {
        // A reader that goes, and nothing less, makes a writer permanently ready.
        let watched = ready(self.fd.try_clone()?, Interest::WRITABLE)?;
        loop {
            let mut told = watched.writable().await?;
            if self.room()? == Room::Gone {
                return Ok(());
            }
            told.clear_ready();
        }
    }

    async fn write_some(&self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            self.has_room().await?;
            match rustix::io::write(&self.fd, bytes) {
                Ok(written) => return Ok(written),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => tokio::time::sleep(LATER).await,
                Err(error) => return Err(error.into()),
            }
        }
    }

    async fn has_room(&self) -> io::Result<()> {
        loop {
            match self.room()? {
                Room::Some => return Ok(()),
                Room::Gone => return Err(io::ErrorKind::BrokenPipe.into()),
                Room::None => match ready(self.fd.try_clone()?, Interest::WRITABLE) {
                    Ok(waiting) => drop(waiting.writable().await?),
                    Err(_) => tokio::time::sleep(LATER).await,
                },
            }
        }
    }

    fn room(&self) -> io::Result<Room> {
        let mut asked = [PollFd::new(&self.fd, PollFlags::OUT)];
        let at_once = Timespec::default();
        while let Err(error) = poll(&mut asked, Some(&at_once)) {
            if error != Errno::INTR {
                return Err(error.into());
            }
        }
        let told = asked[0].revents();
        Ok(if told.intersects(PollFlags::ERR | PollFlags::HUP) {
            Room::Gone
        } else if told.contains(PollFlags::OUT) {
            Room::Some
        } else {
            Room::None
        })
    }
}

/// `text` in pieces of whole lines that fit into a chunk; a longer line is one piece.
fn chunks(text: &str) -> Vec<&str> {
    let mut chunks = Vec::new();
    let (mut start, mut end) = (0, 0);
    for line in text.split_inclusive('\n') {
        if end > start && end + line.len() - start > CHUNK {
            chunks.extend(text.get(start..end));
            start = end;
        }
        end += line.len();
    }
    chunks.extend(text.get(start..end).filter(|last| !last.is_empty()));
    chunks
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::{Read, Write};
    use std::os::unix::net::UnixStream;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(20);

    fn pipe() -> (std::io::PipeReader, Output) {
        let (reader, writer) = std::io::pipe().unwrap();
        (reader, Output::to(writer.into()))
    }

    #[test]
    fn chunks_are_whole_lines() {
        let text = format!("{}\n", "x".repeat(99)).repeat(100);
        let chunks = chunks(&text);
        assert_eq!(chunks.concat(), text);
        assert!(
            chunks
                .iter()
                .all(|chunk| chunk.len() <= CHUNK && chunk.ends_with('\n'))
        );
        assert_eq!(chunks.len(), 3);
        assert_eq!(super::chunks(&"x".repeat(5_000)).len(), 1);
        assert!(super::chunks("").is_empty());
    }

    #[tokio::test]
    async fn a_slow_reader_gets_everything_and_blocks_nobody() {
        let (mut reader, output) = pipe();
        let text = "0123456789abcdef\n".repeat(20_000);
        let mut write = std::pin::pin!(output.write(&text));
        let full = tokio::time::timeout(Duration::from_millis(50), &mut write).await;
        assert!(full.is_err(), "a pipe does not hold that much");
        assert!(output.written() > 0);
        let expected = text.clone();
        let reading = std::thread::spawn(move || {
            let mut read = vec![0; expected.len()];
            reader.read_exact(&mut read).unwrap();
            read == expected.as_bytes()
        });
        tokio::time::timeout(PATIENCE, write)
            .await
            .unwrap()
            .unwrap();
        assert!(reading.join().unwrap());
    }

    #[tokio::test]
    async fn a_reader_that_goes_is_noticed_while_idle() {
        let (reader, output) = pipe();
        let (here, there) = UnixStream::pair().unwrap();
        let socket = Output::to(here.into());
        for (output, reader) in [(output, OwnedFd::from(reader)), (socket, there.into())] {
            output.write("line\n").await.unwrap();
            let mut closed = std::pin::pin!(output.closed());
            let open = tokio::time::timeout(Duration::from_millis(20), &mut closed).await;
            assert!(open.is_err(), "it is still open");
            drop(reader);
            tokio::time::timeout(PATIENCE, closed)
                .await
                .expect("it is closed");
            let unwritten = output.write("line\n").await.unwrap_err();
            assert!(unwritten.closed && unwritten.written == 0, "{unwritten:?}");
        }
    }

    #[tokio::test]
    async fn a_reader_may_go_in_the_middle() {
        let (reader, output) = pipe();
        let text = "0123456789abcdef\n".repeat(20_000);
        let mut write = std::pin::pin!(output.write(&text));
        assert!(
            tokio::time::timeout(Duration::from_millis(20), &mut write)
                .await
                .is_err()
        );
        drop(reader);
        let unwritten = tokio::time::timeout(PATIENCE, write)
            .await
            .unwrap()
            .unwrap_err();
        assert!(unwritten.closed && unwritten.written > 0, "{unwritten:?}");
    }

    #[tokio::test]
    async fn a_file_is_always_open_and_stays_as_it_was() {
        let file = tempfile::tempfile().unwrap();
        let output = Output::to(file.try_clone().unwrap().into());
        output.write("line\n").await.unwrap();
        let closed = tokio::time::timeout(Duration::from_millis(20), output.closed()).await;
        assert!(closed.is_err());
        let flags = rustix::fs::fcntl_getfl(&file).unwrap();
        assert!(!flags.contains(rustix::fs::OFlags::NONBLOCK));
        let mut full = File::options().write(true).open("/dev/full").unwrap();
        assert!(full.write(b"x").is_err());
        let unwritten = Output::to(full.into()).write("line\n").await.unwrap_err();
        assert!(!unwritten.closed && unwritten.written == 0, "{unwritten:?}");
    }
}
