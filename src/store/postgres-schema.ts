/** The nth of these migrates version n-1 to version n. Never change a released one. What SQL cannot compute is in `postgres-seals.ts`. */
export const POSTGRES_MIGRATIONS: readonly string[] = [
  `
  -- Whoever writes to a thread locks its row first.
  -- "time" has no index: every append would have to change that too, and only "retain" would use it.
  CREATE TABLE palimpsest_threads (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    commits bigint NOT NULL DEFAULT 0,
    time double precision NOT NULL DEFAULT 0
  );

  -- A branch and its own segment have the same number. It begins at "start", behind what the branch shares with its parent.
  CREATE TABLE palimpsest_branches (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    thread bigint NOT NULL REFERENCES palimpsest_threads ON DELETE CASCADE,
    name text COLLATE "C" NOT NULL,
    parent bigint,
    start bigint NOT NULL,
    length bigint NOT NULL,
    head text COLLATE "C",
    token uuid NOT NULL,
    UNIQUE (thread, name)
  );

  -- The segments that a branch shares with the one it left, the oldest first.
  CREATE TABLE palimpsest_shared (
    branch bigint NOT NULL REFERENCES palimpsest_branches ON DELETE CASCADE,
    position bigint NOT NULL,
    segment bigint NOT NULL,
    start bigint NOT NULL,
    stop bigint NOT NULL,
    last_step bigint NOT NULL,
    PRIMARY KEY (branch, position)
  );

  -- "commits" says how many have it: to change it locks the row, so that no content goes while a commit is added that has it.
  CREATE TABLE palimpsest_contents (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hash text COLLATE "C" NOT NULL UNIQUE,
    commits bigint NOT NULL,
    packed bytea NOT NULL
  );
  -- What is long is compressed already.
  ALTER TABLE palimpsest_contents ALTER COLUMN packed SET STORAGE EXTERNAL;

  CREATE TABLE palimpsest_commits (
    segment bigint NOT NULL REFERENCES palimpsest_branches ON DELETE CASCADE,
    sequence bigint NOT NULL,
    thread bigint NOT NULL,
    hash text COLLATE "C" NOT NULL,
    kind text NOT NULL,
    role text NOT NULL,
    is_error boolean NOT NULL,
    tokens double precision NOT NULL,
    content bigint NOT NULL,
    record text NOT NULL,
    PRIMARY KEY (segment, sequence)
  );
  CREATE INDEX palimpsest_commits_by_hash ON palimpsest_commits (thread, hash);

  CREATE TABLE palimpsest_marks (
    segment bigint NOT NULL REFERENCES palimpsest_branches ON DELETE CASCADE,
    mark bytea NOT NULL,
    sequence bigint NOT NULL,
    PRIMARY KEY (segment, mark, sequence)
  );

  -- All words of a content, each between blanks: see search-words.ts.
  CREATE TABLE palimpsest_words (
    content bigint PRIMARY KEY REFERENCES palimpsest_contents ON DELETE CASCADE,
    words text COLLATE "C" NOT NULL
  );

  CREATE TABLE palimpsest_steps (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    segment bigint NOT NULL REFERENCES palimpsest_branches ON DELETE CASCADE,
    length bigint NOT NULL,
    packed bytea NOT NULL,
    token uuid NOT NULL
  );
  ALTER TABLE palimpsest_steps ALTER COLUMN packed SET STORAGE EXTERNAL;
  CREATE INDEX palimpsest_steps_by_segment ON palimpsest_steps (segment, number);

  CREATE TABLE palimpsest_memos (
    key bytea PRIMARY KEY,
    packed bytea NOT NULL
  );
  ALTER TABLE palimpsest_memos ALTER COLUMN packed SET STORAGE EXTERNAL;
  `,
  `
  -- What no hash of a commit covers has one of its own: see seals.ts.
  ALTER TABLE palimpsest_branches ADD COLUMN origin text NOT NULL DEFAULT '';
  ALTER TABLE palimpsest_branches ADD COLUMN steps_hash text NOT NULL DEFAULT '';
  ALTER TABLE palimpsest_branches ADD COLUMN seal text NOT NULL DEFAULT '';
  ALTER TABLE palimpsest_memos ADD COLUMN seal text NOT NULL DEFAULT '';
  `,
  `
  -- By the thread's id: a thread with notes alone has no row of its own. "seal" covers the other columns: see seals.ts.
  CREATE TABLE palimpsest_notes (
    thread text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    at double precision NOT NULL,
    packed bytea NOT NULL,
    seal bytea NOT NULL,
    PRIMARY KEY (thread, kind, key)
  );
  ALTER TABLE palimpsest_notes ALTER COLUMN packed SET STORAGE EXTERNAL;
  CREATE INDEX palimpsest_notes_by_key ON palimpsest_notes (kind, key);
  CREATE INDEX palimpsest_notes_by_time ON palimpsest_notes (kind, at, thread, key);
  `,
];

/** From this version on, branches and memos have seals. */
export const SEALED_FROM = 2;
