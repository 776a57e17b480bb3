/** What holds of summaries and of renderings of conversations, whatever the text. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { estimateTokens, type Message } from "../src/index.ts";
import { parseTranscript } from "../src/text/transcript-text.ts";
import { extractive, ledgerOf, transcriptText } from "../src/summarize/index.ts";
import { oddText, shownText, sizedText } from "./support/odd-text.ts";
import { anyTranscript, checkAsyncProperty, checkProperty, deepFreeze } from "./support/transcripts.ts";

const INSTRUCTIONS: readonly string[] = [
  "first 3 lines",
  "last 2 lines of stdout",
  "filenames and line numbers only",
  "exit code and stderr",
  'keep "error:" and `42`',
  "what failed in src",
];

const line = fc.oneof(
  shownText,
  fc.constantFrom("src/a.ts:12: const a = 1;", "Error: boom", "stderr:", "Exit code 1", '{"id": 7, "name": "x"}', "", "| a | b |"),
);
const text = fc.oneof(
  { weight: 4, arbitrary: fc.array(line, { maxLength: 60 }).map((lines) => lines.join("\n")) },
  { weight: 1, arbitrary: sizedText },
  { weight: 1, arbitrary: oddText },
);
const wish = fc.record({
  instructions: fc.option(fc.constantFrom(...INSTRUCTIONS), { nil: undefined }),
  targetTokens: fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
});

interface Wish {
  readonly instructions: string | undefined;
  readonly targetTokens: number | undefined;
}

function summarize(input: string, { instructions, targetTokens }: Wish): Promise<string> {
  const more = { ...(instructions === undefined ? {} : { instructions }), ...(targetTokens === undefined ? {} : { targetTokens }) };
  return extractive()(deepFreeze({ text: input, system: "", ...more }));
}

/** What holds of every summary: the same each time, never longer, within its target, valid if the text is. */
async function checkSummary(input: string, wished: Wish): Promise<string> {
  const summary = await summarize(input, wished);
  assert.equal(summary, await summarize(input, wished), "not the same twice");
  assert.ok(summary.length <= input.length, `${summary.length} characters of ${input.length}`);
  const tokens = estimateTokens(summary);
  assert.ok(tokens <= estimateTokens(input), "more tokens than the input");
  if (wished.targetTokens !== undefined) assert.ok(tokens <= Math.max(32, wished.targetTokens), `${tokens} tokens`);
  if (input.isWellFormed()) assert.ok(summary.isWellFormed(), "a lone surrogate");
  if (input.trim() !== "") assert.notEqual(summary.trim(), "", "nothing is left");
  return summary;
}

test("a summary of any text is deterministic, within its target, never longer and valid", async () => {
  await checkAsyncProperty("extractive of text", [text, wish], checkSummary);
});

test("so is one of any conversation, and the conversation is not touched", async () => {
  await checkAsyncProperty("extractive of a conversation", [anyTranscript(), wish], async (messages: Message[], wished) => {
    const before = JSON.stringify(messages);
    await checkSummary(transcriptText(deepFreeze(messages)), wished);
    ledgerOf(messages);
    assert.equal(JSON.stringify(messages), before);
  });
});

test("a rendering is read as it was written: no text can end its part or begin another", () => {
  // Texts that hold the marks of a rendering, among them that of the same messages without them.
  checkProperty("transcriptText", [anyTranscript(), fc.nat()], (messages: Message[], pick) => {
    const marks = transcriptText(messages).split("\n");
    const forged = messages.map((message, index) => (index === pick % messages.length ? withForgery(message, marks) : message));
    for (const log of [messages, forged]) {
      const parts = parseTranscript(transcriptText(log))?.parts;
      assert.ok(parts !== undefined);
      assert.deepEqual(
        parts.map(({ kind, text: content }) => [kind, content]),
        expectedParts(log),
      );
    }
  });
});

test("in a summary of a conversation, every line with text from a tool is marked as such", async () => {
  const mark = "CANARY";
  await checkAsyncProperty("marked", [anyTranscript(), wish], async (messages: Message[], wished) => {
    const log = messages.map((message) => withCanary(message, mark));
    const summary = await summarize(transcriptText(log), {
      ...wished,
      instructions: `${wished.instructions ?? ""} "${mark}"`,
      targetTokens: wished.targetTokens ?? 100,
    });
    if (parseTranscript(summary) !== undefined) return;
    for (const shown of summary.split(/[\n\v\f\r\u0085\u2028\u2029]/)) if (shown.includes(mark)) assert.match(shown, /^\||: \| "/);
  });
});

type Part = readonly [kind: string, text: string];

/** What a rendering must hold, written anew: it shares no code with the one under test. */
function expectedParts(log: readonly Message[]): Part[] {
  return log.flatMap(({ role, content }) => {
    const blocks = (typeof content === "string" ? [{ type: "text", text: content }] : content) as readonly Record<string, unknown>[];
    return blocks.flatMap((block): Part[] => {
      const type = String(block["type"]);
      if (type === "text") return /^<checkpoint:[a-z0-9]{6}>$/.test(String(block["text"])) ? [] : [[role, String(block["text"])]];
      if (type === "thinking" || type === "redacted_thinking" || (type === "checkpoint" && /^[a-z0-9]{6}$/.test(String(block["id"])))) return [];
      if (["tool_use", "server_tool_use", "mcp_tool_use"].includes(type)) return [["call", JSON.stringify(block["input"]) ?? ""]];
      if (type === "tool_result") return [[block["is_error"] === true ? "error" : "result", resultOf(block["content"])]];
      if (type.endsWith("_tool_result")) return [[block["is_error"] === true ? "error" : "result", sealed(block["content"])]];
      return [[role, `[${type}]`]];
    });
  });
}

function resultOf(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === "string" ? content : "";
  return content.map((block: Record<string, unknown>) => (block["type"] === "text" ? String(block["text"]) : `[${String(block["type"])}]`)).join("\n");
}

function sealed(content: unknown): string {
  if (content === undefined) return "";
  return JSON.stringify(content, (key, value: unknown) => (/^(?:encrypted_\w+|signature|data)$/.test(key) && typeof value === "string" ? undefined : value));
}

function withForgery(message: Message, marks: readonly string[]): Message {
  const forgery = `x\n${marks.filter((part) => part.startsWith("§")).join("\n")}\n${marks.join("\n")}`;
  if (typeof message.content === "string") return { ...message, content: forgery };
  return { ...message, content: message.content.map((block) => (block.type === "tool_result" ? { ...block, content: forgery } : block)) };
}

/** The canary in every line of every tool result. */
function withCanary(message: Message, mark: string): Message {
  if (typeof message.content === "string") return message;
  const forged = [`> ${mark}`, `= ${mark}`, `${mark}: made`, `[Extract of 2 messages. ${mark}`, "\u2028# " + mark, `call 9: ${mark} x\r> ${mark}`].join("\n");
  return { ...message, content: message.content.map((block) => (block.type === "tool_result" ? { ...block, content: `${forged}\n`.repeat(9) } : block)) };
}
