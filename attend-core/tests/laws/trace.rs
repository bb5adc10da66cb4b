//! Whatever an engine lived through replays from its trace, and no message can be read in there.

use attend_core::attention::{
    Attention, Batch, Conditions, Input, Played, Settings, Trace, TraceLog, Voice,
};
use attend_core::mail::{Letter, MessageId, Seq};
use proptest::prelude::*;

use crate::world::{Op, What, World, history, look};

/// The lines of a batch that are no message's, and the ids of the messages.
fn told(batch: &Batch) -> (u64, Vec<String>, Vec<String>) {
    let mail = "[attend sensor=messages priority=high] ";
    let lines = batch.lines().iter().map(|line| line.as_str().to_owned());
    let (mails, others): (Vec<_>, Vec<_>) = lines.partition(|line| line.starts_with(mail));
    let words = |line: &String| {
        let rest = line.strip_prefix(mail).unwrap_or_default();
        // A digest is attend's own sentence.
        if rest.contains("attend inbox --unread") || rest.contains(" below") {
            return rest.to_owned();
        }
        rest.split(' ').next().unwrap_or_default().to_owned()
    };
    (
        batch.tick().get(),
        others,
        mails.iter().map(words).collect(),
    )
}

fn played(batch: &Played) -> (u64, Vec<String>, Vec<String>) {
    let (mut others, mut mails) = (Vec::new(), Vec::new());
    for line in &batch.lines {
        match line
            .text
            .strip_prefix("[attend sensor=messages priority=high] ")
        {
            Some(rest) => {
                assert_eq!(line.voice, Voice::Mail);
                let rest = rest.trim_end_matches(" (agent, 5 characters)");
                mails.push(rest.to_owned());
            }
            None => others.push(line.text.clone()),
        }
    }
    (batch.at.get(), others, mails)
}

fn lived(history: &[Op], text: &str) -> World {
    let mut world = World::new(Settings::default());
    world.log.input(world.now, &Input::Banner(text.to_owned()));
    world
        .attention
        .input(world.now, Input::Banner(text.to_owned()));
    for op in history {
        world.live(op);
    }
    world.wait(1_000);
    world
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn an_engine_that_goes_on_from_a_checkpoint_replays_from_it(before in history(30), after in history(30)) {
        let mut world = lived(&before, "a banner");
        let checkpoint = world.attention.checkpoint();
        let restored = Attention::builder().restore(checkpoint.clone(), world.now).build();
        world.log = TraceLog::begin(world.now, restored.settings(), Some(&checkpoint));
        world.attention = restored;
        world.written.clear();
        world.introduce();
        world.look();
        for op in &after {
            world.live(op);
        }
        let trace = Trace::read(&world.log.take()).expect("a trace");
        let replay = trace.replay().expect("it decides the same");
        let live: Vec<_> = world.written.iter().map(told).collect();
        prop_assert_eq!(live, replay.batches.iter().map(played).collect::<Vec<_>>());
    }

    #[test]
    fn what_was_recorded_replays_batch_for_batch(history in history(60)) {
        let mut world = lived(&history, "a banner");
        let trace = Trace::read(&world.log.take()).expect("a trace");
        let replay = trace.replay().expect("it decides the same");
        let live: Vec<_> = world.written.iter().map(told).collect();
        let again: Vec<_> = replay.batches.iter().map(played).collect();
        prop_assert_eq!(live, again);
        let units: usize = world.written.iter().map(Batch::units).sum();
        prop_assert_eq!(units, replay.units());
        let held: usize = world.attention.sensors().iter().map(|held| held.entries().len()).sum();
        prop_assert_eq!(held, replay.held.len());
    }

    #[test]
    fn under_the_same_settings_both_ways_of_asking_agree(history in history(60)) {
        let mut world = lived(&history, "a banner");
        let trace = Trace::read(&world.log.take()).expect("a trace");
        let own = trace.under_its_own();
        prop_assert_eq!(&own, &trace.under(&Conditions::new(Settings::default())));
        prop_assert!(own.differences(&own).is_empty());
    }

    #[test]
    fn letters_of_any_size_leave_events_the_same_room(
        sizes in prop::collection::vec(0..2_500_usize, 1..9), word in 1..600_usize, looks in prop::collection::vec(look(), 1..12),
    ) {
        let mut world = lived(&[], "a banner");
        for (sensor, found) in looks {
            world.live(&Op { after: 0, what: What::Look(sensor, found) });
        }
        for (n, size) in (1..).zip(sizes) {
            let body: String = (0..size).map(|at| if at % word == word - 1 { ' ' } else { 'ä' }).collect();
            let id = MessageId::new(format!("M{n:05}"));
            world.waiting.push(Letter::new(Seq::new(n), id, "Tam-alpha", "you", body));
            world.sent = n;
        }
        world.look();
        world.wait(1_000);
        let trace = Trace::read(&world.log.take()).expect("a trace");
        let replay = trace.replay().expect("it decides the same");
        let events = |batch: &Batch| told(batch).1;
        let live: Vec<_> = world.written.iter().map(|batch| (events(batch), batch.units())).collect();
        let again = replay.batches.iter().map(|batch| {
            (played(batch).1, batch.lines.iter().map(|line| line.units).sum::<usize>())
        });
        prop_assert_eq!(live, again.collect::<Vec<_>>());
    }

    #[test]
    fn no_words_of_a_message_are_written_down(history in history(30)) {
        let mut world = lived(&history, "a banner");
        let text = String::from_utf8(world.log.take()).expect("JSON");
        prop_assert!(!text.contains("words") && !text.contains("Tam"), "{}", text);
    }

    #[test]
    fn a_trace_that_ends_anywhere_still_replays_or_says_where_it_is_damaged(history in history(20), cut in 0.0..1.0_f64) {
        let mut world = lived(&history, "a banner");
        let mut bytes = world.log.take();
        let head = bytes.iter().position(|byte| *byte == b'\n').expect("a line") + 1;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "somewhere in it")]
        let end = head + ((bytes.len() - head) as f64 * cut) as usize;
        bytes.truncate(end);
        let trace = Trace::read(&bytes).expect("all but its last line is whole");
        prop_assert!(!(trace.is_cut_short() && bytes.ends_with(b"\n")));
        prop_assert!(trace.replay().is_ok());
    }
}
