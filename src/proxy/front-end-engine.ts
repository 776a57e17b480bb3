import { hash64 } from "../edits/edit-id.ts";
import { createFrontEnd, type FrontEnd } from "../agent/front-end/front-end.ts";
import type { FrontEndEvent } from "../agent/front-end/front-end-event.ts";
import type { FrontEndOptions } from "../agent/front-end/front-end-options.ts";
import { NO_METRICS, sumOfMetrics, type CallMetrics } from "../agent/front-end/metrics.ts";
import { fieldsOf } from "../agent/wires/json-fields.ts";
import { PRESETS, type PresetName } from "../policy/policy-options.ts";
import { WIRES } from "./api.ts";
import type { Engine, EngineCall } from "./engine.ts";

export interface FrontEndEngineOptions {
  readonly policy: PresetName;
  /** `auto`: `recall` only. */
  readonly tools: "auto" | "all" | "off";
  readonly onEvent: (event: FrontEndEvent) => void;
}

/** More than people and policies that share a proxy at a time. */
const MOST_FRONT_ENDS = 500;

/**
 * The front end of the wrapped clients, as the engine of the proxy: in memory, and one for each owner and policy, since it has neither
 * itself. A thread that a client names has one of its own too. A call that is observed runs as always; only what it sends is not sent.
 */
export function createFrontEndEngine({ policy, tools, onEvent }: FrontEndEngineOptions): Engine {
  const frontEnds = new Map<string, FrontEnd>();
  let retired: CallMetrics = NO_METRICS;
  const create = (name: string): FrontEnd => {
    const options: FrontEndOptions = { policy: name as PresetName, compact: tools === "all", recall: tools !== "off", onEvent };
    return createFrontEnd(options);
  };
  const frontEndFor = (call: EngineCall, thread: string): FrontEnd => {
    const name = call.policy ?? policy;
    const own = call.hints.thread === undefined || call.hints.thread === thread ? "" : call.hints.thread;
    const key = JSON.stringify([call.owner, name, call.observe, own]);
    const frontEnd = frontEnds.get(key) ?? create(name);
    // The one that was used last is the last.
    frontEnds.delete(key);
    frontEnds.set(key, frontEnd);
    for (const [oldest, unused] of frontEnds) {
      if (frontEnds.size <= MOST_FRONT_ENDS) break;
      retired = sumOfMetrics(retired, unused.metrics());
      frontEnds.delete(oldest);
    }
    return frontEnd;
  };
  const open = (call: EngineCall): FrontEnd => {
    const thread = threadOf(call);
    call.report({ thread: call.hints.thread ?? thread });
    return frontEndFor(call, thread);
  };
  return {
    policies: Object.keys(PRESETS),
    send: (call) => open(call).send(WIRES[call.api], call.body, call.transport),
    stream: (call) => open(call).stream(WIRES[call.api], call.body, call.transport),
    metrics: () => [...frontEnds.values()].reduce((sum, each) => sumOfMetrics(sum, each.metrics()), retired),
    whyNotReady: () => undefined,
    close: () => Promise.resolve(),
  };
}

/** The same for every call of a conversation, and after a restart: from its owner, what names it, and how it began. Branches share it. */
function threadOf({ owner, body, hints }: EngineCall): string {
  const { messages, input } = fieldsOf(body);
  const list = Array.isArray(messages) ? (messages as readonly unknown[]) : Array.isArray(input) ? (input as readonly unknown[]) : [input];
  const first = list.find((message) => !["system", "developer"].includes(String(fieldsOf(message)["role"])));
  return `t-${hash64(JSON.stringify([owner, hints.session, hints.agent]), plain(first))}`;
}

/** A text and the list with this one block are the same, and markers come and go. */
function plain(message: unknown): string {
  const { content } = fieldsOf(message);
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : (content ?? message ?? null);
  return JSON.stringify(blocks, (key, value: unknown) => (key === "cache_control" ? undefined : value));
}
