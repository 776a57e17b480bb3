import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import {
  generateText,
  InvalidPromptError,
  InvalidToolApprovalError,
  jsonSchema,
  MissingToolResultsError,
  modelMessageSchema,
  tool,
  ToolCallNotFoundForApprovalError,
  type ModelMessage,
  type ToolSet,
} from "ai";
import { MockLanguageModelV4 } from "ai/test";
import fc from "fast-check";
import { isCallPart, type AiMessage, type AiPart } from "../src/formats/ai-sdk/ai-message.ts";
import { aiSdk } from "../src/formats/ai-sdk/ai-sdk.ts";
import { PalimpsestError } from "../src/errors/palimpsest-error.ts";
import { forFormat } from "../src/formats/for-format.ts";
import { aiSdkFormat } from "./support/formats/ai-sdk-format.ts";
import { anyTranscript, checkAsyncProperty, checkProperty, pendingTranscript, validTranscript } from "./support/transcripts.ts";

const functions = forFormat(aiSdk);

const ANSWER = {
  content: [{ type: "text" as const, text: "Done." }],
  finishReason: { unified: "stop" as const, raw: "stop" },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  },
  warnings: [],
};

/** What the model is sent, by the real SDK; its error, if it refuses to send anything. */
async function send(messages: ModelMessage[]): Promise<readonly { readonly role: string }[]> {
  const model = new MockLanguageModelV4({ doGenerate: ANSWER });
  await generateText({ model, messages, tools: toolsOf(messages), allowSystemInMessages: true, maxRetries: 0 });
  return model.doGenerateCalls[0]?.prompt ?? [];
}

/** Every tool that is called: where an approval has just been given, the SDK runs the call itself. */
function toolsOf(messages: readonly ModelMessage[]): ToolSet {
  const assistant = messages.filter(({ role }) => role === "assistant").flatMap(({ content }) => (typeof content === "string" ? [] : (content as AiPart[])));
  return Object.fromEntries(assistant.filter(isCallPart).map(({ toolName }) => [toolName, tool({ inputSchema: jsonSchema({}), execute: () => "ok" })]));
}

/** The format's own writer is not typed by the SDK, but what it writes fits the SDK's schema: see below. */
function asModelMessages(messages: readonly AiMessage[]): ModelMessage[] {
  return messages as ModelMessage[];
}

type View = (messages: ModelMessage[], size: number) => ModelMessage[] | Promise<ModelMessage[]>;

const VIEWS: Readonly<Record<string, View>> = {
  "decode and encode": (messages) => asModelMessages(aiSdk.encode(aiSdk.decode(messages))),
  collapseToolChains: (messages, size) =>
    functions.collapseToolChains(messages, { collapseAfterTurns: size % 5, collapseMultiToolTurns: true, collapseGistChars: size }),
  "pruneMessages sliding-window": (messages, size) => functions.pruneMessages(messages, { strategy: "sliding-window", maxTurns: size % 12 }),
  "pruneMessages summarize": (messages, size) => functions.pruneMessages(messages, { strategy: "summarize", maxTurns: size % 12 }),
  "pruneMessages importance": (messages, size) => functions.pruneMessages(messages, { strategy: "importance", maxTurns: size % 12 }),
  summarizeAndPrune: (messages, size) =>
    functions.summarizeAndPrune(messages, { strategy: "summarize", maxTurns: size % 12 }, () => Promise.resolve("A real summary.")),
  compactOldToolResults: (messages, size) =>
    functions.compactOldToolResults(messages, { inputTokens: 2, inputTokenBudget: 1, toolResultRetentionChars: size, onCompact: () => undefined }).messages,
  compressToolResult: (messages, size) => messages.map((message) => compressed(message, size)),
  compactThread: (messages, size) => {
    const ids = functions.checkpointsIn(messages).map(({ id }) => id);
    const from = ids[size % (ids.length + 1)];
    try {
      return functions.compactThread(messages, [{ ...(from === undefined ? {} : { from }), summary: "Done so far." }]);
    } catch (error) {
      if (PalimpsestError.isInstance(error)) return messages;
      throw error;
    }
  },
};

function compressed(message: ModelMessage, maxToolResultTokens: number): ModelMessage {
  if (message.role !== "tool") return message;
  const content = message.content.map((part) => (part.type === "tool-result" ? functions.compressToolResult(part, { maxToolResultTokens }) : part));
  return { ...message, content };
}

const transcriptStyle = fc.nat({ max: 29 });
const viewSize = fc.nat({ max: 60 });

before(() => {
  // Images in messages are deprecated, and the SDK says so every time.
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
});

describe("the AI SDK itself", () => {
  test("accepts the view of every function", async () => {
    const anyView = fc.constantFrom(...Object.keys(VIEWS));
    await checkAsyncProperty("ai: views", [validTranscript(), transcriptStyle, anyView, viewSize], async (transcript, style, name, size) => {
      const view = await VIEWS[name]?.(asModelMessages(aiSdkFormat.write(transcript, style)), size);
      assert.ok((await send(view ?? [])).length > 0);
    });
  });

  test("refuses a log with the first fault that `checkMessages` finds, in the same words, and no other log", async () => {
    await checkAsyncProperty("ai: refusals", [fc.oneof(anyTranscript(), pendingTranscript()), transcriptStyle], async (transcript, style) => {
      const log = asModelMessages(aiSdkFormat.write(transcript, style));
      // E3 is the providers'.
      const [refused] = functions.checkMessages(log).filter(({ rule }) => rule !== "E3");
      const error: unknown = await send(log).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      assert.equal(error instanceof Error ? error.message : undefined, refused?.message);
    });
  });

  test("has a schema that what these tests write fits", () => {
    checkProperty("ai: schema", [anyTranscript(), transcriptStyle, fc.nat()], (transcript, style, any) => {
      const log = aiSdkFormat.write(transcript, style);
      // The schema is slow: one message of each log.
      const message = log[any % log.length];
      assert.ok(message === undefined || modelMessageSchema.safeParse(message).success);
    });
  });
});

const q: ModelMessage = { role: "user", content: "Read it." };
const calls: ModelMessage = {
  role: "assistant",
  content: [
    { type: "tool-call", toolCallId: "a", toolName: "read", input: {} },
    { type: "tool-approval-request", approvalId: "p", toolCallId: "a" },
  ],
};
const approves: ModelMessage = { role: "tool", content: [{ type: "tool-approval-response", approvalId: "p", approved: true }] };
const said: ModelMessage = { role: "assistant", content: "It asked." };
const result: ModelMessage = { role: "tool", content: [{ type: "tool-result", toolCallId: "a", toolName: "read", output: { type: "text", value: "x" } }] };
const asksOnly: ModelMessage = { role: "assistant", content: [{ type: "tool-approval-request", approvalId: "p", toolCallId: "a" }] };

const REFUSED: readonly (readonly [name: string, messages: ModelMessage[], isInstance: (error: unknown) => boolean])[] = [
  ["a call without its result", [q, calls], (error) => MissingToolResultsError.isInstance(error)],
  ["a user message before the result", [q, calls, q], (error) => MissingToolResultsError.isInstance(error)],
  ["an approval in a message that is not the last", [q, calls, approves, q], (error) => MissingToolResultsError.isInstance(error)],
  ["an approval with words of the assistant's after it", [q, calls, approves, said], (error) => MissingToolResultsError.isInstance(error)],
  ["no messages", [], (error) => InvalidPromptError.isInstance(error)],
  ["an approval that nobody asked for", [q, approves], (error) => InvalidToolApprovalError.isInstance(error)],
  ["an approval without its call", [q, asksOnly, approves], (error) => ToolCallNotFoundForApprovalError.isInstance(error)],
];

describe("what the AI SDK refuses", () => {
  for (const [name, messages, isInstance] of REFUSED) {
    test(`${name}: its own error, in the words of the finding`, async () => {
      const [finding] = functions.checkMessages(messages);
      await assert.rejects(send(messages), (error) => isInstance(error) && error instanceof Error && error.message === finding?.message);
    });
  }

  test("nothing, where an approval has just been given, or all is answered", async () => {
    for (const messages of [
      [q, calls, approves],
      [q, calls, approves, result, q],
    ]) {
      assert.deepEqual(functions.checkMessages(messages), []);
      assert.ok((await send(messages)).length > 0);
    }
  });
});
