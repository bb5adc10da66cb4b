//! On what a way fires.

use attend_core::ways::{Haystack, Occasion, SourceOfStart, ToolEvent, Trigger};

use crate::parsed;

fn trigger(lines: &str) -> Trigger {
    let read = parsed(&format!(
        "---\nname: n\ndescription: d\ntrigger: {lines}\n---\nB\n"
    ));
    assert_eq!(read.findings, [], "{lines}");
    read.way.unwrap().trigger
}

#[test]
fn a_prompt_matches_by_pattern_or_by_whole_words() {
    let one = trigger(
        "{ type: UserPromptSubmit, pattern: 'deploy(ed)? to', keywords: [roll back, SQL] }",
    );
    for (prompt, fires) in [
        ("was it deployed to the cloud?", true),
        ("Please ROLL\nBACK at once", true),
        ("write some sql.", true),
        ("sqlite is fine", false),
        ("rollback", false),
        ("", false),
    ] {
        assert_eq!(
            one.fires_on(&Occasion::Prompt(&Haystack::new(prompt))),
            fires,
            "{prompt}"
        );
    }
    assert!(!one.fires_on(&Occasion::Asked("sql")));
}

#[test]
fn a_call_matches_where_everything_given_does() {
    let one =
        trigger("{ type: PreToolUse, tools: [Edit, Write], files: ['src/**/*.rs', '*.toml'] }");
    let call = |event, tool, file| Occasion::Tool {
        event,
        tool,
        command: None,
        file,
    };
    let pre = ToolEvent::PreToolUse;
    assert!(one.fires_on(&call(pre, "Edit", Some("/home/dev/src/a/b.rs"))));
    assert!(one.fires_on(&call(pre, "Write", Some("Cargo.toml"))));
    assert!(!one.fires_on(&call(pre, "Read", Some("Cargo.toml"))));
    assert!(!one.fires_on(&call(pre, "Edit", Some("a.py"))));
    assert!(!one.fires_on(&call(pre, "Edit", None)));
    assert!(!one.fires_on(&call(ToolEvent::PostToolUse, "Edit", Some("Cargo.toml"))));
    let command = trigger("{ type: PostToolUseFailure, commands: '^git push' }");
    for (text, fires) in [("git push origin", true), ("echo git push", false)] {
        let call = Occasion::Tool {
            event: ToolEvent::PostToolUseFailure,
            tool: "Bash",
            command: Some(&Haystack::new(text)),
            file: None,
        };
        assert_eq!(command.fires_on(&call), fires, "{text}");
    }
}

#[test]
fn the_rest_fires_on_its_own_occasion_only() {
    let start = trigger("{ type: SessionStart, source: [resume, compact] }");
    assert!(start.fires_on(&Occasion::Start(SourceOfStart::Compact)));
    assert!(!start.fires_on(&Occasion::Start(SourceOfStart::Startup)));
    let any = trigger("{ type: SessionStart }");
    assert!(any.fires_on(&Occasion::Start(SourceOfStart::Fork)));
    let share = trigger("{ type: context-threshold, above: 0.75 }");
    for (before, now, fires) in [
        (0.5, 0.75, true),
        (0.75, 0.8, false),
        (0.8, 0.5, false),
        (0.1, 0.7, false),
    ] {
        assert_eq!(
            share.fires_on(&Occasion::Share { before, now }),
            fires,
            "{before} to {now}"
        );
    }
    let stop = trigger("{ type: Stop }");
    assert!(stop.fires_on(&Occasion::Stop { goes_on: false }));
    assert!(!stop.fires_on(&Occasion::Stop { goes_on: true }));
    assert!(trigger("{ type: PostCompact }").fires_on(&Occasion::Compacted));
}
