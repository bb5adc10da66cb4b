//! Reads what `git status --porcelain=v2 --branch -z` prints: pure, and strict about what it does not know.

use super::name::{Name, Oid};

/// What one `git status` said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Status {
    /// The commit that HEAD names; none on a branch that has no commits.
    pub(super) head: Option<Oid>,
    /// The branch that is checked out; none where HEAD is detached.
    pub(super) branch: Option<String>,
    /// The branch that it follows.
    pub(super) upstream: Option<Tracking>,
    /// Changed, unmerged and untracked paths, in git's order.
    pub(super) entries: Vec<Entry>,
    /// Ignored paths, where they were asked for; a directory ends in a slash.
    pub(super) ignored: Vec<Name>,
}

/// The upstream of a branch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Tracking {
    /// Its short name: `origin/main`.
    pub(super) name: String,
    /// Commits that only the branch has, and that only the upstream has; none where the
    /// upstream is configured but does not exist.
    pub(super) counts: Option<(u64, u64)>,
}

/// One path that differs from what is committed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub(super) name: Name,
    pub(super) kind: EntryKind,
}

/// How it differs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EntryKind {
    /// Changed, added or deleted, in the index or in the work tree; for a submodule, inside it.
    Changed,
    /// Renamed or copied; the name is the new one.
    Moved,
    /// In conflict.
    Unmerged,
    /// Not known to git; a directory stands for all that is in it.
    Untracked,
}

/// Reads the output of one `git status`.
///
/// # Errors
///
/// A phrase that says what is wrong: a record of unknown shape, no branch headers, or an end
/// in the middle of a record. Output that is only partly understood is not used at all.
pub(super) fn status(output: &[u8]) -> Result<Status, String> {
    let Some(body) = output.strip_suffix(b"\0") else {
        return Err("it ends in the middle of a record".to_owned());
    };
    let mut records = body.split(|byte| *byte == 0);
    let mut headers = Headers::default();
    let mut entries = Vec::new();
    let mut ignored = Vec::new();
    while let Some(record) = records.next() {
        let (kind, rest) = match record {
            [kind, b' ', rest @ ..] => (*kind, rest),
            _ => return Err(unexpected(record)),
        };
        let mut entry = |kind, fields| {
            let name = last_of(rest, fields).ok_or_else(|| unexpected(record))?;
            entries.push(Entry { name, kind });
            Ok::<(), String>(())
        };
        match kind {
            b'#' => headers.read(rest).ok_or_else(|| unexpected(record))?,
            b'1' => entry(EntryKind::Changed, 8)?,
            b'2' => {
                entry(EntryKind::Moved, 9)?;
                let from = records.next().filter(|name| !name.is_empty());
                from.ok_or_else(|| unexpected(record))?;
            }
            b'u' => entry(EntryKind::Unmerged, 10)?,
            b'?' => entry(EntryKind::Untracked, 1)?,
            b'!' => ignored.push(last_of(rest, 1).ok_or_else(|| unexpected(record))?),
            _ => return Err(unexpected(record)),
        }
    }
    let (Some(oid), Some(branch)) = (headers.oid, headers.branch) else {
        return Err("it does not say which branch is checked out".to_owned());
    };
    let head = Oid::new(&oid);
    if head.is_none() && oid != "(initial)" {
        return Err(format!("{oid:?} is not a commit"));
    }
    Ok(Status {
        head,
        branch: (branch != "(detached)").then_some(branch),
        upstream: headers.upstream.map(|name| Tracking {
            name,
            counts: headers.counts,
        }),
        entries,
        ignored,
    })
}

/// The header lines that matter; later versions of git may add others.
#[derive(Default)]
struct Headers {
    oid: Option<String>,
    branch: Option<String>,
    upstream: Option<String>,
    counts: Option<(u64, u64)>,
}

impl Headers {
    fn read(&mut self, header: &[u8]) -> Option<()> {
        let space = header.iter().position(|byte| *byte == b' ')?;
        let (key, value) = (header.get(..space)?, header.get(space + 1..)?);
        let value = String::from_utf8_lossy(value);
        match key {
            b"branch.oid" => self.oid = Some(value.into_owned()),
            b"branch.head" => self.branch = Some(value.into_owned()),
            b"branch.upstream" => self.upstream = Some(value.into_owned()),
            // What git was told not to count.
            b"branch.ab" if value == "+? -?" => {}
            b"branch.ab" => {
                let (ahead, behind) = value.strip_prefix('+')?.split_once(" -")?;
                self.counts = Some((ahead.parse().ok()?, behind.parse().ok()?));
            }
            _ => {}
        }
        Some(())
    }
}

/// The last of `count` fields; only that one may contain spaces.
fn last_of(record: &[u8], count: usize) -> Option<Name> {
    let name = record.splitn(count, |byte| *byte == b' ').nth(count - 1)?;
    (!name.is_empty()).then(|| Name::new(name))
}

fn unexpected(record: &[u8]) -> String {
    let shown: String = String::from_utf8_lossy(record).chars().take(60).collect();
    format!("unexpected record {shown:?}")
}

/// Reads `L<tab>R`, as `git rev-list --left-right --count` prints it.
pub(super) fn left_right(output: &[u8]) -> Option<(u64, u64)> {
    let (left, right) = std::str::from_utf8(output)
        .ok()?
        .trim_ascii()
        .split_once('\t')?;
    Some((left.parse().ok()?, right.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const OID: &str = "0123456789abcdef0123456789abcdef01234567";

    fn output(records: &[&[u8]]) -> Vec<u8> {
        let mut all = format!("# branch.oid {OID}\0# branch.head main\0").into_bytes();
        for record in records {
            all.extend_from_slice(record);
            all.push(0);
        }
        all
    }

    fn names(status: &Status, of: EntryKind) -> Vec<&[u8]> {
        let entries = status.entries.iter().filter(|entry| entry.kind == of);
        entries.map(|entry| entry.name.as_bytes()).collect()
    }

    #[test]
    fn a_clean_tree_has_headers_only() {
        let clean = status(&output(&[])).unwrap();
        assert_eq!(clean.head, Oid::new(OID));
        assert_eq!(clean.branch.as_deref(), Some("main"));
        assert_eq!((clean.upstream, clean.entries), (None, Vec::new()));
    }

    #[test]
    fn unborn_and_detached_are_not_names() {
        let unborn = status(b"# branch.oid (initial)\0# branch.head main\0").unwrap();
        assert_eq!(unborn.head, None);
        let detached = format!("# branch.oid {OID}\0# branch.head (detached)\0");
        assert_eq!(status(detached.as_bytes()).unwrap().branch, None);
    }

    #[test]
    fn upstream_with_and_without_counts() {
        let with = status(&output(&[
            b"# branch.upstream origin/main",
            b"# branch.ab +2 -3",
        ]));
        let with = with.unwrap().upstream.unwrap();
        assert_eq!(
            (with.name.as_str(), with.counts),
            ("origin/main", Some((2, 3)))
        );
        for uncounted in [
            &[&b"# branch.upstream origin/main"[..], b"# branch.ab +? -?"][..],
            &[b"# branch.upstream origin/gone"],
        ] {
            let uncounted = status(&output(uncounted)).unwrap();
            assert_eq!(uncounted.upstream.unwrap().counts, None);
        }
    }

    #[test]
    fn every_kind_of_record() {
        let o = OID;
        let changed = format!("1 .M N... 100644 100644 100644 {o} {o}  lead and trail ");
        let moved = format!("2 R. N... 100644 100644 100644 {o} {o} R100 new name");
        let unmerged = format!("u UU N... 100644 100644 100644 100644 {o} {o} {o} both\n\"x\"");
        let sub = format!("1 .M S.MU 160000 160000 160000 {o} {o} vendor/lib");
        let read = status(&output(&[
            changed.as_bytes(),
            moved.as_bytes(),
            b"? old name",
            unmerged.as_bytes(),
            sub.as_bytes(),
            b"? -> \xff",
            b"! target/",
            b"# stash 2",
        ]));
        let read = read.unwrap();
        let changed: [&[u8]; 2] = [b" lead and trail ", b"vendor/lib"];
        assert_eq!(names(&read, EntryKind::Changed), changed);
        assert_eq!(names(&read, EntryKind::Moved), [b"new name"]);
        assert_eq!(names(&read, EntryKind::Unmerged), [b"both\n\"x\""]);
        assert_eq!(names(&read, EntryKind::Untracked), [b"-> \xff"]);
        assert_eq!(read.ignored, [Name::new(b"target/")]);
    }

    #[test]
    fn what_is_not_understood_is_an_error() {
        let cut = format!("2 R. N... 100644 100644 100644 {OID} {OID} R100 new");
        let cases: [(&[u8], &str); 9] = [
            (b"", "ends in the middle"),
            (
                b"# branch.oid (initial)\0# branch.head",
                "ends in the middle",
            ),
            (b"\0", "unexpected record \"\""),
            (b"? a\0", "which branch"),
            (b"# branch.oid 12\0# branch.head a\0", "\"12\" is not"),
            (&output(&[b"x new"]), "unexpected record \"x new\""),
            (&output(&[b"1 .M N... 1 1"]), "unexpected record"),
            (&output(&[b"# branch.ab 2 3"]), "unexpected record"),
            (&output(&[cut.as_bytes()]), "unexpected record"),
        ];
        for (bytes, said) in cases {
            let error = status(bytes).unwrap_err();
            assert!(error.contains(said), "{error} should say {said}");
        }
    }

    #[test]
    fn counts() {
        assert_eq!(left_right(b"0\t12\n"), Some((0, 12)));
        assert_eq!(left_right(b"12\n"), None);
        assert_eq!(left_right(b""), None);
    }

    fn name() -> impl Strategy<Value = Vec<u8>> {
        proptest::collection::vec(1_u8..=255, 1..24)
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes: Vec<u8>) {
            let _ = status(&bytes);
        }

        #[test]
        fn no_records_make_it_panic(records in proptest::collection::vec("[12u?!# ][ -~]{0,40}", 0..6)) {
            let records: Vec<&[u8]> = records.iter().map(String::as_bytes).collect();
            let _ = status(&output(&records));
        }

        #[test]
        fn odd_names_come_out_as_they_went_in(names in proptest::collection::vec((name(), 0..4), 0..8)) {
            let mut expected = Vec::new();
            let mut records: Vec<Vec<u8>> = Vec::new();
            for (name, kind) in &names {
                let (head, kind) = match kind {
                    0 => (format!("1 .M N... 100644 100644 100644 {OID} {OID} "), EntryKind::Changed),
                    1 => (format!("2 R. N... 100644 100644 100644 {OID} {OID} R90 "), EntryKind::Moved),
                    2 => (format!("u UU N... 1 1 1 1 {OID} {OID} {OID} "), EntryKind::Unmerged),
                    _ => ("? ".to_owned(), EntryKind::Untracked),
                };
                records.push([head.as_bytes(), name].concat());
                if kind == EntryKind::Moved {
                    records.push(b"? from where".to_vec());
                }
                expected.push(Entry { name: Name::new(name), kind });
            }
            let records: Vec<&[u8]> = records.iter().map(Vec::as_slice).collect();
            prop_assert_eq!(status(&output(&records)).unwrap().entries, expected);
        }
    }
}
