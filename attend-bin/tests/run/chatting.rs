//! `attend chat` in a real terminal: a conversation, its end, and what is there the next time.

use rustix::process::Signal;

use crate::desk::{Desk, ONE, TWO, user};
use crate::live::{PATIENCE, eventually};
use crate::terminal::Terminal;
use crate::world::World;

const ENTER: &str = "\r";
const END: &str = "\u{3}";

/// Waits until a line of a session's reader holds `words`.
#[track_caller]
fn tells(reader: &mut crate::delivered::Delivered, words: &str) {
    loop {
        let line = reader.line_within(PATIENCE);
        let line = line.unwrap_or_else(|| panic!("no line holds {words:?}"));
        if line.contains(words) {
            return;
        }
    }
}

#[test]
fn a_person_and_two_agents_talk_by_name_in_a_room_and_in_the_open() {
    let world = World::new();
    let (mut one, mut two) = (Desk::new(&world, ONE), Desk::new(&world, TWO));
    let (first, second) = (one.seat(), two.seat());
    one.run("attend focus on deploy").ok();
    two.run("attend focus on deploy").ok();
    let (_, mut to_one) = one.reader();
    let (_, mut to_two) = two.reader();
    let mut chat = Terminal::chat(&world);
    chat.shows("nothing was said here yet");
    chat.shows(&format!("@{first}"));

    chat.types(&format!("good morning{ENTER}"));
    tells(&mut to_one, "good morning");
    tells(&mut to_two, "good morning");
    chat.types(&format!("@{first} only for you{ENTER}"));
    tells(&mut to_one, "only for you");
    chat.types(&format!("#deploy who ships?{ENTER}"));
    tells(&mut to_one, "who ships?");
    tells(&mut to_two, "who ships?");

    one.run("attend send '#open' all is well").ok();
    chat.shows("all is well");
    tells(&mut to_two, "all is well");
    // The agents go on in the room, where the person joins them, and among themselves.
    chat.types("\u{1b}[1;3B");
    chat.shows("#deploy  2 members, not joined");
    chat.types("\u{1b}OS");
    chat.shows("#deploy  3 members");
    two.run("attend send '#deploy' I do").ok();
    chat.shows("I do");
    tells(&mut to_one, "I do");
    one.run(&format!("attend send '@{second}' thank you")).ok();
    tells(&mut to_two, "thank you");
    // By name: it is counted until it is looked at.
    two.run(&format!("attend send '@{}' psst, look", user()))
        .ok();
    chat.shows("1 unread");
    chat.types("\u{1b}u");
    chat.shows("psst, look");
    chat.shows(&format!("@{second}"));
    chat.types(&format!("I did{ENTER}"));
    tells(&mut to_two, "I did");
    assert!(!chat.screen().contains("thank you"), "{}", chat.screen());

    chat.types(END);
    assert!(chat.ends().success());
    chat.is_as_found();

    // While nobody looks, the talk goes on.
    two.run(&format!("attend send '@{}' and now?", user())).ok();
    let chat = Terminal::chat(&world);
    chat.shows("and now?");
    chat.shows(&format!("── @{second} ──"));
    chat.shows("── new ──");
    for words in ["psst, look", "I did"] {
        chat.shows(words);
    }
    // What was on the screen counts as read.
    eventually("nothing is unread", || !chat.screen().contains("unread"));
}

#[test]
fn a_chat_that_is_killed_loses_nothing() {
    let world = World::new();
    let mut one = Desk::new(&world, ONE);
    let seat = one.seat();
    let mut chat = Terminal::chat(&world);
    chat.shows("nothing was said here yet");
    for n in 0..5 {
        chat.types(&format!("message {n}{ENTER}"));
        chat.shows(&format!("message {n}"));
    }
    chat.types("half a sen");
    let kept = world.beside("attend/state/chat/chat.json");
    eventually("the draft is kept", || {
        std::fs::read_to_string(&kept).is_ok_and(|kept| kept.contains("half a sen"))
    });
    chat.signal(Signal::KILL);
    chat.ends();
    for n in 0..5 {
        one.run(&format!("attend send '@{}' answer {n}", user()))
            .ok();
    }
    let mut chat = Terminal::chat(&world);
    chat.shows("half a sen");
    chat.shows("message 4");
    chat.shows("5 unread");
    // Killed on the way to what is unread: that is all there the next time.
    chat.types("\u{1b}u");
    chat.signal(Signal::KILL);
    chat.ends();
    let chat = Terminal::chat(&world);
    chat.shows(&format!("@{seat}"));
    chat.types("\u{1b}[1;3B");
    for n in 0..5 {
        chat.shows(&format!("answer {n}"));
    }
    let said = one.run("attend inbox --json --limit 50").json();
    let said = said["messages"].to_string();
    for n in 0..5 {
        assert_eq!(said.matches(&format!("message {n}")).count(), 1, "{said}");
    }
    assert!(!said.contains("half a sen"), "{said}");
}

/// What 0.1.0 kept of a chat that was left with half a sentence.
#[test]
fn what_a_chat_of_then_kept_is_there_again() {
    let world = World::new();
    let sample = include_str!("../cli/samples/0.1.0/chat.json");
    let kept = world.beside("attend/state/chat/chat.json");
    let mut chat = Terminal::chat(&world);
    chat.shows("nothing was said here yet");
    chat.types(&format!("draft{END}"));
    assert!(chat.ends().success());
    assert!(std::fs::read_to_string(&kept).is_ok_and(|kept| kept.contains("\"draft\"")));
    std::fs::write(&kept, sample).expect("a file");
    let chat = Terminal::chat(&world);
    chat.shows("› half a sentence");
    // What was sent before is a key away.
    chat.types("\u{15}\u{1b}[A");
    chat.shows("› good morning");
}

#[test]
fn the_terminal_is_given_back_however_it_ends() {
    let world = World::new();
    for signal in [Signal::TERM, Signal::INT, Signal::HUP, Signal::QUIT] {
        let mut chat = Terminal::chat(&world);
        chat.shows("nothing was said here yet");
        chat.types("draft");
        chat.shows("draft");
        chat.signal(signal);
        assert!(chat.ends().success(), "{signal:?}");
        chat.is_as_found();
        let mut chat = Terminal::chat(&world);
        // What was being written is there again.
        chat.shows("› draft");
        chat.types(&format!("\u{15}{END}"));
        assert!(chat.ends().success());
        chat.is_as_found();
    }
    let mut chat = Terminal::chat(&world);
    chat.shows("nothing was said here yet");
    chat.close();
    chat.ends();
}

#[test]
fn a_chat_that_stops_gives_the_terminal_to_the_shell_and_takes_it_again() {
    let world = World::new();
    let mut chat = Terminal::chat_of_shell(&world);
    chat.shows("nothing was said here yet");
    chat.types("draft");
    chat.shows("› draft");
    for (stopped, stops) in [Some(Signal::TSTP), None, Some(Signal::STOP)]
        .into_iter()
        .enumerate()
    {
        match stops {
            Some(signal) => chat.signal_to_job(signal),
            None => chat.types("\u{1a}"),
        }
        eventually("the shell has the terminal", || {
            // Who is stopped at once can give nothing back.
            let is_left = stops == Some(Signal::STOP) || !chat.is_on_other_screen();
            chat.is_of_shell() && chat.is_cooked() && is_left
        });
        chat.types("\n");
        eventually("the chat has it again", || {
            !chat.is_of_shell() && !chat.is_cooked() && chat.is_on_other_screen()
        });
        chat.shows(&format!("› draft{}", "!".repeat(stopped)));
        chat.types("!");
        chat.shows(&format!("› draft{}", "!".repeat(stopped + 1)));
    }
    chat.types(&format!("\u{15}{END}"));
    eventually("the shell has the terminal", || {
        chat.is_of_shell() && chat.is_cooked() && !chat.is_on_other_screen()
    });
    chat.types("\u{4}");
    assert!(chat.ends().success());
    chat.is_as_found();
}

#[test]
fn a_chat_ends_when_asked_however_much_is_typed_or_is_not_read() {
    let world = World::new();
    let mut chat = Terminal::chat(&world);
    chat.shows("nothing was said here yet");
    // More than is taken in before the end is asked for.
    chat.types(&"word ".repeat(100_000));
    chat.signal(Signal::TERM);
    assert!(chat.ends().success());
    chat.is_as_found();

    let mut chat = Terminal::chat(&world);
    chat.shows("word word");
    chat.reads_no_more();
    // Until the terminal takes no more.
    for n in 0..60 {
        chat.resizes((100 + n % 2 * 50, 30));
        crate::desk::program(&world, &["send", "many words"]).ok();
    }
    chat.signal(Signal::TERM);
    chat.ends();
    assert!(chat.is_cooked());
}

#[test]
fn the_screen_is_drawn_anew_for_whoever_asks_for_it() {
    let world = World::new();
    let chat = Terminal::chat(&world);
    chat.shows("nothing was said here yet");
    chat.types("\u{c}still here");
    chat.shows("› still here");
    chat.types("\u{c}\u{15}and here");
    chat.shows("› and here");
}

#[test]
fn a_window_of_another_size_is_filled_anew() {
    let world = World::new();
    let chat = Terminal::chat(&world);
    chat.shows("places");
    chat.resizes((50, 12));
    eventually("the list makes room", || !chat.screen().contains("places"));
    chat.shows("Enter sends");
    assert_eq!(chat.screen().lines().count(), 12, "{}", chat.screen());
}

#[test]
fn a_terminal_without_colours_is_sent_none() {
    let world = World::new();
    let colour = "\u{1b}[38;5;";
    let coloured = Terminal::chat(&world);
    coloured.shows("nothing was said here yet");
    assert!(coloured.sent().contains(colour));
    let plain = Terminal::chat_with(&[("NO_COLOR", "1")], &world);
    plain.shows("nothing was said here yet");
    assert!(!plain.sent().contains(colour), "{:?}", plain.sent());
}

#[test]
fn a_chat_is_for_a_person_at_a_terminal() {
    let world = World::new();
    let mut one = Desk::new(&world, ONE);
    let refused = one.run("attend chat").refused();
    assert!(refused.contains("a person's seat"), "{refused}");
    let refused = crate::desk::program(&world, &["chat"]).refused();
    assert!(
        refused.contains("needs a person at a terminal"),
        "{refused}"
    );
}
