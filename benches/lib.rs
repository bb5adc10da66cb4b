//! Nothing of its own: the measurements are the files beside this one.
