import { headLength } from "../../formats/head-of-log.ts";
import { parseTarget } from "../../messages/target.ts";
import { targetFor } from "../../pricing/target-for.ts";
import type { CallContext } from "../calls/call-context.ts";
import { ClientMessages } from "./client-messages.ts";
import type { FrontEndCore } from "./front-end-core.ts";
import { withCheckpointInResult } from "./carry-checkpoint.ts";
import { toolsOf } from "./tools-of.ts";
import type { Wire } from "./wire.ts";

/** Returns what would be sent for these messages now, if they continue a known conversation. Changes nothing. */
export function previewOf<Body, Raw, Event>(core: FrontEndCore, wire: Wire<Body, Raw, Event>, body: Body, context: CallContext): Body | undefined {
  const request = wire.readRequest(body);
  // With a kept answer, only new messages would be sent.
  if (request === undefined || request.goesOnFrom !== undefined) return undefined;
  const head = headLength(request.log);
  const client = new ClientMessages(request.log.slice(head));
  const session = core.finder.copyOf({ client, codec: wire.codec, owner: context.owner, hints: context.hints });
  if (session === undefined) return undefined;
  const { options } = core;
  session.read(client, parseTarget({ ...targetFor(request.model, options.models), ...wire.codec.target, ...request.target, ...options.target }));
  const { messages } = session.viewAsItIs();
  const shown = session.tools.compact ? messages.map(withCheckpointInResult) : messages;
  const tools = request.tools.length === 0 ? [] : toolsOf(session.tools);
  return wire.writeRequest(request, wire.codec.encode([...request.log.slice(0, head), ...shown]), tools);
}
