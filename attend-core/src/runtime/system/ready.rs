//! Descriptors whose readiness tokio tells.

use std::io;
use std::os::fd::OwnedFd;

use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// Asks the current runtime to tell when `fd` is ready. Its flags stay as they are.
///
/// # Errors
///
/// A descriptor without readiness, such as that of a regular file.
pub(super) fn ready(fd: OwnedFd, interest: Interest) -> io::Result<AsyncFd<OwnedFd>> {
    #[expect(
        deprecated,
        reason = "its replacement is unsafe for the sake of types whose descriptor changes; \
                  that of an `OwnedFd` never does"
    )]
    AsyncFd::with_interest(fd, interest)
}
