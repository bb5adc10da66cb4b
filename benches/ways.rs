//! Ways: what scoring, loading and looking for mistakes cost with hundreds of files.

use std::fs;
use std::hint::black_box;
use std::path::Path;

use attend_core::ways::{Corpus, DefaultScorer, Origin, Root, Scorer, Way, WayId, lint, read};
use criterion::{Criterion, criterion_group, criterion_main};
use tempfile::TempDir;

const WAYS: usize = 500;

/// What was said lately: more than a scorer looks at.
const CONTEXT: &str = "error: linking with cc failed, undefined symbol in topic 17 of the parser ";

fn text(n: usize) -> String {
    format!(
        "---\nname: way-{n}\ndescription: Guidance number {n} on topic {} of the parser\ntrigger:\n  type: attend\n  signals: [signal-{}]\ncurve: {{ type: Exponential, half_life: 50000 }}\n---\n{}",
        n % 37,
        n % 50,
        "Do this first, then look at that.\n".repeat(30)
    )
}

fn written(count: usize) -> TempDir {
    let dir = tempfile::tempdir().expect("a temporary directory");
    for n in 0..count {
        let below = dir.path().join(format!("d{}", n % 20));
        fs::create_dir_all(&below).expect("a directory");
        fs::write(below.join(format!("w{n}.md")), text(n)).expect("a way");
    }
    dir
}

fn scores(criterion: &mut Criterion) {
    let ways: Vec<Way> = (0..WAYS)
        .filter_map(|n| read(&WayId::new("a").ok()?, Path::new("a.md"), &text(n)).way)
        .collect();
    let ways: Vec<&Way> = ways.iter().collect();
    assert_eq!(ways.len(), WAYS);
    let context = CONTEXT.repeat(60);
    criterion.bench_function("ways/score/500", |bencher| {
        bencher.iter(|| DefaultScorer.scores(black_box(&context), black_box(&ways)));
    });
}

fn files(criterion: &mut Criterion) {
    let few = written(WAYS);
    let root = Root {
        origin: Origin::User,
        path: few.path().to_owned(),
    };
    criterion.bench_function("ways/load/500", |bencher| {
        bencher.iter(|| Corpus::load(std::slice::from_ref(&root)));
    });
    let many = written(2_000);
    let mut group = criterion.benchmark_group("ways");
    group.sample_size(10);
    group.bench_function("lint/2000", |bencher| bencher.iter(|| lint(many.path())));
    group.finish();
}

criterion_group!(benches, scores, files);
criterion_main!(benches);
