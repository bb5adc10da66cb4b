//! Roots over each other, and files that are no ways.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::{Duration, SystemTime};

use attend_core::ways::{Corpus, Index, Origin, Root, Summary, WayId, files};
use tempfile::TempDir;

fn write(root: &Path, below: &str, name: &str) {
    let path = root.join(below);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let text = format!(
        "---\nname: {name}\ndescription: d\ntrigger: {{ type: attend, signals: [mine] }}\n---\n{name}\n"
    );
    fs::write(path, text).unwrap();
}

fn root(origin: Origin, path: &Path) -> Root {
    Root {
        origin,
        path: path.to_owned(),
    }
}

#[test]
fn the_project_wins_over_the_user_over_what_is_bundled() {
    let (user, project) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    write(user.path(), "build-failed.md", "user");
    write(user.path(), "deep/er/one.md", "user");
    write(user.path(), "both.md", "user");
    write(project.path(), "both.md", "project");
    let corpus = Corpus::load(&[
        root(Origin::User, user.path()),
        root(Origin::Project, project.path()),
        root(Origin::Project, Path::new("/there/is/no/such/directory")),
    ]);
    let of = |id: &str| {
        let loaded = corpus.get(id).unwrap();
        (loaded.way.name.clone(), loaded.origin)
    };
    assert_eq!(of("both"), ("project".into(), Origin::Project));
    assert_eq!(of("build-failed"), ("user".into(), Origin::User));
    assert_eq!(of("deep/er/one"), ("user".into(), Origin::User));
    assert_eq!(of("build-complete").1, Origin::Bundled);
    let mine: Vec<_> = corpus
        .for_signal("mine")
        .iter()
        .map(|one| one.way.id.to_string())
        .collect();
    assert_eq!(mine, ["both", "build-failed", "deep/er/one"]);
    // It took the place of the whole file, signals included.
    assert!(corpus.for_signal("build-failed").is_empty());
    assert!(corpus.warnings().is_empty());
}

#[test]
fn a_broken_file_costs_itself_and_one_warning() {
    let dir = TempDir::new().unwrap();
    write(dir.path(), "good.md", "good");
    fs::write(dir.path().join("build-failed.md"), "---\nname: [\n---\n").unwrap();
    fs::write(
        dir.path().join("unknown-key.md"),
        "---\nname: n\ndescription: d\ntrigger: { type: Stop }\ncolour: red\n---\nB\n",
    )
    .unwrap();
    fs::write(dir.path().join("notes.txt"), "no way").unwrap();
    fs::write(dir.path().join(".hidden.md"), "no way").unwrap();
    let corpus = Corpus::load(&[root(Origin::User, dir.path())]);
    assert_eq!(corpus.warnings().len(), 1, "{:?}", corpus.warnings());
    assert!(
        corpus.warnings()[0].contains("build-failed.md:"),
        "{:?}",
        corpus.warnings()
    );
    assert!(corpus.get("good").is_some() && corpus.get("unknown-key").is_some());
    // What lies below it still holds.
    assert_eq!(corpus.get("build-failed").unwrap().origin, Origin::Bundled);
}

#[test]
fn a_circle_of_links_ends() {
    let dir = TempDir::new().unwrap();
    write(dir.path(), "a/one.md", "one");
    symlink(dir.path(), dir.path().join("a/again")).unwrap();
    let corpus = Corpus::load(&[root(Origin::User, dir.path())]);
    assert_eq!(corpus.for_signal("mine").len(), 1);
}

#[test]
fn an_id_is_a_safe_path() {
    for good in ["a", "a/b", "Überblick", "v1.2 notes", "a_b-c"] {
        assert!(WayId::new(good).is_ok(), "{good}");
    }
    let long = "a".repeat(101);
    let deep = "a/".repeat(8) + "a";
    for bad in [
        "", "/a", "a/", "a//b", "..", "../a", "a/../b", ".a", " a", "a\0", "a\nb", "a:b", "a.json",
        "a.JSON/b", &long, &deep,
    ] {
        assert!(WayId::new(bad).is_err(), "{bad:?}");
    }
}

#[test]
fn only_the_ways_that_are_wanted_are_taken_in_and_they_are_the_same_ones() {
    let (user, project) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let roots = [
        root(Origin::User, user.path()),
        root(Origin::Project, project.path()),
    ];
    let triggers = [
        "{ type: Stop }",
        "{ type: PostCompact }",
        "{ type: attend, signals: [stop] }",
        "{ type: UserPromptSubmit, pattern: 'a\\\\b Stop' }",
        "{ type: Stopp }",
    ];
    // Every one over every other one.
    for (n, below) in triggers.iter().enumerate() {
        for (m, above) in triggers.iter().enumerate() {
            for (dir, trigger) in [(&user, below), (&project, above)] {
                let text = format!("---\nname: n\ndescription: d\ntrigger: {trigger}\n---\nB\n");
                fs::write(dir.path().join(format!("{n}-{m}.md")), text).unwrap();
            }
        }
    }
    let all = Corpus::load(&roots);
    // Long after they were written.
    let later = SystemTime::UNIX_EPOCH + Duration::from_hours(24 * 365 * 100);
    let mut kept: [Option<Vec<u8>>; 2] = [None, None];
    for round in 0..3 {
        for types in [
            &["Stop"][..],
            &["Stop", "PostCompact"],
            &["UserPromptSubmit"],
            &[],
        ] {
            let mut only = Corpus::default();
            for (root, kept) in roots.iter().zip(&mut kept) {
                let mut index = Index::read(kept.as_deref(), later);
                let wanted = |summary: &Summary| types.contains(&summary.trigger());
                only.seek(root, &files(&root.path), Some(&mut index), &wanted);
                if let Some(bytes) = index.to_json() {
                    assert_eq!(round, 0, "nothing changed");
                    *kept = Some(bytes);
                }
            }
            let wanted = all
                .ways()
                .filter(|one| types.contains(&one.way.trigger.name()));
            assert!(only.ways().eq(wanted), "{types:?}");
            assert_eq!(only.warnings(), all.warnings());
        }
        assert!(kept.iter().all(Option::is_some));
    }
    assert_eq!(all.warnings().len(), 10);
}
