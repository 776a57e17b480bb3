import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { describe, test } from "node:test";
import type { Message } from "../../messages/message.ts";
import { loadTranscript, type Transcript } from "./load-transcript.ts";
import type { ReadOptions } from "./read-transcript.ts";

const load = (content: string, options?: ReadOptions): Promise<Transcript> => loadTranscript(Readable.from([content]), options);
const lines = (...values: readonly object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join("");
const roles = ({ trajectories }: Transcript): string[][] => trajectories.map(({ log }) => log.map(({ role }) => role));

const CHAT = [
  { role: "system", content: "s" },
  { role: "user", content: "q" },
  { role: "assistant", content: null, tool_calls: ["a", "b"].map((id) => ({ id, type: "function", function: { name: "f", arguments: "{}" } })) },
  { role: "tool", tool_call_id: "a", content: "out a" },
  { role: "tool", tool_call_id: "b", content: "out b" },
  { role: "assistant", content: "done" },
];
const ANTHROPIC = [
  { role: "user", content: "q" },
  { role: "assistant", content: [{ type: "tool_use", id: "a", name: "f", input: {} }] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "out a" }] },
  { role: "assistant", content: "done" },
];
const ITEMS = [
  { role: "user", content: "q" },
  { type: "reasoning", summary: [] },
  { type: "function_call", call_id: "a", name: "f", arguments: "{}" },
  { type: "function_call_output", call_id: "a", output: "out a" },
];
const AI_SDK = [
  { role: "user", content: "q" },
  { role: "assistant", content: [{ type: "tool-call", toolCallId: "a", toolName: "f", input: {} }] },
  { role: "tool", content: [{ type: "tool-result", toolCallId: "a", toolName: "f", output: { type: "text", value: "out a" } }] },
];

describe("messages as they are sent", () => {
  const FILES: readonly (readonly [what: string, content: string, format: string, roles: string[][], nativeMessages: number])[] = [
    ["an array of Anthropic's", JSON.stringify(ANTHROPIC), "anthropic", [["user", "assistant", "user", "assistant"]], 4],
    ["a body for Anthropic", JSON.stringify({ model: "m", messages: ANTHROPIC }, null, 2), "anthropic", [["user", "assistant", "user", "assistant"]], 4],
    ["lines of Anthropic's", lines(...ANTHROPIC), "anthropic-lines", [["user", "assistant", "user", "assistant"]], 4],
    ["an array of the chat", JSON.stringify(CHAT, null, 2), "openai-chat", [["system", "user", "assistant", "user", "assistant"]], 6],
    ["lines of the chat", lines(...CHAT), "openai-chat-lines", [["system", "user", "assistant", "user", "assistant"]], 6],
    ["lines of the chat whose features come late", lines(...CHAT.slice(1)), "openai-chat-lines", [["user", "assistant", "user", "assistant"]], 5],
    ["lines of text alone", lines({ role: "user", content: "q" }, { role: "assistant", content: "a" }), "anthropic-lines", [["user", "assistant"]], 2],
    [
      "conversations to learn from, the first without features",
      lines({ messages: [CHAT[1], CHAT[5]] }, { messages: CHAT }),
      "openai-chat",
      [
        ["user", "assistant"],
        ["system", "user", "assistant", "user", "assistant"],
      ],
      8,
    ],
    ["items", JSON.stringify(ITEMS), "openai-responses", [["user", "assistant", "user"]], 3],
    ["a body with items", JSON.stringify({ model: "m", input: ITEMS }), "openai-responses", [["user", "assistant", "user"]], 3],
    ["a body with one text", JSON.stringify({ model: "m", input: "q" }), "openai-responses", [["user"]], 1],
    ["messages of the AI SDK", JSON.stringify(AI_SDK), "ai-sdk", [["user", "assistant", "user"]], 3],
  ];
  for (const [what, content, format, expected, nativeMessages] of FILES) {
    test(what, async () => {
      const transcript = await load(content);
      assert.equal(transcript.format.name, format);
      assert.deepEqual(roles(transcript), expected);
      const counted = transcript.trajectories.flatMap(({ entries }) => entries.map((entry) => (entry.kind === "message" ? entry.nativeMessages : 0)));
      assert.equal(
        counted.reduce((sum, count) => sum + count, 0),
        nativeMessages,
      );
      assert.equal(transcript.encode(transcript.trajectories.map(({ log }) => log)), content);
      const views = transcript.trajectories.map(({ log }): Message[] => [...log.slice(0, -1), { role: "user", content: "the end" }]);
      const again = await load(String(transcript.encode(views)), { format });
      assert.deepEqual(
        again.trajectories.map(({ log }) => log.at(-1)?.content),
        views.map(() => "the end"),
      );
      assert.deepEqual(
        again.trajectories.map(({ log }) => log.length),
        views.map((view) => view.length),
      );
    });
  }

  test("the head of a request is told beside its messages", async () => {
    const tools = [{ name: "f", input_schema: {} }];
    const system = [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ];
    const [trajectory] = (await load(JSON.stringify({ id: "r-1", model: "m", system, tools, messages: ANTHROPIC }))).trajectories;
    assert.deepEqual([trajectory?.id, trajectory?.model, trajectory?.system, trajectory?.tools], ["r-1", "m", "a\n\nb", tools]);
    const [items] = (await load(JSON.stringify({ model: "m", instructions: "i", input: ITEMS }))).trajectories;
    assert.equal(items?.system, "i");
  });

  test("what is no message among the lines stays where it is", async () => {
    const note = { note: "not a message" };
    const transcript = await load(lines(CHAT[0] ?? {}, note, ...CHAT.slice(1)));
    const [log = []] = transcript.trajectories.map((trajectory) => trajectory.log);
    assert.equal(transcript.encode([[...log.slice(0, 2), ...log.slice(4)]]), lines(CHAT[0] ?? {}, note, CHAT[1] ?? {}, CHAT[5] ?? {}));
  });
});
