//! What the host is said to be doing.

use std::fs::{File, FileTimes};
use std::time::{Duration, UNIX_EPOCH};

use attend_core::dynamics::Tick;
use attend_core::sensor::{HostAnswer, HostRequest, HostState, Root};
use attend_sensors::host::claude_code::{Given, SessionRecord};

use crate::world::{HOST, HOST_START, ID, SELF, START, World, answer, fixtures, prompt, state};

/// The record of the host, whose process began an hour before the clock starts.
fn record(world: &World, status: &str, since: u64) {
    let cwd = world.roots.roots().work().display().to_string();
    let started = START - 3_600_000;
    world.record(
        HOST,
        &format!(
            r#"{{"pid":{HOST},"sessionId":"{ID}","procStart":"{HOST_START}","kind":"interactive","entrypoint":"cli","cwd":"{cwd}","startedAt":{started},"status":"{status}","statusUpdatedAt":{since}}}"#
        ),
    );
}

#[test]
fn the_record_says_what_it_does() {
    let world = World::below_host();
    let host = world.host(Given::to(SELF));
    world.write(answer(1, 100) + &prompt("2027-01-15T07:30:00Z"));
    for (status, expected) in [
        ("busy", HostState::Busy),
        ("shell", HostState::Busy),
        ("waiting", HostState::Busy),
        ("dreaming", HostState::Unknown),
    ] {
        record(&world, status, START);
        assert_eq!(state(&host), expected, "{status}");
    }
    world.clock.advance(Duration::from_secs(100));
    record(&world, "idle", START + 40_000);
    let since = Tick::new(START / 1_000 + 40);
    assert_eq!(state(&host), HostState::Idle { since });
    world.clock.advance(Duration::from_secs(1_000));
    assert_eq!(state(&host), HostState::Idle { since });
}

#[test]
fn before_its_first_prompt_it_is_not_merely_idle() {
    let world = World::below_host();
    let host = world.host(Given::to(SELF));
    assert_eq!(
        state(&host),
        HostState::Unprompted,
        "its session is not there yet"
    );
    record(&world, "idle", START);
    assert_eq!(
        state(&host),
        HostState::Unprompted,
        "there is no transcript"
    );
    world.write("{\"type\":\"mode\"}\n");
    assert_eq!(state(&host), HostState::Unprompted);
    world.append(prompt("2027-01-15T07:59:59Z"));
    assert!(matches!(state(&host), HostState::Idle { .. }));
}

#[test]
fn a_first_prompt_is_seen_in_whatever_folder_it_appears() {
    let world = World::below_host();
    let host = world.host(Given::to(SELF));
    record(&world, "idle", START);
    for _ in 0..3 {
        assert_eq!(state(&host), HostState::Unprompted);
    }
    let rows = answer(1, 100) + &prompt("2027-01-15T07:59:59Z");
    let below = format!("projects/-elsewhere/{ID}.jsonl");
    world.roots.file_in(Root::Host, below, rows);
    assert!(matches!(state(&host), HostState::Idle { .. }));
}

#[test]
fn a_record_that_is_written_in_place_within_one_step_of_the_clock_is_read() {
    let world = World::below_host();
    let host = world.host(Given::to(SELF));
    world.write(prompt("2027-01-15T07:59:59Z"));
    let path = world
        .roots
        .path(Root::Host, format!("sessions/{HOST}.json"));
    for status in ["idle", "busy", "idle", "busy"] {
        record(&world, status, START);
        let file = File::options().append(true).open(&path).unwrap();
        file.set_times(FileTimes::new().set_modified(UNIX_EPOCH))
            .unwrap();
        for _ in 0..3 {
            assert_eq!(state(&host) == HostState::Busy, status == "busy");
        }
    }
}

#[test]
fn a_resumed_session_was_not_prompted_yet() {
    let world = World::below_host();
    record(&world, "idle", START);
    world.write(
        prompt("2027-01-14T20:00:00Z") + &answer(1, 100).replace("2027-01-15T07", "2027-01-14T20"),
    );
    let host = world.host(Given::to(SELF));
    assert_eq!(state(&host), HostState::Unprompted);
    world.append(answer(2, 200));
    assert!(matches!(state(&host), HostState::Idle { .. }));
}

#[test]
fn of_a_process_that_ended_nothing_is_known() {
    let world = World::below_host();
    record(&world, "busy", START);
    let host = world.host(Given::to(SELF));
    assert_eq!(state(&host), HostState::Busy);
    world.process(HOST, "claude", 1, "999");
    assert_eq!(state(&host), HostState::Unknown);
}

#[test]
fn without_a_host_nothing_is_known() {
    let world = World::new();
    let host = world.host(Given::to(SELF));
    assert_eq!(state(&host), HostState::Unknown);
    for request in [HostRequest::Context, HostRequest::Own] {
        assert_eq!(host.answer(&request), Ok(HostAnswer::Unknown));
    }
}

#[test]
fn only_a_busy_host_is_active() {
    let read = |pid: u32| {
        let path = fixtures().join(format!("constructed/state/sessions/{pid}.json"));
        SessionRecord::parse(&std::fs::read(path).unwrap()).unwrap()
    };
    let at = |millis| UNIX_EPOCH + Duration::from_millis(millis);
    let now = at(1_795_168_950_000 + 61_500);
    let active = [4_242, 4_243, 4_244, 4_245].map(|pid| read(pid).active_for(now));
    let busy = Duration::from_millis(61_500);
    assert_eq!(
        active,
        [Some(Duration::ZERO), Some(Duration::ZERO), Some(busy), None]
    );
    // The clock was set back since.
    assert_eq!(read(4_244).active_for(at(1_000)), Some(Duration::ZERO));
    let mut undated = read(4_244);
    undated.status_since = None;
    assert_eq!(undated.active_for(now), None);
}
