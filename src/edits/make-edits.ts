import { blocksOf, isPaired, isThinking, textBlock, type Block, type Message } from "../messages/message.ts";
import { isBefore, type Place } from "../messages/place.ts";
import { contentTokens } from "../tokens/message-tokens.ts";
import { makeEdit, type Edit, type Proposal } from "./edit.ts";

/** Returns tokens that were already counted. Undefined: they were not. */
export interface KnownTokens {
  tokensBefore(proposal: Proposal): number | undefined;
  tokensAfter(proposal: Proposal): number | undefined;
}

/** Turns proposals into edits: adds ids, and the tokens before and after as far as the log shows. */
export function makeEdits(log: readonly Message[], proposals: readonly Proposal[], known?: KnownTokens): Edit[] {
  return proposals.map((proposal) =>
    makeEdit({
      ...proposal,
      tokensBefore: known?.tokensBefore(proposal) ?? tokensBefore(log, proposal),
      tokensAfter: known?.tokensAfter(proposal) ?? tokensAfter(log, proposal),
    }),
  );
}

function tokensBefore(log: readonly Message[], proposal: Proposal): number {
  switch (proposal.kind) {
    case "replace-range":
      return contentTokens(blocksBetween(log, proposal.from, proposal.to));
    case "collapse-round": {
      const end = { position: proposal.lastResult + 1, block: 0 };
      return contentTokens(blocksBetween(log, { position: proposal.call, block: 0 }, end).filter((block) => isPaired(block) || isThinking(block)));
    }
    case "strip-blocks":
      return contentTokens(proposal.at.flatMap((at) => blockAt(log, at)));
    default:
      return contentTokens(blockAt(log, proposal.at));
  }
}

function tokensAfter(log: readonly Message[], proposal: Proposal): number {
  switch (proposal.kind) {
    case "replace-result":
      return contentTokens(proposal.content);
    case "replace-input":
      return contentTokens(blockAt(log, proposal.at).map((block): Block => Object.assign({}, block, { input: proposal.input })));
    case "collapse-round":
      return contentTokens([textBlock(proposal.note)]);
    case "replace-range":
      return contentTokens([textBlock(proposal.summary)]);
    case "strip-blocks":
      return 0;
    case "replace-block":
      return contentTokens([textBlock(proposal.text)]);
  }
}

function blockAt(log: readonly Message[], at: Place): Block[] {
  const message = log[at.position];
  const block = message === undefined ? undefined : blocksOf(message)[at.block];
  return block === undefined ? [] : [block];
}

function blocksBetween(log: readonly Message[], from: Place, to: Place): Block[] {
  return log.slice(from.position, to.position + 1).flatMap((message, offset) => {
    const position = from.position + offset;
    return blocksOf(message).filter((_, block) => !isBefore({ position, block }, from) && isBefore({ position, block }, to));
  });
}
