import { refuseLostLoopStart } from "../../conversation/loop-start.ts";
import { STALE_PASS } from "../../conversation/stale-thinking.ts";
import type { Edit, Proposal } from "../../edits/edit.ts";
import type { Message } from "../../messages/message.ts";
import type { FrontEndEvent } from "./front-end-event.ts";
import type { ProviderChain } from "./provider-chain.ts";
import type { Session } from "./session.ts";

export type Fallback = Extract<FrontEndEvent, { readonly type: "failed" }>["sent"];

/** A form of a call's request, and why it is sent. Without a body: the view, made again. */
export type OtherForm<Body> = readonly [name: Fallback, retry: string, body?: Body];

/** What the other forms of a call's request are made from. */
export interface FormSources<Body> {
  readonly session: Session | undefined;
  readonly chain: ProviderChain | undefined;
  /** Returns the last view, with the messages that have come since. */
  readonly lastGood: () => readonly Message[] | undefined;
  readonly write: (view: readonly Message[]) => Body;
  readonly withoutThinking: () => Body | undefined;
  readonly asItCame: Body;
  readonly onEdited: (edits: readonly Edit[]) => void;
}

/** The provider objects to thinking that was moved or changed since it was signed (A4.8, A4.1). */
const IS_BOUND = /Invalid `signature` in `thinking` block|bound to a different conversation|`thinking` or `redacted_thinking` blocks .* cannot be modified/;

/** Yields the forms to try after the provider refused our view with these words, down to the client's own request. */
export function* formsAfterRefusal<Body>(said: string, sources: FormSources<Body>): Generator<OtherForm<Body>> {
  const { session, chain, lastGood, write, withoutThinking, asItCame } = sources;
  const isBound = IS_BOUND.test(said);
  if (isBound && session !== undefined) {
    const edits = stripThinking(session);
    sources.onEdited(edits);
    if (edits.length > 0) yield ["view-without-thinking", "thinking bound to another prefix"];
  }
  const retry = "refused view";
  if (!isBound && session?.hasOwnViews !== true) return;
  if (chain !== undefined) {
    // The only one: the provider has the earlier messages, and the client's own request may lack results of hidden calls.
    if (session !== undefined) yield ["last-view", retry, write(chain.uncut(session.conversation))];
    return;
  }
  const last = lastGood();
  if (last !== undefined) yield ["last-view", retry, write(last)];
  const bare = withoutThinking();
  if (bare !== undefined) yield ["without-thinking", retry, bare];
  yield ["as-it-came", retry, asItCame];
}

/** Returns what to send if no view can be made: thinking in the client's own messages may be bound to our views. */
export function formAfterFailure<Body>({ session, lastGood, write, withoutThinking, asItCame }: FormSources<Body>): readonly [Fallback, Body] {
  try {
    const last = lastGood();
    if (last !== undefined) return ["last-view", write(last)];
  } catch {
    // Falls through to the next form.
  }
  const bare = session?.hasOwnViews === true ? withoutThinking() : undefined;
  return bare === undefined ? ["as-it-came", asItCame] : ["without-thinking", bare];
}

/** Removes all thinking that may be left out. Empty: there is none, or the open tool loop needs it. */
export function stripThinking({ conversation }: Session): readonly Edit[] {
  const { index, log, target } = conversation;
  if (index.thinking.length === 0) return [];
  const reason = "the provider says that it is bound to another conversation";
  const strip: Proposal = { kind: "strip-blocks", at: index.thinking, pass: STALE_PASS, reason, madeAt: log.length };
  try {
    const check = ({ messages }: { readonly messages: readonly Message[] }): void => refuseLostLoopStart({ ...conversation.parsed, target }, messages);
    return conversation.commit([strip], { check });
  } catch {
    return [];
  }
}
