/** Small sessions of invented content, one for each format of lines. */

export const codexTime = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const codexRecord = (type: string, payload: object, second = 0): object => ({ timestamp: codexTime(second), type, payload });
export const codexItem = (payload: object, second = 0): object => codexRecord("response_item", payload, second);
export const codexWords = (role: string, text: string): object => ({
  type: "message",
  role,
  content: [{ type: role === "assistant" ? "output_text" : "input_text", text }],
});
export const codexCall = (id: string, more: object = {}): object => ({ type: "function_call", name: "shell", arguments: '{"cmd":"ls"}', call_id: id, ...more });
export const codexOutput = (id: string, text = `out ${id}`): object => ({ type: "function_call_output", call_id: id, output: text });
const codexTokens = (input: number): object =>
  codexRecord("event_msg", { type: "token_count", info: { last_token_usage: { input_tokens: input, cached_input_tokens: 10, output_tokens: 5 } } });

export const CODEX: readonly object[] = [
  codexRecord("session_meta", { id: "run-1", base_instructions: { text: "Be brief." } }),
  codexItem(codexWords("developer", "rules"), 1),
  codexItem(codexWords("user", "list the files"), 2),
  codexRecord("turn_context", { model: "gpt-x" }),
  codexRecord("event_msg", { type: "user_message", message: "list the files" }),
  codexItem({ type: "reasoning", id: "rs_1", summary: [] }, 3),
  codexItem(codexWords("assistant", "I look."), 3),
  codexItem(codexCall("a"), 3),
  codexItem(codexCall("b"), 4),
  codexTokens(100),
  codexItem(codexOutput("a"), 5),
  codexItem(codexOutput("b"), 6),
  codexTokens(999),
  codexItem({ type: "ghost_snapshot", id: "g" }),
  codexItem({ type: "custom_tool_call", name: "patch", input: "*** p", call_id: "c" }, 7),
  codexItem({ type: "custom_tool_call_output", call_id: "c", output: "done c" }, 8),
  codexTokens(200),
  codexRecord("compacted", { message: "", replacement_history: [] }, 9),
  codexRecord("turn_context", { model: "gpt-y" }),
  codexItem(codexWords("assistant", "There are two."), 10),
  codexRecord("event_msg", { type: "token_count", info: null }),
];

let lastEvent: string | null = null;
interface CopilotEvent {
  readonly type: string;
  readonly data: object;
  readonly id: string;
  readonly parentId: string | null;
  readonly timestamp: string;
}

function copilotEvent(type: string, data: object, id: string): CopilotEvent {
  const made = { type, data, id, timestamp: "2026-01-01T00:00:01.000Z", parentId: lastEvent };
  lastEvent = id;
  return made;
}

const copilotRequest = (id: string): object => ({ toolCallId: id, name: "bash", arguments: { command: id }, type: "function" });
const copilotResult = (id: string, data: object): CopilotEvent => copilotEvent("tool.execution_complete", { toolCallId: id, ...data }, `done-${id}`);

export const COPILOT_CLI: readonly CopilotEvent[] = [
  copilotEvent("session.start", { sessionId: "s-1" }, "1"),
  copilotEvent("system.message", { role: "system", content: "You are an agent." }, "2"),
  copilotEvent("user.message", { content: "hello", transformedContent: "<now/>hello" }, "3"),
  copilotEvent(
    "assistant.message",
    { model: "m", content: "I try.", reasoningText: "hm", reasoningOpaque: "xx", toolRequests: [copilotRequest("a"), copilotRequest("b")] },
    "4",
  ),
  copilotEvent("tool.execution_start", { toolCallId: "a" }, "5"),
  copilotResult("a", { success: true, result: { content: "out a", detailedContent: "out a in full" } }),
  copilotResult("b", { success: false, error: { message: "it failed" } }),
  copilotEvent("assistant.message", { model: "m", content: "inner", parentToolCallId: "a" }, "6"),
  copilotEvent("session.compaction_complete", { preCompactionTokens: 900 }, "7"),
  copilotEvent("assistant.message", { model: "m", content: "Done.", toolRequests: [] }, "8"),
];

const piUsage = { input: 3, output: 7, cacheRead: 20, cacheWrite: 10 };
export const PI_TIME = "2026-01-01T00:00:01.000Z";
export const piText = (content: string): object => ({ type: "text", text: content });

export const PI: readonly object[] = [
  { type: "session", version: 3, id: "s-1", timestamp: PI_TIME, cwd: "/w", modelId: "m-1" },
  { type: "message", id: "1", parentId: null, timestamp: PI_TIME, message: { role: "user", content: [piText("hello")] } },
  {
    type: "message",
    id: "2",
    parentId: "1",
    timestamp: PI_TIME,
    message: {
      role: "assistant",
      model: "m-2",
      usage: piUsage,
      content: [
        { type: "thinking", thinking: "hm", thinkingSignature: "sig" },
        { type: "toolCall", id: "a", name: "read", arguments: { path: "x" } },
        { type: "toolCall", id: "b", name: "read", arguments: { path: "y" } },
      ],
    },
  },
  {
    type: "message",
    id: "3",
    parentId: "2",
    timestamp: PI_TIME,
    message: { role: "toolResult", toolCallId: "a", toolName: "read", content: [piText("out a")], details: "out a in full" },
  },
  {
    type: "message",
    id: "4",
    parentId: "3",
    timestamp: PI_TIME,
    message: { role: "toolResult", toolCallId: "b", toolName: "read", content: [piText("no")], isError: true },
  },
  { type: "model_change", id: "5", parentId: "4", timestamp: PI_TIME, modelId: "m-3" },
  { type: "compaction", id: "6", parentId: "5", timestamp: PI_TIME, summary: "S.", tokensBefore: 500 },
  { type: "message", id: "7", parentId: "6", timestamp: PI_TIME, message: { role: "assistant", model: "m-3", usage: piUsage, content: [piText("done")] } },
  { type: "message", id: "8", parentId: "7", timestamp: PI_TIME, message: { role: "user", content: "thanks" } },
];

const openhandsTime = "2026-01-01T00:00:01.500000";
const openhandsResponse = (id: string, content: string, ...calls: readonly string[]): object => ({
  id,
  model: "m",
  usage: { prompt_tokens: 50, completion_tokens: 5 },
  choices: [
    {
      message: { role: "assistant", content, tool_calls: calls.map((call) => ({ id: call, function: { name: "bash", arguments: `{"command":"${call}"}` } })) },
    },
  ],
});
const openhandsMetadata = (call: string, made: object): object => ({ tool_call_metadata: { function_name: "bash", tool_call_id: call, model_response: made } });
const openhandsRun = (id: number, call: string, made: object): object => ({
  id,
  timestamp: openhandsTime,
  source: "agent",
  action: "run",
  args: { command: call, thought: "" },
  ...openhandsMetadata(call, made),
});
const openhandsRan = (id: number, cause: number, content: string, more: object = {}): object => ({
  id,
  timestamp: openhandsTime,
  source: "agent",
  observation: "run",
  cause,
  content,
  extras: { diff: content },
  ...more,
});

const both = openhandsResponse("r1", "Two at once.", "a", "b");
export const OPENHANDS_HISTORY: readonly object[] = [
  {
    id: 0,
    timestamp: openhandsTime,
    source: "agent",
    action: "system",
    message: "Be an agent.",
    args: { content: "Be an agent.", tools: [{ type: "function" }] },
  },
  { id: 1, timestamp: openhandsTime, source: "user", action: "message", message: "fix it", args: { content: "fix it" } },
  { id: 2, timestamp: openhandsTime, source: "user", action: "recall", args: { query: "fix it" } },
  {
    id: 3,
    timestamp: openhandsTime,
    source: "environment",
    observation: "recall",
    cause: 2,
    content: "Found",
    extras: { microagent_knowledge: [{ content: "About git." }] },
  },
  openhandsRun(4, "a", both),
  openhandsRan(5, 4, "out a"),
  openhandsRun(6, "b", both),
  openhandsRan(7, 6, "out b"),
  { id: 8, timestamp: openhandsTime, source: "environment", observation: "agent_state_changed", content: "" },
  { id: 9, timestamp: openhandsTime, source: "agent", action: "condensation", args: {} },
  { id: 10, timestamp: openhandsTime, source: "agent", action: "browse", args: { url: "u", thought: "The older way." } },
  openhandsRan(11, 10, "a page", { observation: "error" }),
  { id: 12, timestamp: openhandsTime, source: "agent", observation: "error", content: "Malformed call." },
  { id: 13, timestamp: openhandsTime, source: "agent", action: "message", args: { content: "I stop." } },
];

export const CLAUDE_CODE: readonly object[] = [
  { type: "summary", summary: "An earlier title", leafUuid: "x" },
  { type: "user", uuid: "1", parentUuid: null, sessionId: "s-1", timestamp: "2026-01-01T00:00:01.000Z", message: { role: "user", content: "hello" } },
  { type: "file-history-snapshot", messageId: "1", snapshot: {} },
  claudeLine("2", "1", "assistant", [{ type: "thinking", thinking: "hm", signature: "s" }], { id: "m1", model: "m", usage: { input_tokens: 1 } }),
  claudeLine("3", "2", "assistant", [{ type: "tool_use", id: "a", name: "read", input: { path: "x" } }], {
    id: "m1",
    model: "m",
    usage: { input_tokens: 5, output_tokens: 2 },
  }),
  { ...claudeLine("4", "3", "user", [{ type: "tool_result", tool_use_id: "a", content: "out a" }], {}), toolUseResult: { stdout: "out a" } },
  claudeLine("5", "4", "assistant", [{ type: "tool_use", id: "b", name: "read", input: { path: "y" } }], { id: "m1", model: "m" }),
  claudeLine("6", "5", "user", [{ type: "tool_result", tool_use_id: "b", content: "out b" }], {}),
  { type: "system", subtype: "compact_boundary", uuid: "7", parentUuid: "6", sessionId: "s-1", compactMetadata: { preTokens: 900 } },
  claudeLine("8", "7", "assistant", [{ type: "text", text: "done" }], { id: "m2", model: "m" }),
  { ...claudeLine("9", "8", "user", [{ type: "text", text: "another agent's" }], {}), isSidechain: true },
];

function claudeLine(uuid: string, parentUuid: string, role: "user" | "assistant", content: readonly object[], more: object): object {
  return { type: role, uuid, parentUuid, sessionId: "s-1", timestamp: "2026-01-01T00:00:02.000Z", message: { role, content, ...more } };
}
