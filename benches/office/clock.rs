//! Times of a day, as a script of it says them.

/// The second of the day at `text`, which is `hours:minutes` or `hours:minutes:seconds`.
///
/// # Panics
///
/// Where `text` says no time.
pub fn at(text: &str) -> u64 {
    text.split(':')
        .map(|part| part.parse::<u64>().expect("hours, minutes or seconds"))
        .chain([0])
        .take(3)
        .fold(0, |all, part| all * 60 + part)
}
