import fc from "fast-check";
import type { Block } from "../../src/messages/message.ts";
import { block, text } from "./build.ts";
import { CHECKPOINT_TEXT, oddText, reminderText, shownText, sizedText, textWithReminder } from "./odd-text.ts";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export const image: fc.Arbitrary<Block> = fc.constantFrom(
  block("image", { source: { type: "base64", media_type: "image/png", data: PIXEL } }),
  block("image", { source: { type: "url", url: "https://example.com/a.png" } }),
);

const document: fc.Arbitrary<Block> = fc.constantFrom(
  block("document", { source: { type: "base64", media_type: "application/pdf", data: "JVBERi0xLjQK" }, title: "a.pdf" }),
  block("document", { source: { type: "text", media_type: "text/plain", data: "plain document" }, citations: { enabled: true } }),
);

export const textBlocks: fc.Arbitrary<Block> = shownText.map(text);

const unknownUserBlock: fc.Arbitrary<Block> = fc.constantFrom(
  block("container_upload", { file_id: "file_1" }),
  block("search_result", { source: "https://example.com", title: "t", content: [{ type: "text", text: "found" }] }),
  block("block_of_next_year", { payload: { nested: [1, null, "x"] } }),
);

const unknownAssistantBlock: fc.Arbitrary<Block> = fc.constantFrom(
  block("mcp_tool_listing", { server_name: "github", tools: [] }),
  block("fallback", { reason: "overloaded", model: "other" }),
  block("compaction", { content: "Earlier: the tests were fixed." }),
  block("block_of_next_year", { payload: 7 }),
);

const reminder: fc.Arbitrary<Block> = fc.oneof(
  shownText.map((inner) => block("system_reminder", { text: inner })),
  reminderText.map(text),
);

/** One block of a user message that is no result and no checkpoint. */
export const userBlock: fc.Arbitrary<Block> = fc.oneof(
  { weight: 8, arbitrary: textBlocks },
  { weight: 2, arbitrary: textWithReminder.map(text) },
  { weight: 3, arbitrary: reminder },
  { weight: 1, arbitrary: image },
  { weight: 1, arbitrary: document },
  { weight: 1, arbitrary: unknownUserBlock },
);

/** One block of an assistant message that is no call, no server tool and no thinking. */
export const assistantBlock: fc.Arbitrary<Block> = fc.oneof(
  { weight: 10, arbitrary: textBlocks },
  { weight: 1, arbitrary: fc.constant(text(CHECKPOINT_TEXT)) },
  { weight: 1, arbitrary: reminderText.map(text) },
  { weight: 1, arbitrary: unknownAssistantBlock },
);

/** Thinking before it is signed: the signature is given where the block is placed, so that each is unique. */
export const unsignedThinking: fc.Arbitrary<Block> = fc.oneof(
  { weight: 4, arbitrary: shownText.map((thinking) => block("thinking", { thinking })) },
  // Under display:omitted the text is empty and only the signature counts (A4.7).
  { weight: 1, arbitrary: fc.constant(block("thinking", { thinking: "" })) },
  { weight: 1, arbitrary: fc.constant(block("redacted_thinking", {})) },
);

export interface ResultPlan {
  readonly content?: string | readonly Block[];
  readonly is_error?: boolean;
}

const resultPart: fc.Arbitrary<Block> = fc.oneof(
  { weight: 5, arbitrary: fc.oneof(shownText, sizedText).map(text) },
  { weight: 1, arbitrary: image },
  { weight: 1, arbitrary: document },
  { weight: 1, arbitrary: fc.constant(text(CHECKPOINT_TEXT)) },
  { weight: 1, arbitrary: fc.constant(block("search_result", { source: "s", title: "t", content: [{ type: "text", text: "hit" }] })) },
);

const resultString: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: sizedText },
  { weight: 3, arbitrary: shownText },
  { weight: 1, arbitrary: oddText },
  { weight: 1, arbitrary: reminderText },
  { weight: 1, arbitrary: fc.constantFrom("", CHECKPOINT_TEXT, "  \n") },
);

/** What a tool gave back. Error results have text, and only text (A2.12, A2.13). */
export const result: fc.Arbitrary<ResultPlan> = fc.oneof(
  { weight: 10, arbitrary: resultString.map((content) => ({ content })) },
  { weight: 4, arbitrary: fc.array(resultPart, { maxLength: 3 }).map((content) => ({ content })) },
  { weight: 1, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.oneof(shownText, sizedText).map((content) => ({ content, is_error: true })) },
  { weight: 1, arbitrary: fc.array(textBlocks, { minLength: 1, maxLength: 2 }).map((content) => ({ content, is_error: true })) },
  { weight: 1, arbitrary: shownText.map((content) => ({ content, is_error: false })) },
);
