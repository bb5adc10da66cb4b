//! What is drawn, as pixels: where the ink of each label lies, and what colours it has.

use std::path::Path;
use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Group, Node, Options, TextChunk, Tree};

/// A picture of so many pixels in width.
pub(crate) struct Rendered {
    pixels: Pixmap,
    labels: Vec<Ink>,
}

/// The pixels between which the ink of a label lies: left, top, right and bottom.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Ink {
    pub(crate) words: String,
    pub(crate) edges: [f32; 4],
}

impl Rendered {
    /// Draws it with letters that come with the tests, since a bare machine has none.
    pub(crate) fn new(picture: &str, width: u16) -> Self {
        let mut fonts = Database::new();
        fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
        let family = fonts.faces().next().expect("a font").families[0].0.clone();
        fonts.set_sans_serif_family(&family);
        let options = Options {
            fontdb: Arc::new(fonts),
            ..Options::default()
        };
        let tree = Tree::from_str(picture, &options).expect("a picture");
        let scale = f32::from(width) / tree.size().width();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a picture has some thousands of pixels"
        )]
        let height = (tree.size().height() * scale).ceil() as u32;
        let mut pixels = Pixmap::new(u32::from(width), height).expect("a picture");
        let transform = Transform::from_scale(scale, scale);
        resvg::render(&tree, transform, &mut pixels.as_mut());
        let mut labels = Vec::new();
        collect(tree.root(), scale, &mut labels);
        Self { pixels, labels }
    }

    pub(crate) fn labels(&self) -> &[Ink] {
        &self.labels
    }

    /// Pairs of labels of which the ink touches.
    pub(crate) fn touching(&self) -> Vec<(&str, &str)> {
        let touch = |a: &Ink, b: &Ink| {
            let ([left, top, right, bottom], other) = (a.edges, b.edges);
            left < other[2] && other[0] < right && top < other[3] && other[1] < bottom
        };
        let pairs = self.labels.iter().enumerate();
        pairs
            .flat_map(|(n, a)| self.labels[n + 1..].iter().map(move |b| (a, b)))
            .filter(|(a, b)| touch(a, b))
            .map(|(a, b)| (a.words.as_str(), b.words.as_str()))
            .collect()
    }

    /// How much of the picture is dark, from 0 to 1.
    pub(crate) fn darkness(&self) -> f64 {
        let pixels = self.pixels.pixels();
        let dark = pixels.iter().filter(|pixel| pixel.green() < 128).count();
        dark as f64 / pixels.len() as f64
    }

    /// How many colours lie within the ink of a label.
    pub(crate) fn colours(&self, ink: &Ink) -> usize {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a picture has some thousands of pixels, and its edges none before the first"
        )]
        let [left, top, right, bottom] = ink.edges.map(|edge| edge.max(0.0) as u32);
        let places = (top..=bottom).flat_map(|y| (left..=right).map(move |x| (x, y)));
        let mut colours: Vec<[u8; 3]> = places
            .filter_map(|(x, y)| self.pixels.pixel(x, y))
            .map(|pixel| [pixel.red(), pixel.green(), pixel.blue()])
            .collect();
        colours.sort_unstable();
        colours.dedup();
        colours.len()
    }

    /// Writes it as a PNG, for somebody who wants to look at it.
    pub(crate) fn keep(&self, name: &str) {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("timeline");
        std::fs::create_dir_all(&directory).expect("a directory");
        let path = directory.join(format!("{name}.png"));
        self.pixels.save_png(path).expect("a file");
    }
}

fn collect(group: &Group, scale: f32, labels: &mut Vec<Ink>) {
    for node in group.children() {
        match node {
            Node::Group(group) => collect(group, scale, labels),
            Node::Text(text) => {
                let words = text.chunks().iter().map(TextChunk::text).collect();
                let edges = text.flattened().abs_bounding_box();
                let edges = [edges.left(), edges.top(), edges.right(), edges.bottom()];
                labels.push(Ink {
                    words,
                    edges: edges.map(|edge| edge * scale),
                });
            }
            Node::Path(_) | Node::Image(_) => {}
        }
    }
}
