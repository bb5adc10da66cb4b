//! What the simulated Monitor keeps for any bytes at any times.

use attend_core::testkit::SimulatedMonitor;
use attend_core::testkit::monitor::{Ending, Fate, Notification, Said};
use proptest::prelude::*;

/// One thing that happens to it, so many milliseconds after what came before.
#[derive(Clone, Debug)]
enum Op {
    Write(Vec<u8>),
    Suppress(u64),
    Lose(u64),
    Pass,
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let text = prop_oneof![
        6 => "[a-z<>é🦀\n]{0,12}\n?".prop_map(String::into_bytes),
        1 => (0..600_usize, any::<bool>()).prop_map(|(length, ends)| {
            let mut line = "🦀x".repeat(length / 3);
            if ends {
                line.push('\n');
            }
            line.into_bytes()
        }),
        1 => prop::collection::vec(any::<u8>(), 0..20),
    ];
    prop::collection::vec(text, 1..6).prop_map(|pieces| pieces.concat())
}

fn ops() -> impl Strategy<Value = Vec<(u64, Op)>> {
    let op = prop_oneof![
        20 => bytes().prop_map(Op::Write),
        1 => (1..3_u64).prop_map(Op::Suppress),
        1 => (1..3_u64).prop_map(Op::Lose),
        1 => Just(Op::Pass),
    ];
    let gap = prop_oneof![4 => 0..400_u64, 1 => 400..9_000_u64];
    prop::collection::vec((gap, op), 1..180)
}

/// What happened, and all bytes that were taken in. Whoever is hurried prints without a rest,
/// until it is stopped.
fn run(ops: &[(u64, Op)], hurried: bool) -> (SimulatedMonitor, Vec<u8>, u64) {
    let mut monitor = SimulatedMonitor::new();
    let (mut now, mut taken) = (0, Vec::new());
    for (gap, op) in ops {
        now += if hurried { 250 } else { *gap };
        match op {
            Op::Write(bytes) => {
                if monitor.write(now, bytes) {
                    taken.extend_from_slice(bytes);
                }
            }
            Op::Suppress(count) => monitor.suppress_next(*count),
            Op::Lose(count) => monitor.lose_next(*count),
            Op::Pass => monitor.advance(now),
        }
    }
    (monitor, taken, now)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Every line that was taken in is delivered, suppressed, lost, gathered or still without
    /// its end: once, and in order.
    #[test]
    fn every_line_is_somewhere_once_and_in_order(ops in ops(), hurried in any::<bool>()) {
        let (monitor, taken, _) = run(&ops, hurried);
        let mut lines: Vec<String> = taken
            .split(|byte| *byte == b'\n')
            .map(|line| String::from_utf8_lossy(line).into_owned())
            .collect();
        let partial = lines.pop().expect("at least one piece");
        prop_assert_eq!(partial, String::from_utf8_lossy(monitor.partial()));
        let told = monitor.notifications().iter().flat_map(Notification::written);
        let found: Vec<&String> = told.chain(monitor.gathered()).collect();
        prop_assert_eq!(found, lines.iter().collect::<Vec<_>>());
    }

    /// What the agent reads was printed: each line of it begins a line that was, and is all of
    /// it unless it is counted as cut.
    #[test]
    fn nothing_is_delivered_that_was_not_written(ops in ops(), hurried in any::<bool>()) {
        let (monitor, ..) = run(&ops, hurried);
        for told in monitor.delivered().filter(|told| !told.written().is_empty()) {
            let text = told.text();
            prop_assert!(text.encode_utf16().count() <= 3_000);
            let read: Vec<&str> = text.split('\n').collect();
            prop_assert!(read.len() <= told.written().len());
            let mut whole = 0;
            for (read, written) in read.iter().zip(told.written()) {
                prop_assert!(read.encode_utf16().count() <= 500);
                prop_assert!(written.starts_with(read));
                whole += usize::from(read == written);
            }
            prop_assert_eq!(told.cut(), told.written().len() - whole);
        }
    }

    /// Never more than the bucket gives, however it is fed; and all that it gives, unless it
    /// was told to keep something back.
    #[test]
    fn it_delivers_what_its_bucket_gives(ops in ops(), hurried in any::<bool>()) {
        let (monitor, ..) = run(&ops, hurried);
        let all = monitor.notifications();
        let told = all.iter().any(|told| told.fate() == Fate::Lost) || ops.iter().any(|(_, op)| matches!(op, Op::Suppress(_)));
        let mut left = 10.0_f64;
        let mut at = 0;
        for one in all.iter().filter(|one| !one.written().is_empty()) {
            left = (left + (one.at() - at) as f64 / 2_000.0).min(10.0);
            at = one.at();
            if one.fate() == Fate::Suppressed {
                prop_assert!(told || left < 1.000_001, "{left} at {at}");
            } else {
                left -= 1.0;
                prop_assert!(left > -0.000_001, "{left} at {at}");
            }
        }
    }

    /// Times do not run backwards, and two notifications of lines lie 200 ms apart.
    #[test]
    fn notifications_lie_apart(ops in ops(), hurried in any::<bool>()) {
        let (monitor, ..) = run(&ops, hurried);
        let own: Vec<u64> = monitor.notifications().iter()
            .filter(|told| !told.written().is_empty())
            .map(Notification::at)
            .collect();
        for pair in own.windows(2) {
            prop_assert!(pair[1] >= pair[0] + 200);
        }
    }

    /// What it says was suppressed adds up to what was; only what nothing followed is untold.
    #[test]
    fn what_was_suppressed_is_told(ops in ops(), hurried in any::<bool>()) {
        let (mut monitor, _, now) = run(&ops, hurried);
        let was_reading = monitor.is_reading();
        // A minute later there is room, so that all of it is told.
        monitor.write(now + 60_000, "\n");
        monitor.end(now + 60_000, Ending::Completed);
        let count = |monitor: &SimulatedMonitor| monitor.delivered().fold(0, |sum, told| match told.said() {
            Said::Suppressed(count) => sum + count,
            _ => sum,
        });
        let suppressed = monitor.suppressed().count() as u64;
        prop_assert!(count(&monitor) <= suppressed);
        let closes = monitor.notifications().iter().rev().find(|told| !told.written().is_empty());
        if was_reading && closes.is_some_and(Notification::is_delivered) {
            prop_assert_eq!(count(&monitor), suppressed);
        }
    }

    /// It is fed byte by byte or at once: the same becomes of it.
    #[test]
    fn pieces_of_a_write_change_nothing(ops in ops()) {
        let mut pieces = Vec::new();
        for (gap, op) in &ops {
            match op {
                Op::Write(bytes) => {
                    pieces.push((*gap, Op::Pass));
                    pieces.extend(bytes.iter().map(|byte| (0, Op::Write(vec![*byte]))));
                }
                other => pieces.push((*gap, other.clone())),
            }
        }
        prop_assert_eq!(run(&ops, false).0, run(&pieces, false).0);
    }
}
