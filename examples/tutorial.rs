//! The sensor of the tutorial: tells while lines of `notes.md` say TODO.

use async_trait::async_trait;
use attend_core::runtime::Driver;
use attend_core::runtime::config::{Places, Reader};
use attend_core::sensor::{
    BuildContext, ConfigError, Event, PollContext, Project, Roots, Sensor, SensorError, SensorSpec,
};
use serde::{Deserialize, Serialize};

/// How it is configured: not at all, so far.
#[derive(Clone, Default, Serialize, Deserialize)]
struct TodoConfig {}

impl SensorSpec for TodoConfig {
    const KIND: &'static str = "todo";
    const ABOUT: &'static str = "lines of notes.md that say TODO";

    fn build(self, _cx: &BuildContext) -> Result<Box<dyn Sensor>, ConfigError> {
        Ok(Box::new(Todo { known: 0 }))
    }
}

struct Todo {
    known: usize,
}

#[async_trait]
impl Sensor for Todo {
    async fn poll(&mut self, cx: &mut PollContext) -> Result<(), SensorError> {
        let path = cx.roots().work().join("notes.md");
        let text = std::fs::read_to_string(&path)
            .map_err(|error| SensorError::transient(format!("cannot read notes.md: {error}")))?;
        let count = text.lines().filter(|line| line.contains("TODO")).count();
        if count == 0 {
            cx.clear("todo");
        } else if count != self.known {
            let text = format!("lines of notes.md that say TODO: {count}");
            cx.report(Event::new(3.0, text).key("todo").standing());
        }
        self.known = count;
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = std::fs::canonicalize(".")?;
    let kinds = attend_sensors::built_in().with::<TodoConfig>();
    let mut reader = Reader::new(Places::new(None, &root), kinds).without_host();
    let config = reader.read();
    let sensors = reader.setups(&config);
    let driver = Driver::builder(Roots::new(&root), Project::at(&root)).sensors(sensors);
    driver.build()?.once()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use attend_core::testkit::{Conformance, Harness};
    use std::time::Duration;

    #[test]
    fn lines_are_told_until_they_are_gone() {
        let mut harness = Harness::new().file("notes.md", "TODO: a\n");
        let mut todo = harness.build(TodoConfig::default()).unwrap();
        harness
            .poll(todo.as_mut())
            .assert_texts(&["lines of notes.md that say TODO: 1"]);

        harness.advance(Duration::from_mins(1));
        harness.poll(todo.as_mut()).assert_quiet();

        harness.write("notes.md", "all done\n");
        assert_eq!(harness.poll(todo.as_mut()).cleared(), ["todo"]);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_an_error_and_no_change() {
        let mut harness = Harness::new();
        let mut todo = harness.build(TodoConfig::default()).unwrap();
        let polled = harness.poll(todo.as_mut());
        assert!(polled.error().to_string().contains("cannot read notes.md"));
    }

    #[test]
    fn it_keeps_the_contract() {
        Conformance::new()
            .harness(Harness::new().file("notes.md", "TODO: a\n"))
            .change(|harness| drop(harness.write("notes.md", "TODO: a\nTODO: b\n")))
            .check_kind(&TodoConfig::default());
    }
}
