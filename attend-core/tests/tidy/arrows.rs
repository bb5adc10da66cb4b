//! The arrows between the wings of `attend-core`, and between the crates: they only point down.

use crate::order::Modules;
use crate::source::{Named, Source};
use crate::{Check, Finding, hold, lines};

/// The wings of `attend-core/src`, each with the wings that it may use.
pub(crate) const WINGS: [(&str, &[&str]); 9] = [
    ("yaml", &[]),
    ("picture", &[]),
    ("dynamics", &[]),
    ("mail", &[]),
    ("sensor", &["dynamics", "mail"]),
    ("attention", &["picture", "dynamics", "mail", "sensor"]),
    ("ways", &["yaml", "picture", "dynamics", "mail", "sensor"]),
    (
        "runtime",
        &["yaml", "dynamics", "mail", "sensor", "attention", "ways"],
    ),
    (
        "testkit",
        &["dynamics", "mail", "sensor", "attention", "ways", "runtime"],
    ),
];

const BETWEEN_WINGS: Check = Check {
    name: "an arrow between wings only points down",
    find: between_wings,
    advice: "Move what is shared to a wing below both, or hand it down as a trait or a value. \
             A new wing goes into the table in `tests/tidy/arrows.rs`.",
};

fn between_wings(sources: &[Source]) -> Vec<Finding> {
    let modules = Modules::of(sources);
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| source.is_shipped()) {
        let Some(module) = source.module() else {
            continue;
        };
        let Some(wing) = module.first() else { continue };
        let Some((_, below)) = WINGS.iter().find(|(name, _)| name == wing) else {
            findings.push(Finding::new(source, 1, format!("`{wing}` is no wing")));
            continue;
        };
        for name in source.names() {
            let Some(target) = modules.target(&module, &name) else {
                continue;
            };
            let Some(other) = target.first() else {
                continue;
            };
            if other != wing && !below.contains(&other.as_str()) {
                let what = format!("`{wing}` uses `{}`", name.segments.join("::"));
                findings.push(Finding::new(source, name.line, what));
            }
        }
    }
    findings
}

const BETWEEN_CRATES: Check = Check {
    name: "sensors use no driver, and nothing that is shipped uses the testkit",
    find: between_crates,
    advice: "A sensor is given what it needs by its contexts, as anybody's sensor is. Only tests, \
             examples and benches use the testkit.",
};

fn between_crates(sources: &[Source]) -> Vec<Finding> {
    let uses = |name: &Named, wing: &str| matches!(name.segments.as_slice(), [root, second, ..] if root == "attend_core" && second == wing);
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| source.is_shipped()) {
        let is_sensor = source.path.starts_with("attend-sensors/");
        for name in source.names() {
            if uses(&name, "testkit") || is_sensor && uses(&name, "runtime") {
                let what = format!("it uses `{}`", name.segments.join("::"));
                findings.push(Finding::new(source, name.line, what));
            }
        }
    }
    findings
}

#[test]
fn arrows_between_wings_point_down() {
    hold(&BETWEEN_WINGS);
}

#[test]
fn an_arrow_up_or_sideways_between_wings_is_found() {
    let found = lines(
        &BETWEEN_WINGS,
        &[
            (
                "attend-core/src/dynamics/a.rs",
                "use crate::{mail::Draft, dynamics::Tick};",
            ),
            (
                "attend-core/src/mail/b.rs",
                "fn f() {\n    super::super::sensor::g();\n}",
            ),
            (
                "attend-core/src/sensor/c.rs",
                "use crate::mail::Draft; // crate::runtime\n",
            ),
            ("attend-core/src/attention/lane/d.rs", "use crate::ways::W;"),
            (
                "attend-core/src/runtime/e.rs",
                "#[cfg(test)] mod tests { use crate::testkit::H; }",
            ),
            (
                "attend-core/src/runtime/f/mod.rs",
                "\nuse crate::testkit::H;",
            ),
            ("attend-core/src/cellar/g.rs", ""),
            ("attend-core/src/lib.rs", "use crate::testkit;"),
        ],
    );
    let expected = [
        "attend-core/src/dynamics/a.rs:1: `dynamics` uses `crate::mail::Draft`",
        "attend-core/src/mail/b.rs:2: `mail` uses `super::super::sensor::g`",
        "attend-core/src/attention/lane/d.rs:1: `attention` uses `crate::ways::W`",
        "attend-core/src/runtime/f/mod.rs:2: `runtime` uses `crate::testkit::H`",
        "attend-core/src/cellar/g.rs:1: `cellar` is no wing",
    ];
    assert_eq!(found, expected);
}

#[test]
fn crates_keep_to_what_is_theirs() {
    hold(&BETWEEN_CRATES);
}

#[test]
fn a_sensor_that_uses_the_driver_is_found() {
    let found = lines(
        &BETWEEN_CRATES,
        &[
            (
                "attend-sensors/src/git/mod.rs",
                "use attend_core::{sensor::Event, runtime::Driver};",
            ),
            (
                "attend-sensors/src/git/tests.rs",
                "use attend_core::testkit::Harness;",
            ),
            (
                "attend-bin/src/compose.rs",
                "use attend_core::runtime::Driver;",
            ),
            (
                "attend-bin/src/main.rs",
                "use attend_core::testkit::Harness;",
            ),
            ("examples/own.rs", "use attend_core::testkit::Harness;"),
        ],
    );
    let expected = [
        "attend-sensors/src/git/mod.rs:1: it uses `attend_core::runtime::Driver`",
        "attend-bin/src/main.rs:1: it uses `attend_core::testkit::Harness`",
    ];
    assert_eq!(found, expected);
}
