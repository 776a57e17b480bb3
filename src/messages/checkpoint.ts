import { invalid } from "../errors/palimpsest-error.ts";
import type { LogIndex } from "./index-log.ts";
import { blockAt, isText, type Block, type CheckpointBlock, type Message } from "./message.ts";
import type { Place } from "./place.ts";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";
const ID_LENGTH = 6;
const MARK_LENGTH = "<checkpoint:>".length + ID_LENGTH;
const MARK = /^<checkpoint:([a-z0-9]{6})>$/;

/** Returns a random id of six characters of `[a-z0-9]` that is not taken. */
export function generateCheckpointId(taken: ReadonlySet<string> = new Set()): string {
  if (typeof (taken as Partial<typeof taken> | null)?.has !== "function") throw invalid("INVALID_INPUT", "taken", "a set of ids", taken);
  for (;;) {
    let id = "";
    while (id.length < ID_LENGTH) id += randomCharacter();
    if (!taken.has(id)) return id;
  }
}

/** 252 is the largest multiple of 36 in a byte. Larger bytes are skipped, because they would make some characters more likely. */
function randomCharacter(): string {
  const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
  return byte < 252 ? ALPHABET.charAt(byte % ALPHABET.length) : "";
}

/** Returns a checkpoint as a thread holds it; the model reads the text `<checkpoint:id>`. */
export function createCheckpointContent(id: string): CheckpointBlock {
  if (!isCheckpointId(id)) throw invalid("INVALID_INPUT", "id", "six characters of [a-z0-9]", id);
  return { type: "checkpoint", id };
}

function isCheckpointId(id: unknown): id is string {
  return typeof id === "string" && /^[a-z0-9]{6}$/.test(id);
}

function idInText(text: string): string | undefined {
  return text.length === MARK_LENGTH ? MARK.exec(text)?.[1] : undefined;
}

/** Returns the id of a block that is only a checkpoint; undefined for text that contains more. */
export function checkpointId(block: Block): string | undefined {
  return isText(block) ? idInText(block.text) : idOfBlock(block);
}

function idOfBlock(block: Block | undefined): string | undefined {
  return block?.type === "checkpoint" && "id" in block && isCheckpointId(block.id) ? block.id : undefined;
}

export interface PlacedCheckpoint extends Place {
  readonly id: string;
}

/** Returns the checkpoints directly in user messages, in order. */
export function placedCheckpoints(messages: readonly Message[], index: LogIndex): PlacedCheckpoint[] {
  return placesWith(messages, index, idInText);
}

/** Returns the checkpoints with these ids. Compares whole texts instead of parsing ids, because every message may have a checkpoint. */
export function checkpointsNamed(messages: readonly Message[], index: LogIndex, ids: ReadonlySet<string>): PlacedCheckpoint[] {
  const marks = new Map<string, string>();
  for (const id of ids) if (isCheckpointId(id)) marks.set(`<checkpoint:${id}>`, id);
  return placesWith(messages, index, (text) => (text.length === MARK_LENGTH ? marks.get(text) : undefined)).filter(({ id }) => ids.has(id));
}

function placesWith(messages: readonly Message[], { userBlocks, userTexts }: LogIndex, idIn: (text: string) => string | undefined): PlacedCheckpoint[] {
  const found: PlacedCheckpoint[] = [];
  for (let number = 0; number < userBlocks.length; number++) {
    const at = userBlocks[number] as Place;
    const text = userTexts[number];
    const id = text === undefined ? idOfBlock(blockAt(messages, at)) : idIn(text);
    if (id !== undefined) found.push({ id, position: at.position, block: at.block });
  }
  return found;
}
