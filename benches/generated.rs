//! A generated day: what sixteen sensors, a host and a mailbox say in 86,400 ticks.

use attend_core::attention::{Action, Cue, Script};
use attend_core::dynamics::Tick;
use attend_core::mail::{Letter, MessageId, Seq};
use attend_core::sensor::{Event, HostState, Key, Stakes};

use crate::{Dice, SENSORS, name};

/// The ticks of a day.
pub const DAY: u64 = 86_400;

/// The events of the generated day.
pub const EVENTS: u64 = 50_000;

/// Ticks of an hour, at the end of which the sensors say nothing for two minutes and then
/// everything at once.
const HOUR: u64 = 3_600;

/// Ticks between two messages, on average.
const BETWEEN_LETTERS: u64 = 240;

/// Ticks between two changes of the host, on average.
const BETWEEN_HOST_STATES: u64 = 400;

/// Numbers that make one day, the same wherever it is made.
const SEED: u64 = 0x00a7_7e4d;

/// A day of [`EVENTS`] events: small and repeated ones for the most part, some that may wake,
/// few that are critical, with clears, conditions that hold, floods, messages, and a host that
/// comes and goes.
pub fn day() -> Script {
    let mut dice = Dice::new(SEED);
    let mut script = Script::new();
    for place in 0..SENSORS {
        script = script.sensor(name(place), None);
    }
    let (mut told, mut letters) = (0, 0);
    for tick in 0..DAY {
        let due = EVENTS * (tick + 1) / DAY - told;
        let is_quiet = tick % HOUR > HOUR - 120 && tick + 1 < DAY;
        let mut cues = Vec::new();
        if due > 0 && !is_quiet && (dice.once_in(3) || tick + 1 == DAY) {
            cues.extend(look(&mut dice, due));
            told += due;
        }
        if dice.once_in(BETWEEN_LETTERS) {
            letters += 1;
            cues.push(Action::Letter(letter(&mut dice, letters), dice.once_in(50)));
        }
        if dice.once_in(BETWEEN_HOST_STATES) {
            cues.push(Action::Host(host(&mut dice, tick)));
        }
        let at = Tick::new(tick);
        script = cues
            .into_iter()
            .map(|action| Cue { at, action })
            .fold(script, |script, cue| script.cue(cue.at, cue.action));
    }
    script.cue(Tick::new(DAY), Action::End)
}

/// What one look of one sensor finds: so many events, and now and then the end of something.
fn look(dice: &mut Dice, events: u64) -> Vec<Action> {
    let sensor = name(usize::try_from(dice.below(SENSORS as u64)).unwrap_or_default());
    let found = (0..events).map(|_| event(dice)).collect();
    let mut actions = vec![Action::Report(sensor.clone(), found)];
    if dice.once_in(5) {
        actions.push(Action::Clear(sensor, thing(dice)));
    }
    actions
}

fn event(dice: &mut Dice) -> Event {
    let magnitude = match dice.below(1_000) {
        0..800 => 0.1 * (1 + dice.below(9)) as f64,
        800..960 => 1.0 + 0.1 * dice.below(20) as f64,
        960..995 => 3.0 + 0.1 * dice.below(20) as f64,
        _ => 5.0 + dice.below(20) as f64,
    };
    let key = thing(dice);
    let count = dice.below(40);
    let text = format!("{count} files changed under attend-core/src/{key} since the last look");
    let event = Event::new(magnitude, text);
    match dice.below(100) {
        0..70 => event.key(key),
        70..73 => event.key(key).standing().inhibits([thing(dice)]),
        73..76 => event
            .signal("context-pressure")
            .stakes(Stakes::ahead("projected critical at turn 58")),
        76..78 => event.block((0..4).map(|line| format!("  {line}: assertion failed"))),
        78 if dice.once_in(4) => event.stakes(Stakes::at_hand("compaction in about 1 turn")),
        _ => event,
    }
}

/// One of 24 things that a sensor knows.
fn thing(dice: &mut Dice) -> Key {
    format!("thing-{}", dice.below(24)).into()
}

fn letter(dice: &mut Dice, seq: u64) -> Letter {
    let to = if dice.once_in(3) { "you" } else { "#deploy" };
    let words = usize::try_from(5 + dice.below(120)).unwrap_or_default();
    let id = MessageId::new(format!("M{seq:05}"));
    let body = "the build is green and may go out ".repeat(words / 8 + 1);
    Letter::new(Seq::new(seq), id, "Tam-alpha", to, body)
}

fn host(dice: &mut Dice, tick: u64) -> HostState {
    let since = Tick::new(tick);
    match dice.below(10) {
        0..4 => HostState::Idle { since },
        4 => HostState::Unknown,
        _ => HostState::Busy,
    }
}
