//! Which files other sessions edited: names and times, and nothing of what stands in them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use attend_core::sensor::{HostAnswer, HostRequest, OwnSpan, PeerEdits, Root};
use attend_sensors::host::claude_code::{ClaudeCode, Given};

use crate::world::{HOST, HOST_START, ID, SELF, START, World, answer, fixture};

const PEER: u32 = 5_000;

fn edits(host: &ClaudeCode, near: &[&str]) -> Vec<PeerEdits> {
    let near = near.iter().map(PathBuf::from).collect();
    match host.answer(&HostRequest::PeerEdits(near)) {
        Ok(HostAnswer::PeerEdits(edits)) => edits,
        other => panic!("{other:?}"),
    }
}

fn paths(found: &[PeerEdits]) -> Vec<&Path> {
    let edits = found.iter().flat_map(|found| &found.edits);
    edits.map(|edit| edit.path.as_path()).collect()
}

fn id(pid: u32) -> String {
    format!("{pid:08}-0000-4000-8000-000000000000")
}

/// Another session beside this one, which works in `cwd`.
fn beside(cwd: &str) -> World {
    let world = World::below_host();
    world.record(
        HOST,
        &format!(
            r#"{{"pid":{HOST},"sessionId":"{ID}","procStart":"{HOST_START}","kind":"interactive","status":"busy"}}"#
        ),
    );
    live(&world, PEER, cwd);
    world
}

fn live(world: &World, pid: u32, cwd: &str) {
    world.process(pid, "claude", 1, &pid.to_string());
    let record = format!(
        r#"{{"pid":{pid},"procStart":"{pid}","sessionId":"{}","kind":"interactive","entrypoint":"cli","cwd":"{cwd}"}}"#,
        id(pid)
    );
    world.record(pid, &record);
}

fn write(world: &World, pid: u32, more: &str, bytes: impl AsRef<[u8]>) {
    let below = format!("projects/-p/{}{more}.jsonl", id(pid));
    world.roots.file_in(Root::Host, below, bytes);
}

/// Rows of an edit of `path`, that took a second.
fn edit(number: u32, path: &str, outcome: &str) -> String {
    format!(
        r#"{{"type":"assistant","timestamp":"2027-01-15T07:00:00Z","message":{{"content":[{{"type":"tool_use","id":"t{number}","name":"Edit","input":{{"file_path":"{path}","new_string":"secret words"}}}}]}}}}
{{"type":"user","timestamp":"2027-01-15T07:00:01Z","message":{{"content":[{{"type":"tool_result","tool_use_id":"t{number}"}}]}},"toolUseResult":{outcome}}}
"#
    )
}

#[test]
fn those_that_work_near_are_told_with_their_edits() {
    for (cwd, is_near) in [
        ("/home/dev/proj", true),
        ("/home/dev/proj/src", true),
        ("/home/dev", true),
        ("/home/dev/project", false),
        ("/srv", false),
    ] {
        let world = beside(cwd);
        write(&world, PEER, "", fixture("41"));
        let host = world.host(Given::to(SELF));
        let found = edits(&host, &["/elsewhere", "/home/dev/proj"]);
        assert_eq!(!found.is_empty(), is_near, "{cwd}");
        if let [found] = found.as_slice() {
            assert_eq!(found.peer.session, id(PEER));
            assert_eq!(found.peer.context.as_ref().unwrap().tokens, Some(20_120));
        }
        let expected = [
            "/home/dev/proj/src/lib.rs",
            "/home/dev/proj/src/new file.rs",
            "/home/dev/proj/n.ipynb",
        ];
        let expected: Vec<&Path> = expected.iter().map(Path::new).collect();
        let told = paths(&found);
        assert_eq!(told, if is_near { expected } else { Vec::new() }, "{cwd}");
        assert_eq!(edits(&host, &[]), []);
    }
}

#[test]
fn edits_before_the_last_answer_count_though_who_is_there_was_asked_first() {
    let world = beside("/w");
    write(&world, PEER, "", edit(1, "/w/a", "{}") + &answer(1, 10));
    let host = world.host(Given::to(SELF));
    let peers = host.answer(&HostRequest::Peers).unwrap();
    let HostAnswer::Peers(peers) = peers else {
        panic!("{peers:?}")
    };
    let found = edits(&host, &["/w"]);
    assert_eq!(paths(&found), [Path::new("/w/a")]);
    let at = START / 1_000 - 3_600;
    let tick = |seconds| attend_core::dynamics::Tick::new(at + seconds);
    let span = OwnSpan::new(tick(0), Some(tick(1)));
    assert_eq!(found[0].edits[0].span, span);
    assert_eq!(found[0].peer.session, peers[0].session);
    assert!(!format!("{found:?}").contains("secret"), "{found:?}");
}

#[test]
fn the_same_call_in_two_transcripts_is_known_again_and_another_of_that_moment_is_not() {
    let world = beside("/w");
    world.write(edit(1, "/w/a", "{}") + &edit(2, "/w/b", "{}"));
    write(
        &world,
        PEER,
        "",
        edit(1, "/w/a", "{}") + &edit(3, "/w/b", "{}"),
    );
    let host = world.host(Given::to(SELF));
    let own = crate::world::own(&host);
    let found = edits(&host, &["/w"]);
    for (mine, theirs) in own.edits.iter().zip(&found[0].edits) {
        assert_eq!((&mine.path, mine.span), (&theirs.path, theirs.span));
        assert_eq!(mine.call == theirs.call, mine.path.ends_with("a"));
    }
}

#[test]
fn what_was_refused_or_only_read_is_not_told_and_what_subagents_edit_is() {
    let world = beside("/w");
    let refused = edit(1, "/w/a", r#""User rejected tool use""#);
    let read = edit(2, "/w/b", "{}").replace("\"Edit\"", "\"Read\"");
    write(&world, PEER, "", refused + &read);
    let host = world.host(Given::to(SELF));
    assert_eq!(edits(&host, &["/w"]), []);
    let side = edit(3, "/w/c", "{}").replace("{\"type\"", "{\"isSidechain\":true,\"type\"");
    write(&world, PEER, "/subagents/agent-1", side);
    world.clock.advance(Duration::from_secs(10));
    assert_eq!(paths(&edits(&host, &["/w"])), [Path::new("/w/c")]);
}

#[test]
fn what_is_new_is_told_and_who_ended_is_not() {
    let world = beside("/w");
    write(&world, PEER, "", edit(1, "/w/a", "{}"));
    live(&world, 5_001, "/w");
    write(&world, 5_001, "", edit(1, "/w/x", "{}"));
    let host = world.host(Given::to(SELF));
    assert_eq!(edits(&host, &["/w"]).len(), 2);
    write(
        &world,
        PEER,
        "",
        edit(1, "/w/a", "{}") + &edit(2, "/w/b", "{}"),
    );
    std::fs::remove_dir_all(world.roots.path(Root::Proc, "5001")).unwrap();
    world.clock.advance(Duration::from_secs(10));
    let found = edits(&host, &["/w"]);
    assert_eq!(paths(&found), [Path::new("/w/a"), Path::new("/w/b")]);
}

#[test]
fn where_nobody_can_see_other_sessions_nothing_is_known() {
    let world = World::new();
    let host = world.named();
    let answer = host.answer(&HostRequest::PeerEdits(vec!["/w".into()]));
    assert_eq!(answer.unwrap(), HostAnswer::Unknown);
}
