//! The screen as people see it, in several sizes and looks.

use std::time::Duration;

use attend_core::mail::{MailboxExt as _, RoomName};
use futures::executor::block_on;

use super::world::World;
use crate::chat::rehearsal::Rehearsal;
use crate::chat::theme::Colours;

/// A morning on which everything happens, seen in a terminal of this size.
fn morning(size: (u16, u16)) -> Rehearsal {
    let world = World::new();
    let pass = |minutes| world.around.clock().advance(Duration::from_mins(minutes));
    let deploy = RoomName::parse("deploy").unwrap();
    block_on(world.mailbox.join(world.sam.seat, deploy)).unwrap();
    world.say(
        &world.cleo,
        "#open",
        "good morning; the tests are green since last night",
    );
    pass(4);
    let long = "I looked at the retries:\n  fn retry(n: u32)\nwaits twice as long each time, and gives \
                up after five, which is what the contract asks for. Nothing else uses it.";
    world.say(&world.tam, "#open", long);
    pass(60 * 23);
    let mut chat = world.chat(size);
    chat.press("thanks, both<enter>");
    pass(1);
    world.answer(
        &world.cleo,
        &world.last().0.id,
        "shall I ship it today? 日本語もある",
    );
    world.say(&world.cleo, "@sam", "the key of the store is in your hands");
    world.say(&world.tam, "#deploy", "waits for the migration");
    chat.state.notice = None;
    chat.occupants(&[
        (&world.cleo.name, "busy", 71),
        (&world.tam.name, "idle", 23),
    ]);
    chat.ring();
    chat
}

#[test]
fn the_screen_of_a_usual_terminal() {
    let mut chat = morning((80, 24));
    insta::assert_snapshot!("80x24", chat.screen());
    chat.press("@");
    insta::assert_snapshot!("80x24-completing", chat.screen());
    chat.press("<backspace><esc><up>");
    insta::assert_snapshot!("80x24-choosing", chat.screen());
    chat.press("<enter>");
    insta::assert_snapshot!("80x24-message", chat.screen());
    chat.press("r");
    insta::assert_snapshot!("80x24-answering", chat.screen());
    chat.press("<esc><f1>");
    insta::assert_snapshot!("80x24-keys", chat.screen());
}

#[test]
fn the_screen_of_a_large_terminal() {
    let mut chat = morning((120, 40));
    insta::assert_snapshot!("120x40", chat.screen());
    chat.press("<c-p>");
    chat.press("a draft of several<a-enter>lines");
    insta::assert_snapshot!("120x40-everything", chat.screen());
}

#[test]
fn the_screen_of_a_small_terminal() {
    let mut chat = morning((40, 10));
    insta::assert_snapshot!("40x10", chat.screen());
    chat.press("<f2>");
    insta::assert_snapshot!("40x10-list", chat.screen());
}

#[test]
fn the_looks_of_a_dark_and_a_light_terminal_and_of_one_without_colours() {
    for (name, colours) in [
        ("dark", Colours::Dark),
        ("light", Colours::Light),
        ("none", Colours::None),
    ] {
        let mut chat = morning((64, 14)).coloured(colours);
        chat.press("<esc>");
        insta::assert_debug_snapshot!(format!("looks-{name}"), chat.buffer());
        let has_colours = chat.buffer().content().iter().any(|cell| {
            let style = cell.style();
            let is_set = |colour| colour != Some(ratatui::style::Color::Reset);
            is_set(style.fg) || is_set(style.bg)
        });
        assert_eq!(has_colours, colours != Colours::None, "{name}");
    }
}
