//! The ways that come with the program.

/// Their ids and their files.
pub const BUNDLED: &[(&str, &str)] = &[
    ("build-complete", include_str!("bundled/build-complete.md")),
    ("build-failed", include_str!("bundled/build-failed.md")),
    (
        "context-pressure",
        include_str!("bundled/context-pressure.md"),
    ),
    ("peer-conflict", include_str!("bundled/peer-conflict.md")),
    (
        "reflection-overdue",
        include_str!("bundled/reflection-overdue.md"),
    ),
];
