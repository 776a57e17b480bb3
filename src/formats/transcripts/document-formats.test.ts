import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { comparable, documentWith, logOf, messagesOf, recordsWith } from "../../../test/support/formats/document-transcript.ts";
import { deepFreeze } from "../../../test/support/transcripts.ts";
import { PalimpsestError } from "../../errors/palimpsest-error.ts";
import { blocksOf, isText, isToolResult, isToolUse, type Block, type Message } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import { parseMessages } from "../../messages/parse-messages.ts";
import { geminiCli } from "./gemini-cli.ts";
import { inspect } from "./inspect.ts";
import { langgraph } from "./langgraph.ts";
import { livemcpbench } from "./livemcpbench.ts";
import { miniSweAgent } from "./mini-swe-agent.ts";
import { opencode } from "./opencode.ts";
import { openhandsLlm } from "./openhands-llm.ts";
import { sweAgent } from "./swe-agent.ts";
import { tau2Bench } from "./tau2-bench.ts";
import { tauBench } from "./tau-bench.ts";
import type { DocumentFormat } from "./transcript-format.ts";
import { TRANSCRIPT_FORMATS } from "./transcript-formats.ts";

interface Sample {
  readonly format: DocumentFormat;
  readonly document: unknown;
  /** As the file has them. */
  readonly messages: number;
}

const CHAT = [
  { role: "system", content: "You water plants." },
  { role: "user", content: "Water the fern." },
  { role: "assistant", content: "I look first.", tool_calls: [chatCall("c1", "look", { at: "fern" })] },
  { role: "tool", tool_call_id: "c1", content: "The soil is dry." },
  { role: "assistant", content: null, tool_calls: [chatCall("c2", "water", { cups: 2 }), chatCall("c3", "look", { at: "pot" })] },
  { role: "tool", tool_call_id: "c2", content: "Done." },
  { role: "tool", tool_call_id: "c3", content: "The pot is full." },
  { role: "assistant", content: "The fern has water." },
];

function chatCall(id: string, name: string, input: unknown): object {
  return { id, type: "function", function: { name, arguments: JSON.stringify(input) } };
}

const lines = (...texts: readonly string[]): string => texts.join("\n");

/** The same short task in each format: three rounds or two, and a last word. */
const SAMPLES: Readonly<Record<string, Sample>> = {
  "tau-bench": { format: tauBench, messages: 8, document: [{ task_id: 0, trial: 1, reward: 1, traj: CHAT }] },
  livemcpbench: { format: livemcpbench, messages: 8, document: [{ task_id: "a", Question: "Water?", messages: CHAT }] },
  "openhands-llm": {
    format: openhandsLlm,
    messages: 8,
    document: { messages: CHAT, response: { id: "r", model: "m" }, args: [], kwargs: { tools: [{ type: "function" }] } },
  },
  "openhands-llm, calls as text": {
    format: openhandsLlm,
    messages: 7,
    document: {
      messages: [
        { role: "system", content: [{ type: "text", text: "You water plants. Write <function=look>." }] },
        { role: "user", content: "Water the fern." },
        { role: "assistant", content: [{ type: "text", text: lines("I look.", "", "<function=look>", "<parameter=at>fern</parameter>", "</function>") }] },
        { role: "user", content: [{ type: "text", text: "EXECUTION RESULT of [look]:\nThe soil is dry." }] },
        { role: "assistant", content: lines("<function=write>", "<parameter=text>", "one", "two", "</parameter>", "</function>") },
        { role: "user", content: "EXECUTION RESULT of [write]:\nDone." },
        { role: "assistant", content: "The fern has water." },
      ],
      response: { id: "r" },
      args: [],
      kwargs: {},
    },
  },
  "tau2-bench": {
    format: tau2Bench,
    messages: 7,
    document: {
      info: { agent_info: { llm: "m" }, environment_info: { policy: "Be kind." } },
      tasks: [],
      simulations: [
        {
          id: "s1",
          messages: [
            { role: "user", content: "Water the fern.", tool_calls: null, turn_idx: 0 },
            { role: "assistant", content: "I look first.", tool_calls: [{ id: "c1", name: "look", arguments: { at: "fern" } }], turn_idx: 1 },
            { id: "c1", role: "tool", content: "The soil is dry.", requestor: "assistant", turn_idx: 2 },
            { role: "assistant", content: null, tool_calls: ["c2", "c3"].map((id) => ({ id, name: "water", arguments: { id } })), turn_idx: 3 },
            { id: "c2", role: "tool", content: "Done.", requestor: "assistant", turn_idx: 4 },
            { id: "c3", role: "tool", content: "Full.", error: true, requestor: "assistant", turn_idx: 5 },
            { role: "assistant", content: "The fern has water.", tool_calls: null, turn_idx: 6 },
          ],
        },
      ],
    },
  },
  "swe-agent": {
    format: sweAgent,
    messages: 6,
    document: {
      trajectory: [],
      history: [
        { role: "system", content: "You fix code.", agent: "main", message_type: "system_prompt" },
        { role: "user", content: [{ type: "text", text: "Fix it." }], agent: "main", message_type: "observation" },
        { role: "assistant", content: "I look.", thought: "I look.", action: "ls", agent: "main", tool_calls: [chatCall("c1", "bash", { command: "ls" })], message_type: "action" }, // prettier-ignore
        { role: "tool", content: [{ type: "text", text: "a.py" }], agent: "main", message_type: "observation", tool_call_ids: ["c1"] },
        { role: "assistant", content: "", thought: "", action: "submit", agent: "main", tool_calls: [chatCall("c2", "submit", {})], message_type: "action" },
        { role: "tool", content: [{ type: "text", text: "diff" }], agent: "main", message_type: "observation", tool_call_ids: ["c2"] },
      ],
      info: {},
      environment: "fern__fern-1",
    },
  },
  "swe-agent, actions as text": {
    format: sweAgent,
    messages: 7,
    document: {
      trajectory: [],
      history: [
        { role: "system", content: "You fix code.", agent: "primary" },
        { role: "user", content: "Fix it.", agent: "primary" },
        { role: "assistant", content: "DISCUSSION\nI look.\n```\nls\n```", thought: "DISCUSSION\nI look.", action: "ls\n", agent: "primary" },
        { role: "user", content: "a.py\n(Open file: n/a)", agent: "primary" },
        { role: "assistant", content: "```\nsubmit\n```", thought: "", action: "submit", agent: "primary" },
        { role: "user", content: "diff", agent: "primary" },
        { role: "assistant", content: "Done.", thought: "Done.", action: "", agent: "primary" },
      ],
    },
  },
  "mini-swe-agent": {
    format: miniSweAgent,
    messages: 7,
    document: {
      info: { config: { model: { model_name: "m" } } },
      messages: [
        { role: "system", content: "You fix code." },
        { role: "user", content: "Fix it." },
        { role: "assistant", content: "THOUGHT: I look.\n\n```bash\nls -a\n```", extra: { response: { created: 10, model: "m-1" } } },
        { role: "user", content: "<returncode>0</returncode>\n<output>\na.py\n</output>" },
        { role: "assistant", content: "```bash\ncat a.py\nls\n```" },
        { role: "user", content: "<returncode>1</returncode>\n<output>\nno\n</output>" },
        { role: "assistant", content: "I give up." },
      ],
      trajectory_format: "mini-swe-agent-1",
    },
  },
  langgraph: {
    format: langgraph,
    messages: 7,
    document: {
      values: {
        title: "Fern",
        messages: [
          { type: "human", id: "m1", content: [{ type: "text", text: "Water the fern." }], additional_kwargs: {}, response_metadata: {} },
          { type: "system", id: "m2", content: "One file was uploaded.", additional_kwargs: {}, response_metadata: {} },
          {
            type: "ai",
            id: "m3",
            content: "",
            additional_kwargs: { reasoning_content: "It may be dry." },
            response_metadata: { model_name: "m-1" },
            tool_calls: [{ id: "c1", name: "look", args: { at: "fern" }, type: "tool_call" }],
          },
          { type: "tool", id: "m4", content: "The soil is dry.", tool_call_id: "c1", name: "look", status: "success", artifact: null },
          { type: "ai", id: "m5", content: "I water it.", tool_calls: [{ id: "c2", name: "water", args: {}, type: "tool_call" }] },
          { type: "tool", id: "m6", content: "No cup.", tool_call_id: "c2", name: "water", status: "error", artifact: { cups: 0 } },
          { type: "ai", id: "m7", content: "There is no cup.", tool_calls: [] },
        ],
      },
      metadata: { thread_id: "t1", model_name: "m" },
    },
  },
  inspect: {
    format: inspect,
    messages: 7,
    document: {
      id: 7,
      epoch: 1,
      messages: [
        { role: "system", content: "You water plants." },
        { role: "user", content: "attachment://aa", source: "input" },
        {
          role: "assistant",
          content: "I look.",
          tool_calls: [{ id: "c1", function: "look", arguments: { at: "fern" }, view: { content: "fern" }, type: "function" }],
        },
        { role: "tool", tool_call_id: "c1", function: "look", content: "attachment://bb" },
        { role: "assistant", content: [{ type: "reasoning", reasoning: "Dry." }, { type: "text", text: "I water it." }], tool_calls: [{ id: "c2", function: "water", arguments: {} }] }, // prettier-ignore
        { role: "tool", tool_call_id: "c2", function: "water", content: "", error: { type: "timeout", message: "Timed out." } },
        { role: "assistant", content: "It did not work." },
      ],
      attachments: { aa: "Water the fern, which stands in the corner.", bb: "The soil is dry." },
      events: [],
    },
  },
  opencode: {
    format: opencode,
    messages: 3,
    document: {
      info: { id: "ses_1" },
      messages: [
        ocMessage("msg_1", "user", [{ type: "text", text: "Water the fern." }]),
        ocMessage("msg_2", "assistant", [
          { type: "step-start" },
          { type: "reasoning", text: "It may be dry." },
          { type: "text", text: "I look first." },
          ocTool("c1", "look", { status: "completed", input: { at: "fern" }, output: "The soil is dry.", metadata: { preview: "The soil is dry." } }),
          { type: "step-finish" },
          { type: "step-start" },
          ocTool("c2", "water", { status: "completed", input: { cups: 2 }, output: "Done." }),
          ocTool("c3", "look", { status: "error", input: {}, error: "No light." }),
          { type: "step-finish" },
          { type: "patch", files: [] },
        ]),
        ocMessage("msg_3", "assistant", [{ type: "step-start" }, { type: "text", text: "The fern has water." }, { type: "step-finish" }]),
      ],
    },
  },
  "gemini-cli": {
    format: geminiCli,
    messages: 4,
    document: {
      sessionId: "s1",
      projectHash: "h",
      messages: [
        { id: "1", timestamp: "2026-01-01T00:00:00Z", type: "user", content: "Water the fern." },
        {
          id: "2",
          timestamp: "2026-01-01T00:00:01Z",
          type: "gemini",
          content: "I look first.",
          thoughts: [{ subject: "Soil", description: "It may be dry." }],
          toolCalls: [geminiCall("c1", "look", { at: "fern" }, { output: "The soil is dry." }, "success")],
        },
        { id: "3", timestamp: "2026-01-01T00:00:02Z", type: "info", content: "An update is there." },
        {
          id: "4",
          timestamp: "2026-01-01T00:00:03Z",
          type: "gemini",
          content: "",
          toolCalls: [geminiCall("c2", "water", {}, { output: "Done." }, "success"), geminiCall("c3", "look", {}, { error: "No light." }, "error")],
        },
        { id: "5", timestamp: "2026-01-01T00:00:04Z", type: "gemini", content: "The fern has water." },
      ],
    },
  },
};

function ocMessage(id: string, role: string, parts: readonly object[]): object {
  const info = { id, sessionID: "ses_1", role, time: { created: Number(id.slice(4)) }, ...(role === "assistant" ? { parentID: "msg_1", modelID: "m" } : {}) };
  return { info, parts: parts.map((part, number) => ({ id: `prt_${id}${number}`, messageID: id, ...part })) };
}

function ocTool(callID: string, tool: string, state: object): object {
  return { type: "tool", callID, tool, state: { ...state, time: { start: 1, end: 2 } } };
}

function geminiCall(id: string, name: string, args: object, response: object, status: string): object {
  return { id, name, args, result: [{ functionResponse: { id, name, response } }], status, resultDisplay: "for people" };
}

/** Ways to change a log that every format must be able to write. */
const CHANGES: Readonly<Record<string, (log: readonly Message[]) => readonly Message[]>> = {
  "a shorter result": (log) => mapBlocks(log, firstOf(isToolResult), (block) => ({ ...block, content: "[cut]" })),
  "a result in parts": (log) => mapBlocks(log, firstOf(isToolResult), (block) => ({ ...block, content: [{ type: "text", text: "[cut]" }] })),
  "a shorter argument": (log) => mapBlocks(log, firstOf(isToolUse), (block) => ({ ...block, input: { command: "[cut]" } })),
  "another text beside the calls": (log) =>
    mapBlocks(log, (block) => isText(block) && block.text.startsWith("The fern"), () => ({ type: "text", text: "It has water." })), // prettier-ignore
  "a round is gone": withoutFirstRound,
  "a round is a note": (log) => {
    const at = firstCall(log);
    return log.flatMap((message, position) => (position === at ? [{ ...message, content: "[Tool: look]" }] : position === at + 1 ? [] : [message]));
  },
  "a user's summary": (log) => inFrontOfCall(withoutFirstRound(log), { role: "user", content: "What came before." }),
  "an assistant's summary": (log) => inFrontOfCall(withoutFirstRound(log), { role: "assistant", content: "What I did." }),
  "a summary first": (log) => [...log.slice(0, headLength(log)), { role: "user", content: "What came before." }, ...log.slice(headLength(log))],
  "two equal summaries": (log) => [...log, { role: "assistant", content: "Again." }, { role: "assistant", content: "Again." }],
  "no thinking": (log) =>
    log.map((message) => (hasThinking(message) ? { ...message, content: blocksOf(message).filter(({ type }) => type !== "thinking") } : message)),
  "a word of the user where the results were": (log) => {
    const at = firstCall(log);
    const said = [{ type: "text", text: "And the cactus." }];
    return log.flatMap((message, position) => (position === at ? [] : position === at + 1 ? [{ ...message, content: said }] : [message]));
  },
  "a word of the user beside the results": (log) =>
    log.flatMap((message, position) =>
      position === firstCall(log) + 1
        ? [{ ...message, content: [...blocksOf(message), { type: "text", text: "And the cactus." }] }]
        : [message],
    ), // prettier-ignore
};

function mapBlocks(log: readonly Message[], isMeant: (block: Block) => boolean, change: (block: Block) => Block): Message[] {
  return log.map((message) => {
    const before = blocksOf(message);
    const content = before.map((block) => (isMeant(block) ? change(block) : block));
    return typeof message.content === "string" && content.every((block, number) => block === before[number]) ? message : { ...message, content };
  });
}

function firstOf(isMeant: (block: Block) => boolean): (block: Block) => boolean {
  let first: Block | undefined;
  return (block) => isMeant(block) && (first ??= block) === block;
}

function firstCall(log: readonly Message[]): number {
  return log.findIndex((message) => blocksOf(message).some(isToolUse));
}

function withoutFirstRound(log: readonly Message[]): Message[] {
  const at = firstCall(log);
  return [...log.slice(0, at), ...log.slice(at + 2)];
}

function inFrontOfCall(log: readonly Message[], added: Message): Message[] {
  return log.toSpliced(firstCall(log), 0, added);
}

function headLength(log: readonly Message[]): number {
  return log.findIndex(({ role }) => role !== "system");
}

function hasThinking(message: Message): boolean {
  return blocksOf(message).some(({ type }) => type === "thinking");
}

for (const [name, { format, document, messages }] of Object.entries(SAMPLES)) {
  describe(name, () => {
    deepFreeze(document);
    const records = format.sections(document)[0]?.records ?? [];

    test("is taken for this format", () => {
      const found = TRANSCRIPT_FORMATS.find((each) => each.layout === "document" && each.detect(document));
      assert.equal(found?.name, format.name);
      const others = Object.values(SAMPLES).filter((sample) => sample.format !== format && sample.format.detect(document));
      assert.deepEqual(others, [], "and by no other of these");
    });

    test("has all messages of the file, and a result for each call", () => {
      const entries = messagesOf(format, document);
      assert.equal(entries.reduce((sum, { nativeMessages }) => sum + nativeMessages, 0), messages); // prettier-ignore
      const blocks = entries.flatMap(({ message }) => blocksOf(message));
      const calls = blocks.filter(isToolUse).map(({ id }) => id);
      assert.ok(calls.length >= 2);
      assert.equal(new Set(calls).size, calls.length, "each call has an id of its own");
      assert.deepEqual(blocks.filter(isToolResult).map(({ tool_use_id: id }) => id), calls); // prettier-ignore
    });

    test("gives the same objects back", () => {
      const back = recordsWith(format, document, (log) => log);
      assert.equal(back.length, records.length);
      back.forEach((record, position) => assert.equal(record, records[position]));
      assert.deepEqual(format.assemble(document, [back]), document);
    });

    for (const [what, change] of Object.entries(CHANGES)) {
      test(`writes a view that is read as it was: ${what}`, () => {
        const view = change(logOf(format, document));
        const written = recordsWith(format, document, () => view);
        const after = documentWith(format, document, written);
        assert.ok(format.detect(after), "a file of the format");
        const wanted = comparable(separately(view));
        assert.deepEqual(comparable(logOf(format, after)), wanted);
      });
    }

    test("a document with anything else anywhere in it is not taken, read or refused, and nothing else happens", () => {
      for (const damaged of damagedCopies(document)) {
        if (!format.detect(damaged)) continue;
        const log = logUnlessRefused(format, damaged);
        if (log === undefined) continue;
        assert.doesNotThrow(() => parseMessages(log), JSON.stringify(damaged));
        recordsWith(format, damaged, () => log);
        recordsWith(format, damaged, () => log.map((message) => ({ ...message, content: [...blocksOf(message)] })));
      }
    });

    test("keeps the records of messages that are not changed", () => {
      const written = recordsWith(format, document, withoutFirstRound);
      assert.ok(written.length <= records.length);
      assert.ok(written.filter((record) => records.includes(record)).length >= written.length - 1);
    });
  });
}

function logUnlessRefused(format: DocumentFormat, document: unknown): Message[] | undefined {
  try {
    return logOf(format, document);
  } catch (error) {
    assert.ok(PalimpsestError.isInstance(error) && error.code === "INVALID_INPUT", `${String(error)}: ${JSON.stringify(document)}`);
    return undefined;
  }
}

/** The value with each of its parts in turn being something else. */
function* damagedCopies(value: unknown): Generator {
  yield* [null, 1, "x", [], {}, [null], [{}]];
  if (Array.isArray(value)) for (const [number, part] of value.entries()) for (const other of damagedCopies(part)) yield value.with(number, other);
  else if (isRecord(value)) for (const [field, part] of Object.entries(value)) for (const other of damagedCopies(part)) yield { ...value, [field]: other };
}

/** What the user says beside results is a message of its own in these formats. */
function separately(view: readonly Message[]): Message[] {
  return view.flatMap((message) => {
    const results = blocksOf(message).filter(isToolResult);
    const others = blocksOf(message).filter((block) => !isToolResult(block));
    return results.length === 0 || others.length === 0
      ? [message]
      : [
          { ...message, content: results },
          { ...message, content: others },
        ];
  });
}
