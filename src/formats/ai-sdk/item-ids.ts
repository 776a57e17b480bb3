import { isRecord } from "../../errors/is-record.ts";
import { isReasoning, type AiPart } from "./ai-message.ts";

/**
 * OpenAI stores the model's output, and the SDK then sends only the `itemId` of a part. Such an id is accepted only together
 * with the id of the reasoning before it (C4). Without that, the part itself must be sent.
 */
export function withoutLostItemIds(before: readonly AiPart[], shown: readonly AiPart[]): readonly AiPart[] {
  if (!before.some(isReasoning)) return shown;
  const left = new Set(shown);
  const lost = new Set<AiPart>();
  let isLost = false;
  for (const part of before) {
    if (isReasoning(part)) isLost = !left.has(part);
    else if (isLost && ANSWERABLE.has(part.type)) lost.add(part);
  }
  return lost.size === 0 ? shown : shown.map((part) => (lost.has(part) ? withoutItemId(part) : part));
}

/** Parts that can be sent without an id, because they hold their own content. Provider-run items cannot. */
const ANSWERABLE: ReadonlySet<string> = new Set(["text", "tool-call"]);

/** Removes the id of a changed part: under its id, the provider would still read the old content. */
export function withoutItemId<P extends AiPart>(part: P): P {
  const { providerOptions } = part as P & { readonly providerOptions?: unknown };
  if (!isRecord(providerOptions)) return part;
  const providers = Object.entries(providerOptions);
  if (!providers.some(([, options]) => isRecord(options) && "itemId" in options)) return part;
  return { ...part, providerOptions: Object.fromEntries(providers.map(([provider, options]) => [provider, isRecord(options) ? withoutId(options) : options])) };
}

function withoutId({ itemId: _, ...options }: Readonly<Record<string, unknown>>): object {
  return options;
}
