//! Names for what the engine hands out: events and batches.

use crate::mail::number::number;

number! {
    /// One event that the engine took in, counted from 1 over the life of a checkpoint.
    EventId
}

number! {
    /// One batch of lines, counted from 1 over the life of a checkpoint.
    BatchId
}
