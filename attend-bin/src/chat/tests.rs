//! The chat played through in memory: what keys do, what is shown, and what becomes of it.

mod honest;
mod pictures;
mod world;

use attend_core::mail::{MailboxExt as _, State as Reached};
use futures::executor::block_on;

use super::action::Action;
use super::state::Part;
use world::{World, names};

#[test]
fn what_is_written_goes_to_the_place_that_is_shown_or_whom_it_names() {
    let world = World::new();
    let mut chat = world.chat((80, 24));
    chat.press("good morning<enter>");
    let beginning: String = world.cleo.name.chars().take(3).collect();
    chat.press(&format!("@{beginning}<tab>ship it<enter>"));
    chat.press("#deploy waits<enter>");
    chat.press("#12 is fixed<enter>");
    let said = world.said();
    let expected = [
        ("#open", "good morning"),
        (&*format!("@{}", world.cleo.name), "ship it"),
        ("#deploy", "waits"),
        ("#open", "#12 is fixed"),
    ];
    let expected = expected.map(|(to, body)| (to.to_owned(), body.to_owned()));
    assert_eq!(said, expected);
    chat.press("<a-down>");
    assert!(chat.screen().contains("waits"), "{}", chat.screen());
    chat.press("again<enter>");
    assert_eq!(world.said().last().unwrap().0, "#deploy");
}

#[test]
fn what_was_displayed_is_settled_as_printed_and_nothing_else() {
    let world = World::new();
    for n in 0..60 {
        world.say(&world.cleo, "#open", &format!("line {n}"));
    }
    world.say(&world.cleo, "@sam", "to you");
    assert_eq!(block_on(world.mailbox.unread(world.sam.seat)).unwrap(), 61);
    let mut chat = world.chat((80, 24));
    let unread = block_on(world.mailbox.unread(world.sam.seat)).unwrap();
    assert!((45..60).contains(&unread), "a screen was shown: {unread}");
    assert!(chat.screen().contains("line 0"), "{}", chat.screen());
    for _ in 0..8 {
        chat.press("<pgdn>");
    }
    assert_eq!(block_on(world.mailbox.unread(world.sam.seat)).unwrap(), 1);
    chat.press("<a-u>");
    assert!(chat.screen().contains("to you"), "{}", chat.screen());
    assert_eq!(block_on(world.mailbox.unread(world.sam.seat)).unwrap(), 0);
    let states = world.states();
    assert!(states.iter().all(|state| *state == Some(Reached::Printed)));
}

#[test]
fn two_windows_go_their_own_ways() {
    let world = World::new();
    for n in 0..60 {
        world.say(&world.cleo, "#open", &format!("line {n}"));
    }
    let mut one = world.chat((80, 24));
    let mut other = world.chat((80, 24));
    one.press("<c-home>");
    assert!(one.screen().contains("line 0\n"), "{}", one.screen());
    other.press("<c-end>");
    assert!(other.screen().contains("line 59"), "{}", other.screen());
    world.say(&world.cleo, "#open", "news");
    one.ring();
    other.ring();
    assert!(!one.screen().contains("news"), "{}", one.screen());
    assert!(one.screen().contains("further down"), "{}", one.screen());
    assert!(other.screen().contains("news"), "{}", other.screen());
    one.press("<c-end>");
    assert!(one.screen().contains("news"), "{}", one.screen());
    assert!(!one.screen().contains("(again)"));
}

#[test]
fn an_answer_goes_to_the_sender_and_the_rooms_and_stands_in_the_thread() {
    let world = World::new();
    world.say(&world.cleo, "@sam #deploy", "may I ship?");
    let mut chat = world.chat((100, 30));
    chat.press("<c-p><esc>r");
    assert_eq!(chat.state.part, Part::Composer);
    chat.press("yes<enter>");
    let (entry, _) = world.last();
    assert_eq!(
        entry.to,
        [format!("@{}", world.cleo.name), "#deploy".into()]
    );
    assert!(entry.re.is_some());
    assert!(chat.state.answer.is_none());
    assert!(
        chat.screen()
            .contains(&format!("↳ {}: may I ship?", world.cleo.name)),
        "{}",
        chat.screen()
    );
    chat.press("<esc><enter>");
    assert!(chat.screen().contains("thread"), "{}", chat.screen());
    chat.press("<esc>");
    assert!(!chat.screen().contains("thread"), "{}", chat.screen());
}

#[test]
fn what_is_refused_comes_back_to_the_composer() {
    let world = World::new();
    let mut chat = world.chat((80, 24));
    chat.press("@Nobody hi<enter>");
    assert_eq!(chat.state.composer.text(), "@Nobody hi");
    assert!(
        chat.screen().contains("nobody is called @Nobody"),
        "{}",
        chat.screen()
    );
    assert!(world.said().is_empty());
}

#[test]
fn a_key_that_was_kept_sends_nothing_twice() {
    let world = World::new();
    let mut chat = world.chat((80, 24));
    chat.press("once");
    // It ends while the message is on its way: it was sent, and is still kept as being written.
    let mut wishes = super::update::update(&mut chat.state, World::enter());
    wishes.retain(|wish| matches!(wish, super::action::Wish::Send(_)));
    let kept = chat.state.to_keep();
    chat.fulfil(wishes);
    assert_eq!(kept.draft, "once");
    let mut next = world.chat_with(kept, (80, 24));
    next.state.seed = (1, 0);
    next.press("<enter>");
    assert_eq!(world.said().len(), 1);
    assert!(next.screen().contains("sent before"), "{}", next.screen());
    next.press("once<enter>");
    assert_eq!(world.said().len(), 2, "said on purpose");
}

#[test]
fn words_are_found_and_the_search_ends() {
    let world = World::new();
    for n in 0..300 {
        world.say(&world.cleo, "#open", &format!("line {n}"));
    }
    let mut chat = world.chat((80, 24));
    chat.press("<c-f>line 7<enter>");
    let screen = chat.screen();
    assert!(screen.contains("search: line 7"), "{screen}");
    assert!(
        screen.contains("line 7") && !screen.contains("line 8"),
        "{screen}"
    );
    chat.press("<esc><c-end>");
    assert!(chat.screen().contains("line 299"), "{}", chat.screen());
}

#[test]
fn a_long_history_is_paged_both_ways_without_a_gap() {
    let world = World::new();
    let count = 1_250;
    for n in 0..count {
        world.say(&world.cleo, "#open", &format!("line {n}."));
    }
    let mut chat = world.chat((80, 24));
    chat.press("<c-end>");
    let mut seen = std::collections::BTreeSet::new();
    let mut least = count;
    let mut stuck = 0;
    while least > 0 && stuck < 3 {
        let now = names(&chat.screen());
        let top = *now.first().unwrap();
        stuck = if top < least { 0 } else { stuck + 1 };
        least = top;
        seen.extend(now);
        chat.press("<pgup>");
        assert!(chat.state.stream.len() <= 1_100, "it is bounded");
    }
    assert_eq!(seen.len(), count, "every line was there on the way up");
    seen.clear();
    for _ in 0..count {
        seen.extend(names(&chat.screen()));
        if chat.state.stream.follows() {
            break;
        }
        chat.press("<pgdn>");
    }
    assert_eq!(seen.len(), count, "and on the way down");
}

#[test]
fn rooms_are_joined_and_left() {
    let world = World::new();
    world.say(&world.cleo, "#deploy", "before");
    let mut chat = world.chat((80, 24));
    chat.press("<a-down>");
    assert!(
        chat.screen().contains("before"),
        "an open door: {}",
        chat.screen()
    );
    chat.press("<f4>");
    assert!(
        chat.screen().contains("you are in #deploy"),
        "{}",
        chat.screen()
    );
    chat.press("<f4>");
    assert!(
        chat.screen().contains("you left #deploy"),
        "{}",
        chat.screen()
    );
    chat.press("<a-up><f4>");
    assert!(
        chat.screen().contains("nobody leaves #open"),
        "{}",
        chat.screen()
    );
}

#[test]
fn nothing_that_somebody_wrote_reaches_the_terminal_as_a_command() {
    let world = World::new();
    let hostile =
        "\u{1b}[2J\u{1b}]0;x\u{7}\n\u{9b}31m \u{202e}x\r\u{0}\u{85}[attend sensor=git] hi";
    world.say(&world.cleo, "@sam #open", hostile);
    let mut chat = world.chat((80, 24));
    for keys in ["", "<esc>", "<enter>", "<esc>r", "<esc><f1>", "<esc><c-p>"] {
        chat.press(keys);
        for cell in chat.buffer().content() {
            let symbol = cell.symbol();
            let obeyed = |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}');
            assert!(!symbol.chars().any(obeyed), "{symbol:?} after {keys}");
        }
        assert!(!chat.screen().contains("[attend"), "{}", chat.screen());
    }
}

#[test]
fn any_size_can_be_drawn() {
    let world = World::new();
    world.say(
        &world.cleo,
        "#open",
        "日本語 words that are wider than a narrow screen has room for",
    );
    for width in [1, 5, 16, 17, 30, 59, 60, 61, 200] {
        for height in [1, 2, 4, 5, 6, 10, 50] {
            let mut chat = world.chat((width, height));
            chat.press("<f2>@C<esc><up><f1><esc><backtab><backtab>x\u{1f600}<a-enter>y");
            let _ = chat.screen();
        }
    }
}

#[test]
fn many_that_arrive_at_once_are_a_page() {
    let world = World::new();
    for n in 0..10 {
        world.say(&world.cleo, "#open", &format!("line {n}."));
    }
    let mut chat = world.chat((80, 24));
    chat.press("<c-end>");
    for n in 10..250 {
        world.say(&world.cleo, "#open", &format!("line {n}."));
    }
    chat.ring();
    assert_eq!(chat.state.stream.len(), super::stream::PAGE);
    assert_eq!(names(&chat.screen()).last(), Some(&249));
    // What lies between is there for whoever goes up.
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..60 {
        seen.extend(names(&chat.screen()));
        chat.press("<pgup>");
    }
    assert_eq!(seen.len(), 250);
}

#[test]
fn the_mouse_goes_to_places_and_chooses_messages() {
    let world = World::new();
    world.say(&world.cleo, "#deploy", "here");
    let mut chat = world.chat((80, 24));
    chat.happen(Action::Click(3, 3));
    chat.draw();
    assert_eq!(chat.state.view.place.title(), "#deploy");
    chat.happen(Action::Click(40, 3));
    chat.draw();
    assert_eq!(chat.state.stream.selected, Some(world.entry("here").seq));
    chat.press("<enter>");
    assert!(chat.screen().contains("message "), "{}", chat.screen());
    chat.happen(Action::Click(40, 3));
    chat.happen(Action::Paste("pasted\r\nwords \u{1b}[A".to_owned()));
    chat.draw();
    assert_eq!(chat.state.composer.text(), "pasted\nwords [A");
}

#[test]
fn whoever_turns_too_far_comes_back_at_once() {
    let world = World::new();
    let mut chat = world.chat((80, 10));
    chat.press("<f1>");
    for _ in 0..20 {
        chat.press("<pgdn>");
    }
    let lowest = chat.screen();
    chat.press("<up>");
    assert_ne!(chat.screen(), lowest);
    chat.press("<down>");
    assert_eq!(chat.screen(), lowest);
    // Where it does not end there any more.
    chat.resize(80, 30);
    chat.resize(80, 60);
    chat.press("<pgdn>");
    assert!(chat.screen().contains("  1 to "), "{}", chat.screen());
}

#[test]
fn a_growing_screen_is_filled() {
    let world = World::new();
    for n in 0..30 {
        world.say(&world.cleo, "#open", &format!("line {n}."));
    }
    let mut chat = world.chat((80, 10));
    chat.press("<c-home>");
    let before = names(&chat.screen());
    chat.resize(80, 40);
    let after = names(&chat.screen());
    assert_eq!((before[0], after[0]), (0, 0));
    assert!(after.len() > 2 * before.len(), "{}", chat.screen());
    chat.resize(40, 12);
    assert!(!names(&chat.screen()).is_empty(), "{}", chat.screen());
}
