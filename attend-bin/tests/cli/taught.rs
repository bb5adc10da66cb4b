//! How soon what was taught is taught again, as the files say it.

use crate::config::{read, redacted, write};
use crate::home::{Home, stdout};

#[test]
fn how_soon_it_is_taught_again_is_said_at_the_top_or_to_the_sensor_which_wins() {
    let holds = |text: &str| {
        let config = read(text);
        let value = |key: &str| {
            let setting = config.values.iter().find(|setting| setting.key == key);
            setting.expect("a key").to_string()
        };
        let sensors: Vec<String> = ["sensors.disclosure.refire", "sensors.more.refire"]
            .into_iter()
            .filter(|key| config.values.iter().any(|setting| setting.key == *key))
            .map(value)
            .collect();
        (value("disclosure.refire"), sensors, config.findings.len())
    };
    let top = "disclosure: {refire: 0.5}\n";
    let own = "sensors:\n  disclosure: {refire: 0.1}\n  more: {kind: disclosure}\n";
    for (text, at_the_top, sensors) in [
        ("", "0.25", &["disclosure.refire: 0.25"][..]),
        (top, "0.5", &["disclosure.refire: 0.5"]),
        (
            own,
            "0.25",
            &["disclosure.refire: 0.1", "more.refire: 0.25"],
        ),
        (
            &format!("{top}{own}"),
            "0.5",
            &["disclosure.refire: 0.1", "more.refire: 0.5"],
        ),
    ] {
        let sensors = sensors
            .iter()
            .map(|text| format!("sensors.{text}"))
            .collect();
        let expected = (format!("disclosure.refire: {at_the_top}"), sensors, 0);
        assert_eq!(holds(text), expected, "{text}");
    }
    for wrong in ["0", "1.5", "often"] {
        let (_, sensors, findings) = holds(&format!("disclosure: {{refire: {wrong}}}\n"));
        assert_eq!(
            (sensors.as_slice(), findings),
            (&["sensors.disclosure.refire: 0.25".to_owned()][..], 1)
        );
    }
}

#[test]
fn what_is_said_at_the_top_reaches_the_sensor_and_says_where_from() {
    let home = Home::new();
    write(&home, "governor: {}\ndisclosure:\n  refire: 0.4\n", "");
    let shown = redacted(&home, &stdout(&home.output(&["config", "show"])));
    let line = shown
        .lines()
        .find(|line| line.contains("sensors.disclosure.refire"));
    let line = line.expect("it is shown");
    assert!(
        line.contains("0.4") && line.contains("config.yaml:3"),
        "{line}"
    );
    let output = home.output(&["config", "check"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
}
