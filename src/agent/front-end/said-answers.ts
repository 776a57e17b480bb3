import type { Message } from "../../messages/message.ts";
import { saidKeys, signaturesIn } from "./said-keys.ts";
import type { ReadStore } from "./saving.ts";
import type { Place } from "./session-archive.ts";

/** How many keys of recent answers are remembered, for front ends without a store. */
const MOST_SAID = 50_000;

/** The answers that were given here, by which a conversation is recognized that an agent continues in a new history. */
export class SaidAnswers {
  readonly #reading: ReadStore;
  readonly #onError: (error: unknown) => void;
  readonly #said = new Map<string, Place>();

  constructor(reading: ReadStore, onError: (error: unknown) => void) {
    this.#reading = reading;
    this.#onError = onError;
  }

  note(keys: readonly string[], place: Place): void {
    for (const key of keys) {
      this.#said.delete(key);
      this.#said.set(key, place);
    }
    for (const key of this.#said.keys()) {
      if (this.#said.size <= MOST_SAID) break;
      this.#said.delete(key);
    }
  }

  /** Returns whether any of these messages is an answer that was given here. */
  async knowsAny(scope: string, messages: readonly Message[]): Promise<boolean> {
    return (await this.#knownOf(messages.flatMap((message) => (message.role === "assistant" ? saidKeys(scope, message) : [])))).size > 0;
  }

  /**
   * Returns the conversation from which an agent has carried answers into a new history. All of them must be known, except those before the first known
   * thinking: the agent may have left out their thinking, without which they are not recognized.
   */
  async originOf(scope: string, spoken: readonly Message[]): Promise<Place | undefined> {
    const keys = spoken.map((message) => saidKeys(scope, message));
    const known = await this.#knownOf(keys.flat());
    const isKnown = keys.map((each) => each.some((key) => known.has(key)));
    const isSigned = spoken.map((message) => signaturesIn(message).length > 0);
    const first = isSigned.findIndex((signed, number) => signed && isKnown[number] === true);
    const isOurs = isKnown.every((each, number) => each || (number < first && isSigned[number] === false));
    const [place] = known.values();
    return isOurs ? place : undefined;
  }

  /** Returns which of these keys of answers are known, and in which conversations. */
  async #knownOf(wanted: readonly string[]): Promise<ReadonlyMap<string, Place>> {
    const known = new Map(wanted.flatMap((key) => (this.#said.has(key) ? [[key, this.#said.get(key) as Place] as const] : [])));
    if (known.size === new Set(wanted).size) return known;
    try {
      return new Map([...((await this.#reading((archive) => archive.said(wanted))) ?? []), ...known]);
    } catch (error) {
      this.#onError(error);
      return known;
    }
  }
}
