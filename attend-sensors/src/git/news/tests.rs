//! What a comparison says, as tables and as laws.

use attend_core::sensor::{Item, Report};
use proptest::prelude::*;

use super::super::name::Oid;
use super::super::parse::{Entry, Status, Tracking};
use super::super::questions::{Questions, Spread};
use super::*;

fn oid(digit: char) -> Oid {
    Oid::new(&String::from(digit).repeat(40)).unwrap()
}

/// A look at a clean `main` at commit `a`.
fn seen() -> Seen {
    Seen {
        status: Status {
            head: Some(oid('a')),
            branch: Some("main".to_owned()),
            upstream: None,
            entries: Vec::new(),
            ignored: Vec::new(),
        },
        operation: None,
        upstream: None,
    }
}

impl Seen {
    fn head(mut self, digit: char) -> Self {
        self.status.head = Some(oid(digit));
        self
    }

    fn branch(mut self, name: Option<&str>) -> Self {
        self.status.branch = name.map(str::to_owned);
        self
    }

    fn upstream(mut self, digit: char, ahead: u64, behind: u64) -> Self {
        self.status.upstream = Some(Tracking {
            name: "origin/main".to_owned(),
            counts: Some((ahead, behind)),
        });
        self.upstream = Some(oid(digit));
        self
    }

    fn during(mut self, kind: OperationKind) -> Self {
        self.operation = Some(Operation {
            kind,
            branch: Some("main".to_owned()),
            from: Some(oid('a')),
            onto: Some(oid('b')),
        });
        self
    }

    fn file(mut self, name: &str, kind: EntryKind) -> Self {
        let name = Name::new(name.as_bytes());
        self.status.entries.push(Entry { name, kind });
        self
    }
}

/// What is said: texts, and `-key` for what is cleared.
fn told(news: &[News]) -> Vec<String> {
    let mut report = Report::new();
    for news in news {
        match news {
            News::Tell(event) => report.event(event.clone()).unwrap(),
            News::Clear(key) => report.clear(*key).unwrap(),
        }
    }
    let items = report.items().map(|item| match item {
        Item::Event(event) => event.text().to_owned(),
        Item::Clear(key) => format!("-{key}"),
        other => panic!("{other:?}"),
    });
    items.collect()
}

fn between(before: &Seen, after: &Seen, answers: &Answers) -> Vec<String> {
    let (_, known) = news(
        None,
        before,
        &Answers::default(),
        &Own::default(),
        Tick::new(1),
    );
    told(&news(Some(&known), after, answers, &Own::default(), Tick::new(31)).0)
}

const fn spread(lost: u64, gained: u64) -> Spread {
    Spread { lost, gained }
}

#[test]
fn what_git_could_not_answer_is_not_claimed() {
    let nothing = Answers::default();
    let unknown = "HEAD of main moved: aaaaaaa → bbbbbbb";
    assert_eq!(between(&seen(), &seen().head('b'), &nothing), [unknown]);
    let before = seen().upstream('a', 0, 0);
    let text = "origin/main moved: aaaaaaa → bbbbbbb (2 commits to pull)";
    assert_eq!(
        between(&before, &seen().upstream('b', 0, 2), &nothing),
        [text]
    );
    let after = seen().head('c');
    let text = "rebase of main ended, HEAD now ccccccc";
    let said = between(&seen().during(OperationKind::Rebase), &after, &nothing);
    assert_eq!(said.last().unwrap(), text);
}

#[test]
fn the_count_to_pull_fits_the_commit_and_not_the_status() {
    let answers = Answers {
        upstream: Some(spread(0, 3)),
        gap: Some(spread(1, 3)),
        ..Answers::default()
    };
    // The status ran before the fetch, the question for the commit after it.
    let after = seen().upstream('b', 1, 0);
    let said = between(&seen().upstream('a', 1, 0), &after, &answers);
    assert_eq!(said, ["origin/main moved: 3 commits to pull"]);
}

#[test]
fn an_upstream_that_could_not_be_asked_is_not_another() {
    let (_, known) = news(
        None,
        &seen().upstream('a', 0, 0),
        &Answers::default(),
        &Own::default(),
        Tick::new(1),
    );
    let mut unasked = seen().upstream('a', 0, 0);
    unasked.upstream = None;
    let (said, known) = news(
        Some(&known),
        &unasked,
        &Answers::default(),
        &Own::default(),
        Tick::new(2),
    );
    assert!(said.is_empty());
    assert_eq!(known.upstream.unwrap().oid, Some(oid('a')));
}

#[test]
fn an_operation_that_began_and_moved_everything_is_one_line() {
    let during = seen()
        .head('c')
        .branch(None)
        .during(OperationKind::Rebase)
        .file("a", EntryKind::Changed);
    let said = between(&seen(), &during, &Answers::default());
    assert_eq!(said, ["rebase in progress on main"]);
}

#[test]
fn how_operations_end() {
    use OperationKind::{Am, Bisect, CherryPick, Merge, Rebase, Revert};
    let cases = [
        (
            Rebase,
            'a',
            Some("main"),
            None,
            "rebase of main ended, HEAD unchanged",
        ),
        (
            Rebase,
            'c',
            Some("main"),
            Some(spread(0, 5)),
            "rebase of main finished: 5 commits, HEAD now ccccccc",
        ),
        (
            Rebase,
            'c',
            Some("main"),
            Some(spread(0, 0)),
            "rebase of main finished: 0 commits, HEAD now ccccccc",
        ),
        (
            Rebase,
            'c',
            Some("main"),
            Some(spread(2, 1)),
            "rebase of main ended, HEAD now ccccccc",
        ),
        (
            Rebase,
            'c',
            Some("x"),
            Some(spread(0, 1)),
            "rebase of main ended, HEAD now ccccccc on x",
        ),
        (
            Merge,
            'c',
            Some("main"),
            Some(spread(0, 1)),
            "merge on main finished: 1 commit, HEAD now ccccccc",
        ),
        (
            CherryPick,
            'c',
            None,
            None,
            "cherry-pick on main ended, HEAD now ccccccc (detached)",
        ),
        (
            Revert,
            'a',
            Some("main"),
            None,
            "revert on main ended, HEAD unchanged",
        ),
        (
            Am,
            'c',
            Some("main"),
            Some(spread(0, 2)),
            "am on main finished: 2 commits, HEAD now ccccccc",
        ),
        (
            Bisect,
            'c',
            Some("main"),
            None,
            "bisect on main ended, HEAD now ccccccc",
        ),
    ];
    for (kind, head, branch, ended, text) in cases {
        let answers = Answers {
            ended,
            ..Answers::default()
        };
        let after = seen().head(head).branch(branch);
        let said = between(&seen().during(kind), &after, &answers);
        assert!(said.contains(&text.to_owned()), "{text} is not in {said:?}");
    }
}

#[test]
fn nothing_is_asked_while_nothing_moves() {
    let quiet = seen().upstream('a', 1, 2).file("x", EntryKind::Untracked);
    let (_, known) = news(
        None,
        &quiet,
        &Answers::default(),
        &Own::default(),
        Tick::new(1),
    );
    let edited = quiet.clone().file("y", EntryKind::Changed);
    assert_eq!(
        Questions::new(&known, &edited, Tick::new(2)),
        Questions::default()
    );
    let during = edited.head('b').during(OperationKind::Merge);
    assert_eq!(
        Questions::new(&known, &during, Tick::new(2)),
        Questions::default()
    );
}

fn any_seen() -> impl Strategy<Value = Seen> {
    let head = prop_oneof![Just('a'), Just('b'), Just('c')];
    let branch = prop_oneof![Just(None), Just(Some("main")), Just(Some("x"))];
    let upstream = proptest::option::of((prop_oneof![Just('a'), Just('b')], 0_u64..3, 0_u64..3));
    let kind = prop_oneof![Just(OperationKind::Rebase), Just(OperationKind::Merge)];
    let entry_kind = prop_oneof![Just(EntryKind::Changed), Just(EntryKind::Unmerged)];
    let entries = proptest::collection::vec(("[a-d]", entry_kind), 0..6);
    (head, branch, upstream, proptest::option::of(kind), entries).prop_map(
        |(head, branch, upstream, kind, entries)| {
            let mut seen = seen().head(head).branch(branch);
            if let Some((digit, ahead, behind)) = upstream.filter(|_| branch.is_some()) {
                seen = seen.upstream(digit, ahead, behind);
            }
            if let Some(kind) = kind {
                seen = seen.during(kind);
            }
            entries
                .into_iter()
                .fold(seen, |seen, (name, kind)| seen.file(&name, kind))
        },
    )
}

/// What is the session's own: HEAD, the repository, and these files.
fn own(head: bool, repository: bool, files: &str) -> Own {
    let files = files.split(' ').map(|name| Name::new(name.as_bytes()));
    Own {
        head,
        repository,
        files: files.collect(),
    }
}

proptest! {
    /// What is all its own is never told, and nothing of it afterwards.
    #[test]
    fn its_own_doing_is_silent(looks in proptest::collection::vec(any_seen(), 2..8)) {
        let mut known: Option<Known> = None;
        let own = own(true, true, "a b c d");
        for (at, seen) in (0..).zip(&looks) {
            let now = Tick::new(at * 30);
            let (said, next) = news(known.as_ref(), seen, &Answers::default(), &own, now);
            let tells = said.iter().any(|news| matches!(news, News::Tell(_)));
            prop_assert!(!tells || known.is_none(), "{:?}", told(&said));
            let (again, _) = news(Some(&next), seen, &Answers::default(), &Own::default(), now);
            prop_assert!(again.is_empty(), "{:?}", told(&again));
            known = Some(next);
        }
    }

    /// The same world again is no news, whatever came before; only a burst may go on ageing.
    #[test]
    fn the_same_world_again_is_quiet(
        looks in proptest::collection::vec((any_seen(), any::<(bool, bool)>()), 1..8),
    ) {
        let mut known: Option<Known> = None;
        for (at, (seen, (head, repository))) in (0..).zip(&looks) {
            let now = Tick::new(at * 30);
            let own = own(*head, *repository, "a b");
            let (_, next) = news(known.as_ref(), seen, &Answers::default(), &own, now);
            let (again, same) = news(Some(&next), seen, &Answers::default(), &Own::default(), now);
            prop_assert!(again.is_empty(), "{:?}", told(&again));
            prop_assert_eq!(&same, &next);
            known = Some(next);
        }
    }

    /// While an operation is in progress nothing that it holds back is told, and what stands is
    /// told once until it is cleared.
    #[test]
    fn what_stands_is_told_once(looks in proptest::collection::vec(any_seen(), 1..12)) {
        let mut known: Option<Known> = None;
        let mut stands = BTreeSet::new();
        for (at, seen) in (0..).zip(&looks) {
            let (said, next) = news(known.as_ref(), seen, &Answers::default(), &Own::default(), Tick::new(at * 30));
            for news in &said {
                match news {
                    News::Clear(key) => drop(stands.remove(*key)),
                    News::Tell(event) => {
                        let event = event.clone().check().unwrap();
                        let key = event.key().unwrap().as_str().to_owned();
                        let held_back = HELD_BACK.contains(&key.as_str()) && stands.contains("operation");
                        prop_assert!(!held_back, "{key} during an operation");
                        if key == "operation" {
                            prop_assert!(!stands.contains("operation"));
                        }
                        if event.is_standing() {
                            stands.insert(key);
                        }
                    }
                }
            }
            prop_assert_eq!(stands.contains("operation"), seen.operation.is_some());
            prop_assert_eq!(stands.contains("conflict"), seen.conflicts().total > 0);
            if seen.operation.is_none() {
                prop_assert_eq!(stands.contains("detached"), seen.status.branch.is_none());
            }
            known = Some(next);
        }
    }
}
