import Anthropic from "@anthropic-ai/sdk";
import { wrapAnthropic, type FrontEndOptions } from "../src/agent/clients/anthropic.ts";
import { Conversation } from "../src/conversation/conversation.ts";
import { DEFAULT_TARGET } from "../src/messages/target.ts";
import type { Message } from "../src/index.ts";
import { median } from "./statistics.ts";

export interface ClientSpeed {
  readonly name: string;
  readonly megabytes: number;
  /** The extra time of a call compared with the unwrapped client, divided by `JSON.parse` plus `JSON.stringify` of its request. */
  readonly added: number;
}

export interface ConversationGrowth {
  /** The time of one more round on 10,000 messages, divided by that on 1,000. */
  readonly append: number;
}

export const CLIENT_GOAL = 2;
/** Time should depend only on new messages, except for copying a longer list. */
export const APPEND_GROWTH_GOAL = 5;

const TURNS = 500;
const MEASURED = 25;
const OPTIONS: Readonly<Record<string, FrontEndOptions>> = { "without a policy": {}, balanced: { policy: "balanced" }, gentle: { policy: "gentle" } };

/** Times an agent that reads a file of 8 kB per turn. The provider answers at once, so the time is the client's own work. */
export async function compareClients(progress: (text: string) => void): Promise<ClientSpeed[]> {
  progress("without us");
  const plain = await runAgent(undefined);
  const body = JSON.stringify({ messages: plain.messages });
  const json = median(Array.from({ length: MEASURED }, () => timed(() => JSON.stringify(JSON.parse(body)))));
  const speeds: ClientSpeed[] = [];
  for (const [name, options] of Object.entries(OPTIONS)) {
    progress(name);
    const { callMs } = await runAgent(options);
    speeds.push({ name, megabytes: body.length / 1e6, added: (callMs - plain.callMs) / json });
  }
  return speeds;
}

export function missedClientGoals(speeds: readonly ClientSpeed[], growth: ConversationGrowth): string[] {
  const slow = speeds
    .filter(({ added }) => added > CLIENT_GOAL)
    .map(({ name, added }) => `a call of a wrapped client, ${name}: ${added.toFixed(2)} times JSON`);
  return growth.append > APPEND_GROWTH_GOAL ? [...slow, `append and view on 10,000 messages: ${growth.append.toFixed(1)} times those on 1,000`] : slow;
}

export function printClientSpeeds(speeds: readonly ClientSpeed[], growth: ConversationGrowth): string {
  const lines = speeds.map(({ name, megabytes, added }) => `  ${name}: ${added.toFixed(2)} times JSON (${megabytes.toFixed(1)} MB; goal ${CLIENT_GOAL})`);
  return [
    `Added to a call of a wrapped client on a thread of ${TURNS} turns:`,
    ...lines,
    `append and view of a conversation, 10,000 messages beside 1,000: ${growth.append.toFixed(1)} (goal ${APPEND_GROWTH_GOAL})\n`,
  ].join("\n");
}

export function conversationGrowth(): ConversationGrowth {
  return { append: roundMs(10_000) / roundMs(1_000) };
}

function roundMs(length: number): number {
  const conversation = new Conversation(DEFAULT_TARGET, { id: "t", log: [], edits: [], pins: [], seenFrom: 0, steps: [] });
  const say = (number: number): void => {
    conversation.append({ role: "assistant", content: [{ type: "tool_use", id: `c${number}`, name: "read", input: {} }] });
    conversation.append({ role: "user", content: [{ type: "tool_result", tool_use_id: `c${number}`, content: "a line" }] });
    conversation.view();
  };
  conversation.append({ role: "user", content: "Read all files." });
  for (let number = 0; number < length / 2; number++) say(number);
  return median(Array.from({ length: 101 }, (_, number) => timed(() => say(length + number))));
}

async function runAgent(options: FrontEndOptions | undefined): Promise<{ readonly callMs: number; readonly messages: readonly Message[] }> {
  let turn = 0;
  const answer = (): Response =>
    Response.json({
      id: `msg_${turn}`,
      type: "message",
      role: "assistant",
      model: "claude-opus-5",
      content: [
        { type: "text", text: "I read the next file." },
        { type: "tool_use", id: `toolu_${turn}`, name: "read", input: { path: `src/file-${turn}.ts` } },
      ],
      stop_reason: "tool_use",
      stop_sequence: null,
      usage: { input_tokens: 100, output_tokens: 50, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
    });
  const bare = new Anthropic({ apiKey: "none", maxRetries: 0, fetch: () => Promise.resolve(answer()) });
  const client = options === undefined ? bare : wrapAnthropic(bare, options);
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Read all files, and add their numbers up." }];
  const tools: Anthropic.Tool[] = [{ name: "read", description: "Reads a file.", input_schema: { type: "object", properties: { path: { type: "string" } } } }];
  const times: number[] = [];
  for (turn = 1; turn <= TURNS + MEASURED; turn++) {
    const start = performance.now();
    const { content } = await client.messages.create({ model: "claude-opus-5", max_tokens: 1_000, tools, messages });
    if (turn > TURNS) times.push(performance.now() - start);
    messages.push({ role: "assistant", content }, { role: "user", content: [{ type: "tool_result", tool_use_id: `toolu_${turn}`, content: fileOf(turn) }] });
  }
  return { callMs: median(times), messages: messages as unknown as readonly Message[] };
}

function fileOf(turn: number): string {
  return Array.from(
    { length: 120 },
    (_, line) => `  const value_${turn}_${line} = compute(${(turn * 7_919 + line * 104_729) % 99_991}, "${(turn * line) % 977}"); // line ${line}`,
  ).join("\n");
}

function timed(run: () => unknown): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}
