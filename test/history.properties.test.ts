/** Histories of random transcripts, and whatever is done to them. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openHistory } from "../src/history/index.ts";
import { openStore } from "../src/store/open-store.ts";
import { deeds, HistoryRun } from "./support/history/history-run.ts";
import { anyTranscript, checkAsyncProperty, deepFreeze, validTranscript } from "./support/transcripts.ts";

describe("a history, with random transcripts and deeds", () => {
  it("is valid for the provider, the same for all who read it, exact in undo and in time travel", async () => {
    await checkAsyncProperty("deeds", [validTranscript({ maxExchanges: 3 }), deeds], async (transcript, list) => {
      const run = await HistoryRun.begin(await openStore("memory"), deepFreeze(transcript));
      for (const deed of list) await run.do(deed);
      for (const [at, view] of run.views) assert.equal(JSON.stringify(await run.history.view({ at })), view, "what was shown then");
      assert.equal((await run.history.verify()).ok, true);
    });
  });

  it("adds no fault to a log that has some, and is exported and imported with the same hashes and bytes", async () => {
    await checkAsyncProperty("faults", [anyTranscript({ maxExchanges: 2 }), deeds], async (transcript, list) => {
      const run = await HistoryRun.begin(await openStore("memory"), transcript);
      for (const deed of list) await run.do(deed);
      const { history } = run;
      const copy = await openHistory({ store: "memory", thread: history.thread });
      const jsonl = await history.export();
      await copy.import(jsonl);
      assert.equal(await copy.export(), jsonl);
      assert.equal(JSON.stringify(await copy.view()), JSON.stringify(await history.view()));
      assert.equal((await copy.verify()).ok, true);
    });
  });
});
