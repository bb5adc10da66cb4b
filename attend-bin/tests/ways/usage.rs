//! Arguments and help of `ways`.

use crate::desk::Desk;
use crate::home::stdout;

#[test]
fn help_names_every_command_with_examples() {
    let desk = Desk::new();
    for command in [
        "",
        "show",
        "list",
        "lint",
        "context",
        "rethink",
        "completions",
    ] {
        let words: Vec<&str> = command.split_terminator(' ').chain(["--help"]).collect();
        let output = desk.output(&words);
        assert!(output.status.success());
        insta::assert_snapshot!(format!("help-{command}"), stdout(&output));
    }
}

#[test]
fn what_is_no_command_is_a_usage_error() {
    let desk = Desk::new();
    for args in [
        &[][..],
        &["shwo"],
        &["show"],
        &["show", "attend/"],
        &["show", "attend/a", "--mode", "loud"],
    ] {
        assert_eq!(desk.output(args).status.code(), Some(2), "{args:?}");
    }
}
