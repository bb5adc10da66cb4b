//! Hosts: none, one that waits, a model that is not known, and what is watched.

use attend_core::sensor::{
    ErrorKind, Evidence, HostAnswer, HostRequest, Identity, SensorError, SessionInfo, WindowBasis,
};
use attend_core::testkit::Harness;
use attend_sensors::context::ContextConfig;

use super::world::{World, session};

fn identity(harness: &Harness, identity: Identity) {
    let answer = HostAnswer::Session(SessionInfo::new(identity));
    harness.host().answer(HostRequest::Session, Ok(answer));
}

#[test]
fn without_a_host_it_says_that_it_needs_one() {
    let mut harness = Harness::new();
    let mut sensor = harness.build(ContextConfig::default()).unwrap();
    let needs = "it needs a host: nothing here says how full a context window is";
    for gives in [None, Some(Identity::NoHost)] {
        if let Some(gives) = gives {
            identity(&harness, gives);
        }
        let polled = harness.poll(sensor.as_mut());
        assert_eq!(polled.error().kind(), ErrorKind::Unavailable);
        assert_eq!(polled.error().to_string(), needs);
    }
    let reason = "two sessions".to_owned();
    identity(&harness, Identity::Refused { reason });
    let polled = harness.poll(sensor.as_mut());
    assert_eq!(
        polled.error().to_string(),
        format!("{needs} (two sessions)")
    );
}

#[test]
fn a_host_that_does_not_know_yet_is_waited_for() {
    let mut world = World::new();
    identity(&world.harness, Identity::Waiting);
    world.harness.poll(world.sensor.as_mut()).assert_quiet();
    let (id, by) = ("session".to_owned(), Evidence::Hook);
    identity(&world.harness, Identity::Known { id, by });
    world.harness.poll(world.sensor.as_mut()).assert_quiet();
    assert_eq!(world.at(172_000).texts(), ["context at 86%"]);
}

#[test]
fn what_cannot_be_read_now_changes_nothing() {
    let mut world = World::new();
    world.at(172_000);
    let error = SensorError::transient("the transcript cannot be read");
    let host = world.harness.host().clone();
    host.answer(HostRequest::Context, Err(error.clone()));
    assert_eq!(world.harness.poll(world.sensor.as_mut()).error(), &error);
    world.look().assert_quiet();
}

#[test]
fn an_unknown_model_is_named_once() {
    let mut world = World::new();
    world.usage.basis = WindowBasis::Assumed;
    world.usage.model = Some("new-1".to_owned());
    world.look().assert_quiet();
    let polled = world.at(20_000);
    let said: Vec<String> = polled.warnings().iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "the model `new-1` is not known: its window is taken to be 200000 tokens; `windows` in \
            the configuration of `under-test` sets it"
        ]
    );
    world.look().assert_quiet();
    world.restart();
    world.look().assert_quiet();
    world.usage.model = None;
    let polled = world.look();
    assert!(
        polled.warnings()[0]
            .to_string()
            .starts_with("the model is not known: ")
    );
}

#[test]
fn a_window_is_configured_by_the_name_of_the_model() {
    let mut config = ContextConfig::default();
    config.windows.insert("new".to_owned(), 50_000);
    let mut world = World::configured(config);
    world.usage.basis = WindowBasis::Assumed;
    world.usage.model = Some("new-1".to_owned());
    world.at(43_000).assert_texts(&["context at 86%"]);
    // More was counted than fits: the host knows better.
    assert_eq!(world.at(50_001).cleared(), ["tier"]);

    let mut config = ContextConfig::default();
    config.windows.insert("new".to_owned(), 50_000);
    let mut world = World::configured(config);
    world.usage.basis = WindowBasis::Exact;
    world.usage.model = Some("new-1".to_owned());
    world.at(43_000).assert_quiet();
}

#[test]
fn what_the_host_names_is_watched() {
    let mut world = World::new();
    let transcript = world.harness.write("a.jsonl", "");
    let later = world.harness.work().join("b.jsonl");
    let mut info = SessionInfo::new(Identity::Waiting);
    info.watch = vec![transcript.clone(), later.clone()];
    let host = world.harness.host().clone();
    host.answer(HostRequest::Session, Ok(HostAnswer::Session(info.clone())));
    world.at(20_000).assert_quiet();
    assert_eq!(
        world.harness.watcher().watched(),
        std::slice::from_ref(&transcript)
    );
    world.harness.watcher().changed(&transcript);
    assert_eq!(world.harness.woken(), 1);

    world.harness.write("b.jsonl", "");
    world.look().assert_quiet();
    assert!(world.harness.watcher().watched().contains(&later));

    info.watch = vec![later.clone()];
    host.answer(HostRequest::Session, Ok(HostAnswer::Session(info)));
    world.look().assert_quiet();
    assert_eq!(world.harness.watcher().watched(), [later]);
}

#[test]
fn a_watch_that_is_refused_is_said_once() {
    let harness = Harness::new();
    harness
        .watcher()
        .refuse(SensorError::unavailable("no more watches"));
    let mut sensor = harness.build(ContextConfig::default()).unwrap();
    let mut harness = harness;
    let answer = HostAnswer::Context(session());
    harness.host().answer(HostRequest::Context, Ok(answer));
    identity(&harness, Identity::Waiting);
    let polled = harness.poll(sensor.as_mut());
    assert_eq!(
        polled.warnings(),
        [SensorError::unavailable(
            "the transcript is looked at by interval and not watched: no more watches"
        )]
    );
    harness.poll(sensor.as_mut()).assert_quiet();
}
