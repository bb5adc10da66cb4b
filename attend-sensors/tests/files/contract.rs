//! The contract of sensors, kept beside real files.

use std::fs::File;
use std::time::Duration;

use attend_core::sensor::{
    HostAnswer, HostRequest, OwnChanges, OwnEdit, OwnSpan, Root, SensorSpec,
};
use attend_core::testkit::{Conformance, Harness};
use attend_sensors::files::FilesConfig;

use super::world::{directory, paths};

/// A world with some files, and a change of all kinds that settled before the next look.
fn conformance() -> Conformance {
    let harness = Harness::new();
    for name in ["a", "b", "sub/c", "sub/deep/d"] {
        harness.write(name, "");
    }
    let own = HostAnswer::Own(OwnChanges::default());
    harness.host().answer(HostRequest::Own, Ok(own));
    Conformance::new().harness(harness).change(|harness| {
        harness.remove("sub/deep");
        directory(&harness.path(Root::Home, "x"), "y");
        harness.advance(Duration::from_secs(30));
        let written = harness.wall() - Duration::from_secs(10);
        let paths = [
            harness.write("a", "more"),
            harness.write("new", ""),
            harness.write("mine", ""),
            harness.path(Root::Home, "x/y"),
        ];
        for path in &paths {
            let file = File::options().append(true).open(path).unwrap();
            file.set_modified(written).unwrap();
        }
        for path in [
            harness.path(Root::Work, "sub"),
            harness.path(Root::Work, ""),
        ] {
            File::open(path).unwrap().set_modified(written).unwrap();
        }
        let mut own = OwnChanges::default();
        own.edits = vec![OwnEdit::new("mine", OwnSpan::new(harness.now(), None))];
        let own = HostAnswer::Own(own);
        harness.host().answer(HostRequest::Own, Ok(own));
        harness.watcher().lost();
    })
}

#[test]
fn watched() {
    conformance().check_kind(&paths(&["**", "~/x"]));
}

#[test]
fn by_interval() {
    conformance().check_kind(&paths(&["*", "sub/**", "~/x"]).by_interval());
}

#[test]
fn without_paths() {
    Conformance::new().check_kind(&FilesConfig::default());
}

#[test]
fn it_is_built_in() {
    let registry = attend_sensors::built_in();
    let files = registry.get(FilesConfig::KIND).unwrap();
    let profile = files.profile();
    assert_eq!(profile.interval, Duration::from_secs(30));
    assert_eq!(profile.min_interval, Duration::from_secs(1));
    assert_eq!(profile.threshold.thousandths(), 2_000);
    assert_eq!(profile.decay_threshold, 4);
}
