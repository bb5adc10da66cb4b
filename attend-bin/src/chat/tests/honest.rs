//! What the chat says of a message is true: read only what stood on the screen.

use attend_core::mail::{MailErrorKind, MailboxExt as _};
use futures::executor::block_on;

use super::world::World;
use crate::chat::action::{Action, Done, Kept, Wish};
use crate::chat::rehearsal::Rehearsal;
use crate::chat::update::update;

fn unread(world: &World) -> u64 {
    block_on(world.mailbox.unread(world.sam.seat)).unwrap()
}

/// What the chat wishes for at a frame, which nobody carries out.
fn wished(chat: &mut Rehearsal) -> Vec<Wish> {
    update(&mut chat.state, Action::Drawn)
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

#[test]
fn what_could_not_be_marked_is_tried_again_when_something_stirs() {
    let world = World::new();
    let mut chat = world.chat((80, 24));
    world.say(&world.cleo, "#open", "is it seen?");
    let looked = update(&mut chat.state, Action::Stirred);
    chat.fulfil(looked);
    let wishes = wished(&mut chat);
    let [Wish::Mark(shown)] = wishes.as_slice() else {
        panic!("{wishes:?}");
    };
    let seqs = vec![shown[0].seq];
    chat.happen(Action::Done(Done::Marked(
        seqs,
        Err("it is busy".to_owned()),
    )));
    assert!(wished(&mut chat).is_empty(), "not at each frame");
    chat.ring();
    assert_eq!(unread(&world), 0);
}

#[test]
fn how_far_a_message_got_is_asked_again_where_it_could_not_be_told() {
    let world = World::new();
    let mut chat = world.chat((80, 24));
    chat.press("is it seen?<enter>");
    let id = world.last().0.id;
    chat.state.known_fates.clear();
    let wishes = wished(&mut chat);
    assert!(
        matches!(wishes.as_slice(), [Wish::Fates(ids)] if *ids == [id.clone()]),
        "{wishes:?}"
    );
    chat.happen(Action::Done(Done::Fates(vec![(id, None)])));
    assert!(wished(&mut chat).is_empty(), "not at each frame");
    let looked = update(&mut chat.state, Action::Stirred);
    chat.fulfil(looked);
    let wishes = wished(&mut chat);
    assert!(matches!(wishes.as_slice(), [Wish::Fates(_)]), "{wishes:?}");
}

#[test]
fn what_was_sent_for_all_the_error_says_is_not_sent_twice() {
    let world = World::new();
    let mut chat = world.chat((80, 24));
    chat.press("once");
    let mut wishes = update(&mut chat.state, World::enter());
    // The mailbox has it, and the answer is lost.
    let send = wishes.pop().unwrap();
    assert!(matches!(send, Wish::Send(_)), "{send:?}");
    chat.carry_out_unheard(send);
    let failed = (MailErrorKind::Failed, "it is not known".to_owned());
    chat.happen(Action::Done(Done::Sent(Err(failed))));
    assert_eq!(chat.state.composer.text(), "once");
    chat.press("<enter>");
    assert!(chat.screen().contains("sent before"), "{}", chat.screen());
    assert_eq!(world.said().len(), 1);
    chat.press("once<enter>");
    assert_eq!(world.said().len(), 2, "said on purpose");
}

#[test]
fn a_key_that_stands_for_something_else_is_let_go() {
    let world = World::new();
    let mut chat = world.chat((80, 24));
    chat.press("once");
    let mut wishes = update(&mut chat.state, World::enter());
    let send = wishes.pop().unwrap();
    let kept = chat.state.to_keep();
    chat.carry_out_unheard(send);
    let elsewhere = Kept {
        place: Some("#deploy".to_owned()),
        ..kept
    };
    let mut next = world.chat_with(elsewhere, (80, 24));
    next.state.seed = (1, 0);
    next.press("<enter>");
    assert!(next.screen().contains("was used for"), "{}", next.screen());
    next.press("<enter>");
    assert_eq!(world.said().len(), 2, "it was meant for here, too");
}
