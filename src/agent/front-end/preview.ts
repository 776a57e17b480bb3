import type { CallContext } from "../calls/call-context.ts";
import { withCheckpointInResult } from "./carry-checkpoint.ts";
import { ClientMessages } from "./client-messages.ts";
import type { FrontEndCore } from "./front-end-core.ts";
import { targetOf } from "./open-call.ts";
import { RequestWriter } from "./request-writer.ts";
import { toolsOf } from "./tools-of.ts";
import type { Wire } from "./wire.ts";

/** Returns what would be sent for these messages now, if they continue a known conversation. Changes nothing. */
export function previewOf<Body, Raw, Event>(core: FrontEndCore, wire: Wire<Body, Raw, Event>, body: Body, context: CallContext): Body | undefined {
  const request = wire.readRequest(body);
  // With a kept answer, only new messages would be sent.
  if (request === undefined || request.goesOnFrom !== undefined) return undefined;
  const writer = new RequestWriter(wire, request, undefined);
  const client = new ClientMessages(writer.conversation);
  const session = core.finder.copyOf({ client, codec: wire.codec, owner: context.owner, hints: context.hints });
  if (session === undefined) return undefined;
  session.read(client, targetOf(core, wire, request));
  const { messages } = session.viewAsItIs();
  const shown = session.tools.compact ? messages.map(withCheckpointInResult) : messages;
  return writer.write(shown, request.tools.length === 0 ? [] : toolsOf(session.tools));
}
