//! Colours: of day and of night, of which whoever looks takes what suits.

use svg::node::element::Style;

/// The colours of one light, on a ground of its own, so that it is legible wherever it is put.
#[derive(Debug)]
pub(crate) struct Light {
    pub(crate) ground: &'static str,
    pub(crate) ink: &'static str,
    pub(crate) faint: &'static str,
    pub(crate) rule: &'static str,
    pub(crate) curve: &'static str,
    pub(crate) floor: &'static str,
    pub(crate) fire: &'static str,
    pub(crate) lost: &'static str,
    pub(crate) calm: &'static str,
    pub(crate) aside: &'static str,
}

const DAY: Light = Light {
    ground: "#ffffff",
    ink: "#1f2328",
    faint: "#59636e",
    rule: "#d1d9e0",
    curve: "#0969da",
    floor: "#bc4c00",
    fire: "#1a7f37",
    lost: "#cf222e",
    calm: "#8250df",
    aside: "#1b7c83",
};

/// For those who prefer dark.
const NIGHT: Light = Light {
    ground: "#0d1117",
    ink: "#f0f6fc",
    faint: "#9198a1",
    rule: "#3d444d",
    curve: "#4493f8",
    floor: "#f0883e",
    fire: "#3fb950",
    lost: "#ff7b72",
    calm: "#ab7df8",
    aside: "#39c5cf",
};

/// The classes that every picture has, and those of this one, for both lights.
pub(crate) fn style(own: impl Fn(&Light) -> String) -> Style {
    let rules = |light: &Light| format!("{}{}", common(light), own(light));
    let (day, night) = (rules(&DAY), rules(&NIGHT));
    Style::new(format!(
        "{day}@media (prefers-color-scheme:dark){{{night}}}"
    ))
}

fn common(light: &Light) -> String {
    let Light {
        ground,
        ink,
        faint,
        rule,
        ..
    } = light;
    format!(
        ".ground{{fill:{ground}}}.ink{{fill:{ink}}}.faint{{fill:{faint}}}\
         .rule{{stroke:{rule};stroke-width:1}}"
    )
}
