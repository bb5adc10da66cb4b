//! Readers where the system gives less than they expect: few inotify instances, pids of their own, another boot.

use std::fs;
use std::process::Command;

use rustix::process::Signal;

use crate::hosts_fake::SILENCE;
use crate::live::Live;
use crate::reader::{Session, Shown, next};
use crate::world::World;

/// A namespace of users in which there may be so many inotify instances; the process that holds it.
fn with_instances(count: usize) -> Live {
    let script = format!(
        "echo {count} > /proc/sys/user/max_inotify_instances && echo there && exec sleep 600"
    );
    let mut command = Command::new("unshare");
    command.args(["-Ur", "sh", "-c", &script]);
    let mut live = Live::start(&mut command);
    assert_eq!(live.line(), "there");
    live
}

#[test]
#[ignore = "needs root: it joins a user namespace"]
fn readers_beyond_the_limit_of_inotify_say_so_once_and_miss_nothing() {
    const INSTANCES: usize = 2;
    let world = World::new();
    let space = with_instances(INSTANCES);
    let sessions: Vec<Session<'_>> = (0..4).map(|n| Session::new(&world, n)).collect();
    let mut readers: Vec<Live> = sessions
        .iter()
        .map(|session| {
            let mut command = session.command("nsenter");
            command
                .args([
                    "-U",
                    "--preserve-credentials",
                    "-t",
                    &space.pid().to_string(),
                ])
                .args([env!("CARGO_BIN_EXE_attend"), "run"]);
            let mut live = Live::monitored(&mut command);
            let banner = live.line();
            assert!(
                banner.contains(&format!(" as {} ", session.seat)),
                "{banner}"
            );
            live
        })
        .collect();
    let notices: Vec<Vec<String>> = readers
        .iter_mut()
        .map(|live| std::iter::from_fn(|| live.line_within(SILENCE)).collect())
        .collect();
    for (n, notices) in notices.iter().enumerate() {
        let of_limit = notices
            .iter()
            .filter(|line| line.contains("max_user_instances"));
        let expected = usize::from(n >= INSTANCES);
        assert_eq!(of_limit.count(), expected, "reader {n}: {notices:?}");
        assert_eq!(notices.len(), expected, "reader {n}: {notices:?}");
    }
    let mut sent = vec![Vec::new(); sessions.len()];
    for round in 0..2 {
        let body = format!("round {round}");
        let ids: Vec<String> = sessions.iter().map(|session| session.told(&body)).collect();
        for ((live, id), sent) in readers.iter_mut().zip(ids).zip(&mut sent) {
            let shown = next(live);
            assert_eq!((&shown.id, shown.again), (&id, false));
            sent.push(id);
        }
    }
    for (mut live, sent) in readers.into_iter().zip(sent) {
        live.assert_told(&sent);
        live.signal(Signal::TERM);
        let (code, lines, _) = live.ended();
        assert_eq!(code, Some(0));
        assert_eq!(Shown::all(lines), []);
    }
}

/// `attend` with these arguments in a namespace of pids of its own, as this session's.
fn boxed(session: &Session<'_>, args: &str) -> Command {
    let mut command = session.command("unshare");
    command.args(["-pf", "--mount-proc", "--kill-child", "sh", "-c"]);
    command.arg(format!("\"$A\" {args}; exit $?"));
    command
}

#[test]
#[ignore = "needs root: it makes pid namespaces and mounts /proc in them"]
fn readers_with_pids_of_their_own_do_not_take_each_other_for_dead() {
    let world = World::new();
    let (one, two) = (Session::new(&world, 0), Session::new(&world, 1));
    assert_ne!(one.seat, two.seat);
    let mut readers: Vec<Live> = [&one, &two]
        .iter()
        .map(|session| {
            let mut live = Live::monitored(&mut boxed(session, "run"));
            let banner = live.line();
            assert!(
                banner.contains(&format!(" as {} ", session.seat)),
                "{banner}"
            );
            live
        })
        .collect();
    // Neither a second reader in a third namespace nor one outside takes the seat over.
    for mut command in [boxed(&one, "run"), one.attend(&["run"])] {
        let output = command.output().expect("it starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(errors.contains("reads this seat already"), "{errors}");
    }
    let mut sent = [vec![], vec![]];
    for round in 0..3 {
        for ((session, live), sent) in [&one, &two].iter().zip(&mut readers).zip(&mut sent) {
            let id = session.told(&format!("round {round}"));
            let shown = next(live);
            assert_eq!((&shown.id, shown.again), (&id, false));
            sent.push(id);
        }
        // A look from elsewhere takes nothing that was shown.
        let output = boxed(&one, "inbox --unread").output().expect("it starts");
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(Shown::all(text.lines()), [], "{text}");
    }
    for (live, sent) in readers.iter_mut().zip(&sent) {
        while let Some(line) = live.line_within(SILENCE) {
            assert_eq!(Shown::of(&line), None, "{line}");
        }
        live.assert_told(sent);
    }
}

#[test]
#[ignore = "needs root: it mounts another boot id"]
fn over_a_reboot_what_nobody_was_shown_is_not_marked_and_what_was_claimed_is() {
    let world = World::new();
    let mut session = Session::new(&world, 0);
    let seat = session.seat.clone();
    let shown = session.told("shown and not written");
    let full = session.desk.run("attend inbox --unread >/dev/full");
    assert_eq!(full.code, 1);
    let new = session.told("never shown");
    // Nothing of that boot lives on.
    drop(session);
    let boot = world.beside("boot_id");
    fs::write(&boot, "11111111-2222-4333-8444-555555555555\n").expect("a file");
    let mut back = Session::new(&world, 0);
    back.desk.run("true").ok();
    let mount = format!(
        "mount --bind '{}' /proc/sys/kernel/random/boot_id && exec \"$A\" run",
        boot.display()
    );
    let mut command = back.command("unshare");
    command.args(["-m", "sh", "-c", &mount]);
    let mut live = Live::monitored(&mut command);
    let banner = live.line();
    assert!(banner.contains(&format!(" as {seat} ")), "{banner}");
    let told = [next(&mut live), next(&mut live)];
    let marks = told.map(|shown| (shown.id, shown.again));
    assert_eq!(marks, [(shown, true), (new, false)]);
}
