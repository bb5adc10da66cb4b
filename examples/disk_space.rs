//! A sensor that looks: tells when little of the project's file system is free, and when it is over.
//!
//! Its kind stands beside the built-in ones, and is configured like them. Where a directory has
//! `sensors: {disk-space: {least: 60}, git: {enabled: false}}` in its `.claude/attend.yaml`,
//! `cargo run -p examples --example disk_space` from there prints:
//!
//! ```text
//! [attend sensor=disk-space priority=medium] 10 % of the file system are free, 25.6 GiB
//! ```

use async_trait::async_trait;
use attend_core::runtime::Driver;
use attend_core::runtime::config::{Places, Reader};
use attend_core::sensor::{
    BuildContext, ConfigError, Event, PollContext, Project, Roots, Sensor, SensorError, SensorSpec,
    Snapshot,
};
use serde::{Deserialize, Serialize};

/// How it is configured.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct DiskSpace {
    /// It is told when less is free, in percent; 10 unless this says otherwise.
    pub(crate) least: Option<f64>,
}

impl SensorSpec for DiskSpace {
    const KIND: &'static str = "disk-space";
    const ABOUT: &'static str = "how much of the project's file system is free";

    fn build(self, _cx: &BuildContext) -> Result<Box<dyn Sensor>, ConfigError> {
        let least = self.least.unwrap_or(10.0);
        Ok(Box::new(Disk { least, low: false }))
    }
}

struct Disk {
    least: f64,
    low: bool,
}

#[async_trait]
impl Sensor for Disk {
    async fn poll(&mut self, cx: &mut PollContext) -> Result<(), SensorError> {
        let disk = rustix::fs::statvfs(cx.roots().work())
            .map_err(|error| SensorError::transient(format!("cannot ask the disk: {error}")))?;
        let free = disk.f_bavail as f64 * 100.0 / disk.f_blocks.max(1) as f64;
        if !self.low && free < self.least {
            let gib = (disk.f_bavail * disk.f_frsize) as f64 / f64::from(1 << 30);
            let text = format!("{free:.0} % of the file system are free, {gib:.1} GiB");
            cx.report(Event::new(4.0, text).key("low").standing());
            self.low = true;
        } else if self.low && free > self.least + 1.0 {
            cx.clear("low"); // Not at the same mark: it would come and go.
            self.low = false;
        }
        Ok(())
    }

    fn snapshot(&self) -> Option<Snapshot> {
        Snapshot::of(&self.low).ok()
    }

    fn restore(&mut self, from: &Snapshot) -> Result<(), SensorError> {
        self.low = from.read()?;
        Ok(())
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = std::fs::canonicalize(".")?;
    let kinds = attend_sensors::built_in().with::<DiskSpace>();
    let mut reader = Reader::new(Places::new(None, &root), kinds).without_host();
    let config = reader.read();
    let sensors = reader.setups(&config);
    let driver = Driver::builder(Roots::new(&root), Project::at(&root)).sensors(sensors);
    driver.build()?.once()?;
    Ok(())
}
