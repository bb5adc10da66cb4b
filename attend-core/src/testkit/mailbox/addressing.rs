//! Whom an address means, and what is refused.

use super::desk::{Check, Desk};
use super::words::{api, api_fix, draft, reached, refused, web};
use crate::mail::{
    Address, Draft, MAX_ADDRESSES, MailErrorKind, Place, Presence, Recipient, Sender,
};

pub(super) const CHECKS: &[Check] = &[
    (
        "a persona comes before a person of that name",
        persona_before_person,
    ),
    (
        "a person comes before a project folder of that name",
        person_before_folder,
    ),
    (
        "a persona comes before a project folder of that name",
        persona_before_folder,
    ),
    (
        "a seat comes before a person of that name",
        seat_before_person,
    ),
    ("a folder names its project", folder),
    (
        "two folders of one name are ambiguous, with the candidates",
        ambiguous,
    ),
    ("names compare without case and composed", folded),
    ("no new persona equals a seat or a person", persona_is_free),
    (
        "a project keeps its persona, and no two have the same",
        persona_is_kept,
    ),
    (
        "one unknown among three refuses all and writes nothing",
        all_or_nothing,
    ),
    ("an unknown room is refused, with the closest", unknown_room),
    ("nobody, #all and #broadcast mean #open", everybody),
    ("a path where nobody sits is accepted and waits", path_waits),
    (
        "a receipt tells how soon each addressee may notice",
        presence,
    ),
    (
        "a receipt names the addressees in the order of the address",
        in_order,
    ),
    ("at most 60 addressees", too_many),
];

fn persona_before_person(desk: &Desk<'_>) {
    let agent = desk.sit("s1", 1, api());
    let person = desk.person(agent.persona(), 50);
    let seq = desk.say(&format!("@{} hi", agent.persona()));
    assert_eq!(desk.news(&agent.reader()), [seq]);
    assert!(desk.news(&person.reader()).is_empty());
}

fn person_before_folder(desk: &Desk<'_>) {
    let agent = desk.sit("s1", 1, Place::new("/repos/sam", "/repos/sam"));
    let person = desk.person("sam", 50);
    let seq = desk.say("@sam hi");
    assert_eq!(desk.news(&person.reader()), [seq]);
    assert!(desk.news(&agent.reader()).is_empty());
}

fn persona_before_folder(desk: &Desk<'_>) {
    let agent = desk.sit("s1", 1, api());
    let path = format!("/repos/{}", agent.persona());
    let namesake = desk.sit("s2", 2, Place::new(&path, &path));
    let seq = desk.say(&format!("@{} hi", agent.persona()));
    assert_eq!(desk.news(&agent.reader()), [seq]);
    assert!(desk.news(&namesake.reader()).is_empty());
}

fn seat_before_person(desk: &Desk<'_>) {
    let agent = desk.sit("s1", 1, api());
    let person = desk.person(agent.name(), 50);
    let seq = desk.say(&format!("@{} hi", agent.name()));
    assert_eq!(desk.news(&agent.reader()), [seq]);
    assert!(desk.news(&person.reader()).is_empty());
}

fn folder(desk: &Desk<'_>) {
    let agent = desk.sit("s1", 1, api());
    let plain = desk.sit("s2", 2, Place::new("/repos/notes", "/repos/notes"));
    let (first, second) = (desk.say("@api hi"), desk.say("@Notes hi"));
    assert_eq!(desk.news(&agent.reader()), [first]);
    assert_eq!(desk.news(&plain.reader()), [second]);
}

fn ambiguous(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let other = desk.sit("s2", 2, Place::new("/old/api/.git", "/old/api"));
    let error = desk.send(&Sender::Program, draft("@api hi"));
    let Err(error) = error else {
        panic!("a name of two folders was accepted: {error:?}");
    };
    assert_eq!(error.kind(), MailErrorKind::Ambiguous);
    let text = error.to_string();
    assert!(
        text.contains(one.persona()) && text.contains(other.persona()),
        "{text}"
    );
    assert!(desk.news(&one.reader()).is_empty() && desk.news(&other.reader()).is_empty());
}

fn folded(desk: &Desk<'_>) {
    let agent = desk.sit("s1", 1, api());
    let person = desk.person("zo\u{eb}", 50);
    let seq = desk.say(&format!("@{} hi", agent.name().to_uppercase()));
    assert_eq!(desk.news(&agent.reader()), [seq]);
    let seq = desk.say("@ZOE\u{308} hi");
    assert_eq!(desk.news(&person.reader()), [seq]);
    assert_eq!(desk.person("Zoe\u{308}", 51).seat(), person.seat());
}

fn persona_is_free(desk: &Desk<'_>) {
    let first = desk.another().sit("s1", 1, api()).persona().to_owned();
    desk.person(&first.to_lowercase(), 50);
    let second = desk.sit("s1", 1, api());
    assert_ne!(second.persona(), first);
    assert!(second.persona().is_ascii() && !second.persona().is_empty());
}

fn persona_is_kept(desk: &Desk<'_>) {
    let mut seen = Vec::new();
    for n in 0..40_u32 {
        let path = format!("/repos/{n}");
        let sat = desk.sit(&format!("s{n}"), n + 1, Place::new(&path, &path));
        assert!(
            !seen.contains(&sat.persona().to_owned()),
            "{} twice",
            sat.persona()
        );
        seen.push(sat.persona().to_owned());
    }
    desk.around.reboot();
    let again = desk.sit("other", 1, Place::new("/repos/7", "/repos/7"));
    assert_eq!(again.persona(), seen[7]);
}

fn all_or_nothing(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, web());
    let slip = format!("{}x", two.persona());
    let text = format!("@{} @{slip} #open hi", one.name());
    let error = match desk.send(&Sender::Program, draft(&text)) {
        Err(error) => error,
        Ok(receipt) => panic!("an unknown name was accepted: {receipt:?}"),
    };
    assert_eq!(error.kind(), MailErrorKind::UnknownName);
    let text = error.to_string();
    assert!(
        text.contains(&format!("@{}", two.persona())),
        "no closest name: {text}"
    );
    for sat in [&one, &two] {
        assert!(desk.news(&sat.reader()).is_empty());
        assert_eq!(desk.unread(sat.seat()), 0);
    }
    let lost = draft("#nowhere hi").to(Address::Place(Place::new("/new", "/new")));
    assert_eq!(
        refused(desk.send(&Sender::Program, lost)),
        MailErrorKind::UnknownRoom
    );
    let made = desk.ask(&crate::mail::Query::Project(Place::new("/new", "/new")));
    assert_eq!(
        made,
        crate::mail::Answer::Project(None),
        "a refused address made a project"
    );
}

fn unknown_room(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    desk.join(&sat, "deploy");
    match desk.send(&Sender::Program, draft("#deplyo hi")) {
        Err(error) => {
            assert_eq!(error.kind(), MailErrorKind::UnknownRoom);
            let words = "there is no room #deplyo, did you mean #deploy?";
            assert_eq!(error.to_string(), words);
        }
        Ok(receipt) => panic!("an unknown room was accepted: {receipt:?}"),
    }
    assert!(
        desk.rooms(None)
            .iter()
            .all(|room| room.name.as_str() != "deplyo")
    );
}

fn everybody(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, web());
    let sam = desk.person("sam", 50);
    let all: Vec<_> = ["hi", "#all hi", "#broadcast hi", "#open hi"]
        .into_iter()
        .map(|text| desk.say(text))
        .collect();
    for sat in [&one, &two, &sam] {
        assert_eq!(desk.news(&sat.reader()), all);
        assert_eq!(desk.letters(&sat.reader())[0].to, "#open");
    }
    assert_eq!(
        desk.rooms(None).iter().map(|room| room.posts).sum::<u64>(),
        4
    );
}

fn path_waits(desk: &Desk<'_>) {
    let receipt = desk.sent(&Sender::Program, Draft::new("hi").to(api()));
    match receipt.recipients.as_slice() {
        [
            Recipient::Tray {
                seat: None,
                presence: Presence::Waiting,
                ..
            },
        ] => {}
        other => panic!("a path where nobody sits gave {other:?}"),
    }
    let sat = desk.sit("s1", 1, api());
    assert_eq!(desk.news(&sat.reader()), [receipt.seq]);
    let receipt = desk.sent(&Sender::Program, Draft::new("hi").to(api_fix()));
    assert!(
        matches!(receipt.recipients[..], [Recipient::Tray { seat: None, .. }]),
        "another work tree was reached: {receipt:?}"
    );
}

fn presence(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let presence = || match desk.sent(&Sender::Program, draft("@api hi")).recipients[..] {
        [Recipient::Tray { presence, .. }] => presence,
        ref other => panic!("one addressee gave {other:?}"),
    };
    assert_eq!(presence(), Presence::NoReader);
    let run = desk.process(10);
    desk.changed(&crate::mail::Change::Register(sat.read_by(run.clone())));
    assert_eq!(presence(), Presence::Listening);
    desk.around.end(&run);
    assert_eq!(presence(), Presence::NoReader);
    desk.around.end(&sat.process);
    assert_eq!(presence(), Presence::Waiting);
}

fn in_order(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, web());
    desk.join(&two, "deploy");
    let text = format!("@{} #deploy @{} #open hi", two.name(), one.name());
    let receipt = desk.sent(&Sender::Program, draft(&text));
    assert_eq!(
        reached(&receipt),
        [two.name(), "#deploy", one.name(), "#open"]
    );
    match &receipt.recipients[1] {
        Recipient::Room { members, .. } => assert_eq!(*members, 1),
        other @ Recipient::Tray { .. } => panic!("a room gave {other:?}"),
    }
}

fn too_many(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let many = |count: usize| {
        let places = (0..count).map(|n| Place::new(format!("/p/{n}"), format!("/p/{n}")));
        places.fold(draft(&format!("@{} hi", sat.name())), Draft::to)
    };
    let kind = refused(desk.send(&Sender::Program, many(MAX_ADDRESSES)));
    assert_eq!(kind, MailErrorKind::Invalid);
    assert!(desk.news(&sat.reader()).is_empty());
    let receipt = desk.sent(&Sender::Program, many(MAX_ADDRESSES - 1));
    assert_eq!(receipt.recipients.len(), MAX_ADDRESSES);
}
