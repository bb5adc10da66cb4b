//! Sensors whose single looks break a rule are caught.

use std::future::{pending, poll_fn};
use std::task::Poll;

use attend_core::mail::Draft;
use attend_core::sensor::{
    BuildContext, ConfigError, Declares, Event, Lane, Sensor, SensorSpec, sensor_fn, sensor_sync,
};
use attend_core::testkit::{Conformance, conformance};
use serde::{Deserialize, Serialize};

use super::{Parts, careful, length, queue, tell};

#[derive(Clone, Default, Serialize, Deserialize)]
struct QueueConfig {}

impl SensorSpec for QueueConfig {
    const KIND: &'static str = "queue";
    const ABOUT: &'static str = "the length of a queue";

    fn build(self, _cx: &BuildContext) -> Result<Box<dyn Sensor>, ConfigError> {
        Ok(Box::new(careful()))
    }
}

#[test]
#[should_panic(
    expected = "conformance, declared only, after the change: it does not declare the signal `queue-grew`"
)]
fn a_kind_reports_only_the_signals_that_it_declares() {
    queue().check_kind(&QueueConfig::default());
}

#[test]
#[should_panic(expected = "it declares no messages")]
fn a_kind_posts_only_where_it_declares_messages() {
    Conformance::new().declares(Declares::default()).check(|_| {
        Box::new(sensor_sync(|cx| {
            cx.post(Draft::new("hello"), "hello-1");
            Ok(())
        }))
    });
}

#[test]
#[should_panic(expected = "it declares no events")]
fn a_kind_reports_only_where_it_declares_events() {
    let mut declares = Declares::default();
    declares.lanes = vec![Lane::Message];
    Conformance::new().declares(declares).check(|_| {
        Box::new(sensor_sync(|cx| {
            cx.clear("hello");
            Ok(())
        }))
    });
}

#[test]
#[should_panic(
    expected = "conformance, quiet baseline, in the world as it was given: the first look reported `2 are waiting`"
)]
fn news_of_the_first_look_are_caught() {
    queue().check(|_| {
        Box::new(Parts {
            look: |known, cx| {
                Box::pin(async move {
                    let length = length(cx).await?;
                    tell(cx, Some(known.replace(length).unwrap_or_default()), length);
                    Ok(())
                })
            },
            ..careful()
        })
    });
}

#[test]
#[should_panic(
    expected = "conformance, quiet baseline, in the world as it was given: another look at an unchanged world: the look reported:"
)]
fn a_condition_that_is_told_again_is_caught() {
    conformance(|_| {
        Box::new(sensor_sync(|cx| {
            cx.report(Event::new(4.0, "the queue is full").key("full").standing());
            Ok(())
        }))
    });
}

#[test]
#[should_panic(
    expected = "conformance, change, after the change: the look after the change reported nothing"
)]
fn a_change_that_nobody_sees_is_caught() {
    Conformance::new()
        .change(|_| ())
        .check(|_| Box::new(sensor_sync(|_| Ok(()))));
}

#[test]
#[should_panic(
    expected = "conformance, bounded work, in the world as it was given: a look did not end within 10000 wakes"
)]
fn a_look_without_an_end_is_caught() {
    conformance(|_| {
        Box::new(sensor_fn((), |(): &mut (), _| {
            Box::pin(poll_fn(|cx| {
                cx.waker().wake_by_ref();
                Poll::Pending
            }))
        }))
    });
}

#[test]
#[should_panic(expected = "conformance, bounded work")]
fn a_look_that_nothing_wakes_is_caught() {
    conformance(|_| Box::new(sensor_fn((), |(): &mut (), _| Box::pin(pending()))));
}

#[test]
#[should_panic(expected = "a look reported 44 events more than 256")]
fn a_flood_is_caught() {
    conformance(|_| {
        Box::new(sensor_sync(|cx| {
            (0..300).for_each(|n| cx.report(Event::new(1.0, "full").key(n.to_string()).standing()));
            Ok(())
        }))
    });
}
