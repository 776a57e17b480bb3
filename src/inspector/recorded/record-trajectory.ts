import type { CallRecord } from "../../agent/calls/call-record.ts";
import type { Trajectory } from "../../formats/transcripts/load-transcript.ts";
import type { TranscriptFormat } from "../../formats/transcripts/transcript-format.ts";
import type { PresetName } from "../../policy/policy-options.ts";
import { recordedCalls } from "../../replay/recorded-calls.ts";
import { replayHead } from "../../replay/replay-head.ts";
import type { Store } from "../../store/store.ts";
import { ConversationRecorder } from "./conversation-recorder.ts";

export interface RecordTrajectoryOptions {
  readonly store: Store;
  readonly policy: PresetName | "none";
  readonly format: TranscriptFormat;
  /** The name of the file, for a conversation without a title of its own. */
  readonly name: string;
  /** Replaces the models that the file names. */
  readonly model?: string;
  readonly onProgress?: (position: number) => void;
}

const AGENTS: Readonly<Record<string, string>> = {
  "claude-code": "Claude Code",
  codex: "Codex",
  opencode: "opencode",
  "copilot-cli": "Copilot CLI",
  "gemini-cli": "Gemini CLI",
  pi: "pi",
};

/** The gap between two calls of a recording without times: too short for a cache to expire. */
const USUAL_GAP_MS = 20_000;

/** Writes a recorded conversation, with what a policy would have sent for each call. Returns false if it has no model calls. */
export async function recordTrajectory(trajectory: Trajectory, thread: string, options: RecordTrajectoryOptions): Promise<boolean> {
  const { store, policy, format, name, model, onProgress } = options;
  const head = replayHead(trajectory);
  const calls = recordedCalls(trajectory, head.messages, model);
  if (calls.length === 0) return false;
  const agent = AGENTS[format.name] ?? format.title;
  const recorder = await ConversationRecorder.begin({
    store,
    thread,
    policy,
    tools: { compact: false, recall: policy !== "none" },
    head: { system: head.system, tools: head.tools },
    api: apiOf(format),
    path: name,
    client: { agent, session: trajectory.id },
  });
  const { log } = trajectory;
  let said = head.messages;
  let clock = calls.find(({ atMs }) => atMs !== undefined)?.atMs ?? Date.now() - calls.length * USUAL_GAP_MS;
  for (const { position, action, model: called, atMs } of calls) {
    for (; said < position; said++) recorder.say(log[said] as (typeof log)[number]);
    // Times may be missing or run backwards.
    clock = Math.max(clock + 1, atMs ?? clock + USUAL_GAP_MS);
    const [first, ...others] = action;
    if (first === undefined) continue;
    await recorder.call({ model: called, atMs: clock, answers: [() => first] });
    for (const message of others) recorder.say(message);
    said = position + action.length;
    onProgress?.(position);
  }
  return true;
}

function apiOf({ wire }: TranscriptFormat): CallRecord["api"] {
  return wire;
}
