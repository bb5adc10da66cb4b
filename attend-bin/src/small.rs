//! Small files, read whole or not at all.

use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::path::Path;

/// The whole of the file at `path`, where what was `found` there is a regular one of at most `most`
/// bytes; none of anything else: to open a pipe, or to read a device to its end, may last for ever.
pub(crate) fn read(path: &Path, found: &Metadata, most: u64) -> io::Result<Option<Vec<u8>>> {
    if !found.is_file() || found.len() > most {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}
