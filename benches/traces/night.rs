//! Night: work is left open, builds and fetches go on by timers, and nobody is there until morning.

use super::{now_and_then, usual_noise, works};
use crate::office::{Need, Office, at};

pub(super) fn script(office: &mut Office) {
    usual_noise(office);
    works(office, "21:05", "22:10", 3_000);
    office.then(at("22:20"), |office| {
        office.turn(120, 2_000);
        office.edit("src/late.rs");
    });
    // Nobody who sleeps waits for these.
    office.then(at("22:40"), |office| {
        for text in [
            "origin/main moved",
            " finished ",
            "appeared",
            "is gone",
            "failed after",
        ] {
            office.noise(text);
        }
    });
    for time in now_and_then(office, "23:00", "30:00", 3_000, 4_200) {
        office.then(time, |office| office.fetch(1));
        office.then(time + 300, |office| {
            office.build(&["make", "nightly"], 600, 0);
        });
    }
    office.then(at("26:40"), |office| {
        office.build(&["make", "bench"], 1_200, 2);
    });
    for (number, time) in now_and_then(office, "23:30", "29:30", 2_400, 5_400)
        .into_iter()
        .enumerate()
    {
        let name = ["nora", "omar", "pia"][number % 3];
        office.then(time, move |office| office.arrives(name, number % 2 == 0));
        office.then(time + 900, move |office| office.leaves(name));
    }
    office.then(at("27:15"), |office| {
        office.script("4|the disk is 97% full", false);
    });
    // In the morning it has to be known, before the first build.
    office.then(at("30:30"), |office| {
        office.turn(900, 4_000);
        for text in ["the disk is 97% full", "make bench failed"] {
            office.must_tell(text, Need::SOON);
        }
    });
    office.then(at("30:50"), |office| office.turn(500, 2_000));
}
