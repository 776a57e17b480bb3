import { slimMessage } from "../../../src/cli/slim-message.ts";
import { codecOf } from "../../../src/formats/codecs.ts";
import type { Message } from "../../../src/messages/message.ts";
import type { Recording } from "./recording.ts";

export interface Validity {
  /** What the provider would refuse in this view and would not in the log before this position, or there less often. */
  addedFaults(view: readonly Message[], position: number): readonly string[];
}

const slim = new WeakMap<Message, Message>();

export function createValidity({ wire, log }: Recording): Validity {
  const codec = codecOf(wire);
  const ofLog = new Map<number, readonly string[]>();
  const faultsIn = (messages: readonly Message[]): readonly string[] => {
    try {
      return codec.check(codec.encode(messages.map(slimmed))).map(({ rule, message }) => `${rule}: ${withoutPlaces(message)}`);
    } catch (error) {
      return [`not readable: ${error instanceof Error ? error.message : String(error)}`];
    }
  };
  return {
    addedFaults(view, position) {
      if (view.length === position && view.every((message, number) => message === log[number])) return [];
      const found = faultsIn(view);
      if (found.length === 0) return found;
      let known = ofLog.get(position);
      if (known === undefined) ofLog.set(position, (known = faultsIn(log.slice(0, position))));
      const left = [...known];
      return found.filter((fault) => {
        const at = left.indexOf(fault);
        if (at !== -1) left.splice(at, 1);
        return at === -1;
      });
    },
  };
}

/** In a view the same finding has another place. */
function withoutPlaces(message: string): string {
  return message.replaceAll(/\b(?:messages|input)\.\d+(?:\.\w+)*/g, "…");
}

function slimmed(message: Message): Message {
  let short = slim.get(message);
  if (short === undefined) slim.set(message, (short = slimMessage(message)));
  return short;
}
