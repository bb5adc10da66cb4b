//! What a session did itself, as fixture 41 and made-up rows tell it.

use std::path::Path;

use attend_core::dynamics::Tick;
use attend_core::sensor::{OwnChanges, OwnSpan, Root};

use crate::world::{ID, World, fixture, own};

/// 2026-11-20 11:00:00 UTC.
const ELEVEN: u64 = 1_795_172_400;

fn span(from: u64, until: Option<u64>) -> OwnSpan {
    let tick = |seconds| Tick::new(ELEVEN + seconds);
    OwnSpan::new(tick(from), until.map(tick))
}

fn edited(own: &OwnChanges) -> Vec<(&str, OwnSpan)> {
    let edits = own.edits.iter();
    edits
        .map(|edit| (edit.path.to_str().unwrap(), edit.span))
        .collect()
}

#[test]
fn edits_and_shell_calls_of_the_fixture() {
    let world = World::new();
    world.write(fixture("41"));
    let host = world.named();
    let own = own(&host);
    assert!(own.complete);
    assert_eq!(
        edited(&own),
        [
            ("/home/dev/proj/src/lib.rs", span(40, Some(50))),
            ("/home/dev/proj/src/new file.rs", span(60, Some(70))),
            ("/home/dev/proj/n.ipynb", span(80, Some(90))),
        ]
    );
    let calls: Vec<_> = own
        .calls
        .iter()
        .map(|call| (call.span, call.background, call.version_control))
        .collect();
    assert_eq!(
        calls,
        [
            (span(120, Some(130)), false, false),
            (span(140, Some(150)), false, true),
            (span(160, None), true, false),
            (span(180, None), false, true),
        ]
    );
    let tick = |seconds| Tick::new(ELEVEN + seconds);
    assert!(own.version_control_between(tick(145), tick(146)));
    assert!(!own.version_control_between(tick(151), tick(179)));
    assert!(
        own.version_control_between(tick(999), tick(999)),
        "the rebase still runs"
    );
    assert!(own.is_running());
    assert!(
        own.edit(Path::new("/home/dev/proj/src/refused.rs"))
            .is_none()
    );
}

/// An assistant's row that calls a tool, `second` seconds after eleven.
fn call(second: u64, id: &str, name: &str, input: &str) -> String {
    let content = format!(r#"[{{"type":"tool_use","id":"{id}","name":"{name}","input":{input}}}]"#);
    format!(
        r#"{{"type":"assistant","timestamp":"2026-11-20T11:00:{second:02}Z","cwd":"/home/dev/proj","message":{{"content":{content}}}}}"#
    ) + "\n"
}

fn result(second: u64, id: &str, outcome: &str) -> String {
    let content = format!(r#"[{{"type":"tool_result","tool_use_id":"{id}","content":"…"}}]"#);
    format!(
        r#"{{"type":"user","timestamp":"2026-11-20T11:00:{second:02}Z","message":{{"content":{content}}},"toolUseResult":{outcome}}}"#
    ) + "\n"
}

fn user(second: u64, more: &str, content: &str) -> String {
    format!(
        r#"{{"type":"user","timestamp":"2026-11-20T11:00:{second:02}Z",{more}"message":{{"content":{content}}}}}"#
    ) + "\n"
}

#[test]
fn an_edit_counts_from_its_call_on_until_it_is_refused() {
    let world = World::new();
    world.write(call(1, "a", "Edit", r#"{"file_path":"rel.rs"}"#));
    let host = world.named();
    assert_eq!(
        edited(&own(&host)),
        [("/home/dev/proj/rel.rs", span(1, None))]
    );
    world.append(result(2, "a", r#""User rejected tool use""#));
    assert_eq!(edited(&own(&host)), []);
    world.append(call(3, "b", "Write", r#"{"file_path":"/w/a"}"#) + &result(4, "b", "{}"));
    world.append(call(5, "c", "MultiEdit", r#"{"file_path":"/w/a"}"#) + &result(6, "c", "{}"));
    assert_eq!(edited(&own(&host)), [("/w/a", span(5, Some(6)))]);
}

#[test]
fn a_call_whose_result_never_comes_ends_with_its_turn() {
    let endings = [
        user(9, "", r#""and now the tests""#),
        user(
            9,
            "",
            r#"[{"type":"text","text":"[Request interrupted by user for tool use]"}]"#,
        ),
    ];
    for ending in endings {
        let world = World::new();
        world.write(call(1, "a", "Bash", r#"{"command":"git rebase -i"}"#));
        let host = world.named();
        assert!(own(&host).is_running());
        world.append(user(8, r#""isSidechain":true,"#, r#""a subagent's task""#));
        assert!(own(&host).is_running(), "another chain");
        world.append(&ending);
        assert_eq!(own(&host).calls[0].span, span(1, Some(9)), "{ending}");
    }
}

#[test]
fn a_background_call_ends_when_the_host_says_so() {
    let notice = |status: &str| {
        format!(
            r#""<task-notification>\n<task-id>b1</task-id>\n{status}<summary>x</summary>\n</task-notification>""#
        )
    };
    let done = notice(r"<status>completed</status>\n");
    let origin = r#""origin":{"kind":"task-notification"},"#;
    let queued = format!(
        r#"{{"type":"attachment","timestamp":"2026-11-20T11:00:09Z","attachment":{{"type":"queued_command","commandMode":"task-notification","prompt":{done}}}}}"#
    );
    let world = World::new();
    for ending in [user(9, origin, &done), queued + "\n"] {
        world.write(
            call(1, "a", "Bash", r#"{"command":"cargo build"}"#)
                + &result(2, "a", r#"{"backgroundTaskId":"b1"}"#),
        );
        let host = world.named();
        for other in [
            user(3, "", &done),
            user(4, origin, &notice("")),
            user(5, "", r#""go on""#),
        ] {
            world.append(other);
            let call = own(&host).calls[0];
            assert_eq!((call.span, call.background), (span(1, None), true));
        }
        assert!(!own(&host).is_running(), "not in the foreground");
        world.append(&ending);
        assert_eq!(own(&host).calls[0].span, span(1, Some(9)), "{ending}");
    }
}

#[test]
fn what_subagents_do_is_own_too() {
    let world = World::new();
    world.write(call(1, "a", "Edit", r#"{"file_path":"/w/main"}"#) + &result(2, "a", "{}"));
    let host = world.named();
    assert_eq!(edited(&own(&host)), [("/w/main", span(1, Some(2)))]);
    let subagent = |name: &str| format!("projects/{}/{ID}/subagents/{name}", world.folder());
    let rows = call(3, "b", "Edit", r#"{"file_path":"/w/sub"}"#) + &result(4, "b", "{}");
    world
        .roots
        .file_in(Root::Host, subagent("agent-1.jsonl"), &rows);
    world.roots.file_in(
        Root::Host,
        subagent("notes.jsonl"),
        rows.replace("/w/sub", "/w/no"),
    );
    assert_eq!(edited(&own(&host)).len(), 2);
    let deep = call(5, "c", "Write", r#"{"file_path":"/w/deep"}"#) + &result(6, "c", "{}");
    world
        .roots
        .file_in(Root::Host, subagent("workflows/w1/agent-2.jsonl"), deep);
    let more = rows + &call(7, "d", "Bash", r#"{"command":"git commit -m x"}"#);
    world
        .roots
        .file_in(Root::Host, subagent("agent-1.jsonl"), more);
    let own = own(&host);
    let paths: Vec<&str> = edited(&own).iter().map(|(path, _)| *path).collect();
    assert_eq!(paths, ["/w/main", "/w/sub", "/w/deep"]);
    assert!(own.complete && own.calls[0].version_control);
}

#[test]
fn what_is_remembered_is_bounded() {
    let world = World::new();
    let mut rows = String::new();
    for n in 0..2_000 {
        rows += &call(
            1,
            &format!("e{n}"),
            "Edit",
            &format!(r#"{{"file_path":"/w/{n}"}}"#),
        );
        rows += &result(2, &format!("e{n}"), "{}");
        rows += &call(3, &format!("c{n}"), "Bash", r#"{"command":"true"}"#);
        rows += &call(4, &format!("o{n}"), "Edit", r#"{"file_path":"/w/open"}"#);
    }
    world.write(rows);
    let own = own(&world.named());
    assert!(!own.complete);
    assert!(
        own.edits.len() <= 513 && own.calls.len() <= 256,
        "{} {}",
        own.edits.len(),
        own.calls.len()
    );
    assert!(own.edit(Path::new("/w/1999")).is_some() || own.edit(Path::new("/w/open")).is_some());
}
