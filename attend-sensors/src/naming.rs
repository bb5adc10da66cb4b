//! What other sessions are called where they are told of.

use std::path::Path;

use attend_core::sensor::{Peer, Project};

/// How many letters of a session's id name it.
const SHORT: usize = 8;

/// The longest name that is told, in characters.
const MAX_NAME: usize = 60;

/// What a session is called: as its person does, else by its project and its id. `here` says
/// whether it works on `project`.
pub(crate) fn name(peer: &Peer, here: bool, project: &Project) -> String {
    let folder = if here {
        project.name().to_owned()
    } else {
        let folder = peer.cwd.as_deref().and_then(Path::file_name);
        let folder = folder.map(|folder| folder.to_string_lossy().into_owned());
        folder.unwrap_or_else(|| "?".to_owned())
    };
    let named = peer.name.as_deref().map(str::trim);
    let name = match named.filter(|name| !name.is_empty()) {
        Some(name) if here => cut(name),
        Some(name) => format!("{} ({})", cut(name), cut(&folder)),
        None => {
            let id: String = peer.session.chars().take(SHORT).collect();
            format!("{} {id}", cut(&folder))
        }
    };
    let noun = if peer.interactive {
        "session"
    } else {
        "background session"
    };
    format!("{noun} {name}")
}

fn cut(name: &str) -> String {
    if name.chars().count() <= MAX_NAME {
        return name.to_owned();
    }
    let kept: String = name.chars().take(MAX_NAME - 1).collect();
    kept + "…"
}
