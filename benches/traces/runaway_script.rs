//! Runaway script: a script of the person's own that said one line now and then says dozens at every look.

use super::{is_busy, now_and_then, usual_noise};
use crate::office::{Need, Office, at};

pub(super) fn script(office: &mut Office) {
    usual_noise(office);
    is_busy(office, "09:01", "11:00", 300);
    is_busy(office, "11:20", "12:55", 300);
    for time in now_and_then(office, "09:10", "10:00", 600, 900) {
        office.then(time, |office| {
            office.script("1|3 jobs wait in the queue", false);
        });
    }
    office.then(at("10:05"), |office| {
        office.must_tell("failed: connection refused", Need::MINUTES);
    });
    for time in now_and_then(office, "10:05", "10:45", 60, 60) {
        office.then(time, |office| {
            let first = office.dice.below(90_000);
            let line = |job| format!("0.5|job {job} failed: connection refused\n");
            let text: String = (first..first + 40).map(line).collect();
            office.script(&text, false);
        });
    }
    // By now everybody knows.
    office.then(at("10:15"), |office| {
        office.noise("failed: connection refused");
    });
    office.then(at("10:30"), |office| {
        office.switch("hotfix");
        office.must_tell("branch changed: main → hotfix", Need::SOON);
    });
    office.then(at("12:00"), |office| {
        office.script("4|the queue is stuck since 10:05", false);
        office.must_tell("the queue is stuck", Need::MINUTES);
    });
}
