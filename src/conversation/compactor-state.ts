import type { Edit } from "../edits/edit.ts";
import { invalid, PalimpsestError } from "../errors/palimpsest-error.ts";
import { arrayOf, count, object } from "../errors/parse-options.ts";
import { isRecord } from "../errors/is-record.ts";
import type { Step } from "../policy/step.ts";

export const COMPACTOR_VERSION = 1;

/** A compactor as JSON: its decisions, and the hashes of the messages that they were made for. The caller keeps the messages themselves. */
export interface CompactorState {
  readonly version: typeof COMPACTOR_VERSION;
  readonly keys: readonly string[];
  readonly edits: readonly Edit[];
  readonly steps: readonly Step[];
  readonly seenFrom: number;
  readonly pins?: readonly number[];
}

const positions = arrayOf(count);
const records = arrayOf(object());

export function parseCompactorState(value: unknown): CompactorState {
  if (!isRecord(value)) throw invalid("INVALID_INPUT", "state", "what toJSON() of a compactor returned", value);
  const { version, keys, edits, steps, seenFrom, pins = [] } = value;
  if (version !== COMPACTOR_VERSION)
    throw new PalimpsestError("STATE_VERSION", `state.version: expected ${COMPACTOR_VERSION}, found ${JSON.stringify(version)}`, {
      found: version,
      expected: COMPACTOR_VERSION,
    });
  if (!Array.isArray(keys)) throw invalid("INVALID_INPUT", "state.keys", "an array of hashes", keys);
  if (!records.accepts(edits)) throw invalid("INVALID_INPUT", "state.edits", "an array of edits", edits);
  if (!records.accepts(steps)) throw invalid("INVALID_INPUT", "state.steps", "an array of steps", steps);
  if (!count.accepts(seenFrom)) throw invalid("INVALID_INPUT", "state.seenFrom", count.expected, seenFrom);
  if (!positions.accepts(pins)) throw invalid("INVALID_INPUT", "state.pins", positions.expected, pins);
  return { version, keys: keys as string[], edits: edits as Edit[], steps: steps as Step[], seenFrom, pins };
}
