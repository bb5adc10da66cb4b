//! What is drawn, measured: labels with the room that their words take, and colours.

/// Advances of the characters from the blank on in DejaVu Sans, the widest of the usual fonts,
/// in thousandths of its size.
const ADVANCES: [u16; 95] = [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
];

/// A label with the room that it takes.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Label {
    pub(crate) words: String,
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) baseline: f64,
    pub(crate) size: f64,
}

/// All labels of a picture.
pub(crate) fn labels(picture: &str) -> Vec<Label> {
    let elements = picture.split("<text").skip(1);
    elements
        .map(|element| {
            let (attributes, rest) = element.split_once('>').expect("it is drawn");
            let words = rest.split_once("</text>").expect("it is drawn").0.trim();
            let words = words.replace("&amp;", "&").replace("&quot;", "\"");
            let value = |name: &str| {
                let (_, rest) = attributes.split_once(&format!(" {name}=\""))?;
                Some(rest.split_once('"')?.0)
            };
            let number = |name: &str| -> f64 {
                value(name)
                    .expect("it is drawn")
                    .parse()
                    .expect("it is drawn")
            };
            let size = number("font-size");
            let width = words.chars().map(advance).sum::<f64>() * size;
            let x = number("x");
            let left = match value("text-anchor") {
                Some("end") => x - width,
                Some("middle") => x - width / 2.0,
                _ => x,
            };
            Label {
                words,
                left,
                right: left + width,
                baseline: number("y"),
                size,
            }
        })
        .collect()
}

fn advance(c: char) -> f64 {
    let place = (c as usize).checked_sub(32);
    let known = place.and_then(|place| ADVANCES.get(place));
    known.map_or(0.85, |thousandths| f64::from(*thousandths) / 1_000.0)
}

/// Pairs of labels that touch when the picture is drawn at this scale.
pub(crate) fn overlapping(labels: &[Label], scale: f64) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (n, a) in labels.iter().enumerate() {
        for b in &labels[n + 1..] {
            let beside = a.right * scale <= b.left * scale || b.right * scale <= a.left * scale;
            let (top, base) = if a.baseline < b.baseline {
                (a, b)
            } else {
                (b, a)
            };
            let below = (base.baseline - base.size * 0.76) - (top.baseline + top.size * 0.24);
            if !beside && below * scale < 0.0 {
                found.push((a.words.clone(), b.words.clone()));
            }
        }
    }
    found
}

/// The colour that follows `rule` in a style sheet.
pub(crate) fn colour(style: &str, rule: &str) -> [u8; 3] {
    let (_, rest) = style.split_once(rule).expect("it is drawn");
    let part = |at: usize| {
        u8::from_str_radix(rest.get(at..at + 2).expect("it is drawn"), 16).expect("it is drawn")
    };
    [part(1), part(3), part(5)]
}

/// How far two colours stand apart, as the guidelines for web content reckon it.
pub(crate) fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
    let light = |colour: [u8; 3]| {
        let [red, green, blue] = colour.map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.039_28 {
                part / 12.92
            } else {
                ((part + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
    };
    let (a, b) = (light(a), light(b));
    a.max(b) / a.min(b)
}
