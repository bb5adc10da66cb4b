//! Changes of the session's own making: silent, and those of others beside them told.

use std::fs::{self, File};
use std::path::PathBuf;
use std::time::Duration;

use attend_core::dynamics::Tick;
use attend_core::sensor::{
    HostAnswer, HostRequest, HostState, OwnCall, OwnChanges, OwnEdit, OwnSpan, SensorError,
};

use super::world::{World, each, paths};

/// From so many seconds ago until so many seconds ago; none while it goes on.
type Ago = (u64, Option<u64>);

impl World {
    fn span(&self, (from, until): Ago) -> OwnSpan {
        let ago = |ago| Tick::new(self.harness.now().get() - ago);
        OwnSpan::new(ago(from), until.map(ago))
    }

    /// The host is busy, and says that the session did this.
    fn did(&self, own: OwnChanges) {
        self.harness.host().set(HostState::Busy);
        let answer = HostAnswer::Own(own);
        self.harness.host().answer(HostRequest::Own, Ok(answer));
    }

    fn edited(&self, paths: &[PathBuf], ago: Ago) {
        let mut own = OwnChanges::default();
        let edits = paths.iter().map(|path| OwnEdit::new(path, self.span(ago)));
        own.edits = edits.collect();
        self.did(own);
    }

    fn called(&self, version_control: bool, ago: Ago) {
        let mut call = OwnCall::new(self.span(ago));
        call.version_control = version_control;
        let mut own = OwnChanges::default();
        own.calls.push(call);
        self.did(own);
    }

    /// Says of the file `name` that it was written so many seconds ago.
    fn written(&self, name: &str, ago: u64) {
        let file = File::options().append(true).open(self.path(name)).unwrap();
        let time = self.harness.wall() - Duration::from_secs(ago);
        file.set_modified(time).unwrap();
    }
}

#[test]
fn its_own_edits_are_silent_and_those_of_others_are_told() {
    each(&["**"], |world| {
        for name in ["mine", "theirs"] {
            world.write(name, "1");
        }
        world.begin();
        world.did(OwnChanges::default());
        for name in ["mine", "theirs", "sub/mine"] {
            world.write(name, "22");
        }
        let mine = [world.path("mine"), PathBuf::from("sub/mine")];
        world.edited(&mine, (0, None));
        assert_eq!(world.told(), ["changed theirs"]);
        // They are what the next look is compared with.
        world.did(OwnChanges::default());
        world.much_later();
        assert_eq!(world.told(), [""; 0]);
        world.write("mine", "333");
        assert_eq!(world.told(), ["changed mine"]);
    });
}

#[test]
fn news_is_held_until_the_transcript_had_its_time() {
    each(&["a"], |world| {
        world.write("a", "1");
        world.begin();
        world.did(OwnChanges::default());
        world.write("a", "22");
        let woken = world.harness.woken();
        world.look_after(30).assert_quiet();
        assert!(world.harness.woken() > woken, "it asks to look again");
        world.look_after(1).assert_quiet();
        // Late, it is written down that it was the session.
        world.edited(&[world.path("a")], (2, Some(1)));
        world.look_after(1).assert_quiet();
        assert_eq!(world.told(), [""; 0]);
    });
}

#[test]
fn an_edit_through_a_link_is_one_of_the_same_file() {
    each(&["a"], |world| {
        world.begin();
        let link = world.beside("link");
        std::os::unix::fs::symlink(world.work(), &link).unwrap();
        world.write("a", "1");
        world.edited(&[link.join("a")], (0, None));
        assert_eq!(world.told(), [""; 0]);
    });
}

#[test]
fn a_time_outside_its_edits_tells_that_it_was_somebody_else() {
    let mut world = World::polled(&["*"]);
    world.write("a", "1");
    world.write("b", "1");
    world.begin();
    world.harness.advance(Duration::from_secs(30));
    for (name, ago) in [("a", 24), ("b", 10)] {
        world.write(name, "22");
        world.written(name, ago);
    }
    world.edited(&[world.path("a"), world.path("b")], (25, Some(23)));
    assert_eq!(world.look_after(0).texts(), ["changed b"]);
}

#[test]
fn what_others_remove_is_told_although_it_edited_that() {
    each(&["a"], |world| {
        world.write("a", "1");
        world.begin();
        world.edited(&[world.path("a")], (0, None));
        world.remove("a");
        assert_eq!(world.told(), ["removed a"]);
    });
}

#[test]
fn its_version_control_is_silent_in_the_project_and_nowhere_else() {
    let mut world = World::of(
        attend_core::testkit::Harness::new(),
        paths(&["*", "~/notes/"]),
    );
    world.begin();
    let notes = world.harness.path(attend_core::sensor::Root::Home, "notes");
    for (version_control, told) in [
        (true, vec!["created ~/notes/true"]),
        (false, vec!["created false", "created ~/notes/false"]),
    ] {
        world.much_later();
        world.look_after(0);
        let name = version_control.to_string();
        world.write(&name, "");
        fs::create_dir_all(&notes).unwrap();
        fs::write(notes.join(&name), "").unwrap();
        world.called(version_control, (0, None));
        world.harness.watcher().lost();
        assert_eq!(world.told(), told);
    }
}

#[test]
fn a_host_that_cannot_say_is_waited_for_and_then_left_out() {
    let mut world = World::polled(&["a"]);
    world.begin();
    let error = SensorError::transient("the transcript cannot be read");
    world.harness.host().answer(HostRequest::Own, Err(error));
    world.harness.advance(Duration::from_secs(30));
    world.write("a", "");
    world.written("a", 10);
    world.look_after(0).assert_quiet();
    assert_eq!(world.look_after(2).texts(), ["created a"]);
}
