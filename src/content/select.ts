import { countCut, gapText, GAP_TOKENS, type Cuttable } from "./gap.ts";
import { MOST_HEADINGS, NO_HEADING, type Unit } from "./unit.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";

export interface Selection {
  readonly text: string;
  /** Indices of the units that are shown, in order. */
  readonly shown: readonly number[];
  readonly cutUnits: number;
}

/** A unit's price when units are compared is not just its tokens: the shortest lines would always win. Fitted to the corpus. */
const OVERHEAD_TOKENS = 20;
const PRICE_EXPONENT = 0.8;

/** How often the budget is tightened until the text is within it: the tokens of a text are not the sum of those of its parts. */
const MOST_ATTEMPTS = 12;

/**
 * The units of the greatest worth that fit into `maxTokens`, in their order and with their headings; every gap says what it
 * lacks. At least one unit is shown, even if it alone is too long. `worth` is 0 for what is shown only if there is room left.
 */
export function select(units: readonly Unit[], worth: (unit: Unit, index: number) => number, maxTokens: number): Selection {
  const everything = textOfAll(units, maxTokens);
  if (everything !== undefined) return { text: everything, shown: units.map((_, index) => index), cutUnits: 0 };
  const order = byWorth(units, worth);
  let budget = maxTokens;
  for (let attempt = 0; attempt < MOST_ATTEMPTS && budget > 0; attempt++) {
    const shown = choose(units, order, budget);
    if (shown.count === 0) break;
    const selection = selectionOf(units, shown.isShown);
    const excess = estimateTokens(selection.text) - maxTokens;
    if (excess <= 0) return selection;
    budget -= excess;
  }
  return selectionOf(units, onlySmallest(units, order));
}

/** Undefined if it does not fit; a text that is much too long is not even joined. */
function textOfAll(units: readonly Unit[], maxTokens: number): string | undefined {
  let sum = 0;
  for (const unit of units) sum += unit.tokens;
  if (sum > 2 * maxTokens + units.length) return undefined;
  let text = "";
  for (const unit of units) text += unit.text;
  return estimateTokens(text) <= maxTokens ? text : undefined;
}

/** Indices, the greatest worth per token first, and in order where it is the same. */
function byWorth(units: readonly Unit[], worth: (unit: Unit, index: number) => number): Uint32Array {
  const density = new Float64Array(units.length);
  const order = new Uint32Array(units.length);
  for (const [index, unit] of units.entries()) {
    order[index] = index;
    density[index] = worth(unit, index) / (unit.tokens + OVERHEAD_TOKENS) ** PRICE_EXPONENT;
  }
  return order.sort((a, b) => (density[b] ?? 0) - (density[a] ?? 0) || a - b);
}

/** Takes units as long as they fit, with what they have to be shown with. */
function choose(units: readonly Unit[], order: Uint32Array, budget: number): { readonly isShown: Uint8Array; readonly count: number } {
  const isShown = new Uint8Array(units.length);
  // One gap is there at the beginning: the whole text.
  let left = budget - GAP_TOKENS;
  let count = 0;
  for (const index of order) {
    if (left <= 0) break;
    if (isShown[index] === 1) continue;
    const group = withHeadings(units, index, isShown);
    addBridges(units, group, isShown);
    const tokens = priceOf(units, group, isShown);
    if (tokens > left) {
      for (const member of group) isShown[member] = 0;
      continue;
    }
    left -= tokens;
    count += group.length;
  }
  if (count > 0) fillSmallGaps(units, isShown);
  return { isShown, count };
}

/** The unit and its headings that are not shown yet. They are marked as shown. */
function withHeadings(units: readonly Unit[], index: number, isShown: Uint8Array): number[] {
  const group: number[] = [];
  for (let at = index; group.length <= MOST_HEADINGS && at >= 0 && isShown[at] === 0; at = units[at]?.heading ?? -1) {
    isShown[at] = 1;
    group.push(at);
  }
  return group;
}

/** What lies alone between a member and a shown unit, if it is no longer than the words that would state the gap. */
function addBridges(units: readonly Unit[], group: number[], isShown: Uint8Array): void {
  for (const index of [...group])
    for (const step of [-1, 1]) {
      const between = index + step;
      if (isShown[between] !== 0 || isShown[between + step] !== 1 || (units[between]?.tokens ?? 0) > GAP_TOKENS) continue;
      isShown[between] = 1;
      group.push(between);
    }
}

/** Tokens of the group, and of the gaps that it makes or closes. */
function priceOf(units: readonly Unit[], group: readonly number[], isShown: Uint8Array): number {
  let tokens = 0;
  let gaps = 0;
  for (const [position, index] of group.entries()) {
    tokens += units[index]?.tokens ?? 0;
    // Members are looked at one after the other: those that follow count as still cut.
    const isOpen = (neighbour: number): boolean =>
      neighbour >= 0 && neighbour < units.length && (isShown[neighbour] === 0 || group.indexOf(neighbour, position + 1) >= 0);
    gaps += Number(isOpen(index - 1)) + Number(isOpen(index + 1)) - 1;
  }
  return tokens + gaps * GAP_TOKENS;
}

/** A gap that is no longer than the words that state it says more if it is shown. */
function fillSmallGaps(units: readonly Unit[], isShown: Uint8Array): void {
  let start = 0;
  let tokens = 0;
  for (let index = 0; index <= units.length; index++) {
    if (index < units.length && isShown[index] === 0) {
      tokens += units[index]?.tokens ?? 0;
      continue;
    }
    if (tokens <= GAP_TOKENS) isShown.fill(1, start, index);
    start = index + 1;
    tokens = 0;
  }
}

/** The unit with the fewest tokens, of those the one with the greatest worth: for a budget that none fits into. */
function onlySmallest(units: readonly Unit[], order: Uint32Array): Uint8Array {
  const isShown = new Uint8Array(units.length);
  let best = order[0] ?? 0;
  for (const index of order) if ((units[index]?.tokens ?? 0) < (units[best]?.tokens ?? 0)) best = index;
  isShown[best] = 1;
  return isShown;
}

function selectionOf(units: readonly Unit[], isShown: Uint8Array): Selection {
  const columns: Cuttable = {
    nounAt: (index) => units[index]?.noun,
    countAt: (index) => units[index]?.count ?? 0,
    headingAt: (index) => units[index]?.heading ?? NO_HEADING,
  };
  const shown: number[] = [];
  const parts: string[] = [];
  let gapStart = 0;
  for (const [index, unit] of units.entries()) {
    if (isShown[index] === 0) continue;
    if (index > gapStart) parts.push(gapText(countCut(gapStart, index, columns), false, parts.at(-1)));
    parts.push(unit.text);
    shown.push(index);
    gapStart = index + 1;
  }
  if (gapStart < units.length) parts.push(gapText(countCut(gapStart, units.length, columns), true, parts.at(-1)));
  return { text: parts.join(""), shown, cutUnits: units.length - shown.length };
}
