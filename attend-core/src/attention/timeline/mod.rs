//! The timeline: a picture of what a journal tells, with a row for each sensor.

mod hue;

mod axis;

mod marks;

mod legend;

mod curves;

mod row;

mod sheet;
pub use sheet::timeline;
