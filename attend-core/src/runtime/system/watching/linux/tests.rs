//! Watches on real directories by real inotify.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::SystemWatcher;
use crate::sensor::{Changes, ErrorKind, WakeHandle, Watch, Watcher};
use tempfile::TempDir;

struct Scene {
    watcher: SystemWatcher,
    directory: TempDir,
}

impl Scene {
    fn new() -> Self {
        Self {
            watcher: SystemWatcher::new(),
            directory: tempfile::tempdir().unwrap(),
        }
    }

    fn root(&self) -> &Path {
        self.directory.path()
    }

    fn watch(&self) -> Box<dyn Watch> {
        let mut watch = self.watcher.open(WakeHandle::new(|| {})).unwrap();
        watch.add(self.root()).unwrap();
        watch
    }

    fn seen(&self, changes: &Changes) -> BTreeSet<String> {
        let names = changes
            .paths
            .iter()
            .map(|path| path.strip_prefix(self.root()).unwrap());
        names
            .map(|name| name.to_str().unwrap().to_owned())
            .collect()
    }
}

fn set<const N: usize>(names: [&str; N]) -> BTreeSet<String> {
    names.map(str::to_owned).into()
}

#[test]
fn files_that_come_change_move_and_go() {
    let scene = Scene::new();
    let mut watch = scene.watch();
    assert!(watch.take().is_empty());
    let at = |name: &str| scene.root().join(name);
    let mut step = |change: &dyn Fn(), names: BTreeSet<String>| {
        change();
        let changes = watch.take();
        assert_eq!(scene.seen(&changes), names);
        assert!(!changes.structure && !changes.lost, "{changes:?}");
        assert!(watch.take().is_empty());
    };
    step(&|| fs::write(at("a"), "1").unwrap(), set(["a"]));
    step(&|| fs::write(at("a"), "2").unwrap(), set(["a"]));
    let mode = fs::Permissions::from_mode(0o755);
    step(
        &|| fs::set_permissions(at("a"), mode.clone()).unwrap(),
        set(["a"]),
    );
    step(&|| fs::rename(at("a"), at("b")).unwrap(), set(["a", "b"]));
    step(&|| fs::remove_file(at("b")).unwrap(), set(["b"]));
}

#[test]
fn reading_is_no_change() {
    let scene = Scene::new();
    fs::write(scene.root().join("a"), "1").unwrap();
    let mut watch = scene.watch();
    fs::read(scene.root().join("a")).unwrap();
    assert_eq!(fs::read_dir(scene.root()).unwrap().count(), 1);
    assert!(watch.take().is_empty());
}

#[test]
fn directories_that_come_move_and_go_change_the_structure() {
    let scene = Scene::new();
    let mut watch = scene.watch();
    let at = |name: &str| scene.root().join(name);
    for change in [
        &|| fs::create_dir(at("a")).unwrap(),
        &|| fs::rename(at("a"), at("b")).unwrap(),
        &|| fs::remove_dir(at("b")).unwrap(),
    ] as [&dyn Fn(); 3]
    {
        change();
        assert!(watch.take().structure);
    }
    fs::set_permissions(scene.root(), fs::Permissions::from_mode(0o700)).unwrap();
    assert!(!watch.take().structure);
}

#[test]
fn a_moved_directory_is_let_go_and_can_be_watched_again() {
    let scene = Scene::new();
    let (a, b) = (scene.root().join("a"), scene.root().join("b"));
    fs::create_dir(&a).unwrap();
    let mut watch = scene.watcher.open(WakeHandle::new(|| {})).unwrap();
    watch.add(&a).unwrap();
    fs::rename(&a, &b).unwrap();
    assert_eq!(
        watch.take(),
        Changes {
            paths: vec![a.clone()],
            structure: true,
            lost: false
        }
    );
    fs::write(b.join("x"), "").unwrap();
    assert!(watch.take().is_empty());
    fs::create_dir(&a).unwrap();
    watch.add(&a).unwrap();
    fs::write(a.join("x"), "").unwrap();
    assert_eq!(watch.take().paths, [a.join("x")]);
}

#[test]
fn one_file_can_be_watched_and_tells_of_its_end() {
    let scene = Scene::new();
    let file = scene.root().join("a");
    fs::write(&file, "").unwrap();
    let mut watch = scene.watcher.open(WakeHandle::new(|| {})).unwrap();
    watch.add(&file).unwrap();
    fs::write(scene.root().join("other"), "").unwrap();
    assert!(watch.take().is_empty());
    fs::write(&file, "more").unwrap();
    assert_eq!(watch.take().paths.as_slice(), std::slice::from_ref(&file));
    fs::remove_file(&file).unwrap();
    assert_eq!(watch.take().paths.as_slice(), std::slice::from_ref(&file));
    assert_eq!(watch.add(&file).unwrap_err().kind(), ErrorKind::Transient);
}

#[test]
fn two_watches_of_one_directory_part_in_peace() {
    let scene = Scene::new();
    let (mut one, mut two) = (scene.watch(), scene.watch());
    fs::write(scene.root().join("a"), "").unwrap();
    assert_eq!(scene.seen(&one.take()), set(["a"]));
    assert_eq!(scene.seen(&two.take()), set(["a"]));
    two.clear();
    fs::write(scene.root().join("b"), "").unwrap();
    assert_eq!(scene.seen(&one.take()), set(["b"]));
    assert!(two.take().is_empty());
    drop(one);
    two.add(scene.root()).unwrap();
    fs::write(scene.root().join("c"), "").unwrap();
    assert_eq!(scene.seen(&two.take()), set(["c"]));
}

#[test]
fn more_than_can_be_kept_is_lost_and_said() {
    let scene = Scene::new();
    let mut watch = scene.watch();
    for n in 0..65 {
        fs::write(scene.root().join(n.to_string()), "").unwrap();
    }
    let changes = watch.take();
    assert_eq!((changes.paths.len(), changes.lost), (64, true));
    assert!(watch.take().is_empty());
}

#[test]
fn an_overflowing_queue_is_lost_for_everybody() {
    let scene = Scene::new();
    let other = tempfile::tempdir().unwrap();
    let mut watch = scene.watch();
    let mut bystander = scene.watcher.open(WakeHandle::new(|| {})).unwrap();
    bystander.add(other.path()).unwrap();
    let limit = fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").unwrap();
    let (a, b) = (scene.root().join("a"), scene.root().join("b"));
    fs::write(&a, "").unwrap();
    for _ in 0..limit.trim().parse::<usize>().unwrap() / 2 {
        fs::rename(&a, &b).unwrap();
        fs::rename(&b, &a).unwrap();
    }
    assert!(watch.take().lost);
    assert!(bystander.take().lost);
    fs::write(other.path().join("x"), "").unwrap();
    assert_eq!(bystander.take().paths, [other.path().join("x")]);
}

#[test]
fn a_file_system_that_tells_nothing_is_refused() {
    let scene = Scene::new();
    let refused = scene.watch().add(Path::new("/proc/self")).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Unavailable);
}

#[tokio::test]
async fn the_pump_wakes_and_rests() {
    let scene = Scene::new();
    let wakes = Arc::new(AtomicUsize::new(0));
    let bell = Arc::new(tokio::sync::Notify::new());
    let pumped = scene.watcher.clone();
    let pump = tokio::spawn(async move { pumped.pump().await });
    // The pump may start before there is anything to read.
    tokio::task::yield_now().await;
    let ring = {
        let (wakes, bell) = (wakes.clone(), bell.clone());
        WakeHandle::new(move || {
            wakes.fetch_add(1, Ordering::Relaxed);
            bell.notify_one();
        })
    };
    let mut watch = scene.watcher.open(ring).unwrap();
    watch.add(scene.root()).unwrap();
    let patience = Duration::from_secs(20);
    for round in 0..20 {
        for n in 0..50 {
            fs::write(scene.root().join(n.to_string()), round.to_string()).unwrap();
        }
        tokio::time::timeout(patience, bell.notified())
            .await
            .expect("a wake");
        assert!(!watch.take().is_empty());
        let woken = wakes.load(Ordering::Relaxed);
        assert!(
            woken <= 2 * (round + 1),
            "woken {woken} times by round {round}"
        );
    }
    pump.abort();
}

#[test]
#[ignore = "needs a user namespace"]
#[expect(
    clippy::disallowed_methods,
    reason = "the limit is set for a process of its own"
)]
fn without_instances_the_limit_is_named() {
    let output = std::process::Command::new("unshare")
        .args(["-Ur", "sh", "-c"])
        .arg(
            "echo 0 > /proc/sys/user/max_inotify_instances && exec \"$0\" --ignored --exact \"$1\"",
        )
        .arg(std::env::current_exe().unwrap())
        .arg(concat!(module_path!(), "::inside_the_namespace").trim_start_matches("attend_core::"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}"
    );
}

#[test]
#[ignore = "is started by the test above, in a namespace without inotify"]
fn inside_the_namespace() {
    let watcher = SystemWatcher::new();
    let refused = watcher.open(WakeHandle::new(|| {})).err().unwrap();
    assert_eq!(refused.kind(), ErrorKind::Unavailable);
    assert!(
        refused
            .to_string()
            .contains("fs.inotify.max_user_instances"),
        "{refused}"
    );
}
