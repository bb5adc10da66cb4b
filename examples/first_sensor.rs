//! A first sensor: tells when work is marked as left to do, and when the last of it is done.
//!
//! Run it with `cargo run -p examples --example first_sensor`. It needs no clock, no runtime and
//! no agent: a harness lets the sensor look at a directory of its own, in virtual time, and prints:
//!
//! ```text
//! At first the look was quiet
//! A minute later the look reported:
//!   2.0 `TODO lines in notes.md: 2` key=todo
//! ```

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::time::Duration;

use async_trait::async_trait;
use attend_core::sensor::{Event, PollContext, Sensor, SensorError};
use attend_core::testkit::Harness;

/// Counts the lines of `notes.md` that say TODO.
#[derive(Default)]
struct Todo {
    known: Option<usize>,
}

#[async_trait]
impl Sensor for Todo {
    async fn poll(&mut self, cx: &mut PollContext) -> Result<(), SensorError> {
        let path = cx.roots().work().join("notes.md");
        let text = std::fs::read_to_string(&path)
            .map_err(|error| SensorError::transient(format!("cannot read notes.md: {error}")))?;
        let count = text.lines().filter(|line| line.contains("TODO")).count();
        // The first look is a baseline: what was there before is no news.
        let before = self.known.replace(count);
        if before.is_some_and(|before| count > before) {
            cx.report(Event::new(2.0, format!("TODO lines in notes.md: {count}")).key("todo"));
        } else if count == 0 && before.is_some_and(|before| before > 0) {
            cx.report(Event::new(3.0, "the last TODO in notes.md is done").key("todo"));
        }
        Ok(())
    }
}

fn main() {
    let mut harness = Harness::new().file("notes.md", "TODO: write the first sensor\n");
    let mut todo = Todo::default();
    println!("At first {:?}", harness.poll(&mut todo));

    harness.write(
        "notes.md",
        "TODO: write the first sensor\nTODO: and a second\n",
    );
    harness.advance(Duration::from_mins(1));
    println!("A minute later {:?}", harness.poll(&mut todo));
}

#[cfg(test)]
mod tests {
    use super::*;
    use attend_core::testkit::Conformance;

    #[test]
    fn more_are_told_and_so_is_the_last_but_not_fewer() {
        let mut harness = Harness::new().file("notes.md", "TODO: a\n");
        let mut todo = Todo::default();
        harness.poll(&mut todo).assert_quiet();

        harness.write("notes.md", "TODO: a\nTODO: b\nTODO: c\n");
        let polled = harness.poll(&mut todo);
        assert_eq!(polled.only_event().text(), "TODO lines in notes.md: 3");
        harness.write("notes.md", "TODO: a\n");
        harness.poll(&mut todo).assert_quiet();
        harness.write("notes.md", "all done\n");
        harness
            .poll(&mut todo)
            .assert_texts(&["the last TODO in notes.md is done"]);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_not_an_empty_one() {
        let mut harness = Harness::new().file("notes.md", "TODO: a\n");
        let mut todo = Todo::default();
        harness.poll(&mut todo);
        harness.remove("notes.md");
        assert!(
            harness
                .poll(&mut todo)
                .error()
                .to_string()
                .starts_with("cannot read notes.md")
        );
        harness.write("notes.md", "TODO: a\n");
        harness.poll(&mut todo).assert_quiet();
    }

    #[test]
    fn it_keeps_the_contract() {
        Conformance::new()
            .harness(Harness::new().file("notes.md", "TODO: a\n"))
            .change(|harness| drop(harness.write("notes.md", "TODO: a\nTODO: b\n")))
            .check(|_| Box::new(Todo::default()));
    }
}
