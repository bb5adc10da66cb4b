//! Quiet solo: one person and one agent, small steps, a lunch break, and little else.

use super::{now_and_then, usual_noise, works};
use crate::office::{Need, Office, at};

pub(super) fn script(office: &mut Office) {
    usual_noise(office);
    office.noise("file* newly dirty");
    works(office, "09:02", "12:00", 3_000);
    works(office, "13:20", "15:35", 2_500);
    works(office, "16:25", "16:50", 2_500);
    // The person saves a file now and then, and tries things out.
    for time in now_and_then(office, "09:10", "11:50", 600, 1_500) {
        office.then(time, |office| office.touch_many("notes", 1));
        office.then(time + 100, |office| office.build(&["cargo", "test"], 12, 0));
    }
    office.then(at("11:58"), |office| office.switch("feat/parser"));
    // Whoever goes on editing does it on another branch than it thinks.
    office.then(at("11:58"), |office| {
        office.must_tell("branch changed: main → feat/parser", Need::SOON);
    });
    office.then(at("14:00"), |office| office.switch("main"));
    office.then(at("14:00"), |office| {
        office.must_tell("branch changed: feat/parser → main", Need::SOON);
    });
    office.then(at("14:30"), |office| {
        office.fetch(3);
        office.must_tell("origin/main moved: 3 commits to pull", Need::ALONG);
    });
    office.then(at("15:10"), |office| {
        office.write("Cargo.lock");
        office.must_tell("Cargo.lock", Need::ALONG);
    });
    // Three long builds in a row are expected to end well; a fourth one breaks amid that.
    office.then(at("15:50"), |office| {
        office.turn(1_500, 3_000);
        for (after, words) in [
            (60, &["make", "docs"] as &[&str]),
            (180, &["make", "wheel"]),
            (300, &["make", "image"]),
        ] {
            office.later(after, move |office| office.build(words, 40, 0));
        }
        office.later(420, |office| office.build(&["make", "lint"], 20, 2));
        office.later(440, |office| {
            office.must_tell("make lint failed", Need::MINUTES);
        });
    });
    office.then(at("15:40"), |office| {
        office.build(&["cargo", "test"], 95, 101);
        office.later(95, |office| {
            office.must_tell("cargo test failed", Need::MINUTES);
        });
    });
}
