/** What is refused, with its code, and without a trace in the store. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openHistory, type History } from "../src/history/index.ts";
import { openStore } from "../src/store/open-store.ts";
import type { Store, StoredCommit } from "../src/store/store.ts";
import { use } from "./support/build.ts";
import { agentRun, type AgentRun } from "./support/history/agent-run.ts";
import { result } from "./support/threads/speak.ts";

type Attempt = (history: History, run: AgentRun) => Promise<unknown>;

const NOWHERE = "f".repeat(64);
/** What no type allows. */
const bad = (value: unknown): never => value as never;

const attempts: Readonly<Record<string, { attempt: Attempt; code: string }>> = {
  "a commit that is not there": { attempt: (history) => history.getCommit(NOWHERE), code: "COMMIT_UNKNOWN" },
  "a content that is not there": { attempt: (history) => history.getContent(NOWHERE), code: "COMMIT_UNKNOWN" },
  "a commit by the beginning of its hash": { attempt: (history, { grep }) => history.getCommit(grep.hash.slice(0, 12)), code: "COMMIT_UNKNOWN" },
  "a commit by a number": { attempt: (history) => history.getCommit(bad(7)), code: "INVALID_INPUT" },
  "a view at nothing": { attempt: (history) => history.view({ at: NOWHERE }), code: "COMMIT_UNKNOWN" },
  "a view for an unknown target": { attempt: (history) => history.view({ target: bad({ modle: "x" }) }), code: "INVALID_OPTION" },
  "a diff with nothing": { attempt: (history, { grep }) => history.diff(grep, NOWHERE), code: "COMMIT_UNKNOWN" },
  "a log after nothing": { attempt: (history) => history.log({ after: NOWHERE }), code: "COMMIT_UNKNOWN" },
  "a log of an unknown kind": { attempt: (history) => history.log({ kinds: bad(["merge"]) }), code: "INVALID_OPTION" },
  "results before nothing": { attempt: (history) => history.findToolResults({ before: NOWHERE }), code: "COMMIT_UNKNOWN" },
  "a query with a slip": { attempt: (history) => history.findToolResults(bad({ nmae: "grep" })), code: "INVALID_OPTION" },
  "an empty search": { attempt: (history) => history.findToolResults({ text: " " }), code: "INVALID_OPTION" },
  "a search without a word": { attempt: (history) => history.findToolTurns({ text: "=> !" }), code: "INVALID_OPTION" },
  "a log without a word": { attempt: (history) => history.log({ text: "*" }), code: "INVALID_OPTION" },
  "a result without a call": { attempt: (history) => history.toolResult("c9", "grep", "x"), code: "CALL_UNKNOWN" },
  "a result for an inherited name": { attempt: (history) => history.toolResult("toString", "grep", "x"), code: "CALL_UNKNOWN" },
  "a second result": { attempt: (history) => history.toolResult("c1", "grep", "x"), code: "INVALID_INPUT" },
  "a result of another tool": {
    attempt: async (history) => {
      await history.append([{ role: "assistant", content: [use("c5", "grep")] }]);
      return history.toolResult("c5", "ls", "x");
    },
    code: "INVALID_INPUT",
  },
  "a result that is no content": { attempt: (history) => history.toolResult("c1", "grep", bad(7)), code: "INVALID_INPUT" },
  "an edit of a question": { attempt: (history, { question }) => history.toolResult("c1", "grep", "x", { edit: question }), code: "NOT_A_TOOL_RESULT" },
  "an edit of a call": { attempt: (history, { grep }) => history.toolResult("c1", "grep", "x", { edit: grep.hash }), code: "NOT_A_TOOL_RESULT" },
  "an edit of a summary": {
    attempt: async (history, { grep }) => {
      await history.compress({ commits: [grep], content: "s" });
      const [edit] = await history.log({ kinds: ["edit"] });
      return history.toolResult("c1", "grep", "x", { edit: edit?.hash ?? "" });
    },
    code: "NOT_A_TOOL_RESULT",
  },
  "an edit of nothing": { attempt: (history) => history.toolResult("c1", "grep", "x", { edit: NOWHERE }), code: "COMMIT_UNKNOWN" },
  "an edit of another call's result": {
    attempt: (history, { readResult }) => history.toolResult("c1", "grep", "x", { edit: readResult }),
    code: "INVALID_INPUT",
  },
  "an edit under another name": { attempt: (history, { grepResult }) => history.toolResult("c1", "ls", "x", { edit: grepResult }), code: "INVALID_INPUT" },
  "an edit that makes an error of it": {
    attempt: (history, { grepResult }) => history.toolResult("c1", "grep", "x", { edit: grepResult, isError: true }),
    code: "INVALID_OPTION",
  },
  "an edit with what no result may hold": {
    attempt: (history, { grepResult }) => history.toolResult("c1", "grep", [use("x")], { edit: grepResult }),
    code: "INVALID_INPUT",
  },
  "an empty list to compress": { attempt: (history) => history.compress({ commits: [] }), code: "COMMITS_EMPTY" },
  "an empty list of tool calls": { attempt: (history) => history.compressToolCalls([]), code: "COMMITS_EMPTY" },
  "tool calls of no tool": { attempt: (history) => history.compressToolCalls(undefined, { name: "curl" }), code: "COMMITS_EMPTY" },
  "a commit to compress that is not there": { attempt: (history) => history.compress({ commits: [NOWHERE] }), code: "COMMIT_UNKNOWN" },
  "nothing said of what to compress": { attempt: (history) => history.compress({}), code: "INVALID_OPTION" },
  "commits and a range": { attempt: (history, { grep }) => history.compress({ commits: [grep], from: grep }), code: "INVALID_OPTION" },
  "a range that is reversed": { attempt: (history, { grep, question }) => history.compress({ from: grep, to: question }), code: "RANGE_REVERSED" },
  "something preserved outside": {
    attempt: (history, { grep, grepResult, answer }) => history.compress({ from: grep, to: grepResult, preserve: [answer] }),
    code: "PRESERVE_OUTSIDE",
  },
  "something preserved that is not there": {
    attempt: (history, { grep }) => history.compress({ commits: [grep], preserve: [NOWHERE] }),
    code: "COMMIT_UNKNOWN",
  },
  "one summary for two runs": { attempt: (history, { grep, next }) => history.compress({ commits: [grep, next], content: "s" }), code: "INVALID_OPTION" },
  "a blank summary": { attempt: (history, { grep }) => history.compress({ commits: [grep], content: " " }), code: "INVALID_OPTION" },
  "a target of nothing": { attempt: (history, { grep }) => history.compress({ commits: [grep], targetTokens: 0 }), code: "INVALID_OPTION" },
  "a range that crosses another": {
    attempt: async (history, { grep, answer, both, next }) => {
      await history.compress({ from: grep, to: answer, content: "one" });
      return history.compress({ from: both, to: next, content: "two" });
    },
    code: "OVERLAPPING_RANGES",
  },
  "an undo of nothing": { attempt: (history) => history.undo("0123456789abcdef"), code: "COMMIT_UNKNOWN" },
  "an undo of a question": { attempt: (history, { question }) => history.undo(question), code: "INVALID_INPUT" },
  "an undo of what is undone": {
    attempt: async (history, { grepResult }) => {
      const edit = await history.toolResult("c1", "grep", "x", { edit: grepResult });
      await history.undo(edit);
      return history.undo(edit);
    },
    code: "INVALID_INPUT",
  },
  "a user who says nothing": { attempt: (history) => history.user(" \n"), code: "INVALID_INPUT" },
  "a user without a block": { attempt: (history) => history.user([]), code: "INVALID_INPUT" },
  "a user with a tool result": { attempt: (history) => history.user([result("c1")]), code: "INVALID_INPUT" },
  "a user with a number": { attempt: (history) => history.user(bad(7)), code: "INVALID_INPUT" },
  "an assistant that is a user": { attempt: (history) => history.assistant(bad({ role: "user", content: "x" })), code: "INVALID_INPUT" },
  "an assistant that is null": { attempt: (history) => history.assistant(bad(null)), code: "INVALID_INPUT" },
  "messages that are none": { attempt: (history) => history.append(bad([{ role: "user", content: "fine" }, { role: "robot" }])), code: "INVALID_INPUT" },
  "messages that are no JSON": { attempt: (history) => history.append([{ role: "assistant", content: [use("x", "y", { n: 1n })] }]), code: "INVALID_INPUT" },
  "an edit with another id": {
    attempt: async (history, { grepResult }) => {
      await history.toolResult("c1", "grep", "x", { edit: grepResult });
      const [edit] = await history.edits();
      return history.commitEdits(bad([{ ...edit, content: "another" }]));
    },
    code: "INVALID_INPUT",
  },
  "edits that are none": { attempt: (history) => history.commitEdits(bad([7])), code: "INVALID_INPUT" },
  "a step without a model": { attempt: (history) => history.record(bad({})), code: "INVALID_OPTION" },
  "a step beyond the log": { attempt: (history) => history.record({ model: "m", upTo: 99 }), code: "INVALID_OPTION" },
  "a branch without a name": { attempt: (history) => history.branch(""), code: "INVALID_INPUT" },
  "a branch at nothing": { attempt: (history) => history.branch("x", { at: NOWHERE }), code: "COMMIT_UNKNOWN" },
  "an import of prose": { attempt: (history) => history.import("Dear history,"), code: "INVALID_INPUT" },
  "a thread that is not there": { attempt: (history) => history.forget("../../etc/passwd'; DROP TABLE commits; --"), code: "THREAD_UNKNOWN" },
  "a time that is none": { attempt: (history) => history.retain({ olderThan: bad("tomorrow") }), code: "INVALID_OPTION" },
  "no time": { attempt: (history) => history.retain(bad({})), code: "INVALID_OPTION" },
  "an unknown event": {
    attempt: (history) =>
      history.on(
        bad("commit"),
        bad(() => undefined),
      ),
    code: "INVALID_OPTION",
  },
  "a listener that is none": { attempt: (history) => history.on("edit", bad("x")), code: "INVALID_OPTION" },
  "instructions that are none": { attempt: (history) => history.configureToolSummarization(bad({ grep: 7 })), code: "INVALID_OPTION" },
  "a threshold that is none": { attempt: (history) => history.configureToolSummarization({ autoThreshold: -1 }), code: "INVALID_OPTION" },
};

describe("a history refuses", () => {
  for (const [what, { attempt, code }] of Object.entries(attempts)) {
    it(`${what}: ${code}`, async () => {
      const { store, appends } = countingAppends(await openStore("memory"));
      const history = await openHistory({ store });
      const run = await agentRun(history);
      let before = appends();
      // Where something has to be there first, its commits come before the one that is refused.
      const watched: History = new Proxy(history, {
        get: (target, key) => {
          const member: unknown = Reflect.get(target, key, target);
          before = appends();
          return typeof member === "function" ? (member.bind(target) as unknown) : member;
        },
      });
      await assert.rejects(attempt(watched, run), { name: "PalimpsestError", code });
      assert.equal(appends(), before, "something was written");
      assert.equal((await history.verify()).ok, true);
    });
  }

  for (const options of [
    {},
    { store: "mysql://x" },
    { store: 7 },
    { store: "memory", thread: "" },
    { store: "memory", hookTimeoutMs: 0 },
    { store: "memory", sumarizer: 1 },
  ]) {
    it(`to open with ${JSON.stringify(options)}`, async () => {
      await assert.rejects(openHistory(bad(options)), { code: "INVALID_OPTION" });
    });
  }

  it("to say anything of a thread that has not begun", async () => {
    const history = await openHistory({ store: "memory", thread: "typo" });
    for (const attempt of [history.verify(), history.export(), history.branch("x"), history.switch("x")])
      await assert.rejects(attempt, { code: "THREAD_UNKNOWN", data: { thread: "typo" } });
    assert.deepEqual([await history.log(), await history.view(), await history.branches()], [[], [], []]);
  });
});

describe("names", () => {
  const tricks = ["'; DROP TABLE commits; --", "../../etc/passwd", 'a"b', "a\u0000b", "\ud800", "%", "__proto__", "*", "naïve ☃"];
  for (const address of ["memory", "sqlite::memory:"]) {
    it(`are nothing but names, in ${address}`, async () => {
      const store = await openStore(address);
      for (const trick of tricks) {
        const history = await openHistory({ store, thread: trick });
        await history.assistant([use(trick, trick)]);
        const commit = await history.toolResult(trick, trick, trick);
        await history.branch(trick);
        await history.switch(trick);
        await history.user(trick, { author: trick, reason: trick });
        assert.deepEqual(await history.findToolResults({ name: trick }), [commit]);
        assert.deepEqual(await history.findToolResults({ name: `${trick}x` }), []);
        assert.deepEqual(await history.verify(), { ok: true, commits: 3, faults: [] });
      }
      assert.equal((await store.threads()).length, tricks.length);
      await store.close();
    });
  }
});

describe("an unknown hash", () => {
  it("is answered with those near to it", async () => {
    const history = await openHistory({ store: "memory" });
    const { grep, grepResult } = await agentRun(history);
    const slip = `${grep.hash.slice(0, -1)}x`;
    const near = (error: unknown): boolean => (error as { data: { near: string[] } }).data.near.includes(grep.hash);
    await assert.rejects(history.getCommit(slip), near);
    await assert.rejects(history.compress({ commits: [slip] }), near);
    await assert.rejects(history.toolResult("c1", "grep", "x", { edit: slip }), near);
    await assert.rejects(history.getCommit(NOWHERE.replaceAll("f", "z")), { data: { hash: NOWHERE.replaceAll("f", "z"), near: [] } });
    assert.equal((await history.getCommit(grepResult.hash)).hash, grepResult.hash);
  });
});

describe("verify", () => {
  type Change = (commit: StoredCommit) => StoredCommit;
  const damages: Readonly<Record<string, { change: Change; fault: RegExp }>> = {
    "another author": { change: (commit) => ({ ...commit, author: "mallory" }), fault: /hash is not that of its fields/ },
    "another parent": { change: (commit) => ({ ...commit, parent: NOWHERE }), fault: /parent is not the commit before/ },
    "another content": { change: (commit) => ({ ...commit, contentHash: NOWHERE }), fault: /content is missing/ },
    "another hash": { change: (commit) => ({ ...commit, hash: NOWHERE }), fault: /hash is not that of its fields/ },
  };
  for (const [what, { change, fault }] of Object.entries(damages)) {
    it(`finds ${what}`, async () => {
      const store = await openStore("memory");
      const history = await openHistory({ store, thread: "t" });
      await agentRun(history);
      const damaged: Store = {
        ...store,
        commits: async (ref, query) => (await store.commits(ref, query)).map((commit) => (commit.sequence === 3 ? change(commit) : commit)),
      };
      const { ok, faults } = await (await openHistory({ store: damaged, thread: "t" })).verify();
      assert.equal(ok, false);
      assert.ok(
        faults.some((found) => found.sequence === 3 && fault.test(found.fault)),
        JSON.stringify(faults),
      );
    });
  }

  it("finds contents that were changed, and lost commits", async () => {
    const store = await openStore("memory");
    const history = await openHistory({ store, thread: "t" });
    await agentRun(history);
    const forged: Store = {
      ...store,
      contents: async (hashes) => new Map([...(await store.contents(hashes))].map(([hash, text]) => [hash, text.replace("5432", "5433")] as const)),
    };
    const faults = (await (await openHistory({ store: forged, thread: "t" })).verify()).faults;
    assert.deepEqual(
      faults.map(({ sequence, fault }) => [sequence, fault]),
      [[4, "its content does not match its hash"]],
    );
    const lost: Store = { ...store, commits: async (ref, query) => (await store.commits(ref, query)).filter(({ sequence }) => sequence !== 10) };
    assert.match((await (await openHistory({ store: lost, thread: "t" })).verify()).faults[0]?.fault ?? "", /claims 11 commits, but 10 are there/);
  });

  it("and import refuse what was changed in a file", async () => {
    const history = await openHistory({ store: "memory" });
    await agentRun(history);
    const jsonl = await history.export();
    for (const [from, to] of [
      ["5432", "5433"],
      ['"author":"user"', '"author":"ada"'],
      ['"version":1', '"version":2'],
      ["palimpsest-history", "other"],
      ['"branch":"main"', '"from":"main"'],
    ] as const) {
      const copy = await openHistory({ store: "memory" });
      await assert.rejects(copy.import(jsonl.replace(from, to)), { name: "PalimpsestError" }, to);
      assert.deepEqual(await copy.branches(), []);
    }
  });
});

function countingAppends(inner: Store): { store: Store; appends: () => number } {
  let appends = 0;
  const store: Store = {
    ...inner,
    append: (ref, expected, added, notes) => {
      appends += 1;
      return inner.append(ref, expected, added, notes);
    },
  };
  return { store, appends: () => appends };
}
