import type { ToolResultBlock } from "../messages/message.ts";
import type { StoredCommit } from "../store/store.ts";
import { TOOL_SUMMARIZE_SYSTEM } from "../summarize/tool-summarize-system.ts";
import type { BranchLog } from "./branch-log.ts";
import { toCommit, type Commit } from "./commit.ts";
import { isEdited } from "./commit-content.ts";
import { replaceResult } from "./edit-commits.ts";
import type { HistoryEvents } from "./history-events.ts";
import { parseResult, type Content } from "./history-input.ts";
import type { HistoryQueries } from "./history-queries.ts";
import type { LateSummaries } from "./late-summaries.ts";
import type { Entry } from "./commit-index.ts";
import type { Authorship } from "./said-commits.ts";
import type { Summarized, SummaryWish } from "./summarize-text.ts";
import { decideResult, type Decision, type ToolResultHandler } from "./tool-result-hook.ts";
import { addResult, requireOpenCall } from "./tool-results.ts";

const PASS_THROUGH: ToolResultHandler = (pending) => pending.approve();

/** Commits tool results after asking the handler of `tool_result`. */
export class ToolResultWriter {
  readonly #history: HistoryQueries;
  readonly #summarize: (wish: SummaryWish) => Promise<Summarized>;
  readonly #limitMs: number;
  readonly #events: HistoryEvents;
  readonly #late: LateSummaries;
  #handler = PASS_THROUGH;

  constructor(history: HistoryQueries, summarize: (wish: SummaryWish) => Promise<Summarized>, limitMs: number, events: HistoryEvents, late: LateSummaries) {
    this.#history = history;
    this.#summarize = summarize;
    this.#limitMs = limitMs;
    this.#events = events;
    this.#late = late;
  }

  /** Replaces the handler. Returns a function that removes it. */
  use(handler: ToolResultHandler): () => void {
    this.#handler = handler;
    return () => {
      if (this.#handler === handler) this.#handler = PASS_THROUGH;
    };
  }

  async write(branch: BranchLog, block: ToolResultBlock, name: string, { author, reason }: Authorship): Promise<Commit> {
    // The handler is not asked about a result that cannot be committed.
    if (this.#handler !== PASS_THROUGH) await branch.check((state) => requireOpenCall(state, block.tool_use_id, name));
    const decision = await this.#decide(block, name);
    const why = decision.kind === "edit" ? reason : (decision.reason ?? reason);
    const authorship = { author, ...(why === undefined ? {} : { reason: why }) };
    const said = decision.kind === "reject" ? parseResult(block.tool_use_id, decision.reason, true) : block;
    const shown = decision.kind === "edit" ? decision : undefined;
    const { original, added } = await branch.write((state, chain) => ({
      original: addResult(state, chain, { block: said, name, authorship, shown }),
      added: chain.entries,
    }));
    this.#report(original, decision, added);
    if (decision.kind === "approve" && decision.later !== undefined) this.#late.request(branch, original.hash, decision.later);
    return toCommit(original);
  }

  #decide(block: ToolResultBlock, toolName: string): Promise<Decision> {
    const summarize = (wish: Omit<SummaryWish, "system">): Promise<Summarized> => this.#summarize({ ...wish, system: TOOL_SUMMARIZE_SYSTEM });
    const check = (content: Content): void => {
      replaceResult({ at: { position: 0, block: 0 }, block, handle: "", content, form: "custom", madeAt: 1, pass: "", reason: "" });
    };
    return decideResult(this.#handler, { history: this.#history, block, toolName, summarize, check }, this.#limitMs);
  }

  #report(original: StoredCommit, decision: Decision, added: readonly Entry[]): void {
    if (decision.kind === "approve" && "failure" in decision) this.#events.emit("error", { error: decision.failure, commits: [original.hash] });
    const edits = added.flatMap(({ content }) => (isEdited(content) ? [content.edit] : []));
    const commits = added.flatMap(({ commit }) => (commit.kind === "edit" ? [toCommit(commit)] : []));
    if (edits.length > 0) this.#events.emit("edit", { commits, edits, undone: false });
  }
}
