//! The engine in a loop of one's own, without a runtime: what of many findings may interrupt.
//!
//! Each line of the input is what some program found: its name, how much that matters, and the
//! fact. For `disk 1 81 % full` and `build 4 cargo build failed` on its input,
//! `cargo run -p examples --example plain_loop` prints after a second:
//!
//! ```text
//! [attend sensor=build priority=medium] cargo build failed
//! not shown, disk: adds up to less than the threshold
//! ```

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use attend_core::attention::{Attention, Input, SensorProfile, Step, Verdict};
use attend_core::dynamics::Tick;
use attend_core::sensor::{Event, Report, SensorName};

/// What the loop is told: a finding, or that there are no more.
type Told = Option<(SensorName, Report)>;

/// The finding in `line`.
fn finding(line: &str) -> Result<(SensorName, Report), Box<dyn std::error::Error>> {
    let mut words = line.splitn(3, ' ');
    let mut word = || words.next().ok_or("a line is NAME MAGNITUDE FACT");
    let name = SensorName::new(word()?)?;
    let magnitude = word()?.parse()?;
    let mut report = Report::new();
    report.event(Event::new(magnitude, word()?))?;
    Ok((name, report))
}

/// Tells `attention` what it is told, and writes what it answers, until there is nothing more to
/// be told and nothing left that leaves soon. `now` is in seconds and never steps back.
fn run(
    attention: &mut Attention,
    now: impl Fn() -> u64,
    mut next: impl FnMut(Duration) -> Result<Told, RecvTimeoutError>,
    mut out: impl Write,
) -> io::Result<()> {
    let (mut sensors, mut ends) = (Vec::new(), false);
    loop {
        let tick = Tick::new(now());
        match attention.step(tick) {
            Step::Write(batch) => match write!(out, "{batch}").and_then(|()| out.flush()) {
                Ok(()) => attention.ack(tick, batch.id()),
                Err(error) => {
                    attention.nack(tick, batch.id()); // It stays held, for whoever comes next.
                    return Err(error);
                }
            },
            Step::Wait { until } => {
                let seconds = until.map_or(60, |until| until.since(tick).get());
                if ends && seconds > 2 {
                    return Ok(());
                }
                match next(Duration::from_secs(seconds.min(60))) {
                    Ok(Some((name, report))) => {
                        let tick = Tick::new(now());
                        let profile = SensorProfile::new(name.clone());
                        if !sensors.contains(&profile) {
                            sensors.push(profile);
                            attention.input(tick, Input::Sensors(sensors.clone()));
                        }
                        attention.input(tick, Input::Report(name, report));
                    }
                    Ok(None) => ends = true,
                    Err(_) => {} // It is time, or nobody is left to tell anything.
                }
            }
            // There is no mailbox here, so there is nothing to claim.
            _ => attention.input(tick, Input::ClaimFailed),
        }
    }
}

fn main() -> io::Result<()> {
    let (send, told) = channel();
    // The loop keeps an end of its own, so that it can wait where nobody tells it anything.
    let sender = send.clone();
    std::thread::spawn(move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            match finding(&line) {
                Ok(found) => drop(sender.send(Some(found))),
                Err(error) => println!("not understood: {error}"),
            }
        }
        drop(sender.send(None));
    });

    #[expect(
        clippy::disallowed_methods,
        reason = "there is nobody above to give the time"
    )]
    let start = Instant::now();
    let mut attention = Attention::builder().build();
    let now = || start.elapsed().as_secs();
    run(
        &mut attention,
        now,
        |most| told.recv_timeout(most),
        io::stdout(),
    )?;
    drop(send);

    for held in attention
        .sensors()
        .iter()
        .filter(|held| !held.entries().is_empty())
    {
        if let Some(Verdict::Hold { reason, .. }) = attention.verdict(held.name(), Tick::new(now()))
        {
            println!("not shown, {}: {reason}", held.name());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// Runs the loop over `lines`, each told at its second, in virtual time.
    fn day(lines: &[(u64, &str)]) -> (String, Attention) {
        let (clock, mut rest) = (Cell::new(0), lines.iter());
        let mut ahead = rest.next();
        let next = |most: Duration| {
            let end = clock.get() + most.as_secs();
            match ahead {
                Some((at, _)) if *at > end => clock.set(end),
                Some((at, line)) => {
                    clock.set((*at).max(clock.get()));
                    ahead = rest.next();
                    return Ok(Some(finding(line).unwrap()));
                }
                None => {
                    clock.set(end);
                    return Ok(None);
                }
            }
            Err(RecvTimeoutError::Timeout)
        };
        let (mut attention, mut out) = (Attention::builder().build(), Vec::new());
        run(&mut attention, || clock.get(), next, &mut out).unwrap();
        (String::from_utf8(out).unwrap(), attention)
    }

    #[test]
    fn what_matters_is_written_and_small_things_ride_along() {
        let (told, attention) = day(&[
            (0, "disk 1 81 % full"),
            (40, "disk 2 92 % full"),
            (41, "build 4 failed"),
        ]);
        assert_eq!(
            told,
            "[attend sensor=build priority=medium] failed\n[attend] also: 92 % full; 81 % full\n"
        );
        assert!(
            attention
                .sensors()
                .iter()
                .all(|held| held.entries().is_empty())
        );
    }

    #[test]
    fn what_nobody_reads_stays_held() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let (clock, mut told) = (Cell::new(0), Some(finding("build 4 failed").unwrap()));
        let next = |most: Duration| {
            clock.set(clock.get() + most.as_secs());
            Ok(told.take())
        };
        let mut attention = Attention::builder().build();
        let error = run(&mut attention, || clock.get(), next, Closed).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
        assert_eq!(attention.sensors()[0].entries().len(), 1);
    }

    #[test]
    fn a_line_that_is_no_finding_is_told_as_such() {
        for line in [
            "",
            "disk",
            "disk much",
            "disk much full",
            "Disk! 1 full",
            "disk 101 full",
        ] {
            assert!(finding(line).is_err(), "{line}");
        }
    }
}
