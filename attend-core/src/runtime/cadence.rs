//! Cadence: when a sensor is looked at next, by what its looks found.

use std::time::Duration;

use crate::sensor::{ErrorKind, Profile};

/// The longest wait after a look that failed in passing, and how often what is not there is
/// looked for.
const RARELY: Duration = Duration::from_mins(10);

/// The shortest wait there is, so that no configuration makes a look follow a look at once.
const LEAST: Duration = Duration::from_millis(10);

/// How much earlier than it is due a look may go along with others, and with one as rare.
const NEAR: Duration = Duration::from_secs(1);
const FAR: Duration = Duration::from_millis(2_500);

/// What a look found, as far as that decides when the next one is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Look {
    /// Something changed.
    Changed,
    /// Nothing changed.
    Quiet,
    /// It failed.
    Failed(ErrorKind),
}

/// When one sensor is looked at. Times are on the boot clock; nothing here reads it.
///
/// The first look is due at once, then one per interval. A change halves the wait down to the
/// minimum interval; from so many quiet looks in a row on, each makes it half as long again, up
/// to the interval. A wake makes the next look due at once, but never earlier than the minimum
/// interval after the last one ended. However late a look is, it is one look.
///
/// | a look failed | next look |
/// |---|---|
/// | in passing | after the minimum interval, then after twice that, up to 10 minutes or the interval, whichever is longer |
/// | what it looks at is not there | after 10 minutes or the interval, whichever is longer |
/// | the configuration is wrong | never |
///
/// After a look that failed in passing no wake brings the next one forward: what fails often
/// would be looked at all the time. What is not there may have appeared: there a wake counts as
/// after any look.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cadence {
    interval: Duration,
    min_interval: Duration,
    decay_threshold: u32,
    wait: Duration,
    quiet: u32,
    failures: u32,
    /// How the last look failed, where it did.
    failed: Option<ErrorKind>,
    ended: Option<Duration>,
    next: Next,
    woken: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    At(Duration),
    Out,
    Never,
}

impl Cadence {
    /// The cadence of a sensor that was not looked at yet. A minimum above the interval is the
    /// interval, and neither is below 10 ms.
    pub fn new(profile: &Profile) -> Self {
        let interval = profile.interval.max(LEAST);
        Self {
            interval,
            min_interval: profile.min_interval.clamp(LEAST, interval),
            decay_threshold: profile.decay_threshold,
            wait: interval,
            quiet: 0,
            failures: 0,
            failed: None,
            ended: None,
            next: Next::At(Duration::ZERO),
            woken: false,
        }
    }

    /// Takes another profile over; what was learned of failures stays.
    pub fn adopt(&mut self, profile: &Profile) {
        let fresh = Self::new(profile);
        (self.interval, self.min_interval) = (fresh.interval, fresh.min_interval);
        (self.decay_threshold, self.wait) = (fresh.decay_threshold, fresh.wait);
        if let (Next::At(at), Some(ended)) = (self.next, self.ended)
            && self.failed.is_none()
        {
            self.next = Next::At(at.min(ended.saturating_add(self.wait)));
        }
    }

    /// When the next look is due; none while one is out, and where there will be none.
    pub fn due(&self) -> Option<Duration> {
        let Next::At(at) = self.next else { return None };
        let wakes = matches!(self.failed, None | Some(ErrorKind::Unavailable));
        Some(if self.woken && wakes {
            self.earliest().min(at)
        } else {
            at
        })
    }

    /// Whether the next look may go along with others at `now`, though it is not due yet; the
    /// longest wait of those is `rare`. It goes up to a tenth of its wait early, and half of it
    /// beside one as rare: those of one wait meet once, and then wake the loop together.
    pub(crate) fn may_join(&self, now: Duration, rare: Duration) -> bool {
        let is_as_rare = self.wait <= rare;
        let (share, most) = if is_as_rare { (2, FAR) } else { (10, NEAR) };
        let early = (self.wait / share).min(most);
        let is_near = matches!(self.next, Next::At(at) if at <= now.saturating_add(early));
        is_near && self.failed.is_none() && self.earliest() <= now
    }

    /// The wait between two looks while nothing is wrong.
    pub fn wait(&self) -> Duration {
        self.wait
    }

    /// Asks for a look as soon as may be. While one is out, the next one follows it.
    pub fn wake(&mut self) {
        self.woken = true;
    }

    /// Says that a look is out.
    pub fn started(&mut self) {
        self.next = Next::Out;
        self.woken = false;
    }

    /// Says that the look ended at `now` with `look`.
    pub fn ended(&mut self, now: Duration, look: Look) {
        self.ended = Some(now);
        self.failed = match look {
            Look::Failed(kind) => Some(kind),
            Look::Changed | Look::Quiet => None,
        };
        let wait = match look {
            Look::Changed => {
                (self.quiet, self.failures) = (0, 0);
                self.wait = (self.wait / 2).max(self.min_interval);
                Some(self.wait)
            }
            Look::Quiet => {
                self.failures = 0;
                self.quiet = self.quiet.saturating_add(1);
                if self.quiet >= self.decay_threshold {
                    self.wait = (self.wait * 3 / 2).min(self.interval);
                }
                Some(self.wait)
            }
            Look::Failed(ErrorKind::Transient) => {
                let doubled = 1_u32.checked_shl(self.failures).unwrap_or(u32::MAX);
                self.failures = self.failures.saturating_add(1);
                let wait = self.min_interval.saturating_mul(doubled);
                Some(wait.min(RARELY.max(self.interval)))
            }
            Look::Failed(ErrorKind::Unavailable) => Some(RARELY.max(self.interval)),
            Look::Failed(ErrorKind::Misconfigured) => None,
        };
        self.next = wait.map_or(Next::Never, |wait| Next::At(now.saturating_add(wait)));
    }

    /// Says that the look was lost at `now`: it found nothing out, so it is taken again as soon
    /// as may be, and changes nothing else.
    pub fn lost(&mut self, now: Duration) {
        self.ended = Some(now);
        self.next = Next::At(now.saturating_add(self.min_interval));
    }

    /// No look before `until`, whatever wakes.
    pub fn rest(&mut self, until: Duration) {
        self.next = Next::At(until);
        self.ended = Some(until.saturating_sub(self.min_interval));
    }

    /// No look any more.
    pub fn stop(&mut self) {
        self.next = Next::Never;
    }

    fn earliest(&self) -> Duration {
        let ended = self.ended;
        ended.map_or(Duration::ZERO, |ended| {
            ended.saturating_add(self.min_interval)
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use Look::{Changed, Failed, Quiet};

    const TRANSIENT: Look = Failed(ErrorKind::Transient);

    fn secs(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// The waits after each of `looks`, each taken when it is due.
    fn waits(profile: Profile, looks: &[Look]) -> Vec<f64> {
        let mut cadence = Cadence::new(&profile);
        let mut now = secs(1_000);
        let mut waits = Vec::new();
        for look in looks {
            cadence.started();
            cadence.ended(now, *look);
            let due = cadence.due().unwrap();
            waits.push(due.as_secs_f64() - now.as_secs_f64());
            now = due;
        }
        waits
    }

    #[test]
    fn the_first_look_is_due_at_once() {
        assert_eq!(Cadence::new(&Profile::default()).due(), Some(secs(0)));
    }

    #[test]
    fn a_look_that_is_nearly_due_goes_along_with_others() {
        let mut cadence = Cadence::new(&Profile::new(60, 5, 2_000, 1));
        cadence.started();
        let beside = |cadence: &Cadence, now, rare| cadence.may_join(secs(now), secs(rare));
        assert!(!beside(&cadence, 9, 60));
        cadence.ended(secs(10), Quiet);
        assert!(!beside(&cadence, 68, 5) && beside(&cadence, 69, 5));
        assert!(!beside(&cadence, 67, 60) && beside(&cadence, 68, 60));
        // Never before its minimum interval, nor before a failure may have passed.
        let mut often = Cadence::new(&Profile::new(5, 5, 2_000, 1));
        often.ended(secs(10), Quiet);
        assert!(!beside(&often, 14, 5) && beside(&often, 15, 5));
        cadence.ended(secs(70), TRANSIENT);
        assert!(!beside(&cadence, 75, 60));
    }

    #[test]
    fn the_wait_adapts() {
        let profile = Profile::new(60, 5, 2_000, 3);
        for (looks, told) in [
            (&[Quiet, Quiet][..], &[60.0, 60.0][..]),
            (&[Changed; 5], &[30.0, 15.0, 7.5, 5.0, 5.0]),
            (
                &[Changed, Changed, Quiet, Quiet, Quiet, Quiet, Quiet, Quiet],
                &[30.0, 15.0, 15.0, 15.0, 22.5, 33.75, 50.625, 60.0],
            ),
            (
                &[Changed, Quiet, Quiet, Changed, Quiet, Quiet],
                &[30.0, 30.0, 30.0, 15.0, 15.0, 15.0],
            ),
            (
                &[TRANSIENT; 9],
                &[5.0, 10.0, 20.0, 40.0, 80.0, 160.0, 320.0, 600.0, 600.0],
            ),
            (
                &[TRANSIENT, TRANSIENT, Quiet, TRANSIENT],
                &[5.0, 10.0, 60.0, 5.0],
            ),
            (&[Failed(ErrorKind::Unavailable), Quiet], &[600.0, 60.0]),
        ] {
            assert_eq!(waits(profile, looks), told, "{looks:?}");
        }
    }

    #[test]
    fn what_is_misconfigured_is_never_looked_at_again() {
        let mut cadence = Cadence::new(&Profile::default());
        cadence.started();
        cadence.ended(secs(1), Failed(ErrorKind::Misconfigured));
        cadence.wake();
        assert_eq!(cadence.due(), None);
    }

    #[test]
    fn a_wake_is_answered_at_once_but_not_too_soon() {
        let mut cadence = Cadence::new(&Profile::new(60, 5, 2_000, 3));
        cadence.started();
        cadence.wake();
        assert_eq!(cadence.due(), None, "a look is out");
        cadence.ended(secs(100), Quiet);
        assert_eq!(cadence.due(), Some(secs(105)));
        cadence.started();
        cadence.ended(secs(105), Quiet);
        assert_eq!(cadence.due(), Some(secs(165)), "the wake was answered");
    }

    #[test]
    fn no_wake_cuts_a_back_off_short() {
        let mut cadence = Cadence::new(&Profile::new(60, 5, 2_000, 3));
        let mut now = secs(100);
        for wait in [secs(5), secs(10), secs(20), secs(40)] {
            cadence.started();
            // Before it ended, after it, and while it waits with another profile.
            cadence.wake();
            cadence.ended(now, TRANSIENT);
            cadence.wake();
            cadence.adopt(&Profile::new(60, 5, 2_000, 3));
            assert_eq!(cadence.due(), Some(now + wait));
            now += wait;
        }
        // A look that was lost says nothing new of what failed.
        cadence.started();
        cadence.lost(now);
        assert_eq!(cadence.due(), Some(now + secs(5)));
        cadence.started();
        cadence.ended(now + secs(5), TRANSIENT);
        assert!(cadence.due().unwrap() >= now + secs(5) + secs(40));
        // Once a look counts, a wake does.
        cadence.started();
        cadence.ended(now, Quiet);
        cadence.wake();
        assert_eq!(cadence.due(), Some(now + secs(5)));
    }

    #[test]
    fn what_is_not_there_is_looked_for_rarely_unless_something_stirs() {
        let mut cadence = Cadence::new(&Profile::new(30, 5, 2_000, 3));
        cadence.started();
        cadence.ended(secs(100), Failed(ErrorKind::Unavailable));
        assert_eq!(cadence.due(), Some(secs(700)));
        cadence.adopt(&Profile::new(60, 5, 2_000, 3));
        assert_eq!(cadence.due(), Some(secs(700)));
        cadence.wake();
        assert_eq!(cadence.due(), Some(secs(105)));
        cadence.started();
        cadence.ended(secs(105), Failed(ErrorKind::Unavailable));
        assert_eq!(cadence.due(), Some(secs(705)), "the wake was answered");
    }

    #[test]
    fn a_rest_is_not_disturbed() {
        let mut cadence = Cadence::new(&Profile::new(60, 5, 2_000, 3));
        cadence.started();
        cadence.rest(secs(700));
        cadence.wake();
        assert_eq!(cadence.due(), Some(secs(700)));
    }

    #[test]
    fn another_profile_takes_effect_at_once() {
        let mut cadence = Cadence::new(&Profile::new(600, 5, 2_000, 3));
        cadence.started();
        cadence.ended(secs(100), Quiet);
        assert_eq!(cadence.due(), Some(secs(700)));
        cadence.adopt(&Profile::new(30, 5, 2_000, 3));
        assert_eq!(cadence.due(), Some(secs(130)));
    }

    #[test]
    fn a_suspend_is_made_up_for_by_one_look() {
        let mut cadence = Cadence::new(&Profile::new(60, 5, 2_000, 3));
        cadence.started();
        cadence.ended(secs(100), Quiet);
        let awake = secs(100 + 8 * 3_600);
        assert!(cadence.due().unwrap() < awake);
        cadence.started();
        cadence.ended(awake, Quiet);
        assert_eq!(cadence.due(), Some(awake + secs(60)));
    }

    proptest! {
        #[test]
        fn a_wait_keeps_its_bounds(
            interval in 0_u64..10_000, minimum in 0_u64..10_000, decay in 0_u32..10,
            looks in prop::collection::vec(0_u8..4, 1..200),
        ) {
            let profile = Profile::new(interval, minimum, 2_000, decay);
            let mut cadence = Cadence::new(&profile);
            let minimum = secs(minimum.min(interval)).max(LEAST);
            let mut now = secs(0);
            for (n, look) in looks.into_iter().enumerate() {
                let look = [Changed, Quiet, TRANSIENT, Failed(ErrorKind::Unavailable)][usize::from(look)];
                cadence.started();
                prop_assert_eq!(cadence.due(), None);
                cadence.ended(now, look);
                let due = cadence.due().unwrap();
                prop_assert!(due >= now + minimum);
                prop_assert!(due <= now + secs(interval).max(RARELY));
                if n % 3 == 0 {
                    cadence.wake();
                    let woken = match look {
                        Failed(ErrorKind::Transient | ErrorKind::Misconfigured) => due,
                        Failed(_) | Changed | Quiet => now + minimum,
                    };
                    prop_assert_eq!(cadence.due().unwrap(), woken);
                }
                now = cadence.due().unwrap();
            }
        }
    }
}
