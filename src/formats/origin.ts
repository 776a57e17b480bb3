/* eslint-disable @typescript-eslint/no-unnecessary-type-parameters -- Only the codec that decoded a value knows the type of what it was decoded from. */
/**
 * What a decoded message or block was made from. It lies under a symbol, so that a spread (`{ ...block, content }`) takes
 * it along, and neither JSON nor a list of keys shows it.
 */
const ORIGIN: unique symbol = Symbol("palimpsest.origin");

interface Origin<Native> {
  readonly natives: readonly Native[];
  /** The value as it was decoded: a copy of it is a change. */
  decoded: object;
}

type Decoded<Native> = object & { readonly [ORIGIN]?: Origin<Native> };

/** Marks a value that `decode` has just made. */
export function decodedFrom<T extends object, Native>(natives: readonly Native[], value: T): T {
  (value as { [ORIGIN]?: Origin<Native> })[ORIGIN] = { natives, decoded: value };
  return value;
}

/** What the value, or the one that it is a changed copy of, was decoded from. */
export function nativesOf<Native>(value: object): readonly Native[] | undefined {
  return (value as Decoded<Native>)[ORIGIN]?.natives;
}

/** What stands for the value as it is, if nobody has changed it since it was decoded. */
export function untouchedNatives<Native>(value: object): readonly Native[] | undefined {
  const origin = (value as Decoded<Native>)[ORIGIN];
  return origin?.decoded === value ? origin.natives : undefined;
}

/** A copy of the value that says what it says, and no longer where it comes from. */
export function withoutOrigin<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value)) as T;
}
