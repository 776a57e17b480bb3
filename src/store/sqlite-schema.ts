/** The nth of these migrates version n-1 to version n. Never change a released one. What SQL cannot compute is in `sqlite-seals.ts`. */
export const SQLITE_MIGRATIONS: readonly string[] = [
  `
  -- "time" has no index: every append would have to change that too, and only "retain" would use it.
  CREATE TABLE palimpsest_threads (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    commits INTEGER NOT NULL DEFAULT 0,
    time REAL NOT NULL DEFAULT 0
  );

  -- A branch and its own segment have the same number. It begins at "start", behind what the branch shares with its parent.
  CREATE TABLE palimpsest_branches (
    number INTEGER PRIMARY KEY,
    thread INTEGER NOT NULL REFERENCES palimpsest_threads ON DELETE CASCADE,
    name TEXT NOT NULL,
    parent INTEGER,
    start INTEGER NOT NULL,
    length INTEGER NOT NULL,
    head TEXT,
    UNIQUE (thread, name)
  );

  -- The segments that a branch shares with the one it left, the oldest first.
  CREATE TABLE palimpsest_shared (
    branch INTEGER NOT NULL REFERENCES palimpsest_branches ON DELETE CASCADE,
    position INTEGER NOT NULL,
    segment INTEGER NOT NULL,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    last_step INTEGER NOT NULL,
    PRIMARY KEY (branch, position)
  ) WITHOUT ROWID;

  CREATE TABLE palimpsest_contents (
    number INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    packed BLOB NOT NULL
  );

  CREATE TABLE palimpsest_commits (
    segment INTEGER NOT NULL REFERENCES palimpsest_branches ON DELETE CASCADE,
    sequence INTEGER NOT NULL,
    thread INTEGER NOT NULL,
    hash TEXT NOT NULL,
    kind TEXT NOT NULL,
    role TEXT NOT NULL,
    is_error INTEGER NOT NULL,
    tokens REAL NOT NULL,
    content INTEGER NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (segment, sequence)
  ) WITHOUT ROWID;
  CREATE INDEX palimpsest_commits_by_hash ON palimpsest_commits (thread, hash);
  CREATE INDEX palimpsest_commits_by_content ON palimpsest_commits (content);

  CREATE TABLE palimpsest_marks (
    segment INTEGER NOT NULL REFERENCES palimpsest_branches ON DELETE CASCADE,
    mark BLOB NOT NULL,
    sequence INTEGER NOT NULL,
    PRIMARY KEY (segment, mark, sequence)
  ) WITHOUT ROWID;

  -- All words of a content, each between blanks: see search-words.ts.
  CREATE TABLE palimpsest_words (
    content INTEGER PRIMARY KEY REFERENCES palimpsest_contents ON DELETE CASCADE,
    words TEXT NOT NULL
  );

  CREATE TABLE palimpsest_steps (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    segment INTEGER NOT NULL REFERENCES palimpsest_branches ON DELETE CASCADE,
    length INTEGER NOT NULL,
    packed BLOB NOT NULL
  );
  CREATE INDEX palimpsest_steps_by_segment ON palimpsest_steps (segment, number);

  CREATE TABLE palimpsest_memos (
    key BLOB PRIMARY KEY,
    packed BLOB NOT NULL
  );
  `,
  `
  -- What no hash of a commit covers has one of its own: see seals.ts.
  ALTER TABLE palimpsest_branches ADD COLUMN origin TEXT NOT NULL DEFAULT '';
  ALTER TABLE palimpsest_branches ADD COLUMN steps_hash TEXT NOT NULL DEFAULT '';
  ALTER TABLE palimpsest_branches ADD COLUMN seal TEXT NOT NULL DEFAULT '';
  ALTER TABLE palimpsest_memos ADD COLUMN seal TEXT NOT NULL DEFAULT '';
  `,
  `
  -- By the thread's id: a thread with notes alone has no row of its own. "seal" covers the other columns: see seals.ts.
  CREATE TABLE palimpsest_notes (
    thread TEXT NOT NULL,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    at REAL NOT NULL,
    packed BLOB NOT NULL,
    seal BLOB NOT NULL,
    PRIMARY KEY (thread, kind, key)
  ) WITHOUT ROWID;
  CREATE INDEX palimpsest_notes_by_key ON palimpsest_notes (kind, key);
  CREATE INDEX palimpsest_notes_by_time ON palimpsest_notes (kind, at, thread, key);
  `,
];

/** From this version on, branches and memos have seals. */
export const SEALED_FROM = 2;
