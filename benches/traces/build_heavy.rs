//! Build-heavy: a person's watcher builds after every save, tests run in the background, and some fail.

use super::{is_busy, now_and_then, usual_noise};
use crate::office::{Need, Office, at};

pub(super) fn script(office: &mut Office) {
    usual_noise(office);
    // The watcher's builds are quick. That one more of them ended well is what everybody expects.
    office.then(at("09:20"), |office| office.noise("cargo check finished"));
    is_busy(office, "09:01", "11:30", 300);
    is_busy(office, "12:15", "14:55", 250);
    for time in now_and_then(office, "09:03", "14:50", 100, 260) {
        let seconds = 4 + office.dice.below(20);
        office.then(time, move |office| {
            office.build(&["cargo", "check"], seconds, 0);
        });
    }
    // Tests, for which somebody waits.
    for (number, time) in now_and_then(office, "09:10", "14:40", 900, 1_500)
        .into_iter()
        .enumerate()
    {
        let seconds = 60 + office.dice.below(240);
        let fails = number % 4 == 2;
        office.then(time, move |office| {
            office.build(&["cargo", "test"], seconds, if fails { 101 } else { 0 });
            office.later(seconds, move |office| {
                if fails {
                    office.must_tell("cargo test failed", Need::MINUTES);
                } else {
                    office.must_tell("cargo test finished", Need::ALONG);
                }
            });
        });
    }
    // The watcher breaks for a while. Whoever mends it wants to know of each attempt.
    for (number, time) in now_and_then(office, "13:00", "13:30", 100, 200)
        .into_iter()
        .enumerate()
    {
        office.then(time, move |office| {
            office.build(&["make", "lint"], 9, 2);
            office.later(9, move |office| {
                if number == 0 {
                    office.must_tell("make lint failed", Need::MINUTES);
                }
            });
        });
    }
}
