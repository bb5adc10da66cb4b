//! What the chat says of a message is true: read only what stood on the screen.

use attend_core::mail::MailboxExt as _;
use futures::executor::block_on;

use super::world::World;
use crate::chat::action::Kept;

fn unread(world: &World) -> u64 {
    block_on(world.mailbox.unread(world.sam.seat)).unwrap()
}

#[test]
fn what_no_screen_shows_is_not_read() {
    let world = World::new();
    // Too small for anything.
    for size in [(15, 24), (80, 4)] {
        world.say(&world.cleo, "#open", "is it seen?");
        let before = unread(&world);
        let mut chat = world.chat(size);
        chat.ring();
        assert!(chat.screen().contains("too small"), "{}", chat.screen());
        assert_eq!(unread(&world), before, "{size:?}");
    }
    // The list takes the whole of a narrow one.
    let mut chat = world.chat((40, 10));
    assert_eq!(unread(&world), 0);
    chat.press("<f2>");
    world.say(&world.cleo, "#open", "and now?");
    chat.ring();
    assert!(!chat.screen().contains("and now?"), "{}", chat.screen());
    assert_eq!(unread(&world), 1);
    chat.press("<f2>");
    assert!(chat.screen().contains("and now?"), "{}", chat.screen());
    assert_eq!(unread(&world), 0);
}

#[test]
fn a_talk_that_was_kept_is_there_the_next_time() {
    let world = World::new();
    world.say(&world.cleo, "@sam", "as I said");
    let kept = Kept {
        place: Some(format!("@{}", world.cleo.name)),
        ..Kept::default()
    };
    let chat = world.chat_with(kept, (80, 24));
    assert!(chat.screen().contains("as I said"), "{}", chat.screen());
}
