//! What the commands that the host runs are told, and what they answer.

/// Of `attend hook`.
pub(super) const HOOK: &str = r#"It reads the host's JSON for any event: `session_id`, `hook_event_name`, and what that event has.
It answers with nothing, or with one JSON document under 8,000 bytes that gives the model, in
`hookSpecificOutput.additionalContext`, the mail that waits for this session, and then the ways
that the event calls for and that have faded (`ways list`). What does not fit comes next time.

  SessionStart         notes which session the host holds; mail, ways, the doorbell to be watched
  UserPromptSubmit, PostToolUse, PostToolUseFailure, Stop    mail, ways
  PreToolUse           the same; denies `attend run` in a shell, where nobody would read its lines
  FileChanged          mail of a doorbell that rang, on standard error with exit code 2
  PostCompact          notes that ways for it are due; the next event that carries text brings them

A subagent is given its ways and no mail. It never fails the host: it exits with 0, and says on
standard error what went wrong.

Example:
  echo '{"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash",
         "tool_input": {"command": "attend run"}}' | attend hook"#;

/// Of `attend statusline`.
pub(super) const STATUSLINE: &str = r#"It reads the host's JSON for its status line: `session_id`, `model.id`, and of `context_window`
`context_window_size` and `current_usage`. The size of the window is kept for that session, so
that the other commands need not guess it. It answers with one short line, such as
`attend · 31% of 200K`, and never fails the host.

Example:
  echo '{"session_id": "s", "context_window": {"context_window_size": 200000,
         "current_usage": {"input_tokens": 62000}}}' | attend statusline"#;
