import type { CallRecord } from "../../agent/calls/call-record.ts";
import type { Edit } from "../../edits/edit.ts";
import type { CallAnswer } from "../answers.ts";

const NOTHING: Readonly<Record<string, string>> = {
  bypass: "the client asked for the request to be passed on as it came (x-palimpsest-bypass).",
  "too-large": "the request is larger than the proxy reads (--max-body-bytes).",
  unreadable: "the request could not be read: it was passed on as it came.",
  "no-conversation": "it is not a readable conversation: it has no model or no messages, or the provider keeps them.",
  "no-tools": "it is a side call: it has no tools, so the model could not recall an original.",
  "no-policy": "no policy is set.",
  "met-in-the-middle": "this conversation began elsewhere, and its earlier thinking is bound to the requests that were sent there.",
  compaction: "the agent itself was shortening its conversation.",
  observed: "the proxy only observes (--observe).",
  "other-path": "its path is not one of a conversation.",
  failed: "Palimpsest failed: the client's own request was sent.",
};

/** Returns what was done with a call, and why: one sentence that ends in the reason, and more lines with the numbers. */
export function wordsOfCall(record: CallRecord, made: readonly Edit[], tokensOf: (tokens: number) => number): CallAnswer["decision"] {
  const { decision, nothing, editCount, rounds, failures } = record;
  const more = [...(made.length > 0 ? passesIn(made) : []), ...numbersOf(record), ...hiddenIn(rounds), ...failedIn(failures)];
  const removed = made.reduce((sum, { tokensBefore, tokensAfter }) => sum + tokensOf(tokensBefore) - tokensOf(tokensAfter), 0);
  const batch = decision !== undefined && decision.removedTokens > 0 ? decision.because : undefined;
  if (batch !== undefined && editCount > 0)
    return {
      sentence: `${amount(removed > 0 ? removed : (decision?.removedTokens ?? 0))} tokens were removed in ${batchOf(editCount)}, because ${reason(batch)}.`,
      more,
      isQuiet: false,
    };
  const isCompacted = made.some(({ pass }) => pass === "compact");
  if (isCompacted) return { sentence: `${amount(removed)} tokens were removed, because the agent wrote a summary of them.`, more, isQuiet: false };
  if (editCount > 0)
    return {
      sentence: `${editCount === 1 ? "A new piece was" : `${amount(editCount)} new pieces were`} cut before the model first saw ${editCount === 1 ? "it" : "them"}, because at that point a cut costs no cache.`,
      more,
      isQuiet: false,
    };
  const known = nothing === undefined ? undefined : NOTHING[nothing];
  if (known !== undefined) return { sentence: `Nothing was done, because ${known}`, more, isQuiet: true };
  if (decision === undefined) return { sentence: "Nothing was done, because there was nothing to do.", more, isQuiet: true };
  return { sentence: `Nothing new was done, because ${reason(decision.because)}.`, more, isQuiet: true };
}

function reason(because: NonNullable<CallRecord["decision"]>["because"]): string {
  switch (because) {
    case "nothing to do":
      return "too little can be shortened yet to be worth it";
    case "it would not pay":
      return "it would cost more than it would save";
    case "it pays":
      return "it saves more than it costs";
    case "the cache is cold":
      return "the cache had expired, so removing them was free";
    case "over the limit":
      return "the conversation was over its limit";
    case "the floor is above the limit":
      return "the conversation is over its limit, and everything that may be removed is not enough";
  }
}

function numbersOf({ decision }: CallRecord): string[] {
  if (decision === undefined) return [];
  const { because, removableTokens, removedTokens, rewrittenTokens, held } = decision;
  const lines: string[] = [];
  if (because === "nothing to do" && removableTokens > 0) lines.push(`${amount(removableTokens)} tokens could be removed.`);
  if (because === "it would not pay")
    lines.push(`${amount(removableTokens)} tokens could be removed, but rewriting what follows them to the cache would cost more than it is expected to save.`);
  if (removedTokens > 0 && rewrittenTokens > 0) lines.push(`The ${amount(rewrittenTokens)} tokens after them were written to the cache again, once.`);
  if (held !== undefined)
    lines.push(
      `What is left: ${amount(held.user)} tokens from the user, ${amount(held.assistant)} from the assistant, ${amount(held.results)} in new or protected results, ${amount(held.pinned)} pinned.`,
    );
  return lines;
}

/** Counts edits by pass. The edits themselves say what they did. */
function passesIn(made: readonly Edit[]): string[] {
  const counts = new Map<string, number>();
  for (const { pass } of made) counts.set(pass, (counts.get(pass) ?? 0) + 1);
  return [`${[...counts].map(([pass, count]) => `${amount(count)} × ${pass}`).join(", ")}.`];
}

function hiddenIn(rounds: CallRecord["rounds"]): string[] {
  return rounds.flatMap(({ hidden = [] }) =>
    hidden.map(({ tool, handle, isError }) => {
      const what =
        tool === "recall" ? `The agent recalled ${handle ?? "something"}` : tool === "compact" ? "The agent wrote a summary" : `The agent called ${tool}`;
      return `${what}: Palimpsest answered ${isError === true ? "with an error " : ""}in a hidden round that the client never saw.`;
    }),
  );
}

function failedIn(failures: CallRecord["failures"]): string[] {
  return failures.map(({ stage, message, sent }) => `Palimpsest failed (${stage}): ${message}${sent === undefined ? "" : ` Sent instead: ${sent}.`}`);
}

function batchOf(edits: number): string {
  return edits === 1 ? "one edit" : `a batch of ${amount(edits)} edits`;
}

function amount(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}
