//! Databases that are not attend's, made byte by byte, as other programs leave them.

/// How large a page is.
const PAGE: usize = 4_096;

/// A database of SQLite with one empty table, of that user version and application id.
pub(crate) fn database(version: u32, application: u32) -> Vec<u8> {
    let mut bytes = vec![0; 2 * PAGE];
    let mut put = |at: usize, what: &[u8]| bytes[at..at + what.len()].copy_from_slice(what);
    put(0, b"SQLite format 3\0\x10\x00\x01\x01\x00\x40\x20\x20");
    // The change counter, the pages, the schema's cookie and format, UTF-8.
    for (at, number) in [
        (24, 1),
        (28, 2),
        (40, 1),
        (44, 4),
        (56, 1),
        (92, 1),
        (96, 3_045_000),
    ] {
        put(at, &u32::to_be_bytes(number));
    }
    put(60, &version.to_be_bytes());
    put(68, &application.to_be_bytes());
    // The one row of the schema: its size, its number, the types of its columns, the columns.
    let mut row = vec![31, 1, 6, 23, 15, 15, 1, 47];
    row.extend(b"tablett\x02CREATE TABLE t(x)");
    let at = PAGE - row.len();
    put(at, &row);
    let at = u16::try_from(at).expect("within a page").to_be_bytes();
    put(100, &[13, 0, 0, 0, 1, at[0], at[1], 0, at[0], at[1]]);
    put(PAGE, &[13, 0, 0, 0, 0, 0x10, 0, 0]);
    bytes
}
