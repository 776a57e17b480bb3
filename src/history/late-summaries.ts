import type { Edit } from "../edits/edit.ts";
import { blockAt, type ToolResultBlock } from "../messages/message.ts";
import { inBackground, type BackgroundSummaries } from "../summarize/in-background.ts";
import { TOOL_SUMMARIZE_SYSTEM } from "../summarize/tool-summarize-system.ts";
import type { BranchLog } from "./branch-log.ts";
import type { CommitChain } from "./commit-chain.ts";
import { isEdited } from "./commit-content.ts";
import { toCommit } from "./commit.ts";
import { editDraft, replaceResult, targetOf } from "./edit-commits.ts";
import type { HistoryEvents } from "./history-events.ts";
import type { BranchState } from "./branch-state.ts";
import { isOfPolicy } from "./is-of-policy.ts";
import type { Summarized, SummaryWish } from "./summarize-text.ts";
import { withSummary, type LateWish } from "./tool-result-hook.ts";

/** The finished summary of a result that was committed in full. */
interface Ready {
  readonly key: string;
  readonly hash: string;
  readonly summary: string;
}

/**
 * Summaries that are written while the conversation goes on, until a batch commits them. They are only in memory: if the process ends
 * first, the result is shown in full.
 */
export class LateSummaries {
  readonly #background: BackgroundSummaries;
  readonly #events: HistoryEvents;
  readonly #closing = new AbortController();
  /** Results whose summary was requested and is not committed yet. */
  readonly #results = new Map<string, { readonly branch: BranchLog; readonly hash: string }>();

  constructor(summarize: (wish: SummaryWish) => Promise<Summarized>, events: HistoryEvents) {
    this.#events = events;
    const ask = async (wish: Omit<SummaryWish, "signal">): Promise<string> => {
      const summarized = await summarize({ ...wish, signal: this.#closing.signal });
      if ("summary" in summarized) return summarized.summary;
      throw summarized.failure;
    };
    this.#background = inBackground(({ text, system, instructions, targetTokens }) => ask({ text, system, instructions, targetTokens }), {
      onFailure: (key, error) => {
        const commits = [this.#results.get(key)?.hash ?? key];
        this.#drop(key);
        if (!this.#closing.signal.aborted) events.emit("error", { error, commits });
      },
    });
  }

  /** Starts the summary now, or as soon as others are done. */
  request(branch: BranchLog, hash: string, { text, instructions, targetTokens }: LateWish): void {
    const key = `${branch.ref.branch} ${hash}`;
    this.#results.set(key, { branch, hash });
    this.#background.request(key, {
      text,
      system: TOOL_SUMMARIZE_SYSTEM,
      ...(instructions === undefined ? {} : { instructions }),
      ...(targetTokens === undefined ? {} : { targetTokens }),
    });
  }

  /**
   * Writes what `plan` adds, followed by the branch's finished summaries. If a result is already edited, its summary is dropped,
   * unless the edit is the policy's: that gives way to the summary.
   */
  async writeBatch<T>(branch: BranchLog, plan: (state: BranchState, chain: CommitChain) => T): Promise<T> {
    const { planned, taken, added } = await branch.write((state, chain) => {
      const planned = plan(state, chain);
      const before = chain.entries.length;
      const taken = this.#readyFor(branch);
      for (const ready of taken) addSummary(state, chain, ready);
      return { planned, taken, added: chain.entries.slice(before) };
    });
    for (const { key } of taken) this.#drop(key);
    const edits = added.flatMap(({ content }) => (isEdited(content) ? [content.edit] : []));
    if (edits.length > 0) this.#events.emit("edit", { commits: added.map(({ commit }) => toCommit(commit)), edits, undone: false });
    return planned;
  }

  /** Waits until no summary is being written, and returns the branches that have finished ones. */
  async settled(): Promise<BranchLog[]> {
    await this.#background.settled();
    return [...new Map([...this.#results.values()].map(({ branch }) => [branch.ref.branch, branch])).values()];
  }

  /** Aborts summaries that are being written, and drops those that are not committed. */
  close(): void {
    this.#closing.abort(new DOMException("the history was closed", "AbortError"));
    for (const key of [...this.#results.keys()]) this.#drop(key);
  }

  #readyFor({ ref }: BranchLog): Ready[] {
    return [...this.#results].flatMap(([key, { branch, hash }]) => {
      const summary = branch.ref.branch === ref.branch ? this.#background.ready(key) : undefined;
      return summary === undefined ? [] : [{ key, hash, summary }];
    });
  }

  #drop(key: string): void {
    this.#results.delete(key);
    this.#background.forget(key);
  }
}

function addSummary(state: BranchState, chain: CommitChain, { hash, summary }: Ready): void {
  const unit = state.unitOf(hash);
  // The thread was deleted meanwhile.
  if (unit === undefined) return;
  const at = { position: unit.position, block: unit.from };
  const block = blockAt(state.messages, at) as ToolResultBlock;
  const content = withSummary(block.content ?? "", summary);
  const origin = { handle: hash, madeAt: state.messages.length, pass: "tool_result", reason: "summarized in the background" };
  const edit = replaceResult({ ...origin, at, block, content, form: "summary" });
  if (!isTaken(state, chain, edit)) chain.add(editDraft(edit, unit.commit, edit.pass));
}

function isTaken(state: BranchState, chain: CommitChain, edit: Edit): boolean {
  const added = chain.entries.flatMap(({ content }) => (isEdited(content) ? [content.edit] : []));
  const others = [...state.inForce.map((made) => made.edit), ...added];
  return others.some((other) => targetOf(other) === targetOf(edit) && !isOfPolicy(other));
}
