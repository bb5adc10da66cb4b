//! Times as the host writes them, in milliseconds since 1970.

use jiff::Timestamp;

/// Milliseconds since the beginning of 1970.
pub(super) type Millis = u64;

/// Reads a time such as `2026-11-20T11:00:10.000Z`.
pub(super) fn parse(text: &str) -> Option<Millis> {
    let stamp: Timestamp = text.parse().ok()?;
    u64::try_from(stamp.as_millisecond()).ok()
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn times_are_read_to_the_millisecond() {
        assert_eq!(parse("1970-01-01T00:00:01.250Z"), Some(1_250));
        assert_eq!(parse("2026-11-20T11:00:10Z"), Some(1_795_172_410_000));
        assert_eq!(parse("2026-11-20T12:00:10+01:00"), Some(1_795_172_410_000));
        for odd in [
            "",
            "yesterday",
            "1969-01-01T00:00:00Z",
            "2026-11-20",
            "2026-13-01T00:00:00Z",
        ] {
            assert_eq!(parse(odd), None, "{odd}");
        }
    }
}
