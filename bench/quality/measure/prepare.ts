import { createHash } from "node:crypto";
import type { ReplayStep } from "../../../src/replay/replay-policy.ts";
import { blocksOf, isToolUse, textBlock } from "../../../src/messages/message.ts";
import { filesChangedBy, findErrors, type ToolError } from "./landmarks.ts";
import type { DocumentFrequency } from "./document-frequency.ts";
import { findNeeds, type Need, type StepNeeds } from "./find-needs.ts";
import { createRandom, seedOf } from "./random.ts";
import type { Recording } from "./recording.ts";
import { createValidity, type Validity } from "./validity.ts";
import { ValueTable, type TrackedValue } from "./value-table.ts";
import type { TokensOfBlock } from "./token-counters.ts";

export interface TrackedNeed extends Need {
  readonly number: number;
}

/** A model call of the recording. */
export interface PreparedStep {
  readonly position: number;
  readonly call: ReplayStep;
  /** The time since the previous call; 0 if the file has no times. Infinity for another model, which has another cache. */
  readonly idleMs: number;
  readonly needs: readonly TrackedNeed[];
  /** Values of another task, as many as are at risk. */
  readonly foreign: readonly number[];
  /** The files that were created or changed before it. */
  readonly changedFiles: readonly number[];
  readonly lastError: ToolError | undefined;
  /** An earlier failure of a call that is repeated here. */
  readonly repeatedFailure: ToolError | undefined;
}

export interface PreparedTrajectory {
  readonly recording: Recording;
  readonly toolCalls: number;
  readonly headTokens: number;
  /** Of the whole log. */
  readonly fullTokens: number;
  readonly steps: readonly PreparedStep[];
  readonly table: ValueTable;
  readonly validity: Validity;
  readonly tokensOf: TokensOfBlock;
}

/** Does the work that does not depend on the policy, once for all policies. */
export function prepareTrajectories(recordings: readonly Recording[], frequency: DocumentFrequency, tokensOf: TokensOfBlock): readonly PreparedTrajectory[] {
  const found = recordings.map((recording) => findNeeds(recording, frequency));
  const own = recordings.map((recording, number) => new ValueTable(ownValues(found[number] ?? []), recording.log));
  return recordings.map((recording, number) => prepareTrajectory(recording, found[number] ?? [], foreignValues(recordings, own, number), tokensOf));
}

function ownValues(steps: readonly StepNeeds[]): TrackedValue[] {
  const values = new Map<string, TrackedValue>();
  for (const { value, origin } of steps.flatMap(({ needs }) => needs)) values.set(value, { value, origin, sources: "own" });
  return [...values.values()];
}

/** Returns values that were read from tools in other tasks, with their context there, drawn with a fixed seed. */
function foreignValues(recordings: readonly Recording[], tables: readonly ValueTable[], own: number): readonly TrackedValue[] {
  const others = tables.flatMap((table, number) => (recordings[number]?.task === recordings[own]?.task ? [] : [table]));
  const random = createRandom(seedOf(recordings[own]?.id ?? ""));
  const drawn: TrackedValue[] = [];
  const DRAWN = 400;
  for (let attempt = 0; attempt < 4 * DRAWN && drawn.length < DRAWN && others.length > 0; attempt++) {
    const table = others[Math.floor(random() * others.length)];
    const number = Math.floor(random() * (table?.values.length ?? 0));
    const value = table?.values[number];
    if (table === undefined || value === undefined || value.origin !== "tool") continue;
    drawn.push({ value: value.value, origin: "tool", sources: table.sourcesOf(number) });
  }
  return drawn;
}

function prepareTrajectory(recording: Recording, found: readonly StepNeeds[], foreign: readonly TrackedValue[], tokensOf: TokensOfBlock): PreparedTrajectory {
  const { log, system, tools } = recording;
  const own = ownValues(found);
  const files = log.map(filesChangedBy);
  const paths = [...new Set(files.flat())];
  const table = new ValueTable([...own, ...paths.map((value) => ({ value, origin: "self" as const, sources: "own" as const })), ...foreign], log);
  const numberOf = new Map(own.map(({ value }, number) => [value, number]));
  const fileNumber = new Map(paths.map((path, number) => [path, own.length + number]));
  const headHash = createHash("sha256")
    .update(JSON.stringify([system, tools]))
    .digest("hex");
  const errors = findErrors(log);
  let drawn = 0;
  let before: { readonly atMs: number | undefined; readonly model: string } | undefined;

  const steps = found.map(({ position, needs }): PreparedStep => {
    const model = recording.models[position] ?? recording.model;
    const atMs = timeOfCall(recording, position);
    const idleMs = idleBetween(before, { atMs, model });
    before = { atMs: atMs ?? before?.atMs, model };
    const tracked = needs.map((need) => ({ ...need, number: numberOf.get(need.value) ?? -1 }));
    const atRisk = tracked.filter((need) => need.atRisk && need.usedIn === "call").length;
    const changed = new Set(files.slice(0, position).flat());
    return {
      position,
      call: { model, headHash, ...(atMs === undefined ? {} : { atMs }) },
      idleMs,
      needs: tracked,
      foreign: foreign.length === 0 ? [] : Array.from({ length: atRisk }, () => own.length + paths.length + (drawn++ % foreign.length)),
      changedFiles: [...changed].flatMap((path) => fileNumber.get(path) ?? []),
      lastError: errors.lastBefore(position),
      repeatedFailure: errors.failureRepeatedAt(position),
    };
  });
  return {
    recording,
    toolCalls: log.flatMap((message) => blocksOf(message).filter(isToolUse)).length,
    headTokens: tokensOf(textBlock(system)) + (tools.length === 0 ? 0 : tokensOf(textBlock(JSON.stringify(tools)))),
    fullTokens: log.flatMap((message) => blocksOf(message).map(tokensOf)).reduce((sum, tokens) => sum + tokens, 0),
    steps,
    table,
    validity: createValidity(recording),
    tokensOf,
  };
}

/** A request is sent when the newest message before it exists; some files have only the times of answers. */
function timeOfCall({ times }: Recording, position: number): number | undefined {
  return times[position - 1] ?? times[position];
}

function idleBetween(
  before: { readonly atMs: number | undefined; readonly model: string } | undefined,
  now: { readonly atMs: number | undefined; readonly model: string },
): number {
  if (before === undefined) return 0;
  if (before.model !== now.model) return Infinity;
  return before.atMs === undefined || now.atMs === undefined ? 0 : Math.max(0, now.atMs - before.atMs);
}
