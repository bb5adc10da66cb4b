//! The manual pages, and that what the README says of installing is so.

use std::fs;

use crate::home::{Home, stderr, stdout};

#[test]
fn each_command_has_a_manual_page() {
    let home = Home::new();
    let output = home.output(&["man", "pages"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let help = stdout(&home.output(&["--help"]));
    let commands = help.split("Commands:\n").nth(1).expect("commands");
    let commands = commands.split("\n\n").next().expect("their list");
    let names = commands.lines().filter_map(|line| {
        let name = line
            .strip_prefix("  ")
            .filter(|rest| !rest.starts_with(' '))?;
        name.split_whitespace().next()
    });
    let mut count = 0;
    for name in names.filter(|name| *name != "help") {
        let page = home.project().join(format!("pages/attend-{name}.1"));
        let text = fs::read_to_string(&page).unwrap_or_default();
        assert!(text.contains(".TH "), "{}", page.display());
        count += 1;
    }
    assert!(count > 20, "{help}");
    for page in [
        "attend.1",
        "ways.1",
        "ways-show.1",
        "attend-plugin-install.1",
    ] {
        let text = fs::read_to_string(home.project().join("pages").join(page));
        assert!(text.is_ok_and(|text| text.contains(".TH ")), "{page}");
    }
    // Nobody types it but whoever makes a package.
    assert!(!help.contains("\n  man "), "{help}");
    let refused = home.output(&["man", "/proc/attend"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("/proc/attend"), "{refused:?}");
}

#[test]
fn every_command_with_json_has_its_fields_on_the_page() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/json.md");
    // Where this package was unpacked alone there is no page.
    let Ok(page) = fs::read_to_string(page) else {
        return;
    };
    let headings = page.lines().filter_map(|line| line.strip_prefix("## "));
    let named = headings.flat_map(|heading| heading.split('`').skip(1).step_by(2));
    let named: Vec<&str> = named
        .filter_map(|name| name.strip_suffix(" --json"))
        .collect();
    let is_on_page = |command: &str| {
        named.iter().any(|name| match name.strip_suffix(" …") {
            Some(above) => command.starts_with(above),
            None => name.trim_end_matches(|c: char| c.is_uppercase() || c == ' ') == command,
        })
    };
    let home = Home::new();
    let output = home.output(&["man", "pages"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let mut count = 0;
    for entry in fs::read_dir(home.project().join("pages")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        if text.contains("\\fB\\-\\-json\\fR") {
            let command = path
                .file_stem()
                .unwrap()
                .to_string_lossy()
                .replace('-', " ");
            assert!(is_on_page(&command), "{command}");
            count += 1;
        }
    }
    assert!(count > 20, "{count}");
}

/// The commands of the first block of shell below `heading` in a file of the workspace, without
/// what is said of them; none where this package was unpacked alone.
fn commands(file: &str, heading: &str) -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../").to_owned() + file;
    let Ok(text) = fs::read_to_string(path) else {
        return Vec::new();
    };
    let (_, below) = text.split_once(heading).expect("the heading");
    let (_, block) = below.split_once("```sh\n").expect("a block of shell");
    let (block, _) = block.split_once("```").expect("its end");
    let lines = block
        .lines()
        .map(|line| line.split(" #").next().unwrap_or(line).trim());
    lines.map(str::to_owned).collect()
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a shell runs what the pages say")]
fn what_the_pages_say_of_installing_is_so() {
    let home = Home::new();
    let mut count = 0;
    for (file, heading) in [
        ("README.md", "## Installing\n"),
        ("docs/plugin.md", "# The plugin for Claude Code\n"),
    ] {
        for command in commands(file, heading) {
            count += 1;
            if let Some(package) = command.strip_prefix("cargo install --path ") {
                let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../").to_owned() + package;
                let manifest = fs::read_to_string(manifest + "/Cargo.toml").expect("a package");
                for program in ["\"attend\"", "\"ways\""] {
                    assert!(
                        manifest.contains(&format!("name = {program}")),
                        "{manifest}"
                    );
                }
                continue;
            }
            let (name, rest) = command.split_once(' ').expect("a command");
            let program = match name {
                "attend" => env!("CARGO_BIN_EXE_attend"),
                "ways" => env!("CARGO_BIN_EXE_ways"),
                other => panic!("{other} is none of the programs"),
            };
            let mut shell = std::process::Command::new("sh");
            crate::home::scrub(&mut shell, home.path());
            let line = format!("\"$0\" {rest}");
            let shell = shell.args(["-c", &line, program]);
            let output = shell.current_dir(home.project()).output().expect("a shell");
            // There is no host here, which the doctor says.
            let expected = if rest == "doctor" { 3 } else { 0 };
            assert_eq!(
                output.status.code(),
                Some(expected),
                "{command}: {output:?}"
            );
            assert_eq!(stderr(&output), "", "{command}");
        }
    }
    let is_alone =
        !std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md")).exists();
    assert!(is_alone || count == 10, "{count}");
}
