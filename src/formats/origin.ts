/* eslint-disable @typescript-eslint/no-unnecessary-type-parameters -- Only the codec that decoded a value knows the type of what it was decoded from. */
/**
 * The values that a message or block was decoded from. Stored under a symbol, so that a spread (`{ ...block, content }`)
 * copies it, and neither JSON nor a list of keys shows it.
 */
const ORIGIN: unique symbol = Symbol("palimpsest.origin");

interface Origin<Native> {
  readonly natives: readonly Native[];
  /** The value as it was decoded: a copy of it is a change. */
  decoded: object;
}

type Decoded<Native> = object & { readonly [ORIGIN]?: Origin<Native> };

/** Marks a value that `decode` has just created. */
export function decodedFrom<T extends object, Native>(natives: readonly Native[], value: T): T {
  (value as { [ORIGIN]?: Origin<Native> })[ORIGIN] = { natives, decoded: value };
  return value;
}

/** Returns what the value, or the original of a changed copy, was decoded from. */
export function nativesOf<Native>(value: object): readonly Native[] | undefined {
  return (value as Decoded<Native>)[ORIGIN]?.natives;
}

/** Returns what the value was decoded from, unless it has been changed since. */
export function untouchedNatives<Native>(value: object): readonly Native[] | undefined {
  const origin = (value as Decoded<Native>)[ORIGIN];
  return origin?.decoded === value ? origin.natives : undefined;
}

/** Returns a copy of the value without its origin. */
export function withoutOrigin<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value)) as T;
}
