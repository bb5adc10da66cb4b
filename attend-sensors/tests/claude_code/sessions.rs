//! Which session attend runs beside: ancestors, records, hooks and the environment.

use std::fs;

use attend_core::sensor::{Evidence, Identity, Root};
use attend_sensors::host::claude_code::{
    Given, HookRecord, Liveness, SessionRecord, SessionStatus, liveness,
};

use crate::world::{HOST, HOST_START, ID, SELF, World, answer, context, fixtures, session};

const OTHER: &str = "00000000-0000-4000-8000-000000000002";
const THIRD: &str = "00000000-0000-4000-8000-000000000003";

fn known(id: &str, by: Evidence) -> Identity {
    Identity::Known {
        id: id.to_owned(),
        by,
    }
}

fn record(session: &str, start: &str) -> String {
    format!(
        r#"{{"pid":{HOST},"sessionId":"{session}","procStart":"{start}","kind":"interactive","entrypoint":"cli","cwd":"/home/dev/proj"}}"#
    )
}

fn env(session: &str, pid: u32) -> Given {
    let mut given = Given::to(SELF);
    given.env_session = Some(session.to_owned());
    given.env_pid = Some(pid);
    given
}

fn hook(world: &World, start: &str, session: &str) {
    let record = HookRecord::new(HOST, start, session).unwrap();
    let state = world.roots.roots().get(Root::State).unwrap().to_owned();
    let path = HookRecord::path(&state, HOST);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, record.to_json()).unwrap();
}

#[test]
fn the_best_evidence_decides() {
    let world = World::below_host();
    let identity = |given: Given| session(&world.host(given)).identity;
    assert_eq!(
        identity(Given::to(SELF)),
        Identity::Waiting,
        "a host of which nothing is known yet"
    );
    world.record(HOST, &record(THIRD, HOST_START));
    assert_eq!(identity(Given::to(SELF)), known(THIRD, Evidence::Record));
    assert_eq!(
        identity(env(OTHER, HOST)),
        known(OTHER, Evidence::Environment)
    );
    let mut without_pid = env(OTHER, HOST);
    without_pid.env_pid = None;
    assert_eq!(identity(without_pid), known(OTHER, Evidence::Environment));
    assert_eq!(
        identity(env(OTHER, 77)),
        known(THIRD, Evidence::Record),
        "inherited from another host"
    );
    hook(&world, HOST_START, ID);
    assert_eq!(identity(env(OTHER, HOST)), known(ID, Evidence::Hook));
    let mut named = env(OTHER, HOST);
    named.session = Some(THIRD.to_owned());
    assert_eq!(identity(named.clone()), known(THIRD, Evidence::Named));
    named.session = Some("../../etc".to_owned());
    assert!(matches!(identity(named), Identity::Refused { .. }));
}

#[test]
fn what_was_told_of_another_process_with_the_same_pid_does_not_count() {
    let world = World::below_host();
    world.record(HOST, &record(THIRD, "1"));
    hook(&world, "1", ID);
    assert_eq!(
        session(&world.host(Given::to(SELF))).identity,
        Identity::Waiting
    );
    // Nor does a record that says nothing of its start.
    world.record(
        HOST,
        &record(THIRD, HOST_START).replace("procStart", "other"),
    );
    assert_eq!(
        session(&world.host(Given::to(SELF))).identity,
        Identity::Waiting
    );
}

#[test]
fn a_host_that_ended_is_waited_for_no_longer() {
    for ended in [Some("999"), None] {
        let world = World::below_host();
        let host = world.host(Given::to(SELF));
        assert_eq!(session(&host).identity, Identity::Waiting);
        if let Some(other) = ended {
            world.process(HOST, "claude", 1, other);
        } else {
            let process = world.roots.path(Root::Proc, HOST.to_string());
            fs::remove_dir_all(process).unwrap();
        }
        let Identity::Refused { reason } = session(&host).identity else {
            panic!("there is nothing to wait for");
        };
        assert_eq!(reason, "process 4242 of the host has ended");
    }
}

#[test]
fn the_nearest_host_counts_by_record_or_by_name() {
    let world = World::new();
    world.process(SELF, "attend", 50, "9");
    world.process(50, "a) S (b", 40, "8");
    world.process(40, "node", 30, "7");
    world.process(30, "claude", 1, "6");
    world.process(1, "init", 0, "1");
    let host = world.host(Given::to(SELF));
    assert_eq!(session(&host).process.unwrap().pid, 30);
    world.roots.file_in(
        Root::Host,
        "sessions/40.json",
        format!(r#"{{"pid":40,"procStart":"7","sessionId":"{OTHER}","kind":"interactive","entrypoint":"sdk-ts"}}"#),
    );
    let info = session(&world.host(Given::to(SELF)));
    assert_eq!(
        (info.identity, info.interactive),
        (known(OTHER, Evidence::Record), Some(false))
    );
    let process = info.process.unwrap();
    assert_eq!(
        (process.pid, process.started.as_deref(), process.alive),
        (40, Some("7"), Some(true))
    );
}

#[test]
fn a_table_that_numbers_processes_otherwise_is_read_by_its_own_numbers() {
    let world = World::below_host();
    world.record(HOST, &record(ID, HOST_START));
    let myself = world.roots.path(Root::Proc, "self");
    // Here attend is process 7; there that is somebody else, below another host.
    world.process(7, "sh", 6, "2");
    world.process(6, "claude", 1, "3");
    std::os::unix::fs::symlink(SELF.to_string(), &myself).unwrap();
    let info = session(&world.host(Given::to(7)));
    assert_eq!(info.identity, known(ID, Evidence::Record));
    let process = info.process.unwrap();
    assert_eq!((process.pid, process.alive), (HOST, None));
    // Nor does it stand in every table.
    fs::remove_file(&myself).unwrap();
    std::os::unix::fs::symlink("nobody", &myself).unwrap();
    assert_eq!(
        session(&world.host(Given::to(7))).identity,
        Identity::NoHost
    );
}

#[test]
fn processes_in_a_circle_or_without_end_are_no_ancestors() {
    let world = World::new();
    world.process(SELF, "a", 2, "1");
    world.process(2, "b", SELF, "1");
    assert_eq!(
        session(&world.host(Given::to(SELF))).identity,
        Identity::NoHost
    );
    assert_eq!(
        session(&World::new().host(Given::to(SELF))).identity,
        Identity::NoHost
    );
}

#[test]
fn without_an_ancestor_environment_and_record_must_agree() {
    let world = World::new();
    world.process(SELF, "attend", 1, "9");
    world.process(1, "init", 0, "1");
    let identity = |given: Given| session(&world.host(given)).identity;
    let refused = |given: Given| matches!(identity(given), Identity::Refused { .. });
    assert_eq!(identity(Given::to(SELF)), Identity::NoHost);
    assert!(refused(env(ID, HOST)), "there is no record");
    let foreign = record(ID, HOST_START).replace('{', r#"{"pidDomain":"linux:0:pid:[1]","#);
    world.record(HOST, &record(ID, HOST_START));
    assert!(refused(env(ID, HOST)), "the process is gone");
    world.record(HOST, &foreign);
    let ns = world.roots.path(Root::Proc, "self/ns");
    fs::create_dir_all(&ns).unwrap();
    std::os::unix::fs::symlink("pid:[2]", ns.join("pid")).unwrap();
    let info = session(&world.host(env(ID, HOST)));
    assert_eq!(info.identity, known(ID, Evidence::Environment));
    assert_eq!(
        info.process.unwrap().alive,
        None,
        "a process of another namespace"
    );
    assert!(refused(env(OTHER, HOST)), "they disagree");
    let mut half = env(ID, HOST);
    half.env_pid = None;
    assert!(refused(half.clone()), "half of it is not enough");
    half.env_session = None;
    half.env_pid = Some(HOST);
    assert!(refused(half));
    world.record(HOST, &record(ID, HOST_START));
    world.process(HOST, "claude", 1, HOST_START);
    assert_eq!(
        identity(env(ID, HOST)),
        known(ID, Evidence::Environment),
        "it left its terminal"
    );
}

#[test]
fn a_new_session_in_the_same_process_is_noticed() {
    let world = World::below_host();
    world.record(HOST, &record(ID, HOST_START));
    let projects = |id: &str| format!("projects/-home-dev-proj/{id}.jsonl");
    world
        .roots
        .file_in(Root::Host, projects(ID), answer(1, 100));
    world
        .roots
        .file_in(Root::Host, projects(OTHER), answer(1, 7));
    let host = world.host(Given::to(SELF));
    assert_eq!(context(&host).tokens, Some(100));
    hook(&world, HOST_START, OTHER);
    let usage = context(&host);
    assert_eq!(
        (usage.tokens, usage.epoch.as_deref()),
        (Some(7), Some(OTHER))
    );
    let info = session(&host);
    assert_eq!(info.id(), Some(OTHER));
    assert_eq!(info.watch.len(), 3, "{:?}", info.watch);
}

#[test]
fn where_a_transcript_will_appear_is_watched() {
    let world = World::below_host();
    world.record(HOST, &record(ID, HOST_START));
    let path = |below: &str| world.roots.path(Root::Host, below);
    let host = world.host(Given::to(SELF));
    let watched = || session(&host).watch;
    fs::create_dir_all(path("")).unwrap();
    assert!(watched().contains(&path("")), "{:?}", watched());
    fs::create_dir(path("projects")).unwrap();
    assert!(watched().contains(&path("projects")), "{:?}", watched());
    let folder = path("projects/-home-dev-proj");
    fs::create_dir(&folder).unwrap();
    assert!(watched().contains(&folder), "{:?}", watched());
    let transcript = folder.join(format!("{ID}.jsonl"));
    fs::write(&transcript, answer(1, 100)).unwrap();
    assert!(watched().contains(&transcript), "{:?}", watched());
    assert!(!watched().contains(&folder));
    // A hook may yet tell of another session.
    let hosts = world.roots.path(Root::State, "hosts");
    fs::create_dir_all(&hosts).unwrap();
    assert!(watched().contains(&hosts), "{:?}", watched());
    hook(&world, HOST_START, ID);
    assert!(!watched().contains(&hosts), "{:?}", watched());
}

#[test]
fn records_of_the_fixtures() {
    let state = fixtures().join("constructed/state");
    let records = SessionRecord::all(&state).unwrap();
    let pids: Vec<u32> = records.iter().map(|record| record.pid).collect();
    assert_eq!(pids, [4_242, 4_243, 4_244, 4_245]);
    let status: Vec<_> = records.iter().map(|record| record.status).collect();
    let expected = [
        Some(SessionStatus::Idle),
        Some(SessionStatus::Waiting),
        Some(SessionStatus::Busy),
        None,
    ];
    assert_eq!(status, expected);
    let interactive: Vec<bool> = records.iter().map(|record| record.interactive).collect();
    assert_eq!(interactive, [true, true, false, false]);
    let full = &records[0];
    assert_eq!(full.proc_start.as_deref(), Some(HOST_START));
    assert_eq!(full.session.as_deref(), Some(ID));
    assert_eq!(
        (full.started, full.status_since),
        (Some(1_795_168_800_000), Some(1_795_168_900_000))
    );
    assert_eq!(full.namespace.as_deref(), Some("pid:[4026531836]"));
    assert_eq!(SessionRecord::all(&state.join("nowhere")).unwrap(), []);
}

#[test]
fn a_record_is_live_while_its_own_process_is() {
    let world = World::new();
    let proc = world.roots.roots().get(Root::Proc).unwrap().to_owned();
    let record = |json: &str| SessionRecord::parse(json.as_bytes()).unwrap();
    let dated = record(r#"{"pid":7,"procStart":"55"}"#);
    let bare = record(r#"{"pid":7}"#);
    assert_eq!(
        liveness(&proc, &dated),
        Liveness::Unknown,
        "no table of processes"
    );
    world.process(1, "init", 0, "1");
    assert_eq!(liveness(&proc, &dated), Liveness::Gone);
    world.process(7, "claude", 1, "55");
    assert_eq!(liveness(&proc, &dated), Liveness::Alive);
    assert_eq!(liveness(&proc, &bare), Liveness::Unknown);
    world.roots.file_in(Root::Proc, "self/comm", "");
    std::os::unix::fs::symlink("pid:[2]", {
        let ns = world.roots.path(Root::Proc, "self/ns");
        fs::create_dir_all(&ns).unwrap();
        ns.join("pid")
    })
    .unwrap();
    let unseen = Liveness::Unknown;
    assert_eq!(liveness(&proc, &dated), unseen, "its pid counts elsewhere");
    fs::remove_dir_all(world.roots.path(Root::Proc, "self")).unwrap();
    world.process(7, "claude", 1, "56");
    assert_eq!(
        liveness(&proc, &dated),
        Liveness::Gone,
        "the pid is another's"
    );
}

#[test]
fn records_that_make_no_sense_are_none() {
    for json in [
        "",
        "{}",
        "[]",
        r#"{"pid":"x"}"#,
        r#"{"pid":-1}"#,
        r#"{"pid":99999999999}"#,
        "\0\0",
    ] {
        assert_eq!(SessionRecord::parse(json.as_bytes()), None, "{json}");
    }
    let odd =
        SessionRecord::parse(br#"{"pid":1,"sessionId":"../x","status":7,"cwd":[],"procStart":12}"#)
            .unwrap();
    assert_eq!(
        (odd.session, odd.status, odd.cwd, odd.proc_start.as_deref()),
        (None, None, None, Some("12"))
    );
}
