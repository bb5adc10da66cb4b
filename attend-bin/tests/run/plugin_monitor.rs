//! The plugin's monitor, as the host runs it: silent before the first prompt, armed again without a
//! word, and never so loud that Monitor drops a line.

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::desk::id;
use crate::home::stdout;
use crate::hosts_fake::{Beside, ONE, SILENCE, config, host};
use crate::live::{Live, eventually};
use crate::plugged::installed;
use crate::world::World;

/// The loop that runs beside the session; none where none does.
fn running(world: &World) -> Option<u32> {
    let mut command = world.home.attend(&["status", "--json", "--session", ONE]);
    command.env("CLAUDE_CONFIG_DIR", config(world));
    let output = command.output().expect("attend starts");
    let status: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap_or_default();
    status["pid"]
        .as_u64()
        .and_then(|pid| u32::try_from(pid).ok())
}

#[test]
fn its_loop_is_silent_before_the_first_prompt_and_says_nothing_when_it_is_armed_again() {
    let world = World::new();
    let monitors = installed(&world, "monitors/monitors.json");
    let monitor = &monitors[0];
    assert_eq!(
        (&monitor["when"], monitors.as_array().map(Vec::len)),
        (&json!("always"), Some(1))
    );
    let command = monitor["command"].as_str().expect("a command");
    // The host arms it again when it has ended.
    let script = format!("export CLAUDE_PLUGIN_ROOT=/x; {command}; {command}; {command}");
    let mut beside = Beside::of(&world, Live::monitored(&mut host(&world, &script)));
    assert_eq!(
        beside.live.line_within(SILENCE),
        None,
        "there is no session yet"
    );
    beside.record("idle");
    beside.known();
    assert_eq!(
        beside.live.line_within(SILENCE),
        None,
        "nobody said a word yet"
    );
    beside.prompt("secret words");
    beside.record("busy");
    let banner = beside.live.line();
    assert!(banner.contains(" watches project with "), "{banner}");
    let first = running(&world).expect("a loop");

    let again = |former: u32| {
        let pid = i32::try_from(former).ok().and_then(Pid::from_raw);
        kill_process(pid.expect("a process"), Signal::TERM).expect("it runs");
        let mut now = None;
        eventually("it is armed again", || {
            now = running(&world).filter(|pid| *pid != former);
            now.is_some()
        });
        now.expect("a loop")
    };
    let second = again(first);
    assert_eq!(beside.live.line_within(SILENCE), None, "nothing changed");
    // What came in between is told, and nothing else.
    let third = again(second);
    assert_ne!(third, first);
    let name = seat(&world);
    let done = world
        .home
        .output(&["send", "--json", &format!("@{name}"), "ship it"]);
    let receipt = serde_json::from_str(&stdout(&done)).expect("a receipt");
    let line = beside.live.line();
    assert!(line.contains(&format!("] {} ", id(&receipt))), "{line}");
    // That Monitor neither dropped nor cut anything is held when it goes.
}

/// The seat of the session.
fn seat(world: &World) -> String {
    let mut command = world.home.attend(&["peers", "--json"]);
    command.env("CLAUDE_CONFIG_DIR", config(world));
    let output = command.output().expect("attend starts");
    let listing: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    listing["seats"][0]["name"]
        .as_str()
        .expect("a seat")
        .to_owned()
}
