//! Nothing of its own: the examples are the files beside this one.
