//! The loop and its configuration: what holds at the start, and what changes while it runs.

use std::fs;

use rustix::process::Signal;

use crate::world::World;

impl World {
    fn configure(&self, text: &str) {
        fs::create_dir_all(self.repo().join(".claude")).expect("a directory");
        fs::write(self.repo().join(".claude/attend.yaml"), text).expect("a file");
    }
}

#[test]
fn a_change_of_the_configuration_takes_effect_and_its_mistakes_are_said_once() {
    let world = World::new();
    world.git(["switch", "-q", "--detach"]);
    world.configure("sensors:\n  git: {enabled: false}\n  process: {enabled: false}\n");
    let mut live = world.live(&["run"]);
    let banner = live.line();
    assert!(
        banner.contains(" watches nothing in project: no sensor is switched on ("),
        "{banner}"
    );

    world.configure(
        "sensors:\n  git: {enabled: true, intervall: 10}\n  process: {enabled: false}\n",
    );
    let error = live.error();
    assert!(error.starts_with("attend: configuration: "), "{error}");
    assert!(error.ends_with("attend.yaml:2:24: sensors.git.intervall: there is no such key; it is ignored; did you mean `interval`?"), "{error}");
    let told = live.line();
    assert!(
        told.starts_with("[attend sensor=git priority=medium] HEAD detached at "),
        "{told}"
    );
    let notice = live.line();
    assert!(
        notice.starts_with("[attend] notice: configuration: "),
        "{notice}"
    );

    live.signal(Signal::TERM);
    let (code, lines, errors) = live.ended();
    assert_eq!((code, lines, errors.as_str()), (Some(0), Vec::new(), ""));
}
