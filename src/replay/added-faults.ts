import { PalimpsestError } from "../errors/palimpsest-error.ts";
import type { CheckOptions } from "../formats/codec.ts";
import type { Finding } from "../messages/check-messages.ts";
import type { Message } from "../messages/message.ts";
import { targetFor } from "../pricing/target-for.ts";
import type { ReplayedCall } from "./replay-trajectory.ts";
import type { WireMessages } from "./wire-messages.ts";

/** Returns findings that the view of a call has and the log before it does not have, or has less often. */
export function addedFaults({ view, log, model }: ReplayedCall, wire: WireMessages): readonly string[] {
  const { messages } = view;
  if (messages.length === log.length && messages.every((message, number) => message === log[number])) return [];
  const target = { ...wire.codec.target, ...targetFor(model, { onWarning: () => undefined }) };
  const found = faultsIn(messages, wire, target);
  if (found.length === 0) return [];
  const left = [...faultsIn(log, wire, target)];
  return found.filter((fault) => {
    const at = left.indexOf(fault);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

function faultsIn(messages: readonly Message[], wire: WireMessages, target: CheckOptions): readonly string[] {
  try {
    return wire.codec.check(wire.encode(messages), target).map(withoutPlaces);
  } catch (error) {
    if (!PalimpsestError.isInstance(error)) throw error;
    return [error.message];
  }
}

/** The same finding has another place in a view. */
function withoutPlaces({ rule, message }: Finding): string {
  return `${rule}: ${message.replaceAll(/\b(?:messages|input)\.\d+(?:\.\w+)*/g, "…")}`;
}
