//! Where things lie that a configuration names: the user's directories, the script, its memory.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use attend_core::sensor::{Root, Roots, SensorName};

/// What stands for the user's directories at the beginning of a path.
const KNOWN: [(&str, Root); 7] = [
    ("~", Root::Home),
    ("$HOME", Root::Home),
    ("$XDG_CONFIG_HOME", Root::UserConfig),
    ("$XDG_DATA_HOME", Root::UserData),
    ("$XDG_STATE_HOME", Root::UserState),
    ("$XDG_CACHE_HOME", Root::UserCache),
    ("$XDG_RUNTIME_DIR", Root::UserRuntime),
];

/// The directory that a path begins with, and the rest of it.
fn beginning(path: &str) -> Option<(Root, &str)> {
    KNOWN.into_iter().find_map(|(name, root)| {
        let braced = name.strip_prefix('$').map(|name| format!("${{{name}}}"));
        let rest = braced.and_then(|braced| path.strip_prefix(braced.as_str()));
        let rest = rest.or_else(|| path.strip_prefix(name))?;
        (rest.is_empty() || rest.starts_with('/')).then_some((root, rest))
    })
}

/// Whether something may stand for the beginning of `path`.
pub(super) fn is_reachable(path: &str) -> bool {
    !path.starts_with(['~', '$']) || beginning(path).is_some()
}

/// `word` with the directory that it begins with; as it is where it begins with none.
pub(super) fn expanded(word: &str, roots: &Roots) -> Result<PathBuf, String> {
    let Some((root, rest)) = beginning(word) else {
        return Ok(PathBuf::from(word));
    };
    let root = roots.get(root).ok_or_else(|| {
        format!("there is no directory for the beginning of {word}: the environment names none")
    })?;
    Ok(root.join(rest.trim_start_matches('/')))
}

/// Why `program` cannot be run; none where it can, or where only its name is known.
pub(super) fn missing(program: &Path) -> Option<String> {
    if program.is_relative() {
        return None;
    }
    let shown = program.display();
    match fs::metadata(program) {
        Ok(found) if !found.is_file() => Some(format!("{shown} is no file")),
        Ok(found) if found.permissions().mode() & 0o111 == 0 => Some(format!(
            "{shown} is not executable; make it so: chmod +x {shown}"
        )),
        Ok(_) => None,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Some(format!("there is no file {shown}"))
        }
        Err(error) => Some(format!("{shown} cannot be run: {error}")),
    }
}

/// The directory in which the script of the sensor `name` may keep something, made where it is
/// missing; none where nothing is kept.
pub(super) fn memory(roots: &Roots, name: &SensorName) -> io::Result<Option<PathBuf>> {
    let Some(own) = roots.get(Root::Own) else {
        return Ok(None);
    };
    let scripts = own.join("scripts");
    let memory = scripts.join(name.as_str());
    for directory in [own, &scripts, &memory] {
        match DirBuilder::new().mode(0o700).create(directory) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        if !fs::symlink_metadata(directory)?.is_dir() {
            let text = format!("{} is no directory", directory.display());
            return Err(io::Error::other(text));
        }
    }
    Ok(Some(memory))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roots() -> Roots {
        Roots::new("/project")
            .with(Root::Home, "/home/sam")
            .with(Root::UserConfig, "/home/sam/.config")
    }

    #[test]
    fn the_users_directories_stand_at_the_beginning() {
        for (word, path) in [
            ("~/x.sh", "/home/sam/x.sh"),
            ("~", "/home/sam"),
            ("$HOME/x", "/home/sam/x"),
            ("${XDG_CONFIG_HOME}/a b", "/home/sam/.config/a b"),
            ("$XDG_CONFIG_HOME", "/home/sam/.config"),
            ("/a/~/$HOME", "/a/~/$HOME"),
            ("~sam/x", "~sam/x"),
            ("$HOMELY", "$HOMELY"),
        ] {
            assert_eq!(expanded(word, &roots()), Ok(PathBuf::from(path)), "{word}");
        }
        assert!(expanded("$XDG_CACHE_HOME/x", &roots()).is_err());
        assert!(!is_reachable("~sam/x") && !is_reachable("$HOMELY/x") && is_reachable("x/$HOME"));
    }
}
