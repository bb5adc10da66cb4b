//! Tests of reading traces that are damaged, foreign or cut short.

use super::{Trace, TraceErrorKind, TraceLog};
use crate::attention::{Input, Settings};
use crate::dynamics::Tick;

fn lines() -> Vec<u8> {
    let mut log = TraceLog::begin(Tick::new(10), &Settings::default(), None);
    log.input(Tick::new(10), &Input::Banner("hello".to_owned()));
    log.input(Tick::new(12), &Input::Notice("degraded".to_owned()));
    log.take()
}

fn refused(bytes: &[u8]) -> (TraceErrorKind, usize, String) {
    let error = Trace::read(bytes).unwrap_err();
    (error.kind(), error.line(), error.to_string())
}

#[test]
fn what_is_no_trace_is_foreign() {
    for text in [
        "",
        "\n",
        "hello\n",
        "{}\n",
        "[1,2]\n",
        "\0\0\0",
        "{\"trace\":\"1\"}\n",
    ] {
        let (kind, line, told) = refused(text.as_bytes());
        assert_eq!((kind, line), (TraceErrorKind::Foreign, 1), "{text:?}");
        assert!(told.contains("this is no trace"), "{told}");
    }
}

#[test]
fn a_form_that_only_a_later_attend_knows_is_named() {
    let text = "{\"trace\":2,\"attend\":\"9.0.0\",\"everything\":\"else\"}\n";
    let (kind, line, told) = refused(text.as_bytes());
    assert_eq!((kind, line), (TraceErrorKind::Newer, 1));
    assert!(told.contains("form 2, written by attend 9.0.0"), "{told}");
}

#[test]
fn a_damaged_line_is_named_and_a_torn_last_one_is_left_out() {
    let whole = lines();
    let text = String::from_utf8(whole.clone()).unwrap();
    let torn = whole.get(..whole.len() - 4).unwrap();
    let trace = Trace::read(torn).unwrap();
    assert!(trace.is_cut_short());
    assert_eq!(trace.len(), 1);
    assert!(!Trace::read(&whole).unwrap().is_cut_short());
    for (damaged, line) in [
        (text.replace("[10,", "[10,,"), 2),
        (text.replace("\"banner\"", "\"bonner\""), 2),
        (text.replace("[12,", "[ ,"), 3),
        (text.replace("\"half_life\"", "\"half_live\""), 1),
    ] {
        let (kind, at, told) = refused(damaged.as_bytes());
        assert_eq!((kind, at), (TraceErrorKind::Damaged, line), "{told}");
        assert!(told.starts_with(&format!("line {line}: ")), "{told}");
    }
}

#[test]
fn ticks_that_step_back_are_damage() {
    let text = String::from_utf8(lines()).unwrap().replace("[12,", "[9,");
    let (kind, line, told) = refused(text.as_bytes());
    assert_eq!((kind, line), (TraceErrorKind::Damaged, 3));
    assert!(told.contains("its tick 9 lies before 10"), "{told}");
}

#[test]
fn a_decision_that_this_engine_does_not_make_is_named() {
    let mut text = String::from_utf8(lines()).unwrap();
    text.push_str("[13,{\"write\":{\"id\":7,\"lines\":1,\"units\":9}}]\n");
    let error = Trace::read(text.as_bytes()).unwrap().replay().unwrap_err();
    assert_eq!((error.kind(), error.line()), (TraceErrorKind::Diverged, 4));
    assert!(
        error.to_string().contains("would write batch 1 otherwise"),
        "{error}"
    );
}
