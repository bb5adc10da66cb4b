//! Eight agents: colleagues come, work, wait, write and commit in one tree, and two of them edit what this agent edits.

use attend_core::sensor::PeerState;

use super::{now_and_then, usual_noise, works};
use crate::office::{Need, Office, at};

const NAMES: [&str; 7] = ["ada", "bob", "cleo", "dan", "eve", "fay", "gus"];

pub(super) fn script(office: &mut Office) {
    usual_noise(office);
    for text in ["is gone", "context at 8", "ahead of"] {
        office.noise(text);
    }
    works(office, "09:01", "14:50", 2_500);
    for (number, name) in NAMES.into_iter().enumerate() {
        let number = number as u64;
        let here = number < 5;
        office.then(at("09:05") + 25 * number, move |office| {
            office.arrives(name, here);
        });
        let times = now_and_then(office, "09:25", "14:20", 120, 700);
        for (turn, time) in times.into_iter().enumerate() {
            let state = [
                PeerState::Busy,
                PeerState::Waiting,
                PeerState::Busy,
                PeerState::Idle,
            ];
            let state = state[turn % 4];
            office.then(time + 7 * number, move |office| office.does(name, state));
        }
        office.then(at("11:30") + 1_100 * number, move |office| {
            office.fills(name, 84);
        });
        office.then(at("14:20") + 150 * number, move |office| {
            office.leaves(name);
        });
    }
    // Whoever works in one tree sees what the others do.
    for time in now_and_then(office, "09:40", "14:30", 300, 900) {
        let count = 1 + office.dice.below(8);
        office.then(time, move |office| office.touch_many("crates", count));
        office.then(time + 200, |office| {
            office.others_commit("a step of theirs");
        });
    }
    office.then(at("09:40"), |office| office.noise("newly dirty"));
    for time in now_and_then(office, "09:50", "14:30", 1_500, 2_700) {
        office.then(time, |office| {
            office.letter("cleo", "the parser is mine until noon");
        });
    }
    overlap(office, "10:41", "cleo", "src/parse.rs");
    overlap(office, "12:47", "bob", "src/emit.rs");
    office.then(at("13:30"), |office| {
        office.build(&["make", "test"], 140, 2);
        office.later(140, |office| {
            office.must_tell("make test failed", Need::MINUTES);
        });
    });
}

/// Both edit one file, a moment apart.
fn overlap(office: &mut Office, time: &str, name: &'static str, file: &'static str) {
    office.then(at(time), move |office| {
        office.turn(300, 2_000);
        office.edit(file);
    });
    office.then(at(time) + 40, move |office| {
        office.peer_edits(name, file);
        let text = if name == "cleo" {
            "cleo and this session both edited*src/parse.rs"
        } else {
            "bob and this session both edited*src/emit.rs"
        };
        office.must_tell(text, Need::SOON);
    });
}
