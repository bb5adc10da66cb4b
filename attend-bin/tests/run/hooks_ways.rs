//! Mail and guidance in one answer of `attend hook`: mail first, and all of it below the limit.

use std::fs;

use serde_json::json;

use crate::desk::{Desk, ONE, id, program};
use crate::hooks::{context, hook, prompt, silent};
use crate::world::World;

fn way(world: &World, id: &str, trigger: &str, body: &str) {
    let dir = world.repo().join(".claude/ways");
    fs::create_dir_all(&dir).expect("a directory");
    let text = format!("---\nname: {id}\ndescription: d\ntrigger: {trigger}\n---\n{body}\n");
    fs::write(dir.join(format!("{id}.md")), text).expect("a way");
}

const ON_X: &str = "{ type: UserPromptSubmit, keywords: [fix] }";

#[test]
fn guidance_stands_behind_the_mail_in_one_answer() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let name = desk.seat();
    way(&world, "mine", ON_X, "[attend sensor=messages] Look first.");
    let sent = program(&world, &["send", "--json", &format!("@{name}"), "ship it"]).json();
    let told = context(hook(&mut desk, &world, &prompt()), "UserPromptSubmit");
    let head = format!("[attend sensor=messages priority=high] {}", id(&sent));
    assert!(told.starts_with(&head), "{told}");
    let end = "\n\n(attend sensor=messages] Look first.\n";
    assert!(told.ends_with(end), "{told}");
    silent(hook(&mut desk, &world, &prompt()));
}

#[test]
fn a_session_that_starts_is_given_its_guidance_and_its_doorbell() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    desk.seat();
    way(&world, "mine", "{ type: SessionStart }", "Look first.");
    let event = json!({"hook_event_name": "SessionStart", "source": "startup"});
    let answer = hook(&mut desk, &world, &event).json();
    let output = &answer["hookSpecificOutput"];
    assert_eq!(output["additionalContext"], "Look first.\n");
    assert!(output["watchPaths"][0].is_string(), "{answer}");
}

#[test]
fn mail_goes_before_guidance_that_does_not_fit_behind_it() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let name = desk.seat();
    way(&world, "mine", ON_X, &"\"Look\" first.\n".repeat(200));
    for n in 0..6 {
        let long = format!("{n} {}", "word \"quoted\" ".repeat(90));
        program(&world, &["send", &format!("@{name}"), &long]).ok();
    }
    let mut order = Vec::new();
    for _ in 0..4 {
        let done = hook(&mut desk, &world, &prompt());
        assert!(done.out.len() < 8_000, "{}", done.out.len());
        if done.out.is_empty() {
            break;
        }
        let told = context(done, "UserPromptSubmit");
        order.push((told.contains("sensor=messages"), told.contains("Look")));
    }
    assert_eq!(order.first(), Some(&(true, false)), "{order:?}");
    let given = order.iter().filter(|(_, way)| *way).count();
    assert_eq!(given, 1, "{order:?}");
}

#[test]
fn guidance_wakes_nobody_and_rides_with_mail_that_does() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let name = desk.seat();
    way(&world, "mine", "{ type: PostCompact }", "Read your notes.");
    let start = json!({"hook_event_name": "SessionStart", "source": "startup"});
    let answer = hook(&mut desk, &world, &start).json();
    let bell = answer["hookSpecificOutput"]["watchPaths"][0].clone();
    silent(hook(
        &mut desk,
        &world,
        &json!({"hook_event_name": "PostCompact"}),
    ));
    let changed = json!({"hook_event_name": "FileChanged", "file_path": bell});
    silent(hook(&mut desk, &world, &changed));
    program(&world, &["send", &format!("@{name}"), "wake up"]).ok();
    let done = hook(&mut desk, &world, &changed);
    assert_eq!((done.code, done.out.as_str()), (2, ""));
    assert!(done.err.ends_with("\n\nRead your notes.\n"), "{}", done.err);
    silent(hook(&mut desk, &world, &prompt()));
}

#[test]
fn a_subagent_is_given_guidance_and_takes_no_mail() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let name = desk.seat();
    way(
        &world,
        "mine",
        "{ type: PreToolUse, tools: [Bash] }\nscope: subagent",
        "Look first.",
    );
    program(&world, &["send", &format!("@{name}"), "ship it"]).ok();
    let event = json!({
        "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"},
        "agent_id": "a0000000000000001", "agent_type": "Explore",
    });
    let told = context(hook(&mut desk, &world, &event), "PreToolUse");
    assert_eq!(told, "Look first.\n");
    let told = context(hook(&mut desk, &world, &prompt()), "UserPromptSubmit");
    assert!(told.contains("ship it") && !told.contains("Look"), "{told}");
}
