//! The JSON of `attend doctor`, and what it says to people.

use crate::home::{Home, stderr, stdout};

/// What was printed, with the home as `HOME`.
fn redacted(home: &Home, args: &[&str]) -> String {
    let output = home.output(args);
    assert_eq!(
        (output.status.code(), stderr(&output)),
        (Some(3), String::new())
    );
    let path = home.path().display().to_string();
    stdout(&output).replace(&path, "HOME")
}

#[test]
fn what_is_found_without_a_host_is_printed() {
    let home = Home::new();
    insta::assert_snapshot!("doctor", redacted(&home, &["doctor"]));
    insta::assert_snapshot!("doctor-json", redacted(&home, &["doctor", "--json"]));
}
