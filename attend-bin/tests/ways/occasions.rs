//! Occasions that last until guidance could be given for them: compactions, shares, turns.

use serde_json::json;

use crate::desk::Desk;
use crate::hooked::{bare, edit, prompt, start, stop};

const COMPACTED: &str = "{ type: PostCompact }";

#[test]
fn guidance_after_a_compaction_is_given_once_in_whichever_order_it_is_told() {
    let said = "The guidance of mine.\n";
    let (told, started) = (bare("PostCompact"), start("compact"));
    let orders = [
        vec![(&told, ""), (&started, said)],
        vec![(&started, said), (&told, "")],
        vec![(&started, said)],
    ];
    for order in orders {
        let mut desk = Desk::at(150_000);
        desk.triggered(
            "mine",
            COMPACTED,
            "curve: { type: Flat, suppression: 5000000 }\n",
        );
        for count in 1..=3 {
            for (event, expected) in &order {
                assert_eq!(desk.hears(event), *expected, "{order:?}");
            }
            assert_eq!(desk.hears(&prompt("x")), "", "{order:?}");
            desk.compact();
            assert_eq!(desk.hears(&edit("x")), "");
            desk.answer(30_000 + count);
            assert_eq!(desk.hears(&stop("p")), "");
        }
        assert_eq!(desk.log().len(), 3);
    }
}

#[test]
fn without_a_start_it_is_given_where_text_can_be_carried_next() {
    let mut desk = Desk::at(150_000);
    desk.triggered("mine", COMPACTED, "");
    for _ in 0..2 {
        assert_eq!(desk.hears(&bare("PostCompact")), "");
        desk.compact();
        assert_eq!(desk.hears(&bare("Notification")), "");
        let subagent = json!({
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "agent_id": "a1",
        });
        assert_eq!(desk.hears(&subagent), "");
        assert_eq!(desk.hears(&edit("x")), "The guidance of mine.\n");
        assert_eq!(desk.hears(&edit("x")), "");
    }
}

#[test]
fn a_share_is_told_when_it_is_reached_and_again_when_it_is_reached_again() {
    let mut desk = Desk::at(149_999);
    let fresh = "curve: { type: Flat, suppression: 1 }\n";
    desk.triggered("mine", "{ type: context-threshold, above: 0.75 }", fresh);
    assert_eq!(desk.hears(&prompt("x")), "");
    desk.answer(150_000);
    assert_eq!(desk.hears(&edit("x")), "The guidance of mine.\n");
    for more in [150_000, 160_000, 170_000] {
        desk.answer(more);
        assert_eq!(desk.hears(&prompt("x")), "");
    }
    // Down and up again.
    desk.answer(140_000);
    assert_eq!(desk.hears(&prompt("x")), "");
    desk.answer(155_000);
    assert_eq!(desk.hears(&prompt("x")), "The guidance of mine.\n");
    // Down while nobody looked.
    desk.compact();
    desk.answer(30_000);
    desk.answer(160_000);
    assert_eq!(desk.hears(&edit("x")), "The guidance of mine.\n");
    desk.answer(161_000);
    assert_eq!(desk.hears(&stop("p")), "");
}

#[test]
fn a_share_that_is_reached_where_no_text_can_be_carried_waits() {
    let mut desk = Desk::at(100_000);
    desk.triggered("mine", "{ type: context-threshold, above: 0.75 }", "");
    assert_eq!(desk.hears(&prompt("x")), "");
    desk.answer(180_000);
    let goes_on = json!({"hook_event_name": "Stop", "stop_hook_active": true});
    for event in [bare("Notification"), goes_on, bare("PreCompact")] {
        assert_eq!(desk.hears(&event), "");
    }
    assert_eq!(desk.hears(&stop("p")), "The guidance of mine.\n");
}

#[test]
fn what_still_stands_before_the_model_is_not_given_for_a_share() {
    let mut desk = Desk::at(160_000);
    desk.triggered(
        "mine",
        "{ type: context-threshold, above: 0.75 }",
        "refire: 1\n",
    );
    assert_eq!(desk.hears(&prompt("x")), "The guidance of mine.\n");
    desk.answer(161_000);
    assert_eq!(desk.hears(&prompt("x")), "");
    assert_eq!(desk.log().len(), 1);
}

#[test]
fn the_end_of_a_turn_is_taken_once() {
    let mut desk = Desk::at(10_000);
    let fresh = "curve: { type: Flat, suppression: 1 }\n";
    desk.triggered("mine", "{ type: Stop }", fresh);
    desk.triggered("other", "{ type: Stop }", fresh);
    let both = "The guidance of mine.\n\nThe guidance of other.\n";
    let mut goes_on = stop("one");
    goes_on["stop_hook_active"] = json!(true);
    assert_eq!(desk.hears(&goes_on), "");
    assert_eq!(desk.hears(&stop("one")), both);
    desk.answer(50_000);
    assert_eq!(desk.hears(&goes_on), "");
    assert_eq!(desk.hears(&stop("one")), "");
    assert_eq!(desk.hears(&stop("two")), both);
}

#[test]
fn where_nobody_counted_a_way_is_given_once_until_somebody_does() {
    let mut desk = Desk::new();
    desk.triggered("first", "{ type: SessionStart, source: startup }", "");
    let flat = "curve: { type: Flat, suppression: 20000 }\n";
    desk.triggered("mine", "{ type: UserPromptSubmit, keywords: [x] }", flat);
    assert_eq!(desk.hears(&start("startup")), "The guidance of first.\n");
    assert_eq!(desk.hears(&prompt("x")), "The guidance of mine.\n");
    assert_eq!(desk.hears(&prompt("x")), "");
    assert_eq!(desk.hears(&start("startup")), "");
    desk.answer(19_999);
    assert_eq!(desk.hears(&prompt("x")), "");
    desk.answer(20_000);
    assert_eq!(desk.hears(&prompt("x")), "The guidance of mine.\n");
    desk.compact();
    // Before the next answer nobody knows how much there is; what was shown is gone.
    assert_eq!(desk.hears(&prompt("x")), "The guidance of mine.\n");
    assert_eq!(desk.hears(&prompt("x")), "");
}
