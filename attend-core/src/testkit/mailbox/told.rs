//! What a mailbox tells of one message: its thread, its states, and what was shown last.

use super::desk::{Check, Desk};
use super::words::{api, draft, room, web};
use crate::mail::{Answer, Draft, MessageId, Query, Sender, Seq, Settled, State};

pub(super) const CHECKS: &[Check] = &[
    ("a message tells how far it got with each addressee", states),
    ("a message that waits for a project tells so", waits),
    ("a message tells how many of a room saw it", rooms),
    (
        "a message comes with what it answers and what answers it",
        thread,
    ),
    ("there is no message of an unknown id", no_message),
    (
        "messages at positions come oldest first, without those that are not there",
        entries,
    ),
    (
        "letters are messages as a seat sees them: in its address it is you",
        letters,
    ),
    (
        "what was shown last is what the last write showed",
        last_shown,
    ),
];

fn states(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, web());
    let sam = desk.person("sam", 50);
    let text = format!("@{} @{} @sam hi", one.name(), two.name());
    let seq = desk.say(&text);
    desk.show_tracked(&one.reader());
    desk.show(&two.reader());
    desk.saw(&one.reader(), &[seq]);
    let whole = desk.whole(two.seat(), seq);
    let told: Vec<_> = whole
        .states
        .iter()
        .map(|(name, state)| (name.as_str(), *state))
        .collect();
    let mut expected = vec![
        (one.name(), State::Seen),
        (two.name(), State::Printed),
        (sam.name(), State::New),
    ];
    expected.sort_unstable();
    assert_eq!(told, expected);
    assert_eq!(whole.entry.state, Some(State::Printed));
    assert!(whole.rooms.is_empty() && whole.thread.is_empty());
}

fn waits(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let seq = desk.sent(&Sender::Program, Draft::new("hi").to(web())).seq;
    let whole = desk.whole(one.seat(), seq);
    let persona = match desk.ask(&Query::Project(web())) {
        Answer::Project(Some(persona)) => persona,
        other => panic!("a project that has mail gave {other:?}"),
    };
    assert_eq!(
        whole.states.into_iter().collect::<Vec<_>>(),
        [(persona, State::New)]
    );
    assert_eq!(whole.entry.state, None);
}

fn rooms(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, web());
    let sam = desk.person("sam", 50);
    for sat in [&one, &two, &sam] {
        desk.join(sat, "deploy");
    }
    let seq = desk.say_as(&one, "#deploy hi");
    let seen = || {
        desk.whole(one.seat(), seq)
            .rooms
            .get(&room("deploy"))
            .copied()
    };
    assert_eq!(seen(), Some((0, 2)));
    desk.show(&sam.reader());
    assert_eq!(
        seen(),
        Some((1, 2)),
        "where nobody looks for evidence, printed is seen"
    );
    desk.show_tracked(&two.reader());
    assert_eq!(seen(), Some((1, 2)));
    desk.saw(&two.reader(), &[seq]);
    assert_eq!(seen(), Some((2, 2)));
    let late = desk.sit("s3", 3, api());
    desk.join(&late, "deploy");
    assert_eq!(seen(), Some((2, 2)), "who came later was not asked");
}

fn thread(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let first = desk.sent(&Sender::Program, draft("#open what?"));
    let answer = |body: &str| {
        desk.say("#open between");
        desk.sent(&one.sender(), draft(body).re(first.id.clone()))
            .seq
    };
    let answers = [answer("#open this"), answer("#open that")];
    let thread = |seq: Seq| {
        let whole = desk.whole(one.seat(), seq);
        whole
            .thread
            .iter()
            .map(|entry| entry.seq)
            .collect::<Vec<_>>()
    };
    assert_eq!(thread(first.seq), answers);
    assert_eq!(thread(answers[1]), [first.seq, answers[0]]);
}

fn no_message(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let (id, seat) = (MessageId::new("ZZZZZZ"), Some(one.seat()));
    assert_eq!(
        desk.ask(&Query::Message { id, seat }),
        Answer::Message(None)
    );
}

fn entries(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let sent = [desk.say("one"), desk.say("two"), desk.say("three")];
    let found = desk.entries(&Query::Entries {
        seat: one.seat(),
        seqs: vec![sent[2], Seq::new(99), sent[0], sent[2]],
    });
    let found: Vec<_> = found
        .iter()
        .map(|entry| (entry.seq, entry.body.as_str()))
        .collect();
    assert_eq!(found, [(sent[0], "one"), (sent[2], "three")]);
}

fn letters(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, api());
    let by_seat = desk.say(&format!("@{} #open hi", one.name()));
    let by_project = desk.say(&format!("#open @{} both", one.persona()));
    let seqs = vec![by_project, Seq::new(99), by_seat, by_project];
    let read = |seat| {
        let seqs = seqs.clone();
        match desk.ask(&Query::Letters { seat, seqs }) {
            Answer::Letters(letters) => letters,
            other => panic!("letters gave {other:?}"),
        }
    };
    let told = |seat| -> Vec<_> {
        let letters = read(seat).into_iter();
        letters
            .map(|letter| (letter.seq, letter.to, letter.body))
            .collect()
    };
    let (mine, both) = ("you, #open".to_owned(), "both".to_owned());
    assert_eq!(
        told(one.seat()),
        [
            (by_seat, mine.clone(), "hi".to_owned()),
            (by_project, mine.clone(), both.clone())
        ]
    );
    let named = format!("@{}, #open", one.name());
    assert_eq!(
        told(two.seat()),
        [(by_seat, named, "hi".to_owned()), (by_project, mine, both)]
    );
    assert_eq!(read(one.seat()), desk.letters(&one.reader()));
}

fn last_shown(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let last = || {
        let entries = desk.entries(&Query::LastShown(sat.seat()));
        entries.iter().map(|entry| entry.seq).collect::<Vec<_>>()
    };
    assert_eq!(last(), []);
    let sent = [desk.say("one"), desk.say("two"), desk.say("three")];
    let claim = desk.print(&sat.reader(), &sent[..2]);
    assert_eq!(last(), []);
    desk.printed(&sat.reader(), &claim);
    assert_eq!(last(), sent[..2]);
    let claim = desk.print(&sat.reader(), &sent[2..]);
    desk.settled(&claim, &Settled::printed(sat.reader(), []));
    assert_eq!(last(), sent[..2], "what was not written was not shown");
    desk.show(&sat.reader());
    assert_eq!(last(), sent[2..]);
}
