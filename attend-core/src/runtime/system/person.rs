//! Who runs this process: the user's name, and whether a terminal is at hand.

use std::fs;
use std::path::PathBuf;

use nix::unistd::{Uid, User};

/// The name of the user who runs this process, as the system's list of users has it; none where
/// the user is not listed. The environment has no say in it.
pub fn user_name() -> Option<String> {
    let user = User::from_uid(Uid::current()).ok().flatten()?;
    Some(user.name).filter(|name| !name.is_empty())
}

/// The home of the user who runs this process, as the system's list of users has it; none where
/// the user is not listed. The environment has no say in it.
pub fn user_home() -> Option<PathBuf> {
    let user = User::from_uid(Uid::current()).ok().flatten()?;
    Some(user.dir).filter(|home| home.is_absolute())
}

/// Whether a terminal controls this process, whatever its standard input and output are.
pub fn has_terminal() -> bool {
    fs::File::open("/dev/tty").is_ok() || is_controlled()
}

/// The same by the process table, where the device is not there: the seventh field of its line.
fn is_controlled() -> bool {
    let line = fs::read("/proc/self/stat").unwrap_or_default();
    let line = String::from_utf8_lossy(&line);
    let after = line.rsplit_once(')').map(|(_, after)| after);
    let terminal = after.and_then(|after| after.split_whitespace().nth(4));
    terminal.is_some_and(|terminal| terminal != "0")
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the system's own answer")]
    fn the_user_is_the_one_that_the_system_knows() {
        let told = std::process::Command::new("id").arg("-un").output();
        let told = told.unwrap();
        let told = told.status.success().then_some(told.stdout);
        let told = told.map(|name| String::from_utf8(name).unwrap().trim().to_owned());
        assert_eq!(user_name(), told);
    }
}
