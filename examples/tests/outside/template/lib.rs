//! A sensor of somebody else: tells how long a file has become.

use async_trait::async_trait;
use attend_core::sensor::{
    BuildContext, ConfigError, Event, PollContext, Sensor, SensorError, SensorSpec, Snapshot,
};
use serde::{Deserialize, Serialize};

/// How it is configured.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Length {
    /// It is told from so many bytes on.
    pub most: u64,
}

impl SensorSpec for Length {
    const KIND: &'static str = "length";
    const ABOUT: &'static str = "how long notes.md is";

    fn build(self, _cx: &BuildContext) -> Result<Box<dyn Sensor>, ConfigError> {
        let most = self.most;
        Ok(Box::new(Watch { most, told: false }))
    }
}

struct Watch {
    most: u64,
    told: bool,
}

#[async_trait]
impl Sensor for Watch {
    async fn poll(&mut self, cx: &mut PollContext) -> Result<(), SensorError> {
        let length =
            std::fs::metadata(cx.roots().work().join("notes.md")).map_or(0, |file| file.len());
        if !self.told && length > self.most {
            cx.report(
                Event::new(5.0, format!("notes.md has {length} bytes"))
                    .key("long")
                    .standing(),
            );
            self.told = true;
        }
        Ok(())
    }

    fn snapshot(&self) -> Option<Snapshot> {
        Snapshot::of(&self.told).ok()
    }

    fn restore(&mut self, from: &Snapshot) -> Result<(), SensorError> {
        self.told = from.read()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use attend_core::testkit::{Conformance, Harness};

    #[test]
    fn it_keeps_the_contract() {
        Conformance::new()
            .harness(Harness::new().file("notes.md", "short\n"))
            .change(|harness| drop(harness.write("notes.md", "no longer short\n")))
            .check_kind(&Length { most: 8 });
    }
}
