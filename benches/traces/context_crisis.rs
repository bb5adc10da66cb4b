//! Context crisis: a session that reads large files fills its window within hours, twice.

use super::{is_busy, now_and_then, usual_noise, works};
use crate::office::{Need, Office, at};

pub(super) fn script(office: &mut Office) {
    usual_noise(office);
    // From 20,000 of 200,000 tokens, 8,000 in each turn of four minutes: 65 % in the 14th, 85 % in
    // the 19th, 92 % in the 21st.
    for time in (at("09:01")..at("10:29")).step_by(240) {
        office.then(time, |office| office.turn(230, 8_000));
    }
    let crisis = [
        ("09:56", "context at 6", Need::SOON),
        ("10:15", "context at 8", Need::SOON),
        // What is not saved by then is lost.
        ("10:22", "compaction in about", Need::URGENT),
    ];
    for (time, text, need) in crisis {
        office.then(at(time), move |office| office.must_tell(text, need));
    }
    office.then(at("10:29"), |office| office.compacted(true, 30_000));
    // What attend taught is gone with the rest.
    office.then(at("10:29"), |office| {
        office.must_tell("reheat: attend affordances — messaging", Need::SOON);
    });
    is_busy(office, "10:31", "11:30", 600);
    // In the afternoon it is an ordinary session.
    office.then(at("12:55"), |office| office.compacted(true, 30_000));
    works(office, "13:00", "14:50", 2_500);
    // The second time at a slower pace, while builds end beside it.
    for time in (at("11:31")..at("12:50")).step_by(300) {
        office.then(time, |office| office.turn(280, 8_000));
    }
    for time in now_and_then(office, "11:35", "12:50", 600, 1_200) {
        office.then(time, |office| office.build(&["cargo", "test"], 45, 0));
    }
}
