//! The commands that lines name lead somewhere.

use attend_core::attention::{HandledSignals, phrase};
use attend_core::sensor::{Event, Signal, Stakes};
use attend_sensors::built_in;

use crate::desk::{Desk, SESSION};
use crate::home::{stderr, stdout};

/// The signals that built-in sensors declare.
fn declared() -> Vec<(Signal, String)> {
    let registry = built_in();
    let kinds = registry.kinds();
    kinds
        .flat_map(|kind| kind.declares().signals.clone())
        .collect()
}

#[test]
fn every_declared_signal_leads_to_guidance() {
    let declared = declared();
    assert!(!declared.is_empty());
    let handled: HandledSignals = declared.iter().cloned().collect();
    for (signal, purpose) in declared {
        for stakes in [Stakes::ahead("soon"), Stakes::at_hand("now")] {
            let event = Event::new(5.0, "a fact")
                .signal(signal.clone())
                .stakes(stakes);
            let line = phrase(&event.check().expect("an event"), &handled);
            let command = line.split('`').nth(1).expect("a command");
            let words: Vec<&str> = command.split(' ').collect();
            assert_eq!(words[0], "ways", "{line}");
            assert!(!purpose.is_empty() && line.contains(&purpose), "{line}");
            let desk = Desk::at(10_000);
            let args: Vec<&str> = words[1..]
                .iter()
                .copied()
                .chain(["--session", SESSION])
                .collect();
            let output = desk.output(&args);
            assert!(output.status.success(), "{line}: {}", stderr(&output));
            assert!(stdout(&output).lines().count() > 1, "{line}");
        }
    }
}

#[test]
fn what_is_critical_is_shown_again_where_the_same_fact_is_not() {
    let mut desk = Desk::at(100_000);
    let show = ["show", "attend/context-pressure"];
    desk.says(&show);
    desk.answer(112_000);
    assert_eq!(desk.says(&show).lines().count(), 1);
    let critical = desk.says(&[&show[..], &["--mode", "critical"]].concat());
    assert!(critical.lines().count() > 5, "{critical}");
}
