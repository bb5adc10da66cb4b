//! The journal on real files: it goes on where it ended, whatever happens in between.

use super::*;

#[test]
fn a_journal_goes_on_where_it_ended() {
    let (_home, dir) = scene();
    let (records, totals) = records();
    assert!(!records.is_empty());
    let mut journal = Journal::open(&dir, &mut Vec::new());
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
    let mut journal = Journal::open(&dir, &mut Vec::new());
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
    let mut journal = Journal::open(&dir, &mut Vec::new());
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
            journal = Journal::open(&dir, &mut Vec::new());
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
    let mut journal = Journal::open(&dir, &mut Vec::new());
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

/// What stands in the files of the journal, the even one first.
fn files(dir: &StateDir) -> [Vec<u8>; 2] {
    ["journal.0.jsonl", "journal.1.jsonl"]
        .map(|name| fs::read(dir.path().join(name)).unwrap_or_default())
}

/// A segment of this number with one record of this tick.
fn segment(dir: &StateDir, number: u64, tick: u64) {
    let (records, totals) = records();
    let mut record = records[0].clone();
    record.tick = Tick::new(tick);
    let head = JournalEntry::Segment {
        segment: number,
        totals,
    };
    let lines = [head, JournalEntry::Record(record)].map(|entry| serde_json::to_string(&entry));
    let lines = lines.map(Result::unwrap).join("\n") + "\n";
    let name = format!("journal.{}.jsonl", number % 2);
    fs::write(dir.path().join(name), lines).unwrap();
}

/// The ticks of all records that are read.
fn ticks(dir: &StateDir) -> Vec<u64> {
    let entries = Journal::read(dir).unwrap().into_iter();
    let ticks = entries.filter_map(|entry| match entry {
        JournalEntry::Record(record) => Some(record.tick.get()),
        _ => None,
    });
    ticks.collect()
}

#[test]
fn opening_a_journal_changes_nothing_and_flushing_goes_on_in_the_newest() {
    for (older, newer) in [(1, 2), (2, 3), (7, 8)] {
        let (_home, dir) = scene();
        segment(&dir, older, 10);
        segment(&dir, newer, 20);
        let before = files(&dir);
        let mut journal = Journal::open(&dir, &mut Vec::new());
        journal.flush(&[]).unwrap();
        assert_eq!(files(&dir), before);
        let (records, totals) = records();
        journal.push(&records[0]);
        journal.flush(&totals).unwrap();
        assert_eq!(ticks(&dir), [10, 20, 1]);
    }
}

#[test]
fn what_stands_in_place_of_a_segment_costs_no_other_one() {
    let (_home, dir) = scene();
    segment(&dir, 2, 10);
    segment(&dir, 3, 20);
    let (records, totals) = records();
    let (odd, away) = (dir.path().join("journal.1.jsonl"), dir.path().join("away"));
    let mut journal = Journal::open(&dir, &mut Vec::new());
    journal.push(&records[0]);
    // Something else stands in its place: what is left is older, and full.
    fs::rename(&odd, &away).unwrap();
    fs::create_dir(&odd).unwrap();
    let even = dir.path().join("journal.0.jsonl");
    let mut full = fs::read(&even).unwrap();
    full.resize(4 << 20, b' ');
    fs::write(&even, &full).unwrap();
    let failed = journal.flush(&totals).unwrap_err();
    assert_eq!(failed.kind(), StateErrorKind::Io);
    assert_eq!(fs::read(&even).unwrap(), full);
    assert!(journal.is_waiting());
}
