//! Shapes, to a tenth of a unit.

use svg::Document;
use svg::node::element::{Circle, Line, Rectangle, Style, Title};

/// An empty picture with a title, its colours and its ground.
pub(crate) fn sheet(width: f64, height: f64, title: &str, style: Style) -> Document {
    let ground = Rectangle::new()
        .set("width", width)
        .set("height", height)
        .set("class", "ground");
    Document::new()
        .set("viewBox", (0, 0, width, height))
        .set("width", width)
        .set("height", height)
        .set("role", "img")
        .set("font-family", "system-ui, 'DejaVu Sans', sans-serif")
        .add(Title::new(title))
        .add(style)
        .add(ground)
}

pub(crate) fn line(class: &str, from: (f64, f64), to: (f64, f64)) -> Line {
    Line::new()
        .set("class", class)
        .set("x1", round(from.0))
        .set("y1", round(from.1))
        .set("x2", round(to.0))
        .set("y2", round(to.1))
}

pub(crate) fn circle(class: &str, x: f64, y: f64, r: f64) -> Circle {
    Circle::new()
        .set("class", class)
        .set("cx", round(x))
        .set("cy", round(y))
        .set("r", r)
}

pub(crate) fn round(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}
