import { blockAt, isToolResult, type ToolResultBlock } from "../messages/message.ts";
import type { Place } from "../messages/place.ts";
import { newestResponse } from "../passes/hold-back.ts";
import type { BranchState } from "./branch-state.ts";
import type { Unit } from "./commit-index.ts";

/** Units that become one summary: a range, both ends included, or a single result. */
export interface Run {
  readonly kind: "range" | "result";
  readonly from: number;
  readonly to: number;
}

/** Calls, their results, and everything in between: summarized as a whole or not at all. */
interface Round {
  readonly from: number;
  readonly to: number;
  /** A call of the newest response has no result yet. */
  readonly isOpen: boolean;
  readonly hasError: boolean;
}

export interface Chosen {
  readonly units: ReadonlySet<number>;
  readonly preserved: ReadonlySet<number>;
  /** Rounds with an error stay: errors are never summarized. */
  readonly keepsErrors: boolean;
}

/**
 * Returns the runs that the chosen units form. A run takes in every round that it touches. A round that has to stay, because it holds a
 * preserved commit, an error, or an open call, ends the run, and those of its results that were chosen are summarized one by one.
 */
export function runsOf(state: BranchState, { units, preserved, keepsErrors }: Chosen): Run[] {
  const roundOf = roundsByUnit(state);
  const isError = (number: number): boolean => state.units[number]?.commit.isError === true;
  const withPreserved = new Set([...preserved].map((number) => roundOf.get(number)));
  const stays = (round: Round): boolean => round.isOpen || (keepsErrors && round.hasError) || withPreserved.has(round);
  const alone: number[] = [];
  const free: number[] = [];
  for (const number of [...units].filter((unit) => !preserved.has(unit)).sort((a, b) => a - b)) {
    const round = roundOf.get(number);
    if (round !== undefined && stays(round)) alone.push(number);
    else free.push(number);
  }
  const ranges: Run[] = [];
  for (const { from, to } of stretches(free)) {
    if (from === to && isResult(state.units[from])) alone.push(from);
    else addRange(ranges, { kind: "range", from: roundOf.get(from)?.from ?? from, to: roundOf.get(to)?.to ?? to });
  }
  const isCovered = (number: number): boolean => ranges.some((range) => number >= range.from && number <= range.to);
  const results = alone.filter((number) => isResult(state.units[number]) && !isCovered(number) && !(keepsErrors && isError(number)));
  return [...ranges, ...results.map((number): Run => ({ kind: "result", from: number, to: number }))].sort((a, b) => a.from - b.from);
}

/** Returns the calls of a tool, or of all tools, with their results, without turns that wait for a result. */
export function turnUnits(state: BranchState, tool: string | undefined): ReadonlySet<number> {
  const { index } = state.conversation;
  const rounds = roundsByUnit(state);
  const units = new Set<number>();
  for (const call of index.calls) {
    const unit = state.unitAt(call);
    if (call.server || unit === undefined || rounds.get(unit.number)?.isOpen === true) continue;
    if (tool !== undefined && unit.commit.calls?.some(({ name }) => name === tool) !== true) continue;
    const result = call.result === undefined ? undefined : state.unitAt(call.result);
    units.add(unit.number);
    if (result !== undefined) units.add(result.number);
  }
  return units;
}

/** Returns the end of a unit's own blocks: others may be added after them. */
export function endOfUnit({ position, to }: Unit): Place {
  return to === 0 ? { position: position + 1, block: 0 } : { position, block: to };
}

function isResult(unit: Unit | undefined): boolean {
  return unit?.commit.role === "tool";
}

/** Adds a range, joined with the last one if they meet. */
function addRange(ranges: Run[], range: Run): void {
  const last = ranges.at(-1);
  if (last === undefined || range.from > last.to + 1) ranges.push(range);
  else ranges[ranges.length - 1] = { ...last, to: Math.max(last.to, range.to) };
}

function stretches(ascending: readonly number[]): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (const number of ascending) {
    const last = found.at(-1);
    if (last?.to === number - 1) last.to = number;
    else found.push({ from: number, to: number });
  }
  return found;
}

function roundsByUnit(state: BranchState): Map<number, Round> {
  const { log, index } = state.conversation;
  const newest = newestResponse(log)?.from ?? log.length;
  const rounds: Round[] = [];
  for (const call of index.calls) {
    const from = state.unitAt(call)?.number;
    if (from === undefined) continue;
    const answer = call.result === undefined ? undefined : blockAt(log, call.result);
    const to = call.result === undefined ? from : (state.unitAt(call.result)?.number ?? from);
    const round = {
      from,
      to,
      isOpen: call.result === undefined && call.position >= newest,
      hasError: answer !== undefined && isFailure(answer as ToolResultBlock),
    };
    const last = rounds.at(-1);
    if (last === undefined || from > last.to) rounds.push(round);
    else {
      rounds[rounds.length - 1] = {
        from: last.from,
        to: Math.max(last.to, to),
        isOpen: last.isOpen || round.isOpen,
        hasError: last.hasError || round.hasError,
      };
    }
  }
  return new Map(rounds.flatMap((round) => state.units.slice(round.from, round.to + 1).map(({ number }) => [number, round] as const)));
}

function isFailure(block: ToolResultBlock): boolean {
  return isToolResult(block) && block.is_error === true;
}
