//! What cannot be watched is polled, what cannot be read is said, and neither is taken for empty.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

use attend_core::runtime::system::SystemWatcher;
use attend_core::sensor::{ErrorKind, SensorError};
use attend_core::testkit::Harness;

use super::world::{World, paths, warnings};

const LIMIT: &str = "cannot watch src: this user watches as many paths as allowed \
                     (fs.inotify.max_user_watches = 8192; `sysctl` raises it)";

#[test]
fn at_the_limit_of_watches_it_says_so_once_and_polls() {
    let mut world = World::told_of(&["src/**"]);
    world.write("src/a", "1");
    let watcher = world.harness.watcher().clone();
    watcher.refuse(SensorError::unavailable(LIMIT));
    let polled = world.look_after(0);
    let expected = format!("the files are looked at by interval and not watched: {LIMIT}");
    assert_eq!(warnings(&polled), [expected]);
    assert_eq!(polled.warnings()[0].kind(), ErrorKind::Unavailable);
    assert!(watcher.watched().is_empty());
    for n in 0..30 {
        world.write("src/a", &"x".repeat(n + 2));
        let polled = world.look_after(30);
        assert_eq!(warnings(&polled), [""; 0]);
        assert_eq!(world.look_after(2).texts(), ["changed src/a"]);
        world.much_later();
    }
    watcher.allow();
    world.look_after(600);
    assert!(!watcher.watched().is_empty(), "it is tried again");
}

#[test]
fn where_no_watch_can_be_opened_it_says_so_once_and_polls() {
    let mut world = World::polled(&["a"]);
    let said = warnings(&world.look_after(0));
    assert_eq!(
        said,
        ["the files are looked at by interval and not watched: no"]
    );
    world.write("a", "");
    let polled = world.look_after(30);
    assert_eq!(warnings(&polled), [""; 0]);
    assert_eq!(world.look_after(2).texts(), ["created a"]);
}

#[test]
#[cfg_attr(
    not(target_os = "linux"),
    ignore = "it needs a file system without events"
)]
fn a_file_system_without_events_is_polled() {
    let harness = Harness::new().watched_by(Arc::new(SystemWatcher::new()));
    let mut world = World::of(harness, paths(&["a", "/proc/sys/kernel/hostname"]));
    let said = warnings(&world.look_after(0));
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(
        said[0].contains("its file system (proc) does not tell"),
        "{said:?}"
    );
    world.write("a", "");
    assert_eq!(world.told(), ["created a"]);
}

/// A shell that opens and closes what it is told: each descriptor is a file below `/proc`.
struct Opens(std::process::Child);

impl Opens {
    fn start() -> Self {
        #[expect(clippy::disallowed_methods, reason = "a test prepares its place")]
        let mut shell = std::process::Command::new("sh");
        let piped = std::process::Stdio::piped;
        Self(shell.stdin(piped()).stdout(piped()).spawn().unwrap())
    }

    /// Runs `line`, and waits until that is done.
    fn say(&mut self, line: &str) {
        let stdin = self.0.stdin.as_mut().unwrap();
        writeln!(stdin, "{line}; echo").unwrap();
        let mut done = [0];
        let stdout = self.0.stdout.as_mut().unwrap();
        io::Read::read_exact(stdout, &mut done).unwrap();
    }
}

impl Drop for Opens {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
#[cfg_attr(
    not(target_os = "linux"),
    ignore = "it needs a file system without events"
)]
fn what_happens_on_a_file_system_without_events_is_told_once_and_for_one_notice() {
    let mut opens = Opens::start();
    opens.say("exec 7</dev/null");
    let place = format!("/proc/{}/fdinfo", opens.0.id());
    let harness = Harness::new().watched_by(Arc::new(SystemWatcher::new()));
    let mut world = World::of(harness, paths(&["a", &format!("{place}/[789]")]));
    let polled = world.look_after(0);
    assert_eq!((polled.texts(), polled.warnings().len()), (vec![], 1));
    for (line, told) in [
        ("exec 8</dev/null", format!("created {place}/8")),
        ("exec 7<&-", format!("removed {place}/7")),
        (
            "exec 8<&- 9</dev/null",
            format!("2 files: 1 created ({place}/9), 1 removed ({place}/8)"),
        ),
    ] {
        world.much_later();
        opens.say(line);
        let mut texts = Vec::new();
        // By interval, and once more when it came to rest.
        for wait in [30, 2, 30, 2] {
            let polled = world.look_after(wait);
            assert_eq!(warnings(&polled), [""; 0]);
            texts.extend(polled.texts().into_iter().map(str::to_owned));
        }
        assert_eq!(texts, [told]);
    }
    assert_eq!(world.harness.woken(), 3, "once each, when it came to rest");
}

#[test]
fn what_is_lost_is_looked_for() {
    let mut world = World::told_of(&["**"]);
    world.write("a", "1");
    world.begin();
    world.write("sub/b", "1");
    world.remove("a");
    world.harness.watcher().lost();
    assert_eq!(world.told(), ["2 files: 1 created (sub/b), 1 removed (a)"]);
}

/// Closes `path` to this user; false where this user may read everything.
fn close(path: &Path) -> bool {
    fs::set_permissions(path, fs::Permissions::from_mode(0o000)).unwrap();
    let closed = fs::read_dir(path).is_err();
    if !closed {
        // Past the capture of test output: nothing is left out in silence.
        let _ = writeln!(
            io::stderr(),
            "files: left out, this user reads closed directories"
        );
    }
    closed
}

#[test]
fn a_directory_that_cannot_be_read_is_no_empty_one() {
    for watched in [true, false] {
        let mut world = if watched {
            World::watched(&["**"])
        } else {
            World::polled(&["**"])
        };
        world.write("closed/a", "1");
        world.write("open/b", "1");
        world.begin();
        let closed = world.path("closed");
        if !close(&closed) {
            return;
        }
        world.write("open/c", "");
        world.write("open/deep/d", "");
        let mut said = Vec::new();
        let mut told = Vec::new();
        for wait in [30, 1, 1, 1] {
            let polled = world.look_after(wait);
            said.extend(warnings(&polled));
            told.extend(polled.texts().into_iter().map(str::to_owned));
        }
        assert_eq!(told, ["2 files created: open/c, open/deep/d"]);
        let expected = format!("cannot look into {}: Permission denied", closed.display());
        assert!(said[0].starts_with(&expected), "{said:?}");
        // It was known before: what came meanwhile is new.
        let open = || fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
        open();
        world.write("closed/new", "");
        assert!(close(&closed));
        world.look_after(30);
        world.much_later();
        open();
        assert_eq!(world.told(), ["created closed/new"]);
    }
}

#[test]
fn what_lay_in_a_closed_directory_is_not_new_when_it_opens() {
    let mut world = World::watched(&["**"]);
    world.write("closed/a", "1");
    let closed = world.path("closed");
    let is_closed = close(&closed);
    let polled = world.look_after(0);
    assert_eq!(polled.texts(), [""; 0]);
    if !is_closed {
        return;
    }
    assert_eq!(warnings(&polled).len(), 1);
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(world.told(), [""; 0]);
    world.write("closed/a", "22");
    world.write("closed/b", "");
    assert_eq!(
        world.told(),
        ["2 files: 1 created (closed/b), 1 changed (closed/a)"]
    );
    // From then on its files are known, whatever makes that everything is looked at.
    world.much_later();
    world.write("other/c", "");
    world.write("closed/d", "");
    assert_eq!(world.told(), ["2 files created: closed/d, other/c"]);
}

#[test]
fn a_project_that_is_gone_is_a_failed_look_and_no_loss_of_files() {
    for watched in [true, false] {
        let mut world = if watched {
            World::watched(&["**"])
        } else {
            World::polled(&["**"])
        };
        world.write("a", "1");
        world.begin();
        let away = world.beside("away");
        fs::rename(world.work(), &away).unwrap();
        let polled = world.look_after(30);
        assert_eq!(polled.error().kind(), ErrorKind::Transient);
        assert!(polled.error().to_string().starts_with("cannot look at "));
        fs::rename(&away, world.work()).unwrap();
        assert_eq!(world.told(), [""; 0]);
        world.write("b", "");
        assert_eq!(world.told(), ["created b"]);
    }
}
