import type { Edit } from "../../edits/edit.ts";
import { invalid, PalimpsestError } from "../../errors/palimpsest-error.ts";
import { count } from "../../errors/parse-options.ts";
import { isToolResult, type Block, type Message } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import { parseBlock, parseMessages } from "../../messages/parse-messages.ts";
import type { Step } from "../../policy/step.ts";
import type { Pin } from "../../conversation/pin.ts";

export const STATE_VERSION = 1;

/** A thread as JSON, without its options: pass the same ones again. */
export interface ThreadState {
  readonly version: typeof STATE_VERSION;
  readonly id: string;
  readonly log: readonly Message[];
  readonly edits: readonly Edit[];
  readonly pins: readonly Pin[];
  /** The length of the log from which on the model saw our views. */
  readonly seenFrom: number;
  /** Results so far, if not all calls of the last response are answered. */
  readonly held: readonly HeldResult[];
  /** The last call that the policy has decided, if any. */
  readonly decided?: Step;
}

/** The state of a thread besides its log and its edits. */
export type Beside = Pick<ThreadState, "pins" | "held" | "decided">;

export interface HeldResult {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly [field: string]: unknown;
}

export function parseState(value: unknown): ThreadState {
  if (!isRecord(value)) throw invalid("INVALID_INPUT", "state", "the toJSON() of a thread", value);
  const { version, id, log, edits, pins, seenFrom, held, decided } = value;
  if (version !== STATE_VERSION)
    throw new PalimpsestError("STATE_VERSION", `state.version: expected ${STATE_VERSION}, found ${JSON.stringify(version)}`, {
      found: version,
      expected: STATE_VERSION,
    });
  if (typeof id !== "string" || id === "") throw invalid("INVALID_INPUT", "state.id", "the id of a thread", id);
  if (!count.accepts(seenFrom)) throw invalid("INVALID_INPUT", "state.seenFrom", count.expected, seenFrom);
  const messages = parseMessages(log);
  return {
    version,
    id,
    log: messages,
    edits: parseEach(edits, "state.edits", "edits", parseEdit),
    pins: parseEach(pins, "state.pins", "pins", (pin, path) => parsePin(pin, path, messages.length)),
    seenFrom,
    held: parseEach(held, "state.held", "results", parseHeld),
    ...(decided === undefined ? {} : { decided: parseDecided(decided, messages.length) }),
  };
}

function parseEach<T>(values: unknown, path: string, of: string, parse: (value: unknown, path: string) => T): readonly T[] {
  if (!Array.isArray(values)) throw invalid("INVALID_INPUT", path, `an array of ${of}`, values);
  return Array.from(values as readonly unknown[], (value, number) => parse(value, `${path}.${number}`));
}

/** The rest is checked against the log, when the thread begins. */
function parseEdit(value: unknown, path: string): Edit {
  if (!isRecord(value) || typeof value["id"] !== "string") throw invalid("INVALID_INPUT", path, "an edit with its id", value);
  return value as unknown as Edit;
}

function parsePin(value: unknown, path: string, length: number): Pin {
  if (!isRecord(value)) throw invalid("INVALID_INPUT", path, "a pin { id, position, reason }", value);
  const { id, position, reason } = value;
  if (typeof id !== "string" || typeof reason !== "string") throw invalid("INVALID_INPUT", path, "a pin { id, position, reason }", value);
  if (!count.accepts(position) || position >= length) throw invalid("INVALID_INPUT", `${path}.position`, `a position of the log, 0 to ${length - 1}`, position);
  return { id, position, reason };
}

function parseHeld(value: unknown, path: string): HeldResult {
  parseBlock(value, path);
  const block = value as Block;
  if (!isToolResult(block)) throw invalid("INVALID_INPUT", `${path}.type`, '"tool_result"', block.type);
  return { ...block };
}

function parseDecided(value: unknown, length: number): Step {
  if (!isRecord(value) || !count.accepts(value["upTo"]) || value["upTo"] > length)
    throw invalid("INVALID_INPUT", "state.decided", `a call with at most the ${length} messages of the log`, value);
  return value as unknown as Step;
}
