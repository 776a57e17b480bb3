import assert from "node:assert/strict";
import { createThread, type AssistantOutcome, type Thread, type ThreadOptions } from "../../../src/agent/index.ts";
import type { Block, Message, Replacement } from "../../../src/index.ts";
import { PalimpsestError } from "../../../src/index.ts";
import { text } from "../build.ts";
import { deepFreeze } from "../check-property.ts";
import { blocksIn, isResult, isThought } from "../judged-request.ts";
import { Dice } from "./dice.ts";
import { resultFor, thought, userContent } from "./thread-content.ts";
import { ThreadWitness } from "./thread-witness.ts";

export const STEP_KINDS = [
  "turn",
  "user",
  "results",
  "request",
  "compact",
  "there-and-back",
  "undo",
  "pin",
  "unpin",
  "observe",
  "resume",
  "branch",
  "recall",
] as const;

export interface Step {
  readonly kind: (typeof STEP_KINDS)[number];
  readonly seed: number;
}

/** What the thread may answer to something that cannot be done. */
const REFUSALS: ReadonlySet<string> = new Set([
  "INVALID_INPUT",
  "CHECKPOINT_UNKNOWN",
  "CHECKPOINT_HIDDEN",
  "RANGE_REVERSED",
  "RANGE_EMPTY",
  "OVERLAPPING_RANGES",
  "LOOP_OPEN",
  "EMPTY_THREAD",
  "HANDLE_UNKNOWN",
  "PINNED",
]);

/**
 * An agent that runs a thread step by step, and a provider that remembers what it was sent. Whatever the agent does, the provider must
 * accept the next request, and the thread must keep what it promises.
 */
export class ThreadRun {
  thread: Thread;
  readonly #options: ThreadOptions;
  readonly #witness: ThreadWitness;
  #count = 0;
  /** What happened, for the message of a failure. */
  readonly #story: string[] = [];

  constructor(options: ThreadOptions) {
    this.#options = options;
    this.#witness = new ThreadWitness(options);
    this.thread = this.#witness.watched(createThread(options));
  }

  /** How many digests were seen. */
  get digests(): number {
    return this.#witness.digests;
  }

  /** How many ranges of dropped places were seen, and recalled. */
  get placesInRanges(): number {
    return this.#witness.placesInRanges;
  }

  run(steps: readonly Step[]): void {
    try {
      for (const { kind, seed } of steps) {
        this.#step(kind, new Dice(seed));
        this.#witness.checkLog(this.thread);
        this.#witness.checkAnnounced(this.thread);
      }
      this.#settle(new Dice(1));
      if (this.#waits) this.#witness.request(this.thread);
    } catch (error) {
      if (error instanceof Error) error.message = `${error.message}\nafter: ${this.#story.join(" · ")}`;
      throw error;
    }
  }

  #step(kind: Step["kind"], dice: Dice): void {
    this.#story.push(kind);
    switch (kind) {
      case "turn":
        this.#turn(dice);
        return;
      case "user":
        this.#settle(dice);
        this.thread.user(deepFreeze(userContent(dice)));
        return;
      case "results":
        this.#giveResults(dice, 1 + dice.below(2));
        return;
      case "request":
        if (this.#waits) this.#witness.request(this.thread);
        return;
      case "compact":
        this.#orUnchanged(() => this.thread.compact(deepFreeze(this.#replacements(dice))));
        return;
      case "there-and-back":
        this.#thereAndBack(dice);
        return;
      case "undo":
        this.#undoSomething(dice);
        return;
      case "pin":
        this.#pin(dice);
        return;
      case "unpin":
        this.#unpin(dice);
        return;
      case "observe":
        this.thread.observe({ input_tokens: dice.below(300), cache_read_input_tokens: dice.below(300) });
        return;
      case "resume":
        this.thread = this.#witness.watched(this.#witness.resumed(this.thread));
        return;
      case "branch":
        this.#branch(dice);
        return;
      case "recall":
        this.#recall(dice);
        return;
    }
  }

  get #open(): readonly string[] {
    const last = this.thread.log().at(-1);
    const held = new Set(this.thread.toJSON().held.map((result) => result.tool_use_id));
    if (last?.role !== "assistant") return [];
    return callsIn(last).flatMap(({ id }) => (held.has(id) ? [] : [id]));
  }

  /** Is it the model's turn? */
  get #waits(): boolean {
    return this.thread.log().at(-1)?.role === "user";
  }

  #settle(dice: Dice): void {
    this.#giveResults(dice, Infinity);
  }

  #giveResults(dice: Dice, count: number): void {
    const open = this.#open;
    if (open.length === 0) return;
    assert.throws(() => this.thread.request(), { code: "RESULTS_MISSING" });
    const chosen = dice.once(2) ? open.slice(0, count) : open.slice(-count);
    this.thread.toolResults(deepFreeze(chosen.map((id) => resultFor(id, this.#count++, dice))) as never);
  }

  #turn(dice: Dice): void {
    this.#settle(dice);
    if (!this.#waits) this.thread.user("Go on.");
    const sent = this.#witness.request(this.thread);
    // In manual mode a response to a request that is no longer the thread's cannot be kept at all.
    if (this.#thinking !== "manual" && dice.once(8)) this.#step(dice.of(["compact", "undo", "pin", "user", "resume"]), dice);
    const before = this.thread.log().length;
    if (dice.once(25)) {
      assert.equal(this.thread.assistant({ content: [] }).next, "user");
      return;
    }
    const content = this.#response(dice, sent);
    const usage = dice.once(2) ? { usage: { input_tokens: dice.below(200), cache_read_input_tokens: dice.below(400), cache_creation_input_tokens: 3 } } : {};
    const outcome = this.thread.assistant(deepFreeze({ content, ...usage }));
    this.#witness.checkLog(this.thread);
    this.#witness.produced(before, sent);
    this.#checkOutcome(content, outcome);
  }

  #response(dice: Dice, sent: readonly Message[]): Block[] {
    const blocks: Block[] = [];
    const mustThink = this.#thinking === "manual" && !blocksIn(sent.at(-1) ?? { role: "user", content: "" }).some(isResult);
    if (this.#thinking !== "off" && (mustThink || dice.once(2))) {
      blocks.push(thought(`mark-${this.#count++}`, dice));
      if (dice.once(5)) blocks.push(thought(`mark-${this.#count++}`, dice));
    }
    const names = this.#calls(dice);
    if (names.length === 0 || dice.once(2))
      blocks.push(text(dice.of(["On it.", "src/file-3.ts is at fault", "<checkpoint:zz9zz9>", "I compacted the thread"])));
    for (const name of names) {
      if (dice.once(6)) blocks.push(this.#thinking === "adaptive" && blocks.some(isThought) ? thought(`mark-${this.#count++}`, dice) : text("then"));
      blocks.push({ type: "tool_use", id: `call-${this.#count++}`, name, input: this.#input(name, dice) } as Block);
    }
    this.#story.push(`[${blocks.map((block) => ("name" in block ? String(block.name) : block.type)).join(" ")}]`);
    return blocks;
  }

  #calls(dice: Dice): string[] {
    if (dice.once(4)) return [];
    const { compact = true, recall = true } = this.#options;
    if (compact && dice.once(4)) return dice.once(2) ? ["compact"] : ["compact", dice.of(["read", "compact", "bash", recall ? "recall" : "bash"])];
    if (recall && dice.once(5)) return dice.once(2) ? ["recall"] : ["read", "recall"];
    return Array.from({ length: 1 + dice.below(3) }, () => dice.of(["read", "bash"]));
  }

  #input(name: string, dice: Dice): unknown {
    if (name === "compact") {
      if (dice.once(8)) return dice.of([{}, { replacements: [] }, { replacements: "all" }, { replacements: [{ from: 1 }] }, { replacements: [{}], more: 1 }]);
      return { replacements: this.#replacements(dice) };
    }
    return name === "recall" ? this.#recallInput(dice) : { path: `src/file-${dice.below(9)}.ts` };
  }

  #recallInput(dice: Dice): Record<string, unknown> {
    const handles = this.thread.edits().flatMap(({ handle }) => (handle === undefined ? [] : [handle]));
    if (handles.length === 0 || dice.once(6)) return dice.of([{ handle: "nothing0" }, { handle: "" }, {}, { handle: "start", lines: "x" }]);
    const handle = dice.of(handles);
    return { handle, ...dice.of([{}, { lines: "1-3" }, { lines: "2-" }, { grep: "value=" }, { grep: "(" }, { maxTokens: 5 }, { lines: "900" }]) };
  }

  /** Mostly such as can be done. */
  #replacements(dice: Dice): Replacement[] {
    const ids = this.thread.checkpoints().map(({ id }) => id);
    const borders = [undefined, ...ids, undefined];
    const summary = (): string => dice.of(["", " ", "Summary: src/app.ts is at fault.", "Looked around."]);
    if (dice.once(8)) return [{ from: dice.of(["zz9zz9", ...ids]), to: dice.of(["zz9zz9", ...ids, ...this.#hiddenIds()]), summary: summary() }];
    const first = dice.below(borders.length - 1);
    const second = first + 1 + dice.below(borders.length - 1 - first);
    const replacements = [replacement(borders[first], borders[second], summary())];
    if (second < borders.length - 1 && dice.once(3))
      replacements.push(replacement(borders[second], borders[second + 1 + dice.below(borders.length - 1 - second)], "more"));
    return dice.once(2) ? replacements : replacements.reverse();
  }

  #hiddenIds(): string[] {
    const usable = new Set(this.thread.checkpoints().map(({ id }) => id));
    const all = this.thread
      .log()
      .flatMap((message) => blocksIn(message).flatMap((block) => (block.type === "checkpoint" && "id" in block ? [String(block.id)] : [])));
    return all.filter((id) => !usable.has(id));
  }

  #checkOutcome(content: readonly Block[], { next, calls }: AssistantOutcome): void {
    const own = content.filter((block) => block.type === "tool_use" && "name" in block && !["compact", "recall"].includes(String(block.name)));
    assert.deepEqual(calls, own);
    assert.equal(next, own.length > 0 ? "tools" : content.some((block) => block.type === "tool_use") ? "request" : "user");
    if (next === "request") this.#witness.request(this.thread);
  }

  /** Compacts and takes it back: nothing must be left of it. */
  #thereAndBack(dice: Dice): void {
    if (!this.#waits) return;
    const before = this.#witness.request(this.thread).map((message) => JSON.stringify(message));
    const { length } = this.thread.log();
    const edits = this.#orUnchanged(() => this.thread.compact(this.#replacements(dice))) ?? [];
    for (const { id } of edits) this.thread.undo(id);
    if (this.thread.log().length > length) return;
    assert.deepEqual(
      this.thread.request().messages.map((message) => JSON.stringify(message)),
      before,
      "undone",
    );
  }

  #undoSomething(dice: Dice): void {
    const edits = this.thread.edits().filter((edit) => edit.undoneAt === undefined);
    if (edits.length > 0) this.#orUnchanged(() => this.thread.undo(dice.of(edits).id));
  }

  #pin(dice: Dice): void {
    const { policy } = this.#options;
    // More pinned than a budget allows is refused, and small budgets are the ones that drop something.
    if (typeof policy === "object" && "budget" in policy) return;
    const log = this.thread.log();
    if (log.length === 0) return;
    const position = dice.below(log.length);
    const pin = this.#orUnchanged(() => this.thread.pin(position, "keep"));
    if (pin !== undefined && this.#waits) this.#witness.pinned(this.thread, pin);
  }

  #unpin(dice: Dice): void {
    const pins = this.thread.toJSON().pins;
    if (pins.length === 0) return;
    const { id } = dice.of(pins);
    this.thread.unpin(id);
    this.#witness.unpinned(id);
  }

  /** A branch stands by itself. */
  #branch(dice: Dice): void {
    const length = dice.below(this.thread.log().length + 1);
    const before = JSON.stringify(this.thread);
    const branch = this.thread.truncate(length);
    if (length > 0) {
      const open = branch.log().at(-1)?.role === "assistant" ? callsIn(branch.log().at(-1)) : [];
      const held = new Set(branch.toJSON().held.map((result) => result.tool_use_id));
      const missing = open.filter(({ id }) => !held.has(id));
      assert.ok(
        missing.every(({ name }) => !["compact", "recall"].includes(name)),
        "a branch waits only for the caller's results",
      );
      if (missing.length > 0) branch.toolResults(missing.map(({ id }) => resultFor(id, this.#count++, dice)) as never);
      if (branch.log().at(-1)?.role === "assistant") branch.user("Another way.");
      this.#witness.judgeBranch(branch.request().messages, length);
      if (this.#thinking !== "manual" && branch.toJSON().pins.length === 0) branch.compact([{ summary: "all of it" }]);
    }
    assert.equal(JSON.stringify(this.thread), before, "the original of a branch stays as it is");
  }

  #recall(dice: Dice): void {
    this.#orUnchanged(() => this.thread.recall(this.#recallInput(dice) as never));
  }

  /** A method that throws has changed nothing. */
  #orUnchanged<T>(attempt: () => T): T | undefined {
    const before = JSON.stringify(this.thread);
    try {
      return attempt();
    } catch (error) {
      if (!PalimpsestError.isInstance(error) || !REFUSALS.has(error.code)) throw error;
      this.#story.push(error.code);
      assert.equal(JSON.stringify(this.thread), before, `unchanged after ${error.code}`);
      return undefined;
    }
  }

  get #thinking(): "adaptive" | "manual" | "off" {
    return this.#options.target?.thinking ?? "adaptive";
  }
}

function replacement(from: string | undefined, to: string | undefined, summary: string): Replacement {
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }), summary };
}

function callsIn(message: Message | undefined): { id: string; name: string }[] {
  return blocksIn(message ?? { role: "user", content: "" }).flatMap((block) =>
    block.type === "tool_use" && "id" in block && "name" in block ? [{ id: String(block.id), name: String(block.name) }] : [],
  );
}
