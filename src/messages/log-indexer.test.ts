import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { assistant, res, use, user } from "../../test/support/build.ts";
import { anyTranscript, checkProperty } from "../../test/support/transcripts.ts";
import { indexLog } from "./index-log.ts";
import { LogIndexer } from "./log-indexer.ts";
import type { Message } from "./message.ts";

const lengths = fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 6 });

describe("an index that grows with its log", () => {
  it("is the one that the whole log has, whether the log grows or shrinks", () => {
    checkProperty("the same index", [anyTranscript(), lengths], (log, cuts) => {
      const indexer = new LogIndexer();
      for (const cut of [...cuts, log.length]) assert.deepEqual(indexer.indexOf(log.slice(0, cut)), indexLog(log.slice(0, cut)));
    });
  });

  it("is the one of another log, where a message is another object", () => {
    checkProperty("the same index of another log", [anyTranscript(), anyTranscript(), fc.nat({ max: 10 })], (log, other, shared) => {
      const indexer = new LogIndexer();
      indexer.indexOf(log);
      const changed = [...log.slice(0, shared), ...other];
      assert.deepEqual(indexer.indexOf(changed), indexLog(changed));
    });
  });

  it("has nothing of what was refused", () => {
    const call: Message = assistant(use("a", "bash"));
    const answer = res("a", "ok");
    const result: Message = user(answer);
    const faulty: Message = user(answer, { type: "text" });
    const indexer = new LogIndexer();
    indexer.indexOf([call]);
    assert.throws(() => indexer.indexOf([call, faulty]), { code: "INVALID_INPUT" });
    assert.deepEqual(indexer.indexOf([call, result]), indexLog([call, result]));
  });
});
