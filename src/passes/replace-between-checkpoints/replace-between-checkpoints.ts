import { borderOf } from "../../edits/border.ts";
import type { Proposal } from "../../edits/edit.ts";
import { invalid, PalimpsestError } from "../../errors/palimpsest-error.ts";
import { checkpointsNamed, placedCheckpoints, type PlacedCheckpoint } from "../../messages/checkpoint.ts";
import type { LogIndex } from "../../messages/index-log.ts";
import type { Message } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import { comparePlaces, type Place } from "../../messages/place.ts";
import { frozenStretch } from "../hold-back.ts";
import type { PassContext } from "../pass.ts";

/** The stretch from just after checkpoint `from` to just after checkpoint `to`. Default: the start and the end of the thread. */
export interface Replacement {
  readonly from?: string;
  readonly to?: string;
  /** Blank: the stretch is deleted. */
  readonly summary: string;
}

interface ReplaceOptions extends PassContext {
  readonly replacements: readonly Replacement[];
  /** Where the thread ends for a replacement without `to`. Default: after its last message. */
  readonly end?: Place;
  /** The checkpoints that can be used. Default: all that are in the log. */
  readonly checkpoints?: readonly PlacedCheckpoint[];
  /** Ids of checkpoints inside an earlier summary. */
  readonly hidden?: ReadonlySet<string>;
}

interface Checkpoints {
  /** At least the checkpoints that a replacement names. */
  readonly named: readonly PlacedCheckpoint[];
  /** Returns all checkpoints that can be used, for error messages. */
  readonly usable: () => readonly PlacedCheckpoint[];
  readonly hidden: ReadonlySet<string>;
}

interface Stretch {
  readonly from: Place;
  readonly to: Place;
  readonly replacement: Replacement;
}

/**
 * Replaces each stretch between two checkpoints by a summary.
 *
 *     before: user [text, checkpoint a] · assistant+call · user [result, checkpoint b] · assistant     ({ from: "a", to: "b", summary: "Looked around." })
 *     after:  user [text, checkpoint a] · assistant "Looked around." · assistant
 */
export function replaceBetweenCheckpoints(log: readonly Message[], _edits: readonly Proposal[], options: ReplaceOptions): Proposal[] {
  const { index } = options;
  const end = options.end ?? { position: log.length, block: 0 };
  const replacements = parseReplacements(options.replacements);
  const checkpoints: Checkpoints = {
    named: options.checkpoints ?? checkpointsNamed(log, index, idsIn(replacements)),
    usable: () => options.checkpoints ?? placedCheckpoints(log, index),
    hidden: options.hidden ?? new Set(),
  };
  const stretches = replacements.map((replacement) => stretchOf(index, replacement, checkpoints, end));
  refuseOverlaps(stretches);
  refuseOpenLoop(log, stretches, options);
  return stretches.map(({ from, to, replacement }) => ({
    kind: "replace-range",
    from,
    to,
    role: "assistant",
    summary: replacement.summary,
    pass: "replace-between-checkpoints",
    reason: `asked for: ${describe(replacement)}`,
    madeAt: log.length,
  }));
}

function parseReplacements(value: readonly Replacement[]): readonly Replacement[] {
  if (!Array.isArray(value) || value.length === 0) throw invalid("INVALID_INPUT", "replacements", "at least one replacement { from?, to?, summary }", value);
  // Not `forEach`, which skips holes.
  for (const [number, replacement] of (value as readonly unknown[]).entries()) {
    const path = `replacements.${number}`;
    if (!isRecord(replacement)) throw invalid("INVALID_INPUT", path, "a replacement { from?, to?, summary }", replacement);
    for (const [key, given] of Object.entries(replacement)) {
      if (key !== "from" && key !== "to" && key !== "summary") throw invalid("INVALID_INPUT", `${path}.${key}`, "one of from, to, summary", key);
      if (typeof given !== "string" && !(given === undefined && key !== "summary")) throw invalid("INVALID_INPUT", `${path}.${key}`, "a string", given);
    }
    if (!("summary" in replacement)) throw invalid("INVALID_INPUT", `${path}.summary`, "a string", undefined);
  }
  return value as readonly Replacement[];
}

function idsIn(replacements: readonly Replacement[]): Set<string> {
  const ids = new Set<string>();
  for (const { from, to } of replacements) {
    if (from !== undefined) ids.add(from);
    if (to !== undefined) ids.add(to);
  }
  return ids;
}

function stretchOf(index: LogIndex, replacement: Replacement, checkpoints: Checkpoints, end: Place): Stretch {
  const from = replacement.from === undefined ? { position: 0, block: 0 } : borderOf(index, placeAfter(replacement.from, checkpoints));
  const to = replacement.to === undefined ? end : borderOf(index, placeAfter(replacement.to, checkpoints));
  const order = comparePlaces(from, to);
  if (order === 0) throw rangeError("RANGE_EMPTY", `There is nothing ${describe(replacement)}.`, replacement, checkpoints);
  if (order > 0)
    throw rangeError(
      "RANGE_REVERSED",
      `Checkpoint ${replacement.from ?? ""} lies after checkpoint ${replacement.to ?? ""}: swap them.`,
      replacement,
      checkpoints,
    );
  return { from, to, replacement };
}

function placeAfter(id: string, checkpoints: Checkpoints): Place {
  const found = checkpoints.named.filter((checkpoint) => checkpoint.id === id);
  const [first] = found;
  if (first !== undefined && found.length === 1) return { position: first.position, block: first.block + 1 };
  const data = { id, checkpoints: idsThatOccurOnce(checkpoints) };
  if (checkpoints.hidden.has(id))
    throw new PalimpsestError("CHECKPOINT_HIDDEN", `Checkpoint ${id} lies inside an earlier summary. ${choices(data.checkpoints)}`, data);
  if (first === undefined) throw new PalimpsestError("CHECKPOINT_UNKNOWN", `There is no checkpoint ${JSON.stringify(id)}. ${choices(data.checkpoints)}`, data);
  const positions = found.map((checkpoint) => checkpoint.position);
  throw new PalimpsestError("CHECKPOINT_AMBIGUOUS", `Checkpoint ${id} occurs ${found.length} times. ${choices(data.checkpoints)}`, { ...data, positions });
}

function idsThatOccurOnce(checkpoints: Checkpoints): string[] {
  const times = new Map<string, number>();
  for (const { id } of checkpoints.usable()) times.set(id, (times.get(id) ?? 0) + 1);
  return [...times].flatMap(([id, count]) => (count === 1 ? [id] : []));
}

function choices(ids: readonly string[]): string {
  return ids.length === 0 ? "The thread has no checkpoint that can be used." : `Use one of: ${ids.join(", ")}.`;
}

function refuseOverlaps(stretches: readonly Stretch[]): void {
  const sorted = [...stretches].sort((a, b) => comparePlaces(a.from, b.from) || comparePlaces(a.to, b.to));
  sorted.forEach((second, number) => {
    const first = sorted[number - 1];
    if (first === undefined || comparePlaces(first.to, second.from) <= 0) return;
    throw new PalimpsestError("OVERLAPPING_RANGES", `The stretches ${describe(first.replacement)} and ${describe(second.replacement)} overlap.`, {
      first: first.replacement,
      second: second.replacement,
    });
  });
}

function refuseOpenLoop(log: readonly Message[], stretches: readonly Stretch[], context: PassContext): void {
  const frozen = frozenStretch(log, context);
  const hit = frozen === undefined ? undefined : stretches.find(({ from, to }) => from.position <= frozen.to && to.position >= frozen.from);
  if (frozen === undefined || hit === undefined) return;
  throw new PalimpsestError(
    "LOOP_OPEN",
    `The stretch ${describe(hit.replacement)} lies before thinking that the open tool loop needs (position ${frozen.to}). Compact when the turn is over.`,
    { before: frozen.to },
  );
}

function rangeError(code: "RANGE_EMPTY" | "RANGE_REVERSED", message: string, { from, to }: Replacement, checkpoints: Checkpoints): PalimpsestError {
  return new PalimpsestError(code, message, { id: from ?? to, from, to, checkpoints: idsThatOccurOnce(checkpoints) });
}

function describe({ from, to }: Replacement): string {
  return `from ${from === undefined ? "the start" : `checkpoint ${from}`} to ${to === undefined ? "the end" : `checkpoint ${to}`}`;
}
