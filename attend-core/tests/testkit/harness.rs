//! The harness, and what it says of a look.

use std::sync::Arc;
use std::time::Duration;

use attend_core::dynamics::{Tick, TickDelta};
use attend_core::mail::{Address, Draft};
use attend_core::sensor::{
    BuildContext, CommandOutput, CommandSpec, ConfigError, Event, HostAnswer, HostRequest,
    HostState, NoHost, Root, Sensor, SensorError, SensorSpec, Stakes, sensor_fn, sensor_sync,
};
use attend_core::testkit::{Harness, Polled, ScriptedRunner};
use serde::{Deserialize, Serialize};

#[test]
fn ticks_are_seconds_that_only_passing_time_moves() {
    let mut harness = Harness::new();
    let start = harness.now();
    assert_eq!(start, Tick::new(1_800_000_000));
    harness
        .advance(Duration::from_millis(1_900))
        .advance(Duration::from_mins(1));
    harness.clock().step_wall(-3_600);
    assert_eq!(harness.now().since(start), TickDelta::new(61));

    let mut sensor = sensor_sync(|cx| {
        cx.report(Event::new(0.0, format!("{} {:?}", cx.now(), cx.wall())));
        Ok(())
    });
    let expected = format!("{} {:?}", harness.now(), harness.wall());
    harness.poll(&mut sensor).assert_texts(&[&expected]);
}

#[test]
fn a_sensor_finds_the_world_that_it_was_given() {
    let mut harness = Harness::new().file("notes/today.md", "tidy up\n").answer(
        CommandSpec::new("hostname"),
        CommandOutput::exited(0, "forge"),
    );
    harness.roots().file_in(Root::Proc, "uptime", "17.5");
    harness.host().set(HostState::Busy);
    let mut sensor = sensor_fn((), |(): &mut (), cx| {
        Box::pin(async move {
            let read = |path| std::fs::read_to_string(path).unwrap();
            let note = read(cx.roots().work().join("notes/today.md"));
            let uptime = read(cx.roots().get(Root::Proc).unwrap().join("uptime"));
            let name = cx.run(&CommandSpec::new("hostname")).await?.stdout;
            let host = cx.host().ask(&HostRequest::State).await?;
            assert_eq!(host, HostAnswer::State(HostState::Busy));
            let (project, name) = (
                cx.project().name().to_owned(),
                String::from_utf8_lossy(&name),
            );
            cx.report(Event::new(
                1.0,
                format!("{project} {} {uptime} {name}", note.trim()),
            ));
            Ok(())
        })
    });
    harness
        .poll(&mut sensor)
        .assert_texts(&["project tidy up 17.5 forge"]);
    assert_eq!(
        harness.path(Root::Work, "notes"),
        harness.work().join("notes")
    );
    harness.remove("notes");
    assert!(!harness.work().join("notes").exists());
}

#[test]
fn another_runner_and_another_host_can_be_plugged_in() {
    let runner = ScriptedRunner::new();
    runner.answer(CommandSpec::new("id"), CommandOutput::exited(0, "root"));
    let mut harness = Harness::new()
        .runner(Arc::new(runner))
        .host_adapter(Arc::new(NoHost));
    harness.host().set(HostState::Busy);
    let mut sensor = sensor_fn((), |(): &mut (), cx| {
        Box::pin(async move {
            assert_eq!(
                cx.host().ask(&HostRequest::State).await?,
                HostAnswer::Unknown
            );
            cx.run(&CommandSpec::new("id")).await.map(drop)
        })
    });
    harness.poll(&mut sensor).assert_quiet();
}

#[derive(Default, Serialize, Deserialize)]
struct Bell {
    forbidden: bool,
}

impl SensorSpec for Bell {
    const KIND: &'static str = "bell";
    const ABOUT: &'static str = "nothing: it wakes itself";

    fn build(self, cx: &BuildContext) -> Result<Box<dyn Sensor>, ConfigError> {
        if self.forbidden {
            return Err(ConfigError::at("forbidden", "no bells here"));
        }
        let wake = cx.wake();
        Ok(Box::new(sensor_sync(move |_| {
            wake.wake();
            Ok(())
        })))
    }
}

#[test]
fn a_kind_is_built_and_its_wakes_are_counted() {
    let mut harness = Harness::new();
    let mut sensor = harness.build(Bell::default()).unwrap();
    harness.poll(sensor.as_mut());
    harness.poll(sensor.as_mut());
    assert_eq!(harness.woken(), 2);
    let error = harness
        .build(Bell { forbidden: true })
        .map(drop)
        .unwrap_err();
    assert_eq!(error.to_string(), "`forbidden`: no bells here");
}

fn rich(fails: bool) -> Polled {
    let mut sensor = sensor_sync(move |cx| {
        cx.report(Event::new(1.0, "absorbed").key("tree"));
        cx.report(
            Event::new(4.0, "conflict in 2 files")
                .key("tree")
                .standing()
                .inhibits(["dirty", "head"])
                .signal("conflict")
                .stakes(Stakes::at_hand("the merge cannot be committed"))
                .block(["a.rs".to_owned(), "b.rs".to_owned()]),
        );
        cx.report(Event::new(0.125, "plain"));
        cx.clear("dirty");
        cx.post(
            Draft::new("see you").to(to("@Cleo")).to(to("#deploy")),
            "note-1",
        );
        cx.warn(SensorError::unavailable("no more watches"));
        if fails {
            Err(SensorError::transient("HEAD cannot be read"))
        } else {
            Ok(())
        }
    });
    Harness::new().poll(&mut sensor)
}

fn to(address: &str) -> Address {
    Address::parse(address).unwrap()
}

#[test]
fn words_are_posted_whole_or_not_at_all() {
    let many = |most: usize| {
        (0..most).fold(Draft::new("hello"), |draft, n| {
            draft.to(to(&format!("@n{n}")))
        })
    };
    let long = |most: usize| "x".repeat(most);
    for (draft, key, refused) in [
        (Draft::new(long(1 << 20)), long(512), ""),
        (Draft::new(long((1 << 20) + 1)), long(1), "more than 1 MiB"),
        (many(60), long(1), ""),
        (many(61), long(1), "more than 60"),
        (Draft::new("hello"), long(513), "more than 512"),
    ] {
        let mut sensor = sensor_sync(move |cx| {
            cx.post(draft.clone(), key.clone());
            Ok(())
        });
        let polled = Harness::new().poll(&mut sensor);
        let warnings = polled.warnings();
        assert_eq!(polled.drafts().len(), usize::from(refused.is_empty()));
        assert_eq!(warnings.len(), usize::from(!refused.is_empty()));
        assert!(
            warnings
                .iter()
                .all(|warning| warning.to_string().contains(refused))
        );
    }
}

#[test]
fn a_look_is_told_for_reading() {
    let polled = rich(false);
    assert_eq!(
        format!("{polled:?}"),
        "the look reported:\n\
         \x20 4.0 `conflict in 2 files` key=tree standing signal=conflict stakes at hand=`the merge cannot be committed` inhibits=dirty,head\n\
         \x20   | a.rs\n\
         \x20   | b.rs\n\
         \x20 0.125 `plain`\n\
         \x20 clear dirty\n\
         \x20 post note-1 to [@Cleo, #deploy]: `see you`\n\
         \x20 warning (unavailable): no more watches\n\
         \x20 and 1 that were coalesced"
    );
    assert_eq!(polled.texts(), ["conflict in 2 files", "plain"]);
    assert_eq!(polled.magnitudes(), [4.0, 0.125]);
    assert_eq!(
        (polled.keys(), polled.cleared()),
        (vec!["tree"], vec!["dirty"])
    );
    assert_eq!(
        (
            polled.events().len(),
            polled.drafts().len(),
            polled.warnings().len()
        ),
        (2, 1, 1)
    );
    assert!(polled.result().is_ok() && !polled.is_quiet());
}

#[test]
fn of_a_failed_look_only_the_warnings_count() {
    let polled = rich(true);
    assert_eq!(polled.error().to_string(), "HEAD cannot be read");
    assert!(polled.report().is_empty() && polled.drafts().is_empty());
    assert_eq!(polled.report().absorbed().total(), 0);
    assert_eq!(
        format!("{polled:?}"),
        "the look failed (transient): HEAD cannot be read\n  warning (unavailable): no more watches"
    );
}

#[test]
#[should_panic(expected = "expected a quiet look, but the look reported:\n  4.0 `conflict")]
fn a_look_that_says_something_is_not_quiet() {
    rich(false).assert_quiet();
}

#[test]
#[should_panic(expected = "expected a quiet look, but the look failed")]
fn a_look_that_fails_is_not_quiet() {
    rich(true).assert_quiet();
}

#[test]
#[should_panic(expected = "expected one event, but the look reported:")]
fn two_events_are_not_one() {
    rich(false).only_event();
}

#[test]
#[should_panic(expected = "expected the events [\"plain\"], but the look reported:")]
fn other_texts_are_shown() {
    rich(false).assert_texts(&["plain"]);
}

#[test]
#[should_panic(expected = "expected a failed look, but the look was quiet")]
fn a_look_that_succeeds_has_no_error() {
    Harness::new().poll(&mut sensor_sync(|_| Ok(()))).error();
}
