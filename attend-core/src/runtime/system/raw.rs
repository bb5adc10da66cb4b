//! What no safe wrapper offers: whether this process was given a standard output, and how another ended.
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

/// What the kernel tells of a process by its handle: `struct pidfd_info` of `linux/pidfd.h`, in
/// its first size.
#[cfg(target_os = "linux")]
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
struct PidfdInfo {
    mask: u64,
    cgroup: u64,
    /// Pid, thread group, parent, and the eight ids of users and groups.
    ids: [u32; 11],
    exit_code: i32,
}

/// The bit of `mask` that asks for the status, and says that it is there.
#[cfg(target_os = "linux")]
const PIDFD_INFO_EXIT: u64 = 1 << 3;

/// The status, as `wait` gives it to a parent, of the process of `handle`, once that is gone
/// and its parent knows. None before, and from kernels before 6.15, which do not tell it.
#[cfg(target_os = "linux")]
pub(super) fn wait_status(handle: &std::os::fd::OwnedFd) -> Option<i32> {
    use rustix::ioctl::{Updater, ioctl, opcode};
    let mut info = PidfdInfo {
        mask: PIDFD_INFO_EXIT,
        ..PidfdInfo::default()
    };
    #[expect(
        unsafe_code,
        reason = "`PIDFD_GET_INFO` writes at most as many bytes as its number says, those of \
                  `PidfdInfo`, of which any pattern is a value; a descriptor of another kind \
                  refuses the number"
    )]
    let told = unsafe {
        const GET_INFO: rustix::ioctl::Opcode = opcode::read_write::<PidfdInfo>(0xff, 11);
        ioctl(handle, Updater::<GET_INFO, PidfdInfo>::new(&mut info))
    };
    (told.is_ok() && info.mask & PIDFD_INFO_EXIT != 0).then_some(info.exit_code)
}
