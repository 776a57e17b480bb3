/** Why a call was sent as it was. All sizes are tokens, as they are estimated. */
export interface Decision {
  /** Which call, counted from 1. */
  readonly call: number;
  /** The length of the log. */
  readonly upTo: number;
  readonly shownTokens: number;
  /** What a batch could take out; where digests are made, what they do. */
  readonly removableTokens: number;
  /** What this one does take out. */
  readonly removedTokens: number;
  /** What has to be written to the cache again for it. */
  readonly rewrittenTokens: number;
  /** If the floor is above the limit: who holds the tokens that are left. */
  readonly held?: { readonly pinned: number; readonly user: number; readonly assistant: number; readonly results: number };
  readonly because: "nothing to do" | "it would not pay" | "it pays" | "the cache is cold" | "over the limit" | "the floor is above the limit";
}

/** The same in a sentence. */
export function inWords({ call, shownTokens, removableTokens, removedTokens, rewrittenTokens, held, because }: Decision): string {
  const start = `Call ${call}, ${shownTokens} tokens: `;
  switch (because) {
    case "nothing to do":
      return `${start}nothing is worth a batch (${removableTokens} tokens could go).`;
    case "it would not pay":
      return `${start}${removableTokens} tokens could go, but what it would cost to write the rest to the cache again is more than it is expected to save.`;
    case "it pays":
      return `${start}about ${removedTokens} tokens go, and ${rewrittenTokens} behind them are written to the cache again.`;
    case "the cache is cold":
      return `${start}nothing is cached any more, so about ${removedTokens} tokens go for nothing.`;
    case "over the limit":
      return `${start}over the limit, so about ${removedTokens} tokens go.`;
    case "the floor is above the limit":
      return `${start}over the limit, and all that may go (${removedTokens} tokens) is not enough. What is left: ${heldInWords(held)}.`;
  }
}

function heldInWords(held: Decision["held"] = { pinned: 0, user: 0, assistant: 0, results: 0 }): string {
  const { pinned, user, assistant, results } = held;
  return `${user} tokens of the user's, ${assistant} of the assistant's, ${results} of results that are new or protected, ${pinned} that are pinned`;
}
