//! Standard input of commands that the host starts: bounded, and no reason to fail.

use std::io::{self, Read};

/// More than the host ever sends.
const MOST: u64 = 8 << 20;

/// All of it; none where it cannot be read, or is more than anybody would send.
pub(crate) fn read() -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin()
        .lock()
        .take(MOST + 1)
        .read_to_end(&mut bytes)
        .ok()?;
    (bytes.len() as u64 <= MOST).then_some(bytes)
}
