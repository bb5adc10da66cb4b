//! The engine without I/O: what is held, what may wake, and how a line is made of it.

mod glyph;

mod text;
pub use text::{sanitise, units};

mod wrap;

mod line;
pub use line::{Head, LINE_LIMIT, Line, MAX_PARTS, Priority, first_line, split};
