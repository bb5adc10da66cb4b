//! Builds that start, end, fail, and run unusually long.

use std::fs;
use std::os::unix::fs::{MetadataExt, chown};
use std::time::Duration;

use attend_core::sensor::{Exit, Root, Signal};
use attend_core::testkit::Polled;
use attend_sensors::process::ProcessConfig;

use super::world::World;

#[track_caller]
fn told(polled: &Polled, text: &str, magnitude: f64, signal: Option<&str>) {
    let event = polled.only_event();
    assert_eq!(event.text(), text);
    assert_eq!(event.magnitude().get().to_bits(), magnitude.to_bits());
    assert_eq!(event.signal().map(Signal::as_str), signal);
}

#[test]
fn a_build_starts_and_finishes() {
    let mut world = World::new();
    world.runs(40, &["cargo", "build", "--release"]);
    let started = world.look();
    told(&started, "cargo build started", 1.0, None);
    world.look().assert_quiet();
    world.ends(40, Exit::Code(0));
    let ended = world.later(10);
    let text = "cargo build finished after 12 s, exit code 0";
    told(&ended, text, 2.5, Some("build-complete"));
    // One key: the end takes the place of the start, where that was not told yet.
    assert_eq!(started.keys(), ended.keys());
    world.look().assert_quiet();
}

#[test]
fn the_last_of_those_that_end_well_as_usual_stands_for_all_of_them() {
    let mut world = World::new();
    let mut run = |pid: u32, seconds: u64, code: i32| {
        world.runs(pid, &["make", "check"]);
        world.look();
        world.look();
        world.ends(pid, Exit::Code(code));
        world.later(seconds)
    };
    for pid in 40..43 {
        let ended = run(pid, 8, 0);
        told(
            &ended,
            "make check finished after 10 s, exit code 0",
            2.5,
            Some("build-complete"),
        );
    }
    for (pid, seconds, weight) in [(43, 8, 1.5), (44, 38, 3.0)] {
        let ended = run(pid, seconds, 0);
        let text = format!("make check finished after {} s, exit code 0", seconds + 2);
        ended.assert_texts(&[&text]);
        assert_eq!(ended.magnitudes(), [weight]);
        assert_eq!(ended.keys(), ["usual:make check"]);
        assert_eq!(ended.cleared().len(), 1, "its start is over");
    }
    let ended = run(45, 8, 2);
    told(
        &ended,
        "make check failed after 10 s, exit code 2",
        3.5,
        Some("build-failed"),
    );
}

#[test]
fn one_of_forty_children_is_one_start_and_one_result() {
    let mut world = World::new();
    world.runs(40, &["cargo", "build"]);
    for child in 100..140 {
        // Some of them are tools by themselves.
        let words = if child % 2 == 0 {
            ["make", "-s"]
        } else {
            ["rustc", "x.rs"]
        };
        world.runs_below(40, child, &words);
        world.runs_below(child, child + 100, &["cargo", "rustc"]);
    }
    world.look().assert_texts(&["cargo build started"]);
    for child in 100..120 {
        world.vanishes(child);
        world.runs_below(40, child + 200, &["make", "-s"]);
        world.look().assert_quiet();
    }
    // What it leaves behind goes to the first process.
    let mut left = world.process(500, 1, &["make", "left"]);
    left.group = 40;
    world.put(&left);
    world.ends(40, Exit::Code(101));
    let ended = world.later(20);
    let text = "cargo build failed after 41 s, exit code 101";
    told(&ended, text, 3.5, Some("build-failed"));
    world.look().assert_quiet();
    world.later(60).assert_quiet();
}

#[test]
fn what_took_long_matters_more_and_a_signal_is_a_failure() {
    let mut world = World::new();
    world.runs(40, &["make"]);
    world.look().assert_texts(&["make started"]);
    world.ends(40, Exit::Code(0));
    let text = "make finished after 30 s, exit code 0";
    told(&world.later(29), text, 3.0, Some("build-complete"));
    world.runs(41, &["make", "test"]);
    world.look().assert_texts(&["make test started"]);
    world.ends(41, Exit::Signal(9));
    let text = "make test was ended by signal 9 after 2 s";
    told(&world.look(), text, 3.5, Some("build-failed"));
}

#[test]
fn where_nobody_tells_the_code_it_is_unknown_and_never_guessed() {
    let mut world = World::new();
    world.runs(40, &["make"]);
    world.look().assert_texts(&["make started"]);
    // The kernel tells, and not how.
    world.vanishes(40);
    world.harness.watcher().ended(40, None);
    told(
        &world.look(),
        "make ended after 2 s, exit code unknown",
        2.5,
        None,
    );
    // The kernel tells nothing: that is waited for by one more look.
    world.runs(41, &["make"]);
    world.look().assert_texts(&["make started"]);
    world.vanishes(41);
    world.look().assert_quiet();
    told(
        &world.look(),
        "make ended after 3 s, exit code unknown",
        2.5,
        None,
    );
    world.look().assert_quiet();
    assert_eq!(world.harness.watcher().waited_for(), [0; 0]);
}

#[test]
fn a_code_that_comes_a_moment_late_counts() {
    let mut world = World::new();
    world.runs(40, &["make"]);
    world.look().assert_texts(&["make started"]);
    world.vanishes(40);
    let woken = world.harness.woken();
    world.look().assert_quiet();
    assert_eq!(world.harness.woken(), woken + 1);
    world.harness.watcher().ended(40, Some(Exit::Code(2)));
    world
        .look()
        .assert_texts(&["make failed after 3 s, exit code 2"]);
}

#[test]
fn a_pid_that_is_used_again_is_another_build() {
    let mut world = World::new();
    world.runs(40, &["make"]);
    world.look().assert_texts(&["make started"]);
    world.vanishes(40);
    world.harness.watcher().ended(40, Some(Exit::Code(0)));
    world.harness.advance(Duration::from_secs(4));
    world.runs(40, &["make"]);
    let both = world.look();
    both.assert_texts(&["make finished after 6 s, exit code 0", "make started"]);
    assert_ne!(both.keys()[0], both.keys()[1]);
}

#[test]
fn other_users_and_other_projects_are_not_told_of() {
    let mut world = World::new();
    let elsewhere = world.harness.work().with_file_name("elsewhere");
    let nested = world.harness.work().join("vendor/dep");
    for dir in [&elsewhere, &nested.join(".git")] {
        fs::create_dir_all(dir).unwrap();
    }
    for (pid, cwd) in [(40, elsewhere), (41, nested)] {
        let mut process = world.process(pid, 1, &["make"]);
        process.cwd = cwd;
        world.put(&process);
    }
    world.runs(42, &["vim", "Makefile"]);
    world.look().assert_quiet();
    let mut process = world.process(43, 1, &["make", "test"]);
    process.cwd = world.harness.work().join("crates/x");
    world.put(&process);
    world
        .look()
        .assert_texts(&["make test in crates/x started"]);

    // Only the superuser can give a directory away.
    let own = fs::metadata(world.harness.work()).unwrap().uid();
    world.runs(44, &["make", "other"]);
    let theirs = world.harness.path(Root::Proc, "44");
    if own == 0 && chown(theirs, Some(12_345), None).is_ok() {
        world.look().assert_quiet();
    } else {
        world.look().assert_texts(&["make other started"]);
    }
}

#[test]
fn which_tools_are_told_of_is_configured() {
    let mut config = ProcessConfig::default();
    config.also = vec!["frob".to_owned()];
    config.tools.retain(|tool| tool != "make");
    let mut world = World::configured(config);
    world.runs(40, &["make"]);
    world.runs(41, &["/opt/bin/frob", "all"]);
    world.look().assert_texts(&["frob all started"]);
}

#[test]
fn what_a_language_server_or_attend_itself_runs_is_no_news() {
    let mut world = World::new();
    world.runs(30, &["rust-analyzer"]);
    world.runs_below(30, 40, &["cargo", "check"]);
    world.runs(31, &["attend", "run"]);
    let reader = world.harness.path(Root::Proc, "self");
    std::os::unix::fs::symlink("31", reader).unwrap();
    world.runs_below(31, 41, &["make", "poll"]);
    world.look().assert_quiet();
}

#[test]
fn one_that_runs_unusually_long_is_told_of_once() {
    let mut world = World::new();
    for pid in 40..43 {
        world.runs(pid, &["make"]);
        world.look();
        world.ends(pid, Exit::Code(0));
        world.later(49);
    }
    world.runs(50, &["make"]);
    world.look().assert_texts(&["make started"]);
    world.later(98).assert_quiet();
    let text = "make runs unusually long: 1 min 41 s by now, 50 s at most before";
    told(&world.later(2), text, 2.0, None);
    world.later(1_000).assert_quiet();
    // Another of which nothing is known may take its time.
    world.runs(51, &["make", "dist"]);
    world.look().assert_texts(&["make dist started"]);
    world.later(10_000).assert_quiet();
}

#[test]
fn what_ran_before_the_first_look_is_no_news_but_its_end_is() {
    let mut world = World::unseen(ProcessConfig::default());
    let mut process = world.process(40, 1, &["make"]);
    process.age = 100;
    world.put(&process);
    world.look().assert_quiet();
    world.ends(40, Exit::Code(2));
    world
        .look()
        .assert_texts(&["make failed after 1 min 42 s, exit code 2"]);
}

#[test]
fn a_restart_is_no_news() {
    let mut world = World::new();
    world.runs(40, &["make"]);
    world.runs(41, &["cargo", "test"]);
    world
        .look()
        .assert_texts(&["make started", "cargo test started"]);
    world.restart();
    world.look().assert_quiet();
    world.ends(40, Exit::Code(0));
    world
        .look()
        .assert_texts(&["make finished after 3 s, exit code 0"]);
    // What ended meanwhile nobody saw.
    world.vanishes(41);
    world.restart();
    world
        .later(600)
        .assert_texts(&["cargo test ended while attend did not run, exit code unknown"]);
    // What began meanwhile is news at its end.
    world.runs(42, &["make"]);
    world.restart();
    world.look().assert_quiet();
    world.ends(42, Exit::Code(2));
    world
        .look()
        .assert_texts(&["make failed after 2 s, exit code 2"]);
}
