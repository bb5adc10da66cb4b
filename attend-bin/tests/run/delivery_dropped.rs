//! Lines that Monitor did not deliver: what they said is shown again, marked, and not for ever.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::time::Instant;

use attend_core::testkit::monitor::Notification;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::desk::{Done, id, program};
use crate::hosts_fake::SILENCE;
use crate::live::{Live, PATIENCE, eventually};
use crate::monitor_pipe::Flood;
use crate::reader::{Session, Shown, without_cooldown};
use crate::world::World;

/// Sends `words`, and waits at most so long until they were seen.
fn seen(world: &World, session: &Session<'_>, timeout: &str, words: &str) -> Done {
    let wait = ["send", "--json", "--wait", "seen", "--timeout", timeout];
    program(
        world,
        &[&wait[..], &["--to", &session.seat, words]].concat(),
    )
}

/// What the receipt says of who saw it.
fn receipt(done: &Done) -> (String, Value) {
    let mut receipt: Value = serde_json::from_str(&done.out).expect("one JSON document");
    (id(&receipt), receipt["states"].take())
}

/// A session under Monitor, to which one message was delivered, and one was not.
struct Dropped<'w> {
    session: Session<'w>,
    arrived: String,
    missed: String,
}

impl<'w> Dropped<'w> {
    fn by(world: &'w World, n: usize, flood: Flood) -> Self {
        let mut session = Session::new(world, n);
        let mut live = session.reader();
        live.delivered().excuse();
        session.transcribe(live.delivered().monitor());

        let done = seen(world, &session, "30s", "it arrives");
        assert_eq!((done.code, done.err.as_str()), (0, ""));
        let (arrived, states) = receipt(&done);
        assert_eq!(states, json!({ session.seat.as_str(): "seen" }));

        live.delivered().monitor().flood(flood);
        let done = seen(world, &session, "4s", "it is left out");
        assert_eq!(done.code, 1);
        let why = format!("not seen within 4s by {} (printed)", session.seat);
        assert!(done.err.contains(&why), "{}", done.err);
        let (missed, states) = receipt(&done);
        assert_eq!(states, json!({ session.seat.as_str(): "printed" }));
        live.assert_told(&[&arrived]);

        Self::end(live, flood);
        let transcript = fs::read_to_string(session.transcript()).expect("a transcript");
        assert!(transcript.contains(&arrived) && !transcript.contains(&missed));
        // The host may still be about to take it up.
        assert_eq!(session.hook("UserPromptSubmit").ok(), "");
        Self {
            session,
            arrived,
            missed,
        }
    }

    /// The loop ends: with its Monitor, or as the host ends that.
    fn end(mut live: Live, flood: Flood) {
        let monitor = live.delivered().monitor().so_far();
        if flood == Flood::Stops {
            assert!(monitor.stopped().is_some(), "{monitor:?}");
        } else {
            let texts = monitor.suppressed().flat_map(Notification::written);
            assert_eq!(Shown::all(texts).len(), 1, "it left out the message");
            live.signal(Signal::TERM);
        }
        let (code, _, errors) = live.ended();
        assert_eq!((code, errors.as_str()), (Some(0), ""));
    }
}

#[test]
#[ignore = "takes more than a minute, which the host has to take up what it was given"]
fn what_monitor_left_out_is_shown_again_by_the_next_hook_and_what_it_delivered_is_not() {
    let world = World::new();
    let mut all = [
        (
            Dropped::by(&world, 0, Flood::Suppresses),
            "UserPromptSubmit",
        ),
        (Dropped::by(&world, 1, Flood::Stops), "PostToolUse"),
    ];
    let begun = Instant::now();
    for (one, event) in &mut all {
        let found = format!("] {} (again) program → you: it is left out", one.missed);
        let mut told = String::new();
        while told.is_empty() && begun.elapsed() < PATIENCE * 2 {
            eventually("a while passes", || {
                told = one.session.hook(event).ok();
                !told.is_empty() || begun.elapsed() > PATIENCE
            });
        }
        assert!(told.contains(&found), "{told}");
        assert!(!told.contains(&one.arrived), "{told}");
        assert_eq!(one.session.hook(event).ok(), "", "once");
    }
}

/// How many messages are shown where no evidence is ever found.
const MESSAGES: usize = 20;

/// A session whose host writes down what Monitor delivers in rows that nobody knows yet, and what
/// it was told.
struct Unknown<'w> {
    session: Session<'w>,
    live: Live,
    /// Of each message, whether its showings were marked.
    showings: BTreeMap<String, Vec<bool>>,
    notices: Vec<String>,
    errors: String,
}

impl<'w> Unknown<'w> {
    fn new(world: &'w World) -> Self {
        let session = Session::new(world, 0);
        let row = json!({"kind": "begun", "of": "a later version"});
        fs::write(session.transcript(), format!("{row}\n")).expect("a transcript");
        let live = session.reader();
        Self {
            session,
            live,
            showings: BTreeMap::new(),
            notices: Vec::new(),
            errors: String::new(),
        }
    }

    /// Takes what is delivered until nothing was for a while.
    fn hear(&mut self) {
        let file = self.session.transcript();
        let file = fs::File::options().append(true).open(file);
        let mut file = file.expect("a transcript");
        while let Some(text) = self.live.line_within(SILENCE) {
            let row = json!({"kind": "notified", "of": {"monitor": text}});
            writeln!(file, "{row}").expect("a transcript");
            if let Some(shown) = Shown::of(&text) {
                self.showings.entry(shown.id).or_default().push(shown.again);
            } else if text.starts_with("[attend] notice: ") {
                self.notices.push(text);
            }
        }
        self.errors += &self.live.errors_so_far();
    }

    /// The same, until `holds`.
    #[track_caller]
    fn hear_until(&mut self, what: &str, holds: impl Fn(&Self) -> bool) {
        let begun = Instant::now();
        while !holds(self) {
            assert!(
                begun.elapsed() < PATIENCE * 3,
                "{what}: {:?}",
                self.showings
            );
            self.hear();
        }
    }

    fn repeats(&self) -> usize {
        let marks = self.showings.values().flatten();
        marks.filter(|again| **again).count()
    }
}

#[test]
#[ignore = "takes two minutes, which the host has to take up what it was given"]
fn where_no_row_is_known_at_most_ten_are_repeated_and_it_is_said_once() {
    const FIRST: usize = 6;
    const OFF: &str = "do not stand in the transcript of this session";
    let world = World::new();
    without_cooldown(&world);
    let mut host = Unknown::new(&world);
    let mut sent = Vec::new();
    for n in 0..MESSAGES {
        if n == FIRST {
            host.hear_until("they are repeated", |host| host.repeats() >= FIRST);
        }
        sent.push(host.session.told(&format!("number {n}")));
    }
    host.hear_until("it is noticed", |host| host.errors.contains(OFF));
    host.hear();
    let repeats = host.repeats();
    assert!((FIRST..=10).contains(&repeats), "{:?}", host.showings);
    // The notice wakes nobody: it comes with what is said next, once.
    assert_eq!(host.notices, [""; 0]);
    for n in 0..2 {
        sent.push(host.session.told(&format!("after it {n}")));
        host.hear_until("it is shown", |host| host.showings.len() == sent.len());
    }
    assert_eq!(host.notices.len(), 1, "{:?}", host.notices);
    assert!(host.notices[0].contains(OFF), "{:?}", host.notices);
    assert_eq!(host.errors.matches(OFF).count(), 1, "{}", host.errors);
    assert_eq!(host.repeats(), repeats, "none is repeated any more");
    for id in &sent {
        let unmarked = host.showings[id].iter().filter(|again| !**again);
        assert_eq!(unmarked.count(), 1, "{id}: {:?}", host.showings);
        assert!(!host.showings[id][0], "{id}: the first is unmarked");
    }
    // Nothing is awaited, and nothing will be new again: what was printed is done.
    let page = host.session.desk.run("attend inbox --json").json();
    let messages = page["messages"].as_array().expect("a list").iter();
    let states: Vec<&Value> = messages.map(|message| &message["state"]).collect();
    assert_eq!(states, vec!["printed"; sent.len()]);
}
