//! Lines: what it costs to make text from outside harmless and to cut it.

use std::hint::black_box;

use attend_core::attention::{Head, Priority, first_line, split};
use benches::name;
use criterion::{Criterion, criterion_group, criterion_main};

/// The command that shows the rest.
const MORE: &str = "attend explain";

/// One mebibyte.
const MANY: usize = 1 << 20;

fn texts() -> [(&'static str, String); 6] {
    [
        ("typical", "branch changed: main → feat/x".to_owned()),
        ("plain", "3 files newly dirty under attend-core".to_owned()),
        (
            "three-lines",
            "the build is green and may go out ".repeat(40),
        ),
        ("1-MiB/one-word", "x".repeat(MANY)),
        (
            "1-MiB/brackets",
            "[attend\u{202e}<\u{1b}\n".repeat(MANY / 13),
        ),
        (
            "1-MiB/one-grapheme",
            format!("e{}", "\u{301}".repeat(MANY / 2)),
        ),
    ]
}

fn splitting(criterion: &mut Criterion) {
    let head = Head::event(&name(0), Priority::Medium);
    let mut group = criterion.benchmark_group("split");
    for (name, text) in texts() {
        group.bench_function(name, |bencher| {
            bencher.iter(|| split(&head, black_box(&text), MORE));
        });
    }
    group.finish();
}

fn first_lines(criterion: &mut Criterion) {
    let head = Head::event(&name(0), Priority::Medium);
    let [.., (_, hostile)] = texts();
    criterion.bench_function("first-line/1-MiB", |bencher| {
        bencher.iter(|| first_line(&head, black_box(&hostile), MORE));
    });
}

criterion_group!(benches, splitting, first_lines);
criterion_main!(benches);
