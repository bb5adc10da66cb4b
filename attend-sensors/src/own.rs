//! What the session did itself, as the host tells it, and the files that it names.

use std::path::{Path, PathBuf};

use attend_core::sensor::{HostAnswer, HostRequest, OwnChanges, PollContext};

/// What the host says of the session's own doing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Said {
    /// There is no host, or it does not know the question.
    Nothing,
    /// It cannot say now.
    NotNow,
    /// This.
    Changes(OwnChanges),
}

/// Asks the host what the session did itself.
pub(crate) async fn own(cx: &PollContext) -> Said {
    match cx.host().ask(&HostRequest::Own).await {
        Ok(HostAnswer::Own(changes)) => Said::Changes(changes),
        Ok(_) => Said::Nothing,
        Err(_) => Said::NotNow,
    }
}

/// `path` without links; of a file that is gone, as far as its directory is there.
pub(crate) fn real(path: &Path) -> PathBuf {
    let of_directory = || Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?));
    let real = path.canonicalize().ok().or_else(of_directory);
    real.unwrap_or_else(|| path.to_owned())
}
