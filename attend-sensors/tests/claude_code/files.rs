//! Transcripts that are torn, damaged, moved, written anew, or very large.

use std::fs;
use std::io::{Seek, SeekFrom, Write};

use attend_core::sensor::Root;

use crate::world::{ID, World, answer, context, fixture, try_context};

#[test]
fn a_torn_row_is_read_when_it_is_whole() {
    let world = World::new();
    let torn = fixture("34");
    world.write(&torn);
    let host = world.named();
    assert_eq!(context(&host).tokens, Some(30_003));
    world.append(r#"m_input_tokens":0}}},"type":"assistant"}"#);
    assert_eq!(context(&host).tokens, Some(30_003), "it is not ended yet");
    world.append("\n");
    assert_eq!(context(&host).tokens, Some(30_053));
    assert_eq!(host.counts().unreadable, 0);
}

#[test]
fn nothing_new_is_not_read() {
    let world = World::new();
    world.write(fixture("18"));
    let host = world.named();
    context(&host);
    let before = host.counts();
    for _ in 0..10 {
        context(&host);
    }
    assert_eq!(host.counts(), before);
    let row = answer(9, 50_000);
    world.append(&row);
    assert_eq!(context(&host).tokens, Some(50_000));
    let after = host.counts();
    assert_eq!(after.bytes - before.bytes, row.len() as u64);
    assert_eq!(after.restarts, 1);
}

#[test]
fn a_file_that_is_written_anew_within_one_step_of_the_clock_is_read_anew() {
    let world = World::new();
    let host = world.named();
    for id in 1..5 {
        // The same length and time as before.
        let path = world.write(answer(id, 100 + u64::from(id)));
        let file = fs::File::options().append(true).open(path).unwrap();
        let times = fs::FileTimes::new().set_modified(std::time::UNIX_EPOCH);
        file.set_times(times).unwrap();
        for _ in 0..3 {
            assert_eq!(context(&host).tokens, Some(100 + u64::from(id)));
        }
    }
}

#[test]
fn what_is_damaged_is_counted_and_passed_over() {
    let world = World::new();
    let mut rows = answer(1, 100).into_bytes();
    rows.extend(b"\0\0\0\0\n");
    rows.extend(b"\xff\xfe not text\n{\"type\":\"assistant\"\n[1,2]\n\n   \n");
    rows.extend(b"{\"type\":\"a row of another day\",\"x\":1}\n{\"no\":\"type\"}\n");
    rows.extend(
        br#"{"type":"assistant","message":{"usage":"none","content":7,"id":[]},"timestamp":1}"#,
    );
    rows.extend(b"\n\0\0\0");
    rows.extend(answer(2, 200).as_bytes());
    rows.extend(br#"{"type":"assistant","isSidechain":"maybe","message":{"id":"m3","usage":{"input_tokens":"9","cache_read_input_tokens":300,"cache_creation_input_tokens":-4,"cache_creation":[]},"content":[{"type":"text","text":""#);
    rows.extend(b"\xff\xfe\"}]}}\n");
    world.write(&rows);
    let host = world.named();
    assert_eq!(context(&host).tokens, Some(300));
    let counts = host.counts();
    assert_eq!((counts.unreadable, counts.unknown), (4, 2), "{counts:?}");
}

#[test]
fn long_rows_are_skipped_also_where_they_come_last() {
    let world = World::new();
    let snapshot = |length: usize| {
        format!(
            r#"{{"type":"prompt_snapshot","text":"{}"}}"#,
            "x".repeat(length)
        ) + "\n"
    };
    world.write([answer(1, 100), snapshot(300_000), snapshot(2 << 20)].concat());
    let host = world.named();
    assert_eq!(context(&host).tokens, Some(100));
    assert_eq!(host.counts().long, 1);
    world.append(snapshot(3 << 20) + &answer(2, 200) + &snapshot(300_000));
    assert_eq!(context(&host).tokens, Some(200));
    assert_eq!(host.counts().long, 2);
    // A long row that grows from look to look.
    let long = snapshot(3 << 20);
    let bytes = long.as_bytes();
    for piece in bytes.chunks(700_000) {
        world.append(piece);
        assert_eq!(context(&host).tokens, Some(200));
    }
    world.append(answer(3, 300));
    assert_eq!(context(&host).tokens, Some(300));
    assert_eq!((host.counts().long, host.counts().unreadable), (3, 0));
}

#[test]
fn a_file_that_moved_is_found_and_read_on() {
    let world = World::new();
    let path = world.write(answer(1, 100));
    let host = world.named();
    assert_eq!(context(&host).tokens, Some(100));
    let elsewhere = world
        .roots
        .path(Root::Host, format!("projects/-elsewhere/{ID}.jsonl"));
    fs::create_dir_all(elsewhere.parent().unwrap()).unwrap();
    fs::rename(&path, &elsewhere).unwrap();
    let mut file = fs::OpenOptions::new()
        .append(true)
        .open(&elsewhere)
        .unwrap();
    file.write_all(answer(2, 200).as_bytes()).unwrap();
    assert_eq!(context(&host).tokens, Some(200));
    assert_eq!(host.counts().restarts, 1, "it is the same file");
}

#[test]
fn a_file_that_is_gone_is_an_error_and_not_empty() {
    let world = World::new();
    let path = world.write(answer(1, 100));
    let host = world.named();
    context(&host);
    fs::remove_file(&path).unwrap();
    assert!(try_context(&host).is_err());
    world.write(answer(2, 200));
    // Where it is likely to lie it is looked for each time.
    assert_eq!(context(&host).tokens, Some(200));
}

#[test]
fn a_file_that_is_written_anew_is_begun_anew() {
    let world = World::new();
    let path = world.write([answer(1, 100), answer(2, 200)].concat());
    let host = world.named();
    assert_eq!(context(&host).tokens, Some(200));
    fs::write(&path, answer(3, 300)).unwrap();
    assert_eq!(context(&host).tokens, Some(300), "it is shorter");
    fs::write(
        &path,
        [answer(4, 444), answer(5, 555), answer(6, 400)].concat(),
    )
    .unwrap();
    assert_eq!(
        context(&host).samples.len(),
        3,
        "it is longer, and has another beginning"
    );
    let other = path.with_extension("new");
    fs::write(
        &other,
        [
            answer(4, 444),
            answer(5, 555),
            answer(6, 400),
            answer(7, 700),
        ]
        .concat(),
    )
    .unwrap();
    fs::rename(&other, &path).unwrap();
    assert_eq!(context(&host).tokens, Some(700), "it is another file");
    assert_eq!(host.counts().restarts, 4);
    fs::write(&path, "").unwrap();
    assert_eq!(context(&host).tokens, None);
}

/// 3 GiB of which all but the end is a hole.
fn enormous(world: &World, end: &str) -> u64 {
    let path = world.write("");
    let mut file = fs::OpenOptions::new().write(true).open(path).unwrap();
    file.seek(SeekFrom::Start(3 << 30)).unwrap();
    file.write_all(end.as_bytes()).unwrap();
    file.metadata().unwrap().len()
}

#[test]
fn of_an_enormous_file_only_the_end_is_read() {
    let world = World::new();
    let filler = format!(r#"{{"type":"progress","text":"{}"}}"#, "x".repeat(1_000)) + "\n";
    enormous(
        &world,
        &format!("\n{}{}", answer(1, 100), filler.repeat(4_900)),
    );
    let host = world.named();
    assert_eq!(context(&host).tokens, Some(100));
    let counts = host.counts();
    assert!(counts.bytes < (6 << 20), "{counts:?}");
    world.append(answer(2, 200));
    let usage = context(&host);
    assert_eq!(
        (usage.tokens, usage.epoch),
        (Some(200), None),
        "a compaction may lie further back"
    );
    assert!(host.counts().bytes - counts.bytes < 1_000);
}

#[test]
fn a_glance_reads_to_the_last_count_and_no_further() {
    let world = World::new();
    let rows: String = (0..5_000).map(|id| answer(id, u64::from(id) + 1)).collect();
    world.write(rows);
    let host = world.named().at_a_glance();
    let usage = context(&host);
    assert_eq!((usage.tokens, usage.epoch), (Some(5_000), None));
    assert_eq!(host.counts().bytes, 64 << 10);
}

#[test]
fn what_lies_too_far_back_is_unknown() {
    let world = World::new();
    enormous(&world, "\n{\"type\":\"mode\"}\n");
    let host = world.named();
    assert_eq!(context(&host).tokens, None);
    let counts = host.counts();
    assert!(counts.bytes <= (16 << 20) + (256 << 10), "{counts:?}");
    world.append(answer(1, 100));
    assert_eq!(context(&host).tokens, Some(100));
}
