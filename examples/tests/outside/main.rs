//! Crates outside the workspace, built of nothing but the packages that would be published.

#![expect(
    clippy::disallowed_methods,
    reason = "cargo and what it built are started as processes, and waited for"
)]
#![expect(clippy::unwrap_used, reason = "a test ends at what does not work")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

mod tutorial;

/// A directory in which cargo finds the packages where it would ask the registry for them.
struct Outside {
    directory: TempDir,
}

impl Outside {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let outside = Self { directory };
        outside.package();
        fs::create_dir(outside.path("crate")).unwrap();
        fs::create_dir(outside.path(".cargo")).unwrap();
        let mut config = "[net]\noffline = true\n\n[patch.crates-io]\n".to_owned();
        for name in ["attend-core", "attend-sensors"] {
            let version = env!("CARGO_PKG_VERSION");
            let archive = outside.path(&format!("packed/package/{name}-{version}.crate"));
            run(Command::new("tar")
                .arg("-xzf")
                .arg(archive)
                .current_dir(outside.directory.path()));
            let unpacked = outside.path(&format!("{name}-{version}"));
            config += &[name, " = { path = \"", unpacked.to_str().unwrap(), "\" }\n"].concat();
        }
        fs::write(outside.path(".cargo/config.toml"), config).unwrap();
        outside
    }

    fn package(&self) {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["package", "--no-verify", "--offline", "--allow-dirty"]);
        cargo.args(["-p", "attend-core", "-p", "attend-sensors"]);
        cargo
            .current_dir(workspace)
            .env("CARGO_TARGET_DIR", self.path("packed"));
        run(&mut cargo);
    }

    fn path(&self, inner: &str) -> PathBuf {
        self.directory.path().join(inner)
    }

    fn write(&self, inner: &str, text: &str) {
        let path = self.path("crate").join(inner);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A program in the new crate; what others wrote is built once, and lies beside our own build.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("CLAUDE") {
                command.env_remove(name);
            }
        }
        command
            .current_dir(self.path("crate"))
            .env("ATTEND_HOME", self.path("home"))
            .env("CLAUDE_CONFIG_DIR", self.path("claude"))
            .env(
                "CARGO_TARGET_DIR",
                Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside"),
            );
        command
    }
}

/// What a command printed, which ended well.
#[track_caller]
fn run(command: &mut Command) -> String {
    let ran = command.output().unwrap();
    let (out, said) = (
        String::from_utf8_lossy(&ran.stdout),
        String::from_utf8_lossy(&ran.stderr),
    );
    assert!(
        ran.status.success(),
        "{command:?}: {}\n{out}\n{said}",
        ran.status
    );
    out.into_owned()
}

#[test]
#[ignore = "builds a crate of the packages: a minute or two"]
fn a_sensor_of_somebody_else_keeps_the_contract_and_is_heard() {
    let outside = Outside::new();
    outside.write("Cargo.toml", include_str!("template/manifest.toml"));
    outside.write("src/lib.rs", include_str!("template/lib.rs"));
    outside.write("src/main.rs", include_str!("template/main.rs"));
    let tested = run(outside
        .command(env!("CARGO"))
        .args(["test", "--quiet", "--lib"]));
    assert!(tested.contains("1 passed"), "{tested}");

    let config = "sensors: {length: {most: 8}, git: {enabled: false}}\n";
    outside.write(".claude/attend.yaml", config);
    outside.write("notes.md", "more than eight\n");
    let told = run(outside.command(env!("CARGO")).args(["run", "--quiet"]));
    assert!(
        told.contains("[attend sensor=length ") && told.contains("notes.md has 16 bytes"),
        "{told}"
    );
}

#[test]
#[ignore = "builds a crate of the packages: a minute or two"]
fn the_tutorial_runs_from_an_empty_directory() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide/first-sensor.md");
    let page = fs::read_to_string(page).unwrap();
    let outside = Outside::new();
    let script = tutorial::script(&page);
    let told = run(outside.command("bash").args(["-c", &script]));
    // Once: under the threshold of the last step it says nothing.
    let line = "[attend sensor=todo priority=medium] lines of notes.md that say TODO: 1\n";
    assert_eq!(told.matches(line).count(), 1, "{told}");
}
