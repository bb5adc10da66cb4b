//! Files that change while they are read again.

use std::fs;

use attend_core::runtime::config::{Config, Places, Problem, Reader};

use crate::{registry, told};

struct Home(tempfile::TempDir);

impl Home {
    fn new() -> (Self, Reader) {
        let home = Self(tempfile::tempdir().unwrap());
        fs::create_dir(home.0.path().join(".claude")).unwrap();
        let places = Places::new(Some(home.0.path().join("config.yaml")), home.0.path());
        let reader = Reader::new(places, registry());
        (home, reader)
    }

    fn user(&self, text: &str) {
        fs::write(self.0.path().join("config.yaml"), text).unwrap();
    }

    fn project(&self, text: &str) {
        fs::write(self.0.path().join(".claude/attend.yaml"), text).unwrap();
    }
}

fn cooldown(config: &Config) -> u64 {
    config.settings.governor.cooldown.get()
}

#[test]
fn only_what_changed_is_read_again() {
    let (home, mut reader) = Home::new();
    assert_eq!(cooldown(&reader.changed().unwrap()), 20);
    assert!(reader.changed().is_none());
    home.user("governor:\n  cooldown: 30s\n");
    assert_eq!(cooldown(&reader.changed().unwrap()), 30);
    home.project("governor:\n  cooldown: 40s\n");
    assert_eq!(cooldown(&reader.changed().unwrap()), 40);
    home.project("governor:\n  cooldown: 40s\n");
    assert!(reader.changed().is_none(), "the content is the same");
    fs::remove_file(home.0.path().join(".claude/attend.yaml")).unwrap();
    assert_eq!(cooldown(&reader.changed().unwrap()), 30);
    assert!(reader.changed().is_none());
}

#[test]
fn a_file_that_is_half_written_leaves_what_held() {
    let (home, mut reader) = Home::new();
    home.user("governor:\n  cooldown: 30s\n");
    assert_eq!(cooldown(&reader.read()), 30);
    home.user("governor: [\n");
    home.project("aging:\n  half_life: 1h\n");
    let config = reader.changed().unwrap();
    assert_eq!(cooldown(&config), 30);
    assert_eq!(config.findings.len(), 1);
    assert_eq!(config.findings[0].problem, Problem::Syntax);
    assert!(reader.changed().is_none());
    home.user("governor: {}\n");
    assert_eq!(cooldown(&reader.changed().unwrap()), 20);
}

#[test]
fn what_cannot_be_read_is_said() {
    let (home, mut reader) = Home::new();
    home.user("governor:\n  cooldown: 30s\n");
    reader.read();
    fs::remove_file(home.0.path().join("config.yaml")).unwrap();
    fs::create_dir(home.0.path().join("config.yaml")).unwrap();
    let config = reader.changed().unwrap();
    assert_eq!(cooldown(&config), 30, "it is there, and says nothing new");
    let path = home.0.path().join("config.yaml");
    let expected = format!(
        "{}: this cannot be read: it is not a regular file",
        path.display()
    );
    assert_eq!(told(&config), [expected]);
    fs::remove_dir(&path).unwrap();
    fs::write(&path, vec![b'#'; (1 << 20) + 1]).unwrap();
    assert!(told(&reader.changed().unwrap())[0].ends_with("it is larger than 1 MiB"));
}

#[test]
fn a_mistake_that_was_corrected_holds_no_longer() {
    let (home, mut reader) = Home::new();
    home.user("governor:\n  cooldwn: 30s\n");
    let first = reader.read().notice();
    assert!(first.is_some());
    home.user("governor:\n  cooldwn: 30s\n\naging: {}\n");
    let plan = reader.plan().unwrap();
    assert_eq!(
        (plan.notice, plan.solved),
        (None, None),
        "it is still there"
    );
    home.user("governor:\n  cooldown: x\n");
    let plan = reader.plan().unwrap();
    assert_eq!(plan.solved, first);
    let second = plan.notice;
    assert!(second.is_some() && second != first);
    home.user("governor:\n  cooldown: 30s\n");
    let plan = reader.plan().unwrap();
    assert_eq!((plan.notice, plan.solved), (None, second));
}
