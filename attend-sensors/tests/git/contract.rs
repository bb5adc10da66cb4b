//! The contract of sensors, kept beside a real repository.

use std::sync::Arc;
use std::time::Duration;

use attend_core::sensor::SensorSpec;
use attend_core::testkit::{Conformance, Harness};
use attend_sensors::git::GitConfig;

use super::world::{RealRunner, git};

/// A world with a repository that has a dirty file, and a change that touches everything.
fn conformance(prepare: impl FnOnce(&Harness)) -> Conformance {
    let harness = Harness::new().runner(Arc::new(RealRunner::default()));
    let work = harness.work().to_owned();
    git(&work, ["init", "-q", "-b", "main"]);
    git(&work, ["commit", "-q", "--allow-empty", "-m", "base"]);
    harness.write("dirty", "");
    prepare(&harness);
    Conformance::new().harness(harness).change(move |harness| {
        harness.write("new", "");
        git(&work, ["commit", "-q", "--allow-empty", "-m", "next"]);
        harness.advance(Duration::from_secs(30));
        harness.watcher().changed(work.join("new"));
        harness.watcher().changed(work.join(".git/refs/heads/main"));
    })
}

#[test]
fn a_look_outlasts_the_commands_of_a_cold_tree() {
    // Where the repository lies, what is ignored, the status, and the upstream: 20 s each.
    assert!(GitConfig::deadline() >= 5 * Duration::from_secs(20));
}

#[test]
fn by_interval() {
    conformance(|_| ()).check_kind(&GitConfig::default().by_interval());
}

#[test]
fn watched() {
    conformance(|_| ()).check_kind(&GitConfig::default());
}

#[test]
fn detached() {
    let detach = |harness: &Harness| drop(git(harness.work(), ["checkout", "-q", "--detach"]));
    conformance(detach).check_kind(&GitConfig::default());
}

#[test]
fn without_a_repository() {
    Conformance::new()
        .harness(Harness::new().runner(Arc::new(RealRunner::default())))
        .check_kind(&GitConfig::default());
}

#[test]
fn it_is_built_in() {
    let registry = attend_sensors::built_in();
    let git = registry.get("git").unwrap();
    assert_eq!(git.profile().interval, Duration::from_secs(30));
    assert_eq!(git.profile().min_interval, Duration::from_secs(5));
}
