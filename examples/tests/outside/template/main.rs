//! The loop, with one kind more beside the built-in ones.

use attend_core::runtime::Driver;
use attend_core::runtime::config::{Places, Reader};
use attend_core::sensor::{Project, Roots};
use outside::Length;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = std::fs::canonicalize(".")?;
    let kinds = attend_sensors::built_in().with::<Length>();
    let mut reader = Reader::new(Places::new(None, &root), kinds).without_host();
    let config = reader.read();
    let sensors = reader.setups(&config);
    let driver = Driver::builder(Roots::new(&root), Project::at(&root)).sensors(sensors);
    driver.build()?.once()?;
    Ok(())
}
