//! The journal on real files: it goes on where it ended, whatever happens in between.

use super::*;

#[test]
fn a_journal_goes_on_where_it_ended() {
    let (_home, dir) = scene();
    let (records, totals) = records();
    assert!(!records.is_empty());
    let mut journal = Journal::open(&dir);
    assert!(!journal.is_waiting());
    journal.flush(&totals).unwrap();
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    journal.push(&records[0]);
    assert!(journal.is_waiting());
    journal.flush(&totals).unwrap();
    drop(journal);

    // A crash in the middle of a line costs that line.
    let file = dir.path().join("journal.1.jsonl");
    let mut torn = fs::read(&file).unwrap();
    torn.extend_from_slice(b"{\"tick\":1,");
    fs::write(&file, torn).unwrap();
    let mut journal = Journal::open(&dir);
    journal.push(&records[0]);
    journal.flush(&totals).unwrap();
    let expected = [
        JournalEntry::Segment { segment: 1, totals },
        JournalEntry::Record(records[0].clone()),
        JournalEntry::Record(records[0].clone()),
    ];
    assert_eq!(Journal::read(&dir).unwrap(), expected);
    assert_eq!(mode(&file), 0o600);
}

#[test]
fn segments_take_turns_and_begin_with_totals() {
    let (_home, dir) = scene();
    let (records, totals) = records();
    let mut journal = Journal::open(&dir);
    let first_lines = || {
        let files = ["journal.0.jsonl", "journal.1.jsonl"].map(|name| dir.path().join(name));
        files.map(|file| {
            let text = fs::read_to_string(file).unwrap_or_default();
            text.lines().next().unwrap_or_default().to_owned()
        })
    };
    let mut begun = Vec::new();
    while begun.len() < 3 {
        for _ in 0..2_000 {
            journal.push(&records[0]);
        }
        journal.flush(&totals).unwrap();
        if begun.last() != Some(&first_lines()) {
            begun.push(first_lines());
            journal = Journal::open(&dir);
        }
    }
    let segment = |segment| {
        let totals = totals.clone();
        serde_json::to_string(&JournalEntry::Segment { segment, totals }).unwrap()
    };
    let (one, two, three) = (segment(1), segment(2), segment(3));
    assert_eq!(
        begun,
        [
            [String::new(), one.clone()],
            [two.clone(), one],
            [two, three]
        ]
    );
    let entries = Journal::read(&dir).unwrap();
    assert!(matches!(
        entries[0],
        JournalEntry::Segment { segment: 2, .. }
    ));
    for n in ["journal.0.jsonl", "journal.1.jsonl"] {
        assert!(fs::metadata(dir.path().join(n)).unwrap().len() <= 4 << 20);
    }
}

#[test]
fn a_flood_of_records_is_bounded_and_counted() {
    let (_home, dir) = scene();
    let (records, totals) = records();
    let mut journal = Journal::open(&dir);
    for _ in 0..20_000 {
        journal.push(&records[0]);
    }
    journal.flush(&totals).unwrap();
    let entries = Journal::read(&dir).unwrap();
    let JournalEntry::Lost { lost } = entries[1] else {
        panic!("{:?}", entries[1])
    };
    assert_eq!(entries.len() as u64 - 2 + lost, 20_000);
}
