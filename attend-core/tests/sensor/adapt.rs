//! Sensors out of closures, and events that come from elsewhere.

use std::sync::mpsc;
use std::thread;

use attend_core::sensor::{
    CommandOutput, CommandSpec, Event, Refusal, SensorError, injector, sensor_fn, sensor_sync,
};
use attend_core::testkit::Harness;

#[test]
fn a_sensor_out_of_an_async_function_keeps_its_state_over_looks() {
    let command = CommandSpec::new("nproc");
    let mut harness = Harness::new().answer(command.clone(), CommandOutput::exited(0, "2\n"));
    let mut sensor = sensor_fn(0_u32, |looks: &mut u32, cx| {
        Box::pin(async move {
            let output = cx.run(&CommandSpec::new("nproc")).await?;
            *looks += 1;
            cx.report(Event::new(
                1.0,
                format!("{looks}: {} bytes", output.stdout.len()),
            ));
            Ok(())
        })
    });
    harness.poll(&mut sensor).assert_texts(&["1: 2 bytes"]);
    harness.poll(&mut sensor).assert_texts(&["2: 2 bytes"]);

    // The look that failed changed nothing: the state is set after the last await.
    harness
        .script()
        .fail(command.clone(), SensorError::transient("no more processes"));
    assert_eq!(
        harness.poll(&mut sensor).error().to_string(),
        "no more processes"
    );
    harness
        .script()
        .answer(command, CommandOutput::exited(0, "16\n"));
    harness.poll(&mut sensor).assert_texts(&["3: 3 bytes"]);
}

#[test]
fn a_sensor_out_of_a_closure_keeps_its_state_over_looks() {
    let mut looks = 0;
    let mut sensor = sensor_sync(move |cx| {
        looks += 1;
        cx.report(Event::new(1.0, format!("look {looks}")));
        if looks == 2 {
            Err(SensorError::transient("the second look fails"))
        } else {
            Ok(())
        }
    });
    let mut harness = Harness::new();
    harness.poll(&mut sensor).assert_texts(&["look 1"]);
    assert!(harness.poll(&mut sensor).events().is_empty());
    harness.poll(&mut sensor).assert_texts(&["look 3"]);
}

#[test]
fn an_event_injected_from_another_thread_wakes_and_is_reported_once() {
    let mut harness = Harness::new();
    let (handle, mut sensor) = injector();
    handle.wakes(harness.build_context().wake());
    harness.poll(&mut sensor).assert_quiet();

    let other = handle.clone();
    thread::spawn(move || {
        other
            .report(Event::new(1.0, "building").key("deploy"))
            .unwrap();
        other.clear("queue").unwrap();
        other
            .report(Event::new(3.0, "deploy finished").key("deploy"))
            .unwrap();
    })
    .join()
    .unwrap();

    assert_eq!(harness.woken(), 3);
    let polled = harness.poll(&mut sensor);
    polled.assert_texts(&["deploy finished"]);
    assert_eq!(
        (polled.cleared(), polled.report().absorbed().replaced),
        (vec!["queue"], 1)
    );
    harness.poll(&mut sensor).assert_quiet();
}

#[test]
fn what_many_threads_inject_while_it_is_drained_arrives_once_each() {
    let mut harness = Harness::new();
    let (handle, mut sensor) = injector();
    let (done, finished) = mpsc::channel();
    let threads: Vec<_> = (0..4)
        .map(|thread| {
            let (handle, done) = (handle.clone(), done.clone());
            thread::spawn(move || {
                for n in 0..60 {
                    handle
                        .report(Event::new(1.0, format!("{thread}/{n}")))
                        .unwrap();
                }
                done.send(()).unwrap();
            })
        })
        .collect();
    drop(done);
    let mut seen = Vec::new();
    let mut running = threads.len();
    loop {
        running -= finished.try_iter().count();
        let last = running == 0;
        seen.extend(
            harness
                .poll(&mut sensor)
                .texts()
                .into_iter()
                .map(str::to_owned),
        );
        if last {
            break;
        }
    }
    for thread in threads {
        thread.join().unwrap();
    }
    seen.sort();
    let mut sent: Vec<String> = (0..4)
        .flat_map(|t| (0..60).map(move |n| format!("{t}/{n}")))
        .collect();
    sent.sort();
    assert_eq!(seen, sent);
}

#[test]
fn a_refused_event_is_told_to_whoever_injects_it_and_wakes_nobody() {
    let harness = Harness::new();
    let (handle, _sensor) = injector();
    handle.wakes(harness.build_context().wake());
    assert_eq!(
        handle.report(Event::new(f64::NAN, "")),
        Err(Refusal::Magnitude)
    );
    assert_eq!(harness.woken(), 0);
}

#[test]
fn what_was_injected_before_the_wake_was_known_wakes_at_once() {
    let harness = Harness::new();
    let (handle, _sensor) = injector();
    handle.report(Event::new(3.0, "early")).unwrap();
    handle.wakes(harness.build_context().wake());
    assert_eq!(harness.woken(), 1);
}

#[test]
fn a_refused_event_of_a_look_is_a_warning_beside_the_others() {
    let mut sensor = sensor_sync(|cx| {
        cx.report(Event::new(101.0, "too much"));
        cx.report(Event::new(2.0, "fine"));
        Ok(())
    });
    let polled = Harness::new().poll(&mut sensor);
    polled.assert_texts(&["fine"]);
    assert_eq!(
        polled.warnings()[0].to_string(),
        "an event was refused: its magnitude is not a number from 0 to 100"
    );
}
