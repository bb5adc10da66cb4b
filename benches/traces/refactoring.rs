//! Refactoring with constant churn: an agent renames all over the tree by shell commands, and its person formats and commits beside it.

use super::{is_busy, now_and_then, usual_noise};
use crate::office::{Need, Office, at};

pub(super) fn script(office: &mut Office) {
    usual_noise(office);
    is_busy(office, "09:01", "10:55", 500);
    is_busy(office, "11:10", "12:55", 400);
    // What it does by shell commands is not known to be its own.
    for time in now_and_then(office, "09:04", "12:50", 60, 240) {
        let count = 1 + office.dice.below(45);
        office.then(time, move |office| office.touch_many("src/ast", count));
    }
    // That files change is no news any more once it was told.
    office.then(at("09:15"), |office| office.noise("newly dirty"));
    for time in now_and_then(office, "09:20", "12:50", 700, 1_100) {
        office.then(time, |office| office.others_commit("rename Node to Syntax"));
    }
    office.then(at("10:20"), |office| {
        office.conflict(&["src/ast/visit.rs", "src/ast/fold.rs"]);
        office.must_tell("conflicts in 2 files", Need::SOON);
        office.must_tell("merge in progress", Need::SOON);
    });
    office.then(at("10:32"), Office::resolve);
    office.then(at("11:40"), |office| {
        office.switch("feat/syntax");
        office.must_tell("branch changed: main → feat/syntax", Need::SOON);
    });
    // A script of the person's goes through the branches and comes back.
    for (number, branch) in ["v1", "v2", "v3", "v4", "v5", "feat/syntax"]
        .into_iter()
        .enumerate()
    {
        let time = at("12:30") + 15 * number as u64;
        office.then(time, move |office| office.switch(branch));
    }
    office.then(at("12:10"), |office| {
        office.build(&["cargo", "check"], 50, 101);
        office.later(50, |office| {
            office.must_tell("cargo check failed", Need::SOON);
        });
    });
}
