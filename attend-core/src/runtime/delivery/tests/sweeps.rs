//! Cleaning up now and then, on the fake clock.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::mail::{Change, ProjectInfo, Projects, Sightings, Sweep};
use crate::runtime::Cleanup;
use crate::runtime::delivery::Sweeper;

/// A loop that cleans up, and a project whose session has ended and which is seen gone.
struct Sweeping {
    here: Loop,
    looks: Arc<AtomicUsize>,
}

impl Sweeping {
    fn new(cleanup: Cleanup) -> Self {
        let mut here = Loop::new();
        let sitter = Sitter::Session {
            session: "s2".to_owned(),
            process: here.around.process(3),
            place: Place::new("/web", "/web"),
        };
        let seated = block_on(here.mailbox.sit(sitter)).unwrap();
        let reader = seated.reader("s2", here.around.process(3));
        block_on(here.mailbox.change(&Change::Stand(reader))).unwrap();
        let looks = Arc::new(AtomicUsize::new(0));
        let counted = looks.clone();
        let look = move |projects: &[ProjectInfo]| {
            counted.fetch_add(1, Ordering::SeqCst);
            let gone = projects.iter();
            let gone = gone.filter(|project| project.path.ends_with("web"));
            Sightings::new(gone.map(|project| project.id).collect(), Vec::new())
        };
        here.delivery = here
            .delivery
            .sweeping(Sweeper::new(cleanup, Arc::new(look)));
        Self { here, looks }
    }

    fn looks(&self) -> usize {
        self.looks.load(Ordering::SeqCst)
    }

    fn projects(&self) -> Projects {
        block_on(self.here.mailbox.projects()).unwrap()
    }

    /// Whether the project has anything left.
    fn is_left(&self) -> bool {
        let projects = self.projects().all;
        projects.iter().any(|project| project.sessions == ["s2"])
    }

    /// Lets the look come back that is under way, and what follows from it happen.
    fn come_back(&mut self) {
        block_on(self.here.delivery.next());
        self.here.turns();
    }
}

#[test]
fn every_ten_minutes_it_is_looked_once_and_what_is_gone_goes_the_second_time() {
    let mut all = Sweeping::new(Cleanup::default());
    all.here.pass(599);
    assert_eq!((all.looks(), all.projects().swept), (0, None));
    all.here.pass(1);
    all.come_back();
    assert_eq!((all.looks(), all.is_left()), (1, true));
    all.here.pass(599);
    assert_eq!((all.looks(), all.is_left()), (1, true));
    all.here.pass(1);
    all.come_back();
    assert_eq!((all.looks(), all.is_left()), (2, false));
    assert_eq!(all.here.said, [""; 0]);
}

#[test]
fn where_another_loop_has_swept_it_waits_its_time_out() {
    let mut all = Sweeping::new(Cleanup::default());
    all.here.pass(400);
    let nothing = Sweep::new(Sightings::default(), Duration::ZERO);
    block_on(all.here.mailbox.sweep(nothing)).unwrap();
    all.here.pass(599);
    assert_eq!(all.looks(), 0);
    all.here.pass(1);
    all.come_back();
    assert_eq!(all.looks(), 1);
}

#[test]
fn it_is_not_cleaned_up_where_that_is_switched_off() {
    let off = Cleanup {
        enabled: false,
        ..Cleanup::default()
    };
    let mut all = Sweeping::new(off);
    all.here.pass(1_300);
    assert_eq!((all.looks(), all.projects().swept), (0, None));
    all.here.delivery.clean_up(Cleanup::default());
    all.here.pass(600);
    all.come_back();
    assert_eq!(all.looks(), 1);
}
