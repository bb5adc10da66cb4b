//! The beginnings of files in places that a project may fill with anything.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

/// The first `most` bytes of the file at `path`.
///
/// To open a pipe would wait for somebody to write to it, and a device may have no end: what is
/// no regular file is an error.
pub(crate) fn beginning(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn only_the_beginning_of_a_regular_file_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "0123456789").unwrap();
        assert_eq!(beginning(&file, 4).unwrap(), b"0123");
        assert_eq!(beginning(&file, 100).unwrap(), b"0123456789");
        let endless = dir.path().join("endless");
        symlink("/dev/zero", &endless).unwrap();
        for other in [dir.path(), &endless, &dir.path().join("none")] {
            assert!(beginning(other, 4).is_err(), "{other:?}");
        }
    }
}
