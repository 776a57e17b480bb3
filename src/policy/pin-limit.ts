import { PalimpsestError } from "../errors/palimpsest-error.ts";

/** Throws if pinned messages have more tokens than the limit. `tokens`: of every position. A limit of 0 means no limit. */
export function refuseLargePins(pinned: ReadonlySet<number>, tokens: readonly number[], limit: number): void {
  if (limit === 0 || pinned.size === 0) return;
  const pins = [...pinned].map((position) => ({ position, tokens: tokens[position] ?? 0 }));
  const pinnedTokens = pins.reduce((sum, pin) => sum + pin.tokens, 0);
  if (pinnedTokens <= limit) return;
  throw new PalimpsestError("PIN_TOO_LARGE", `Pinned messages take ${pinnedTokens} tokens, more than the limit of ${limit}: unpin some, or raise the limit.`, {
    pinnedTokens,
    limit,
    pins,
  });
}
