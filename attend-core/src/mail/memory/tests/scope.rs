//! What may happen in one exploration, and how often.

use super::truth::Chair;
use crate::mail::envelope::Seq;

/// Something that may happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Action {
    Send(Kind),
    /// A reader looks; what it found stays in its hands.
    Look(usize, Way),
    Claim(usize),
    /// It writes the digest line, if it has one and `line` says so, and so many messages.
    Write {
        slot: usize,
        line: bool,
        count: usize,
    },
    Settle(usize),
    /// The reader's process dies, and another takes its place.
    Die(usize),
    /// 30 s pass.
    Lapse,
    /// The session's process dies.
    End(Chair),
    /// A session that was never here sits down.
    Sit,
    /// The session that sat there sits down again, as another process.
    Resume(Chair),
    /// The same process goes on as another session.
    Clear(Chair),
    Leave(Chair),
    Join(Chair),
    /// The room, until it is taken back.
    Mute(Chair),
    Unmute(Chair),
    /// Whoever looks for evidence asks what is awaited, and keeps the answer.
    Scan(Chair),
    /// It does not find this, and says so, maybe long after, and maybe twice.
    Miss(Chair, Seq),
    /// There is evidence in the session that this was shown to last.
    See(Chair, Seq),
}

/// What is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// To the first chair, by name.
    Named,
    /// To the room.
    Room,
    /// To both.
    NamedAndRoom,
    /// To the project.
    Project,
    /// To the project and to the room.
    ProjectAndRoom,
    /// By the first chair, to the room.
    OwnRoom,
    /// By the first chair, to itself.
    Note,
}

/// How a reader reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// What is new, as a loop or a hook does.
    New,
    /// A digest, where more than one is new.
    Digest,
    /// `inbox --unread`.
    Unread,
    /// `show` of the first message.
    Show,
}

/// How often something may still happen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Budget {
    pub(super) sends: u8,
    pub(super) lapses: u8,
    pub(super) deaths: u8,
    pub(super) ends: u8,
    pub(super) sits: u8,
    pub(super) clears: u8,
    pub(super) moves: u8,
    pub(super) mutes: u8,
    /// None means that nobody looks for evidence, and nothing is said about it.
    pub(super) misses: u8,
    pub(super) sees: u8,
}

/// A rule that the mailbox is made to break, to see that it is noticed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    None,
    /// A settlement does not ask for the epoch.
    SettleUnfenced,
    /// A settlement settles all that was granted.
    SettleAll,
    /// The mark is set when it is settled.
    MarkAtSettle,
    /// A digest has counted when it is claimed.
    ToldAtClaim,
    /// A miss does not ask which showing it means.
    MissUnguarded,
    /// A miss takes the mark away.
    MissUnmarked,
    /// However often it was shown, a miss makes it new again.
    MissForEver,
    /// A miss is the end.
    MissForgotten,
}

/// The limits of an exploration.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    pub(super) kinds: Vec<Kind>,
    /// Where each reader reads, and how.
    pub(super) readers: Vec<(Chair, Vec<Way>)>,
    pub(super) budget: Budget,
    /// Whether evidence is looked for.
    pub(super) tracked: bool,
    /// How many misses in a row there were before, in the session on the first chair.
    pub(super) missed: u32,
    pub(super) fault: Fault,
}
