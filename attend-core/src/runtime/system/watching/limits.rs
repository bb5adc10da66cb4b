//! What keeps a path from being watched, told with the limit's name and where to raise it.

use std::path::Path;

use rustix::io::Errno;

use crate::sensor::SensorError;

/// File systems on which changes made elsewhere, or all of them, give no event; by the magic
/// numbers of `statfs(2)` and of Linux's `magic.h`.
const MUTE: &[(u32, &str)] = &[
    (0x6969, "NFS"),
    (0x517B, "SMB"),
    (0xFF53_4D42, "CIFS"),
    (0xFE53_4D42, "SMB2"),
    (0x0102_1997, "9P"),
    (0x6573_5546, "FUSE"),
    (0x5346_414F, "AFS"),
    (0x6B41_4653, "AFS"),
    (0x7375_7245, "Coda"),
    (0x564C, "NCP"),
    (0x00C3_6400, "Ceph"),
    (0x0BD0_0BD0, "Lustre"),
    (0x4750_4653, "GPFS"),
    (0x7461_636F, "OCFS2"),
    (0x0116_1970, "GFS2"),
    (0x786F_4256, "VirtualBox shared folders"),
    (0xBACB_ACBC, "VMware shared folders"),
    (0x9FA0, "proc"),
    (0x6265_6572, "sysfs"),
    (0x0027_E0EB, "cgroup"),
    (0x6367_7270, "cgroup2"),
];

/// Whether the file system of `path` tells what changes on it; one that cannot be asked is
/// taken to do so.
pub(super) fn file_system(path: &Path) -> Result<(), SensorError> {
    let Ok(stat) = rustix::fs::statfs(path) else {
        return Ok(());
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the number has 32 bits; its width and sign differ between machines"
    )]
    let magic = stat.f_type as u32;
    match MUTE.iter().find(|(known, _)| *known == magic) {
        None => Ok(()),
        Some((_, name)) => Err(SensorError::unavailable(format!(
            "cannot watch {}: its file system ({name}) does not tell of all changes",
            path.display()
        ))),
    }
}

/// How many inotify instances a user may have.
const INSTANCES: &str = "fs.inotify.max_user_instances";

/// How many paths a user may watch.
const WATCHES: &str = "fs.inotify.max_user_watches";

/// The limit of the system that `text`, which says why something is not watched, names: as
/// `sysctl` knows it.
pub fn named(text: &str) -> Option<&'static str> {
    [INSTANCES, WATCHES]
        .into_iter()
        .find(|limit| text.contains(limit))
}

/// Why there is no watcher at all.
pub(super) fn no_instance(error: Errno) -> SensorError {
    SensorError::unavailable(match error {
        Errno::MFILE => format!(
            "cannot watch files: this user has as many inotify instances as allowed ({}), or this \
             process as many open files",
            told(INSTANCES)
        ),
        Errno::NFILE => "cannot watch files: this machine has as many open files as allowed \
                         (fs.file-max)"
            .to_owned(),
        _ => format!("cannot watch files: {error}"),
    })
}

/// Why `path` cannot be watched.
pub(super) fn no_watch(path: &Path, error: Errno) -> SensorError {
    let path = path.display();
    match error {
        Errno::NOSPC => SensorError::unavailable(format!(
            "cannot watch {path}: this user watches as many paths as allowed ({})",
            told(WATCHES)
        )),
        Errno::NOMEM => SensorError::unavailable(format!("cannot watch {path}: {error}")),
        _ => SensorError::transient(format!("cannot watch {path}: {error}")),
    }
}

/// A limit by its name, with its value where that can be read.
fn told(limit: &str) -> String {
    let file = format!("/proc/sys/{}", limit.replace('.', "/"));
    match std::fs::read_to_string(file) {
        Ok(value) => format!("{limit} = {}; `sysctl` raises it", value.trim()),
        Err(_) => format!("{limit}; `sysctl` raises it"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sensor::ErrorKind;

    #[test]
    fn every_limit_is_named() {
        let path = Path::new("/x/y");
        for (error, kind, named) in [
            (
                no_instance(Errno::MFILE),
                ErrorKind::Unavailable,
                "fs.inotify.max_user_instances",
            ),
            (
                no_instance(Errno::NFILE),
                ErrorKind::Unavailable,
                "fs.file-max",
            ),
            (
                no_watch(path, Errno::NOSPC),
                ErrorKind::Unavailable,
                "fs.inotify.max_user_watches",
            ),
            (no_watch(path, Errno::NOENT), ErrorKind::Transient, "/x/y"),
            (no_watch(path, Errno::ACCESS), ErrorKind::Transient, "/x/y"),
        ] {
            assert_eq!(error.kind(), kind, "{error}");
            assert!(error.to_string().contains(named), "{error}");
        }
    }

    #[test]
    fn a_limit_is_known_by_what_was_said_of_it() {
        let told = |error: SensorError| named(&format!("mail is looked for: {error}"));
        assert_eq!(told(no_instance(Errno::MFILE)), Some(INSTANCES));
        assert_eq!(told(no_watch(Path::new("/x"), Errno::NOSPC)), Some(WATCHES));
        assert_eq!(told(no_watch(Path::new("/x"), Errno::NOENT)), None);
    }

    #[test]
    fn a_file_system_without_events_is_named() {
        let refused = file_system(Path::new("/proc/self")).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Unavailable);
        assert!(refused.to_string().contains("(proc)"), "{refused}");
        assert_eq!(file_system(Path::new(env!("CARGO_MANIFEST_DIR"))), Ok(()));
        assert_eq!(file_system(Path::new("/does/not/exist")), Ok(()));
    }
}
