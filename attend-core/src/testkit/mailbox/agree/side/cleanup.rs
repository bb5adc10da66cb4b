//! A sweep, and what it must leave as it was.

use std::time::Duration;

use futures::executor::block_on;

use super::super::op::Op;
use super::{Side, place, told};
use crate::mail::{Change, MailboxExt as _, ProjectId, Query, Sightings, Sweep};

impl Side {
    pub(in crate::testkit::mailbox::agree) fn sweep(&self, op: &Op) -> String {
        let Op::Sweep {
            gone,
            there,
            apart,
            most,
            all,
            dry,
        } = op
        else {
            return String::new();
        };
        let Ok(projects) = block_on(self.mailbox.projects()) else {
            return String::new();
        };
        let chosen = |bits: &u64| -> Vec<ProjectId> {
            let is_chosen =
                |path| (0..3).any(|n| bits >> n & 1 == 1 && place(n + 1).project == path);
            let chosen = projects.all.iter();
            let chosen = chosen.filter(|project| is_chosen(project.path.clone()));
            chosen.map(|project| project.id).collect()
        };
        let gone = chosen(gone);
        let sweep = Sweep::new(
            Sightings::new(gone.clone(), chosen(there)),
            Duration::from_secs(*apart),
        );
        let sweep = sweep.most(*most).all(*all).dry(*dry);
        let spared = if *dry { Vec::new() } else { gone };
        let before = self.unread_but(&spared);
        let answer = self.change(&Change::Sweep(sweep));
        if *dry || !*all {
            assert_eq!(before, self.unread_but(&spared), "{op:?}");
        }
        format!("{answer} {}", self.read(&Query::Projects))
    }

    /// What is unread and new at every seat but those of some projects.
    fn unread_but(&self, projects: &[ProjectId]) -> Vec<String> {
        let of = self.sats.iter().filter(|sat| {
            let project = sat.seated.project;
            project.is_none_or(|project| !projects.contains(&project))
        });
        let stands = of.map(|sat| {
            let reader = sat.seated.reader(sat.session.clone(), sat.process.clone());
            let unread = self.read(&Query::Unread(sat.seated.seat));
            let (all, many) = (self.look(&reader, 1_000), self.look(&reader, 1));
            let shown = self.read(&Query::LastShown(sat.seated.seat));
            format!("{unread} {} {} {shown}", told(all), told(many))
        });
        stands.collect()
    }
}
