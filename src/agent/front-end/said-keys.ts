import { hash64 } from "../../edits/edit-id.ts";
import { blocksOf, type Message } from "../../messages/message.ts";
import { spokenKey } from "./client-key.ts";

/**
 * Returns the keys by which an answer is recognized wherever a client sends it again: its signatures, which are unique, or else its text and calls.
 * `scope`: the owner, or a conversation that the client names.
 */
export function saidKeys(scope: string, message: Message): string[] {
  const signatures = signaturesIn(message);
  if (signatures.length > 0) return signatures.map((signature) => `${scope}/s${hash64(signature)}`);
  return [`${scope}/t${spokenKey(blocksOf(message))}`];
}

/** Returns the signatures of a message's thinking. */
export function signaturesIn(message: Message): string[] {
  return blocksOf(message).flatMap((block) => {
    const { signature, data } = block as { readonly signature?: unknown; readonly data?: unknown };
    const signed = block.type === "thinking" ? signature : block.type === "redacted_thinking" ? data : undefined;
    return typeof signed === "string" && signed !== "" ? [signed] : [];
  });
}
