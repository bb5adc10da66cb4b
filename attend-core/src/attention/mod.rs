//! The engine without I/O: what is held, what may wake, and how a line is made of it.
