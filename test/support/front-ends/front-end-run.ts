import assert from "node:assert/strict";
import { createFrontEnd, type FrontEnd } from "../../../src/agent/front-end/front-end.ts";
import type { FrontEndEvent } from "../../../src/agent/front-end/front-end-event.ts";
import type { FrontEndOptions } from "../../../src/agent/front-end/front-end-options.ts";
import { anthropicWire } from "../../../src/agent/wires/anthropic/anthropic-wire.ts";
import type { Edit } from "../../../src/index.ts";
import { blocksOf, isText, isThinking, isToolResult, isToolUse, type Block, type Message } from "../../../src/messages/message.ts";
import type { Store } from "../../../src/store/store.ts";
import { withoutMarkers } from "../judged-request.ts";
import { namedIn } from "../named-in-view.ts";
import { Dice } from "../threads/dice.ts";
import { deepFreeze } from "../check-property.ts";
import { contentOf, isCallOf, PlannedProvider, withoutThinking, type ProviderSetting, type Served } from "./planned-provider.ts";
import { RandomClient, type ClientHabits, type Entry, type Stock, type Talk } from "./random-client.ts";

export const STEP_KINDS = ["go", "again", "twice", "rewind", "fork", "switch", "side", "title", "summarize", "anew"] as const;

export interface Step {
  readonly kind: (typeof STEP_KINDS)[number];
  readonly seed: number;
}

/** What a case is made of: nothing in it is left to chance. */
export interface Plan {
  readonly options: Omit<FrontEndOptions, "store" | "onEvent">;
  readonly provider: ProviderSetting;
  readonly habits: ClientHabits;
  readonly stock: Stock;
  readonly steps: readonly Step[];
}

const SUMMARIZE = "Your task is to create a detailed summary of the conversation so far, paying close attention to the user's explicit requests.";

/** The cases that a run should meet. */
export type Reached = "edits" | "forks" | "restarts" | "hidden" | "carried" | "own" | "handles";

/** Plays a plan. `store`: now and then another front end takes the place of the one before, with this store. */
export class FrontEndRun {
  readonly #plan: Plan;
  readonly #store: Store | undefined;
  readonly #provider: PlannedProvider;
  readonly #client: RandomClient;
  readonly #failed: FrontEndEvent[] = [];
  /** All words that the client was answered. */
  readonly #words = new Set<string>();
  /** The same words were said twice: by them, nobody knows which answer it was. */
  #hasTwins = false;
  /** Requests with their answers, as far as their client sends them again. */
  readonly #exchanges = new Set<string>();
  /** The client was answered twice in a way that it sends back alike: which of them it goes on with, nobody can tell. */
  #isAmbiguous = false;
  #frontEnd: FrontEnd;
  #talks: Talk[] = [[]];
  #current = 0;
  #calls = 0;
  /** By the name of the client's call, while it is clear what each goes on with: what was sent for it, each as JSON. */
  readonly bodies: Map<string, string[]> = new Map();
  readonly counts: Record<Reached, number> = { edits: 0, forks: 0, restarts: 0, hidden: 0, carried: 0, own: 0, handles: 0 };

  constructor(plan: Plan, store?: Store) {
    this.#plan = plan;
    this.#store = store;
    this.#provider = new PlannedProvider(plan.provider);
    this.#client = new RandomClient(plan.habits, plan.stock);
    this.#frontEnd = this.#started();
  }

  async run(): Promise<void> {
    for (const step of this.#plan.steps) {
      await this.#step(step, new Dice(step.seed));
      await this.#restart(new Dice(step.seed + 1));
    }
    this.counts.hidden = this.#provider.hiddenRounds;
    await this.#frontEnd.close();
  }

  #started(): FrontEnd {
    const { options } = this.#plan;
    const onEvent = (event: FrontEndEvent): void => {
      if (event.type === "failed") this.#failed.push(event);
      if (event.type === "edited") this.counts.edits += event.edits.length;
    };
    return createFrontEnd({ ...options, ...(this.#store === undefined ? {} : { store: this.#store }), onEvent });
  }

  /** Some are closed, others only stop: what they have not written by then is lost. */
  async #restart(dice: Dice): Promise<void> {
    if (this.#store === undefined || !dice.once(3)) return;
    if (this.#frontEnd.conversations().some((known) => known.edits().length > 0)) this.counts.restarts++;
    if (dice.once(2)) await this.#frontEnd.close();
    this.#frontEnd = this.#started();
  }

  get #talk(): Talk {
    return this.#talks[this.#current] ?? [];
  }

  set #talk(talk: Talk) {
    this.#talks[this.#current] = talk;
  }

  async #step({ kind, seed }: Step, dice: Dice): Promise<void> {
    switch (kind) {
      case "go":
        return this.#goOn(this.#client.spoken(this.#talk, dice), seed);
      case "again":
        return this.#goOn(this.#unanswered(dice), seed);
      case "twice":
        return this.#goOn(this.#client.spoken(this.#talk, dice), seed, 2);
      case "rewind":
        return this.#goOn(this.#rewound(dice), seed);
      case "fork": {
        this.counts.forks++;
        this.#talks.push(this.#talk);
        this.#current = this.#talks.length - 1;
        return this.#goOn(this.#rewound(dice), seed);
      }
      case "switch":
        this.#current = dice.below(this.#talks.length);
        return this.#goOn(this.#client.spoken(this.#talk, dice), seed);
      case "side":
        return this.#beside([...this.#answered, this.#client.said("Is this about files? Say yes or no.")], seed, false);
      case "title":
        return this.#beside([this.#talk[0] ?? this.#client.said("Give it a title.")], seed, false);
      case "summarize":
        return this.#beside([...this.#answered, this.#client.said(SUMMARIZE)], seed, !dice.once(3));
      case "anew":
        return this.#anew(dice, seed);
    }
  }

  /** Without its last answer. */
  #unanswered(dice: Dice): Talk {
    return this.#talk.length < 2 ? this.#client.spoken(this.#talk, dice) : this.#talk.slice(0, -1);
  }

  /** Up to some words of the user's, with others in their place. */
  #rewound(dice: Dice): Talk {
    const places = this.#talk.flatMap(({ message }, number) => (message.role === "user" && !blocksOf(message).some(isToolResult) ? [number] : []));
    if (places.length === 0) return this.#client.spoken(this.#talk, dice);
    return [...this.#talk.slice(0, dice.of(places)), this.#client.said(`No: part ${dice.below(100)}.`)];
  }

  /** All calls are answered, and the model had the last word. */
  get #answered(): Talk {
    const last = this.#talk.findLastIndex(({ message }) => message.role === "assistant" && !blocksOf(message).some(isToolUse));
    return this.#talk.slice(0, last + 1);
  }

  /** The agent has summarized what there was, and keeps its last rounds. */
  async #anew(dice: Dice, seed: number): Promise<void> {
    const places = this.#talk.flatMap(({ message }, number) => (message.role === "assistant" ? [number] : []));
    const from = places.at(-1 - dice.below(Math.max(1, Math.min(3, places.length)))) ?? this.#talk.length;
    // Manual thinking may neither stay, for it is bound to what was there, nor go.
    const isStuck = this.#plan.provider.thinking === "manual";
    const carried = (isStuck ? [] : this.#talk.slice(from)).map((entry): Entry => ({ ...entry, size: 1, isOwn: !entry.holds, holds: false }));
    const summary = this.#client.said(`This session is being continued from a previous conversation. Summary ${seed}.`);
    if (carried.some(({ message }) => blocksOf(message).some(isThinking))) this.counts.carried++;
    this.#talks.push([summary, ...carried]);
    this.#current = this.#talks.length - 1;
    await this.#goOn(carried.length === 0 ? [summary] : this.#client.spoken(this.#talk, dice), seed);
  }

  async #beside(talk: Talk, seed: number, hasTools: boolean): Promise<void> {
    await this.#call(talk, seed, `${this.#calls++}`, hasTools, false);
  }

  async #goOn(talk: Talk, seed: number, copies = 1): Promise<void> {
    const call = this.#calls++;
    const answers = await Promise.all(Array.from({ length: copies }, (_, copy) => this.#call(talk, seed + copy, `${call}x${copy}`, true, copies === 1)));
    const [kept] = answers.slice(seed % copies);
    if (kept !== undefined) this.#talk = [...talk, kept];
  }

  async #call(talk: Talk, seed: number, name: string, hasTools: boolean, isAlone: boolean): Promise<Entry> {
    const messages = this.#client.written(talk, new Dice(seed + 7));
    const body = deepFreeze(this.#bodyOf(messages, hasTools));
    const served = this.#provider.serve(name, seed);
    const content = await this.#contentFor(body, served, seed % 3 === 0);
    assert.deepEqual(this.#failed, [], `call ${name}`);
    if (!this.#isAmbiguous) this.bodies.set(name, served.bodies.map((each) => JSON.stringify(each))); // prettier-ignore
    this.#hidesOurs(content, served);
    const words = JSON.stringify(content.filter((block) => !isThinking(block)));
    if (this.#words.has(words)) this.#hasTwins = true;
    this.#words.add(words);
    const sendsThinking = this.#plan.habits.drops === "nothing";
    const sentAgain = [...talk.map(({ message }) => message), { role: "assistant", content } as const];
    const exchange = JSON.stringify(sendsThinking ? sentAgain : sentAgain.map(withoutThinking));
    if (this.#exchanges.has(exchange)) this.#isAmbiguous = true;
    this.#exchanges.add(exchange);
    if (isAlone && !this.#hasTwins) this.#leavesTheClients(talk, messages, served);
    const hidden = this.#provider.hiddenTools(served.bodies[0] ?? assert.fail());
    const holds = (served.answers.at(-1) ?? []).some((block) => isCallOf(block, hidden));
    return this.#client.kept(content, served.answers, holds);
  }

  async #contentFor(body: object, { transport }: Served, isStreamed: boolean): Promise<readonly Block[]> {
    if (isStreamed) {
      const streamed = await this.#frontEnd.stream(anthropicWire, body, transport);
      return contentOf("answer" in streamed ? streamed.answer : assert.fail("refused"));
    }
    const sent = await this.#frontEnd.send(anthropicWire, body, transport);
    return ("answer" in sent ? (sent.answer as { readonly content: readonly Block[] }) : assert.fail("refused")).content;
  }

  #bodyOf(messages: readonly Message[], hasTools: boolean): object {
    const { thinking, clientTools } = this.#plan.provider;
    const mode = { adaptive: { type: "adaptive" }, manual: { type: "enabled", budget_tokens: 1_024 }, off: { type: "disabled" } }[thinking];
    const tools = clientTools.map((name) => ({ name, description: "Does it.", input_schema: { type: "object" } }));
    return { model: "claude-fable-5-2", max_tokens: 4_000, thinking: mode, system: "You help.", ...(hasTools ? { tools } : { tools: [] }), messages };
  }

  /** What the client is answered is what the model said, without the calls that it does not know of. */
  #hidesOurs(content: readonly Block[], { bodies, answers }: Served): void {
    const hidden = this.#provider.hiddenTools(bodies[0] ?? assert.fail("nothing was sent"));
    assert.deepEqual(
      content,
      answers.flat().filter((block) => !isCallOf(block, hidden)),
    );
  }

  /** What no edit has touched, and nothing of ours stands in, is the client's own; and what is named is there. */
  #leavesTheClients(talk: Talk, messages: readonly Message[], { bodies: [body] }: Served): void {
    const [known] = this.#frontEnd.conversations();
    if (known === undefined || body === undefined) return;
    const touched = touchedBy(known.edits());
    const shown = body.messages.map(bareOf);
    let position = 0;
    let from = 0;
    for (const [number, { size, isOwn, thoughts }] of talk.entries()) {
      const message = messages[number] ?? assert.fail();
      const isWhole = blocksOf(message).filter(isThinking).length === thoughts;
      if (isOwn && isWhole && !touched(position)) {
        // Behind an edit, thinking is left out that was bound to what was there.
        const forms = [message, ...(known.edits().length > 0 ? [withoutThinking(message)] : [])].map(bareOf);
        const found = shown.findIndex((each, index) => index >= from && forms.includes(each));
        assert.notEqual(found, -1, `message ${number} is not the client's own: ${bareOf(message)}`);
        from = found + 1;
        this.counts.own++;
      }
      position += size;
    }
    for (const handle of namedIn(body.messages, messages)) {
      known.recall(handle);
      this.counts.handles++;
    }
  }
}

const CHECKPOINT = /^<checkpoint:[a-z0-9]{6}>$/;

/** Without markers and checkpoints, and with a string as the one block that it is. */
function bareOf(message: Message): string {
  const bare = (content: unknown): unknown[] =>
    (typeof content === "string" ? [{ type: "text", text: content }] : ((content ?? []) as Block[])).flatMap((block): unknown[] => {
      if (isText(block) && CHECKPOINT.test(block.text)) return [];
      return [withoutMarkers(isToolResult(block) ? { ...block, ...Object.assign({}, { content: bare(block.content) }) } : block)];
    });
  return JSON.stringify([message.role, bare(message.content)]);
}

function touchedBy(edits: readonly Edit[]): (position: number) => boolean {
  const spans = edits.flatMap((edit): (readonly [number, number])[] => {
    switch (edit.kind) {
      case "replace-range":
        return [[edit.from.position, edit.to.position]];
      case "collapse-round":
        return [[edit.call, edit.lastResult]];
      case "strip-blocks":
        return edit.at.map(({ position }) => [position, position]);
      default:
        return [[edit.at.position, edit.at.position]];
    }
  });
  return (position) => spans.some(([first, last]) => first <= position && position <= last);
}
