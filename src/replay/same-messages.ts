import type { Message } from "../messages/message.ts";

/**
 * Reuses message objects between views. A policy may rebuild its view for every call; here a message that equals one of the previous view
 * becomes the same object, so that readers can compare by identity.
 */
export class SameMessages {
  readonly #log: ReadonlySet<Message>;
  #before: readonly Message[] = [];

  constructor(log: readonly Message[]) {
    this.#log = new Set(log);
  }

  of(view: readonly Message[]): readonly Message[] {
    let moved: ReadonlyMap<string, Message> | undefined;
    const same = view.map((message, number) => {
      const before = this.#before[number];
      if (before === message || this.#log.has(message)) return message;
      if (before !== undefined && isSame(message, before)) return before;
      moved ??= new Map(this.#before.filter((other) => !this.#log.has(other)).map((other) => [JSON.stringify(other), other]));
      const other = moved.get(JSON.stringify(message));
      return other !== undefined && isSame(message, other) ? other : message;
    });
    this.#before = same;
    return same;
  }

  isOfLog(message: Message): boolean {
    return this.#log.has(message);
  }
}

/** Compares content, key order, and origin, which is stored under symbols. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other))
    return Array.isArray(one) && Array.isArray(other) && one.length === other.length && one.every((item, number) => isSame(item, other[number]));
  const keys = Reflect.ownKeys(one);
  const others = Reflect.ownKeys(other);
  return keys.length === others.length && keys.every((key, number) => key === others[number] && isSameField(one, other, key));
}

function isSameField(one: object, other: object, key: string | symbol): boolean {
  const [value, compared] = [Reflect.get(one, key) as unknown, Reflect.get(other, key) as unknown];
  return typeof key === "symbol" ? value === compared : isSame(value, compared);
}
