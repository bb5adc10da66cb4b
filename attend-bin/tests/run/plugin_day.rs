//! All ways in at once: the plugin's monitor, ended and armed again as often as on a day, and its hooks.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use attend_core::sensor::HostState;
use attend_core::testkit::SimulatedMonitor;
use attend_core::testkit::monitor::Notification;
use attend_sensors::disclosure::Component;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use serde_json::{Value, json};

use crate::desk::{ONE, alone, id};
use crate::hosts_fake::SILENCE;
use crate::live::{PATIENCE, eventually};
use crate::monitor_pipe::{Armed, MonitorPipe};
use crate::plugged::{Plugged, installed};
use crate::reader::Shown;
use crate::world::World;

/// What may follow each other at once: the day is short. Nothing but what the transcript holds
/// keeps a loop from teaching again.
const SHORT: &str = "messages: {cooldown: 0s}\nengagement: {absolute_refractory: 0s}\n\
                     governor: {cooldown: 0s, max_per_window: 100}\n";

/// How a monitor ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// Its time is over: the command is told to end.
    Told,
    /// All of it is killed.
    Killed,
    /// The command is killed, and what it started lives on, with a stdout that nobody reads.
    LeftBehind,
}

/// One monitor, from when it is armed to its end.
struct Monitor {
    pipe: MonitorPipe,
    armed: Armed,
    group: Pid,
}

/// A session of a host with the plugin, which writes down what the model is given.
struct Day<'w> {
    world: &'w World,
    host: Plugged<'w>,
    command: String,
    name: String,
    monitors: Vec<SimulatedMonitor>,
    /// What hooks gave the model.
    told: Vec<String>,
    sent: Vec<String>,
    /// How many notifications the host has kept from the model.
    dropped: usize,
}

impl<'w> Day<'w> {
    /// A session that nobody has spoken to: its loop and its hooks say nothing.
    fn begin(world: &'w World) -> (Self, Monitor) {
        let monitors = installed(world, "monitors/monitors.json");
        let command = monitors[0]["command"].as_str().expect("a command");
        let mut day = Self {
            world,
            host: Plugged::new(world),
            command: command.to_owned(),
            name: String::new(),
            monitors: Vec::new(),
            told: Vec::new(),
            sent: Vec::new(),
            dropped: 0,
        };
        day.host.desk.record_doing(world, ONE, "idle");
        let monitor = day.arm();
        assert_eq!(day.host.start(), "", "a hook adds nothing to the context");
        assert_eq!(day.host.rung(), None, "nobody is woken");
        monitor.pipe.pass(SILENCE);
        let so_far = monitor.pipe.so_far();
        assert_eq!(so_far, SimulatedMonitor::new(), "nothing was printed");
        assert!(!day.transcript().exists(), "nothing came to the transcript");
        day.name = day.host.desk.seat();
        (day, monitor)
    }

    /// A person says something, and the model begins to work.
    fn prompt(&mut self) {
        self.row(&json!({"type": "user", "message": {"role": "user", "content": "begin"}}));
        self.row(&json!({
            "type": "assistant", "requestId": "req-1",
            "message": {
                "id": "msg-1", "model": "claude-opus-4-6", "role": "assistant", "content": [],
                "usage": {"input_tokens": 43_217},
            },
        }));
        self.host.desk.record_doing(self.world, ONE, "busy");
        let told = self
            .host
            .told("UserPromptSubmit", &json!({"prompt": "begin"}));
        self.hooked("UserPromptSubmit", told);
    }

    fn transcript(&self) -> PathBuf {
        let projects = self.world.beside("claude/projects/-repo");
        projects.join(format!("{ONE}.jsonl"))
    }

    fn row(&self, more: &Value) {
        let mut row = json!({
            "sessionId": ONE, "cwd": self.world.repo(), "isSidechain": false, "uuid": "row",
            "timestamp": "2026-01-01T00:00:00.000Z",
        });
        let fields = row.as_object_mut().expect("an object");
        fields.extend(more.as_object().expect("an object").clone());
        let path = self.transcript();
        fs::create_dir_all(path.parent().expect("a folder")).expect("a directory");
        let file = File::options().create(true).append(true).open(path);
        let row = format!("{row}\n");
        file.and_then(|mut file| file.write_all(row.as_bytes()))
            .expect("a transcript");
    }

    /// The model was given `text` by a hook.
    fn hooked(&mut self, event: &str, text: String) {
        if text.is_empty() {
            return;
        }
        self.row(&json!({
            "type": "attachment",
            "attachment": {
                "type": "hook_additional_context", "hookEvent": event, "content": [text],
            },
        }));
        self.told.push(text);
    }

    /// Runs the command of the plugin's monitor, as the host does: by a shell, in a group of its
    /// own.
    fn arm(&mut self) -> Monitor {
        let (pipe, armed, writer, path) = MonitorPipe::armed();
        let cwd = self.world.repo().display().to_string();
        fs::create_dir_all(self.transcript().parent().expect("a folder")).expect("a directory");
        pipe.transcribe(self.transcript(), ONE, &cwd, HostState::Busy);
        let script = self.world.beside("monitor.sh");
        let root = self.world.beside("attend/data/plugin");
        let text = format!(
            "export CLAUDE_PLUGIN_ROOT='{}'\n{}\ntrue\n",
            root.display(),
            self.command
        );
        fs::write(&script, text).expect("a script");
        let errors = self.world.beside("monitor.err");
        let line = format!(
            "{{ setsid sh '{}' 2>>'{}' & }} >'{path}'; echo $!",
            script.display(),
            errors.display()
        );
        let group = self.host.desk.run(&line).ok();
        drop(writer);
        let group = group.trim().parse().ok().and_then(Pid::from_raw);
        Monitor {
            pipe,
            armed,
            group: group.expect("a process"),
        }
    }

    /// The monitor ends.
    fn end(&mut self, monitor: Monitor, end: End) {
        let Monitor { pipe, armed, group } = monitor;
        match end {
            End::Told => kill_process_group(group, Signal::TERM),
            End::Killed => kill_process_group(group, Signal::KILL),
            End::LeftBehind => {
                drop(armed);
                kill_process(group, Signal::KILL)
            }
        }
        .expect("it runs");
        self.monitors.push(pipe.ended());
        eventually("it is gone", || !lives(group));
    }

    /// Somebody writes to the session; gives what it takes to know the id.
    fn writes(&self, words: &str) -> std::process::Child {
        let to = format!("@{}", self.name);
        let mut command = alone(self.world, &["send", "--json", &to, words]);
        command.stdout(std::process::Stdio::piped());
        command.spawn().expect("it starts")
    }

    /// It was written.
    fn written(&mut self, sender: std::process::Child) -> String {
        let output = sender.wait_with_output().expect("it ends");
        assert!(output.status.success());
        let id = id(&serde_json::from_slice(&output.stdout).expect("a receipt"));
        self.sent.push(id.clone());
        id
    }

    /// What the host does meanwhile, with its hooks.
    fn works(&mut self, nth: usize) {
        let (event, told) = match nth % 4 {
            0 => ("PostToolUse", self.host.rung_while_at_work()),
            1 => ("PostToolUse", self.host.uses_a_tool()),
            2 => {
                let prompt = json!({"prompt": "go on"});
                (
                    "UserPromptSubmit",
                    self.host.told("UserPromptSubmit", &prompt),
                )
            }
            _ => {
                let stop = json!({"stop_hook_active": false});
                let told = self.host.told("Stop", &stop);
                self.hooked("Stop", told);
                ("Stop", self.host.rung().unwrap_or_default())
            }
        };
        self.hooked(event, told);
    }

    /// Half an hour of the day: the monitor of its own is armed, unless there are only hooks.
    fn half_hour(&mut self, nth: usize, monitor: Option<Monitor>) {
        let monitor = match nth % 6 {
            5 => None,
            _ => Some(monitor.unwrap_or_else(|| self.arm())),
        };
        if let Some(monitor) = &monitor {
            // It lives: what comes while no hook runs, comes by it.
            let sender = self.writes(&format!("{nth}: first"));
            let first = self.written(sender);
            eventually("it is told", || self.is_printed(&first, Some(monitor)));
        }
        let senders = [1, 2].map(|n| self.writes(&format!("{nth}: {n}")));
        self.works(nth);
        for sender in senders {
            self.written(sender);
        }
        let last = self.writes(&format!("{nth}: while it ends"));
        if let Some(monitor) = monitor {
            let ends = [End::Told, End::Killed, End::LeftBehind];
            self.end(monitor, ends[nth % 3]);
        }
        self.written(last);
        if nth.is_multiple_of(2) {
            self.works(nth / 2);
        }
    }

    /// Every showing of a message, in no order: its id, whether it was marked, and whether it
    /// reached the model.
    fn showings(&self, now: Option<&Monitor>) -> Vec<(Shown, bool)> {
        let now = now.map(|now| now.pipe.so_far());
        let mut all = Vec::new();
        for monitor in self.monitors.iter().chain(&now) {
            for told in monitor.notifications() {
                let shown = Shown::all(told.written());
                all.extend(shown.into_iter().map(|shown| (shown, told.is_delivered())));
            }
        }
        for text in &self.told {
            all.extend(
                Shown::all(text.lines())
                    .into_iter()
                    .map(|shown| (shown, true)),
            );
        }
        all
    }

    fn is_printed(&self, id: &str, now: Option<&Monitor>) -> bool {
        self.showings(now).iter().any(|(shown, _)| shown.id == id)
    }

    /// The day is over once everything reached the model.
    fn close(&mut self) {
        let last = self.arm();
        let (pause, begun) = (Duration::from_millis(200), Instant::now());
        let reached = |(shown, is_delivered): (Shown, bool)| is_delivered.then_some(shown.id);
        // The host is given a minute to take up what it dropped.
        while begun.elapsed() < PATIENCE * 3 {
            let showings = self.showings(Some(&last)).into_iter();
            let reached: BTreeSet<String> = showings.filter_map(reached).collect();
            if self.sent.iter().all(|id| reached.contains(id)) {
                break;
            }
            last.pipe.pass(pause);
        }
        self.end(last, End::Told);
    }

    #[track_caller]
    fn assert_one_truth(&self) {
        let mut showings = BTreeMap::<String, Vec<(bool, bool)>>::new();
        for (shown, is_delivered) in self.showings(None) {
            let marks = showings.entry(shown.id).or_default();
            marks.push((shown.again, is_delivered));
        }
        assert_eq!(showings.len(), self.sent.len(), "{showings:?}");
        for id in &self.sent {
            let marks = &showings[id];
            let unmarked = marks.iter().filter(|(again, _)| !again);
            assert!(unmarked.count() <= 1, "{id}: {marks:?}");
            assert!(
                marks.iter().any(|(_, is_delivered)| *is_delivered),
                "{id}: {marks:?}"
            );
        }
        let mut dropped = 0;
        for monitor in &self.monitors {
            assert_eq!(monitor.stopped(), None);
            for told in monitor.notifications() {
                assert_eq!(told.cut(), 0, "{:?}", told.written());
                dropped += usize::from(!told.is_delivered());
            }
        }
        assert_eq!(
            dropped, self.dropped,
            "the host dropped more than it was told to"
        );
        self.assert_taught_once();
        let errors = fs::read_to_string(self.world.beside("monitor.err")).expect("UTF-8");
        assert_eq!(errors, "");
    }

    /// However often the loop was armed, it said once what it says first.
    #[track_caller]
    fn assert_taught_once(&self) {
        let written = self
            .monitors
            .iter()
            .flat_map(SimulatedMonitor::notifications);
        let lines: Vec<&String> = written.flat_map(Notification::written).collect();
        let count = |words: &str| lines.iter().filter(|line| line.contains(words)).count();
        assert_eq!(count(" watches project with "), 1, "{lines:#?}");
        for component in Component::ALL {
            assert_eq!(count(component.headline()), 1, "{lines:#?}");
        }
        // And it had nothing else to say.
        let banner = lines.iter().filter(|line| line.starts_with("[attend] "));
        let other = banner.filter(|line| !line.contains("to answer: attend reply"));
        assert_eq!(other.count(), 1, "{lines:#?}");
    }
}

/// Whether a process of this group runs.
fn lives(group: Pid) -> bool {
    let group = group.as_raw_nonzero().to_string();
    let entries = fs::read_dir("/proc").expect("processes").flatten();
    let mut stats = entries.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    stats.any(|stat| {
        let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
        let fields: Vec<&str> = fields.split_whitespace().collect();
        fields.get(2) == Some(&&*group) && fields[0] != "Z"
    })
}

#[test]
fn a_few_hours_with_every_way_in_lose_nothing_and_tell_nothing_twice() {
    let world = World::new();
    world.write_config(SHORT);
    let (mut day, monitor) = Day::begin(&world);
    day.prompt();
    day.half_hour(0, Some(monitor));
    for nth in 1..10 {
        day.half_hour(nth, None);
    }
    day.close();
    day.assert_one_truth();
}

#[test]
#[ignore = "takes more than a minute, which the host has to take up what it was given"]
fn a_day_with_every_way_in_whose_host_drops_lines_loses_nothing() {
    let world = World::new();
    world.write_config(SHORT);
    let (mut day, monitor) = Day::begin(&world);
    day.prompt();
    day.half_hour(0, Some(monitor));
    for nth in 1..48 {
        let monitor = (nth % 6 != 5).then(|| day.arm());
        // The first of two is only queued, the other is counted and left out.
        if let (Some(monitor), 2 | 8) = (&monitor, nth) {
            if nth == 2 {
                monitor.pipe.lose_next();
            } else {
                monitor.pipe.suppress_next();
            }
            day.dropped += 1;
        }
        day.half_hour(nth, monitor);
    }
    day.close();
    day.assert_one_truth();
    let is_again = |(shown, _): &(Shown, bool)| shown.again;
    assert!(day.showings(None).iter().any(is_again), "what was dropped");
}
