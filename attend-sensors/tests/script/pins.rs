//! What exactly a person allows, and that anything else is not run.

use std::sync::Arc;

use attend_core::runtime::system::SystemRunner;
use attend_core::sensor::{ErrorKind, Root, Roots, SensorName, SensorSpec};
use attend_core::testkit::Harness;
use attend_sensors::script::{Pin, ScriptConfig};

use super::world::script;

/// The name under which a harness builds its sensor.
fn name() -> SensorName {
    SensorName::new("under-test").unwrap()
}

fn pin(config: &ScriptConfig, roots: &Roots) -> String {
    Pin::of(&name(), config, roots).unwrap().fingerprint
}

#[test]
fn root_name_configuration_and_each_files_content_count() {
    let harness = Harness::new();
    let other = Harness::new();
    for harness in [&harness, &other] {
        script(harness, Root::Work, "a.sh", "echo '1|a'");
        harness.write("data.txt", "data");
    }
    let roots = harness.roots().roots();
    let config = ScriptConfig::of_command(["./a.sh", "data.txt", "word"]);
    let allowed = pin(&config, roots);
    assert_eq!(pin(&config, roots), allowed);
    assert_eq!(
        pin(&config.clone().pinned("x"), roots),
        allowed,
        "the pin itself does not count"
    );
    let found = Pin::of(&name(), &config, roots).unwrap();
    let work = harness.work();
    assert_eq!(found.files, [work.join("./a.sh"), work.join("data.txt")]);

    assert_ne!(pin(&config, other.roots().roots()), allowed, "another root");
    let elsewhere = Pin::of(&SensorName::new("b").unwrap(), &config, roots).unwrap();
    assert_ne!(elsewhere.fingerprint, allowed, "another name");
    for changed in [
        config.clone().streaming(),
        ScriptConfig::of_command(["./a.sh", "data.txt", "other"]),
        ScriptConfig::of_command(["./a.sh", "data.txtword"]),
    ] {
        assert_ne!(pin(&changed, roots), allowed, "{changed:?}");
    }
    harness.write("word", "now a file");
    assert_ne!(
        pin(&config, roots),
        allowed,
        "an argument that became a file"
    );
    harness.remove("word");
    assert_eq!(pin(&config, roots), allowed);
    harness.write("data.txt", "daty");
    assert_ne!(pin(&config, roots), allowed, "another content");
}

#[test]
fn what_changed_since_is_not_run_until_it_is_as_it_was() {
    let mut harness = Harness::new().runner(Arc::new(SystemRunner));
    script(&harness, Root::Work, "a.sh", "echo '1|allowed'");
    for streams in [false, true] {
        let config = ScriptConfig::of_script("a.sh");
        let config = if streams { config.streaming() } else { config };
        let fingerprint = pin(&config, harness.roots().roots());
        let mut sensor = harness.build(config.pinned(fingerprint)).unwrap();
        assert!(harness.poll(sensor.as_mut()).result().is_ok());

        script(
            &harness,
            Root::Work,
            "a.sh",
            "echo '1|evil' >>evil; echo '1|evil'",
        );
        let polled = harness.poll(sensor.as_mut());
        assert_eq!(polled.error().kind(), ErrorKind::Unavailable);
        assert!(polled.error().to_string().ends_with("attend config trust"));
        assert!(!harness.work().join("evil").exists(), "it ran");

        script(&harness, Root::Work, "a.sh", "echo '1|allowed'");
        assert!(harness.poll(sensor.as_mut()).result().is_ok());
    }
}

#[test]
fn a_configuration_that_makes_no_sensor_cannot_be_allowed() {
    let harness = Harness::new();
    let refused = Pin::of(&name(), &ScriptConfig::default(), harness.roots().roots());
    assert!(refused.unwrap_err().contains("nothing to run"));
    assert!(ScriptConfig::default().check().is_err());
}
