//! Whole processes of `attend hook`: without mail and with one message, beside no ways and 500.
//!
//! ```sh
//! cargo build --release -p attend-bin
//! cargo bench -p benches --bench hooks -- DIR [ROUNDS]
//! ```
//!
//! `DIR` becomes ATTEND_HOME, and must be new. Of the 500 ways a fifth each are `attend`,
//! `UserPromptSubmit`, `PreToolUse`, `PostToolUse` and `context-threshold`; none fires, and the
//! transcript has 4 MB. All cases are measured in turns with each other, with `attend --version`
//! and with one fsync of the same directory. Start it outside any session of a host.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a measurement reads the clock, starts processes, prints, and ends where it cannot go on"
)]

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use self::processes::{Host, Place, tell, timed};

mod processes;

const WAYS: usize = 500;

/// Bytes of the transcript.
const TRANSCRIPT: usize = 4 << 20;

/// A session, and what its hooks are told.
struct Desk {
    place: Place,
    host: Host,
    seat: String,
    event: PathBuf,
}

impl Desk {
    /// The session number `n` below `dir`, with so many ways of the user.
    fn new(dir: &Path, n: usize, ways: usize) -> Self {
        let place = Place::new(dir);
        (0..ways).for_each(|n| way(&place.dir.join("config/ways"), n));
        let host = place.host(n);
        let transcript = transcript(&place.dir, &host.session);
        let told = json!({
            "session_id": host.session, "transcript_path": transcript, "cwd": place.dir.join("project"),
            "hook_event_name": "UserPromptSubmit", "prompt": "mend the parser, then say what you did",
        });
        let event = place.dir.join("event.json");
        fs::write(&event, told.to_string()).unwrap();
        let who = place.json(&host, &["whoami", "--json"]);
        let seat = who["seat"].as_str().unwrap().to_owned();
        Self {
            place,
            host,
            seat,
            event,
        }
    }

    /// One hook, and what it gave.
    fn hook(&self) -> (Duration, String) {
        let mut command = self.place.attend(Some(&self.host), &["hook"]);
        command.stdin(File::open(&self.event).unwrap());
        let (time, output) = timed(command);
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{output:?}"
        );
        (time, String::from_utf8(output.stdout).unwrap())
    }

    fn send(&self, text: &str) {
        let sent = timed(self.place.attend(None, &["send", "--to", &self.seat, text]));
        assert!(sent.1.status.success(), "{sent:?}");
    }
}

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    let Some(dir) = words.first() else {
        println!("give a new directory");
        return;
    };
    let rounds = words.get(1).map_or(200, |rounds| rounds.parse().unwrap());
    let dir = Path::new(dir);
    let desks = [
        Desk::new(&dir.join("none"), 1, 0),
        Desk::new(&dir.join("many"), 2, WAYS),
    ];
    let mut probe = desks[0].place.probe();
    let mut times = vec![Vec::new(); 5];
    for desk in &desks {
        // Whatever is kept between hooks is made.
        desk.hook();
        std::thread::sleep(Duration::from_secs(3));
        desk.hook();
    }
    for round in 0..rounds {
        for (n, desk) in desks.iter().enumerate() {
            let (time, said) = desk.hook();
            assert_eq!(said, "");
            times[n].push(time);
            desk.send(&format!("number {round}"));
            let (time, said) = desk.hook();
            assert!(said.contains(&format!("number {round}")), "{said}");
            times[2 + n].push(time);
        }
        times[4].push(timed(desks[0].place.attend(None, &["--version"])).0);
        probe.syncs(1);
    }
    for (what, times) in [
        "no mail, no way",
        "no mail, 500 ways",
        "one message, no way",
        "one message, 500 ways",
        "attend --version",
    ]
    .into_iter()
    .zip(&times)
    {
        tell(what, times);
    }
    tell("one fsync of the same directory", &probe.taken);
}

/// The way number `n`: a fifth of them for each trigger, none of which is reached.
fn way(dir: &Path, n: usize) {
    let trigger = match n % 5 {
        0 => format!("{{ type: attend, signals: [signal-{n}] }}"),
        1 => {
            format!("{{ type: UserPromptSubmit, pattern: 'deploy-{n}\\b', keywords: [topic{n}] }}")
        }
        2 => format!("{{ type: PreToolUse, tools: [Bash], commands: ['^tool-{n}\\b'] }}"),
        3 => format!("{{ type: PostToolUse, tools: [Edit], files: ['src/part-{n}/**'] }}"),
        _ => "{ type: context-threshold, above: 0.99 }".to_owned(),
    };
    let body = "Do this first, then look at that.\n".repeat(20);
    let text = format!(
        "---\nname: way-{n}\ndescription: Guidance number {n}\ntrigger: {trigger}\n---\n{body}"
    );
    let dir = dir.join(format!("d{}", n % 20));
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join(format!("w{n}.md")), text).unwrap();
}

/// A transcript of the session `session`, whose context holds 40,000 tokens.
fn transcript(dir: &Path, session: &str) -> PathBuf {
    let project = dir.join("project");
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let folder: String = project.to_string_lossy().chars().map(plain).collect();
    let folder = dir.join("claude/projects").join(folder);
    fs::create_dir_all(&folder).unwrap();
    let mut text = String::new();
    let row = |kind: &str, n: usize, message: Value| {
        json!({
            "type": kind, "sessionId": session, "cwd": project, "uuid": format!("{kind}-{n}"),
            "timestamp": "2026-01-01T00:00:00.000Z", "message": message,
        })
    };
    for n in 0.. {
        let said = row("user", n, json!({"role": "user", "content": "go on"}));
        let usage = json!({"input_tokens": 40_000, "output_tokens": 9});
        let content = json!([{"type": "text", "text": "words ".repeat(400)}]);
        let answer = json!({
            "role": "assistant", "id": format!("m{n}"), "model": "claude-opus-4-8",
            "content": content, "usage": usage,
        });
        let _ = writeln!(text, "{said}\n{}", row("assistant", n, answer));
        if text.len() > TRANSCRIPT {
            break;
        }
    }
    let path = folder.join(format!("{session}.jsonl"));
    fs::write(&path, text).unwrap();
    path
}
