/** What was damaged in the database file: said, and never passed off as whole. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { openHistory } from "../src/history/index.ts";

const DAMAGES: Readonly<Record<string, string>> = {
  "bytes that cannot be unpacked": "UPDATE palimpsest_contents SET packed = X'01ffffff' WHERE number = 2",
  "a content that is gone": "DELETE FROM palimpsest_contents WHERE number = 2",
  "a content that is another one's": "UPDATE palimpsest_contents SET packed = (SELECT packed FROM palimpsest_contents WHERE number = 1) WHERE number = 2",
};

describe("a damaged file", () => {
  for (const [name, sql] of Object.entries(DAMAGES))
    it(`${name}: verify names the commit, and nothing is exported`, async () => {
      const folder = await mkdtemp(join(tmpdir(), "palimpsest-damage-"));
      try {
        const path = join(folder, "a.db");
        const written = await openHistory({ store: `sqlite:${path}`, thread: "t" });
        await written.user("first");
        const second = await written.user("second");
        await written.close();
        const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
        database.exec(sql);
        database.close();
        const history = await openHistory({ store: `sqlite:${path}`, thread: "t" });
        const { ok, faults } = await history.verify();
        assert.equal(ok, false);
        assert.ok(faults.every(({ hash, sequence }) => hash === second.hash && sequence === 1) && faults.length > 0, JSON.stringify(faults));
        if (!name.includes("another")) await assert.rejects(history.export(), { code: "STORE_FAILED" });
        await history.close();
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
});
