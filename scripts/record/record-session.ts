import type { Message, TextBlock, ToolResultBlock, ToolUseBlock } from "../../src/messages/message.ts";
import { runCall } from "./tools.ts";
import type { Call, Result } from "./tools.ts";
import type { Workspace } from "./workspace.ts";

/** What happens next: the user writes, or the agent says something and calls tools. */
export type Turn = { readonly user: string } | { readonly says: string; readonly calls: readonly Call[]; readonly expectFailure: boolean };

/** A session is a generator: it yields turns and receives the results, so that later turns can build on them. */
export type Session = Generator<Turn, void, readonly Result[]>;

export function user(text: string): Turn {
  return { user: text };
}

/** Calls of one turn are made in parallel: they must not depend on each other. */
export function agent(says: string, ...calls: readonly Call[]): Turn {
  return { says, calls, expectFailure: false };
}

/** The one call of this turn must fail; otherwise the session is not recorded. */
export function failingAgent(says: string, call: Call): Turn {
  return { says, calls: [call], expectFailure: true };
}

export function recordSession(session: Session, workspace: Workspace): Message[] {
  const messages: Message[] = [];
  let callsMade = 0;
  for (let step = session.next([]); step.done !== true;) {
    const turn = step.value;
    if ("user" in turn) {
      messages.push({ role: "user", content: turn.user });
      step = session.next([]);
      continue;
    }
    const uses = turn.calls.map((call): ToolUseBlock => ({ type: "tool_use", id: callId(++callsMade), name: call.name, input: call.input }));
    const results = turn.calls.map((call) => runExpected(call, turn.expectFailure, workspace));
    messages.push({ role: "assistant", content: [text(turn.says), ...uses] });
    if (uses.length > 0) messages.push({ role: "user", content: uses.map((use, index) => answer(use, results[index])) });
    step = session.next(results);
  }
  return messages;
}

function runExpected(call: Call, expectFailure: boolean, workspace: Workspace): Result {
  const result = runCall(call, workspace);
  if (result.failed === expectFailure) return result;
  throw new Error(`${call.name} ${JSON.stringify(call.input)} should have ${expectFailure ? "failed" : "worked"}:\n${result.text}`);
}

function text(content: string): TextBlock {
  return { type: "text", text: content };
}

/** Counted, not random, so that recording twice produces the same ids. */
function callId(count: number): string {
  return `toolu_${String(count).padStart(4, "0")}`;
}

function answer(use: ToolUseBlock, result: Result | undefined): ToolResultBlock {
  if (result === undefined) throw new Error(`No result for ${use.id}`);
  return { type: "tool_result", tool_use_id: use.id, content: result.text, ...(result.failed ? { is_error: true } : {}) };
}
