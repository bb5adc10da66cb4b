//! Reading scripts.

use std::str::FromStr;

use crate::attention::mute::MuteTarget;
use crate::dynamics::{Tick, TickDelta};
use crate::mail::{Letter, MessageId, SenderKind, Seq};
use crate::sensor::{Event, HostState, Magnitude, SensorName, Stakes};

use super::script::{Action, Cue, Script, ScriptError, ScriptErrorKind};
use super::words::words;

impl FromStr for Script {
    type Err = ScriptError;

    fn from_str(text: &str) -> Result<Self, ScriptError> {
        let mut script = Self::new();
        let mut letters = 0;
        for (at, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let read = words(line).map_err(as_kind(ScriptErrorKind::Words));
            let read = read.and_then(|words| cue(&mut script, &mut letters, &words));
            read.map_err(|(kind, problem)| ScriptError {
                kind,
                line: at + 1,
                problem,
            })?;
        }
        // Once, at the end: to put each cue in its place would move all later ones each time.
        script.cues.sort_by_key(|cue| cue.at);
        Ok(script)
    }
}

/// What is wrong with a line, in both forms.
type Wrong = (ScriptErrorKind, String);

fn as_kind(kind: ScriptErrorKind) -> impl Fn(String) -> Wrong {
    move |problem| (kind, problem)
}

fn cue(script: &mut Script, letters: &mut u64, words: &[String]) -> Result<(), Wrong> {
    let mut words = words.iter().map(String::as_str);
    let first = words.next().unwrap_or_default();
    if first == "sensor" {
        let sensor = declared(words).map_err(as_kind(ScriptErrorKind::Argument))?;
        script.sensors.push(sensor);
        return Ok(());
    }
    let ticks = ticks(first).map_err(as_kind(ScriptErrorKind::Tick))?;
    let no_action = as_kind(ScriptErrorKind::Action);
    let nothing = || no_action("there is a tick but nothing happens".to_owned());
    let verb = words.next().ok_or_else(nothing)?;
    let rest: Vec<&str> = words.collect();
    for at in ticks {
        let action = action(verb, &rest, at, letters);
        let action = action.map_err(as_kind(ScriptErrorKind::Argument))?;
        let unknown = || no_action(format!("nothing is called `{verb}`"));
        let action = action.ok_or_else(unknown)?;
        script.cues.push(Cue { at, action });
    }
    Ok(())
}

/// A sensor, and its threshold where it has one of its own.
fn declared<'a>(
    mut words: impl Iterator<Item = &'a str>,
) -> Result<(SensorName, Option<Magnitude>), String> {
    let name = sensor(words.next())?;
    let threshold = words.next().map(magnitude).transpose()?;
    let threshold =
        threshold.map(|value| Magnitude::new(value).ok_or("a threshold lies from 0 to 100"));
    Ok((name, threshold.transpose()?))
}

/// `10`, or `0..600/2`: every 2 ticks before 600.
fn ticks(word: &str) -> Result<Vec<Tick>, String> {
    let number = |word: &str| {
        word.parse::<u64>()
            .map_err(|_| format!("`{word}` is no tick"))
    };
    let Some((from, rest)) = word.split_once("..") else {
        return Ok(vec![Tick::new(number(word)?)]);
    };
    let (to, step) = rest.split_once('/').unwrap_or((rest, "1"));
    let (from, to, step) = (number(from)?, number(to)?, number(step)?);
    if step == 0 || to.saturating_sub(from) / step > 1_000_000 {
        return Err(format!("`{word}` is too many ticks"));
    }
    let mut ticks = Vec::new();
    let mut at = Tick::new(from);
    while at.get() < to {
        ticks.push(at);
        at = at.after(TickDelta::new(step));
    }
    Ok(ticks)
}

/// What happens; none where nothing is called so.
fn action(
    verb: &str,
    rest: &[&str],
    at: Tick,
    letters: &mut u64,
) -> Result<Option<Action>, String> {
    let text = |at: usize, what: &str| {
        rest.get(at)
            .map(|word| (*word).to_owned())
            .ok_or(format!("`{verb}` needs {what}"))
    };
    Ok(Some(match verb {
        "report" => {
            let sensor = sensor(rest.first().copied())?;
            let (event, times) = event(
                magnitude(&text(1, "a magnitude")?)?,
                &text(2, "a text")?,
                rest.get(3..).unwrap_or_default(),
            )?;
            Action::Report(sensor, vec![event; times])
        }
        "clear" => Action::Clear(sensor(rest.first().copied())?, text(1, "a key")?.into()),
        "host" => Action::Host(match text(0, "a state")?.as_str() {
            "busy" => HostState::Busy,
            "unknown" => HostState::Unknown,
            "idle" => HostState::Idle { since: at },
            "unprompted" => HostState::Unprompted,
            other => {
                return Err(format!(
                    "`{other}` is no state of a host: busy, unknown, idle or unprompted"
                ));
            }
        }),
        "handle" => Action::Handle(text(0, "a signal")?.into(), text(1, "a purpose")?),
        "letter" => {
            *letters += 1;
            let id = MessageId::new(text(0, "an id")?);
            let (from, to, body) = (
                text(1, "a sender")?,
                text(2, "an addressee")?,
                text(3, "a text")?,
            );
            let marks = rest.get(4..).unwrap_or_default();
            let kind = match marks {
                marks if marks.contains(&"person") => SenderKind::Person,
                marks if marks.contains(&"program") => SenderKind::Program,
                _ => SenderKind::Agent,
            };
            let letter = Letter::new(Seq::new(*letters), id, from, to, body).sent_by(kind);
            Action::Letter(letter, marks.contains(&"again"))
        }
        "mute" => {
            let target = match text(0, "a target")?.split_once('=') {
                Some(("sensor", name)) => MuteTarget::Sensor(sensor(Some(name))?),
                Some(("signal", name)) => MuteTarget::Signal(name.into()),
                _ => return Err("`mute` needs sensor=NAME or signal=NAME".to_owned()),
            };
            let span = rest.get(1).map(|word| word.parse().map(TickDelta::new));
            let span = span
                .transpose()
                .map_err(|_| "`mute` needs a number of ticks".to_owned())?;
            Action::Mute(target, span)
        }
        "unmute" => Action::Unmute,
        "notice" => Action::Notice(text(0, "a text")?),
        "banner" => Action::Banner(text(0, "a text")?),
        "lose" => Action::Lose,
        "fail" => Action::Fail,
        "restart" => Action::Restart,
        "end" => Action::End,
        _ => return Ok(None),
    }))
}

fn event(magnitude: f64, text: &str, options: &[&str]) -> Result<(Event, usize), String> {
    let mut event = Event::new(magnitude, text);
    let mut block = Vec::new();
    let mut times = 1;
    for option in options {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        event = match name {
            "key" => event.key(value),
            "standing" => event.standing(),
            "signal" => event.signal(value),
            "stakes" => event.stakes(Stakes::ahead(value)),
            "at-hand" => event.stakes(Stakes::at_hand(value)),
            "inhibits" => event.inhibits(value.split(',')),
            "block" => {
                block.push(value.to_owned());
                event
            }
            "times" => {
                times = value
                    .parse()
                    .map_err(|_| format!("`{value}` is no number of times"))?;
                event
            }
            other => return Err(format!("an event has no `{other}`")),
        };
    }
    event = event.block(block);
    Ok((event, times))
}

fn sensor(word: Option<&str>) -> Result<SensorName, String> {
    let word = word.ok_or("a sensor's name is missing")?;
    SensorName::new(word).map_err(|error| error.to_string())
}

fn magnitude(word: &str) -> Result<f64, String> {
    word.parse()
        .map_err(|_| format!("`{word}` is no magnitude"))
}
