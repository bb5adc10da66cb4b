//! What holds for any text: nothing panics, and a mistake stays where it is.

use std::fmt::Write as _;

use attend_core::runtime::config::{Layer, resolve};
use proptest::prelude::*;

use crate::{both, file, registry};

/// Pieces of which something like a configuration is made.
fn piece() -> impl Strategy<Value = String> {
    let words = [
        "governor",
        "cooldown",
        "window",
        "max_per_window",
        "engagement",
        "decay_per_minute",
        "multiplier_half_life",
        "aging",
        "floor",
        "messages",
        "sensors",
        "files",
        "script",
        "enabled",
        "kind",
        "interval",
        "min_interval",
        "threshold",
        "paths",
        "rules",
        "glob",
        "true",
        "null",
        "~",
        "90s",
        "-1",
        "1e999",
        ".nan",
        "'",
        "\"",
        "&a",
        "*a",
        "!t",
        "!!str",
        "? ",
        "- ",
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        ": ",
        "\n",
        "\n  ",
        "\n    ",
        "\n      ",
        "#",
        "|",
        ">",
        "---",
        "...",
        "<<",
        "\t",
        "%YAML 1.2",
        "\u{feff}",
        "é",
        "\u{2028}",
        "\0",
    ];
    prop_oneof![
        6 => prop::sample::select(words.to_vec()).prop_map(str::to_owned),
        1 => "\\PC{0,4}",
        1 => any::<u32>().prop_map(|number| number.to_string()),
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..40).prop_map(|pieces| pieces.concat())
}

/// A whole file that is mostly right.
fn plausible() -> impl Strategy<Value = String> {
    let value = prop_oneof![
        Just("90s".to_owned()),
        Just("3".to_owned()),
        Just("0.5".to_owned()),
        Just("true".to_owned()),
        Just("[a]".to_owned()),
        Just("{}".to_owned()),
        Just("files".to_owned()),
        text(),
    ];
    let key = prop::sample::select(vec![
        "governor",
        "engagement",
        "aging",
        "messages",
        "sensors",
        "  files",
        "  more",
        "  cooldown",
        "  window",
        "  floor",
        "  half_life",
        "  decay_per_minute",
        "    interval",
        "    kind",
        "    threshold",
        "    enabled",
        "    rules",
    ]);
    prop::collection::vec((key, proptest::option::of(value)), 0..12).prop_map(|lines| {
        let lines = lines
            .into_iter()
            .map(|(key, value)| format!("{key}: {}\n", value.unwrap_or_default()));
        lines.collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        resolve(&[file(Layer::User, &bytes)], &registry());
    }

    #[test]
    fn no_text_panics(user in text(), project in plausible()) {
        both(&user, &project);
        both(&project, &user);
    }

    #[test]
    fn a_bad_sensor_costs_only_itself(bad in plausible(), junk in text()) {
        let good = "governor:\n  cooldown: 33s\nsensors:\n  files:\n    interval: 44s\n";
        let junk: String = junk.chars().filter(|c| c.is_ascii_alphanumeric() || *c == ' ').collect();
        for mine in [format!("    interval: x{junk}\n"), format!("    kind: x{junk}\n"), format!("    {junk}: 1\n"), "    1\n".to_owned()] {
            let config = both(&format!("{good}  bad:\n{mine}"), "");
            let files = config.sensors.iter().find(|sensor| sensor.name.as_str() == "files").unwrap();
            prop_assert_eq!(files.profile.interval.as_secs(), 44);
            prop_assert_eq!(config.settings.governor.cooldown.get(), 33);
        }
        // Whatever a project writes, the user's other settings hold.
        let config = both(good, &bad);
        prop_assert!(config.sensors.iter().any(|sensor| sensor.name.as_str() == "files"));
        prop_assert_eq!(config.settings.mail_cooldown.get(), 3);
    }
}

#[test]
fn a_file_that_unfolds_without_end_is_refused() {
    let mut text = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n".to_owned();
    for (before, name) in ["a", "b", "c", "d", "e", "f"]
        .windows(2)
        .map(|pair| (pair[0], pair[1]))
    {
        let ten = vec![format!("*{before}"); 10].join(", ");
        writeln!(text, "{name}: &{name} [{ten}]").expect("a string takes everything");
    }
    let config = both(&text, "");
    let [finding] = config.findings.as_slice() else {
        panic!("{:?}", config.findings)
    };
    assert!(finding.text.contains("more than 50000 values"), "{finding}");
}

#[test]
fn a_file_that_is_deep_without_end_is_refused() {
    for text in [
        "[".repeat(100_000),
        "{a: ".repeat(100_000),
        "- ".repeat(100_000),
    ] {
        let config = both(&text, "");
        assert_eq!(config.findings.len(), 1);
        assert_eq!(config.findings[0].line, Some(1));
    }
}
