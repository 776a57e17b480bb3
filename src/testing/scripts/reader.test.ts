import assert from "node:assert/strict";
import { describe, it } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { createThread, type ThreadOptions } from "../../agent/index.ts";
import { reader, readerKey, readerPage, type ReaderOptions, type SeenRequest } from "../index.ts";
import { startDouble } from "../../../test/support/agents/start-double.ts";

type Message = Anthropic.MessageParam;
type View = (messages: readonly Message[]) => readonly Message[];

const PAGES = 5;
const FINAL = `FINAL: ${Array.from({ length: PAGES }, (_, index) => readerKey(index + 1)).join(", ")}`;
const UNKNOWN = `FINAL: ${Array.from({ length: PAGES }, () => "unknown").join(", ")}`;

const handleOf = (id: string): string => id.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Results of pages, but for the newest message, are cut; with a handle if they can be recalled. */
const cut =
  (hasHandle: boolean): View =>
  (messages) =>
    messages.map((message, position) => {
      if (position === messages.length - 1 || message.role !== "user" || typeof message.content === "string") return message;
      const content = message.content.map((block) => {
        if (block.type !== "tool_result" || JSON.stringify(block.content).length < 1000) return block;
        return { ...block, content: hasHandle ? `[cut] [recall handle: ${handleOf(block.tool_use_id)}]` : "[cut]" };
      });
      return { ...message, content };
    });

/** An agent as simple as can be: sends its view, runs what is called, stops at an answer without calls. */
async function run(view: View, hasRecall: boolean, options: ReaderOptions = {}, failEvery = 0): Promise<{ final: string; calls: string[]; rejected: number }> {
  const double = await startDouble({ script: reader({ pages: PAGES, ...options }), windowTokens: 1_000_000 });
  const client = new Anthropic({ apiKey: "key", baseURL: double.url });
  const names = ["read_page", "open_vault", ...(hasRecall ? ["recall"] : [])];
  const tools: Anthropic.Tool[] = names.map((name) => ({ name, input_schema: { type: "object" } }));
  const messages: Message[] = [{ role: "user", content: "Open all vaults." }];
  const results = new Map<string, string>();
  const calls: string[] = [];
  for (let round = 0; round < 50; round += 1) {
    if (failEvery > 0 && round % failEvery === 0) double.failNext(529);
    const { content } = await client.messages.create({ model: "claude-opus-5", max_tokens: 100, tools, messages: [...view(messages)] });
    messages.push({ role: "assistant", content });
    const [call] = content.filter((block) => block.type === "tool_use");
    if (call === undefined)
      return { final: content.map((block) => (block.type === "text" ? block.text : "")).join(""), calls, rejected: double.rejected.length };
    calls.push(call.name);
    const input = call.input as Record<string, unknown>;
    const found = results.get(String(input["handle"]))?.split("\n") ?? [];
    const answer =
      call.name === "read_page"
        ? readerPage(Number(input["page"]))
        : call.name === "recall"
          ? found.filter((line) => line.includes(String(input["grep"]))).join("\n")
          : "opened";
    results.set(handleOf(call.id), answer);
    messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content: answer }] });
  }
  assert.fail("the reader did not come to an end");
}

const count = (calls: readonly string[], name: string): number => calls.filter((call) => call === name).length;

describe("the reader", () => {
  it("opens every vault where it sees all pages", async () => {
    const { final, calls, rejected } = await run((messages) => messages, false);
    assert.deepEqual([final, count(calls, "read_page"), count(calls, "open_vault"), rejected], [FINAL, PAGES, PAGES, 0]);
  });

  it("recalls what is cut, and comes to the same answer", async () => {
    const { final, calls } = await run(cut(true), true);
    // The newest page is still shown when the first vault is opened, if it is that page's.
    assert.equal(final, FINAL);
    assert.ok(count(calls, "recall") >= PAGES - 1);
  });

  it("does not know what is cut and cannot be recalled: no tool, or no handle", async () => {
    const last = cut(true);
    for (const [view, hasRecall] of [[last, false] as const, [cut(false), true] as const]) {
      const { final } = await run((messages) => (messages.length > 2 * PAGES ? view([...messages, { role: "user", content: "go on" }]) : messages), hasRecall);
      assert.equal(final, UNKNOWN);
    }
  });

  it("goes on from its notes where nothing of what it did is shown", async () => {
    const summary: View = (messages) => (messages.length <= 3 ? messages : [...messages.slice(0, 1), ...messages.slice(-2)]);
    const { final, calls } = await run(summary, false);
    assert.deepEqual([count(calls, "read_page"), count(calls, "open_vault")], [PAGES, PAGES]);
    assert.match(final, /^FINAL: .*unknown/);
  });

  it("is not confused by failures and retries", async () => {
    const { final, calls } = await run(cut(true), true, {}, 2);
    assert.equal(final, FINAL);
    assert.equal(count(calls, "read_page"), PAGES);
  });

  it("gives up on a recall that does not find the key", () => {
    const play = reader({ pages: 1 });
    const seen = (rounds: readonly (readonly [name: string, input: object, result: string])[]): SeenRequest => ({
      protocol: "openai-chat",
      model: "m",
      streamed: false,
      system: "",
      tools: ["read_page", "open_vault", "recall"],
      messages: rounds.flatMap(([name, input, text], index) => [
        { role: "assistant" as const, text: "", calls: [{ id: `c${index}`, name, input }], results: [] },
        { role: "user" as const, text: "", calls: [], results: [{ callId: `c${index}`, text, isError: false }] },
      ]),
      turn: rounds.length,
      body: {},
    });
    const read = ["read_page", { page: 1 }, "[cut] [recall handle: abc1]"] as const;
    const recall = { handle: "abc1", grep: "vault key of page 1" };
    assert.deepEqual(play(seen([])), { calls: [{ name: "read_page", input: { page: 1 } }] });
    assert.deepEqual(play(seen([read])), { calls: [{ name: "recall", input: recall }] });
    assert.deepEqual(play(seen([read, ["recall", recall, "nothing found"]])), { calls: [{ name: "open_vault", input: { page: 1, key: "unknown" } }] });
  });

  it("finds the handle in a digest: above the line of its call, or above what is only counted", () => {
    const digest = (...lines: string[]): SeenRequest => ({
      protocol: "anthropic",
      model: "m",
      streamed: false,
      system: "",
      tools: ["read_page", "open_vault", "recall"],
      messages: [
        { role: "user", text: ["[Digest.]", ...lines].join("\n"), calls: [], results: [] },
        { role: "assistant", text: "", calls: [{ id: "c", name: "read_page", input: { page: 1 } }], results: [] },
        { role: "user", text: "", calls: [], results: [{ callId: "c", text: "[cut]", isError: false }] },
      ],
      turn: 0,
      body: {},
    });
    const asks = (...lines: string[]): unknown => reader({ pages: 1 })(digest(...lines));
    const recall = (handle: string): unknown => ({ calls: [{ name: "recall", input: { handle, grep: "vault key of page 1" } }] });
    const unknown = { calls: [{ name: "open_vault", input: { page: 1, key: "unknown" } }] };
    assert.deepEqual(asks("[recall handles: a-1…-2]", "- read_page page=11", "[recall handle: b]", "- read_page page=3; page=1 [4]"), recall("b"));
    assert.deepEqual(asks("[recall handles: a-1…-2]", "Before, not told here: bash 2, read_page 3", "[recall handle: b]", "- read_page page=2"), recall("a"));
    assert.deepEqual(asks("[recall handle: b]", "- read_page page=2", '- "read_page page=1"'), unknown);
    assert.deepEqual(asks('= "[recall handle: b]"', "- read_page page=1"), unknown);
  });

  it("comes to the same answer where digests hide what it read", async () => {
    const final = async (policy: ThreadOptions["policy"] | undefined): Promise<{ text: string; digests: number }> => {
      const pages = 10;
      const double = await startDouble({ script: reader({ pages }), windowTokens: 1_000_000 });
      const client = new Anthropic({ apiKey: "key", baseURL: double.url });
      const thread = createThread({
        compact: false,
        ...(policy === undefined ? {} : { policy }),
        tools: ["read_page", "open_vault"].map((name) => ({ name, input_schema: { type: "object" } })),
      });
      thread.user("Open all vaults.");
      let text = "";
      for (let round = 0; round < 100 && text === ""; round++) {
        const { messages, tools } = thread.request();
        const { content } = await client.messages.create({
          model: "claude-opus-5",
          max_tokens: 100,
          tools: tools as Anthropic.Tool[],
          messages: messages as Message[],
        });
        const { next, calls } = thread.assistant({ content });
        if (next === "user") text = content.map((block) => (block.type === "text" ? block.text : "")).join("");
        if (next === "tools")
          thread.toolResults(
            calls.map(({ id, name, input }) => ({
              type: "tool_result",
              tool_use_id: id,
              content: name === "read_page" ? readerPage((input as { page: number }).page) : "opened",
            })),
          );
      }
      assert.deepEqual(double.rejected, []);
      return { text, digests: thread.edits().filter(({ pass }) => pass === "digest-rounds").length };
    };
    const all = await final(undefined);
    assert.match(all.text, /^FINAL: (?!.*unknown)/);
    for (const sightTokens of [0, 300]) {
      const { text, digests } = await final({
        preset: "tight",
        firstSightTokens: sightTokens,
        firstSightFileTokens: sightTokens,
        digestTokens: sightTokens === 0 ? 20_000 : 2_000,
        digestTailTokens: 500,
        digestTailTurns: 1,
      });
      assert.equal(text, all.text);
      assert.ok(digests > 0);
    }
  });

  it("thinks, where it is told to", () => {
    const play = reader({ pages: 1, thinks: true });
    const nothing: SeenRequest = { protocol: "anthropic", model: "m", streamed: false, system: "", tools: [], messages: [], turn: 0, body: {} };
    assert.deepEqual(play(nothing), { thinking: 'Next: read_page {"page":1}.', calls: [{ name: "read_page", input: { page: 1 } }] });
  });
});

describe("a page of the reader", () => {
  it("is long, always the same, and shows its key once, in the last third", () => {
    for (const page of [1, 2, 12]) {
      const lines = readerPage(page).split("\n");
      assert.equal(readerPage(page), lines.join("\n"));
      assert.equal(lines.length, 301);
      const line = `vault key of page ${page}: ${readerKey(page)}`;
      assert.deepEqual(
        [lines.indexOf(line), lines.lastIndexOf(line)].map((at) => at >= 200),
        [true, true],
      );
      assert.equal(lines.filter((each) => each.includes("vault key")).length, 1);
      assert.match(readerKey(page), /^[0-9a-f]{8}$/);
    }
    assert.notEqual(readerKey(1), readerKey(2));
    assert.equal(new Set(readerPage(1).split("\n")).size, 301);
  });
});
