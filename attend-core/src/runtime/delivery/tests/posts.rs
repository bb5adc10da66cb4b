//! Words that sensors pass on, as the session sees them beside which they look.

use super::*;
use crate::sensor::Key;

#[test]
fn words_that_a_sensor_passes_on_to_this_seat_are_shown_here_and_once() {
    let mut here = Loop::new();
    let to = Name::parse(&here.name).unwrap();
    for _ in 0..2 {
        let draft = Draft::new("the notes, please").to(to.clone());
        assert_eq!(here.delivery.post(&Key::from("17"), draft), None);
    }
    here.turns();
    let [(id, marked)] = here.written.as_slice() else {
        panic!("{:?}", here.written);
    };
    assert!(!marked && here.said.is_empty(), "{:?}", here.said);
    let query = Query::Message {
        seat: Some(here.reader.seat),
        id: id.clone(),
    };
    match block_on(here.mailbox.read(&query)).unwrap() {
        Answer::Message(message) => assert_eq!(message.unwrap().entry.from, "program"),
        other => panic!("{other:?}"),
    }
}
