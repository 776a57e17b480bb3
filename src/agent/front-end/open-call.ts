import { headLength } from "../../formats/head-of-log.ts";
import { parseTarget, type Target } from "../../messages/target.ts";
import { targetFor } from "../../pricing/target-for.ts";
import type { CallContext } from "../calls/call-context.ts";
import { asksForCompaction } from "./agent-compaction.ts";
import { ClientMessages } from "./client-messages.ts";
import type { FrontEndCore } from "./front-end-core.ts";
import type { KeptAnswer } from "./kept-answer.ts";
import type { Opened } from "./session-finder.ts";
import type { Wire, WireRequest } from "./wire.ts";

/** The conversation that a call belongs to, and the client's messages. `from`: the kept answer that it continues. */
export type OpenedCall = Opened & { readonly client: ClientMessages; readonly from?: KeptAnswer };

/** Undefined: it continues an answer that is not known here, so it is sent as it came. */
export async function openCall<Body, Raw, Event>(
  core: FrontEndCore,
  wire: Wire<Body, Raw, Event>,
  request: WireRequest<Body>,
  { owner, hints, policy }: CallContext,
  target: Target,
): Promise<OpenedCall | undefined> {
  const { codec } = wire;
  const messages = request.log.slice(headLength(request.log));
  if (request.goesOnFrom !== undefined) {
    const found = await core.keptAnswers.goOnFrom(request.goesOnFrom, owner, codec, target);
    if (found === undefined) return undefined;
    const { session, from } = found;
    return { kind: "conversation", session, isCopy: false, from, client: ClientMessages.after(session.length, messages) };
  }
  const client = new ClientMessages(messages);
  const opened = await core.finder.open({
    client,
    codec,
    target,
    owner,
    hints,
    policy,
    founds: request.tools.length > 0 || core.options.isExplicit,
    compacts: asksForCompaction(messages),
    // Only to an agent that has tools itself and is free to choose, and never under a name that it already uses.
    offers: (name) => request.tools.length > 0 && request.forcesTool !== true && !request.tools.includes(name),
  });
  return { ...opened, client };
}

export function targetOf<Body, Raw, Event>({ options }: FrontEndCore, wire: Wire<Body, Raw, Event>, request: WireRequest<Body>): Target {
  return parseTarget({ ...targetFor(request.model, options.models), ...wire.codec.target, ...request.target, ...options.target });
}
