//! Readers of one seat side by side: a loop, hooks, `inbox --unread` and `show` share one truth.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use serde_json::{Value, json};

use crate::delivered::Delivered;
use crate::desk::{Desk, ONE, TWO, id, program};
use crate::live::eventually;
use crate::reader::Shown;
use crate::world::World;

/// Where the outputs of the readers beside the loop go.
const OUTPUTS: [&str; 3] = ["hooks", "unread", "shown"];

/// Makes what hooks read.
fn hook_input(world: &World) -> String {
    let input = world.beside("hook-input");
    let event = json!({"session_id": ONE, "hook_event_name": "UserPromptSubmit"});
    fs::write(&input, event.to_string()).expect("a file");
    input.display().to_string()
}

fn output(world: &World, name: &str) -> String {
    fs::read_to_string(world.beside(name)).unwrap_or_default()
}

/// Of each message, how often it was shown without a mark and with one, also in these lines.
fn showings(world: &World, lines: &[String]) -> BTreeMap<String, (u32, u32)> {
    let mut all = BTreeMap::new();
    for name in OUTPUTS.into_iter().chain(["lines"]) {
        let mut text = match name {
            "lines" => lines.join("\n"),
            _ => output(world, name),
        };
        if name == "hooks" {
            let answers = text.lines().map(|line| {
                let answer: Value = serde_json::from_str(line).expect("one JSON document a line");
                let context = &answer["hookSpecificOutput"]["additionalContext"];
                context.as_str().expect("text").to_owned()
            });
            text = answers.collect();
        }
        for line in text.lines() {
            let Some(rest) = line.strip_prefix("[attend sensor=messages priority=high] ") else {
                continue;
            };
            let mut words = rest.split(' ');
            let id = words.next().expect("an id").to_owned();
            let is_again = words.next() == Some("(again)");
            let (plain, marked) = all.entry(id).or_insert((0, 0));
            *(if is_again { marked } else { plain }) += 1;
        }
    }
    all
}

/// Sends so many messages to `name`; gives their ids.
fn send(world: &World, name: &str, count: usize) -> Vec<String> {
    let one = |n: usize| {
        let words = format!("number {n}");
        id(&program(world, &["send", "--json", &format!("@{name}"), &words]).json())
    };
    (0..count).map(one).collect()
}

/// A line of shell that reads in each way, again and again, side by side, until the file `stop` is
/// there. Each is a shell of its own name: a subshell would pass for the host's process.
fn readers(world: &World) -> String {
    let at = |name: &str| world.beside(name).display().to_string();
    let (stop, input) = (at("stop"), hook_input(world));
    let ways = [
        format!("\"$A\" hook <'{input}' >>'{}'", at("hooks")),
        format!("\"$A\" inbox --unread --limit 2 >>'{}'", at("unread")),
        format!(
            "\"$A\" show \"$(cat '{}')\" >>'{}' 2>/dev/null",
            at("last"),
            at("shown")
        ),
    ];
    let mut line = String::new();
    for (place, way) in ways.iter().enumerate() {
        let script = format!("reader-{place}.sh");
        // It ends with the test, whatever becomes of that.
        let text = format!(
            "while [ -e '{}' ] && [ ! -e '{stop}' ]; do {way}; done\n",
            at(&script)
        );
        fs::write(world.beside(&script), text).expect("a file");
        let _ = write!(line, "sh '{}' & READERS=\"$READERS $!\"; ", at(&script));
    }
    line + "true"
}

#[test]
fn whoever_shows_a_message_only_one_showing_has_no_mark() {
    for with_loop in [false, true] {
        let world = World::new();
        let mut desk = Desk::new(&world, ONE);
        let name = desk.seat();
        fs::write(world.beside("last"), "7F3K2A").expect("a file");
        let delivered = with_loop.then(|| desk.reader().1);
        let lines = || delivered.as_ref().map(Delivered::lines).unwrap_or_default();
        desk.run(&readers(&world)).ok();
        let mut sent = Vec::new();
        for _ in 0..20 {
            sent.extend(send(&world, &name, 2));
            fs::write(world.beside("last"), sent.last().expect("one")).expect("a file");
        }
        eventually("nobody died, so each is shown unmarked", || {
            let shown = showings(&world, &lines());
            let is_unmarked = |id| shown.get(id).is_some_and(|(plain, _)| *plain > 0);
            sent.iter().all(is_unmarked)
        });
        fs::write(world.beside("stop"), "").expect("a file");
        desk.run("wait $READERS");
        let shown = showings(&world, &lines());
        assert_eq!(shown.len(), sent.len());
        for (id, (plain, marked)) in &shown {
            assert!(
                *plain <= 1,
                "{id}: {plain} without a mark, {marked} with one"
            );
        }
    }
}

#[test]
fn a_loop_that_stands_still_is_rescued_by_a_hook() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let name = desk.seat();
    let input = hook_input(&world);
    let (pid, delivered) = desk.reader();
    let has = |id: &str| {
        Shown::all(delivered.lines())
            .iter()
            .any(|shown| shown.id == id)
    };
    let hook = format!("attend hook <'{input}'");
    let [first] = send(&world, &name, 1).try_into().expect("one");
    assert_eq!(desk.run(&hook).ok(), "", "the loop is there");
    eventually("the first", || has(&first));
    desk.run(&format!("kill -STOP {pid}")).ok();
    let [second] = send(&world, &name, 1).try_into().expect("one");
    assert_eq!(desk.run(&hook).ok(), "", "it may only be slow");
    let mut said = String::new();
    eventually("a hook takes it", || {
        said = desk.run(&hook).ok();
        !said.is_empty()
    });
    assert!(
        said.contains(&second) && !said.contains("(again)"),
        "{said}"
    );
    desk.run(&format!("kill -CONT {pid}")).ok();
    let [third] = send(&world, &name, 1).try_into().expect("one");
    eventually("the third", || has(&third));
    delivered.assert_told(&[first, third]);
}

#[test]
fn rooms_are_joined_and_left_under_a_running_loop() {
    let world = World::new();
    let (mut one, mut two) = (Desk::new(&world, ONE), Desk::new(&world, TWO));
    let (pid, delivered) = one.reader();
    let has = |id: &str| {
        Shown::all(delivered.lines())
            .iter()
            .any(|shown| shown.id == id)
    };
    two.run("attend focus on deploy").ok();
    let say = |desk: &mut Desk, words: &str| {
        id(&desk
            .run(&format!("attend send --json '#deploy' {words}"))
            .json())
    };
    let early = [say(&mut two, "early"), say(&mut two, "earlier")];
    let joined = one.run("attend focus on deploy").ok();
    assert!(joined.contains("2 earlier messages"), "{joined}");
    let heard = say(&mut two, "now");
    eventually("what was said after", || has(&heard));
    one.run(&format!("kill -STOP {pid}")).ok();
    let last = say(&mut two, "before-leaving");
    one.run("attend focus off deploy").ok();
    let after = say(&mut two, "after-leaving");
    one.run(&format!("kill -CONT {pid}")).ok();
    eventually("what came before leaving", || has(&last));
    // What comes later by sequence is shown after what is shown at all.
    let name = one.seat();
    let [end] = send(&world, &name, 1).try_into().expect("one");
    delivered.assert_told(&[&heard, &last, &end]);
    let lines = delivered.lines().join("\n");
    for id in early.iter().chain([&after]) {
        assert!(!lines.contains(id), "{lines}");
    }
}
