/** Why a call was sent as it was. All sizes are estimated tokens. */
export interface Decision {
  /** The number of the call, from 1. */
  readonly call: number;
  /** The length of the log at this call. */
  readonly upTo: number;
  readonly shownTokens: number;
  /** What a batch could remove; if digests are made, what they remove. */
  readonly removableTokens: number;
  /** What this batch removes. */
  readonly removedTokens: number;
  /** What has to be written to the cache again because of it. */
  readonly rewrittenTokens: number;
  /** If even the floor is above the limit: what the remaining tokens are. */
  readonly held?: { readonly pinned: number; readonly user: number; readonly assistant: number; readonly results: number };
  readonly because: "nothing to do" | "it would not pay" | "it pays" | "the cache is cold" | "over the limit" | "the floor is above the limit";
}

/** Explains a decision in a sentence. */
export function inWords({ call, shownTokens, removableTokens, removedTokens, rewrittenTokens, held, because }: Decision): string {
  const start = `Call ${call}, ${shownTokens} tokens: `;
  switch (because) {
    case "nothing to do":
      return `${start}nothing is worth a batch (it could remove ${removableTokens} tokens).`;
    case "it would not pay":
      return `${start}a batch could remove ${removableTokens} tokens, but writing the rest to the cache again would cost more than it would save.`;
    case "it pays":
      return `${start}removes about ${removedTokens} tokens; the ${rewrittenTokens} after them are written to the cache again.`;
    case "the cache is cold":
      return `${start}removes about ${removedTokens} tokens, which is free because the cache is already cold.`;
    case "over the limit":
      return `${start}over the limit, so about ${removedTokens} tokens are removed.`;
    case "the floor is above the limit":
      return `${start}over the limit, and removing everything allowed (${removedTokens} tokens) is not enough. What is left: ${heldInWords(held)}.`;
  }
}

function heldInWords(held: Decision["held"] = { pinned: 0, user: 0, assistant: 0, results: 0 }): string {
  const { pinned, user, assistant, results } = held;
  return `${user} tokens from the user, ${assistant} from the assistant, ${results} in new or protected results, ${pinned} pinned`;
}
