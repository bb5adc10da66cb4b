//! Each limit of the simulated Monitor, one below it and one above.

use attend_core::testkit::SimulatedMonitor;
use attend_core::testkit::monitor::{Ending, Fate, Said};

/// What the agent got, and when.
fn got(monitor: &SimulatedMonitor) -> Vec<(u64, String)> {
    let delivered = monitor.delivered();
    delivered
        .map(|told| (told.at(), told.text().into_owned()))
        .collect()
}

fn texts(monitor: &SimulatedMonitor) -> Vec<String> {
    got(monitor).into_iter().map(|(_, text)| text).collect()
}

/// One that was fed these lines at these milliseconds, half a minute ago.
fn fed<'a>(lines: impl IntoIterator<Item = (u64, &'a str)>) -> SimulatedMonitor {
    let mut monitor = SimulatedMonitor::new();
    let mut last = 0;
    for (at, line) in lines {
        assert!(monitor.write(at, format!("{line}\n")));
        last = at;
    }
    monitor.advance(last + 30_000);
    monitor
}

#[test]
fn lines_within_199_milliseconds_are_one_notification_and_at_200_another() {
    assert_eq!(
        got(&fed([(1_000, "a"), (1_199, "b")])),
        [(1_200, "a\nb".to_owned())]
    );
    assert_eq!(
        got(&fed([(1_000, "a"), (1_200, "b")])),
        [(1_200, "a".to_owned()), (1_400, "b".to_owned())]
    );
    // The first line counts, not the one before.
    assert_eq!(
        texts(&fed([(1_000, "a"), (1_150, "b"), (1_300, "c")])),
        ["a\nb", "c"]
    );
}

#[test]
fn it_says_when_what_it_gathers_leaves() {
    let mut monitor = SimulatedMonitor::new();
    assert_eq!(monitor.due(), None);
    monitor.write(7, "a\n");
    assert_eq!(monitor.due(), Some(207));
    monitor.advance(206);
    assert_eq!((monitor.gathered().len(), got(&monitor).len()), (1, 0));
    monitor.advance(207);
    assert_eq!((monitor.gathered().len(), got(&monitor).len()), (0, 1));
    assert_eq!(monitor.due(), None);
}

#[test]
fn a_line_is_held_until_its_end_comes() {
    let mut monitor = SimulatedMonitor::new();
    monitor.write(0, "half");
    monitor.advance(60_000);
    assert_eq!(
        (monitor.partial(), monitor.due()),
        (b"half".as_slice(), None)
    );
    monitor.write(60_000, " and half\nmore");
    monitor.advance(60_200);
    assert_eq!(got(&monitor), [(60_200, "half and half".to_owned())]);
    assert_eq!(monitor.partial(), b"more");
}

#[test]
fn a_character_may_arrive_in_pieces_and_what_is_none_is_replaced() {
    let mut monitor = SimulatedMonitor::new();
    let bytes = "é\n".as_bytes();
    monitor.write(0, &bytes[..1]);
    monitor.write(50, &bytes[1..]);
    monitor.write(60, b"a\xffb\n");
    monitor.advance(1_000);
    assert_eq!(texts(&monitor), ["é\na\u{fffd}b"]);
}

#[test]
fn a_line_of_500_units_stays_whole_and_one_of_501_is_cut() {
    for (line, whole) in [
        ("x".repeat(500), true),
        ("x".repeat(501), false),
        ("é".repeat(500), true),
        ("🦀".repeat(250), true),
        ("🦀".repeat(250) + "x", false),
    ] {
        let monitor = fed([(0, line.as_str())]);
        let told = monitor.delivered().next().unwrap();
        assert_eq!(told.cut(), usize::from(!whole), "{line}");
        assert_eq!(told.text().encode_utf16().count(), 500);
        assert!(line.starts_with(&*told.text()));
        assert_eq!(told.written(), [line]);
    }
    // No character is halved: the 500th unit would be the first half of one.
    let monitor = fed([(0, &*("x".repeat(499) + "🦀"))]);
    assert_eq!(texts(&monitor), ["x".repeat(499)]);
}

#[test]
fn a_notification_of_3000_units_stays_whole_and_one_of_3001_is_cut() {
    // Six lines and five line breaks.
    let lines = |last: usize| {
        let mut lines = vec!["x".repeat(500); 5];
        lines.push("y".repeat(last));
        lines
    };
    for (last, cut) in [(495, 0), (496, 1)] {
        let lines = lines(last);
        let monitor = fed(lines.iter().map(|line| (0, line.as_str())));
        let told = monitor.delivered().next().unwrap();
        assert_eq!(told.text().len(), 3_000);
        assert_eq!(told.cut(), cut, "{last}");
        assert_eq!(monitor.lines()[5], "y".repeat(495));
    }
    // What comes after it is gone whole; a long line counts as what is left of it.
    let long = "x".repeat(600);
    let monitor = fed([&*long, &long, &long, &long, &long, &long, "z"].map(|line| (0, line)));
    let told = monitor.delivered().next().unwrap();
    assert_eq!((told.text().len(), told.cut()), (3_000, 7));
}

/// Notifications in a row as fast as they can be: one per 200 ms, from 0.
fn flood(monitor: &mut SimulatedMonitor, from: u64, until: u64) -> bool {
    let mut reads = true;
    for at in (from..until).step_by(200) {
        reads = monitor.write(at, "line\n");
    }
    monitor.advance(until);
    reads
}

#[test]
fn the_tenth_notification_is_delivered_and_the_eleventh_suppressed() {
    // Within the 1.8 s that they take nothing is refilled whole.
    let mut monitor = SimulatedMonitor::new();
    flood(&mut monitor, 0, 2_000);
    assert_eq!(monitor.delivered().count(), 10);
    assert_eq!(monitor.suppressed().count(), 0);
    monitor.assert_harmless();

    let mut monitor = SimulatedMonitor::new();
    flood(&mut monitor, 0, 2_200);
    // The eleventh comes 2 s after the first, and is what was refilled.
    assert_eq!(monitor.delivered().count(), 11);
    flood(&mut monitor, 2_200, 2_400);
    assert_eq!(monitor.suppressed().count(), 1);
}

/// One whose bucket was emptied by ten notifications, and when the last of them left.
fn emptied() -> (SimulatedMonitor, u64) {
    let mut monitor = SimulatedMonitor::new();
    flood(&mut monitor, 0, 2_200);
    (monitor, 2_200)
}

#[test]
fn one_more_is_let_through_after_2_seconds() {
    // Eleven were delivered in 2 s: nothing at all is left, and the next one comes whole at 4.2 s.
    for (leaves, delivered) in [(4_199, 11), (4_200, 12)] {
        let (mut monitor, _) = emptied();
        monitor.write(leaves - 200, "next\n");
        monitor.advance(leaves);
        assert_eq!(monitor.delivered().count(), delivered, "{leaves}");
        assert_eq!(monitor.suppressed().count(), 12 - delivered, "{leaves}");
    }
}

#[test]
fn the_bucket_holds_no_more_than_ten_however_long_it_fills() {
    let mut monitor = SimulatedMonitor::new();
    flood(&mut monitor, 3_600_000, 3_602_400);
    assert_eq!(monitor.delivered().count(), 11);
    assert_eq!(monitor.suppressed().count(), 1);
}

#[test]
fn what_was_suppressed_is_told_once_before_what_is_delivered_next() {
    let (mut monitor, _) = emptied();
    flood(&mut monitor, 2_200, 2_800);
    assert_eq!(monitor.suppressed().count(), 3);
    assert_eq!(
        monitor.delivered().count(),
        11,
        "nothing is told while there is no room"
    );
    monitor.write(4_000, "later\n");
    monitor.write(6_000, "and later\n");
    monitor.advance(6_200);
    assert_eq!(
        texts(&monitor)[11..],
        [
            "[3 events suppressed — output rate too high]",
            "later",
            "and later"
        ]
    );
    let all = monitor.notifications();
    assert!(all.iter().any(|told| *told.said() == Said::Suppressed(3)));
}

#[test]
fn it_stops_after_30_seconds_of_overflow_and_reads_no_more() {
    for (last, stopped) in [(33_199, None), (33_200, Some(33_200))] {
        let (mut monitor, _) = emptied();
        monitor.write(3_000, "the first that is suppressed\n");
        flood(&mut monitor, 3_200, 32_400);
        assert_eq!(monitor.suppressed().next().unwrap().at(), 3_200);
        monitor.write(last - 200, "and one 30 s later\n");
        monitor.advance(last);
        assert_eq!(monitor.suppressed().last().unwrap().at(), last);
        assert_eq!(monitor.stopped(), stopped);
        assert_eq!(monitor.is_reading(), stopped.is_none());
    }

    let mut monitor = SimulatedMonitor::new();
    assert!(!flood(&mut monitor, 0, 40_000));
    assert_eq!(
        texts(&monitor).last().unwrap(),
        "[Monitor stopped — too much output]"
    );
    let before = monitor.clone();
    assert!(!monitor.write(99_000, "and on\n"));
    monitor.end(99_000, Ending::Killed);
    monitor.advance(200_000);
    assert_eq!(monitor.notifications(), before.notifications());
    assert_eq!(
        (monitor.is_reading(), monitor.partial()),
        (false, b"".as_slice())
    );
}

#[test]
fn a_rest_in_which_two_could_leave_ends_the_overflow() {
    for (rest, stops) in [(3_999, true), (4_000, false)] {
        let mut monitor = SimulatedMonitor::new();
        flood(&mut monitor, 0, 30_200);
        assert!(monitor.suppressed().count() > 100);
        // The last one that was delivered emptied the bucket.
        let emptied = got(&monitor).last().unwrap().0;
        let after = emptied + rest;
        monitor.write(after - 200, "after a rest\n");
        flood(&mut monitor, after, after + 4_000);
        assert_eq!(monitor.stopped().is_some(), stops, "{rest}");
    }
}

#[test]
fn what_it_is_told_to_suppress_is_counted_and_is_no_overflow() {
    let mut monitor = SimulatedMonitor::new();
    monitor.suppress_next(2);
    for (at, line) in [(0, "a"), (40_000, "b"), (80_000, "c")] {
        monitor.write(at, format!("{line}\n"));
    }
    monitor.advance(90_000);
    assert_eq!(
        texts(&monitor),
        ["[2 events suppressed — output rate too high]", "c"]
    );
    assert_eq!(monitor.suppressed().count(), 2);
    assert_eq!(monitor.stopped(), None);
}

#[test]
fn what_it_loses_is_told_to_nobody() {
    let mut monitor = SimulatedMonitor::new();
    monitor.lose_next(1);
    monitor.write(0, "a\n");
    monitor.write(1_000, "b\n");
    monitor.advance(2_000);
    assert_eq!(texts(&monitor), ["b"]);
    assert_eq!(monitor.notifications()[0].fate(), Fate::Lost);
}

#[test]
fn the_end_lets_out_what_was_gathered_and_held() {
    let mut monitor = SimulatedMonitor::new();
    monitor.write(0, "whole\ntorn");
    monitor.end(100, Ending::Failed(2));
    assert_eq!(
        got(&monitor),
        [(100, "whole\ntorn".to_owned()), (100, String::new())]
    );
    let last = monitor.notifications().last().unwrap();
    assert_eq!(*last.said(), Said::Ended(Ending::Failed(2)));
    assert!(!monitor.write(200, "more\n"));
    assert_eq!(monitor.stopped(), None);
}

#[test]
fn time_that_runs_backwards_stands_still() {
    let mut monitor = SimulatedMonitor::new();
    monitor.write(1_000, "a\n");
    monitor.write(10, "b\n");
    monitor.advance(1_199);
    assert_eq!(monitor.gathered(), ["a", "b"]);
}

#[test]
#[should_panic(expected = "lines cut at 200")]
fn a_cut_line_is_no_harmless_one() {
    fed([(0, &*"x".repeat(501))]).assert_harmless();
}

#[test]
#[should_panic(expected = "at 2400: Suppressed")]
fn a_suppressed_line_is_no_harmless_one() {
    let (mut monitor, _) = emptied();
    flood(&mut monitor, 2_200, 2_400);
    monitor.assert_harmless();
}

#[test]
#[should_panic(expected = "it stopped")]
fn a_stop_is_no_harmless_one() {
    let mut monitor = SimulatedMonitor::new();
    flood(&mut monitor, 0, 40_000);
    monitor.assert_harmless();
}
