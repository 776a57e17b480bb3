import fc from "fast-check";
import type { Answer, Wire } from "../../../src/agent/front-end/wire.ts";
import type { ToolDefinition } from "../../../src/conversation/tools/tool-definition.ts";

/** No random text has this in it: what the client gets may not have it either. */
export const HIDDEN_TOOL = "hidden_tool";

export function isHidden(toolName: string): boolean {
  return toolName.startsWith(HIDDEN_TOOL);
}

export interface Relayed<Event> {
  /** What the client got, in order. */
  readonly events: readonly Event[];
  /** What the relay said of each answer. */
  readonly answers: readonly (Answer | undefined)[];
}

/** What a client gets of several answers in a row. */
export function relayAll<Raw, Event>(wire: Wire<object, Raw, Event>, streams: readonly (readonly Event[])[]): Relayed<Event> {
  const relay = wire.createRelay(isHidden);
  const events: Event[] = [];
  const answers = streams.map((stream, number) => {
    for (const event of stream) events.push(...relay.relay(event));
    const answer = relay.answer();
    if (number < streams.length - 1) relay.continue();
    return answer;
  });
  events.push(...relay.end());
  return { events, answers };
}

/** A text as a stream delivers it. */
export function piecesOf(text: string, size: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, number) => text.slice(number * size, (number + 1) * size));
}

/** As the `fromReadableStream` of the SDKs reads it: one event per line. */
export function asLines(events: readonly object[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      for (const event of events) controller.enqueue(encoder.encode(`${JSON.stringify(event)}\n`));
      controller.close();
    },
  });
}

export const name: fc.Arbitrary<string> = fc.constantFrom("read", "bash", HIDDEN_TOOL, `${HIDDEN_TOOL}_too`);

/** Arguments of a call. */
export const input: fc.Arbitrary<Record<string, unknown>> = fc
  .dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  .map((fields) => JSON.parse(JSON.stringify(fields)) as Record<string, unknown>);

export const words: fc.Arbitrary<string> = fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" });

/** A tool as the engine has it. */
export const RECALL: ToolDefinition = {
  name: "recall",
  description: "Gives it back.",
  input_schema: { type: "object", properties: {}, required: [], additionalProperties: false },
};

/** All that an answer tells: its message, what that is encoded to again, and the rest. */
export function plainAnswer<Raw, Event>(wire: Wire<object, Raw, Event>, answer: Answer | undefined): unknown {
  return answer === undefined ? undefined : JSON.parse(JSON.stringify({ ...answer, sent: wire.codec.encode([answer.message]) }));
}
