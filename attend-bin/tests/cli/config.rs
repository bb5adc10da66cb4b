//! The commands around configuration, and what is generated from its types.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use attend_core::attention::Settings;
use attend_core::runtime::config::{Config, File, Layer, document, resolve, sample};
use attend_sensors::built_in;
use serde_json::Value;

use crate::home::{Home, stderr, stdout};

fn file(home: &Home) -> PathBuf {
    home.path().join("attend/config/config.yaml")
}

pub(crate) fn write(home: &Home, user: &str, project: &str) {
    fs::create_dir_all(home.path().join("attend/config")).expect("a directory");
    fs::write(file(home), user).expect("a file");
    fs::create_dir_all(home.project().join(".claude")).expect("a directory");
    fs::write(home.project().join(".claude/attend.yaml"), project).expect("a file");
}

/// The same without the directories of this run.
pub(crate) fn redacted(home: &Home, text: &str) -> String {
    let real = home.path().canonicalize().expect("it is there");
    let text = text.replace(&*real.to_string_lossy(), "HOME");
    text.replace(&*home.path().to_string_lossy(), "HOME")
}

pub(crate) fn read(text: &str) -> Config {
    let file = File {
        layer: Layer::User,
        path: "sample".into(),
        bytes: text.as_bytes().to_vec(),
    };
    resolve(&[file], &built_in())
}

#[test]
fn the_documentation_describes_every_key_as_it_is() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/configuration.md");
    let Ok(written) = fs::read_to_string(path) else {
        return; // This package was unpacked alone.
    };
    assert!(
        written == document(&built_in()),
        "docs/configuration.md is not fresh; write it anew:\n\
         cargo run -q -p attend-bin --bin attend -- config schema --markdown > docs/configuration.md"
    );
}

#[test]
fn the_sample_says_nothing_and_each_of_its_keys_the_default() {
    let plain = read("");
    let sample = sample(&built_in());
    let mut keys = 0;
    let uncomment = |line: &str| {
        let indent = line.len() - line.trim_start().len();
        let (indent, rest) = line.split_at(indent);
        match rest.strip_prefix('#') {
            Some(key) if key.starts_with(|c: char| c.is_ascii_lowercase()) => {
                keys += 1;
                format!("{indent}{key}\n")
            }
            _ => format!("{line}\n"),
        }
    };
    let uncommented: String = sample.lines().map(uncomment).collect();
    assert!(keys > 20, "{keys}");
    for text in [&sample, &uncommented] {
        let config = read(text);
        assert_eq!(config.findings, [], "{text}");
        assert_eq!(config.settings, Settings::default());
        let values = |config: &Config| -> Vec<String> {
            config.values.iter().map(ToString::to_string).collect()
        };
        assert_eq!(values(&config), values(&plain));
        let profiles = |config: &Config| -> Vec<_> {
            let sensors = config.sensors.iter();
            sensors
                .map(|sensor| (sensor.name.clone(), sensor.enabled, sensor.profile))
                .collect()
        };
        assert_eq!(profiles(&config), profiles(&plain));
    }
    let said = sample
        .lines()
        .filter(|line| line.contains("(not set)"))
        .count();
    let null = plain
        .values
        .iter()
        .filter(|setting| setting.to_string().ends_with(": ~"))
        .count();
    assert_eq!(
        said,
        null + 1,
        "what is not set, and the alternative of a half-life"
    );
}

#[test]
fn every_key_of_every_kind_says_what_it_is_for() {
    for kind in built_in().kinds() {
        let schema = serde_json::to_value(kind.schema()).expect("it is JSON");
        let config = read("");
        let prefix = format!("sensors.{}.", kind.kind());
        let keys = config
            .values
            .iter()
            .filter_map(|setting| setting.key.strip_prefix(&prefix));
        let common = [
            "enabled",
            "kind",
            "interval",
            "min_interval",
            "threshold",
            "decay_threshold",
        ];
        for key in keys.filter(|key| !common.contains(key)) {
            let about = schema["properties"][key]["description"]
                .as_str()
                .unwrap_or_default();
            assert!(
                !about.is_empty(),
                "{}: {key} is not described; see `SensorSpec::schema`",
                kind.kind()
            );
        }
    }
}

#[test]
fn the_schema_is_one_document() {
    let output = Home::new().output(&["config", "schema"]);
    let schema: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(
        schema["properties"]["governor"]["properties"]["cooldown"]["default"],
        "20s"
    );
    assert_eq!(
        schema["properties"]["sensors"]["properties"]["git"]["properties"]["kind"]["const"],
        "git"
    );
    let text = schema.to_string();
    assert!(!text.contains("$ref"), "it is whole");
}

#[test]
fn init_writes_once_and_never_over_a_file() {
    let home = Home::new();
    let output = home.output(&["config", "init"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(
        redacted(&home, &stdout(&output)),
        "wrote HOME/attend/config/config.yaml\n"
    );
    let printed = stdout(&home.output(&["config", "init", "--stdout"]));
    assert_eq!(
        fs::read_to_string(file(&home)).expect("it was written"),
        printed
    );

    fs::write(file(&home), "# mine\n").expect("a file");
    let output = home.output(&["config", "init"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("is there already and stays as it is"),
        "{}",
        stderr(&output)
    );
    assert_eq!(
        fs::read_to_string(file(&home)).expect("it is there"),
        "# mine\n"
    );
}

#[test]
fn init_in_a_home_that_cannot_be_written_says_what_to_do() {
    let home = Home::new();
    // A file where the directory has to be: that stops every user.
    fs::write(home.path().join("attend"), "").expect("a file");
    let output = home.output(&["config", "init"]);
    assert_eq!(output.status.code(), Some(1));
    for part in ["attend/config/config.yaml", "ATTEND_HOME", "--stdout"] {
        assert!(stderr(&output).contains(part), "{}", stderr(&output));
    }
    let mut nowhere = home.attend(&["config", "init"]);
    let output = nowhere
        .env_remove("ATTEND_HOME")
        .env_remove("HOME")
        .output()
        .expect("it starts");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("neither ATTEND_HOME nor HOME"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn paths_come_from_the_environment_the_users_first() {
    let home = Home::new();
    let real = home.project().canonicalize().expect("it is there");
    let project = format!("{}\n", real.join(".claude/attend.yaml").display());
    let place = |path: &str| format!("{}\n{project}", home.path().join(path).display());
    let absolute = home.path().join("xdg");
    for (set, expected) in [
        (vec![], place("attend/config/config.yaml")),
        (
            vec![("ATTEND_HOME", None)],
            place(".config/attend/config.yaml"),
        ),
        (
            vec![("ATTEND_HOME", None), ("XDG_CONFIG_HOME", Some("relative"))],
            place(".config/attend/config.yaml"),
        ),
        (
            vec![("ATTEND_HOME", Some("")), ("XDG_CONFIG_HOME", Some(""))],
            place(".config/attend/config.yaml"),
        ),
        (
            vec![
                ("ATTEND_HOME", None),
                ("XDG_CONFIG_HOME", absolute.to_str()),
            ],
            place("xdg/attend/config.yaml"),
        ),
        (vec![("ATTEND_HOME", None), ("HOME", None)], project.clone()),
    ] {
        let mut command = home.attend(&["config", "path"]);
        for (name, value) in &set {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        assert_eq!(
            stdout(&command.output().expect("it starts")),
            expected,
            "{set:?}"
        );
    }
}

#[test]
fn show_tells_what_holds_and_where_it_comes_from() {
    let home = Home::new();
    write(
        &home,
        "governor:\n  cooldown: 30\nsensors:\n  context:\n    windows: {claude: 200000}\n",
        "governor:\n  window: 4m\nsensors:\n  git:\n    enabled: false\n  wtree: {kind: git, watch: false}\n  x: {}\n",
    );
    let output = home.output(&["config", "show"]);
    insta::assert_snapshot!("config-show", redacted(&home, &stdout(&output)));
    assert_eq!(
        stderr(&output),
        "attend: the files hold 1 mistake; they are told by: attend config check\n"
    );
    let json = stdout(&home.output(&["config", "show", "--json"]));
    let shown: Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(shown["findings"], 1);
    let cooldown = &shown["values"][0];
    assert_eq!(
        (&cooldown["key"], &cooldown["value"]),
        (&"governor.cooldown".into(), &"30s".into())
    );
    assert_eq!(
        (&cooldown["layer"], &cooldown["line"]),
        (&"user".into(), &2.into())
    );
    let most = &shown["values"][1];
    assert_eq!(
        (&most["key"], &most["value"], &most["layer"]),
        (
            &"governor.max_per_window".into(),
            &3.into(),
            &"default".into()
        )
    );
}

#[test]
fn check_tells_mistakes_and_exits_with_3() {
    let home = Home::new();
    let output = home.output(&["config", "check"]);
    assert_eq!(
        (output.status.code(), &*stdout(&output)),
        (Some(0), "no mistakes found\n")
    );
    write(
        &home,
        "governer: {}\nsensors:\n  git: {watch: perhaps}\n  contxt:\n    threshold: 1\n",
        "messages: {cooldown: 1h}\ngovernor:\n  max_per_window: 0\n  cooldown: 20\n  cooldown: \"\u{1b}[31m\"\n",
    );
    let output = home.output(&["config", "check"]);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(stderr(&output), "");
    insta::assert_snapshot!("config-check", redacted(&home, &stdout(&output)));
    let output = home.output(&["config", "check", "--json"]);
    assert_eq!(output.status.code(), Some(3));
    insta::assert_snapshot!("config-check-json", redacted(&home, &stdout(&output)));
}

#[test]
fn a_file_that_cannot_be_read_is_a_finding_and_reading_commands_still_work() {
    let home = Home::new();
    write(&home, "governor: {cooldown: 30}\n", "aging: {floor: 0.2}\n");
    fs::remove_file(file(&home)).expect("it is there");
    fs::create_dir(file(&home)).expect("a directory");
    let output = home.output(&["config", "check"]);
    assert_eq!(output.status.code(), Some(3));
    let told = redacted(&home, &stdout(&output));
    assert_eq!(
        told,
        "HOME/attend/config/config.yaml: this cannot be read: it is not a regular file\n"
    );
    let shown = stdout(&home.output(&["config", "show"]));
    assert!(shown.contains("aging.floor: 0.2"), "{shown}");
    let home = Home::new();
    write(&home, "", "");
    let read_only = fs::Permissions::from_mode(0o555);
    fs::set_permissions(home.path().join("attend/config"), read_only).expect("it is ours");
    assert!(home.output(&["config", "show"]).status.success());
    let writable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(home.path().join("attend/config"), writable).expect("it is ours");
}

#[test]
fn a_home_that_state_refuses_gets_no_sample_either() {
    let elsewhere = tempfile::tempdir().expect("a directory");
    for (what, said) in [
        ("link", "it is not a directory, or a symbolic link"),
        ("open", "others may write to it"),
        ("file", "it is not a directory, or a symbolic link"),
    ] {
        let home = Home::new();
        let root = home.path().join("attend");
        match what {
            "link" => std::os::unix::fs::symlink(elsewhere.path(), &root).expect("a link"),
            "open" => {
                fs::create_dir(&root).expect("a directory");
                let mode = fs::Permissions::from_mode(0o777);
                fs::set_permissions(&root, mode).expect("a directory");
            }
            _ => fs::write(&root, "").expect("a file"),
        }
        let output = home.output(&["config", "init"]);
        let error = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{what}: {error}");
        for words in [said, "cannot write ", "attend config init --stdout"] {
            assert!(error.contains(words), "{what}: {words}: {error}");
        }
        assert!(!root.join("config/config.yaml").exists(), "{what}");
    }
}

#[test]
fn a_path_is_printed_without_what_a_terminal_would_obey() {
    let home = Home::new();
    let odd = home.path().join("a\u{1b}[31mb\nc");
    fs::create_dir(&odd).expect("a directory");
    let mut command = home.attend(&["config", "path", "--project"]);
    let output = command.arg(&odd).output().expect("it starts");
    let text = stdout(&output);
    assert_eq!(text.lines().count(), 2, "{text:?}");
    assert!(!text.contains('\u{1b}'), "{text:?}");
    assert!(text.ends_with("/.claude/attend.yaml\n"), "{text:?}");
}
