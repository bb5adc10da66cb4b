//! Cleaning up: what goes with a project that is gone, and that nothing else does.

use std::fs;
use std::path::{Path, PathBuf};

use attend_sensors::host::claude_code::folder_name;
use serde_json::{Value, json};

use crate::desk::{Desk, Done, ONE, TWO, id, program};
use crate::live::eventually;
use crate::world::World;

/// Two projects that the host knows, with a session in each.
struct Two {
    world: World,
    stays: Desk,
    gone: Desk,
    /// The directory of the project that is to go.
    other: PathBuf,
}

impl Two {
    fn new() -> Self {
        let world = World::new();
        let config = world.beside("attend/config");
        fs::create_dir_all(&config).expect("a directory");
        fs::write(config.join("config.yaml"), "cleanup:\n  interval: 1s\n").expect("a file");
        let other = world.beside("other");
        fs::create_dir(&other).expect("a directory");
        for project in [&world.repo(), &other] {
            fs::create_dir_all(folder(&world, project)).expect("a directory");
        }
        let stays = Desk::new(&world, ONE);
        let gone = Desk::new(&world, TWO);
        let record = world.beside(&format!("claude/sessions/{}.json", gone.pid()));
        let text = fs::read_to_string(&record).expect("a record");
        let mut told: Value = serde_json::from_str(&text).expect("JSON");
        told["cwd"] = json!(other);
        fs::write(&record, told.to_string()).expect("a record");
        Self {
            world,
            stays,
            gone,
            other,
        }
    }

    /// The second session ends, and its project goes with all that the host kept of it.
    fn goes(self) -> (World, Desk) {
        drop(self.gone);
        fs::remove_dir(&self.other).expect("it was there");
        fs::remove_dir(folder(&self.world, &self.other)).expect("it was there");
        (self.world, self.stays)
    }
}

fn folder(world: &World, project: &Path) -> PathBuf {
    let project = project.canonicalize();
    let named = project.unwrap_or_else(|_| world.beside("other"));
    world.beside("claude/projects").join(folder_name(&named))
}

fn cleanup(world: &World, flags: &[&str]) -> Done {
    let args: Vec<&str> = ["cleanup"].iter().chain(flags).copied().collect();
    program(world, &args)
}

/// All that the session sees, and how the rooms stand.
fn listing(desk: &mut Desk) -> String {
    let rooms = desk.run("attend focus all --json").ok();
    inbox(desk) + &rooms
}

fn inbox(desk: &mut Desk) -> String {
    desk.run("attend inbox --json --limit 100").ok()
}

/// Waits until the project was gone for long enough, which is asked for without a change.
fn is_due(world: &World) {
    eventually("it is due", || {
        cleanup(world, &["--dry-run", "--json"]).json()["trays"] == 1
    });
}

#[test]
fn what_belongs_to_a_project_that_is_gone_goes_the_second_time() {
    let mut two = Two::new();
    let (stays, gone) = (two.stays.seat(), two.gone.seat());
    let room = id(&two
        .gone
        .run("attend send --json --broadcast for all")
        .json());
    let named = id(&two
        .gone
        .run(&format!("attend send --json @{stays} for you"))
        .json());
    let lost = id(&program(&two.world, &["send", "--json", &format!("@{gone} hello")]).json());
    let before = listing(&mut two.stays);
    assert!(
        before.contains(&room) && before.contains(&named),
        "{before}"
    );
    let nothing = "0 trays, 0 messages of projects that are gone\n";
    assert_eq!(cleanup(&two.world, &[]).ok(), nothing, "it is there");
    let (world, mut stays) = two.goes();
    let first = cleanup(&world, &["--dry-run"]).ok();
    assert!(first.contains("which nobody has noted yet"), "{first}");
    let first = cleanup(&world, &[]).ok();
    assert!(first.starts_with(nothing), "{first}");
    assert!(
        first.contains("was seen gone for the first time"),
        "{first}"
    );
    is_due(&world);
    assert_eq!(listing(&mut stays), before);
    assert_eq!(stays.run(&format!("attend show {lost}")).code, 0);
    let due = cleanup(&world, &["--dry-run"]).ok();
    assert_eq!(
        due,
        "would go: 1 tray, 1 message of projects that are gone\n"
    );
    assert_eq!(
        cleanup(&world, &[]).ok(),
        "1 tray, 1 message of projects that are gone\n"
    );
    let now = listing(&mut stays);
    let inbox = inbox(&mut stays);
    assert!(before.starts_with(&inbox), "nobody has read it: {inbox}");
    assert!(
        now.contains("\"messages\": 1") && !now.contains(&format!("\"{gone}\"\n")),
        "{now}"
    );
    assert_eq!(stays.run(&format!("attend show {lost}")).code, 1);
    let all = cleanup(&world, &["--all", "--json"]).json();
    assert_eq!(
        all,
        json!({"trays": 0, "messages": 1, "sessions": 0, "indexes": 0, "dry_run": false, "waiting": []})
    );
    let after = listing(&mut stays);
    assert!(!after.contains(&room) && after.contains(&named), "{after}");
    assert!(after.contains("\"messages\": 0"), "{after}");
}

#[test]
fn without_the_hosts_folder_for_projects_nothing_goes() {
    let mut two = Two::new();
    let gone = two.gone.seat();
    program(&two.world, &["send", &format!("@{gone} hello")]).ok();
    let (world, _stays) = two.goes();
    cleanup(&world, &[]).ok();
    is_due(&world);
    let (projects, aside) = (world.beside("claude/projects"), world.beside("aside"));
    fs::rename(&projects, &aside).expect("it was there");
    let told = cleanup(&world, &["--all", "--json"]).json();
    assert_eq!(
        told,
        json!({"trays": 0, "messages": 0, "sessions": 0, "indexes": 0, "dry_run": false, "waiting": []})
    );
    // Something of the host's is left.
    fs::rename(&aside, &projects).expect("it was there");
    let elsewhere = projects.join("-elsewhere");
    fs::create_dir(&elsewhere).expect("a directory");
    fs::write(elsewhere.join(format!("{TWO}.jsonl")), "").expect("a transcript");
    let told = cleanup(&world, &["--all", "--json"]).json();
    assert_eq!((&told["trays"], &told["waiting"]), (&json!(0), &json!([])));
    // Then it is seen for the first time once more.
    fs::remove_dir_all(&elsewhere).expect("it was there");
    let told = cleanup(&world, &["--json"]).json();
    assert_eq!(
        (&told["trays"], &told["waiting"][0]["gone"]),
        (&json!(0), &json!(0))
    );
}

#[test]
fn a_running_loop_cleans_up_by_itself() {
    let mut two = Two::new();
    let gone = two.gone.seat();
    let note = id(&program(&two.world, &["send", "--json", &format!("@{gone} hello")]).json());
    let (world, mut stays) = two.goes();
    let lines = world.beside("lines");
    let run = format!("attend run >'{}' 2>&1 & echo", lines.display());
    assert_eq!(stays.run(&run).code, 0);
    eventually("it is cleaned up", || {
        stays.run(&format!("attend show {note}")).code == 1
    });
    let told = fs::read_to_string(lines).expect("lines");
    assert!(!told.contains("cleaned up"), "{told}");
    let left = cleanup(&world, &["--json"]).json();
    assert_eq!((&left["trays"], &left["waiting"]), (&json!(0), &json!([])));
}
