//! Each kind of mistake, its exact place, and that it costs nothing else.

use attend_core::runtime::config::Problem;

use crate::{both, holds, registry, told, user};

/// A file, and what is found in it.
const MISTAKES: &[(&str, &str)] = &[
    // Keys that nobody knows.
    (
        "governor:\n  cooldwon: 30s\n",
        "2:3: governor.cooldwon: there is no such key; it is ignored; did you mean `cooldown`?",
    ),
    (
        "governer:\n  cooldown: 30s\n",
        "1:1: governer: there is no such key; it is ignored; did you mean `governor`?",
    ),
    (
        "colour: red",
        "1:1: colour: there is no such key; it is ignored",
    ),
    (
        "sensors:\n  files:\n    intervall: 10\n",
        "3:5: sensors.files.intervall: there is no such key; it is ignored; did you mean `interval`?",
    ),
    (
        "sensors:\n  files:\n    pathes: []\n",
        "3:5: sensors.files.pathes: there is no such key; it is ignored; did you mean `paths`?",
    ),
    (
        "sensors:\n  files:\n    rules:\n      - glob: '*'\n      - globe: '*'\n",
        "5:9: sensors.files.rules.1.globe: there is no such key; it is ignored",
    ),
    (
        "engagement:\n  decay_per_minut: 0.1\n",
        "2:3: engagement.decay_per_minut: there is no such key; it is ignored; did you mean `decay_per_minute`?",
    ),
    // Types.
    (
        "governor:\n  max_per_window: many\n",
        "2:3: governor.max_per_window: a whole number from 0 to 4294967295 is expected, this is the text \"many\"",
    ),
    (
        "governor:\n  cooldown: [1]\n",
        "2:3: governor.cooldown: a span of time (seconds, or 90s, 10m, 2h, 3d) is expected, this is a list",
    ),
    (
        "governor: 7\n",
        "1:1: governor: a mapping of keys is expected, this is a number",
    ),
    (
        "governor:\n  - cooldown\n",
        "1:1: governor: a mapping of keys is expected, this is a list",
    ),
    (
        "sensors: [files]\n",
        "1:1: sensors: sensors are expected by their names, this is a list",
    ),
    (
        "sensors:\n  files: off\n",
        "2:3: sensors.files: a mapping of keys is expected, this is a text",
    ),
    (
        "sensors:\n  files:\n    enabled: nope\n",
        "3:5: sensors.files.enabled: true or false is expected, this is the text \"nope\"",
    ),
    (
        "sensors:\n  files:\n    rules:\n      - magnitude: 1\n      - magnitude: big\n",
        "5:9: sensors.files.rules.1.magnitude: a number is expected, this is the text \"big\"",
    ),
    // Notations of numbers.
    (
        "aging:\n  floor: .nan\n",
        "2:3: aging.floor: a number is expected, and `.nan` is none: write digits, as in 16, 0.5 or 2e3",
    ),
    (
        "aging:\n  floor: 1e999\n",
        "2:3: aging.floor: a number is expected, and `1e999` is none: write digits, as in 16, 0.5 or 2e3",
    ),
    (
        "governor:\n  max_per_window: -0x10\n",
        "2:3: governor.max_per_window: a whole number from 0 to 4294967295 is expected, and `-0x10` is none: write digits, as in 16",
    ),
    (
        "governor:\n  max_per_window: 1_000\n",
        "2:3: governor.max_per_window: a whole number from 0 to 4294967295 is expected, and `1_000` is none: write digits, as in 16",
    ),
    (
        "governor:\n  cooldown: .inf\n",
        "2:3: governor.cooldown: `.inf` is no span of time: write seconds, or 90s, 10m, 2h, 3d (at most 365d)",
    ),
    (
        "just words\n",
        "1:1: a mapping of keys is expected, this is a text",
    ),
    // Values.
    (
        "governor:\n  cooldown: fast\n",
        "2:3: governor.cooldown: `fast` is no span of time: write seconds, or 90s, 10m, 2h, 3d (at most 365d)",
    ),
    (
        "governor:\n  max_per_window: 0\n",
        "2:3: governor.max_per_window: must be from 1 to 1000",
    ),
    (
        "governor:\n  window: 0\n",
        "2:3: governor.window: must be at least 1s",
    ),
    (
        "engagement:\n  peak_multiplier: 0.5\n",
        "2:3: engagement.peak_multiplier: must be a finite number of at least 1",
    ),
    (
        "engagement:\n  multiplier_half_life: 0s\n",
        "2:3: engagement.multiplier_half_life: must be at least 1 second",
    ),
    (
        "engagement:\n  burst_threshold: 0\n",
        "2:3: engagement.burst_threshold: must be from 1 to 1000",
    ),
    (
        "engagement:\n  decay_per_minute: 1.5\n",
        "2:3: engagement.decay_per_minute: must be above 0 and below 1",
    ),
    (
        "engagement:\n  multiplier_half_life: 60\n  decay_per_minute: 0.1\n",
        "3:3: engagement.decay_per_minute: it takes the place of `multiplier_half_life`: give one of them",
    ),
    (
        "aging:\n  floor: 1.5\n",
        "2:3: aging.floor: must be from 0 to 1",
    ),
    (
        "aging:\n  half_life: 0\n",
        "2:3: aging.half_life: must be at least 1 second",
    ),
    (
        "sensors:\n  files:\n    interval: 0\n",
        "3:5: sensors.files.interval: must be at least 1s",
    ),
    (
        "sensors:\n  files:\n    min_interval: 1h\n",
        "3:5: sensors.files.min_interval: must not be longer than `interval`, which is 30s",
    ),
    (
        "sensors:\n  files:\n    threshold: -1\n",
        "3:5: sensors.files.threshold: must be from 0 to 100",
    ),
    (
        "sensors:\n  files:\n    most: 300\n",
        "3:5: sensors.files.most: a whole number from 0 to 255 is expected, this is the number `300`",
    ),
    (
        "sensors:\n  files:\n    watch: true\n    paths: [a, '']\n",
        "4:5: sensors.files.paths: a path is empty",
    ),
    // Sensors.
    (
        "files:\n  watch: true\n",
        "1:1: files: there is no such key; it is ignored; did you mean `sensors.files`?",
    ),
    (
        "sensors:\n  flies: {}\n",
        "2:3: sensors.flies: there is no kind of sensor `flies`; did you mean `files`?",
    ),
    (
        "sensors:\n  mine:\n    kind: flies\n",
        "3:11: sensors.mine: there is no kind of sensor `flies`; did you mean `files`?",
    ),
    (
        "sensors:\n  Git Hub:\n    kind: files\n",
        "2:3: sensors.Git Hub: `Git Hub` is not a sensor name: use 1 to 32 of a-z, 0-9 and -",
    ),
    (
        "sensors:\n  mine:\n    kind: script\n    quiet: true\n",
        "2:3: sensors.mine: missing field `command`",
    ),
    // YAML itself.
    (
        "governor:\n  cooldown: 20\n  cooldown: 30\n",
        "3:3: governor.cooldown: it stands on line 2 too; only this one counts",
    ),
    (
        "aging: {}\naging: {}\n",
        "2:1: aging: it stands on line 1 too; only this one counts",
    ),
    (
        "---\n{}\n---\n{}\n",
        "4:1: only the first document of a file counts",
    ),
    (
        "governor:\n  cooldown: !fast 20\n",
        "2:13: governor.cooldown: the tag `!fast` means nothing here",
    ),
    (
        "sensors:\n  files:\n    ? [a]\n    : b\n",
        "3:7: sensors.files: a key is one word; this one is ignored",
    ),
];

#[test]
fn each_mistake_is_told_with_its_place() {
    for (text, expected) in MISTAKES {
        let told = told(&user(text));
        assert_eq!(told, [format!("u.yaml:{expected}")], "{text}");
    }
}

#[test]
fn what_is_no_yaml_is_told_with_its_line() {
    for (text, line) in [
        ("governor: [1\n", 2),
        ("a: b: c\n", 1),
        ("aging:\n\thalf_life: 1\n", 2),
        ("a: 'x\n\n", 1),
        ("governor:\n  cooldown: *nobody\n", 2),
    ] {
        let config = user(text);
        let [finding] = config.findings.as_slice() else {
            panic!("{text}: {:?}", told(&config));
        };
        assert_eq!(finding.problem, Problem::Syntax, "{text}: {finding}");
        assert_eq!(finding.line, Some(line), "{text}: {finding}");
    }
    let bytes = b"aging:\n  half_life: 1h\n  # caf\xe9\n";
    let file = crate::file(attend_core::runtime::config::Layer::User, bytes);
    let config = attend_core::runtime::config::resolve(&[file], &registry());
    assert_eq!(told(&config), ["u.yaml:3: this is not UTF-8"]);
}

#[test]
fn all_mistakes_of_a_mapping_are_told_at_once() {
    let config = user(
        "sensors:\n  files:\n    interval: soon\n    treshold: 3\n    threshold: high\n    watch: 7\n    most: x\n",
    );
    let places: Vec<_> = config
        .findings
        .iter()
        .map(|finding| (finding.line, finding.key.as_str()))
        .collect();
    let expected = [
        (Some(3), "sensors.files.interval"),
        (Some(4), "sensors.files.treshold"),
        (Some(5), "sensors.files.threshold"),
        (Some(6), "sensors.files.watch"),
        (Some(7), "sensors.files.most"),
    ];
    assert_eq!(places, expected);
}

#[test]
fn a_mistake_costs_what_it_stands_in_and_nothing_else() {
    let config = user(
        "governor:\n  cooldown: 40s\n  window: none\naging:\n  half_life: 1h\n\
         sensors:\n  files:\n    interval: soon\n    watch: true\n  more:\n    kind: files\n    interval: 50\n",
    );
    assert_eq!(config.findings.len(), 2);
    let default =
        |key, value: &str| assert_eq!(holds(&config, key), Some((value.into(), "default".into())));
    default("governor.cooldown", "\"20s\"");
    default("sensors.files.interval", "\"30s\"");
    default("sensors.files.watch", "false");
    assert_eq!(
        holds(&config, "aging.half_life"),
        Some(("\"1h\"".into(), "user:5".into()))
    );
    assert_eq!(
        holds(&config, "sensors.more.interval"),
        Some(("\"50s\"".into(), "user:12".into()))
    );
}

#[test]
fn a_sensor_is_switched_off_whatever_else_is_wrong_with_it() {
    let config = user("sensors:\n  files:\n    enabled: false\n    interval: soon\n");
    assert_eq!(config.findings.len(), 1);
    assert_eq!(
        holds(&config, "sensors.files.enabled"),
        Some(("false".into(), "user:3".into()))
    );
    assert!(!config.sensors[0].enabled);
}

#[test]
fn a_project_may_not_say_what_is_the_users() {
    let config = both(
        "sensors:\n  checks:\n    kind: script\n    command: [make, check]\n",
        "messages:\n  cooldown: 1h\nsensors:\n  checks:\n    command: [rm, -rf]\n  script:\n    kind: script\n    command: [rm]\n  files:\n    kind: script\n    command: [rm]\n",
    );
    let expected = [
        "p.yaml:1:1: messages: only the user's own file may say this; it is ignored",
        "p.yaml:4:3: sensors.checks: it runs commands: only the user's own file may say this",
        "p.yaml:6:3: sensors.script: it runs commands: only the user's own file may say this",
        "p.yaml:9:3: sensors.files: it runs commands: only the user's own file may say this",
    ];
    assert_eq!(told(&config), expected);
    assert!(
        config
            .findings
            .iter()
            .all(|finding| finding.problem == Problem::NotAllowed)
    );
    assert_eq!(
        holds(&config, "messages.cooldown"),
        Some(("\"3s\"".into(), "default".into()))
    );
    let command = holds(&config, "sensors.checks.command");
    assert_eq!(
        command,
        Some(("[\"make\",\"check\"]".into(), "user:4".into()))
    );
    assert_eq!(holds(&config, "sensors.files.kind").unwrap().0, "\"files\"");

    // How often it runs, and whether at all, is no command.
    let calm = both(
        "sensors:\n  checks:\n    kind: script\n    command: [make, check]\n",
        "sensors:\n  checks:\n    interval: 10m\n  script:\n    enabled: false\n",
    );
    assert_eq!(told(&calm), [] as [String; 0]);
    assert_eq!(
        holds(&calm, "sensors.checks.interval"),
        Some(("\"10m\"".into(), "project:3".into()))
    );
}
