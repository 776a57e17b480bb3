import type { IncomingHttpHeaders } from "node:http";
import { fieldsOf } from "../agent/wires/json-fields.ts";
import type { ConversationHints } from "./engine.ts";

/** Which header of which client says what. The first that is there counts. */
const HEADERS = {
  // Claude Code, Codex, opencode and Kilo.
  session: ["x-claude-code-session-id", "session-id", "session_id", "x-session-id", "thread-id"],
  agent: ["x-claude-code-agent-id"],
  parentSession: ["x-parent-session-id", "x-claude-code-parent-agent-id"],
} as const;

/** Returns what a request says about its conversation, beside its messages. */
export function hintsOf(headers: IncomingHttpHeaders, body: object): ConversationHints {
  const first = (names: readonly string[]): string | undefined => names.map((name) => oneOf(headers[name])).find((value) => value !== undefined);
  const { prompt_cache_key: cacheKey } = fieldsOf(body);
  return {
    thread: oneOf(headers["x-palimpsest-thread"]),
    session: first(HEADERS.session) ?? (typeof cacheKey === "string" ? cacheKey : undefined),
    agent: first(HEADERS.agent),
    parentSession: first(HEADERS.parentSession),
  };
}

function oneOf(value: string | readonly string[] | undefined): string | undefined {
  const text = typeof value === "string" ? value : value?.[0];
  return text === undefined || text === "" ? undefined : text;
}
