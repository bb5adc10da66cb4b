//! What tests of sensors and of embedders need: clocks, roots, runners, a harness, scenarios.
