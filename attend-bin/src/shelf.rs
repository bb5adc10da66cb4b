//! The shelf: which of hundreds of ways may be called for, without reading all of them.

use std::hash::Hasher;
use std::os::unix::ffi::OsStrExt;

use attend_core::runtime::StateDir;
use attend_core::runtime::system::SystemClock;
use attend_core::sensor::Clock as _;
use attend_core::ways::{Corpus, Index, Root, Summary, files};
use siphasher::sip::SipHasher13;

use crate::env::Env;

/// Fewer files are read as fast as an index of them.
const LEAST: usize = 50;

/// Where indexes are kept, below the directory for state.
pub(crate) const INDEXES: &str = "ways-index";

/// An index that is larger than any that is kept.
pub(crate) const MOST: u64 = 16 << 20;

/// Takes in the ways below `root` of whose trigger `wanted` takes the summary.
///
/// What is known of many files is kept between commands. That this cannot be read or kept costs
/// time only, and is not told.
pub(crate) fn seek(corpus: &mut Corpus, root: &Root, wanted: &dyn Fn(&Summary) -> bool, env: &Env) {
    let files = files(&root.path);
    let place = env.state().filter(|_| files.len() >= LEAST);
    let Some(place) = place.map(|state| state.join(INDEXES)) else {
        return corpus.seek(root, &files, None, wanted);
    };
    let mut hasher = SipHasher13::new();
    hasher.write(root.path.as_os_str().as_bytes());
    let name = format!("{:016x}.json", hasher.finish());
    let dir = StateDir::existing(place.clone()).ok().flatten();
    let bytes = dir.and_then(|dir| dir.kept(&name, MOST).ok()?);
    let mut index = Index::read(bytes.as_deref(), SystemClock.wall());
    corpus.seek(root, &files, Some(&mut index), wanted);
    if let Some(json) = index.to_json()
        && let Ok(dir) = StateDir::open(place)
    {
        let _ = dir.keep(&name, &json);
    }
}
