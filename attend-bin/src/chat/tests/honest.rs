//! What the chat says of a message is true: read only what stood on the screen.

use attend_core::mail::{MailErrorKind, MailboxExt as _, Origin};
use futures::executor::block_on;

use super::world::World;
use crate::chat::action::{Action, Done, Kept, Part, Wish};
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
fn a_page_that_could_not_be_had_is_asked_again_by_whoever_scrolls_or_when_something_stirs() {
    let world = World::new();
    for n in 0..300 {
        world.say(&world.cleo, "#open", &format!("line {n}."));
    }
    let mut chat = world.chat((80, 24));
    chat.press("<c-end>");
    let failed = || (MailErrorKind::Failed, "the disk is away".to_owned());
    let is_page = |wish: &Wish| matches!(wish, Wish::Page(asked) if asked.part != Part::Newest);
    let mut asked = None;
    while asked.is_none() {
        let wishes = update(&mut chat.state, Action::Wheel { is_up: true });
        asked = wishes.into_iter().find(is_page);
    }
    for again in [
        Action::Wheel { is_up: true },
        Action::Stirred,
        Action::Wheel { is_up: false },
    ] {
        let Some(Wish::Page(page)) = asked.take() else {
            panic!("nothing was asked");
        };
        let none = update(
            &mut chat.state,
            Action::Done(Done::Page(page.clone(), Err(failed()))),
        );
        assert!(!none.iter().any(is_page), "not at once");
        chat.draw();
        let told = "older messages are missing, scroll to try again: the disk";
        assert!(chat.screen().contains(told), "{}", chat.screen());
        assert!(!wished(&mut chat).iter().any(is_page), "nor at each frame");
        let wishes = update(&mut chat.state, again);
        asked = wishes.into_iter().find(is_page);
        assert!(matches!(&asked, Some(Wish::Page(again)) if *again == page));
    }
    chat.fulfil(asked.into_iter().collect());
    chat.draw();
    assert!(!chat.screen().contains("missing"), "{}", chat.screen());
    for _ in 0..60 {
        chat.press("<pgup>");
    }
    assert!(chat.screen().contains("line 0."), "{}", chat.screen());
}

#[test]
fn what_a_draft_answers_is_kept_with_it() {
    let world = World::new();
    world.say(&world.cleo, "@sam #deploy", "may I ship?");
    let talk = format!("@{}", world.cleo.name);
    let kept = Kept {
        place: Some(talk),
        ..Kept::default()
    };
    let mut chat = world.chat_with(kept, (100, 30));
    chat.press("<esc>ryes");
    let is_answer = |chat: &Rehearsal| {
        let told = format!("answer to {}: may I ship?", world.cleo.name);
        assert!(chat.screen().contains(&told), "{}", chat.screen());
    };
    is_answer(&chat);
    let through_a_file = |kept: &Kept| -> Kept {
        let bytes = serde_json::to_vec(kept).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    };
    // It ends, and ends again while the answer is on its way.
    let mut chat = world.chat_with(through_a_file(&chat.state.to_keep()), (100, 30));
    is_answer(&chat);
    update(&mut chat.state, World::enter());
    let mut chat = world.chat_with(through_a_file(&chat.state.to_keep()), (100, 30));
    is_answer(&chat);
    chat.press("<enter>");
    let (entry, _) = world.last();
    assert_eq!(
        (entry.body.as_str(), entry.to),
        (
            "yes",
            vec![format!("@{}", world.cleo.name), "#deploy".into()]
        )
    );
    assert!(entry.re.is_some());
    assert_eq!(chat.state.to_keep().answer, None);
}

#[test]
fn what_is_refused_answers_what_it_answered_and_nothing_that_was_chosen_since() {
    let world = World::new();
    world.say(&world.cleo, "@sam", "may I ship?");
    let mut chat = world.chat((100, 30));
    chat.press("<c-p><esc>ryes");
    let answered = chat.state.answer.clone();
    assert!(answered.is_some());
    update(&mut chat.state, World::enter());
    assert_eq!(
        chat.state.answer, None,
        "what is written next answers nothing"
    );
    let failed = (MailErrorKind::Failed, "the disk is full".to_owned());
    chat.happen(Action::Done(Done::Sent(Err(failed))));
    assert_eq!(chat.state.composer.text(), "yes");
    assert_eq!(chat.state.answer, answered);
}

#[test]
fn what_is_unread_is_counted_where_it_reaches_the_reader() {
    let world = World::new();
    world.say(
        &world.cleo,
        "#deploy #open",
        "to a room that sam is not in, too",
    );
    world.say(&world.cleo, "@sam #open", "to you");
    world.say(&world.tam, "#open", "to all");
    let chat = world.chat((15, 24));
    let overview = &chat.state.overview;
    assert_eq!(overview.writers, std::slice::from_ref(&world.cleo.name));
    let origins = overview.counts.origins();
    let expected = [(Origin::You, 1), (Origin::Room("#open".to_owned()), 2)];
    assert_eq!(origins, expected);
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
