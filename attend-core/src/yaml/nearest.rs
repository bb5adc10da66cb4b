//! The known word that is spelled most like one that nobody knows.

/// The one of `known` that is spelled most like `given`, where one is near: a third of its
/// letters, at least one, may differ.
pub(crate) fn nearest<'a>(
    given: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let distance = |known: &str| strsim::damerau_levenshtein(given, known);
    let known = known.into_iter().map(|known| (distance(known), known));
    let nearest = known.min_by_key(|(distance, _)| *distance);
    let close = 1 + given.chars().count() / 3;
    nearest
        .filter(|(distance, _)| *distance <= close)
        .map(|(_, known)| known)
}
