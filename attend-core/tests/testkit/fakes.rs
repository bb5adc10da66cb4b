//! The clock, the runner, the roots, the host and the watcher of the testkit.

use std::path::Path;
use std::time::{Duration, SystemTime};

use attend_core::mail::MessageId;
use attend_core::sensor::{
    Clock, CommandOutput, CommandSpec, ErrorKind, Host, HostAnswer, HostRequest, HostState, Root,
    Runner, Seen, SensorError, Shown, Watch,
};
use attend_core::testkit::{FakeClock, FakeHost, Harness, ScriptedRunner, TempRoots};
use futures::executor::block_on;

#[test]
fn wall_and_boot_move_together_and_apart() {
    let clock = FakeClock::new();
    let handle = clock.clone();
    let (wall, boot) = (clock.wall(), clock.boot());
    assert_eq!(wall, SystemTime::UNIX_EPOCH + FakeClock::WALL_AT_START);

    handle.advance(Duration::from_millis(1_500));
    assert_eq!(clock.wall(), wall + Duration::from_millis(1_500));
    assert_eq!(clock.boot(), boot + Duration::from_millis(1_500));

    handle.step_wall(-365 * 86_400);
    handle.step_wall(86_400);
    assert_eq!(
        clock.wall() + Duration::from_hours(364 * 24),
        wall + Duration::from_millis(1_500)
    );
    handle.set_wall(SystemTime::UNIX_EPOCH);
    assert_eq!(
        (clock.wall(), clock.boot()),
        (SystemTime::UNIX_EPOCH, boot + Duration::from_millis(1_500))
    );
}

fn outputs(runner: &ScriptedRunner, command: &CommandSpec, times: usize) -> Vec<String> {
    let run = || block_on(runner.run(command, Path::new("/work")));
    let text = |answer: Result<CommandOutput, SensorError>| match answer {
        Ok(output) => String::from_utf8(output.stdout).unwrap(),
        Err(error) => error.to_string(),
    };
    (0..times).map(|_| text(run())).collect()
}

#[test]
fn answers_are_given_in_order_and_the_last_one_stays() {
    let runner = ScriptedRunner::new();
    let date = CommandSpec::new("date");
    runner.answer(date.clone(), CommandOutput::exited(0, "1"));
    runner.fail(date.clone(), SensorError::transient("broken"));
    runner.answer(date.clone(), CommandOutput::exited(0, "2"));
    assert_eq!(outputs(&runner, &date, 4), ["1", "broken", "2", "2"]);
    // What stayed only because nothing followed is not given again once something does.
    runner.answer(date.clone(), CommandOutput::exited(0, "3"));
    assert_eq!(outputs(&runner, &date, 2), ["3", "3"]);
    assert_eq!(runner.ran().len(), 6);
}

#[test]
fn a_command_is_its_program_arguments_and_directory() {
    let runner = ScriptedRunner::new();
    let status = || CommandSpec::new("git").args(["status", "-z"]);
    runner.answer(status(), CommandOutput::exited(0, "work"));
    runner.answer(
        status().cwd("/elsewhere"),
        CommandOutput::exited(0, "elsewhere"),
    );

    let same = status()
        .env("LANG", "C")
        .deadline(Duration::from_secs(1))
        .keep(3);
    assert_eq!(outputs(&runner, &same, 1), ["work"]);
    assert_eq!(outputs(&runner, &status().cwd("/work"), 1), ["work"]);
    assert_eq!(
        outputs(&runner, &status().cwd("/elsewhere"), 1),
        ["elsewhere"]
    );
    for other in [
        status().arg("."),
        CommandSpec::new("git"),
        CommandSpec::new("hg").args(["status", "-z"]),
        status().cwd("/"),
    ] {
        let answer = &outputs(&runner, &other, 1)[0];
        assert!(
            answer.contains(&format!("was not taught `{other}`")),
            "{answer}"
        );
        assert!(answer.contains("`git status -z` in /elsewhere"), "{answer}");
    }
}

#[test]
fn a_command_that_was_never_taught_is_a_transient_error_and_is_recorded() {
    let runner = ScriptedRunner::new();
    let push = CommandSpec::new("git").arg("push");
    let error = block_on(runner.run(&push, Path::new("/work"))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Transient);
    assert_eq!(
        error.to_string(),
        "the scripted runner was not taught `git push`; it knows: nothing"
    );
    assert_eq!(runner.ran(), [push]);
}

#[test]
fn each_root_is_an_empty_directory_that_goes_with_it() {
    let temp = TempRoots::new();
    let all = [
        Root::Work,
        Root::State,
        Root::Config,
        Root::Host,
        Root::Proc,
        Root::Own,
        Root::Home,
    ];
    let paths: Vec<_> = all
        .iter()
        .map(|root| temp.roots().get(*root).unwrap().to_owned())
        .collect();
    for (root, path) in all.into_iter().zip(&paths) {
        assert_eq!(path.read_dir().unwrap().count(), 0, "{root:?}");
        let file = temp.file_in(root, "a/b/c", [0xFF, 0x00]);
        assert_eq!(std::fs::read(path.join("a/b/c")).unwrap(), [0xFF, 0x00]);
        assert_eq!(file, temp.path(root, "a/b/c"));
    }
    temp.remove("a/b/c");
    temp.remove("a");
    assert!(!temp.roots().work().join("a").exists());
    drop(temp);
    assert!(paths.iter().all(|path| !path.exists()));
}

#[test]
#[should_panic(expected = "../outside leads out of its root")]
fn a_file_stays_in_its_root() {
    TempRoots::new().file("../outside", "");
}

#[test]
fn a_host_knows_what_it_was_told() {
    let host = FakeHost::new();
    let ask = || block_on(host.ask(&HostRequest::State));
    assert_eq!(ask(), Ok(HostAnswer::Unknown));
    host.set(HostState::Busy);
    assert_eq!(ask(), Ok(HostAnswer::State(HostState::Busy)));
    let error = SensorError::transient("the record is gone");
    host.answer(HostRequest::State, Err(error.clone()));
    assert_eq!(ask(), Err(error));
}

#[test]
fn a_host_has_before_it_what_was_delivered() {
    let host = FakeHost::new();
    let ids = |ids: &[&str]| ids.iter().map(|id| MessageId::new(*id)).collect::<Vec<_>>();
    let ask = |from| {
        let shown = Shown::new(ids(&["AAAAA1", "BBBBB2"])).after(from);
        block_on(host.ask(&HostRequest::Shown(shown))).unwrap()
    };
    assert_eq!(ask(None), HostAnswer::Unknown, "it has no transcript");
    host.deliver([]);
    assert_eq!(ask(None), HostAnswer::Shown(Seen::new([], 0)));
    host.deliver(ids(&["BBBBB2", "CCCCC3", "BBBBB2"]));
    let first = HostAnswer::Shown(Seen::new(ids(&["BBBBB2"]), 3));
    assert_eq!((ask(None), ask(Some(9))), (first.clone(), first));
    host.deliver(ids(&["AAAAA1"]));
    let next = HostAnswer::Shown(Seen::new(ids(&["AAAAA1"]), 4));
    assert_eq!(ask(Some(3)), next);
}

fn watch(harness: &Harness, path: &str) -> Box<dyn Watch> {
    harness
        .build_context()
        .watch(&harness.work().join(path))
        .unwrap()
}

#[test]
fn a_watch_sees_its_file_and_the_entries_of_its_directory() {
    let harness = Harness::new()
        .file("src/lib.rs", "")
        .file("src/deep/mod.rs", "")
        .file("README", "");
    let (mut directory, mut file) = (watch(&harness, "src"), watch(&harness, "README"));
    let path = |path: &str| harness.work().join(path);

    assert!(harness.watcher().changed(path("src/lib.rs")));
    assert!(harness.watcher().changed(path("src/lib.rs")));
    assert!(harness.watcher().changed(path("README")));
    assert!(
        !harness.watcher().changed(path("src/deep/mod.rs")),
        "watching is not recursive"
    );
    assert!(harness.watcher().restructured(path("src/deep")));
    assert_eq!((harness.woken(), harness.watcher().wakes()), (4, 4));

    let seen = directory.take();
    assert_eq!(
        (seen.paths, seen.structure, seen.lost),
        (vec![path("src/lib.rs"), path("src/deep")], true, false)
    );
    assert_eq!(file.take().paths, [path("README")]);
    assert!(directory.take().is_empty() && file.take().is_empty());
}

#[test]
fn a_watch_loses_count_when_told_and_beyond_64_paths() {
    let harness = Harness::new().file("src/lib.rs", "");
    let mut watch = watch(&harness, "src");
    harness.watcher().lost();
    let seen = watch.take();
    assert!(seen.lost && seen.paths.is_empty());
    for n in 0..65 {
        harness
            .watcher()
            .changed(harness.work().join(format!("src/{n}")));
    }
    let seen = watch.take();
    assert!(seen.lost && seen.paths.len() == 64);
}

#[test]
fn a_watch_that_is_cleared_or_dropped_sees_nothing_more() {
    let harness = Harness::new().file("a", "").file("b", "");
    let (mut cleared, dropped) = (watch(&harness, "a"), watch(&harness, "b"));
    cleared.add(&harness.work().join("a")).unwrap();
    assert_eq!(
        harness.watcher().watched(),
        [harness.work().join("a"), harness.work().join("b")]
    );
    cleared.clear();
    drop(dropped);
    assert!(harness.watcher().watched().is_empty());
    assert!(!harness.watcher().changed(harness.work().join("a")));
}

#[test]
fn watching_is_refused_when_told_and_where_nothing_is() {
    let harness = Harness::new().file("a", "").file("b", "");
    let cx = harness.build_context();
    let mut early = watch(&harness, "a");
    let gone = early.add(&harness.work().join("gone")).unwrap_err();
    assert!(
        gone.kind() == ErrorKind::Transient && gone.to_string().contains("gone"),
        "{gone}"
    );

    let limit = SensorError::unavailable("all 128 inotify instances are taken");
    harness.watcher().refuse(limit.clone());
    assert_eq!(cx.watch(harness.work()).err(), Some(limit.clone()));
    assert_eq!(early.add(&harness.work().join("b")), Err(limit));
    assert!(
        harness.watcher().changed(harness.work().join("a")),
        "what is watched stays watched"
    );
    harness.watcher().allow();
    assert!(cx.watch(harness.work()).is_ok());
}
