import type { ShownView } from "../../conversation/conversation.ts";
import { blocksOf, type Message } from "../../messages/message.ts";
import type { Place } from "../../messages/place.ts";
import type { CallDraft } from "../calls/call-draft.ts";
import type { CallContext } from "../calls/call-context.ts";
import type { ParsedFrontEndOptions } from "./front-end-options.ts";
import type { Session } from "./session.ts";

/** Notes in the record of a call what its view changed, or why nothing new was done. */
export function describeView(
  draft: CallDraft,
  session: Session,
  view: ShownView,
  before: readonly Message[],
  { policy }: CallContext,
  { policyName }: ParsedFrontEndOptions,
): void {
  draft.firstChanged ??= firstChanged(view, before);
  draft.nothing = whyNothing(draft, session, policy !== undefined || policyName !== undefined);
}

/** Returns why nothing new was done for this call. */
function whyNothing({ kind, editCount }: CallDraft, { origin, conversation, decision }: Session, hasPolicy: boolean): string | undefined {
  if (kind === "compaction") return "compaction";
  if (kind === "side") return "no-tools";
  if (editCount > 0) return undefined;
  if (origin.isForeign && conversation.edits.length === 0) return "met-in-the-middle";
  if (decision?.because === "it would not pay") return "would-not-pay";
  return decision === undefined && !hasPolicy ? "no-policy" : "nothing-to-do";
}

/** Returns the first place where the view differs from the view before. Undefined: only new messages have come, or it is the first view. */
function firstChanged({ messages, positions }: ShownView, before: readonly Message[]): Place | undefined {
  const number = before.findIndex((message, index) => message !== messages[index]);
  if (number === -1) return undefined;
  const [was, is] = [before[number], messages[number]];
  const earlier = was === undefined ? [] : blocksOf(was);
  const block = is === undefined ? -1 : blocksOf(is).findIndex((each, index) => each !== earlier[index]);
  return { position: positions[number] ?? positions.at(-1) ?? 0, block: Math.max(0, block) };
}
