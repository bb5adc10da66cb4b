//! Scripts that are run at each look.

use attend_core::sensor::{CommandOutput, ErrorKind, Exit, Root};

use super::world::{Real, look, warnings};

#[test]
fn each_line_is_an_event() {
    let polled = look(CommandOutput::exited(
        0,
        "1|one\n\n{\"magnitude\":2,\"text\":\"two\",\"key\":\"k\",\"signal\":\"s\"}\n3|three",
    ));
    polled.assert_texts(&["one", "two", "three"]);
    let two = polled.report().events().nth(1).unwrap();
    let (key, signal) = (two.key().unwrap(), two.signal().unwrap());
    assert_eq!((key.as_str(), signal.as_str()), ("k", "s"));
    assert!(polled.warnings().is_empty());
}

#[test]
fn a_small_exit_code_is_a_warning_and_any_other_a_failed_look() {
    for code in [1, 9] {
        let output = CommandOutput::exited(code, "2|x\n").with_stderr("a\nno token\n");
        let polled = look(output);
        polled.assert_texts(&["x"]);
        let told = format!("the script ended with exit code {code}: no token");
        assert_eq!(warnings(&polled), [told]);
    }
    for exit in [
        Exit::Code(10),
        Exit::Code(255),
        Exit::Code(-1),
        Exit::Signal(9),
    ] {
        let mut output = CommandOutput::exited(0, "2|x\n");
        output.exit = exit;
        let polled = look(output);
        assert_eq!(polled.error().kind(), ErrorKind::Transient, "{exit:?}");
        assert!(polled.report().is_empty() && polled.warnings().is_empty());
    }
    let mut output = CommandOutput::exited(0, "");
    output.exit = Exit::Signal(9);
    assert_eq!(
        look(output).error().to_string(),
        "the script was ended by signal 9"
    );
}

#[test]
fn bad_lines_are_told_with_their_text_the_first_of_many() {
    let polled = look(CommandOutput::exited(0, "disk full\n2|x\nmuch|y\n"));
    polled.assert_texts(&["x"]);
    assert_eq!(
        warnings(&polled),
        [
            "a line does not count, it is neither `magnitude|text` nor a JSON object: disk full",
            "a line does not count, it does not begin with a number: much|y",
        ]
    );
    let polled = look(CommandOutput::exited(0, "bad\n".repeat(150)));
    assert_eq!(polled.warnings().len(), 6);
    assert_eq!(
        polled.details(),
        ["150 lines of the last look do not count"]
    );
}

#[test]
fn the_last_lines_of_its_errors_are_remembered() {
    let all: Vec<String> = (1..=30).map(|n| format!("line {n}")).collect();
    let polled = look(CommandOutput::exited(0, "").with_stderr(all.join("\n")));
    assert_eq!(polled.details().len(), 20);
    assert_eq!(polled.details()[0], "stderr: line 11");
    assert_eq!(polled.details()[19], "stderr: line 30");
}

#[test]
fn it_knows_where_it_runs_and_has_no_input() {
    let mut real = Real::new(
        "cat\nfor said in \"$PWD\" \"$ATTEND_PROJECT\" \"$ATTEND_STATE_DIR\" \"[$ATTEND_SESSION]\"; do echo \"1|$said\"; done",
    );
    let work = real.harness.work().display().to_string();
    let memory = real.harness.path(Root::Own, "scripts/under-test");
    let polled = real.look();
    polled.assert_texts(&[&work, &work, &memory.display().to_string(), "[]"]);
}

#[test]
fn it_keeps_what_it_likes_in_a_directory_of_its_own() {
    use std::os::unix::fs::PermissionsExt;
    let mut real = Real::new(
        "n=$(cat \"$ATTEND_STATE_DIR/n\" 2>/dev/null || echo 0)\necho $((n + 1)) >\"$ATTEND_STATE_DIR/n\"\necho \"1|look $((n + 1))\"",
    );
    real.look().assert_texts(&["look 1"]);
    real.look().assert_texts(&["look 2"]);
    let memory = real.harness.path(Root::Own, "scripts/under-test");
    let mode = std::fs::metadata(memory).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

#[test]
fn a_script_that_is_not_there_or_not_executable_says_so_and_works_once_it_is() {
    use std::os::unix::fs::PermissionsExt;
    let mut real = Real::new("echo '1|up'");
    let path = real.harness.path(Root::Config, "it.sh");
    let mode = |mode| {
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(0o644);
    let error = real.look().error().to_string();
    assert!(
        error.ends_with(&format!(
            "it.sh is not executable; make it so: chmod +x {}",
            path.display()
        )),
        "{error}"
    );
    std::fs::rename(&path, path.with_extension("away")).unwrap();
    let polled = real.look();
    let error = polled.error();
    assert_eq!(error.kind(), ErrorKind::Transient);
    assert_eq!(
        error.to_string(),
        format!("there is no file {}", path.display())
    );
    std::fs::rename(path.with_extension("away"), &path).unwrap();
    mode(0o755);
    real.look().assert_texts(&["up"]);
}
