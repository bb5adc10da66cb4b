//! Real processes: what the system's own table says of a shell that is called as a tool.

#![expect(
    clippy::disallowed_methods,
    reason = "these tests start real processes"
)]

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use attend_core::sensor::{Exit, Root};
use attend_sensors::process::ProcessConfig;

use super::world::World;

/// A shell that is called `name` and waits in the project until its input ends.
fn waits(world: &World, name: &str) -> Child {
    let bin = world.harness.path(Root::Config, name);
    if !bin.exists() {
        symlink("/bin/sh", &bin).unwrap();
    }
    let mut command = Command::new(bin);
    command
        .args(["-c", "read line; exit 3"])
        .stdin(Stdio::piped());
    command.current_dir(world.harness.work()).spawn().unwrap()
}

/// It stands in the table as the system shows it, and so does the time.
fn shown(world: &World, child: &Child) {
    let proc = Path::new("/proc");
    for name in [child.id().to_string(), "uptime".to_owned()] {
        let link = world.harness.path(Root::Proc, &name);
        if !link.is_symlink() {
            symlink(proc.join(&name), link).unwrap();
        }
    }
}

#[test]
fn a_real_process_is_read_as_the_system_shows_it() {
    if !Path::new("/proc/self/stat").exists() {
        return;
    }
    let mut world = World::unseen(ProcessConfig::default());
    world.harness.poll(world.sensor.as_mut()).assert_quiet();
    let mut make = waits(&world, "make");
    let mut other = waits(&world, "other");
    shown(&world, &make);
    shown(&world, &other);
    world
        .harness
        .poll(world.sensor.as_mut())
        .assert_texts(&["make started"]);
    drop(make.stdin.take());
    let code = make.wait().unwrap().code();
    let link = world.harness.path(Root::Proc, make.id().to_string());
    std::fs::remove_file(link).unwrap();
    world
        .harness
        .watcher()
        .ended(make.id(), code.map(Exit::Code));
    world.harness.advance(Duration::from_secs(2));
    let ended = world.harness.poll(world.sensor.as_mut());
    ended.assert_texts(&["make failed after 2 s, exit code 3"]);
    drop(other.stdin.take());
    other.wait().unwrap();
}
