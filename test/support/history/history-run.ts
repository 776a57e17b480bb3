import assert from "node:assert/strict";
import fc from "fast-check";
import { openHistory, type Commit, type History } from "../../../src/history/index.ts";
import type { Message } from "../../../src/messages/message.ts";
import type { Store } from "../../../src/store/store.ts";
import { addedFaults } from "../provider-judge.ts";

const DEEDS = ["append", "edit", "compress", "compress range", "compress tools", "undo"] as const;

/** Something that happens to a thread; the numbers choose what it is done to. */
export interface Deed {
  readonly kind: (typeof DEEDS)[number];
  readonly a: number;
  readonly b: number;
}

export const deeds: fc.Arbitrary<Deed[]> = fc.array(fc.record({ kind: fc.constantFrom(...DEEDS), a: fc.nat({ max: 999 }), b: fc.nat({ max: 999 }) }), {
  minLength: 1,
  maxLength: 10,
});

/** What may be refused, because of what the log is or what was done before. */
const REFUSED: ReadonlySet<unknown> = new Set(["LOOP_OPEN", "EMPTY_THREAD", "COMMITS_EMPTY"]);

/** Who names no commits is never told that they cross something. */
function mayRefuse({ kind }: Deed, code: unknown): boolean {
  return REFUSED.has(code) || (code === "OVERLAPPING_RANGES" && kind !== "compress tools");
}

/** A thread that grows while it is edited, watched by a second history of the same thread. */
export class HistoryRun {
  readonly history: History;
  readonly #other: History;
  readonly #rest: Message[];
  readonly #said: Message[] = [];
  /** By the last commit: what was shown then. */
  readonly views: Map<string, string> = new Map();

  private constructor(history: History, other: History, transcript: readonly Message[]) {
    this.history = history;
    this.#other = other;
    this.#rest = [...transcript];
  }

  static async begin(store: Store, transcript: readonly Message[]): Promise<HistoryRun> {
    let summaries = 0;
    // Without a name it is asked every time, so that no two summaries are the same.
    const counting = () => (): Promise<string> => Promise.resolve(`[summary ${++summaries}]`);
    const history = await openHistory({ store, summarizer: counting() });
    const run = new HistoryRun(history, await openHistory({ store, thread: history.thread }), transcript);
    await run.do({ kind: "append", a: Math.ceil(transcript.length / 2), b: 0 });
    return run;
  }

  async do(deed: Deed): Promise<void> {
    const before = await this.#bytes(this.history);
    try {
      await this.#try(deed, before);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && mayRefuse(deed, error.code))) throw error;
      assert.equal(await this.#bytes(this.history), before, "what is refused changes nothing");
    }
    await this.#check();
  }

  async #try({ kind, a, b }: Deed, before: string): Promise<void> {
    const { history } = this;
    const commits = await history.log({ kinds: ["append"] });
    const pick = <T>(list: readonly T[], number: number): T | undefined => list[number % Math.max(1, list.length)];
    switch (kind) {
      case "append": {
        const added = this.#rest.splice(0, Math.max(1, a % 5));
        this.#said.push(...added);
        await history.append(added);
        return;
      }
      case "edit": {
        const result = pick(await history.findToolResults(), a);
        if (result === undefined) return;
        const { toolCallId = "" } = result.metadata;
        const edited = await history.toolResult(toolCallId, result.name ?? "", `edited ${b}`, { edit: result });
        if (b % 3 === 0) await this.#undoExactly(edited, before);
        return;
      }
      case "compress": {
        const chosen = commits.filter((_, number) => (a + number * (b + 1)) % 3 !== 0);
        await history.compress({ commits: chosen, preserve: chosen.filter((_, number) => number % 7 === a % 11) });
        return;
      }
      case "compress range": {
        const [from, to] = [a % Math.max(1, commits.length), b % Math.max(1, commits.length)].sort((x, y) => x - y);
        const { edits } = await history.compress({ from: commits[from ?? 0]?.hash ?? "", to: commits[to ?? 0]?.hash ?? "" });
        if (edits.length === 1 && b % 2 === 0) await this.#undoExactly(edits[0]?.id ?? "", before);
        return;
      }
      case "compress tools":
        await history.compressToolCalls();
        return;
      case "undo": {
        const edit = pick(
          (await history.edits()).filter(({ undoneAt }) => undoneAt === undefined),
          a,
        );
        if (edit !== undefined) await history.undo(edit.id);
      }
    }
  }

  /** What was made and taken back before the log grew never was. */
  async #undoExactly(edit: string | Commit, before: string): Promise<void> {
    await this.history.undo(edit);
    assert.equal(await this.#bytes(this.history), before);
  }

  async #check(): Promise<void> {
    const { history } = this;
    assert.equal(JSON.stringify(await history.messages()), JSON.stringify(this.#said), "the log is what was said");
    const view = await history.view();
    assert.deepEqual(addedFaults(this.#said, view, { history: true }), []);
    assert.equal(await this.#bytes(this.#other), JSON.stringify(view), "two histories of one thread see the same");
    const last = (await history.log()).at(-1);
    if (last !== undefined) this.views.set(last.hash, JSON.stringify(view));
  }

  async #bytes(history: History): Promise<string> {
    return JSON.stringify(await history.view());
  }
}
