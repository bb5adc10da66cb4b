//! The time zone of whoever gave the command, read from small regular files and nothing else.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use jiff::tz::TimeZone;

use crate::small;

/// Where files of zones lie, unless the environment says it.
const DIRECTORIES: [&str; 3] = [
    "/usr/share/zoneinfo",
    "/usr/share/lib/zoneinfo",
    "/etc/zoneinfo",
];

/// The zone of this machine.
const OF_MACHINE: &str = "/etc/localtime";

/// A larger file is none of a zone, and neither is a smaller one: what the system makes up while it
/// is read has no length.
const MOST_BYTES: u64 = 1 << 20;
const LEAST_BYTES: u64 = 44;

/// The zone that `named`, the variable `TZ`, says: a rule, a file, or a name below `directory`, which
/// is the variable `TZDIR`. Without it that of the machine; UTC for what says nothing.
pub(crate) fn zone(named: Option<&OsStr>, directory: Option<OsString>) -> TimeZone {
    let Some(named) = named else {
        return in_file(Path::new(OF_MACHINE)).unwrap_or(TimeZone::UTC);
    };
    // Older systems mark a name by a colon.
    let text = named
        .to_str()
        .map(|text| text.strip_prefix(':').unwrap_or(text));
    if let Some(zone) = text.and_then(|text| TimeZone::posix(text).ok()) {
        return zone;
    }
    let name = text.map_or(Path::new(named), Path::new);
    if name.as_os_str().is_empty() {
        return TimeZone::UTC;
    }
    let own = directory.map(PathBuf::from).into_iter();
    let mut all = own.chain(DIRECTORIES.iter().map(PathBuf::from));
    // A whole path stands for itself.
    all.find_map(|directory| in_file(&directory.join(name)))
        .unwrap_or(TimeZone::UTC)
}

/// The zone that a file holds; none where it is no small regular file of one.
fn in_file(path: &Path) -> Option<TimeZone> {
    let found = fs::metadata(path).ok()?;
    if found.len() < LEAST_BYTES {
        return None;
    }
    let bytes = small::read(path, &found, MOST_BYTES).ok()??;
    TimeZone::tzif("", &bytes).ok()
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    /// New York, where noon at Greenwich is 7 in the morning in winter.
    const EST: &str = "EST5EDT,M3.2.0,M11.1.0";

    fn hour(named: &str, directory: Option<&Path>) -> i8 {
        let zone = zone(Some(named.as_ref()), directory.map(Into::into));
        let noon: Timestamp = "2026-01-01T12:00:00Z".parse().unwrap();
        noon.to_zoned(zone).hour()
    }

    /// A file of a zone without transitions, whose rule is `rule`.
    fn tzif(rule: &str) -> Vec<u8> {
        let mut block = b"TZif2".to_vec();
        block.extend([0; 15]);
        // No leap seconds and transitions, one type with a name of four bytes.
        for count in [0_u32, 0, 0, 0, 1, 4] {
            block.extend(count.to_be_bytes());
        }
        block.extend((-18_000_i32).to_be_bytes());
        block.extend([0, 0]);
        block.extend(b"EST\0");
        [&block, &block, format!("\n{rule}\n").as_bytes()].concat()
    }

    #[test]
    fn a_rule_and_a_file_of_a_zone_are_read() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("America")).unwrap();
        let file = dir.path().join("America/New_York");
        fs::write(&file, tzif(EST)).unwrap();
        assert_eq!(hour(EST, None), 7);
        assert_eq!(hour(&format!(":{EST}"), None), 7);
        assert_eq!(hour("America/New_York", Some(dir.path())), 7);
        assert_eq!(hour(":America/New_York", Some(dir.path())), 7);
        assert_eq!(hour(file.to_str().unwrap(), None), 7);
    }

    #[test]
    fn whatever_else_it_names_is_utc_and_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let large = dir.path().join("large");
        fs::File::create(&large).unwrap().set_len(1 << 40).unwrap();
        fs::write(dir.path().join("text"), "no zone").unwrap();
        let large = large.to_str().unwrap();
        for named in [
            "",
            ":",
            "garbage",
            "/dev/zero",
            ":/dev/zero",
            "/proc/kmsg",
            "/",
            "..",
            large,
        ] {
            assert_eq!(hour(named, None), 12, "{named}");
        }
        assert_eq!(hour("zero", Some(Path::new("/dev"))), 12);
        assert_eq!(hour("text", Some(dir.path())), 12);
    }
}
