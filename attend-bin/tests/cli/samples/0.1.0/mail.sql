-- A mail store of attend 0.1.0, as SQL.
PRAGMA application_id = 1635021924;
PRAGMA user_version = 1000;
PRAGMA journal_mode = WAL;
CREATE TABLE boot (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);
CREATE TABLE project (
    id INTEGER PRIMARY KEY,
    path BLOB NOT NULL UNIQUE,
    folder TEXT NOT NULL,
    folded_folder TEXT NOT NULL,
    persona TEXT NOT NULL,
    folded TEXT NOT NULL UNIQUE,
    host_root BLOB,
    gone_boot INTEGER REFERENCES boot (id), gone_up INTEGER
);
CREATE TABLE seat (
    id INTEGER PRIMARY KEY,
    project INTEGER REFERENCES project (id),
    name TEXT NOT NULL,
    folded TEXT NOT NULL,
    root BLOB,
    session TEXT,
    epoch INTEGER NOT NULL,
    pid INTEGER, started TEXT, boot TEXT, namespace INTEGER,
    run_pid INTEGER, run_started TEXT, run_boot TEXT, run_namespace INTEGER,
    last TEXT NOT NULL DEFAULT ''
);
CREATE TABLE session (
    id TEXT PRIMARY KEY,
    seat INTEGER NOT NULL REFERENCES seat (id),
    missed INTEGER NOT NULL DEFAULT 0,
    untracked INTEGER NOT NULL DEFAULT 0,
    read INTEGER
) WITHOUT ROWID;
CREATE TABLE message (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    sent_at INTEGER NOT NULL,
    boot INTEGER NOT NULL REFERENCES boot (id),
    up INTEGER NOT NULL,
    sender TEXT NOT NULL,
    kind INTEGER NOT NULL,
    seat INTEGER REFERENCES seat (id),
    session TEXT,
    addressees TEXT NOT NULL,
    re TEXT,
    space TEXT, key TEXT, asked TEXT,
    body TEXT NOT NULL
);
CREATE TABLE delivery (
    tray INTEGER NOT NULL,
    seq INTEGER NOT NULL REFERENCES message (seq),
    state INTEGER NOT NULL,
    via INTEGER NOT NULL,
    root BLOB,
    posted INTEGER NOT NULL,
    named INTEGER NOT NULL,
    attempted INTEGER NOT NULL DEFAULT 0,
    claim INTEGER,
    session TEXT,
    sessions INTEGER NOT NULL DEFAULT 0,
    shown INTEGER NOT NULL DEFAULT 0,
    shown_at INTEGER, shown_boot INTEGER,
    PRIMARY KEY (tray, seq)
) WITHOUT ROWID;
CREATE TABLE room (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    posts INTEGER NOT NULL DEFAULT 0,
    said INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE post (
    room INTEGER NOT NULL REFERENCES room (id),
    seq INTEGER NOT NULL,
    n INTEGER NOT NULL,
    multi INTEGER NOT NULL,
    PRIMARY KEY (room, seq)
) WITHOUT ROWID;
CREATE TABLE gap (
    room INTEGER NOT NULL REFERENCES room (id),
    seq INTEGER NOT NULL,
    PRIMARY KEY (room, seq)
) WITHOUT ROWID;
CREATE TABLE sweep (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    boot INTEGER NOT NULL REFERENCES boot (id),
    up INTEGER NOT NULL
);
CREATE TABLE member (
    seat INTEGER NOT NULL REFERENCES seat (id),
    room INTEGER NOT NULL REFERENCES room (id),
    since INTEGER NOT NULL,
    read INTEGER NOT NULL,
    told INTEGER NOT NULL,
    quiet INTEGER, over INTEGER,
    PRIMARY KEY (seat, room)
) WITHOUT ROWID;
CREATE TABLE mute (
    seat INTEGER NOT NULL REFERENCES seat (id),
    kind INTEGER NOT NULL,
    name TEXT NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (seat, kind, name)
) WITHOUT ROWID;
CREATE TABLE reminder (
    id TEXT PRIMARY KEY,
    seat INTEGER NOT NULL REFERENCES seat (id),
    due INTEGER NOT NULL,
    text TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE claim (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    seat INTEGER NOT NULL REFERENCES seat (id),
    pid INTEGER NOT NULL, started TEXT NOT NULL, boot TEXT NOT NULL, namespace INTEGER NOT NULL,
    at_boot TEXT NOT NULL,
    at INTEGER NOT NULL,
    upto INTEGER,
    muted TEXT NOT NULL DEFAULT ''
);
CREATE VIRTUAL TABLE words USING fts5 (
    body, content = 'message', content_rowid = 'seq',
    tokenize = 'unicode61 remove_diacritics 0', prefix = '3'
);
CREATE INDEX project_folder ON project (folded_folder);
CREATE UNIQUE INDEX seat_name ON seat (folded) WHERE project IS NOT NULL;
CREATE UNIQUE INDEX seat_person ON seat (folded) WHERE project IS NULL;
CREATE INDEX seat_project ON seat (project);
CREATE INDEX seat_process ON seat (pid) WHERE pid IS NOT NULL;
CREATE UNIQUE INDEX message_key ON message (space, key) WHERE key IS NOT NULL;
CREATE INDEX message_re ON message (re) WHERE re IS NOT NULL;
CREATE INDEX message_seat ON message (seat) WHERE seat IS NOT NULL;
CREATE INDEX message_sender ON message (lower(sender)) WHERE seat IS NULL;
CREATE INDEX delivery_new ON delivery (tray, seq, via, claim) WHERE state = 0;
CREATE INDEX delivery_again ON delivery (tray, seq) WHERE state = 0 AND shown > 0;
CREATE INDEX delivery_left ON delivery (tray, seq) WHERE state IN (1, 4);
CREATE INDEX delivery_awaited ON delivery (tray, seq) WHERE state = 2;
CREATE INDEX delivery_own ON delivery (tray, seq) WHERE state = 6;
CREATE INDEX delivery_posted ON delivery (tray, seq) WHERE posted = 1;
CREATE INDEX delivery_claim ON delivery (claim) WHERE claim IS NOT NULL;
CREATE INDEX delivery_seq ON delivery (seq);
CREATE INDEX post_multi ON post (room, seq) WHERE multi = 1;
CREATE INDEX member_room ON member (room);
CREATE INDEX member_quiet ON member (room) WHERE quiet IS NOT NULL;
CREATE INDEX reminder_due ON reminder (seat, due, id);
CREATE INDEX claim_seat ON claim (seat);
INSERT INTO boot VALUES (1, '00000000-0000-4000-8000-00000000b007');
INSERT INTO project VALUES (1, CAST('/home/dev/web/.git' AS BLOB), 'web', 'web', 'Dara', 'dara', CAST('/home/dev/config' AS BLOB), NULL, NULL);
INSERT INTO seat VALUES (1, 1, 'Dara-alpha', 'dara-alpha', CAST('/home/dev/web' AS BLOB), '00000000-0000-4000-8000-000000000001', 1, 17930, '6810095', '00000000-0000-4000-8000-00000000b007', 4026531836, 17969, '6810129', '00000000-0000-4000-8000-00000000b007', 4026531836, '1');
INSERT INTO session VALUES ('00000000-0000-4000-8000-000000000001', 1, 0, 0, NULL);
INSERT INTO message VALUES (1, 'D7FMSY', 1796122741882372591, 1, 68105325039372, 'program', 2, NULL, NULL, '["@Dara"]', NULL, NULL, NULL, NULL, 'please rebase: "x" | ümlaut 👩‍👩‍👧');
INSERT INTO message VALUES (2, '5A86MC', 1796122741898271162, 1, 68105340898552, 'Dara-alpha', 0, 1, '00000000-0000-4000-8000-000000000001', '["#deploy"]', NULL, NULL, NULL, NULL, 'the schema changed');
INSERT INTO message VALUES (3, 'XKPX3W', 1796122741906678083, 1, 68105349300323, 'Dara-alpha', 0, 1, '00000000-0000-4000-8000-000000000001', '["#open"]', NULL, NULL, NULL, NULL, 'to everybody');
INSERT INTO message VALUES (4, '177VF7', 1796122782018353785, 1, 68145461001366, 'program', 2, NULL, NULL, '["@Dara"]', NULL, NULL, NULL, NULL, 'unread as yet');
INSERT INTO delivery VALUES (1, 1, 2, 1, CAST('/home/dev/web' AS BLOB), 0, 1, 1, NULL, '00000000-0000-4000-8000-000000000001', 1, 1, 68105331396573, 1);
INSERT INTO delivery VALUES (1, 4, 0, 1, CAST('/home/dev/web' AS BLOB), 0, 1, 0, NULL, NULL, 0, 0, NULL, NULL);
INSERT INTO room VALUES (1, 'open', 1, 1);
INSERT INTO room VALUES (2, 'deploy', 1, 1);
INSERT INTO post VALUES (1, 3, 1, 0);
INSERT INTO post VALUES (2, 2, 1, 0);
INSERT INTO member VALUES (1, 1, 0, 3, 3, NULL, NULL);
INSERT INTO member VALUES (1, 2, 0, 2, 2, -1, NULL);
INSERT INTO reminder VALUES ('YVWE32', 1, 7258118400000000000, 'look at the build');
INSERT INTO words (words) VALUES ('rebuild');
