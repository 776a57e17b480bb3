/** A handle in a view is one that somebody serves, and it gives back the original. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createThread } from "../src/agent/index.ts";
import { createFrontEnd } from "../src/agent/front-end/front-end.ts";
import { anthropicWire } from "../src/agent/wires/anthropic/anthropic-wire.ts";
import { compact, createCompactor, policyFor, runRecall, type PolicyOptions } from "../src/conversation/index.ts";
import { anthropic } from "../src/formats/index.ts";
import type { Message } from "../src/index.ts";
import { blocksOf, isToolUse } from "../src/messages/message.ts";
import { assistant, res, text, use, user } from "./support/build.ts";
import { checkServed, namedIn, type Served } from "./support/named-in-view.ts";
import { image } from "./support/threads/speak.ts";
import { cases, checkAsyncProperty, checkProperty, validTranscript } from "./support/transcripts.ts";

const options: fc.Arbitrary<PolicyOptions> = fc
  .record({
    preset: fc.constantFrom("gentle", "balanced", "tight"),
    firstSightTokens: fc.constantFrom(0, 20, 100, 4_000),
    firstSightFileTokens: fc.constantFrom(0, 20, 100),
    tailTokens: fc.constantFrom(0, 200),
    tailTurns: fc.nat({ max: 2 }),
    minResultTokens: fc.constantFrom(5, 30),
    stubTokens: fc.constantFrom(50, 1_000),
    inputTokens: fc.constantFrom(0, 5, 40),
    minBatchTokens: fc.constantFrom(0, 100),
    digestTokens: fc.constantFrom(0, 400, 2_000),
    digestTailTokens: fc.constantFrom(0, 50),
    digestTailTurns: fc.nat({ max: 2 }),
    digestWithinCalls: fc.constantFrom(12, 1_000),
    horizonPercent: fc.constantFrom(100, 1_000),
    thread: fc.constantFrom("", "t"),
  })
  .chain((numbers) =>
    fc.constantFrom({}, { budget: 600 }, { budget: 4_000 }).map((limit): PolicyOptions => ({ ...numbers, ...limit, model: "claude-opus-5" })),
  );

interface Turn {
  readonly kind: "file" | "long" | "json" | "picture" | "words" | "write" | "recall";
  readonly number: number;
}

const linesOf = (name: string, count: number): string => Array.from({ length: count }, (_, line) => `${name} line ${line}: value ${line * 7919}`).join("\n");
const RESULTS: Readonly<Record<string, (number: number) => Parameters<typeof res>[1]>> = {
  file: (number) => linesOf(`file ${number % 3}`, 40 + number),
  long: (number) => linesOf(`log ${number}`, 400),
  json: (number) => JSON.stringify(Array.from({ length: 30 }, (_, id) => ({ id, name: `user ${id * number}`, note: "n".repeat(id) }))),
  picture: () => [text("A picture."), image],
  write: () => "written",
};

const turns: fc.Arbitrary<Turn[]> = fc.array(
  fc.record({ kind: fc.constantFrom(...(["file", "file", "long", "json", "picture", "words", "write", "recall"] as const)), number: fc.nat({ max: 9 }) }),
  { minLength: 2, maxLength: 14 },
);

function inputOf({ kind, number }: Turn): Record<string, unknown> {
  if (kind === "file") return { file_path: `src/f${number % 3}.ts` };
  return kind === "write" ? { path: `src/new${number}.ts`, content: linesOf(`new ${number}`, 30) } : { number };
}

const nameOf = ({ kind }: Turn): string => (kind === "file" ? "Read" : kind);

/** Rounds whose calls of `recall` are made with a handle that the view before them names. */
class Loop {
  readonly log: Message[] = [user("Go."), user({ type: "text", text: "See." }, image)];
  named = 0;

  /** `send`: shows what the log is sent as. */
  play(
    list: readonly Turn[],
    send: (log: readonly Message[]) => { readonly view: readonly Message[]; readonly edits: Parameters<typeof checkServed>[2]; readonly served: Served },
  ): void {
    for (const [turn, each] of [...list, { kind: "words", number: 0 } as const].entries()) {
      const { view, edits, served } = send([...this.log]);
      this.named += checkServed(view, this.log, edits, served);
      const id = `c${turn}`;
      if (each.kind === "words") this.log.push(assistant(`So it is ${each.number}.`), user(`Now ${turn}.`));
      else if (each.kind === "recall") {
        const handles = namedIn(view, this.log);
        const input = { handle: handles[each.number % Math.max(1, handles.length)] ?? "none" };
        const content = runRecall(served, input);
        assert.equal(typeof content === "string" && content.startsWith("HANDLE_UNKNOWN: "), handles.length === 0);
        this.log.push(assistant(use(id, "recall", input)), user(res(id, content)));
      } else this.log.push(assistant(use(id, nameOf(each), inputOf(each))), user(res(id, RESULTS[each.kind]?.(each.number))));
    }
  }
}

describe("a handle in a view is one that somebody serves", () => {
  it("of compact()", () => {
    let named = 0;
    checkProperty("compact", [fc.oneof(validTranscript(), turns.map(logOf)), options], (log, given) => {
      const compacted = compact(log, given);
      named += checkServed(compacted.messages, log, compacted.edits, { recall: (input) => compacted.recall(input), handles: compacted.handles() });
    });
    assert.ok(named > cases(), `${named} handles`);
  });

  it("of a compactor, call after call, in loops that recall", () => {
    let named = 0;
    checkProperty("compactor", [turns, options], (list, given) => {
      const compactor = createCompactor(given);
      const loop = new Loop();
      loop.play(list, (log) => {
        const { messages, edits } = compactor.next(log);
        return { view: messages, edits, served: { recall: (input) => compactor.recall(input), handles: compactor.handles() } };
      });
      named += loop.named;
    });
    assert.ok(named > cases(), `${named} handles`);
  });

  it("of a compactor that goes on from its state", () => {
    checkProperty("resumed", [turns, options], (list, given) => {
      let compactor = createCompactor(given);
      new Loop().play(list, (log) => {
        compactor = createCompactor({ ...given, state: JSON.parse(JSON.stringify(compactor)) });
        const { messages, edits } = compactor.next(log);
        return { view: messages, edits, served: { recall: (input) => compactor.recall(input), handles: compactor.handles() } };
      });
    });
  });

  it("of a compactor for messages of a format", () => {
    checkProperty("policyFor", [turns, options], (list, given) => {
      const compactor = policyFor(anthropic).createCompactor(given);
      new Loop().play(list, (log) => {
        const { messages, edits } = compactor.next(log as never[]);
        return { view: messages, edits, served: { recall: (input) => compactor.recall(input), handles: compactor.handles() } };
      });
    });
  });

  it("of a thread", () => {
    let named = 0;
    checkProperty("thread", [turns, options], (list, { thread: _, ...given }) => {
      const thread = createThread({ policy: given, compact: false });
      thread.user([text("Go."), image]);
      for (const [turn, each] of list.entries()) {
        const { messages } = thread.request();
        const edits = thread.edits();
        named += checkServed(messages, thread.log(), edits, { recall: (input) => thread.recall(input), handles: edits.flatMap(({ handle }) => handle ?? []) });
        const id = `c${turn}`;
        if (each.kind === "words") {
          thread.assistant({ content: `So it is ${each.number}.` });
          thread.user(`Now ${turn}.`);
        } else if (each.kind === "recall") {
          const handle = namedIn(messages, thread.log())[0] ?? "none";
          assert.equal(thread.assistant({ content: [use(id, "recall", { handle })] }).next, "request");
        } else {
          thread.assistant({ content: [use(id, nameOf(each), inputOf(each))] });
          thread.toolResults([res(id, RESULTS[each.kind]?.(each.number))]);
        }
      }
    });
    assert.ok(named > cases(), `${named} handles`);
  });

  it("of a wrapped client, in any conversation", async () => {
    let named = 0;
    await checkAsyncProperty("front end", [fc.oneof(validTranscript(), turns.map(logOf)), options], async (log, { thread: _, ...given }) => {
      const frontEnd = createFrontEnd({ policy: given });
      const transcript = joined(log);
      for (const [position, message] of transcript.entries()) {
        if (message.role !== "assistant" || position === 0) continue;
        const body = { model: "claude-opus-5", messages: transcript.slice(0, position), tools: [{ name: "Read", input_schema: {} }] };
        let sent: readonly Message[] = [];
        await frontEnd.send(anthropicWire, body, {
          send: (request) => {
            sent = (request as { messages: Message[] }).messages;
            return Promise.resolve({ answer: { type: "message", role: "assistant", content: [...blocksOf(message)], stop_reason: "end_turn" } });
          },
          stream: () => Promise.reject(new Error("no stream")),
        });
        const [known] = frontEnd.conversations();
        if (known === undefined || transcript.slice(0, position).some(hasOwnRecall)) continue;
        const handles = known.edits().flatMap(({ handle }) => handle ?? []);
        named += checkServed(sent, body.messages, [], { recall: (input) => known.recall(input), handles });
      }
    });
    assert.ok(named > cases() / 4, `${named} handles`);
  });
});

/** A loop in which nobody recalls. */
function logOf(list: readonly Turn[]): Message[] {
  const rounds = list
    .filter(({ kind }) => kind !== "recall")
    .flatMap((each, turn): Message[] =>
      each.kind === "words"
        ? [assistant(`So it is ${each.number}.`), user(`Now ${turn}.`)]
        : [assistant(use(`c${turn}`, nameOf(each), inputOf(each))), user(res(`c${turn}`, RESULTS[each.kind]?.(each.number)))],
    );
  return [user("Go."), ...rounds, assistant("So."), user("And now?")];
}

/** An answer comes as one message. */
function joined(log: readonly Message[]): Message[] {
  return log.reduce<Message[]>((all, message) => {
    const last = all.at(-1);
    if (last?.role !== "assistant" || message.role !== "assistant") return [...all, message];
    return [...all.slice(0, -1), { role: "assistant", content: [...blocksOf(last), ...blocksOf(message)] }];
  }, []);
}

/** Called by the transcript, the tool is ours and its call hidden. */
function hasOwnRecall(message: Message): boolean {
  return blocksOf(message).some((block) => isToolUse(block) && block.name === "recall");
}
