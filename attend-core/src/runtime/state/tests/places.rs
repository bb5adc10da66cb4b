//! The way to a directory of state, and the files in it, on a real file system.

use super::*;

#[test]
fn a_directory_open_to_others_is_closed() {
    let home = tempfile::tempdir().unwrap();
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).unwrap();
    StateDir::open(home.path()).unwrap();
    assert_eq!(mode(home.path()), 0o700);
}

#[test]
fn links_and_what_is_no_file_are_refused() {
    let (home, dir) = scene();
    let link = home.path().join("link");
    symlink(dir.path(), &link).unwrap();
    let refused = StateDir::open(&link).unwrap_err();
    assert_eq!(refused.kind(), StateErrorKind::Unusable);

    let elsewhere = home.path().join("elsewhere");
    fs::write(&elsewhere, "precious").unwrap();
    symlink(&elsewhere, dir.path().join("lock")).unwrap();
    symlink(&elsewhere, dir.path().join("checkpoint.json.new")).unwrap();
    assert_eq!(dir.lock().unwrap_err().kind(), StateErrorKind::Unusable);
    // What stands where the new checkpoint is made is not written through.
    saved().store(&dir).unwrap();
    assert_eq!(load(&dir), (Some(saved()), None));
    fs::remove_file(dir.path().join("checkpoint.json.new")).unwrap();
    fs::hard_link(&elsewhere, dir.path().join("checkpoint.json.new")).unwrap();
    saved().store(&dir).unwrap();
    assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "precious");

    fs::remove_file(dir.path().join("checkpoint.json")).unwrap();
    fs::create_dir(dir.path().join("checkpoint.json")).unwrap();
    assert!(load(&dir).1.unwrap().contains("not a regular file"));
}

#[test]
fn of_many_who_write_one_file_at_once_each_writes_all_of_it() {
    let (_home, dir) = scene();
    let text = |n: usize| format!("{n}").repeat(10_000 + n).into_bytes();
    dir.keep("kept", &text(0)).unwrap();
    // A crash left these, one of them to somebody's file.
    fs::write(dir.path().join("kept.new"), "half").unwrap();
    symlink(dir.path().join("lock"), dir.path().join("kept.new-1")).unwrap();
    std::thread::scope(|scope| {
        for n in 1..9 {
            let dir = &dir;
            scope.spawn(move || {
                for _ in 0..50 {
                    dir.keep("kept", &text(n)).unwrap();
                    let kept = dir.kept("kept", 1 << 20).unwrap().unwrap();
                    let writer = usize::from(kept[0] - b'0');
                    assert!(kept == text(writer), "half of what {writer} wrote");
                }
            });
        }
    });
    let mut left: Vec<_> = fs::read_dir(dir.path()).unwrap().collect();
    left.retain(|entry| entry.as_ref().unwrap().file_name() != "kept");
    // It is nothing of attend's.
    left.retain(|entry| entry.as_ref().unwrap().file_name() != "kept.new-1");
    assert!(left.is_empty(), "{left:?}");
    assert!(!dir.path().join("lock").exists());
}

/// The way to a place for state, with `what` done to one of the directories on it.
fn way(what: impl Fn(&Path)) -> Vec<(&'static str, TempDir, StatePlace)> {
    let levels = ["attend", "attend/state", "attend/state/observers"];
    let ways = levels.map(|level| {
        let home = tempfile::tempdir().unwrap();
        let root = home.path().join("attend");
        let place = StatePlace::new(root).join("state").join("observers");
        StateDir::open(place.clone()).unwrap();
        what(&home.path().join(level));
        (level, home, place)
    });
    ways.into()
}

#[test]
fn a_link_is_refused_wherever_on_the_way_it_stands() {
    let ways = way(|level| {
        let elsewhere = level.with_file_name("elsewhere");
        fs::rename(level, &elsewhere).unwrap();
        symlink(&elsewhere, level).unwrap();
    });
    for (level, home, place) in ways {
        for refused in [
            StateDir::open(place.clone()).unwrap_err(),
            StateDir::existing(place.clone()).unwrap_err(),
        ] {
            assert_eq!(refused.kind(), StateErrorKind::Unusable);
            let text = refused.to_string();
            let at = home.path().join(level);
            let at = at.display();
            assert!(
                text.contains(&format!("{at}: it is not a directory")),
                "{text}"
            );
        }
        // A slash at its end does not lead through it either.
        let through = format!("{}/", home.path().join("attend").display());
        let place = StatePlace::new(through).join("state").join("observers");
        assert!(StateDir::open(place).is_err(), "{level}");
    }
}

#[test]
fn above_the_root_links_are_the_users_own_business() {
    let home = tempfile::tempdir().unwrap();
    let (real, link) = (home.path().join("real"), home.path().join("link"));
    fs::create_dir(&real).unwrap();
    symlink(&real, &link).unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o777)).unwrap();
    let place = StatePlace::new(link.join("attend")).join("one");
    let dir = StateDir::open(place.clone()).unwrap();
    assert_eq!(dir.path(), place.path());
    assert_eq!(mode(&real), 0o777);
    for made in ["attend", "attend/one"] {
        assert_eq!(mode(&real.join(made)), 0o700);
    }
}

#[test]
fn what_others_may_write_to_is_closed_below_the_root_and_refused_at_it() {
    let open = |mode: u32| {
        move |level: &Path| fs::set_permissions(level, fs::Permissions::from_mode(mode)).unwrap()
    };
    for (level, home, place) in way(open(0o777)) {
        let text = StateDir::existing(place.clone()).unwrap_err().to_string();
        assert!(text.contains("others may write to it"), "{text}");
        let opened = StateDir::open(place);
        if level == "attend" {
            let text = opened.unwrap_err().to_string();
            assert!(text.contains("others may write to it"), "{text}");
        } else {
            opened.unwrap();
            assert_eq!(mode(&home.path().join(level)), 0o700);
        }
    }
    for (level, home, place) in way(open(0o755)) {
        StateDir::existing(place.clone()).unwrap();
        StateDir::open(place).unwrap();
        let kept = if level == "attend" { 0o755 } else { 0o700 };
        assert_eq!(mode(&home.path().join(level)), kept);
    }
}

#[test]
fn no_path_leads_out_of_the_root() {
    let home = tempfile::tempdir().unwrap();
    for name in ["..", "a/../..", "/tmp", "./a"] {
        let place = StatePlace::new(home.path().join("attend")).join(name);
        let refused = StateDir::open(place).unwrap_err();
        assert_eq!(refused.kind(), StateErrorKind::Unusable, "{name}");
    }
}

#[test]
fn files_that_others_could_read_are_closed_to_them() {
    let (_home, dir) = scene();
    let (records, totals) = records();
    let mut journal = Journal::open(&dir, &mut Vec::new());
    for name in ["checkpoint.json", "checkpoint.json.new", "journal.1.jsonl"] {
        let file = dir.path().join(name);
        fs::write(&file, "").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
    }
    saved().store(&dir).unwrap();
    journal.push(&records[0]);
    journal.flush(&totals).unwrap();
    for name in ["checkpoint.json", "journal.1.jsonl"] {
        assert_eq!(mode(&dir.path().join(name)), 0o600, "{name}");
    }
}

#[test]
#[ignore = "needs root"]
fn what_belongs_to_somebody_else_is_refused() {
    let (_home, dir) = scene();
    saved().store(&dir).unwrap();
    std::os::unix::fs::chown(dir.path().join("checkpoint.json"), Some(12_345), None).unwrap();
    assert!(load(&dir).1.unwrap().contains("another user"));
    std::os::unix::fs::chown(dir.path(), Some(12_345), None).unwrap();
    let refused = StateDir::open(dir.path()).unwrap_err();
    assert!(refused.to_string().contains("another user"), "{refused}");
    let chown = |level: &Path| std::os::unix::fs::chown(level, Some(12_345), None).unwrap();
    for (level, _home, place) in way(chown) {
        for opened in [
            StateDir::open(place.clone()).err(),
            StateDir::existing(place).err(),
        ] {
            let text = opened.map(|error| error.to_string()).unwrap_or_default();
            assert!(text.contains("another user"), "{level}: {text}");
        }
    }
}

#[test]
fn a_place_where_nothing_can_be_made_is_named() {
    let refused = StateDir::open(Path::new("/proc/attend/state")).unwrap_err();
    assert_eq!(refused.kind(), StateErrorKind::Unusable);
    let text = refused.to_string();
    assert!(text.contains("/proc/attend/state"), "{text}");
    assert!(
        StateDir::existing(Path::new("/proc/attend/state"))
            .unwrap()
            .is_none()
    );
}

#[test]
fn lines_are_added_until_there_are_too_many_and_then_begun_anew() {
    let (_home, dir) = scene();
    assert_eq!(dir.kept("log", 100).unwrap(), None);
    for line in ["one", "two", "three", "four"] {
        dir.add_line("log", line, 8).unwrap();
    }
    // It is begun anew once it takes more than it may, so that no line is ever cut.
    assert_eq!(
        dir.kept("log.old", 100).unwrap().unwrap(),
        b"one\ntwo\nthree\n"
    );
    assert_eq!(dir.kept("log", 100).unwrap().unwrap(), b"four\n");
    assert_eq!(mode(&dir.path().join("log")), 0o600);
    let error = dir.kept("log.old", 5).unwrap_err();
    assert_eq!(error.kind(), StateErrorKind::TooLarge);
    assert!(dir.kept("../log", 100).is_err() && dir.add_line("a/b", "x", 8).is_err());
    let link = dir.path().join("link");
    symlink(dir.path().join("log"), &link).unwrap();
    assert!(dir.add_line("link", "x", 8).is_err());
}
