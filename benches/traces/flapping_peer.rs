//! Flapping peer: a colleague's session crashes and is started again by a loop for an hour and a half.

use super::{now_and_then, usual_noise, works};
use crate::office::{Need, Office, at};

pub(super) fn script(office: &mut Office) {
    usual_noise(office);
    works(office, "09:01", "12:55", 2_500);
    office.then(at("09:20"), |office| {
        office.arrives("ada", true);
        office.must_tell("ada appeared in this project", Need::ALONG);
    });
    for time in now_and_then(office, "09:50", "11:20", 60, 140) {
        office.then(time, |office| office.arrives("flap", true));
        office.then(time + 35, |office| office.leaves("flap"));
    }
    // That it comes and goes is known by now.
    office.then(at("10:00"), |office| {
        for text in ["flap appeared", "flap is back", "flap is gone"] {
            office.noise(text);
        }
    });
    // It is over, and that is worth a word.
    office.then(at("11:21"), |office| {
        office.no_noise("flap is gone");
        office.must_tell("flap is gone", Need::ALONG);
    });
    // Amid that somebody comes who matters.
    office.then(at("10:40"), |office| {
        office.arrives("bob", true);
        office.must_tell("bob appeared in this project", Need::ALONG);
    });
    office.then(at("10:50"), |office| office.edit("src/lex.rs"));
    office.then(at("10:51"), |office| {
        office.peer_edits("bob", "src/lex.rs");
        office.must_tell("bob and this session both edited*src/lex.rs", Need::SOON);
    });
}
