//! What only the very start of the process can tell: whether it was given a standard output.
//!
//! The standard library opens `/dev/null` in place of a stream that is closed, before `main`.
//! From then on a closed one cannot be told from `/dev/null` that somebody chose, and which is
//! a place to write to: other programs, too, open it for reading and writing. So this looks
//! before the standard library does, where the linker knows a way to say that; elsewhere a
//! closed standard output counts as an open one.

use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether this process was started without a standard output, as by `>&-`. What is written
/// there is lost.
pub fn stdout_was_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}

/// Called by the system's loader, on its only thread and before `main`.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
extern "C" fn look() {
    let flags = rustix::io::fcntl_getfd(rustix::stdio::stdout());
    CLOSED.store(flags == Err(rustix::io::Errno::BADF), Ordering::Relaxed);
}

#[cfg(any(target_os = "linux", target_vendor = "apple"))]
#[expect(
    unsafe_code,
    reason = "functions named in this section run before `main`, with the standard library not \
              set up: `look` asks the kernel one question and sets a flag, and uses nothing of it"
)]
#[used]
#[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
#[cfg_attr(
    target_vendor = "apple",
    unsafe(link_section = "__DATA,__mod_init_func")
)]
static AT_START: extern "C" fn() = look;
