//! Who spoke in a session, and when, as fixtures and made-up rows tell it.

use attend_core::dynamics::Tick;
use attend_core::sensor::{Cause, HostAnswer, HostRequest, Turns};
use attend_sensors::host::claude_code::ClaudeCode;

use crate::world::{World, answer, fixture, prompt};

fn turns(host: &ClaudeCode) -> Turns {
    match host.answer(&HostRequest::Turns) {
        Ok(HostAnswer::Turns(turns)) => turns,
        other => panic!("{other:?}"),
    }
}

fn causes(host: &ClaudeCode) -> Vec<Cause> {
    turns(host).began.iter().map(|turn| turn.cause).collect()
}

#[test]
fn what_began_the_turns_of_the_fixtures() {
    use Cause::{Notice, Words, Work};
    for (number, expected, first) in [
        ("01", vec![Words], Some(34_494)),
        ("13", vec![Words, Words], Some(31_278)),
        ("15", vec![Words, Work], Some(30_753)),
        ("18", vec![Words; 3], Some(31_250)),
        ("30", vec![Words, Notice, Words, Work], Some(40_002)),
        ("39", vec![Work], Some(25_102)),
        // What stood before a compaction is gone.
        ("05", vec![Words], Some(19_569)),
        ("32", vec![], Some(34_003)),
        ("09", vec![Words; 2], None),
    ] {
        let world = World::new();
        world.write(fixture(number));
        let host = world.named();
        let found = (causes(&host), turns(&host).first);
        assert_eq!(found, (expected, first), "{number}");
    }
}

#[test]
fn they_are_told_with_their_times() {
    let world = World::new();
    world.write(prompt("2027-01-15T07:00:00Z") + &answer(1, 10) + &prompt("2027-01-15T07:30:01Z"));
    let told = turns(&world.named());
    // An hour before the clock of a world starts.
    let start = crate::world::START / 1_000 - 3_600;
    let at: Vec<Tick> = told.began.iter().map(|turn| turn.at).collect();
    assert_eq!(at, [Tick::new(start), Tick::new(start + 1_801)]);
    assert_eq!((told.last, told.first), (at.last().copied(), Some(10)));
}

#[test]
fn without_a_transcript_nobody_knows() {
    let world = World::new();
    let answer = world.named().answer(&HostRequest::Turns).unwrap();
    assert_eq!(answer, HostAnswer::Unknown);
}

#[test]
fn a_message_in_what_a_monitor_printed_is_somebodys_words() {
    let notice = |event: &str| {
        let frame = format!("<task-notification>\\n<summary>s</summary>\\n<event>{event}</event>");
        format!(
            r#"{{"type":"user","timestamp":"2027-01-15T07:00:00Z","origin":{{"kind":"task-notification"}},"message":{{"content":"{frame}"}}}}"#
        ) + "\n"
    };
    for (event, cause) in [
        (
            "[attend sensor=idle priority=high] nobody spoke",
            Cause::Notice,
        ),
        ("build green", Cause::Notice),
        (
            "he wrote [attend sensor=messages priority=high] x",
            Cause::Notice,
        ),
        (
            "[attend sensor=messages priority=high] 7F3K2A a: b",
            Cause::Words,
        ),
        (
            "[attend sensor=git priority=low] x\\n[attend sensor=messages priority=low] y",
            Cause::Words,
        ),
    ] {
        let world = World::new();
        world.write(notice(event));
        assert_eq!(causes(&world.named()), [cause], "{event}");
    }
    // A person may type anything.
    let world = World::new();
    let typed = notice("x").replace("\"task-notification\"", "\"human\"");
    world.write(typed);
    assert_eq!(causes(&world.named()), [Cause::Words]);
}

#[test]
fn no_more_than_256_are_told_and_those_of_subagents_are_not() {
    let world = World::new();
    let one = prompt("2027-01-15T07:00:00Z");
    let side = one.replace(
        "\"type\":\"user\"",
        "\"type\":\"user\",\"isSidechain\":true",
    );
    world.write(one.repeat(300) + &side);
    assert_eq!(turns(&world.named()).began.len(), 256);
    let world = World::new();
    world.write(side);
    assert_eq!(turns(&world.named()), Turns::default());
}
