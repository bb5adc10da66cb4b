//! Who comes and goes, what they do, and how full their context is.

use attend_core::sensor::PeerState;
use attend_sensors::peers::PeersConfig;

use super::world::{World, at, context, elsewhere};

/// The name of the project of a world, and thereby of a session of it.
fn project(world: &World) -> String {
    let work = world.harness.work().file_name().unwrap();
    work.to_string_lossy().into_owned()
}

#[test]
fn who_comes_and_goes_here_matters_more_than_elsewhere() {
    let mut world = World::alone();
    let name = format!("session {} 00000001", project(&world));
    let polled = world.comes(world.here(1));
    polled.assert_texts(&[&format!("{name} appeared in this project")]);
    assert_eq!(polled.magnitudes(), [3.0]);
    let polled = world.comes(elsewhere(2));
    polled.assert_texts(&["session web 00000002 appeared"]);
    assert_eq!(polled.magnitudes(), [1.0]);
    world.look().assert_quiet();
    let polled = world.goes(0);
    polled.assert_texts(&[&format!("{name} is gone")]);
    assert_eq!(polled.magnitudes(), [2.0]);
    let polled = world.goes(0);
    polled.assert_texts(&["session web 00000002 is gone"]);
    assert_eq!(polled.magnitudes(), [0.5]);
    world.look().assert_quiet();
}

#[test]
fn who_is_there_already_is_no_news() {
    let world = World::alone();
    let mut full = world.here(1);
    full.state = PeerState::Waiting;
    full.context = Some(context(Some(95)));
    let mut world = World::with(&[full, elsewhere(2)]);
    world.look().assert_quiet();
    world.does(PeerState::Waiting).assert_quiet();
    world.fills(Some(96)).assert_quiet();
}

#[test]
fn what_happened_while_nobody_looked_is_told_after_a_restart() {
    let mut world = World::with(&[elsewhere(1), elsewhere(2)]);
    world.restart();
    world.look().assert_quiet();
    world.restart();
    world.peers.remove(0);
    let polled = world.comes(elsewhere(3));
    polled.assert_texts(&[
        "session web 00000003 appeared",
        "session web 00000001 is gone",
    ]);
}

#[test]
fn one_that_comes_and_goes_speaks_under_one_key() {
    let mut world = World::alone();
    let mut keys = Vec::new();
    for number in [1, 1, 1] {
        let polled = world.comes(elsewhere(number));
        keys.extend(polled.keys().into_iter().map(str::to_owned));
        let polled = world.goes(0);
        keys.extend(polled.keys().into_iter().map(str::to_owned));
        assert_eq!(polled.cleared().len(), 2, "what it did holds no longer");
    }
    keys.dedup();
    assert_eq!(keys, ["presence:00000001-0000-4000-8000-000000000000"]);
}

#[test]
fn what_those_of_this_project_do_is_told() {
    let mut world = World::alone();
    let name = format!("session {} 00000001", project(&world));
    world.comes(world.here(1));
    let polled = world.does(PeerState::Busy);
    polled.assert_texts(&[&format!("{name} starts working")]);
    assert_eq!(polled.magnitudes(), [1.5]);
    let key = "state:00000001-0000-4000-8000-000000000000";
    assert_eq!(polled.keys(), [key]);
    world.does(PeerState::Unknown).assert_quiet();
    world.does(PeerState::Busy).assert_quiet();
    let polled = world.does(PeerState::Waiting);
    polled.assert_texts(&[&format!("{name} waits for an answer")]);
    let polled = world.does(PeerState::Busy);
    polled.assert_texts(&[]);
    assert_eq!(polled.cleared(), [key], "it waits no longer");
    let polled = world.does(PeerState::Idle);
    polled.assert_texts(&[]);
    assert_eq!(polled.cleared(), [key]);
}

#[test]
fn what_others_do_is_their_own_business() {
    let mut world = World::with(&[elsewhere(1)]);
    for state in [PeerState::Busy, PeerState::Waiting, PeerState::Idle] {
        world.does(state).assert_quiet();
    }
}

#[test]
fn a_state_that_is_known_for_the_first_time_is_no_change() {
    let mut peer = elsewhere(1);
    peer.state = PeerState::Unknown;
    let mut world = World::alone();
    peer.cwd = Some(world.harness.work().to_owned());
    world.comes(peer);
    world.does(PeerState::Busy).assert_quiet();
}

#[test]
fn a_context_that_reaches_80_percent_is_told_once_until_it_fell_below() {
    let mut world = World::with(&[elsewhere(1)]);
    world.fills(None).assert_quiet();
    world.fills(Some(79)).assert_quiet();
    let polled = world.fills(Some(80));
    polled.assert_texts(&["session web 00000001: context at 80%"]);
    assert_eq!(polled.magnitudes(), [2.0]);
    world.fills(Some(90)).assert_quiet();
    // A compaction: unknown is not empty.
    world.fills(None).assert_quiet();
    world.fills(Some(91)).assert_quiet();
    let polled = world.fills(Some(30));
    assert_eq!((polled.texts().len(), polled.cleared().len()), (0, 1));
    let polled = world.fills(Some(84));
    polled.assert_texts(&["session web 00000001: context at 84%"]);
}

#[test]
fn a_session_that_is_cleared_goes_on() {
    let mut world = World::with(&[elsewhere(1), elsewhere(2)]);
    world.peers[0].session = "cleared".to_owned();
    world.look().assert_quiet();
    // Told under the key that it had.
    let polled = world.goes(0);
    polled.assert_texts(&["session web cleared is gone"]);
    assert_eq!(
        polled.keys(),
        ["presence:00000001-0000-4000-8000-000000000000"]
    );
    // Another process of the same number is another.
    world.peers[0].session = "other".to_owned();
    world.peers[0].process.started = Some("2".to_owned());
    let polled = world.look();
    polled.assert_texts(&["session web other is back", "session web 00000002 is gone"]);
    let keys = polled.keys();
    assert_ne!(keys[0], keys[1]);
}

#[test]
fn two_that_go_by_one_id_have_keys_of_their_own() {
    let mut world = World::with(&[elsewhere(1)]);
    let id = world.peers[0].session.clone();
    world.peers[0].session = "cleared".to_owned();
    let mut resumed = elsewhere(2);
    resumed.session.clone_from(&id);
    // Both at once: the session counts first, so the process that was cleared is the new one.
    world.peers.push(resumed);
    let polled = world.look();
    polled.assert_texts(&["session web cleared appeared"]);
    let polled = world.goes(1);
    assert_eq!(polled.keys(), [format!("presence:{id}")]);

    let mut world = World::with(&[elsewhere(1)]);
    world.peers[0].session = "cleared".to_owned();
    world.look().assert_quiet();
    let mut resumed = elsewhere(2);
    resumed.session.clone_from(&id);
    let polled = world.comes(resumed);
    assert_eq!(polled.keys(), [format!("presence:{id}-2")]);
}

#[test]
fn one_that_moves_to_another_project_leaves_this_one() {
    let mut world = World::alone();
    world.comes(world.here(1));
    world.peers[0].cwd = Some("/srv/web".into());
    let polled = world.look();
    polled.assert_texts(&["session web 00000001 left this project"]);
    assert_eq!(polled.magnitudes(), [2.0]);
    world.peers[0].cwd = Some(world.harness.work().join("src"));
    let polled = world.look();
    assert_eq!(polled.magnitudes(), [3.0]);
    assert!(polled.texts()[0].ends_with(" appeared in this project"));
}

#[test]
fn a_name_of_its_own_and_what_runs_in_the_background_is_said() {
    let mut world = World::alone();
    let mut named = world.here(1);
    named.name = Some("the parser".to_owned());
    world
        .comes(named)
        .assert_texts(&["session the parser appeared in this project"]);
    let mut named = elsewhere(2);
    named.name = Some("n".repeat(300));
    named.interactive = false;
    let cut = format!("background session {}… (web) appeared", "n".repeat(59));
    world.comes(named).assert_texts(&[&cut]);
    let mut nameless = elsewhere(3);
    nameless.cwd = None;
    nameless.name = Some(" ".to_owned());
    world
        .comes(nameless)
        .assert_texts(&["session ? 00000003 appeared"]);
}

#[test]
fn those_of_linked_work_trees_work_here_and_those_of_nested_repositories_do_not() {
    let mut world = World::alone();
    let root = world.harness.work().to_owned();
    world.harness.write("dep/.git/HEAD", "");
    world
        .harness
        .write(".git/worktrees/fix/gitdir", "../../../fix/.git\n");
    world
        .harness
        .write("fix/.git", "gitdir: ../.git/worktrees/fix\n");
    assert_eq!(world.comes(at(1, root.join("fix/src"))).magnitudes(), [3.0]);
    assert_eq!(world.comes(at(2, root.join("dep/src"))).magnitudes(), [1.0]);
}

#[test]
fn others_projects_can_be_left_out() {
    let mut config = PeersConfig::default();
    config.elsewhere = false;
    let mut world = World::configured(config, &[]);
    world.comes(elsewhere(1)).assert_quiet();
    assert_eq!(world.comes(world.here(2)).magnitudes(), [3.0]);
    world.goes(0).assert_quiet();
    world.peers[0].cwd = Some("/srv/web".into());
    assert_eq!(world.look().magnitudes(), [2.0]);
    world.look().assert_quiet();
}

#[test]
fn one_that_is_started_again_within_ten_minutes_is_back() {
    let mut world = World::alone();
    let appeared = world.comes(world.here(1));
    world.goes(0);
    // In a snapshot it is remembered that it was there.
    world.restart();
    let polled = world.comes(world.here(2));
    let name = format!("session {} 00000002", project(&world));
    polled.assert_texts(&[&format!("{name} is back in this project")]);
    assert_eq!(polled.magnitudes(), [1.0]);
    assert_eq!(
        polled.keys(),
        appeared.keys(),
        "it takes the place of the other"
    );
    // Somebody else is not back.
    let mut named = world.here(3);
    named.name = Some("ada".to_owned());
    world.goes(0);
    let polled = world.comes(named);
    polled.assert_texts(&["session ada appeared in this project"]);
    world.harness.advance(std::time::Duration::from_mins(10));
    let polled = world.comes(world.here(4));
    assert_eq!(polled.magnitudes(), [3.0]);
}

#[test]
fn where_many_work_one_more_matters_less() {
    let mut world = World::alone();
    for number in 1..=5 {
        world.comes(world.here(number));
    }
    let polled = world.does(PeerState::Busy);
    assert_eq!(polled.magnitudes(), [0.3]);
}
