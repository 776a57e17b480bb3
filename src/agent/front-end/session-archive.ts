import type { Pin } from "../../conversation/pin.ts";
import type { Edit } from "../../edits/edit.ts";
import type { FormatName } from "../../formats/codec.ts";
import { ConversationWriter } from "../../history/conversation-writer.ts";
import type { Message, ToolResultBlock } from "../../messages/message.ts";
import type { Step } from "../../policy/step.ts";
import type { Store } from "../../store/store.ts";
import type { ConversationAbout } from "../calls/conversation-about.ts";
import type { FullState } from "./full-thread.ts";
import type { Redact } from "./redaction.ts";
import type { SessionOrigin } from "./session.ts";

/** A conversation as one branch of a store. */
export interface Place {
  readonly thread: string;
  readonly branch: string;
}

/** A message of the client, as it is stored. */
export interface StoredAligned {
  readonly key: string;
  readonly end: number;
  readonly held?: readonly ToolResultBlock[];
}

/** The value of a note of the kind "aligned": what one call has added. */
export interface AlignedNote {
  /** How many of the client's messages come before them. */
  readonly from: number;
  readonly entries: readonly StoredAligned[];
  /** The last call that was decided. */
  readonly step?: Step;
  readonly lastFull?: FullState;
}

/** The value of a note of the kind "session". */
export interface SessionNote extends Omit<SessionOrigin, "hints"> {
  readonly version: 1;
  readonly hints: Partial<SessionOrigin["hints"]>;
  readonly seenFrom: number;
  readonly policy?: string;
  readonly pins: readonly Pin[];
}

/** A conversation that was found in a store. */
export interface LoadedSession {
  readonly place: Place;
  readonly writer: ConversationWriter;
  readonly log: readonly Message[];
  readonly edits: readonly Edit[];
  readonly session: SessionNote;
  readonly aligned: readonly StoredAligned[];
  readonly steps: readonly Step[];
  readonly lastFull: FullState | undefined;
  readonly about: ConversationAbout | undefined;
  /** Answers in their API's own form, by position. */
  readonly raws: ReadonlyMap<number, readonly object[]>;
}

/** How many keys are looked up at a time. */
const KEYS_AT_A_TIME = 500;

/** Returns the key of a chain of client messages, by which the conversation that continues it is found. */
export function chainKey(owner: string, format: FormatName, chain: string): string {
  return `${owner}/${format}/${chain}`;
}

export function numbered(branch: string, number: number): string {
  return `${branch}/${String(number).padStart(8, "0")}`;
}

/** Finds conversations in a store, and reads them. */
export class SessionArchive {
  readonly store: Store;
  /** Applied to every text before it is written. */
  readonly redact: Redact | undefined;

  constructor(store: Store, redact?: Redact) {
    this.store = store;
    this.redact = redact;
  }

  /** Returns the conversation that begins with the most of these messages. `chains`: one for each message. `thread`: looks only there. */
  async find(
    owner: string,
    format: FormatName,
    chains: readonly string[],
    thread?: string,
  ): Promise<{ readonly place: Place; readonly length: number } | undefined> {
    for (let to = chains.length; to > 0; to -= KEYS_AT_A_TIME) {
      const lengths = new Map(
        chains
          .slice(Math.max(0, to - KEYS_AT_A_TIME), to)
          .map((chain, number) => [chainKey(owner, format, chain), Math.max(0, to - KEYS_AT_A_TIME) + number + 1]),
      );
      const notes = await this.store.notes({ kind: "chain", keys: [...lengths.keys()], ...(thread === undefined ? {} : { thread }) });
      const [deepest] = notes.map((note) => ({ note, length: lengths.get(note.key) ?? 0 })).sort((a, b) => b.length - a.length || b.note.at - a.note.at);
      if (deepest !== undefined) return { place: { thread: deepest.note.thread, branch: deepest.note.value }, length: deepest.length };
    }
    return undefined;
  }

  /** Undefined: it is gone, or incomplete. */
  async load(place: Place): Promise<LoadedSession | undefined> {
    const { thread, branch } = place;
    const [note] = await this.store.notes({ kind: "session", thread, keys: [branch] });
    if (note === undefined) return undefined;
    const { writer, loaded } = await ConversationWriter.open(this.store, place);
    const { log, edits } = loaded;
    const calls = (await this.store.notes({ kind: "aligned", thread, prefix: `${branch}/` })).map(({ value }) => JSON.parse(value) as AlignedNote);
    const [about] = await this.store.notes({ kind: "about", thread, keys: [branch] });
    const raws = await this.store.notes({ kind: "raw", thread, prefix: `${branch}/` });
    const aligned = calls.flatMap(({ entries }) => entries).filter(({ end }) => end <= log.length);
    const { step, lastFull } = calls.at(-1) ?? {};
    return {
      place,
      writer,
      log,
      edits,
      session: JSON.parse(note.value) as SessionNote,
      aligned,
      steps: step === undefined ? [] : [step],
      lastFull,
      about: about === undefined ? undefined : (JSON.parse(about.value) as ConversationAbout),
      raws: new Map(raws.map(({ key, value }) => [Number(key.slice(branch.length + 1)), JSON.parse(value) as readonly object[]])),
    };
  }

  /** Returns which of these keys of answers are known, and in which conversations. */
  async said(keys: readonly string[]): Promise<ReadonlyMap<string, Place>> {
    const known = new Map<string, Place>();
    for (let from = 0; from < keys.length; from += KEYS_AT_A_TIME) {
      const notes = await this.store.notes({ kind: "said", keys: keys.slice(from, from + KEYS_AT_A_TIME) });
      for (const { key, thread, value } of notes) known.set(key, { thread, branch: value });
    }
    return known;
  }
}
