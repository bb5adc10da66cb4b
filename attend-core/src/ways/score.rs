//! Scores: which of several ways fits best to what is going on.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::io::Write as _;

use bm25::{EmbedderBuilder, Scorer as Bm25, Tokenizer};
use flate2::Compression;
use flate2::write::DeflateEncoder;

use super::way::Way;

/// How much of a context is looked at: its end, in bytes.
const MOST_CONTEXT: usize = 2_048;

/// How many of the best by their words are compressed.
const COMPRESSED: usize = 12;

/// How much the words count; the rest is what compression says.
const WORDS: f64 = 0.7;

/// Words that stand in every text and tell nothing of it.
const COMMON: [&str; 48] = [
    "about", "after", "again", "all", "an", "and", "any", "are", "as", "at", "be", "been",
    "before", "but", "by", "can", "do", "does", "for", "from", "has", "have", "how", "if", "in",
    "into", "is", "it", "its", "no", "not", "of", "on", "or", "so", "than", "that", "the", "then",
    "this", "to", "was", "what", "when", "which", "will", "with", "you",
];

/// Tells how well ways fit to a context.
pub trait Scorer {
    /// A score for each of `ways`, in their order: the larger, the better. The same for the
    /// same.
    ///
    /// It must not look at anything but what it is given, keep any of that, or panic; a score must
    /// be a number.
    fn scores(&self, context: &str, ways: &[&Way]) -> Vec<f64>;
}

/// BM25 over names, descriptions and signals, and the normalised compression distance of those
/// that fit best: words that occur, and words that are alike.
///
/// The compression distance is `(C(xy) - min(C(x), C(y))) / max(C(x), C(y))` (Cilibrasi and
/// Vitányi, 2005), where `C` is a length after compression.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DefaultScorer;

/// The places of `ways` by how well they fit, the best first; of equal ones, the one given
/// first.
pub fn rank(scorer: &dyn Scorer, context: &str, ways: &[&Way]) -> Vec<usize> {
    let known = scorer.scores(context, ways);
    let mut places: Vec<usize> = (0..ways.len()).collect();
    let score = |place: &usize| known.get(*place).copied().unwrap_or(0.0);
    places.sort_by(|a, b| score(b).total_cmp(&score(a)).then(Ordering::Equal));
    places
}

impl Scorer for DefaultScorer {
    fn scores(&self, context: &str, ways: &[&Way]) -> Vec<f64> {
        let context = end(context).to_lowercase();
        if words(&context).next().is_none() {
            return vec![0.0; ways.len()];
        }
        let texts: Vec<String> = ways.iter().map(|way| way.words().to_lowercase()).collect();
        let mut scores = by_words(&context, &texts);
        let mut best: Vec<usize> = (0..ways.len()).collect();
        best.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
        let alone = compressed(&[&context]);
        for place in best.into_iter().take(COMPRESSED) {
            scores[place] += (1.0 - WORDS) * alike(&context, alone, &texts[place]);
        }
        scores
    }
}

struct Words;

impl Tokenizer for Words {
    fn tokenize(&self, text: &str) -> Vec<String> {
        words(text).map(str::to_owned).collect()
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| word.chars().nth(1).is_some() && COMMON.binary_search(word).is_err())
}

/// From 0 to what the words count, the best of all at that.
fn by_words(context: &str, texts: &[String]) -> Vec<f64> {
    let borrowed: Vec<&str> = texts.iter().map(String::as_str).collect();
    let embedder =
        EmbedderBuilder::<u32, Words>::with_tokenizer_and_fit_to_corpus(Words, &borrowed);
    let embedder = embedder.build();
    let mut index = Bm25::<usize, u32>::new();
    for (place, text) in borrowed.iter().enumerate() {
        index.upsert(&place, embedder.embed(text));
    }
    // A word that is said often is no better fit than one that is said once.
    let asked: BTreeSet<&str> = words(context).collect();
    let asked: Vec<&str> = asked.into_iter().collect();
    let mut scores = vec![0.0; texts.len()];
    for scored in index.matches(&embedder.embed(&asked.join(" "))) {
        scores[scored.id] = f64::from(scored.score);
    }
    let best = scores.iter().copied().fold(0.0, f64::max);
    if best > 0.0 {
        for score in &mut scores {
            *score *= WORDS / best;
        }
    }
    scores
}

/// From 0 for texts that have nothing in common to 1.
fn alike(context: &str, alone: usize, text: &str) -> f64 {
    let (other, both) = (compressed(&[text]), compressed(&[context, text]));
    let (short, long) = (alone.min(other), alone.max(other).max(1));
    let distance = both.saturating_sub(short) as f64 / long as f64;
    (1.0 - distance).clamp(0.0, 1.0)
}

fn compressed(texts: &[&str]) -> usize {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(6));
    for text in texts {
        // Memory does not refuse to be written.
        let _ = encoder.write_all(text.as_bytes());
    }
    encoder.finish().map_or(0, |bytes| bytes.len())
}

fn end(text: &str) -> &str {
    let from = text.len().saturating_sub(MOST_CONTEXT);
    let from = (from..=text.len()).find(|at| text.is_char_boundary(*at));
    from.and_then(|from| text.get(from..)).unwrap_or_default()
}
