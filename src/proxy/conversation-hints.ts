import type { IncomingHttpHeaders } from "node:http";
import type { CallRecord } from "../agent/calls/call-record.ts";
import { BESIDE, type ConversationHints } from "../agent/calls/call-context.ts";
import { fieldsOf } from "../agent/wires/json-fields.ts";

/** Headers by which clients identify a conversation. The first one present counts. */
const HEADERS = {
  // Claude Code, Codex, opencode and Kilo.
  session: ["x-claude-code-session-id", "thread-id", "session-id", "session_id", "x-session-id"],
  agent: ["x-claude-code-agent-id"],
  parentSession: ["x-parent-session-id", "x-claude-code-parent-agent-id"],
} as const;

/** How user agents begin. A client may claim to be another one. */
const AGENTS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^claude-cli\/([\w.-]+)/, "Claude Code"],
  [/^codex[\w-]*\/([\w.-]+)/, "Codex"],
  [/^opencode\/([\w.-]+)/, "opencode"],
  [/^Kilo-Code\/([\w.-]+)/i, "Kilo"],
  [/^pi \(|^pi\/([\w.-]+)/, "pi"],
  [/^QwenCode\/([\w.-]+)/i, "Qwen Code"],
  [/^Continue\/([\w.-]+)/i, "Continue"],
  [/^Anthropic\/\w+ ([\w.-]+)/, "Anthropic SDK"],
  [/^OpenAI\/\w+ ([\w.-]+)/, "OpenAI SDK"],
  [/^kimi-code-cli\/([\w.-]+)/, "Kimi Code"],
  [/^Agents\/JavaScript ([\w.-]+)/, "OpenAI Agents SDK"],
  [/^langchainjs-\w+\/([\w.-]+)/, "LangChain"],
  [/^ai(?:[-/]sdk[-/][\w-]+)?\/([\w.-]+)/, "AI SDK"],
];
const MOST_CHARS = 80;
/** Clients can send headers of any length. */
const MOST_NAME_CHARS = 500;

/** Returns what a request says about its conversation, besides its messages. */
export function hintsOf(headers: IncomingHttpHeaders, body: object): ConversationHints {
  const first = (names: readonly string[]): string | undefined => names.map((name) => oneOf(headers[name])).find((value) => value !== undefined);
  const { prompt_cache_key: cacheKey } = fieldsOf(body);
  return {
    thread: nameOfClient(oneOf(headers["x-palimpsest-thread"])),
    session: first(HEADERS.session) ?? (typeof cacheKey === "string" ? cacheKey : undefined),
    agent: first(HEADERS.agent),
    parentSession: first(HEADERS.parentSession) ?? codexParent(headers),
  };
}

/** Ignores ids that we made up ourselves: for those, the messages decide which conversation it is. */
function nameOfClient(thread: string | undefined): string | undefined {
  return thread === undefined || thread === BESIDE || /^c-[0-9a-f]{16}$/.test(thread) ? undefined : thread;
}

/** Returns what the request says about the client. */
export function clientOf(headers: IncomingHttpHeaders, hints: ConversationHints): CallRecord["client"] {
  const userAgent = oneOf(headers["user-agent"]);
  const [agent, version] = userAgent === undefined ? [] : agentIn(userAgent);
  const project = Object.keys(fieldsOf(codexTurn(headers)["workspaces"]))[0];
  const { session, agent: subAgent, parentSession } = hints;
  const known = { agent, version, session, subAgent, parentSession, project };
  return Object.fromEntries(Object.entries(known).flatMap(([name, value]) => (value === undefined ? [] : [[name, value.slice(0, MOST_NAME_CHARS)]])));
}

function agentIn(userAgent: string): readonly [name: string, version?: string] {
  for (const [pattern, name] of AGENTS) {
    const found = pattern.exec(userAgent);
    if (found !== null) return found[1] === undefined ? [name] : [name, found[1]];
  }
  return [userAgent.slice(0, MOST_CHARS)];
}

/** Codex describes the turn in one header, as JSON. */
function codexTurn(headers: IncomingHttpHeaders): Readonly<Record<string, unknown>> {
  try {
    return fieldsOf(JSON.parse(oneOf(headers["x-codex-turn-metadata"]) ?? "{}"));
  } catch {
    return {};
  }
}

function codexParent(headers: IncomingHttpHeaders): string | undefined {
  const { parent_thread_id: parent, session_id: session, thread_id: thread } = codexTurn(headers);
  const named = typeof parent === "string" ? parent : session;
  return typeof named === "string" && named !== thread ? named : undefined;
}

function oneOf(value: string | readonly string[] | undefined): string | undefined {
  const text = typeof value === "string" ? value : value?.[0];
  return text === undefined || text === "" ? undefined : text;
}
