/** The contract of a history, clause by clause, on every store. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { it } from "node:test";
import { openHistory, TOOL_SUMMARIZE_SYSTEM, type Commit, type History, type HistoryOptions, type ToolQuery } from "../src/history/index.ts";
import { text, use } from "./support/build.ts";
import { agentRun, GREP_OUTPUT, outline } from "./support/history/agent-run.ts";
import type { Message } from "../src/messages/message.ts";
import { onEveryStore } from "./support/history/every-store.ts";
import { result } from "./support/threads/speak.ts";

type Asked = Parameters<NonNullable<HistoryOptions["summarizer"]>>[0];

/** Says which summary it is, and keeps what it was asked. It has no name, and so is asked every time. */
function countingSummarizer(): { summarizer: NonNullable<HistoryOptions["summarizer"]>; asked: Asked[] } {
  const asked: Asked[] = [];
  const count = (): NonNullable<HistoryOptions["summarizer"]> => (input) => {
    asked.push(input);
    return Promise.resolve(`summary ${asked.length}`);
  };
  return { asked, summarizer: count() };
}

const hashes = (commits: readonly Commit[]): string[] => commits.map(({ hash }) => hash);

onEveryStore("a history", (open) => {
  const start = async (options: Partial<HistoryOptions> = {}): Promise<History> => openHistory({ store: await open(), ...options });

  it("keeps the times of messages that were said earlier, and calls with as much of the branch as there was then", async () => {
    const history = await start();
    const said: Message[] = [
      { role: "user", content: "q" },
      { role: "assistant", content: [use("c1", "grep"), use("c2", "grep")] },
      { role: "user", content: [result("c1", "1"), result("c2", "2")] },
      { role: "assistant", content: "a" },
    ];
    await history.append(said, { times: [1_000, 3_000, 2_000, 4_000] });
    const times = (await history.log()).map(({ time }) => time);
    assert.deepEqual(times, [1_000, 3_000, 2_000, 2_000, 4_000]);
    assert.ok((await history.verify()).ok);
    await history.record({ model: "m", upTo: 1, atMs: 1_000 });
    await history.record({ model: "m", upTo: 3, atMs: 2_000 });
    await history.record({ model: "m" });
    const { hash } = (await history.log())[2] ?? {};
    await history.branch("early", { at: hash ?? "" });
    await history.switch("early");
    assert.deepEqual(
      (await history.steps()).map(({ upTo }) => upTo),
      [1],
    );
    for (const wrong of [[1], [1, 2, 3, Number.NaN], "1234"])
      await assert.rejects(history.append(said, { times: wrong as number[] }), { code: "INVALID_OPTION" });
  });

  it("gives commits with what is known of them", async () => {
    const history = await start();
    const { question, grep, grepResult, both } = await agentRun(history);
    assert.deepEqual([question.parent, question.kind, question.role, question.author], [null, "append", "user", "user"]);
    assert.deepEqual([grep.parent, grep.role, grep.metadata], [question.hash, "assistant", { toolCalls: [{ id: "c1", name: "grep" }] }]);
    assert.deepEqual([grepResult.role, grepResult.name, grepResult.metadata], ["tool", "grep", { name: "grep", toolCallId: "c1" }]);
    assert.deepEqual(both.metadata.toolCalls, [
      { id: "c2", name: "read_file" },
      { id: "c3", name: "ls" },
    ]);
    assert.ok(grepResult.tokens > 500 && question.time <= Date.now());
    const marked = await history.user("Go on.", { author: "ada", reason: "impatience" });
    assert.deepEqual([marked.author, marked.reason], ["ada", "impatience"]);
    assert.deepEqual(await history.getCommit(marked), marked);
  });

  it("a loop over the log finds the results of a tool by their metadata, edited ones too", async () => {
    const history = await start();
    await agentRun(history);
    for (const entry of await history.log()) {
      const { metadata } = await history.getCommit(entry.hash);
      if (metadata["name"] === "grep" && metadata.toolCallId !== undefined) await history.toolResult(metadata.toolCallId, "grep", "lean", { edit: entry.hash });
    }
    const [result] = await history.findToolResults({ name: "grep" });
    assert.equal(await history.getContent(result?.hash ?? ""), "lean");
    assert.equal(result?.metadata.name, "grep");
  });

  it("edits a result in place: role, call and name stay, and so does the original", async () => {
    const history = await start();
    const { grepResult } = await agentRun(history);
    const edited = await history.toolResult("c1", "grep", "config.py:42: DATABASE_URL=...", { edit: grepResult.hash });
    assert.deepEqual([edited.kind, edited.role, edited.name, edited.metadata.toolCallId, edited.edits], ["edit", "tool", "grep", "c1", grepResult.hash]);
    assert.equal(outline(await history.view())[2], "user: c1=config.py:42: DATABASE_URL=...");
    assert.equal(await history.getContent(edited), "config.py:42: DATABASE_URL=...");
    assert.equal(await history.getContent(grepResult), GREP_OUTPUT);
    assert.ok(hashes(await history.log()).includes(grepResult.hash));
  });

  it("edits the same result where an edit is edited", async () => {
    const history = await start();
    const { grepResult } = await agentRun(history);
    const first = await history.toolResult("c1", "grep", "short", { edit: grepResult });
    const second = await history.toolResult("c1", "grep", "shorter", { edit: first });
    assert.equal(second.edits, grepResult.hash);
    assert.equal(outline(await history.view())[2], "user: c1=shorter");
    const undo = await history.undo(second);
    assert.equal(outline(await history.view())[2], "user: c1=short");
    const [, edit] = await history.edits();
    assert.deepEqual([undo.edits, await history.getEdit(undo), await history.getContent(undo)], [second.hash, edit, ""]);
    assert.deepEqual([edit?.undoneAt, (await history.getEdit(second))?.undoneAt, await history.getEdit(grepResult)], [10, undefined, undefined]);
    await history.undo(first);
    assert.match(outline(await history.view())[2] ?? "", /\d{4} characters/);
    assert.equal(await history.getContent(grepResult), GREP_OUTPUT);
  });

  it("shows an edit that is made again as the newest", async () => {
    const history = await start();
    const { grepResult } = await agentRun(history);
    const show = (content: string): Promise<Commit> => history.toolResult("c1", "grep", content, { edit: grepResult });
    const first = await show("x");
    assert.deepEqual(await show("x"), first, "made twice, it is one commit");
    await history.undo(first);
    await show("y");
    const again = await show("x");
    assert.notEqual(again.hash, first.hash);
    assert.equal(outline(await history.view())[2], "user: c1=x");
    assert.deepEqual(hashes(await history.findToolResults({ name: "grep" })).slice(0, 1), [again.hash]);
    await assert.rejects(history.undo(first), { code: "INVALID_INPUT" });
    await history.undo(again);
    assert.equal(outline(await history.view())[2], "user: c1=y");
  });

  it("joins the results of one round, and of one round only", async () => {
    const history = await start();
    await agentRun(history);
    assert.deepEqual(outline(await history.messages()), [
      "user: Where is the database configured?",
      "assistant: grep(c1)",
      "user: c1=3339 characters",
      "assistant: read_file(c2), ls(c3)",
      "user: c2=host = db.example\nport = 5432, c3=config.py\nmain.py",
      "assistant: In config.py.",
      "user: And who reads it?",
      "assistant: grep(c4)",
      "user: c4=main.py:1: import config",
      "assistant: main.py does.",
    ]);
    assert.deepEqual(await history.view(), await history.messages());
  });

  it("joins no result to another round, nor to what the user said beside one", async () => {
    const history = await start();
    await history.assistant([use("late", "read")]);
    await history.user("Never mind.");
    await history.assistant([use("a", "read"), use("b", "read")]);
    await history.toolResult("a", "read", "1");
    await history.toolResult("late", "read", "0");
    assert.deepEqual(outline(await history.messages()).slice(-2), ["user: a=1", "user: late=0"]);
    await history.append([
      { role: "assistant", content: [use("c", "read"), use("d", "read")] },
      { role: "user", content: [result("c", "3"), text("and this")] },
    ]);
    await history.toolResult("d", "read", "4");
    assert.deepEqual(outline(await history.messages()).slice(-2), ["user: c=3, and this", "user: d=4"]);
  });

  it("compresses a run of whole rounds to one user message, with what comes later kept", async () => {
    const { summarizer, asked } = countingSummarizer();
    const history = await start({ summarizer });
    const { grep, listResult } = await agentRun(history);
    const { edits, summaries, tokensBefore, tokensAfter } = await history.compress({ from: grep.hash, to: listResult.hash, instructions: "keep the port" });
    assert.deepEqual([edits.length, summaries], [1, ["summary 1"]]);
    assert.ok(tokensBefore > 500 && tokensAfter < 10);
    assert.deepEqual([asked[0]?.system, asked[0]?.instructions], [TOOL_SUMMARIZE_SYSTEM, "keep the port"]);
    assert.match(asked[0]?.text ?? "", /result 1 grep\nsrc\/config-0\.py/, "text from tools is marked");
    assert.deepEqual(outline(await history.view()).slice(0, 4), [
      "user: Where is the database configured?",
      "user: summary 1",
      "assistant: In config.py.",
      "user: And who reads it?",
    ]);
    assert.equal((await history.view()).length, 7);
  });

  it("gives every run its own summary and its share of the target", async () => {
    const { summarizer, asked } = countingSummarizer();
    const history = await start({ summarizer });
    await agentRun(history);
    const turns = await history.findToolTurns({ name: "grep" });
    const { summaries } = await history.compress({ commits: turns.flatMap((turn) => turn.allHashes), targetTokens: 100, systemPrompt: "Be brief." });
    assert.deepEqual(summaries, ["summary 1", "summary 2"]);
    const shares = asked.map(({ targetTokens }) => targetTokens ?? 0);
    assert.ok((shares[0] ?? 0) > 90 && (shares[1] ?? 0) >= 1 && (shares[0] ?? 0) + (shares[1] ?? 0) <= 100, JSON.stringify(shares));
    assert.equal(asked[0]?.system, "Be brief.");
    assert.deepEqual(
      outline(await history.view()).filter((line) => line.includes("summary")),
      ["user: summary 1", "user: summary 2"],
    );
  });

  it("compresses a lone result in its place", async () => {
    const { summarizer, asked } = countingSummarizer();
    const history = await start({ summarizer });
    const { readResult } = await agentRun(history);
    const { edits } = await history.compress({ commits: [readResult.hash] });
    assert.deepEqual([edits[0]?.kind, asked[0]?.text], ["replace-result", "host = db.example\nport = 5432"]);
    assert.equal(outline(await history.view())[4], "user: c2=summary 1, c3=config.py\nmain.py");
  });

  for (const [what, pick] of [
    ["its call", (run: Awaited<ReturnType<typeof agentRun>>) => [run.both]],
    ["its call and one result", (run: Awaited<ReturnType<typeof agentRun>>) => [run.both, run.readResult]],
    ["its results", (run: Awaited<ReturnType<typeof agentRun>>) => [run.readResult, run.listResult]],
    ["a result and what follows", (run: Awaited<ReturnType<typeof agentRun>>) => [run.listResult, run.answer]],
  ] as const) {
    it(`takes in the whole round where ${what} is given`, async () => {
      const { summarizer, asked } = countingSummarizer();
      const history = await start({ summarizer });
      const run = await agentRun(history);
      const { edits } = await history.compress({ commits: pick(run) });
      assert.equal(edits.length, 1);
      assert.match(asked[0]?.text ?? "", /call 1 read_file[^]*5432[^]*main\.py/);
      const view = outline(await history.view());
      assert.ok(!view.some((line) => line.includes("c2") || line.includes("c3")), view.join("\n"));
      assert.ok(view.includes("user: summary 1") && view.some((line) => line.includes("c1")) && view.some((line) => line.includes("c4")));
    });
  }

  it("leaves a round that waits for a result, but for the results that are there and asked for", async () => {
    const { summarizer } = countingSummarizer();
    const history = await start({ summarizer });
    const question = await history.user("q");
    const call = await history.assistant([use("a", "read"), use("b", "read")]);
    const first = await history.toolResult("a", "read", "1");
    await history.compress({ from: question });
    assert.deepEqual(outline(await history.view()), ["user: summary 1", "assistant: read(a), read(b)", "user: a=summary 2"]);
    await history.toolResult("b", "read", "2");
    assert.deepEqual((await history.compress({ commits: [call, first] })).edits.length, 1);
    assert.deepEqual(outline(await history.view()), ["user: summary 1", "user: summary 3"]);
  });

  it("ends a run where something is preserved", async () => {
    const { summarizer } = countingSummarizer();
    const history = await start({ summarizer });
    const { grep, answer, lastAnswer } = await agentRun(history);
    const { summaries } = await history.compress({ from: grep, to: lastAnswer, preserve: [answer.hash] });
    assert.deepEqual(summaries, ["summary 1", "summary 2"]);
    assert.deepEqual(outline(await history.view()), [
      "user: Where is the database configured?",
      "user: summary 1",
      "assistant: In config.py.",
      "user: summary 2",
    ]);
  });

  it("keeps the round of a result that is preserved", async () => {
    const { summarizer } = countingSummarizer();
    const history = await start({ summarizer });
    const { grep, readResult, answer } = await agentRun(history);
    await history.compress({ from: grep, to: answer, preserve: [readResult] });
    assert.deepEqual(outline(await history.view()).slice(0, 5), [
      "user: Where is the database configured?",
      "user: summary 1",
      "assistant: read_file(c2), ls(c3)",
      "user: c2=host = db.example\nport = 5432, c3=summary 2",
      "user: summary 3",
    ]);
  });

  it("shows a summary that is given, and takes errors in then", async () => {
    const { summarizer, asked } = countingSummarizer();
    const history = await start({ summarizer });
    await history.user("q");
    await history.assistant([use("e1", "bash")]);
    const failed = await history.toolResult("e1", "bash", "permission denied", { isError: true });
    assert.equal(failed.metadata.isError, true);
    const { summaries, edits } = await history.compressToolCalls();
    assert.deepEqual([summaries, edits, asked], [[], [], []], "errors are never summarized");
    assert.deepEqual((await history.compress({ commits: [failed] })).edits, []);
    await history.compress({ from: failed, to: failed, content: "It may not." });
    assert.equal(outline(await history.view()).at(-1), "user: error e1=It may not.");
  });

  it("compresses tool calls, without the final answer, and leaves a round alone that waits for a result", async () => {
    const { summarizer, asked } = countingSummarizer();
    const history = await start({ summarizer });
    const run = await agentRun(history);
    await history.user("More.");
    await history.assistant([use("c5", "grep")]);
    await history.compressToolCalls([run.grepAgain.hash, run.grepAgainResult.hash, run.lastAnswer.hash], { targetTokens: 50 });
    assert.equal(asked[0]?.targetTokens, 50);
    assert.deepEqual(outline(await history.view()).slice(-4), ["user: summary 1", "assistant: main.py does.", "user: More.", "assistant: grep(c5)"]);
    await history.compressToolCalls(undefined, { name: "read_file", instructions: "the port" });
    assert.equal(asked.at(-1)?.instructions, "the port");
    const view = outline(await history.view());
    assert.ok(!view.some((line) => line.includes("c2")) && view.some((line) => line.includes("c1")) && view.at(-1) === "assistant: grep(c5)");
  });

  it("compressToolCalls lengthens nothing; what names its commits is done as asked", async () => {
    const long = "a summary that is longer than all that it stands for, ".repeat(20);
    const history = await start({
      summarizer: (
        () => () =>
          Promise.resolve(long)
      )(),
    });
    await history.user("q");
    await history.assistant([use("c1", "grep")]);
    await history.toolResult("c1", "grep", "src/config.ts:42");
    const before = JSON.stringify(await history.view());
    assert.deepEqual((await history.compressToolCalls()).edits, []);
    assert.equal(JSON.stringify(await history.view()), before);
    assert.equal((await history.compress({ commits: hashes(await history.findToolCalls()) })).edits.length, 1);
  });

  it("compressToolCalls again: not over what is shown shorter by now", async () => {
    const history = await start({ summarizer: ({ instructions }) => Promise.resolve(instructions ?? "as short") });
    await history.user("q");
    await history.assistant([use("c1", "grep")]);
    await history.toolResult("c1", "grep", "a line of output\n".repeat(50));
    await history.assistant("done");
    assert.equal((await history.compressToolCalls()).edits.length, 1);
    assert.equal((await history.compressToolCalls()).edits.length, 0);
    assert.equal((await history.compressToolCalls(undefined, { instructions: "this is longer than what is shown by now" })).edits.length, 0);
    assert.equal((await history.compressToolCalls(undefined, { instructions: "x" })).edits.length, 1);
  });

  it("compressToolCalls ends a run where a range is in force, instead of crossing it", async () => {
    const { summarizer, asked } = countingSummarizer();
    const history = await start({ summarizer });
    await history.user("q");
    for (let round = 1; round <= 6; round++) {
      await history.assistant([use(`c${round}`, "bash")]);
      // The error parts the runs, and the range lies over it.
      await history.toolResult(`c${round}`, "bash", `output ${round}\n`.repeat(60), { isError: round === 2 });
    }
    const commits = await history.log({ kinds: ["append"] });
    const range = await history.compress({ from: hashes(commits)[3] ?? "", to: hashes(commits)[8] ?? "", content: "Rounds 2 to 4." });
    assert.equal(range.edits.length, 1);
    assert.equal((await history.compressToolCalls()).edits.length, 2);
    assert.deepEqual(outline(await history.view()), ["user: q", "user: summary 1", "user: Rounds 2 to 4.", "user: summary 2"]);
    assert.equal(asked.length, 2, "what is not shown is not summarized");
  });

  it("leaves what a summarizer fails for as it is, and says so", async () => {
    const history = await start({ summarizer: () => Promise.reject(new Error("overloaded")) });
    const { grepResult } = await agentRun(history);
    const before = await history.view();
    const errors: unknown[] = [];
    await history.on("error", ({ error, commits }) => errors.push([String(error), commits]));
    const { edits, failed } = await history.compress({ commits: [grepResult] });
    assert.deepEqual([edits, failed.length], [[], 1]);
    assert.deepEqual(errors, [["Error: overloaded", [grepResult.hash]]]);
    assert.deepEqual(await history.view(), before);
  });

  it("finds results, calls and turns by tool and place", async () => {
    const history = await start();
    const run = await agentRun(history);
    assert.deepEqual(hashes(await history.findToolResults()), hashes([run.grepResult, run.readResult, run.listResult, run.grepAgainResult]));
    assert.deepEqual(hashes(await history.findToolResults({ name: "grep" })), hashes([run.grepResult, run.grepAgainResult]));
    assert.deepEqual(
      hashes(await history.findToolResults({ after: run.grepResult, before: run.grepAgainResult.hash })),
      hashes([run.readResult, run.listResult]),
    );
    assert.deepEqual(await history.findToolResults({ name: "gr" }), []);
    assert.deepEqual(hashes(await history.findToolCalls()), hashes([run.grep, run.both, run.grepAgain]));
    assert.deepEqual(hashes(await history.findToolCalls({ name: "ls" })), [run.both.hash]);
    assert.deepEqual(await history.findToolTurns({ name: "ls" }), [
      {
        call: run.both,
        results: [run.readResult, run.listResult],
        toolNames: ["read_file", "ls"],
        allHashes: hashes([run.both, run.readResult, run.listResult]),
        resultHashes: hashes([run.readResult, run.listResult]),
        totalTokens: run.both.tokens + run.readResult.tokens + run.listResult.tokens,
      },
    ]);
    assert.equal((await history.findToolTurns()).length, 3);
  });

  it("finds the current version of each result once, those inside a range too", async () => {
    const history = await start({ summarizer: countingSummarizer().summarizer });
    const { grepResult, grep, listResult, readResult } = await agentRun(history);
    const first = await history.toolResult("c1", "grep", "short", { edit: grepResult });
    const second = await history.toolResult("c1", "grep", "shorter", { edit: grepResult });
    await history.compress({ from: grep, to: listResult });
    const found = await history.findToolResults({ before: readResult });
    assert.deepEqual(hashes(found), [second.hash]);
    assert.deepEqual(hashes(await history.findToolResults({ after: found[0] as Commit, before: listResult })), [readResult.hash]);
    assert.deepEqual(hashes((await history.findToolTurns({ name: "grep" })).flatMap((turn) => turn.results)).slice(0, 1), [second.hash]);
    await history.undo(second.hash);
    assert.deepEqual(hashes(await history.findToolResults({ before: readResult })), [first.hash]);
    await history.undo(first.hash);
    assert.deepEqual(hashes(await history.findToolResults({ before: readResult })), [grepResult.hash]);
  });

  it("searches everything that was ever said, compacted or not", async () => {
    const history = await start();
    const { grepResult, question, both } = await agentRun(history);
    const edited = await history.toolResult("c1", "grep", "nothing of interest", { edit: grepResult });
    assert.deepEqual(hashes(await history.findToolResults({ text: "database_url config-7.py" })), [edited.hash], "by its original");
    assert.deepEqual(hashes(await history.findToolResults({ text: "interest" })), [edited.hash], "by its edit");
    assert.deepEqual(hashes(await history.findToolResults({ text: "data*" })), [edited.hash]);
    assert.deepEqual(await history.findToolResults({ text: "datab" }), []);
    assert.deepEqual(hashes(await history.findToolCalls({ text: "config" })), [both.hash, ...hashes(await history.findToolCalls({ text: "import" }))]);
    assert.deepEqual(hashes(await history.log({ text: "Database", kinds: ["append"] })).slice(0, 1), [question.hash]);
  });

  it("finds turns by what is in the call or in a result, and by the size of all of it", async () => {
    const history = await start();
    const { grep, grepResult, both } = await agentRun(history);
    const turns = async (query: ToolQuery): Promise<string[]> => (await history.findToolTurns(query)).map(({ call }) => call.hash);
    const edited = await history.toolResult("c1", "grep", "nothing of interest", { edit: grepResult });
    assert.deepEqual(await turns({ text: "config-7.py" }), [grep.hash], "by the original of a result");
    assert.deepEqual(await turns({ text: "interest" }), [grep.hash], "by its edit");
    assert.ok((await turns({ text: "config" })).includes(both.hash), "by the call");
    assert.deepEqual(await turns({ text: "interest", name: "ls" }), []);
    assert.deepEqual(await turns({ minTokens: 500 }), [], "it is short now");
    await history.undo(edited);
    assert.deepEqual(await turns({ minTokens: 500 }), [grep.hash]);
  });

  it("finds large results and errors", async () => {
    const history = await start();
    const { grepResult } = await agentRun(history);
    assert.deepEqual(hashes(await history.findToolResults({ minTokens: 500 })), [grepResult.hash]);
    const edited = await history.toolResult("c1", "grep", "short", { edit: grepResult });
    assert.deepEqual(await history.findToolResults({ minTokens: 500 }), [], "it is short now");
    assert.ok(hashes(await history.findToolResults({ minTokens: 1 })).includes(edited.hash));
    const call = await history.assistant([use("e1", "bash"), use("e2", "bash")]);
    const failed = await history.toolResult("e1", "bash", "no such file", { isError: true });
    await history.toolResult("e2", "bash", "fine");
    assert.deepEqual(hashes(await history.findToolResults({ errorsOnly: true })), [failed.hash]);
    assert.deepEqual(hashes(await history.findToolCalls({ errorsOnly: true })), [call.hash]);
  });

  it("pairs calls with results where ids repeat", async () => {
    const history = await start();
    const rounds: [Commit, Commit][] = [];
    for (const answer of ["one", "two"]) rounds.push([await history.assistant([use("c", "read")]), await history.toolResult("c", "read", answer)]);
    const turns = await history.findToolTurns();
    assert.deepEqual(
      turns.map((turn) => turn.allHashes),
      rounds.map(hashes),
    );
    await history.toolResult("c", "read", "1", { edit: rounds[0]?.[1] as Commit });
    assert.deepEqual(outline(await history.view()), ["assistant: read(c)", "user: c=1", "assistant: read(c)", "user: c=two"]);
  });

  it("reads long threads page by page, and finds the same in them with few queries and with many", async () => {
    const store = await open();
    const history = await openHistory({ store });
    const rounds = Array.from({ length: 450 }, (_, round): Message[] => [
      { role: "assistant", content: [use(`r${round % 400}`, round % 10 === 0 ? "grep" : "read")] },
      { role: "user", content: [result(`r${round % 400}`, `found ${round}`)] },
      { role: "user", content: `next ${round}` },
    ]);
    await history.append(rounds.flat());
    const reader = await openHistory({ store, thread: history.thread });
    assert.equal(JSON.stringify(await reader.messages()), JSON.stringify(rounds.flat()));
    const [edited, undone] = await reader.findToolResults({ name: "grep" });
    await reader.toolResult("r0", "grep", "edited", { edit: edited as Commit });
    await reader.undo(await reader.toolResult("r10", "grep", "undone", { edit: undone as Commit }));
    const all = await reader.findToolTurns();
    assert.equal(all.length, 450);
    const greps = await reader.findToolTurns({ name: "grep" });
    assert.deepEqual(
      greps,
      all.filter(({ toolNames }) => toolNames.includes("grep")),
    );
    assert.deepEqual(
      await reader.findToolResults(),
      all.flatMap(({ results }) => results),
    );
    assert.deepEqual([greps[0]?.results[0]?.kind, greps[1]?.results[0]?.kind], ["edit", "append"]);
  });

  it("lists commits, oldest first, by kind, place and number", async () => {
    const history = await start();
    const run = await agentRun(history);
    const edit = await history.toolResult("c1", "grep", "short", { edit: run.grepResult });
    const all = await history.log();
    assert.deepEqual(hashes(all), hashes([...Object.values(run), edit]));
    assert.deepEqual(hashes(await history.log({ kinds: ["edit"] })), [edit.hash]);
    assert.equal((await history.log({ kinds: ["edit", "append"] })).length, all.length);
    assert.deepEqual(await history.log({ kinds: [] }), []);
    assert.deepEqual(hashes(await history.log({ limit: 2 })), hashes(all.slice(0, 2)));
    assert.deepEqual(hashes(await history.log({ after: run.grep, limit: 2 })), hashes(all.slice(2, 4)));
    assert.deepEqual(hashes(await history.log({ before: edit, limit: 2 })), hashes(all.slice(-3, -1)));
    assert.deepEqual(hashes(await history.log({ after: run.grep, before: run.answer })), hashes(all.slice(2, 6)));
  });

  it("shows what was shown at any commit", async () => {
    const history = await start({ summarizer: countingSummarizer().summarizer });
    const { grepResult, grep, listResult } = await agentRun(history);
    const views = new Map<string, unknown>([[(await history.log()).at(-1)?.hash ?? "", await history.view()]]);
    const steps = [
      () => history.toolResult("c1", "grep", "short", { edit: grepResult }),
      () => history.compress({ from: grep, to: listResult }),
      async () => history.undo((await history.edits())[1]?.id ?? ""),
      () => history.user("Thanks."),
    ];
    for (const step of steps) {
      await step();
      views.set((await history.log()).at(-1)?.hash ?? "", await history.view());
    }
    assert.equal(views.size, 5);
    for (const [at, view] of views) assert.deepEqual(await history.view({ at }), view);
  });

  it("tells two states apart", async () => {
    const history = await start();
    const { grepResult, lastAnswer, answer } = await agentRun(history);
    const edit = await history.toolResult("c1", "grep", "short", { edit: grepResult });
    const diff = await history.diff(lastAnswer, edit);
    assert.deepEqual([diff.base, diff.removed, hashes(diff.added)], [lastAnswer.hash, [], [edit.hash]]);
    assert.deepEqual(
      diff.hunks.map(({ removed, added }) => [outline(removed), outline(added)]),
      [[["user: c1=3339 characters"], ["user: c1=short"]]],
    );
    assert.ok(diff.tokensAfter < diff.tokensBefore);
    const longer = await history.diff(answer, lastAnswer);
    assert.deepEqual([longer.hunks.length, longer.hunks[0]?.removed, longer.hunks[0]?.added.length], [1, [], 4]);
    assert.deepEqual((await history.diff(edit, edit)).hunks, []);
  });

  it("branches: each goes on by itself", async () => {
    const history = await start();
    const { answer, lastAnswer } = await agentRun(history);
    const info = await history.branch("other", { at: answer });
    assert.deepEqual([info.name, info.hash, info.length], ["other", answer.hash, 7]);
    await history.switch("other");
    assert.equal(history.currentBranch, "other");
    const said = await history.user("Something else.");
    assert.equal(said.parent, answer.hash);
    assert.equal((await history.view()).length, 7);
    assert.deepEqual(await history.getCommit(lastAnswer.hash), lastAnswer, "of any branch");
    assert.equal((await history.view({ at: lastAnswer })).length, 10);
    assert.deepEqual([(await history.diff(lastAnswer, said)).removed.length, (await history.diff(lastAnswer, said)).base], [4, answer.hash]);
    await assert.rejects(history.log({ after: lastAnswer }), { code: "COMMIT_UNKNOWN" });
    await history.switch("main");
    assert.equal((await history.view()).length, 10);
    assert.deepEqual(
      (await history.branches()).map(({ name }) => name),
      ["main", "other"],
    );
    await assert.rejects(history.branch("other"), { code: "INVALID_INPUT" });
    await assert.rejects(history.switch("none"), { code: "INVALID_INPUT" });
    assert.deepEqual(await history.verify(), { ok: true, commits: 12, faults: [] });
  });

  it("gives messages back as they were, whatever is in them", async () => {
    const history = await start();
    const messages = [
      { role: "user" as const, content: "q" },
      { role: "assistant" as const, content: [use("a", "read", { z: 1, a: 2 }), use("b", "bash")] },
      { content: [result("a", [text("x")]), result("b", "failed", { is_error: true }), text("and now this")], role: "user" as const, extra: { kept: true } },
      { role: "system" as const, content: "Be brief." },
      { role: "user" as const, content: [text("before"), result("nobody"), text("between"), text("two"), result("b")] },
    ];
    const commits = await history.append(messages);
    assert.equal(JSON.stringify(await history.messages()), JSON.stringify(messages));
    assert.deepEqual(
      commits.map(({ role, name }) => (name === undefined ? role : `${role} ${name}`)),
      ["user", "assistant", "tool read", "tool bash", "user", "user", "user", "tool", "user", "tool"],
    );
    assert.equal(commits[3]?.metadata.isError, true);
  });

  it("takes edits from a policy once, and the first for a target", async () => {
    const store = await open();
    const thread = randomUUID();
    const [mine, other] = [await openHistory({ store, thread }), await openHistory({ store, thread })];
    await agentRun(mine);
    const made = await mine.toolResult("c1", "grep", "mine", { edit: (await mine.findToolResults())[0] as Commit });
    const [edit] = await mine.edits();
    assert.deepEqual(await other.commitEdits([edit].filter((one) => one !== undefined)), [], "it is there by its id");
    const elsewhere = await openHistory({ store: "memory" });
    await agentRun(elsewhere);
    await elsewhere.toolResult("c1", "grep", "theirs", { edit: (await elsewhere.findToolResults())[0] as Commit });
    await elsewhere.toolResult("c4", "grep", "also theirs", { edit: (await elsewhere.findToolResults())[3] as Commit });
    const theirs = await elsewhere.edits();
    const committed = await other.commitEdits(theirs);
    assert.deepEqual([committed.length, committed[0]?.metadata.toolCallId], [1, "c4"], "the first commit for a target wins");
    assert.equal(committed[0]?.author, theirs[1]?.pass);
    assert.deepEqual(
      outline(await mine.view())
        .filter((line) => /c1|c4=/.test(line))
        .slice(1),
      ["user: c1=mine", "user: c4=also theirs"],
    );
    assert.deepEqual(await mine.commitEdits(await other.edits()), []);
    await other.undo(made);
    assert.deepEqual(await mine.commitEdits(theirs.slice(1)), []);
    assert.deepEqual(await mine.commitEdits([edit].filter((one) => one !== undefined)), [], "what was undone is not made again");
    await elsewhere.undo(theirs[1]?.id ?? "");
    assert.deepEqual(
      (await mine.commitEdits(await elsewhere.edits())).map(({ kind, edits }) => [kind, edits]).slice(-1),
      [["edit", committed[0]?.hash]],
      "undone there, undone here",
    );
  });

  it("records the calls of the model", async () => {
    const history = await start();
    await assert.rejects(history.record({ model: "claude" }), { code: "EMPTY_THREAD" });
    await history.user("q");
    const usage = { input_tokens: 12, cache_read_input_tokens: 3 };
    await history.record({ model: "claude-opus-5-5", usage, headHash: "h", atMs: 1_000 });
    await history.assistant("a");
    const second = await history.record({ model: "claude-opus-5-5" });
    assert.deepEqual(await history.steps(), [{ upTo: 1, model: "claude-opus-5-5", headHash: "h", atMs: 1_000, usage }, second]);
    assert.deepEqual([second.upTo, second.headHash, second.atMs <= Date.now()], [2, "", true]);
  });

  it("exports all of a thread and imports it with the same hashes", async () => {
    const history = await start();
    const { answer, grepResult } = await agentRun(history);
    await history.toolResult("c1", "grep", "short", { edit: grepResult });
    await history.record({ model: "m" });
    await history.branch("other", { at: answer });
    await history.switch("other");
    await history.user("Something else.");
    await history.record({ model: "m" });
    const jsonl = await history.export();
    const copy = await start();
    assert.equal(await copy.import(jsonl), 13);
    const headless = (text: string): string => text.slice(text.indexOf("\n"));
    assert.equal(headless(await copy.export()), headless(jsonl));
    for (const branch of ["main", "other"]) {
      await copy.switch(branch);
      await history.switch(branch);
      assert.deepEqual([await copy.log(), await copy.view(), await copy.steps()], [await history.log(), await history.view(), await history.steps()]);
      assert.deepEqual(hashes(await copy.findToolResults({ text: "database" })), hashes(await history.findToolResults({ text: "database" })));
    }
    assert.equal((await copy.verify()).ok, true);
    await assert.rejects(copy.import(jsonl), { code: "INVALID_INPUT" }, "only into an empty thread");
  });

  it("deletes only what it is told to delete", async () => {
    const store = await open({ isEmpty: true });
    const old = await openHistory({ store, thread: "old" });
    const kept = await openHistory({ store, thread: "kept" });
    await agentRun(old);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const border = Date.now();
    await agentRun(kept);
    assert.deepEqual(await kept.retain({ olderThan: new Date(0) }), []);
    assert.deepEqual(await kept.retain({ olderThan: border }), ["old"]);
    assert.deepEqual([await old.log(), await old.view(), (await kept.log()).length], [[], [], 11]);
    const again = await old.user("Again.");
    assert.deepEqual([again.parent, outline(await old.view())], [null, ["user: Again."]]);
    await kept.forget("old");
    assert.deepEqual(await old.view(), []);
    await assert.rejects(kept.forget("old"), { code: "THREAD_UNKNOWN", data: { thread: "old" } });
  });

  it("is seen by every other history of the thread", async () => {
    const store = await open();
    const thread = randomUUID();
    const [a, b] = [await openHistory({ store, thread }), await openHistory({ store, thread })];
    await agentRun(a);
    assert.deepEqual(await b.view(), await a.view());
    await b.user("From b.");
    await a.user("From a.");
    assert.deepEqual(outline(await b.view()).slice(-2), ["user: From b.", "user: From a."]);
    assert.deepEqual(await a.log(), await b.log());
  });
});
