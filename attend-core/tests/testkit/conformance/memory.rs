//! Sensors that remember too much, too little or too early are caught.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use attend_core::sensor::{
    CommandOutput, Event, HostRequest, SensorError, Snapshot, Watch, sensor_fn, sensor_sync,
};
use attend_core::testkit::{Conformance, Harness, conformance};

use super::{Parts, careful, command, length, queue, tell};

#[test]
#[should_panic(
    expected = "conformance, same world, same output, in the world as it was given: one sensor: the look reported:"
)]
fn a_report_in_random_order_is_caught() {
    conformance(|_| {
        let set: HashSet<u32> = (0..40).collect();
        let mut told = false;
        Box::new(sensor_sync(move |cx| {
            let news = set.iter().filter(|_| !told);
            for n in news {
                cx.report(Event::new(1.0, n.to_string()).key(n.to_string()).standing());
            }
            told = true;
            Ok(())
        }))
    });
}

#[test]
#[should_panic(expected = "one sensor remembers Some(\"0\"), another Some(\"1\")")]
fn a_memory_of_its_own_making_is_caught() {
    static MADE: AtomicUsize = AtomicUsize::new(0);
    conformance(|_| {
        let made = u32::try_from(MADE.fetch_add(1, Ordering::SeqCst)).ok();
        Box::new(Parts {
            known: made,
            look: |_, _| Box::pin(async { Ok(()) }),
            ..careful()
        })
    });
}

#[test]
#[should_panic(
    expected = "conformance, snapshot round trip, in the world as it was given: it cannot restore 2: what is this?"
)]
fn a_snapshot_that_cannot_be_restored_is_caught() {
    queue().check(|_| {
        Box::new(Parts {
            restore: |_, _| Err(SensorError::transient("what is this?")),
            ..careful()
        })
    });
}

#[test]
#[should_panic(expected = "it stored 2, and once restored remembers Some(\"3\")")]
fn a_snapshot_that_changes_is_caught() {
    queue().check(|_| {
        Box::new(Parts {
            restore: |known, from| {
                from.read()
                    .map(|read: Option<u32>| *known = read.map(|n| n + 1))
            },
            ..careful()
        })
    });
}

#[test]
#[should_panic(
    expected = "conformance, snapshot round trip, after the change: a restored sensor in an unchanged world: the look reported:\n  4.0 `the queue is full`"
)]
fn a_snapshot_that_forgets_is_caught() {
    queue().check(|_| {
        Box::new(Parts {
            store: |_| Snapshot::of(&()).ok(),
            ..careful()
        })
    });
}

#[test]
#[should_panic(
    expected = "after it refused to restore \"of another shape\": the look reported:\n  2.0 `2 are waiting`"
)]
fn a_restore_that_fails_halfway_is_caught() {
    queue().check(|_| {
        Box::new(Parts {
            restore: |known, from| {
                *known = Some(0);
                from.read().map(|read| *known = read)
            },
            ..careful()
        })
    });
}

#[test]
#[should_panic(
    expected = "conformance, a failed look leaves no trace, after the change: after the look failed (transient): `queue length` failed on purpose"
)]
fn a_look_that_forgets_when_it_fails_is_caught() {
    queue().check(|_| {
        Box::new(Parts {
            look: |known, cx| {
                Box::pin(async move {
                    let length = match length(cx).await {
                        Ok(length) => length,
                        Err(error) => {
                            *known = None;
                            return Err(error);
                        }
                    };
                    tell(cx, known.replace(length), length);
                    Ok(())
                })
            },
            ..careful()
        })
    });
}

#[test]
#[should_panic(
    expected = "conformance, a failed look leaves no trace, in the world as it was given"
)]
fn unknown_that_is_taken_for_empty_is_caught() {
    queue().check(|_| {
        Box::new(Parts {
            look: |known, cx| {
                Box::pin(async move {
                    let looked = length(cx).await;
                    let length = *looked.as_ref().unwrap_or(&0);
                    tell(cx, known.replace(length), length);
                    looked.map(drop)
                })
            },
            ..careful()
        })
    });
}

#[test]
#[should_panic(
    expected = "conformance, cancelled at every await, after the change: after a look that was dropped at its await 1: the look was quiet"
)]
fn a_watch_that_is_emptied_before_an_await_is_caught() {
    let harness = Harness::new()
        .file("inbox/1", "")
        .answer(command(), CommandOutput::exited(0, "2"));
    let world = Conformance::new().harness(harness).change(|harness| {
        let path = harness.write("inbox/2", "");
        harness.watcher().changed(path);
    });
    world.check(|cx| {
        let watch = cx.watch(&cx.roots().work().join("inbox")).unwrap();
        Box::new(sensor_fn(watch, |watch: &mut Box<dyn Watch>, cx| {
            Box::pin(async move {
                let seen = watch.take();
                // It goes on without the command, so that no look fails.
                let _ = length(cx).await;
                if !seen.is_empty() {
                    cx.report(Event::new(1.0, format!("{} came in", seen.paths.len())));
                }
                Ok(())
            })
        }))
    });
}

#[test]
#[should_panic(
    expected = "conformance, cancelled at every await, after the change: after a look that was dropped at its await 2"
)]
fn a_state_that_changes_between_two_awaits_is_caught() {
    queue().check(|_| {
        Box::new(Parts {
            look: |known, cx| {
                Box::pin(async move {
                    let output = cx.run(&command()).await?;
                    let length = String::from_utf8_lossy(&output.stdout).parse().unwrap();
                    let before = known.replace(length);
                    cx.host()
                        .ask(&HostRequest::State)
                        .await
                        .inspect_err(|_| *known = before)?;
                    tell(cx, before, length);
                    Ok(())
                })
            },
            ..careful()
        })
    });
}
