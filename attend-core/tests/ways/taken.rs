//! Which occasions were taken: compactions, shares of the window, ends of turns.

use std::fs;

use attend_core::ways::{CompactionSign, Corpus, Origin, Root, Taken};
use tempfile::TempDir;

/// One way for a compaction and one for three quarters of the window.
fn corpus() -> (TempDir, Corpus) {
    let dir = TempDir::new().unwrap();
    for (id, trigger) in [
        ("compacted", "{ type: PostCompact }"),
        ("full", "{ type: context-threshold, above: 0.75 }"),
        ("asked", "{ type: attend, signals: [full] }"),
    ] {
        let text = format!("---\nname: n\ndescription: d\ntrigger: {trigger}\n---\nB\n");
        fs::write(dir.path().join(format!("{id}.md")), text).unwrap();
    }
    let root = Root {
        origin: Origin::User,
        path: dir.path().to_owned(),
    };
    let corpus = Corpus::load(&[root]);
    (dir, corpus)
}

/// The ways that are due, at this share.
fn due<'a>(taken: &Taken, corpus: &'a Corpus, share: Option<f64>) -> Vec<&'a str> {
    let ways = corpus.ways().map(|loaded| &loaded.way);
    let due = ways.filter(|way| taken.is_due(way.id.as_str(), &way.trigger, share));
    due.map(|way| way.id.as_str()).collect()
}

fn take(taken: &mut Taken, corpus: &Corpus, id: &str) {
    taken.take(id, &corpus.get(id).unwrap().way.trigger, None);
}

#[test]
fn a_compaction_is_one_however_many_events_tell_it() {
    use CompactionSign::{PostCompact, SessionStart};
    let (_dir, corpus) = corpus();
    for (signs, count) in [
        (&[PostCompact, PostCompact, PostCompact][..], 3),
        (&[SessionStart, SessionStart], 2),
        (&[PostCompact, SessionStart, PostCompact, SessionStart], 2),
        (&[SessionStart, PostCompact, SessionStart, PostCompact], 2),
        (&[SessionStart, PostCompact, PostCompact, SessionStart], 2),
    ] {
        let mut taken = Taken::default();
        for sign in signs {
            let is_new = taken.compacted(*sign, &corpus);
            assert_eq!(due(&taken, &corpus, None).is_empty(), !is_new, "{signs:?}");
            take(&mut taken, &corpus, "compacted");
        }
        assert_eq!(taken.compactions(), count, "{signs:?}");
        assert!(due(&taken, &corpus, None).is_empty());
    }
}

#[test]
fn what_was_not_given_goes_on_to_be_due() {
    let (_dir, corpus) = corpus();
    let mut taken = Taken::default();
    taken.compacted(CompactionSign::PostCompact, &corpus);
    taken.compacted(CompactionSign::SessionStart, &corpus);
    taken.reached(Some("e"), 0.9, &corpus);
    for _ in 0..2 {
        let bytes = serde_json::to_vec(&taken).unwrap();
        assert_eq!(serde_json::from_slice::<Taken>(&bytes).unwrap(), taken);
        assert_eq!(due(&taken, &corpus, Some(0.9)), ["compacted", "full"]);
    }
}

#[test]
fn a_share_is_crossed_upward_once_until_it_is_left() {
    let (_dir, corpus) = corpus();
    let mut taken = Taken::default();
    for (epoch, share, is_due) in [
        (Some("a"), 0.749, false),
        (Some("a"), 0.75, true),
        (Some("a"), 0.99, false),
        (None, 0.80, false),
        (Some("a"), 0.74, false),
        (Some("a"), 0.76, true),
        (Some("b"), 0.76, true),
        (None, 0.76, false),
        (Some("b"), 0.76, false),
    ] {
        taken.reached(epoch, share, &corpus);
        let all = due(&taken, &corpus, Some(share));
        assert_eq!(!all.is_empty(), is_due, "{epoch:?} {share}");
        if is_due {
            take(&mut taken, &corpus, "full");
        }
    }
}
