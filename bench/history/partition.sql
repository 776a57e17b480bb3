-- Commits and marks in 16 hash partitions by segment. A segment belongs to one branch, and so to one thread.
BEGIN;
LOCK TABLE palimpsest_threads, palimpsest_commits, palimpsest_marks IN ACCESS EXCLUSIVE MODE;

ALTER TABLE palimpsest_commits RENAME TO palimpsest_commits_whole;
ALTER TABLE palimpsest_marks RENAME TO palimpsest_marks_whole;

CREATE TABLE palimpsest_commits (LIKE palimpsest_commits_whole) PARTITION BY HASH (segment);
CREATE TABLE palimpsest_marks (LIKE palimpsest_marks_whole) PARTITION BY HASH (segment);
DO $$
BEGIN
  FOR part IN 0..15 LOOP
    EXECUTE format('CREATE TABLE palimpsest_commits_%s PARTITION OF palimpsest_commits FOR VALUES WITH (MODULUS 16, REMAINDER %s)', part, part);
    EXECUTE format('CREATE TABLE palimpsest_marks_%s PARTITION OF palimpsest_marks FOR VALUES WITH (MODULUS 16, REMAINDER %s)', part, part);
  END LOOP;
END $$;

INSERT INTO palimpsest_commits SELECT * FROM palimpsest_commits_whole;
INSERT INTO palimpsest_marks SELECT * FROM palimpsest_marks_whole;
DROP TABLE palimpsest_commits_whole, palimpsest_marks_whole;

ALTER TABLE palimpsest_commits ADD PRIMARY KEY (segment, sequence);
ALTER TABLE palimpsest_commits ADD FOREIGN KEY (segment) REFERENCES palimpsest_branches ON DELETE CASCADE;
CREATE INDEX palimpsest_commits_by_hash ON palimpsest_commits (thread, hash);
ALTER TABLE palimpsest_marks ADD PRIMARY KEY (segment, mark, sequence);
ALTER TABLE palimpsest_marks ADD FOREIGN KEY (segment) REFERENCES palimpsest_branches ON DELETE CASCADE;
COMMIT;
