import assert from "node:assert/strict";
import { createThread, openThread, type OpenThreadOptions, type StoredThread } from "../../../src/agent/index.ts";
import { openHistory } from "../../../src/history/index.ts";
import { PalimpsestError, type Block, type Replacement } from "../../../src/index.ts";
import type { Store } from "../../../src/store/store.ts";
import { faults } from "../provider-judge.ts";
import { Dice } from "../threads/dice.ts";
import { text } from "../build.ts";
import { resultFor, thought, userContent } from "../threads/thread-content.ts";

export const LIVING_STEPS = [
  "turn",
  "turn",
  "turn",
  "turn",
  "user",
  "results",
  "request",
  "compact",
  "again",
  "undo",
  "pin",
  "unpin",
  "observe",
  "reopen",
] as const;

export interface LivingStep {
  readonly kind: (typeof LIVING_STEPS)[number];
  readonly seed: number;
}

/** An agent on a thread in a store. After every step the thread can be opened again, and is the same. */
export class LivingRun {
  readonly #store: Store;
  readonly #options: Omit<OpenThreadOptions, "store" | "thread">;
  readonly #id: string;
  #thread: StoredThread;
  #count = 0;

  private constructor(store: Store, options: Omit<OpenThreadOptions, "store" | "thread">, id: string, thread: StoredThread) {
    this.#store = store;
    this.#options = options;
    this.#id = id;
    this.#thread = thread;
  }

  static async of(store: Store, options: Omit<OpenThreadOptions, "store" | "thread">, id: string): Promise<LivingRun> {
    return new LivingRun(store, options, id, await openThread({ ...options, store, thread: id }));
  }

  async run(steps: readonly LivingStep[]): Promise<void> {
    for (const { kind, seed } of steps) {
      this.#step(kind, new Dice(seed));
      const { next, calls } = this.#thread.next();
      const reopened = await this.#reopened();
      // Where no call was decided yet, a thread that is resumed says so in another way.
      const { decided = reopened.toJSON().decided, ...state } = this.#thread.toJSON();
      assert.deepEqual(JSON.parse(JSON.stringify(reopened)), JSON.parse(JSON.stringify({ ...state, decided })), `the same after ${kind}`);
      assert.deepEqual(reopened.next(), { next, calls });
      if (next === "request") this.#checkRequest(reopened);
      if (kind === "reopen") this.#thread = reopened;
    }
    const history = await openHistory({ store: this.#store, thread: this.#id });
    if (this.#thread.log().length === 0) return;
    assert.deepEqual(await history.verify(), { ok: true, commits: (await history.log()).length, faults: [] });
    assert.equal(JSON.stringify(await history.messages()), JSON.stringify(this.#thread.log()));
    assert.equal(JSON.stringify(await history.edits()), JSON.stringify(this.#thread.edits()));
  }

  async #reopened(): Promise<StoredThread> {
    await this.#thread.saved();
    return openThread({ ...this.#options, store: this.#store, thread: this.#id });
  }

  /** Asked of copies: a request is a change, and only one of the two may make it. */
  #checkRequest(reopened: StoredThread): void {
    const [mine, theirs] = [this.#thread, reopened].map((thread) =>
      createThread({ ...this.#options, state: JSON.parse(JSON.stringify(thread)) as unknown }).request(),
    );
    assert.equal(JSON.stringify(theirs), JSON.stringify(mine));
    assert.deepEqual(faults(mine?.messages ?? []), []);
  }

  #step(kind: LivingStep["kind"], dice: Dice): void {
    switch (kind) {
      case "turn":
        this.#turn(dice);
        return;
      case "user":
        this.#settle(dice, Infinity);
        this.#thread.user(userContent(dice));
        return;
      case "results":
        this.#settle(dice, 1);
        return;
      case "request":
        if (this.#thread.next().next === "request") this.#thread.request();
        return;
      case "compact":
        orRefused(() => this.#thread.compact(this.#replacements(dice)));
        return;
      case "again":
        this.#compactAgain(dice);
        return;
      case "undo": {
        const edits = this.#thread.edits().filter(({ undoneAt }) => undoneAt === undefined);
        if (edits.length > 0) orRefused(() => this.#thread.undo(dice.of(edits).id));
        return;
      }
      case "pin":
        orRefused(() => this.#thread.pin(dice.below(this.#thread.log().length + 1), "keep"));
        return;
      case "unpin": {
        const { pins } = this.#thread.toJSON();
        if (pins.length > 0) this.#thread.unpin(dice.of(pins).id);
        return;
      }
      case "observe":
        this.#thread.observe({ input_tokens: 500 });
        return;
      case "reopen":
        return;
    }
  }

  /** Made, taken back, and made again before the log grows, an edit has the same id. */
  #compactAgain(dice: Dice): void {
    const replacements = this.#replacements(dice);
    const edits = orRefused(() => this.#thread.compact(replacements)) ?? [];
    for (const { id } of edits) orRefused(() => this.#thread.undo(id));
    orRefused(() => this.#thread.compact(replacements));
  }

  #settle(dice: Dice, count: number): void {
    const { next, calls } = this.#thread.next();
    if (next === "tools") this.#thread.toolResults(calls.slice(0, count).map(({ id }) => resultFor(id, this.#count++, dice)) as never);
  }

  #turn(dice: Dice): void {
    this.#settle(dice, Infinity);
    if (this.#thread.next().next === "user") this.#thread.user("Go on.");
    this.#thread.request();
    const blocks: Block[] = dice.once(2) ? [thought(`mark-${this.#count++}`, dice)] : [];
    const names = dice.of([[], ["read"], ["read", "bash"], ["compact"], ["compact", "read"], ["recall", "read"]]);
    if (names.length === 0) blocks.push(text("On it."));
    for (const name of names) blocks.push({ type: "tool_use", id: `call-${this.#count++}`, name, input: this.#input(name, dice) } as Block);
    const { next, calls } = this.#thread.assistant({ content: blocks, usage: { input_tokens: dice.below(400) } });
    assert.deepEqual(this.#thread.next(), { next, calls });
  }

  #input(name: string, dice: Dice): unknown {
    if (name === "compact") return { replacements: this.#replacements(dice) };
    const handle = this.#thread.edits().findLast((edit) => edit.handle !== undefined)?.handle;
    return name === "recall" ? { handle: handle ?? "none" } : { path: `src/file-${dice.below(9)}.ts` };
  }

  #replacements(dice: Dice): Replacement[] {
    const [from, to] = [0, 0].map(() => dice.of(["zz9zz9", ...this.#thread.checkpoints().map(({ id }) => id)]));
    const summary = dice.of(["", "Looked around."]);
    return dice.once(2)
      ? [{ ...(to === undefined ? {} : { to }), summary }]
      : [{ ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }), summary }];
  }
}

function orRefused<T>(attempt: () => T): T | undefined {
  try {
    return attempt();
  } catch (error) {
    if (!PalimpsestError.isInstance(error)) throw error;
    return undefined;
  }
}
