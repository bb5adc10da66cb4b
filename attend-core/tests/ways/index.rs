//! The index: a file is read again as soon as it may be another one.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use attend_core::ways::{Corpus, Index, Origin, Root, files};
use tempfile::TempDir;

const ON_STOP: &str = "---\nname: n\ndescription: d\ntrigger: { type: Stop }\n---\nB\n";
const ON_STEP: &str = "---\nname: n\ndescription: d\ntrigger: { type: Step }\n---\nB\n";

fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000 + seconds)
}

/// Writes the way `a`, as of that time.
fn write(root: &Path, text: &str, seconds: u64) {
    let path = root.join("a.md");
    fs::write(&path, text).unwrap();
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.set_modified(at(seconds)).unwrap();
}

/// Whether the way `a` is found at that time, and what is kept from then on.
fn look(root: &Path, kept: &mut Option<Vec<u8>>, seconds: u64) -> (bool, bool) {
    let root = Root {
        origin: Origin::User,
        path: root.to_owned(),
    };
    let mut index = Index::read(kept.as_deref(), at(seconds));
    let mut corpus = Corpus::default();
    corpus.seek(&root, &files(&root.path), Some(&mut index), &|_| true);
    let json = index.to_json();
    let is_new = json.is_some();
    if is_new {
        *kept = json;
    }
    (corpus.get("a").is_some(), is_new)
}

#[test]
fn what_changed_is_read_again_and_what_did_not_is_kept() {
    let dir = TempDir::new().unwrap();
    let mut kept = None;
    write(dir.path(), ON_STOP, 0);
    assert_eq!(look(dir.path(), &mut kept, 10), (true, true));
    assert_eq!(look(dir.path(), &mut kept, 11), (true, false));
    // Of the same size.
    write(dir.path(), ON_STEP, 1);
    assert_eq!(look(dir.path(), &mut kept, 12), (false, true));
    // Of the same time, also where that is before.
    write(dir.path(), &format!("{ON_STOP}\n"), 1);
    assert_eq!(look(dir.path(), &mut kept, 13), (true, true));
    write(dir.path(), &format!("{ON_STEP}\n"), 0);
    assert_eq!(look(dir.path(), &mut kept, 14), (false, true));
    fs::remove_file(dir.path().join("a.md")).unwrap();
    assert_eq!(look(dir.path(), &mut kept, 15), (false, true));
    assert_eq!(look(dir.path(), &mut kept, 16), (false, false));
}

#[test]
fn what_changed_just_before_may_change_once_more_unseen() {
    let dir = TempDir::new().unwrap();
    let mut kept = None;
    write(dir.path(), ON_STOP, 10);
    assert_eq!(look(dir.path(), &mut kept, 11), (true, true));
    write(dir.path(), ON_STEP, 10);
    assert_eq!(look(dir.path(), &mut kept, 11), (false, true));
    // It is not written anew at each look meanwhile, and once when it has settled.
    assert_eq!(look(dir.path(), &mut kept, 11), (false, false));
    assert_eq!(look(dir.path(), &mut kept, 12), (false, true));
    assert_eq!(look(dir.path(), &mut kept, 13), (false, false));
}

#[test]
fn what_is_damaged_or_of_another_version_counts_as_nothing() {
    let dir = TempDir::new().unwrap();
    let mut kept = None;
    write(dir.path(), ON_STOP, 0);
    look(dir.path(), &mut kept, 10);
    let good = String::from_utf8(kept.unwrap()).unwrap();
    let half = good.get(..good.len() / 2).unwrap();
    for bad in ["", "{", "[]", "\0", half, &good.replacen("1/", "0/", 1)] {
        let mut kept = Some(bad.as_bytes().to_vec());
        assert_eq!(look(dir.path(), &mut kept, 10), (true, true), "{bad}");
        assert_eq!(kept.unwrap(), good.as_bytes());
    }
}
