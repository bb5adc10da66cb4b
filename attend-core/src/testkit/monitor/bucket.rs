//! How much Monitor lets through: a bucket of notifications, and how long it may overflow.

/// Notifications that may follow each other at once.
const BURST: u64 = 10;

/// Milliseconds after which one more is let through.
const REFILL: u64 = 2_000;

/// Milliseconds of overflow after which Monitor stops.
const OVERFLOW: u64 = 30_000;

/// What the bucket makes of one notification.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Deliver,
    Suppress,
    /// Nothing more is read.
    Stop,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Bucket {
    /// What is left, as the milliseconds that it took to fill.
    credit: u64,
    at: u64,
    /// Since when it has overflowed without ever having more than one to give.
    overflows: Option<u64>,
}

impl Bucket {
    pub(super) fn full() -> Self {
        Self {
            credit: BURST * REFILL,
            at: 0,
            overflows: None,
        }
    }

    /// Judges a notification that leaves at `now`, which is never before the last one.
    pub(super) fn judge(&mut self, now: u64) -> Verdict {
        let passed = now.saturating_sub(self.at);
        self.credit = self.credit.saturating_add(passed).min(BURST * REFILL);
        self.at = now;
        let Some(left) = self.credit.checked_sub(REFILL) else {
            let since = *self.overflows.get_or_insert(now);
            return if now - since < OVERFLOW {
                Verdict::Suppress
            } else {
                Verdict::Stop
            };
        };
        self.credit = left;
        if left >= REFILL {
            self.overflows = None;
        }
        Verdict::Deliver
    }
}
