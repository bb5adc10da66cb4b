//! One operation, in terms that mean the same to every mailbox.

/// An operation. Indexes count what came before, modulo how much there is.
#[derive(Clone, Debug)]
pub(super) enum Op {
    Sit {
        session: u64,
        slot: usize,
        place: usize,
    },
    Person {
        user: usize,
        slot: usize,
    },
    Stand(usize),
    /// By its own process, or that of a slot.
    Register {
        sat: usize,
        slot: Option<usize>,
    },
    End(usize),
    Reboot,
    Pass(u64),
    Step(i64),
    Send {
        from: From,
        to: Vec<To>,
        key: Option<u64>,
        body: u64,
        re: Option<usize>,
    },
    Claim {
        sat: usize,
        slot: usize,
        what: What,
    },
    Settle {
        claim: usize,
        by: Option<usize>,
        most: usize,
        counted: bool,
        tracked: bool,
    },
    Seen(usize),
    /// Of what is awaited somewhere, from a seat on, the first `seen` are seen, and the others missed, as they were shown
    /// `late` times ago.
    Missed {
        sat: usize,
        seen: usize,
        late: u32,
        read: Option<u64>,
    },
    /// So many times all that is new is shown, and then missed.
    Lost {
        sat: usize,
        times: usize,
    },
    Remind {
        sat: usize,
        seconds: i64,
        body: usize,
    },
    Cancel {
        sat: usize,
        id: usize,
    },
    Due(usize),
    Looked(usize),
    Join {
        sat: usize,
        room: usize,
    },
    Leave {
        sat: usize,
        room: usize,
    },
    Ledger {
        sat: usize,
        limit: usize,
        skip: usize,
        before: Option<usize>,
        room: Option<usize>,
        from: Option<usize>,
        word: Option<usize>,
    },
    Message {
        sat: usize,
        id: usize,
    },
    Session(u64),
    Letters(usize),
    Mute {
        sat: usize,
        what: usize,
        seconds: Option<u64>,
    },
    Unmute {
        sat: usize,
        what: Option<usize>,
    },
    Lists,
    Sweep {
        /// One bit for each project.
        gone: u64,
        there: u64,
        apart: u64,
        most: usize,
        all: bool,
        dry: bool,
    },
}

#[derive(Clone, Debug)]
pub(super) enum From {
    Sat(usize),
    Session(u64, usize),
    Program,
}

#[derive(Clone, Debug)]
pub(super) enum To {
    Seat(usize),
    Persona(usize),
    Folder(usize),
    User(usize),
    Place(usize),
    Room(usize),
}

#[derive(Clone, Debug)]
pub(super) enum What {
    /// What is new, all but so many of the oldest.
    New(usize),
    Digest {
        above: usize,
    },
    Unread(usize),
    Show(usize),
}
