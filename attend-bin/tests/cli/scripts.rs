//! What is wrong with a script in the configuration, with its line.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::home::{Home, stdout};

/// A home with this configuration, and in it `good.sh`, which can be run, and `plain.sh`.
fn home(text: &str) -> Home {
    let home = Home::new();
    let config = home.path().join("attend/config");
    fs::create_dir_all(&config).expect("a directory");
    for (name, mode) in [("good.sh", 0o755), ("plain.sh", 0o644)] {
        let path = config.join(name);
        fs::write(&path, "#!/bin/sh\n").expect("a script");
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("a mode");
    }
    fs::write(config.join("config.yaml"), text).expect("a file");
    home
}

/// What `attend config check` prints, without where this home lies.
fn checked(home: &Home) -> Vec<String> {
    let output = home.output(&["config", "check"]);
    let place = home.path().join("attend/config").display().to_string();
    let text = stdout(&output).replace(&place, "C");
    let found = text != "no mistakes found\n";
    assert_eq!(
        output.status.code(),
        Some(if found { 3 } else { 0 }),
        "{text}"
    );
    text.lines().map(str::to_owned).collect()
}

#[test]
fn a_script_that_can_be_run_is_no_mistake() {
    let text = "sensors:\n  a: {script: good.sh}\n  b: {command: [./good.sh, x], protocol: stream}\n  c: {command: [sh, -c, ':']}\n  d: {script: $XDG_CONFIG_HOME/x.sh, enabled: false}\n";
    assert_eq!(checked(&home(text)), ["no mistakes found"]);
}

#[test]
fn every_mistake_has_its_line() {
    let text = "sensors:
  a:
    script: gone.sh
  b:
    script: plain.sh
  c:
    script: good.sh
    command: [good.sh]
  d:
    script: good.sh
    protocl: stream
  e: {script: good.sh, protocol: streams}
  f: {kind: script}
  g: {script: '$CONFIG/x'}
  h:
    script: $XDG_RUNTIME_DIR/x
";
    let home = home(text);
    let known = "known are ~, $HOME, $XDG_CONFIG_HOME, $XDG_DATA_HOME, $XDG_STATE_HOME, $XDG_CACHE_HOME and $XDG_RUNTIME_DIR";
    assert_eq!(
        checked(&home),
        [
            "C/config.yaml:8:5: sensors.c.command: it takes the place of `script`: give one of them",
            "C/config.yaml:11:5: sensors.d.protocl: there is no such key; it is ignored; did you mean `protocol`?",
            "C/config.yaml:12:24: sensors.e.protocol: unknown variant `streams`, expected `lines` or `stream`",
            "C/config.yaml:13:3: sensors.f: there is nothing to run: give it a `script` or a `command`",
            &format!(
                "C/config.yaml:14:7: sensors.g.script: nothing stands for the beginning of $CONFIG/x: {known}"
            ),
            "C/config.yaml:3: sensors.a.script: there is no file C/gone.sh",
            "C/config.yaml:5: sensors.b.script: C/plain.sh is not executable; make it so: chmod +x C/plain.sh",
            "C/config.yaml:16: sensors.h.script: there is no directory for the beginning of $XDG_RUNTIME_DIR/x: the environment names none",
        ]
    );
}

#[test]
fn a_projects_script_is_a_finding_until_it_is_allowed() {
    let home = home("");
    fs::create_dir_all(home.project().join(".claude")).expect("a directory");
    let project = "sensors:\n  a: {script: good.sh}\n";
    fs::write(home.project().join(".claude/attend.yaml"), project).expect("a file");
    let output = home.output(&["config", "check", "--json"]);
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let finding = &told["findings"][0];
    assert_eq!(
        (&finding["problem"], &finding["line"], &finding["key"]),
        (&"not_trusted".into(), &2.into(), &"sensors.a".into())
    );
    let tried = home.output(&["sensors", "try", "a"]);
    let why = String::from_utf8_lossy(&tried.stderr).into_owned();
    assert!(why.starts_with("attend: a: it is not run: "), "{why}");
}
