//! One file over the other, key by key.

use std::time::Duration;

use attend_core::attention::Settings;
use attend_core::dynamics::Shape;
use attend_core::sensor::{Profile, Value};
use serde_json::json;

use crate::{both, holds, registry, told, user};

fn nothing() -> [String; 0] {
    []
}

#[test]
fn without_files_all_is_as_it_is_by_itself() {
    for config in [
        both("", ""),
        both("# nothing\n", "---\n"),
        both("governor:\nsensors:\n  files:\n", "{}"),
    ] {
        assert_eq!(told(&config), nothing());
        assert_eq!(config.settings, Settings::default());
        let sensors: Vec<_> = config
            .sensors
            .iter()
            .map(|sensor| (sensor.name.as_str(), sensor.enabled))
            .collect();
        assert_eq!(sensors, [("files", true), ("script", true)]);
        assert_eq!(config.sensors[0].profile, Profile::new(30, 5, 2_000, 4));
        assert_eq!(config.sensors[0].config, Value::none());
        assert_eq!(config.setups(&registry()).len(), 2);
    }
}

#[test]
fn the_project_wins_key_by_key() {
    let config = both(
        "governor:\n  cooldown: 30s\n  window: 5m\naging:\n  floor: 0.5\n",
        "governor:\n  cooldown: 40\n",
    );
    assert_eq!(told(&config), nothing());
    for (key, value, origin) in [
        ("governor.cooldown", "\"40s\"", "project:2"),
        ("governor.window", "\"5m\"", "user:3"),
        ("governor.max_per_window", "3", "default"),
        ("aging.floor", "0.5", "user:5"),
        ("aging.half_life", "\"30m\"", "default"),
    ] {
        assert_eq!(
            holds(&config, key),
            Some((value.into(), origin.into())),
            "{key}"
        );
    }
    assert_eq!(config.settings.governor.cooldown.get(), 40);
    assert_eq!(config.settings.governor.window.get(), 300);
    assert_eq!(config.settings.aging.floor().to_bits(), 0.5_f64.to_bits());
}

#[test]
fn sensors_are_merged_deep_and_lists_taken_whole() {
    let config = both(
        "sensors:\n  files:\n    interval: 2m\n    paths: [a, b]\n    watch: true\n",
        "sensors:\n  files:\n    paths: [c]\n    threshold: 1.5\n",
    );
    assert_eq!(told(&config), nothing());
    let files = &config.sensors[0];
    assert_eq!(
        files.config,
        Value::of(&json!({"paths": ["c"], "watch": true})).unwrap()
    );
    assert_eq!(files.profile.interval, Duration::from_mins(2));
    assert_eq!(files.profile.min_interval, Duration::from_secs(5));
    assert_eq!(files.profile.threshold.thousandths(), 1_500);
    assert_eq!(
        holds(&config, "sensors.files.paths"),
        Some(("[\"c\"]".into(), "project:3".into()))
    );
    assert_eq!(
        holds(&config, "sensors.files.watch"),
        Some(("true".into(), "user:5".into()))
    );
    assert_eq!(
        holds(&config, "sensors.files.most"),
        Some(("null".into(), "default".into()))
    );
}

#[test]
fn one_kind_runs_twice_under_two_names() {
    let config = user(
        "sensors:\n  logs:\n    kind: files\n    paths: [logs]\n  files:\n    enabled: false\n",
    );
    assert_eq!(told(&config), nothing());
    let sensors: Vec<_> = config
        .sensors
        .iter()
        .map(|sensor| (sensor.name.as_str(), sensor.kind.as_str(), sensor.enabled))
        .collect();
    assert_eq!(
        sensors,
        [
            ("files", "files", false),
            ("script", "script", true),
            ("logs", "files", true)
        ]
    );
    let setups = config.setups(&registry());
    let running: Vec<_> = setups.iter().map(|setup| setup.name().as_str()).collect();
    assert_eq!(running, ["script", "logs"]);
}

#[test]
fn a_short_interval_shortens_the_least_one() {
    let config = user("sensors:\n  files:\n    interval: 2s\n");
    assert_eq!(told(&config), nothing());
    assert_eq!(
        config.sensors[0].profile.min_interval,
        Duration::from_secs(2)
    );
}

#[test]
fn another_kind_under_a_name_forgets_what_the_former_was_given() {
    let config = both(
        "sensors:\n  mine:\n    kind: script\n    command: [ls]\n    interval: 3m\n",
        "sensors:\n  mine:\n    kind: files\n    watch: true\n",
    );
    assert_eq!(told(&config), nothing());
    let mine = config
        .sensors
        .iter()
        .find(|sensor| sensor.name.as_str() == "mine")
        .unwrap();
    assert_eq!(mine.kind, "files");
    assert_eq!(mine.config, Value::of(&json!({"watch": true})).unwrap());
    assert_eq!(mine.profile.interval, Duration::from_mins(3));
}

#[test]
fn an_alternative_takes_the_place_of_the_other_one() {
    let half_life =
        |config: &attend_core::runtime::config::Config| match config.settings.engagement.shape() {
            Shape::ActionPotential {
                multiplier_half_life,
                ..
            } => *multiplier_half_life,
            other => panic!("{other:?}"),
        };
    let (life, decay) = (
        "engagement:\n  multiplier_half_life: 60\n",
        "engagement:\n  decay_per_minute: 0.1\n",
    );
    let config = both(life, decay);
    assert_eq!((half_life(&config), told(&config).len()), (395, 0));
    assert_eq!(holds(&config, "engagement.multiplier_half_life"), None);
    assert_eq!(
        holds(&config, "engagement.decay_per_minute"),
        Some(("0.1".into(), "project:2".into()))
    );
    let config = both(decay, life);
    assert_eq!((half_life(&config), told(&config).len()), (60, 0));
    assert_eq!(holds(&config, "engagement.decay_per_minute"), None);
}

#[test]
fn what_is_wrong_above_leaves_what_is_right_below() {
    let config = both(
        "governor:\n  cooldown: 30s\nsensors:\n  files:\n    interval: 2m\n",
        "governor:\n  cooldown: never\nsensors:\n  files:\n    interval: never\n",
    );
    assert_eq!(config.findings.len(), 2);
    assert_eq!(
        holds(&config, "governor.cooldown"),
        Some(("\"30s\"".into(), "user:2".into()))
    );
    assert_eq!(
        holds(&config, "sensors.files.interval"),
        Some(("\"2m\"".into(), "user:5".into()))
    );
}

#[test]
fn anchors_stand_for_what_they_name() {
    let config = user(
        "sensors:\n  files: &calm\n    interval: 10m\n  more:\n    kind: files\n    rules: [&all {glob: '*'}, *all]\n",
    );
    assert_eq!(told(&config), nothing());
    let more = &config.sensors[2].config;
    let rule = json!({"glob": "*"});
    assert_eq!(*more, Value::of(&json!({"rules": [rule, rule]})).unwrap());
}
