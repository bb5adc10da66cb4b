//! What pictures are made with: colours for both lights, shapes, scales, and labels that keep
//! apart.

mod light;
pub(crate) use light::{Light, style};

mod shape;
pub(crate) use shape::{circle, line, round, sheet};

mod scale;
pub(crate) use scale::Scale;

mod label;
pub(crate) use label::{Frame, Places, cut, text, width};
