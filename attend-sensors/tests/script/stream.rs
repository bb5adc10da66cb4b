//! Scripts that run on.

use std::time::Duration;

use attend_core::sensor::{ErrorKind, Exit};
use attend_core::testkit::Harness;

use attend_sensors::script::ScriptConfig;

use super::world::{Real, config, reviews, warnings};

#[test]
fn it_is_started_once_and_says_it_when_it_happens() {
    let mut harness = Harness::new();
    let stream = harness.script().runs_on(reviews());
    let mut sensor = harness.build(config().streaming()).unwrap();
    harness.poll(sensor.as_mut()).assert_quiet();
    stream.say("2|one");
    stream.say("bad");
    stream.complain("looking\n");
    stream.drop_lines(3);
    assert!(harness.woken() > 0);
    let polled = harness.poll(sensor.as_mut());
    polled.assert_texts(&["one"]);
    assert_eq!(warnings(&polled).len(), 2);
    assert_eq!(
        polled.details(),
        ["stderr: looking", "3 lines of the last look were dropped"]
    );
    harness.poll(sensor.as_mut()).assert_quiet();
    assert_eq!((stream.started(), stream.running()), (1, 1));
    drop(sensor);
    assert_eq!(stream.running(), 0);
}

#[test]
fn one_that_ends_is_started_again_after_growing_pauses() {
    let mut harness = Harness::new();
    let stream = harness.script().runs_on(reviews());
    let mut sensor = harness.build(config().streaming()).unwrap();
    let why = "the script ended with exit code 2: no token; it runs on by the protocol `stream`, so it is \
               started again, after growing pauses";
    harness.poll(sensor.as_mut()).assert_quiet();
    let mut pauses = Vec::new();
    for round in 1..=9 {
        stream.say("1|last words");
        stream.complain("no token\n");
        stream.end(Exit::Code(2));
        // What it said counts; that it ended, the next look says.
        harness.poll(sensor.as_mut()).assert_texts(&["last words"]);
        let mut pause = 0;
        loop {
            let polled = harness.poll(sensor.as_mut());
            if stream.started() > round {
                break;
            }
            assert_eq!(polled.error().kind(), ErrorKind::Transient);
            assert_eq!(polled.error().to_string(), why);
            harness.advance(Duration::from_secs(5));
            pause += 5;
        }
        pauses.push(pause);
    }
    assert_eq!(pauses, [5, 10, 20, 40, 80, 160, 320, 600, 600]);
}

#[test]
fn one_that_worked_for_a_while_is_started_again_soon() {
    let mut harness = Harness::new();
    let stream = harness.script().runs_on(reviews());
    let mut sensor = harness.build(config().streaming()).unwrap();
    let mut end_after = |harness: &mut Harness, time| {
        harness.poll(sensor.as_mut()).assert_quiet();
        harness.advance(Duration::from_secs(time));
        stream.end(Exit::Code(0));
        let mut pause = 0;
        while harness.poll(sensor.as_mut()).result().is_err() {
            harness.advance(Duration::from_secs(1));
            pause += 1;
        }
        pause
    };
    let pauses = [1, 1, 1, 60, 1].map(|time| end_after(&mut harness, time));
    assert_eq!(pauses, [5, 10, 20, 5, 10]);
}

#[test]
fn a_real_one_is_heard_and_its_end_too() {
    let mut real = Real::of("echo '1|up'; echo why >&2; exit 3", ScriptConfig::streaming);
    real.until("it is up", |polled| polled.texts() == ["up"]);
    let failed = real.until("it ended", |polled| polled.result().is_err());
    let error = failed.error().to_string();
    assert!(
        error.starts_with("the script ended with exit code 3: why; "),
        "{error}"
    );
    assert_eq!(failed.details(), ["stderr: why"]);
}
