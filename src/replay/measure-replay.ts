import { modelInfo, type ModelOptions } from "../pricing/model-info.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";
import { addedFaults } from "./added-faults.ts";
import { ViewBiller } from "./bill-views.ts";
import type { ReplayHead } from "./replay-head.ts";
import type { ReplayedCall } from "./replay-trajectory.ts";
import type { WireMessages } from "./wire-messages.ts";

/** The effect of a policy on a recording. Tokens and dollars are for input only: the output is always the recorded one. */
export interface ReplayMeasures {
  /** The number of model calls. */
  readonly calls: number;
  readonly tokensSent: number;
  readonly peakTokens: number;
  /** With prompt caching. */
  readonly dollars: number;
  /** The same measures for the full conversation. */
  readonly full: { readonly tokensSent: number; readonly peakTokens: number; readonly dollars: number };
  /** Dollars divided by the dollars of the full conversation; undefined if no model was called. */
  readonly costRatio: number | undefined;
  /** The number of calls that changed something already sent. */
  readonly batches: number;
  /** Messages that were changed or added in views; each form counts once. */
  readonly edits: number;
  /** What a provider would refuse in a view but not in its log. */
  readonly faults: number;
  /** The first faults, each once. */
  readonly faultsFound: readonly string[];
  /** The tokens of all originals whose handle some view named. */
  readonly recoverableTokens: number;
}

const FAULTS_SHOWN = 5;

/** Takes the calls of one trajectory, one by one. */
export class ReplayMeter {
  readonly #wire: WireMessages;
  readonly #options: ModelOptions;
  readonly #shown: ViewBiller;
  readonly #full: ViewBiller;
  readonly #sums = { calls: 0, tokensSent: 0, peakTokens: 0, dollars: 0, batches: 0, edits: 0, faults: 0 };
  readonly #fullSums = { tokensSent: 0, peakTokens: 0, dollars: 0 };
  readonly #faultsFound = new Set<string>();
  readonly #recoverable = new Map<string, number>();
  #lengthBefore = 0;

  constructor(head: ReplayHead, wire: WireMessages, options: ModelOptions = {}) {
    this.#wire = wire;
    this.#options = options;
    this.#shown = new ViewBiller(head, options);
    this.#full = new ViewBiller(head, options);
  }

  add(call: ReplayedCall): void {
    const { view, log, isRewrite, edits, model } = call;
    addBill(this.#sums, this.#shown.bill(call, view.messages, call));
    addBill(this.#fullSums, this.#full.bill(call, log, { kept: this.#lengthBefore }));
    this.#lengthBefore = log.length;
    this.#sums.calls++;
    this.#sums.edits += edits;
    if (isRewrite) this.#sums.batches++;
    const faults = addedFaults(call, this.#wire);
    this.#sums.faults += faults.length;
    for (const fault of faults) if (this.#faultsFound.size < FAULTS_SHOWN) this.#faultsFound.add(fault);
    for (const { handle, text } of view.recoverable)
      if (!this.#recoverable.has(handle)) this.#recoverable.set(handle, Math.round(estimateTokens(text) * modelInfo(model, this.#options).tokenFactor));
  }

  finish(): ReplayMeasures {
    const recoverableTokens = [...this.#recoverable.values()].reduce((sum, tokens) => sum + tokens, 0);
    const full = { ...this.#fullSums };
    return { ...this.#sums, full, costRatio: ratioOf(this.#sums.dollars, full.dollars), faultsFound: [...this.#faultsFound], recoverableTokens };
  }
}

interface InputSums {
  tokensSent: number;
  peakTokens: number;
  dollars: number;
}

function addBill(sums: InputSums, { inputTokens, dollars }: { readonly inputTokens: number; readonly dollars: number }): void {
  sums.tokensSent += inputTokens;
  sums.peakTokens = Math.max(sums.peakTokens, inputTokens);
  sums.dollars += dollars;
}

function ratioOf(dollars: number, fullDollars: number): number | undefined {
  return fullDollars === 0 ? undefined : dollars / fullDollars;
}

/** The sums over all trajectories, and the mean ratio of the single ones. */
export interface ReplayTotal extends ReplayMeasures {
  readonly trajectories: number;
  /** The mean over trajectories with calls. */
  readonly meanCostRatio: number | undefined;
  readonly worstCostRatio: number | undefined;
}

export function totalOf(measures: readonly ReplayMeasures[]): ReplayTotal {
  const sum = (of: (measured: ReplayMeasures) => number): number => measures.reduce((total, measured) => total + of(measured), 0);
  const most = (of: (measured: ReplayMeasures) => number): number => measures.reduce((peak, measured) => Math.max(peak, of(measured)), 0);
  const ratios = measures.flatMap(({ costRatio }) => costRatio ?? []);
  const dollars = sum((measured) => measured.dollars);
  const full = {
    tokensSent: sum((measured) => measured.full.tokensSent),
    peakTokens: most((measured) => measured.full.peakTokens),
    dollars: sum((measured) => measured.full.dollars),
  };
  return {
    trajectories: measures.length,
    calls: sum((measured) => measured.calls),
    tokensSent: sum((measured) => measured.tokensSent),
    peakTokens: most((measured) => measured.peakTokens),
    dollars,
    full,
    costRatio: ratioOf(dollars, full.dollars),
    meanCostRatio: ratios.length === 0 ? undefined : ratios.reduce((total, ratio) => total + ratio, 0) / ratios.length,
    worstCostRatio: ratios.length === 0 ? undefined : Math.max(...ratios),
    batches: sum((measured) => measured.batches),
    edits: sum((measured) => measured.edits),
    faults: sum((measured) => measured.faults),
    faultsFound: [...new Set(measures.flatMap(({ faultsFound }) => faultsFound))].slice(0, FAULTS_SHOWN),
    recoverableTokens: sum((measured) => measured.recoverableTokens),
  };
}
