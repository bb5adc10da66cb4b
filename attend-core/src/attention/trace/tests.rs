//! Tests of reading traces that are damaged, foreign or cut short.
