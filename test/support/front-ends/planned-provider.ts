import assert from "node:assert/strict";
import type { Transport } from "../../../src/agent/front-end/front-end.ts";
import type { Sent } from "../../../src/agent/front-end/exchange.ts";
import { createAnthropicProtocol } from "../../../src/testing/anthropic/anthropic-protocol.ts";
import type { ScriptedCall, Turn } from "../../../src/testing/index.ts";
import type { PlayedAnswer } from "../../../src/testing/protocol.ts";
import { isThinking, isToolResult, isToolUse, type Block, type Message } from "../../../src/messages/message.ts";
import { faults } from "../provider-judge.ts";
import { Dice } from "../threads/dice.ts";

export interface Body extends Readonly<Record<string, unknown>> {
  readonly messages: readonly Message[];
  readonly tools: readonly { readonly name: string }[];
}

export interface ProviderSetting {
  readonly thinking: "adaptive" | "manual" | "off";
  /** Ids of calls are so short that they need not be unique among all conversations. */
  readonly shortIds: boolean;
  readonly clientTools: readonly string[];
}

/** A request of the client's, and all that it took. */
export interface Served {
  readonly transport: Transport<object, object, object>;
  readonly bodies: Body[];
  readonly answers: (readonly Block[])[];
}

/** More in a row, and the front end ends it. */
const MOST_HIDDEN = 4;

/** A provider whose model does what follows from a number: the same for the same request of the same call. It accepts what the rules allow, and knows its signatures. */
export class PlannedProvider {
  readonly #setting: ProviderSetting;
  #ids = "";
  readonly #protocol = createAnthropicProtocol({
    tokensOf: (piece) => Math.ceil(JSON.stringify(piece).length / 4),
    windowTokens: 10_000_000,
    newId: (prefix) => `${prefix}${this.#ids}`,
    bindsThinking: true,
    prefill: false,
    minimumCacheTokens: 1024,
    verifiesSignatures: true,
  });
  hiddenRounds = 0;

  constructor(setting: ProviderSetting) {
    this.#setting = setting;
  }

  /** `name`: of the call; what the model says follows from it. */
  serve(name: string, seed: number): Served {
    const bodies: Body[] = [];
    const answers: (readonly Block[])[] = [];
    const play = (sent: object): PlayedAnswer => {
      const body = sent as Body;
      const round = bodies.push(body) - 1;
      const { thinking } = this.#setting;
      assert.deepEqual(faults(body.messages, { thinking }), [], `the judge, call ${name}, round ${round}`);
      this.#ids = `${name}r${round}`;
      const rejection = this.#protocol.check(body, { "anthropic-beta": "compact-2026-09-04" });
      assert.equal(rejection, undefined, `the provider, call ${name}, round ${round}: ${JSON.stringify(rejection)}`);
      const turn = this.#turn(body, new Dice(seed * 31 + round), round);
      const played = this.#protocol.answer(body, turn, 0);
      answers.push(played.json["content"] as readonly Block[]);
      return played;
    };
    const send = async (sent: object): Promise<Sent<object>> => Promise.resolve({ answer: play(sent).json });
    const stream = async (sent: object): Promise<Sent<AsyncIterable<object>>> => Promise.resolve({ answer: eventsOf(play(sent)) });
    return { transport: { send, stream }, bodies, answers };
  }

  /** The tools that the client does not know of. */
  hiddenTools(body: Body): string[] {
    return body.tools.map(({ name }) => name).filter((name) => !this.#setting.clientTools.includes(name));
  }

  #turn(body: Body, dice: Dice, round: number): Turn {
    const hidden = round >= MOST_HIDDEN || !dice.once(3) ? [] : this.#hiddenCalls(body, dice);
    if (hidden.length > 0) this.hiddenRounds++;
    const calls = [...hidden, ...(body.tools.length === 0 || (hidden.length > 0 && dice.once(2)) || dice.once(3) ? [] : this.#workingCalls(dice))];
    const mayThink = this.#setting.thinking === "manual" || !dice.once(4);
    const text = calls.length === 0 || dice.once(2) ? { text: dice.once(12) ? "Done." : `So it is ${dice.below(1_000_000)}.` } : {};
    const numbered = calls.map((call, number): ScriptedCall => ({ ...call, id: this.#idOf(number) }));
    return { ...(mayThink ? (dice.once(6) ? { redactedThinking: "dark" } : { thinking: `Hm ${dice.below(1_000)}` }) : {}), ...text, calls: numbered };
  }

  #idOf(number: number): string {
    return this.#setting.shortIds ? `c-${this.#ids}-${number}` : `toolu_0123456789abcdef_${this.#ids}_${number}`;
  }

  #workingCalls(dice: Dice): ScriptedCall[] {
    return Array.from({ length: 1 + dice.below(2) }, () => ({ name: "read", input: { path: `src/part-${dice.below(4)}.ts` } }));
  }

  #hiddenCalls(body: Body, dice: Dice): ScriptedCall[] {
    const tools = this.hiddenTools(body);
    const shown = JSON.stringify(body.messages);
    const calls: ScriptedCall[] = [];
    if (tools.includes("recall") && dice.once(2)) {
      const handles = [...shown.matchAll(/\[recall handles?: ([a-z0-9-]+)/g)].map(([, handle]) => handle);
      calls.push({ name: "recall", input: { handle: handles[dice.below(Math.max(1, handles.length))] ?? "none" } });
    }
    if (tools.includes("compact") && dice.once(2) && checkpointsIn(body.messages, false).length > 0) {
      const behind = checkpointsIn(body.messages, true);
      const ids = behind.length > 1 && dice.once(2) ? behind : checkpointsIn(body.messages, false);
      const [from, to] = [ids === behind ? dice.of(ids) : dice.once(4) ? undefined : dice.of(ids), dice.of(ids)];
      const borders = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
      calls.push({ name: "compact", input: { replacements: [{ ...borders, summary: dice.once(5) ? "" : `Summary ${dice.below(100)}.` }] } });
    }
    return calls;
  }
}

export function withoutThinking(message: Message): Message {
  return typeof message.content === "string" ? message : { ...message, content: message.content.filter((block) => !isThinking(block)) };
}

export function isCallOf(block: Block, names: readonly string[]): boolean {
  return isToolUse(block) && names.includes(block.name);
}

/** Ids of checkpoints before, or behind, the user's last words. A stretch that has these in it makes one loop of two, with thinking of both. */
function checkpointsIn(messages: readonly Message[], behind: boolean): string[] {
  const spoken = messages.findLastIndex(({ role, content }) => role === "user" && !(typeof content !== "string" && content.some(isToolResult)));
  return messages
    .filter((_, index) => (behind ? index >= spoken : index < spoken))
    .flatMap((message) => [...JSON.stringify(message).matchAll(/<checkpoint:([a-z0-9]{6})>/g)].map(([, id = ""]) => id));
}

async function* eventsOf({ events }: PlayedAnswer): AsyncGenerator<object> {
  for (const { data } of events) yield await Promise.resolve(JSON.parse(data) as object);
}

/** What a client reads of a stream. */
export async function contentOf(events: AsyncIterable<object>): Promise<Block[]> {
  const content: Record<string, unknown>[] = [];
  const pieces: Record<string, string>[] = [];
  for await (const event of events as AsyncIterable<StreamEvent>) {
    if (event.type === "content_block_start") {
      content[event.index] = { ...event.content_block };
      pieces[event.index] = {};
    }
    if (event.type !== "content_block_delta") continue;
    const { type: _, ...delta } = event.delta;
    const all = (pieces[event.index] ??= {});
    for (const [name, piece] of Object.entries(delta)) all[name] = (all[name] ?? "") + piece;
  }
  return content.map((block, index) => {
    const { partial_json: json, ...rest } = pieces[index] ?? {};
    return { ...block, ...rest, ...(json === undefined ? {} : { input: JSON.parse(json) as unknown }) } as unknown as Block;
  });
}

type StreamEvent =
  | { readonly type: "content_block_start"; readonly index: number; readonly content_block: object }
  | { readonly type: "content_block_delta"; readonly index: number; readonly delta: Readonly<Record<string, string>> }
  | { readonly type: "message_stop" };
