/**
 * Whatever is given to an exported function, it returns or refuses it with a PalimpsestError that names the place: never a bare TypeError
 * or RangeError from inside.
 */
import Anthropic from "@anthropic-ai/sdk";
import assert from "node:assert/strict";
import OpenAI from "openai";
import { after, describe, test } from "node:test";
import { createThread, openThread, type Thread } from "../src/agent/index.ts";
import { palimpsestMiddleware, palimpsestPrepareStep } from "../src/agent/clients/ai-sdk.ts";
import { wrapAnthropic } from "../src/agent/clients/anthropic.ts";
import { wrapOpenAI } from "../src/agent/clients/openai.ts";
import { guarded } from "../src/errors/guarded.ts";
import * as formats from "../src/formats/index.ts";
import { openCompactor, openHistory, openStore, summaryMemo, type History } from "../src/history/index.ts";
import * as core from "../src/index.ts";
import * as policy from "../src/conversation/index.ts";
import * as pricing from "../src/pricing/index.ts";
import * as summarize from "../src/summarize/index.ts";
import { playTrajectory, reader, readerKey, readerPage, startProviderDouble } from "../src/testing/index.ts";
import { assistant, calls, res, user } from "./support/build.ts";

const { PalimpsestError } = core;

function nested(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = "x";
  for (let level = 0; level < levels; level++) value = wrap(value);
  return value;
}

function circular(): object {
  const value: Record<string, unknown> = { type: "tool_result", tool_use_id: "a" };
  value["self"] = value;
  value["content"] = [value];
  return value;
}

function circularList(): unknown[] {
  const list: unknown[] = [];
  list.push(list);
  return list;
}

const KEYS = ["role", "content", "type", "text", "id", "name", "input", "kind", "at", "model", "path", "toJSON", "length", "summary", "store", "preset"];

/** Whoever reads a field of it fails. */
function throwing(): object {
  const value = {};
  for (const key of KEYS)
    Object.defineProperty(value, key, {
      enumerable: true,
      get() {
        throw new Error(`a getter of ${key}`);
      },
    });
  return value;
}

const HOSTILE: Readonly<Record<string, unknown>> = {
  null: null,
  "a number": 7,
  NaN: NaN,
  "a BigInt": 1n,
  true: true,
  "a string": "x",
  "an empty string": "",
  "half a surrogate pair": "\ud800",
  "a symbol": Symbol("s"),
  "a function": () => 1,
  "a list of null": [null],
  "a sparse list": new Array(3),
  "an empty list": [],
  "a list of lists": [[[]]],
  "an empty object": {},
  "no prototype": Object.create(null),
  "toString is no function": { toString: 0, valueOf: 0 },
  "an inherited name": { constructor: 1, __proto__: null },
  "a circular object": circular(),
  "a circular list": circularList(),
  "nested objects": nested(5_000, (inner) => ({ inner })),
  "nested lists": nested(50_000, (inner) => [inner]),
  "nested results": nested(5_000, (inner) => ({ type: "tool_result", tool_use_id: "a", content: inner === "x" ? "x" : [inner] })),
  "getters that throw": throwing(),
  "a BigInt inside": { a: { b: 1n } },
  "a Date that is none": new Date(NaN),
  "a Map": new Map([["a", 1]]),
  bytes: new Uint8Array(3),
};

const q = user("q");
const LOG = [q, calls("a"), user(res("a", "found ".repeat(500))), assistant("Done."), user("next")];
const block = (fields: object): unknown => [q, { role: "assistant", content: [{ type: "text", text: "x" }, fields] }];

/** Messages with something hostile in them, at every place. */
function messagesWith(value: unknown): unknown[] {
  return [
    value,
    [value],
    [q, value],
    [{ role: value, content: "x" }],
    [{ role: "user", content: value }],
    [{ role: "user", content: [value] }],
    [{ ...q, more: value }],
    block({ type: value }),
    block({ type: "text", text: value }),
    block({ type: "text", text: "x", more: value }),
    block({ type: "tool_use", id: value, name: "n", input: {} }),
    block({ type: "tool_use", id: "a", name: value, input: {} }),
    block({ type: "tool_use", id: "a", name: "n", input: value }),
    [
      ...(block({ type: "tool_use", id: "a", name: "Read", input: { file_path: value, command: value, a: [value] } }) as unknown[]),
      user(res("a", "x".repeat(9_000))),
      assistant("k"),
      q,
    ],
    [q, calls("a"), { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: value }] }],
    [q, calls("a"), { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: [value], is_error: value }] }],
    [q, calls("a"), { role: "user", content: [{ type: "tool_result", tool_use_id: value, content: "x" }] }],
    block({ type: "thinking", thinking: value, signature: value }),
    block({ type: "image", source: value }),
    block({ type: "image", source: { type: "base64", media_type: value, data: value } }),
    block({ type: "document", source: { type: "content", content: value } }),
    block({ type: "odd", what: value }),
    block({ type: "tool_use", id: "a", name: "n", input: {}, cache_control: value }),
  ];
}

function editsWith(value: unknown): unknown[] {
  const edit = { id: "e", pass: "p", reason: "r", madeAt: 0, tokensBefore: 1, tokensAfter: 1 };
  return [
    value,
    [value],
    [{ kind: value, ...edit }],
    [{ kind: "replace-result", ...edit }],
    [{ kind: "replace-result", ...edit, at: value, callId: "a", form: "stub", content: "x" }],
    [{ kind: "replace-result", ...edit, at: { position: 2, block: 0 }, callId: value, form: value, content: value }],
    [{ kind: "replace-result", ...edit, at: { position: 2, block: 0 }, callId: "a", form: "stub", content: [value] }],
    [{ kind: "replace-input", ...edit, at: { position: 1, block: 0 }, input: value }],
    [{ kind: "collapse-round", ...edit, call: value, lastResult: 2, note: "n" }],
    [{ kind: "replace-range", ...edit, from: value, to: { position: 2, block: 0 }, role: "user", summary: value }],
    [{ kind: "replace-range", ...edit, from: { position: 0, block: 0 }, to: { position: 2, block: 0 }, role: value, summary: value }],
    [{ kind: "strip-blocks", ...edit, at: value }],
    [{ kind: "strip-blocks", ...edit, at: [value] }],
    [{ kind: "replace-block", ...edit, at: { position: 0, block: 0 }, text: value }],
    [{ kind: "replace-block", ...edit, madeAt: value, at: { position: 0, block: 0 }, text: "x" }],
  ];
}

/** An object with one of its fields replaced, and with one more. */
const optionsWith =
  (...keys: readonly string[]) =>
  (value: unknown): unknown[] => [value, { more: value }, ...keys.map((key) => ({ [key]: value }))];
const itself = (value: unknown): unknown[] => [value];

const target = optionsWith("bindsThinking", "thinking", "dropBlock", "prefill", "windowTokens", "history", "seenFrom", "store");
const POLICY_KEYS = [...Object.keys(policy.PRESETS.balanced), "preset", "budget", "model", "target", "thread", "tools", "pins", "state"];
const policyOptions = (value: unknown): unknown[] => [
  ...optionsWith(...POLICY_KEYS)(value),
  { tools: { a: value } },
  { tools: { a: { limit: value } } },
  { target: { thinking: value } },
];

/** What a function is given: the hostile forms of each argument, and the argument where another one is hostile. */
type Argument = readonly [hostile: (value: unknown) => unknown[], usual: unknown];
type Call = readonly [run: (...given: never[]) => unknown, ...args: readonly Argument[]];

const messages: Argument = [messagesWith, LOG];
const edits: Argument = [editsWith, []];
const targets: Argument = [target, {}];
const summarizer = (): Promise<string> => Promise.resolve("S.");
const aSummarizer: Argument = [itself, summarizer];
const usage = optionsWith("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens");

const CORE: Readonly<Record<string, Call>> = {
  checkMessages: [core.checkMessages, messages, targets],
  render: [core.render, messages, edits, targets],
  report: [core.report, messages, edits, targets],
  makeEdit: [core.makeEdit, [(value) => [...editsWith(value).flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : [list])), ...itself(value)], {}]],
  collapseToolChains: [
    core.collapseToolChains,
    messages,
    [
      optionsWith("collapseAfterTurns", "collapseMultiToolTurns", "collapseGistChars"),
      { collapseAfterTurns: 0, collapseMultiToolTurns: true, collapseGistChars: 9 },
    ],
    targets,
  ],
  pruneMessages: [core.pruneMessages, messages, [optionsWith("strategy", "maxTurns"), { strategy: "importance", maxTurns: 1 }], targets],
  summarizeAndPrune: [
    core.summarizeAndPrune,
    messages,
    [optionsWith("strategy", "summaryModel"), { strategy: "summarize", maxTurns: 1 }],
    aSummarizer,
    targets,
  ],
  compactOldToolResults: [
    core.compactOldToolResults,
    messages,
    [optionsWith("inputTokens", "onCompact", "inputTokenBudget"), { inputTokens: 99_999, onCompact: () => undefined }],
    targets,
  ],
  compactThread: [
    core.compactThread,
    messages,
    [(value) => [value, [value], [{ summary: value }], [{ from: value, to: value, summary: "s" }]], [{ summary: "S." }]],
    [optionsWith("strip", "target"), {}],
  ],
  compressToolResult: [
    core.compressToolResult,
    [(value) => [value, res("a", value as never), { type: "tool_result", tool_use_id: value }], res("a")],
    [optionsWith("maxToolResultTokens"), { maxToolResultTokens: 1 }],
  ],
  checkpointsIn: [core.checkpointsIn, messages],
  estimateMessages: [core.estimateMessages, messages, [optionsWith("kind", "mostTokens"), core.CLAUDE_IMAGES]],
  estimateTokens: [core.estimateTokens, [itself, "x"]],
  charsOver4: [core.charsOver4, [itself, "x"]],
  inputTokensOf: [core.inputTokensOf, [usage, { input_tokens: 1 }]],
  calibrate: [
    core.calibrate,
    [optionsWith("factor"), core.startCalibration(1)],
    [optionsWith("textTokens", "mediaTokens"), { textTokens: 1, mediaTokens: 1 }],
    [itself, 5],
  ],
  calibratedTokens: [
    core.calibratedTokens,
    [optionsWith("factor"), core.startCalibration(1)],
    [optionsWith("textTokens", "mediaTokens"), { textTokens: 1, mediaTokens: 1 }],
  ],
  startCalibration: [core.startCalibration, [itself, 1]],
  generateCheckpointId: [core.generateCheckpointId, [itself, new Set()]],
  createCheckpointContent: [core.createCheckpointContent, [itself, "abc123"]],
  "PalimpsestError.isInstance": [(value) => PalimpsestError.isInstance(value), [itself, 1]],
};

const compactedWith = ({ messages: view, edits: made, report }: policy.Compacted): unknown => [view, made, report];
const step = optionsWith("model", "headHash", "atMs");
const state = (value: unknown): unknown[] => [
  value,
  { version: value },
  ...["keys", "edits", "steps", "seenFrom", "pins"].map((key) => ({ ...policy.createCompactor().toJSON(), [key]: value })),
];
const BUSY = { firstSightTokens: 20, firstSightFileTokens: 20, tailTokens: 10, tailTurns: 0, minBatchTokens: 1, minResultTokens: 1 } as const;

const POLICY: Readonly<Record<string, Call>> = {
  compact: [(given, options) => compactedWith(policy.compact(given, options)), messages, [policyOptions, BUSY]],
  plan: [policy.plan, messages, [policyOptions, BUSY]],
  createCompactor: [policy.createCompactor, [(value) => [...policyOptions(value), ...state(value).map((given) => ({ state: given }))], {}]],
  "createCompactor, resumed": [(given) => policy.createCompactor({ state: given }).next(LOG), [state, policy.createCompactor().toJSON()]],
  "createCompactor.next": [
    (given, more) => {
      const compactor = policy.createCompactor(BUSY);
      compactor.next(LOG);
      compactedWith(compactor.next(given, more));
      compactor.next(structuredClone(LOG));
      return [compactor.explain(), JSON.stringify(compactor)];
    },
    messages,
    [step, {}],
  ],
  "createCompactor.append": [(given, more) => policy.createCompactor(BUSY).append(given, more), messages, [step, {}]],
  "createCompactor.pin": [(given) => policy.createCompactor().pin(given), [itself, 1]],
  "createCompactor.recall": [
    (given, more) => {
      const compactor = policy.createCompactor(BUSY);
      compactor.next(LOG);
      return compactor.recall(given, more);
    },
    [itself, "none"],
    [optionsWith("lines", "records", "grep", "maxTokens"), {}],
  ],
  "compact().recall": [
    (given, more) => policy.compact(LOG, BUSY).recall(given, more),
    [(value) => [value, { handle: value }, { handle: "none", lines: value }], "none"],
    [optionsWith("lines", "records", "grep", "maxTokens"), {}],
  ],
  runRecall: [(given) => policy.runRecall(policy.compact(LOG, BUSY), given), [(value) => [value, { handle: value }, { handle: "none", lines: value }], {}]],
  "createCompactor.unpin": [(given) => policy.createCompactor().unpin(given), [itself, 1]],
  policyFor: [(codec) => policy.policyFor(codec).compact([]), [itself, formats.openaiChat]],
  "policyFor().compact": [(given, options) => policy.policyFor(formats.openaiChat).compact(given, options), messages, [policyOptions, {}]],
};

const REQUEST = { messages: LOG, model: "claude-opus-5" };
const requests = (value: unknown): unknown[] => [value, ...["messages", "system", "tools", "model", "atMs", "outputTokens"].map((key) => ({ ...REQUEST, [key]: value })), ...messagesWith(value).map((given) => ({ ...REQUEST, messages: given }))]; // prettier-ignore
const modelOptions = (value: unknown): unknown[] => [...optionsWith("models", "onWarning", "ttl", "tokensOf")(value), { models: { x: value }, onWarning: () => undefined }, { models: { x: { prices: value, like: value } } }]; // prettier-ignore
const silent = { onWarning: () => undefined };

const PRICING: Readonly<Record<string, Call>> = {
  modelInfo: [pricing.modelInfo, [itself, "x"], [modelOptions, silent]],
  targetFor: [pricing.targetFor, [itself, "x"], [modelOptions, silent]],
  costOf: [
    (request, model, options) => pricing.costOf(Array.isArray(request) ? request : [request], model, options),
    [requests, REQUEST],
    [itself, "claude-opus-5"],
    [modelOptions, silent],
  ],
  "costOf of what is no list": [pricing.costOf, [itself, [REQUEST]], [itself, "claude-opus-5"]],
  createBiller: [(model, options) => pricing.createBiller(model, options).bill(REQUEST), [itself, "claude-opus-5"], [modelOptions, silent]],
  "createBiller().bill": [(request) => pricing.createBiller("claude-opus-5", silent).bill(request), [requests, REQUEST]],
};

const CODECS = { aiSdk: formats.aiSdk, anthropic: formats.anthropic, openaiChat: formats.openaiChat, openaiResponses: formats.openaiResponses };

/** Messages of any format, with something hostile at the places that formats read. */
function nativeWith(value: unknown): unknown[] {
  return [
    ...messagesWith(value),
    [{ role: "assistant", content: null, tool_calls: value }],
    [{ role: "assistant", content: null, tool_calls: [value] }],
    [{ role: "assistant", content: null, tool_calls: [{ id: value, type: "function", function: value }] }],
    [{ role: "assistant", content: null, tool_calls: [{ id: "a", type: "function", function: { name: value, arguments: value } }] }, { role: "tool", tool_call_id: "a", content: value }],
    [{ role: "tool", tool_call_id: value, content: "x" }],
    [{ type: "function_call", call_id: value, name: value, arguments: value }],
    [{ type: "function_call", call_id: "a", name: "n", arguments: value }, { type: "function_call_output", call_id: "a", output: value }],
    [{ type: "reasoning", summary: value, encrypted_content: value, id: value }],
    [{ type: "message", role: "assistant", content: [{ type: "output_text", text: value }] }],
    [{ role: "assistant", content: [{ type: "tool-call", toolCallId: value, toolName: value, input: value }] }],
    [{ role: "assistant", content: [{ type: "tool-call", toolCallId: "a", toolName: "n", input: value }] }, { role: "tool", content: [{ type: "tool-result", toolCallId: "a", toolName: "n", output: value }] }],
    [{ role: "assistant", content: [{ type: "tool-call", toolCallId: "a", toolName: "n", input: {} }] }, { role: "tool", content: [{ type: "tool-result", toolCallId: "a", toolName: "n", output: { type: "json", value } }] }],
    [{ role: "assistant", content: [{ type: "reasoning", text: value, providerOptions: value }] }],
  ]; // prettier-ignore
}

const native: Argument = [nativeWith, []];

const FORMATS: Readonly<Record<string, Call>> = {
  detectFormat: [formats.detectFormat, native],
  placeCacheMarkers: [formats.placeCacheMarkers, [requests, REQUEST], [optionsWith("frontier", "ttl", "max"), {}]],
  forFormat: [(codec, options) => formats.forFormat(codec, options).checkpointsIn([]), [itself, formats.openaiChat], [optionsWith("alternate"), {}]],
  ...Object.fromEntries(
    Object.entries(CODECS).flatMap(([name, codec]): [string, Call][] => {
      const { decode, encode, check, decodeResult, encodeResult } = codec as unknown as formats.Codec<object, object>;
      const of = formats.forFormat(codec as unknown as formats.Codec<object, object>);
      return [
        [`${name}.decode`, [decode, native]],
        [`${name}.encode`, [encode, messages]],
        [`${name}.encode of what it decoded`, [(given) => encode(decode(given)), native]],
        [`${name}.check`, [check, native, targets]],
        [`${name}.decodeResult`, [(given) => decodeResult(given, "result"), [(value) => nativeWith(value).flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : [list])), {}]]], // prettier-ignore
        [`${name}.encodeResult`, [encodeResult, [(value) => [value, res("a", value as never), res("a", [value] as never)], res("a")]]],
        [`forFormat(${name}).render`, [(given) => of.render(given, []), native]],
        [`forFormat(${name}).report`, [(given) => of.report(given, []), native]],
        [`forFormat(${name}).collapseToolChains`, [(given) => of.collapseToolChains(given, { collapseAfterTurns: 0 }), native]],
        [`forFormat(${name}).pruneMessages`, [(given) => of.pruneMessages(given, { strategy: "importance", maxTurns: 0 }), native]],
      ];
    }),
  ),
  readTranscript: [formats.readTranscript, [itself, "nowhere.json"], [optionsWith("format", "name", "onProgress"), {}]],
  loadTranscript: [formats.loadTranscript, [itself, "nowhere.json"], [optionsWith("format", "name", "onProgress"), {}]],
};

const summaryInput = (value: unknown): unknown[] => [value, ...["text", "system", "instructions", "targetTokens", "model", "signal"].map((key) => ({ text: "t", system: "s", [key]: value }))]; // prettier-ignore
const client = { messages: { create: () => Promise.reject(new PalimpsestError("INVALID_INPUT", "x", { path: "x" })) } };

const SUMMARIZE: Readonly<Record<string, Call>> = {
  transcriptText: [summarize.transcriptText, messages],
  ledgerOf: [summarize.ledgerOf, messages],
  extractive: [summarize.extractive, [optionsWith("targetTokens", "maxTokens"), {}]],
  "extractive()": [(given) => summarize.extractive()(given), [summaryInput, { text: "t", system: "s" }]],
  anthropic: [summarize.anthropic, [optionsWith("client", "model", "maxTokens"), { client, model: "m" }]],
  openaiCompatible: [summarize.openaiCompatible, [optionsWith("client", "model", "baseUrl", "apiKey"), { model: "m", client: { chat: {} } }]],
  checked: [summarize.checked, aSummarizer, [optionsWith("onFallback", "fallback", "timeoutMs"), {}]],
  "checked()": [(given) => summarize.checked(summarizer)(given), [summaryInput, { text: "t", system: "s" }]],
  inBackground: [summarize.inBackground, aSummarizer, [optionsWith("onError", "maxWaiting", "concurrency"), {}]],
  memoized: [summarize.memoized, aSummarizer, [itself, new Map()], [itself, "i"]],
};

const THREAD_KEYS = [
  "policy",
  "compress",
  "collapse",
  "prune",
  "budget",
  "model",
  "target",
  "tools",
  "compact",
  "recall",
  "strip",
  "reminder",
  "overview",
  "state",
];
const threadOptions = (value: unknown): unknown[] => [...optionsWith(...THREAD_KEYS)(value), { state: { ...createThread().toJSON(), log: value } }, { state: { ...createThread().toJSON(), edits: value, pins: value, held: value } }]; // prettier-ignore
const frontEndOptions = (value: unknown): unknown[] => [...optionsWith(...THREAD_KEYS, "cache", "rescue", "maxThreads", "onEvent", "models", "onWarning")(value)]; // prettier-ignore

function waiting(): Thread {
  const thread = createThread();
  thread.user("q");
  thread.assistant([{ type: "tool_use", id: "a", name: "read", input: {} }] as never);
  return thread;
}

const contents = (value: unknown): unknown[] => [...messagesWith(value), ...messagesWith(value).flatMap((list) => (Array.isArray(list) ? (list as unknown[]).map((message) => (message as { content?: unknown } | null | undefined)?.content) : []))]; // prettier-ignore

/** `content` of what has a getter that throws is none. */
const safely = (make: (value: unknown) => unknown[]) => (value: unknown) => {
  try {
    return make(value);
  } catch {
    return messagesWith(value);
  }
};

const AGENT: Readonly<Record<string, Call>> = {
  createThread: [createThread, [threadOptions, {}]],
  openThread: [
    async (given) => (await openThread(given)).close(),
    [
      (value) => [
        ...threadOptions(value),
        ...threadOptions(value).map((given) =>
          typeof given === "object" && given !== null && Reflect.ownKeys(given).length === 1 && !("toJSON" in given) ? { store: "memory", ...given } : given,
        ),
      ],
      { store: "memory" },
    ],
  ],
  "thread.user": [(given) => createThread().user(given), [safely(contents), "q"]],
  "thread.assistant": [
    (given) => {
      const thread = createThread();
      thread.user("q");
      return [thread.assistant(given), thread.request(), thread.toJSON()];
    },
    [safely(contents), "a"],
  ],
  "thread.toolResults": [(given) => waiting().toolResults(given), [(value) => [value, [value], [res("a", value as never)], [res("a", [value] as never)]], []]],
  "thread.observe": [(given) => createThread().observe(given), [usage, {}]],
  "thread.compact": [(given) => waiting().compact(given), [(value) => [value, [value], [{ summary: value }], [{ from: value, summary: "s" }]], []]],
  "thread.recall": [(given) => waiting().recall(given), [optionsWith("handle", "lines", "matching", "pattern"), {}]],
  "thread.undo": [(given) => waiting().undo(given), [itself, "e"]],
  "thread.pin": [(given, reason) => waiting().pin(given, reason), [itself, 0], [itself, "r"]],
  "thread.unpin": [(given) => waiting().unpin(given), [itself, "p"]],
  "thread.truncate": [(given) => waiting().truncate(given), [itself, 0]],
  "thread.on": [(event, listener) => waiting().on(event, listener), [itself, "messages-updated"], [itself, () => undefined]],
  wrapAnthropic: [wrapAnthropic, [itself, new Anthropic({ apiKey: "none" })], [frontEndOptions, {}]],
  wrapOpenAI: [wrapOpenAI, [itself, new OpenAI({ apiKey: "none" })], [frontEndOptions, {}]],
  palimpsestMiddleware: [palimpsestMiddleware, [frontEndOptions, {}]],
  palimpsestPrepareStep: [palimpsestPrepareStep, [frontEndOptions, {}]],
};

const onHistory =
  (use: (history: History, ...given: never[]) => Promise<unknown>) =>
  async (...given: never[]): Promise<unknown> => {
    const history = await openHistory({ store: "memory" });
    try {
      await history.append(LOG);
      return await use(history, ...given);
    } finally {
      await history.close();
    }
  };

const QUERY = optionsWith("name", "after", "before", "text", "errors", "minTokens", "limit", "kinds", "roles");
const commitOptions = optionsWith("author", "reason", "time", "times", "edit", "isError");

const HISTORY: Readonly<Record<string, Call>> = {
  openStore: [async (address, options) => (await openStore(address, options)).close(), [itself, "memory"], [optionsWith("create"), {}]],
  openHistory: [
    async (given) => (await openHistory(given)).close(),
    [
      (value) => [...itself(value), ...["thread", "summarizer", "hookTimeoutMs", "more", "store"].map((key) => ({ store: "memory", [key]: value }))],
      { store: "memory" },
    ],
  ],
  openCompactor: [
    async (given) => (await openCompactor(given)).close(),
    [
      (value) => [...itself(value), ...[...POLICY_KEYS, "store"].map((key) => ({ store: "memory", thread: "t", [key]: value }))],
      { store: "memory", thread: "t" },
    ],
  ],
  summaryMemo: [summaryMemo, [itself, {}]],
  user: [onHistory((history, ...given) => history.user(...(given as unknown as [never]))), [safely(contents), "q"], [commitOptions, {}]],
  assistant: [onHistory((history, ...given) => history.assistant(...(given as unknown as [never]))), [safely(contents), "a"], [commitOptions, {}]],
  append: [onHistory((history, ...given) => history.append(...(given as unknown as [never]))), messages, [commitOptions, {}]],
  toolResult: [
    onHistory(async (history, ...given) => {
      await history.assistant([{ type: "tool_use", id: "b", name: "read", input: {} }] as never);
      return history.toolResult(...(given as unknown as [never, never, never]));
    }),
    [itself, "b"],
    [itself, "read"],
    [safely(contents), "x"],
    [commitOptions, {}],
  ],
  compress: [
    onHistory((history, given) => history.compress(given)),
    [optionsWith("commits", "from", "to", "systemPrompt", "instructions", "preserve", "targetTokens", "content"), {}],
  ],
  compressToolCalls: [
    onHistory((history, ...given) => history.compressToolCalls(...(given as unknown as [never]))),
    [(value) => [value, [value]], []],
    [optionsWith("name", "targetTokens", "instructions"), {}],
  ],
  undo: [onHistory((history, ...given) => history.undo(...(given as unknown as [never]))), [itself, "e"], [commitOptions, {}]],
  findToolResults: [onHistory((history, given) => history.findToolResults(given)), [QUERY, {}]],
  findToolCalls: [onHistory((history, given) => history.findToolCalls(given)), [QUERY, {}]],
  findToolTurns: [onHistory((history, given) => history.findToolTurns(given)), [QUERY, {}]],
  configureToolSummarization: [
    onHistory((history, given) => history.configureToolSummarization(given)),
    [optionsWith("autoThreshold", "instructions", "defaultInstructions", "background", "summarizerName"), {}],
  ],
  on: [onHistory((history, ...given) => history.on(...(given as unknown as [never, never]))), [itself, "tool_result"], [itself, () => undefined]],
  log: [onHistory((history, given) => history.log(given)), [QUERY, {}]],
  getCommit: [onHistory((history, given) => history.getCommit(given)), [optionsWith("hash"), "x"]],
  getContent: [onHistory((history, given) => history.getContent(given)), [optionsWith("hash"), "x"]],
  getEdit: [onHistory((history, given) => history.getEdit(given)), [optionsWith("hash"), "x"]],
  view: [onHistory((history, given) => history.view(given)), [optionsWith("at", "target"), {}]],
  diff: [onHistory((history, ...given) => history.diff(...(given as unknown as [never, never]))), [itself, "x"], [itself, "x"]],
  commitEdits: [onHistory((history, given) => history.commitEdits(given)), edits],
  record: [onHistory((history, given) => history.record(given)), [optionsWith("upTo", "model", "headHash", "atMs", "usage"), { upTo: 1, model: "m" }]],
  branch: [onHistory((history, ...given) => history.branch(...(given as unknown as [never]))), [itself, "b"], [optionsWith("at"), {}]],
  switch: [onHistory((history, given) => history.switch(given)), [itself, "b"]],
  import: [onHistory((history, given) => history.import(given)), [itself, "x"]],
  retain: [onHistory((history, given) => history.retain(given)), [optionsWith("olderThan"), {}]],
  forget: [onHistory((history, given) => history.forget(given)), [itself, "t"]],
};

const started: { close(): Promise<void> }[] = [];
after(() => Promise.all(started.map((double) => double.close())));

const TESTING: Readonly<Record<string, Call>> = {
  playTrajectory: [playTrajectory, messages],
  reader: [reader, [optionsWith("pages", "seed", "questions"), {}]],
  readerKey: [readerKey, [itself, 1]],
  readerPage: [readerPage, [itself, 1]],
  startProviderDouble: [
    async (options) => {
      started.push(await startProviderDouble(options));
    },

    [(value) => [...optionsWith("script", "rules", "port", "apiKey")(value)], {}],
  ],
};

const PLACED = new Set(["INVALID_INPUT", "INVALID_OPTION"]);

/** What goes wrong with this argument, in words; undefined: it is taken or refused. */
async function failureOf(run: (...given: never[]) => unknown, given: readonly unknown[]): Promise<string | undefined> {
  try {
    await run(...(given as never[]));
    return undefined;
  } catch (error) {
    if (!(error instanceof PalimpsestError))
      return error instanceof Error ? (error.stack ?? error.message).split("\n").slice(0, 4).join(" | ") : "no error at all";
    return PLACED.has(error.code) && typeof error.data["path"] !== "string" ? `no path: ${error.message}` : undefined;
  }
}

for (const [subpath, functions] of Object.entries({ CORE, POLICY, PRICING, FORMATS, SUMMARIZE, AGENT, HISTORY, TESTING })) {
  describe(subpath.toLowerCase(), () => {
    for (const [name, [run, ...args]] of Object.entries(functions)) {
      test(`${name} takes or refuses anything`, async () => {
        const failures: string[] = [];
        for (const [number, [hostile]] of args.entries()) {
          for (const [what, value] of Object.entries(HOSTILE)) {
            for (const [form, given] of hostile(value).entries()) {
              const failure = await failureOf(run, args.map(([, usual], other) => (other === number ? given : usual))); // prettier-ignore
              if (failure !== undefined) failures.push(`argument ${number}, ${what}, form ${form}: ${failure}`);
            }
          }
        }
        assert.deepEqual(failures.slice(0, 5), [], `${failures.length} failures`);
      });
    }
  });
}

describe("what cannot be read is named by its place", () => {
  const withInput = (input: unknown): never => block({ type: "tool_use", id: "a", name: "n", input }) as never;
  const circularInput: Record<string, unknown> = {};
  circularInput["self"] = circularInput;
  const ROWS: readonly (readonly [what: string, attempt: () => unknown, path: string])[] = [
    ["estimateMessages, nested", () => core.estimateMessages(withInput(HOSTILE["nested objects"]), core.CLAUDE_IMAGES), "messages.1.content.1.input.inner.inner.inner.inner"],
    ["estimateMessages, circular", () => core.estimateMessages(withInput(circularInput), core.CLAUDE_IMAGES), "messages.1.content.1.input.self"],
    ["estimateMessages, null", () => core.estimateMessages([null] as never, core.CLAUDE_IMAGES), "messages.0"],
    ["report, nested", () => core.report(withInput(HOSTILE["nested objects"]), []), "log.1.content.1.input.inner.inner.inner.inner"],
    ["report, circular", () => core.report(withInput(circularInput), []), "log.1.content.1.input.self"],
    ["report, null", () => core.report([null] as never, []), "messages.0"],
    ["compact, a BigInt", () => policy.compact(withInput({ a: 1n })), "messages.1.content.1.input.a"],
    ["plan, a BigInt", () => policy.plan(withInput({ a: 1n })), "messages.1.content.1.input.a"],
    ["next, a BigInt", () => policy.createCompactor().next(withInput({ a: 1n })), "messages.1.content.1.input.a"],
    ["makeEdit, half of it", () => core.makeEdit({ kind: "replace-result" } as never), "draft.madeAt"],
    ["makeEdit, no place", () => core.makeEdit({ kind: "replace-result", madeAt: 0 } as never), "draft.at"],
  ]; // prettier-ignore
  for (const [what, attempt, path] of ROWS)
    test(what, () => assert.throws(attempt, (error: unknown) => PalimpsestError.isInstance(error) && error.code === "INVALID_INPUT" && error.data["path"] === path)); // prettier-ignore

  test("a fault of our own stays what it is", () => {
    const failing = (): void => {
      throw new TypeError("ours");
    };
    assert.throws(() => guarded(failing, "messages")(), new TypeError("ours"));
  });
});
