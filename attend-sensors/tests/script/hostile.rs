//! Scripts that flood, hang, leave children behind or fail, as real processes.

use std::time::Duration;

use attend_core::sensor::ErrorKind;

use attend_sensors::script::ScriptConfig;

use super::world::{Real, eventually, gone, warnings};

const FLOOD: &str =
    "it wrote more than the 200 lines (64 KiB) that count in one look; the rest was dropped";

#[test]
fn one_line_of_ten_megabytes_is_cut_and_what_follows_counts() {
    let mut real =
        Real::new("printf '3|'; head -c 10485760 /dev/zero | tr '\\0' x; echo; echo '1|after'");
    let polled = real.look();
    let texts = polled.texts();
    assert_eq!(texts.len(), 2, "{polled:?}");
    assert_eq!((texts[0].len(), texts[1]), (4_096 - 2 + 3, "after"));
    assert!(polled.warnings().is_empty());
}

#[test]
fn of_200000_lines_200_count_and_the_rest_is_counted() {
    let mut real = Real::new("seq 200000 | sed 's/^/1|/'");
    let polled = real.look();
    assert_eq!(polled.texts().len(), 200);
    assert_eq!(warnings(&polled), [FLOOD]);
    assert_eq!(
        polled.details(),
        ["199800 lines of the last look were dropped"]
    );
}

#[test]
fn a_stream_that_floods_is_bounded_too() {
    let mut real = Real::of(
        // Each has letters of its own: they are not alike.
        "seq 200000 | tr 0-9 a-j | sed 's/^/1|/'; echo '2|end'; exec sleep 1000",
        ScriptConfig::streaming,
    );
    let mut seen = 0;
    real.until("a flood", |polled| {
        let texts = polled.texts().len() as u64;
        assert!(texts <= 200);
        let dropped = polled
            .details()
            .iter()
            .find_map(|line| line.split(' ').next()?.parse::<u64>().ok());
        seen += texts + dropped.unwrap_or(0);
        seen == 200_001
    });
}

#[test]
fn a_child_that_keeps_the_pipe_open_delays_nobody_and_is_gone() {
    let mut real = Real::new("sleep 1000 & echo $! >pid; echo '1|up'");
    real.look().assert_texts(&["up"]);
    gone(&real.path("pid"));
}

#[test]
fn a_child_in_the_background_is_gone_though_it_keeps_nothing() {
    let mut real = Real::new("sleep 1000 </dev/null >/dev/null 2>&1 & echo $! >pid; echo '1|up'");
    real.look().assert_texts(&["up"]);
    gone(&real.path("pid"));
}

#[test]
fn a_daemon_that_left_the_group_is_gone() {
    let mut real = Real::new(
        "setsid sh -c 'setsid sh -c \"echo \\$\\$ >pid; exec sleep 1000\" &' </dev/null >/dev/null 2>&1\nwhile ! [ -s pid ]; do :; done\necho '1|up'",
    );
    real.look().assert_texts(&["up"]);
    gone(&real.path("pid"));
}

#[test]
fn one_that_ignores_signals_is_killed_in_time_and_that_is_said() {
    let mut real = Real::of(
        "trap '' TERM INT HUP; echo $$ >pid; echo '1|up'; sleep 1000 & echo $! >other; while :; do wait; done",
        |mut config| {
            config.deadline = 2;
            config
        },
    );
    let polled = real.look();
    assert_eq!(polled.error().kind(), ErrorKind::Transient);
    let error = polled.error().to_string();
    assert!(
        error.ends_with("it.sh` was killed: it took longer than 2s"),
        "{error}"
    );
    assert!(polled.report().is_empty());
    gone(&real.path("pid"));
    gone(&real.path("other"));
}

#[test]
fn one_that_is_killed_or_cannot_be_run_is_a_failed_look() {
    let error = Real::new("echo '1|x'; kill -KILL $$")
        .look()
        .error()
        .to_string();
    assert_eq!(error, "the script was ended by signal 9");
    let mut real = Real::new("");
    let path = real
        .harness
        .path(attend_core::sensor::Root::Config, "it.sh");
    std::fs::write(&path, "#!/no/such/shell\n").unwrap();
    let polled = real.look();
    let error = polled.error().to_string();
    assert!(error.contains("cannot run"), "{error}");
}

#[test]
fn a_stream_is_gone_with_its_sensor() {
    let mut real = Real::of(
        "trap '' TERM; sleep 1000 & echo $! >child; echo $$ >pid; echo '1|up'; while :; do wait; done",
        ScriptConfig::streaming,
    );
    real.until("it is up", |polled| polled.texts() == ["up"]);
    let (pid, child) = (real.path("pid"), real.path("child"));
    eventually("it wrote both down", || pid.exists() && child.exists());
    let Real { harness, sensor } = real;
    drop(sensor);
    gone(&pid);
    gone(&child);
    drop(harness);
}

#[test]
fn a_stream_that_crashes_again_and_again_leaves_nothing_of_any_start() {
    let mut real = Real::of(
        "sleep 1000 & echo $! >>pids\nsetsid sh -c 'echo $$ >>pids; exec sleep 1000' </dev/null >/dev/null 2>&1 &\nwhile [ \"$(wc -l <pids)\" -lt $((2 * ($(wc -l <starts) + 1))) ]; do :; done\necho >>starts\nexit 1",
        ScriptConfig::streaming,
    );
    std::fs::write(real.path("starts"), "").unwrap();
    for start in 1..=3 {
        eventually("it is started", || {
            // The longest pause so far, and more.
            real.harness.advance(Duration::from_mins(1));
            real.look();
            let starts = std::fs::read_to_string(real.path("starts"));
            starts.is_ok_and(|text| text.lines().count() >= start)
        });
    }
    // The last one ends, too.
    eventually("its end is told", || real.look().result().is_err());
    let pids = std::fs::read_to_string(real.path("pids")).unwrap();
    assert!(pids.lines().count() >= 6, "{pids}");
    for pid in pids.lines() {
        let file = real.path("one");
        std::fs::write(&file, pid).unwrap();
        gone(&file);
    }
}
