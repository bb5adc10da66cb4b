//! The other sessions: who is told, who is not, and what is known of each.

use std::fs;
use std::time::Duration;

use attend_core::dynamics::Tick;
use attend_core::sensor::{ContextUsage, HostAnswer, HostRequest, Peer, PeerState, Root};
use attend_sensors::host::claude_code::{ClaudeCode, Given, HookRecord, StatusLine};

use crate::world::{HOST, HOST_START, ID, SELF, START, World, answer, fixtures, session};

fn peers(host: &ClaudeCode) -> Vec<Peer> {
    match host.answer(&HostRequest::Peers) {
        Ok(HostAnswer::Peers(peers)) => peers,
        other => panic!("{other:?}"),
    }
}

fn pids(host: &ClaudeCode) -> Vec<u32> {
    peers(host).iter().map(|peer| peer.process.pid).collect()
}

fn id(pid: u32) -> String {
    format!("{pid:08}-0000-4000-8000-000000000000")
}

/// The record of a process that started at its own number.
fn record(pid: u32, more: &str) -> String {
    format!(
        r#"{{"pid":{pid},"procStart":"{pid}","sessionId":"{}","kind":"interactive","entrypoint":"cli"{more}}}"#,
        id(pid)
    )
}

/// A world in which another session lives beside this one.
fn beside(pid: u32, more: &str) -> World {
    let world = World::below_host();
    world.record(
        HOST,
        &format!(
            r#"{{"pid":{HOST},"sessionId":"{ID}","procStart":"{HOST_START}","kind":"interactive","entrypoint":"cli","status":"busy"}}"#
        ),
    );
    live(&world, pid, more);
    world
}

fn live(world: &World, pid: u32, more: &str) {
    world.process(pid, "claude", 1, &pid.to_string());
    world.record(pid, &record(pid, more));
}

fn remove(world: &World, root: Root, directory: &str) {
    fs::remove_dir_all(world.roots.path(root, directory)).unwrap();
}

#[test]
fn live_sessions_are_told_and_this_one_is_not() {
    let more = format!(
        r#","cwd":"/home/dev/api","name":"the parser","status":"waiting","statusUpdatedAt":{}"#,
        START + 40_000
    );
    let world = beside(5_000, &more);
    let host = world.host(Given::to(SELF));
    world.clock.advance(Duration::from_secs(100));
    let told = peers(&host);
    let [peer] = told.as_slice() else {
        panic!("{told:?}")
    };
    assert_eq!(
        (peer.session.as_str(), peer.process.pid),
        (id(5_000).as_str(), 5_000)
    );
    assert_eq!(peer.name.as_deref(), Some("the parser"));
    assert_eq!(peer.cwd.as_deref(), Some("/home/dev/api".as_ref()));
    assert_eq!((peer.state, peer.interactive), (PeerState::Waiting, true));
    assert_eq!(peer.since, Some(Tick::new(START / 1_000 + 40)));
    assert_eq!(peer.context, None, "it has no transcript yet");
    for (status, state) in [
        ("busy", PeerState::Busy),
        ("shell", PeerState::Busy),
        ("idle", PeerState::Idle),
        ("dreaming", PeerState::Unknown),
    ] {
        world.record(5_000, &record(5_000, &format!(r#","status":"{status}""#)));
        assert_eq!(peers(&host)[0].state, state, "{status}");
    }
}

#[test]
fn this_session_in_a_second_process_is_no_other() {
    let world = beside(5_000, "");
    world.process(5_001, "claude", 1, "5001");
    world.record(5_001, &record(5_001, "").replace(&id(5_001), ID));
    assert_eq!(pids(&world.host(Given::to(SELF))), [5_000]);
}

#[test]
fn records_of_the_fixtures_are_told_but_for_the_one_that_a_program_drives() {
    let world = World::new();
    world.process(1, "init", 0, "1");
    let records = fixtures().join("constructed/state/sessions");
    for entry in fs::read_dir(records).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).unwrap();
        // One of an older version does not say when its process began.
        let text = text.replace(r#""jobId""#, r#""procStart": "7", "jobId""#);
        let parsed: serde_json::Value = serde_json::from_str(&text).unwrap();
        world
            .roots
            .file_in(Root::Host, format!("sessions/{name}"), &text);
        let start = parsed["procStart"].as_str().unwrap_or("7");
        let pid = parsed["pid"].as_u64().unwrap_or(4_000);
        world.process(u32::try_from(pid).unwrap(), "claude", 1, start);
    }
    let host = world.host(Given::to(SELF));
    let told = peers(&host);
    let mut told: Vec<_> = told
        .iter()
        .map(|peer| (peer.process.pid, peer.state, peer.interactive))
        .collect();
    told.sort_unstable_by_key(|(pid, ..)| *pid);
    let expected = [
        (4_242, PeerState::Idle, true),
        (4_243, PeerState::Waiting, true),
        (4_244, PeerState::Busy, false),
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_record_that_was_left_behind_is_no_session() {
    let world = beside(5_000, "");
    let host = world.host(Given::to(SELF));
    assert_eq!(pids(&host), [5_000]);
    // The pid is another's by now.
    world.process(5_000, "vim", 1, "777");
    assert_eq!(pids(&host), [0; 0]);
    world.process(5_000, "claude", 1, "5000");
    assert_eq!(pids(&host), [5_000]);
    remove(&world, Root::Proc, "5000");
    assert_eq!(pids(&host), [0; 0]);
}

#[test]
fn nothing_but_records_counts() {
    let world = beside(5_000, "");
    let other = record(5_001, "");
    world.process(5_001, "claude", 1, "5001");
    for name in [
        "5001.key",
        "pid-5001.json",
        "5001.json.new",
        "x.json",
        "5001",
    ] {
        world
            .roots
            .file_in(Root::Host, format!("sessions/{name}"), &other);
    }
    let host = world.host(Given::to(SELF));
    assert_eq!(pids(&host), [5_000]);
    // A record of another process than its name says.
    world.record(5_002, &other);
    world.process(5_002, "claude", 1, "5001");
    assert_eq!(pids(&host), [5_000]);
}

#[test]
fn what_this_session_started_is_no_peer() {
    let world = beside(5_000, "");
    world.process(6_000, "sh", HOST, "6000");
    world.process(6_001, "claude", 6_000, "6001");
    world.record(6_001, &record(6_001, ""));
    let host = world.host(Given::to(SELF));
    assert_eq!(pids(&host), [5_000]);
    // Its shell has ended since.
    world.process(6_001, "claude", 1, "6001");
    assert_eq!(pids(&host), [5_000]);
}

#[test]
fn a_hook_tells_which_session_it_is_after_a_clear() {
    let world = beside(5_000, "");
    let host = world.host(Given::to(SELF));
    assert_eq!(peers(&host)[0].session, id(5_000));
    let hook = HookRecord::new(5_000, "5000", "cleared").unwrap().to_json();
    world.roots.file_in(Root::State, "hosts/5000.json", hook);
    assert_eq!(peers(&host)[0].session, "cleared");
    // One of an earlier process of the same number.
    let hook = HookRecord::new(5_000, "1", "former").unwrap().to_json();
    world.roots.file_in(Root::State, "hosts/5000.json", hook);
    assert_eq!(peers(&host)[0].session, id(5_000));
}

#[test]
fn two_processes_of_one_session_are_one_peer() {
    let world = beside(5_000, r#","startedAt":1"#);
    let again = record(5_001, r#","startedAt":2"#).replace(&id(5_001), &id(5_000));
    world.process(5_001, "claude", 1, "5001");
    world.record(5_001, &again);
    assert_eq!(pids(&world.host(Given::to(SELF))), [5_000]);
}

#[test]
fn its_context_is_that_of_its_transcript_and_its_status_line() {
    let world = beside(5_000, r#","cwd":"/home/dev/api""#);
    let host = world.host(Given::to(SELF));
    let percent = || {
        peers(&host)[0]
            .context
            .as_ref()
            .and_then(ContextUsage::percent)
    };
    assert_eq!(percent(), None);
    let below = format!("projects/-home-dev-api/{}.jsonl", id(5_000));
    let rows = world.roots.file_in(Root::Host, &below, answer(1, 100_000));
    assert_eq!(percent(), Some(50));
    let mut text = fs::read_to_string(&rows).unwrap();
    text.push_str(&answer(2, 170_000));
    fs::write(&rows, text).unwrap();
    assert_eq!(percent(), Some(85));
    let mut line = StatusLine::default();
    line.session = Some(id(5_000));
    line.window = Some(1_000_000);
    let below = format!("statusline/{}.json", id(5_000));
    world.roots.file_in(Root::State, below, line.to_json());
    assert_eq!(percent(), Some(17));
    // It is nowhere now: what was read stands.
    fs::remove_file(rows).unwrap();
    assert_eq!(percent(), Some(17));
}

#[test]
fn where_processes_cannot_be_seen_nobody_is_told_of_and_nobody_missed() {
    let world = beside(5_000, "");
    let host = world.host(Given::to(SELF));
    assert_eq!(pids(&host), [5_000]);
    remove(&world, Root::Proc, "1");
    assert_eq!(host.answer(&HostRequest::Peers), Ok(HostAnswer::Unknown));
}

#[test]
fn records_that_cannot_be_listed_any_more_are_an_error_and_none_at_first_is_nobody() {
    let world = World::below_host();
    let host = world.host(Given::to(SELF));
    assert_eq!(pids(&host), [0; 0]);
    live(&world, 5_000, "");
    assert_eq!(pids(&host), [5_000]);
    remove(&world, Root::Host, "sessions");
    assert!(host.answer(&HostRequest::Peers).is_err());
    live(&world, 5_000, "");
    assert_eq!(pids(&host), [5_000]);
}

#[test]
fn where_the_records_lie_is_to_be_watched() {
    let world = beside(5_000, "");
    let records = world.roots.path(Root::Host, "sessions");
    let host = world.host(Given::to(SELF));
    assert_eq!(session(&host).watch_peers, [records]);
}
