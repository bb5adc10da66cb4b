//! Context crisis: a session that reads large files fills its window within hours, twice.

use super::{is_busy, usual_noise};
use crate::office::{Need, Office, at};

pub(super) fn script(office: &mut Office) {
    usual_noise(office);
    // From 20,000 of 200,000 tokens: 65 % after 55 minutes, 85 % after 75, 92 % after 82.
    is_busy(office, "09:01", "09:46", 2_000);
    for time in (at("09:47")..at("10:27")).step_by(240) {
        office.then(time, |office| office.turn(230, 8_000));
    }
    let crisis = [
        ("09:57", "context at 6", Need::SOON),
        ("10:17", "context at 8", Need::SOON),
        // What is not saved by then is lost.
        ("10:25", "compaction in about", Need::URGENT),
    ];
    for (time, text, need) in crisis {
        office.then(at(time), move |office| office.must_tell(text, need));
    }
    office.then(at("10:29"), |office| office.compacted(true, 30_000));
    // What attend taught is gone with the rest.
    office.then(at("10:29"), |office| {
        office.must_tell("reheat: attend affordances — messaging", Need::SOON)
    });
    is_busy(office, "10:31", "11:30", 600);
    // The second time at a slower pace, while builds end beside it.
    for time in (at("11:31")..at("12:50")).step_by(300) {
        office.then(time, |office| office.turn(280, 8_000));
        office.then(time + 30, |office| office.build(&["cargo", "test"], 45, 0));
    }
}
