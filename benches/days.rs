//! The labelled days: the shipped settings keep every rule on all of them, and what is written down of them is fresh.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use benches::quality::{Sample, Score, Table, samples, shipped, sweep};

/// All days; they take a while to record where nothing is optimised.
static DAYS: LazyLock<Vec<Sample>> = LazyLock::new(samples);

const FRESH: &str = "write it anew: cargo run --release -p benches --bin signal-quality";

fn scores() -> Vec<Score> {
    DAYS.iter().map(|day| day.score(&shipped())).collect()
}

#[test]
fn the_shipped_settings_keep_the_rules_on_every_day() {
    let scores = scores();
    let broken = scores.iter().flat_map(|score| {
        let broken = score.broken().into_iter();
        broken.map(|broken| format!("{}: {broken}", score.day))
    });
    let broken: Vec<String> = broken.collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    // Days on which nothing must be told, or nothing could be broken, would show nothing.
    assert!(scores.iter().map(|score| score.must).sum::<usize>() > 40);
}

#[test]
fn without_gates_the_rules_are_broken() {
    use benches::quality::VARIANTS;
    let open = VARIANTS
        .iter()
        .find(|variant| variant.name == "no refractory and no governor");
    let conditions = open.expect("it was tried").conditions();
    let broken = DAYS
        .iter()
        .any(|day| !day.score(&conditions).broken().is_empty());
    assert!(broken);
}

#[test]
fn a_day_is_the_same_wherever_it_is_recorded() {
    for day in DAYS.iter() {
        let name = format!("{}.trace", day.name());
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("traces")
            .join(&name);
        let kept = fs::read(path).expect("a trace");
        let fresh = kept == day.bytes();
        assert!(
            fresh,
            "{name} is not what the day records; {FRESH} -- write benches/traces"
        );
    }
}

#[test]
fn the_documentation_tells_what_the_command_prints() {
    let text = include_str!("../docs/signal-quality.md");
    for (told, command) in [
        (Table(scores()).to_string(), ""),
        (sweep(&DAYS), " -- sweep"),
    ] {
        assert!(text.contains(&told), "{FRESH}{command} prints\n{told}");
    }
}
