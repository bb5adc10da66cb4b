//! What of the outside world each place may reach: the platform, the clock, processes, the
//! environment, the terminal.

use crate::lexer::Token;
use crate::source::Source;
use crate::{Check, Finding, hold, lines};

/// The one place with platform code, and the one exception: the lock of the mail store.
const SYSTEM: &str = "attend-core/src/runtime/system/";
const LOCK: &str = "attend-core/src/mail/sqlite/lock/";

/// The wings that must build on any platform.
const PORTABLE: [&str; 7] = [
    "yaml",
    "picture",
    "dynamics",
    "mail",
    "sensor",
    "attention",
    "ways",
];

fn shipped<'a>(sources: &'a [Source], except: &'a [&str]) -> impl Iterator<Item = &'a Source> {
    let excepted = |source: &Source| except.iter().any(|place| source.path.starts_with(place));
    let shipped = sources.iter().filter(|source| source.is_shipped());
    shipped.filter(move |source| !excepted(source))
}

const PLATFORM: Check = Check {
    name: "platform code stands only under runtime/system",
    find: platform,
    advice: "Put what the platform does behind a function or a trait of `runtime/system`.",
};

fn platform(sources: &[Source]) -> Vec<Finding> {
    let crates = ["rustix", "inotify", "libc", "nix", "notify"];
    let mut findings = Vec::new();
    for source in shipped(sources, &[SYSTEM, LOCK]) {
        for token in platform_conditions(&source.code()) {
            let what = format!("a condition on the platform: `{}`", token.text);
            findings.push(Finding::new(source, token.line, what));
        }
        let portable = source.module().is_some_and(|module| {
            let wing = module.first().map_or("", String::as_str);
            PORTABLE.contains(&wing) && module.get(..2) != Some(&["mail".into(), "sqlite".into()])
        });
        for name in source.names() {
            let path = name.segments.join("::");
            let first = name.segments[0].as_str();
            let of_one = path.starts_with("std::os::linux")
                || portable && path.starts_with("std::os::")
                || crates.contains(&first);
            if of_one {
                findings.push(Finding::new(source, name.line, format!("it uses `{path}`")));
            }
        }
    }
    findings
}

/// The names in `cfg(…)`, `cfg_attr(…)` and `cfg!(…)` that ask for a platform.
fn platform_conditions<'a>(code: &[&'a Token]) -> Vec<&'a Token> {
    let asked = [
        "unix",
        "windows",
        "target_os",
        "target_family",
        "target_vendor",
        "target_env",
    ];
    let mut found = Vec::new();
    for (at, token) in code.iter().enumerate() {
        if !token.is("cfg") && !token.is("cfg_attr") {
            continue;
        }
        let mut depth = 0_usize;
        for inner in code.iter().skip(at + 1) {
            match inner.text.as_str() {
                "!" if depth == 0 => {}
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                name if depth > 0 && asked.contains(&name) => found.push(*inner),
                _ => {}
            }
            if depth == 0 && !inner.is("!") {
                break;
            }
        }
    }
    found
}

const SYSTEM_CALLS: Check = Check {
    name: "only runtime/system reads the clock and starts processes; only the binary reads the \
           environment and exits",
    find: system_calls,
    advice: "Take the time, the runner or the value as an argument: contexts hand them out, and \
             `attend-bin/src/env.rs` reads the environment once.",
};

fn system_calls(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in shipped(sources, &[SYSTEM]) {
        let is_env = source.path == "attend-bin/src/env.rs";
        let is_bin = source.path.starts_with("attend-bin/");
        for name in source.names() {
            let segments: Vec<&str> = name.segments.iter().map(String::as_str).collect();
            let refused = match segments.as_slice() {
                [.., "Instant" | "SystemTime", "now"]
                | [.., "process", "Command"]
                | [.., "process", "Command", _]
                | ["std" | "tokio", "process", "*"] => true,
                ["std", "env", ..] => !is_env,
                [.., "process", "exit" | "abort"] => !is_bin,
                _ => false,
            };
            if refused {
                let what = format!("it uses `{}`", segments.join("::"));
                findings.push(Finding::new(source, name.line, what));
            }
        }
    }
    findings
}

const PRINTS: Check = Check {
    name: "only the binary prints",
    find: prints,
    advice: "Return the text, or write it to a writer that the caller gave.",
};

fn prints(sources: &[Source]) -> Vec<Finding> {
    let macros = ["print", "println", "eprint", "eprintln", "dbg"];
    let mut findings = Vec::new();
    for source in shipped(sources, &["attend-bin/"]) {
        for window in source.code().windows(2) {
            if macros.contains(&window[0].text.as_str()) && window[1].is("!") {
                let what = format!("`{}!`", window[0].text);
                findings.push(Finding::new(source, window[0].line, what));
            }
        }
    }
    findings
}

/// The one file that may hold it, with a reason per place.
const RAW: &str = "attend-core/src/runtime/system/raw.rs";

const UNSAFE: Check = Check {
    name: "unsafe code stands in one file",
    find: unsafe_places,
    advice: "A crate such as rustix wraps what the system offers.",
};

fn unsafe_places(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| source.path != RAW) {
        for token in source.code() {
            if token.is("unsafe") || token.is("unsafe_code") {
                let what = format!("`{}`", token.text);
                findings.push(Finding::new(source, token.line, what));
            }
        }
    }
    findings
}

#[test]
fn unsafe_code_has_one_place() {
    hold(&UNSAFE);
    let found = lines(
        &UNSAFE,
        &[
            (
                "attend-core/src/a.rs",
                "// unsafe\n#[allow(unsafe_code)]\nunsafe fn f() {}",
            ),
            (RAW, "unsafe fn f() {}"),
        ],
    );
    let expected = [
        "attend-core/src/a.rs:2: `unsafe_code`",
        "attend-core/src/a.rs:3: `unsafe`",
    ];
    assert_eq!(found, expected);
}

#[test]
fn platform_code_has_one_place() {
    hold(&PLATFORM);
}

#[test]
fn platform_code_elsewhere_is_found() {
    let found = lines(
        &PLATFORM,
        &[
            (
                "attend-core/src/sensor/a.rs",
                "#[cfg(any(test, target_os = \"linux\"))]\nuse std::os::unix::fs::X;",
            ),
            (
                "attend-core/src/runtime/b.rs",
                "fn f() { if cfg!(unix) {} }\nuse rustix::{fs, process};",
            ),
            (
                "attend-core/src/runtime/system/c.rs",
                "#[cfg(unix)] use rustix::fs;",
            ),
            ("attend-core/src/mail/sqlite/lock/mod.rs", "use rustix::fs;"),
            (
                "attend-core/src/mail/sqlite/schema.rs",
                "use std::os::unix::fs::X;",
            ),
            (
                "attend-sensors/src/git.rs",
                "use std::os::unix::ffi::X;\nuse std::os::linux::fs::Y;",
            ),
            (
                "attend-sensors/src/unix.rs",
                "#[cfg(feature = \"unix\")] fn unix() {}\n#[cfg(test)] use libc::x;",
            ),
        ],
    );
    let expected = [
        "attend-core/src/sensor/a.rs:1: a condition on the platform: `target_os`",
        "attend-core/src/sensor/a.rs:2: it uses `std::os::unix::fs::X`",
        "attend-core/src/runtime/b.rs:1: a condition on the platform: `unix`",
        "attend-core/src/runtime/b.rs:2: it uses `rustix::fs`",
        "attend-core/src/runtime/b.rs:2: it uses `rustix::process`",
        "attend-sensors/src/git.rs:2: it uses `std::os::linux::fs::Y`",
    ];
    assert_eq!(found, expected);
}

#[test]
fn the_system_is_asked_in_one_place() {
    hold(&SYSTEM_CALLS);
}

#[test]
fn asking_the_system_elsewhere_is_found() {
    let found = lines(
        &SYSTEM_CALLS,
        &[
            (
                "attend-core/src/sensor/a.rs",
                "fn f() { std::time::SystemTime::now() }",
            ),
            (
                "attend-core/src/runtime/b.rs",
                "use std::{env, process::{Command, Stdio}};\nlet i = Instant::now();",
            ),
            (
                "attend-core/src/runtime/system/c.rs",
                "let i = Instant::now(); use std::process::Command;",
            ),
            (
                "attend-bin/src/env.rs",
                "use std::env; let i = Instant::now();",
            ),
            (
                "attend-bin/src/main.rs",
                "use clap::Command; std::process::exit(1); std::env::args();",
            ),
            (
                "attend-sensors/src/d.rs",
                "use tokio::process::Command; std::process::exit(1);",
            ),
            ("attend-sensors/tests/e.rs", "use std::process::Command;"),
        ],
    );
    let expected = [
        "attend-core/src/sensor/a.rs:1: it uses `std::time::SystemTime::now`",
        "attend-core/src/runtime/b.rs:1: it uses `std::env`",
        "attend-core/src/runtime/b.rs:1: it uses `std::process::Command`",
        "attend-core/src/runtime/b.rs:2: it uses `Instant::now`",
        "attend-bin/src/env.rs:1: it uses `Instant::now`",
        "attend-bin/src/main.rs:1: it uses `std::env::args`",
        "attend-sensors/src/d.rs:1: it uses `tokio::process::Command`",
        "attend-sensors/src/d.rs:1: it uses `std::process::exit`",
    ];
    assert_eq!(found, expected);
}

#[test]
fn libraries_are_quiet() {
    hold(&PRINTS);
}

#[test]
fn a_library_that_prints_is_found() {
    let found = lines(
        &PRINTS,
        &[
            (
                "attend-core/src/a.rs",
                "/// println!(1)\nfn f() { eprintln!(\"x\"); println(); }",
            ),
            ("attend-bin/src/main.rs", "fn main() { println!(\"x\") }"),
        ],
    );
    assert_eq!(found, ["attend-core/src/a.rs:2: `eprintln!`"]);
}
