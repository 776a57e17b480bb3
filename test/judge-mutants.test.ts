/** Broken renderers: what the judges and the properties do not notice here, they would not notice in the real one either. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { makeEdit, PalimpsestError, render, report, type Block, type Edit, type Message } from "../src/index.ts";
import { BindingWorld, faults, signThinking } from "./support/provider-judge.ts";
import { deepFreeze, sameBytes, seed, validTranscript, withEdits } from "./support/transcripts.ts";

type Renderer = (log: readonly Message[], edits: readonly Edit[]) => readonly Message[];

interface Case {
  readonly log: readonly Message[];
  readonly edits: readonly Edit[];
}

const SAMPLES = 300;
const cases: readonly Case[] = fc
  .sample(withEdits(validTranscript()), { numRuns: SAMPLES, seed: seed() })
  .map(({ log, edits }) => deepFreeze({ log: signThinking(log), edits: edits.flatMap(twice) }));

/** Every range is made twice, so that of two summaries one must show. */
function twice(edit: Edit, number: number): Edit[] {
  if (edit.kind !== "replace-range" || edit.summary.trim() === "") return [edit];
  return [`${number} older`, `${number} newer`].map((summary) => makeEdit({ ...edit, summary }));
}

/** What is wrong with a renderer, as far as one log and its edits show it. */
function complaints(renderer: Renderer, { log, edits }: Case): Set<string> {
  const view = viewOf(renderer, log, edits);
  if (view === undefined) return new Set();
  const found = faults(view, { history: true });
  const views = log.map((_, length) => viewOf(renderer, log.slice(0, length), edits));
  if (!views.includes(undefined)) {
    const { world, grown } = BindingWorld.grow(log, (length) => views[length] ?? view);
    found.push(...grown, ...world.faults(view));
  }
  const undone = edits.map((edit) => ({ ...edit, madeAt: log.length, undoneAt: log.length }));
  const restored = renderer(log, undone);
  if (restored.length !== log.length || restored.some((message, position) => message !== log[position])) found.push("undo");
  if (!sameBytes(view, viewOf(renderer, log, edits))) found.push("purity");
  if (view.some((message) => typeof message.content === "string" && message.content.endsWith(" older"))) found.push("summaries");
  if (edits.every((edit) => TAKES_NO_WORDS.has(edit.kind)) && !sameBytes(wordsIn(view), wordsIn(log))) found.push("words");
  const shown = new Set(view);
  if (report(log, edits).positions.some(({ position, state }) => state === "shown" && !shown.has(log[position] ?? note))) found.push("identity");
  return new Set(found.map((complaint) => complaint.replace(/:.*/, "")));
}

const TAKES_NO_WORDS: ReadonlySet<string> = new Set(["replace-result", "replace-input", "collapse-round"]);

function viewOf(renderer: Renderer, log: readonly Message[], edits: readonly Edit[]): readonly Message[] | undefined {
  try {
    return renderer(log, edits);
  } catch (error) {
    if (PalimpsestError.isInstance(error) && (error.code === "EMPTY_THREAD" || error.code === "LOOP_OPEN")) return undefined;
    throw error;
  }
}

function wordsIn(messages: readonly Message[]): Block[] {
  return messages.flatMap((message) =>
    message.role === "user" && typeof message.content !== "string" ? message.content.filter((block) => block.type === "text") : [],
  );
}

/** A mutant that changes the real view where `spoil` gives something else for a message. */
function spoiled(spoil: (message: Message, position: number, view: readonly Message[]) => readonly Message[] | undefined): Renderer {
  return (log, edits) => {
    const view = render(log, edits);
    const at = view.findIndex((message, position) => spoil(message, position, view) !== undefined);
    const message = view[at];
    return message === undefined ? view : view.toSpliced(at, 1, ...(spoil(message, at, view) ?? [message]));
  };
}

/** The message without its first block of a kind, if it has one. */
function without(message: Message, is: (block: Block) => boolean): readonly Message[] | undefined {
  if (typeof message.content === "string") return undefined;
  const at = message.content.findIndex(is);
  if (at === -1) return undefined;
  const content = message.content.toSpliced(at, 1);
  return content.length === 0 ? [] : [{ ...message, content }];
}

const ofType =
  (...types: readonly string[]) =>
  (block: Block): boolean =>
    types.includes(block.type);
const holds = (message: Message | undefined, type: string): boolean => typeof message?.content === "object" && message.content.some(ofType(type));
const note: Message = { role: "user", content: "Summary." };

interface Mutant {
  readonly renderer: Renderer;
  readonly noticed: string;
}

const MUTANTS: Readonly<Record<string, Mutant>> = {
  "drops a result but not its call": { noticed: "A2.1", renderer: spoiled((message) => without(message, ofType("tool_result"))) },
  "drops a call but not its result": { noticed: "A2.2|A2.6", renderer: spoiled((message) => without(message, ofType("tool_use"))) },
  "shows a result twice": {
    noticed: "A2.2|A2.6",
    renderer: spoiled((message) => (holds(message, "tool_result") ? [message, message] : undefined)),
  },
  "drops the first user message without a note": {
    noticed: "A1.2",
    renderer: (log, edits) => render(log, edits).filter((message, position) => position > 0 || message.content !== "[Earlier conversation omitted]"),
  },
  "splits a turn with parallel calls": {
    noticed: "A2.1",
    renderer: spoiled((message) => {
      if (typeof message.content === "string" || message.content.filter(ofType("tool_result")).length < 2) return undefined;
      return [
        { ...message, content: message.content.slice(0, 1) },
        { role: "assistant", content: "So." },
        { ...message, content: message.content.slice(1) },
      ];
    }),
  },
  "puts a summary between a call and its result": {
    noticed: "A2.3",
    renderer: spoiled((message, position, view) => (holds(message, "tool_use") && holds(view[position + 1], "tool_result") ? [message, note] : undefined)),
  },
  "leaves bound thinking after a batch": { noticed: "A4.8", renderer: (log, edits) => render(log, edits, { bindsThinking: false }) },
  "takes all edits for edits at ingest": {
    noticed: "A4.8",
    renderer: (log, edits) =>
      render(
        log,
        edits.flatMap((edit) => (edit.madeAt <= log.length && (edit.undoneAt ?? Infinity) > log.length ? [{ ...edit, madeAt: 0 }] : [])),
      ),
  },
  "takes some thinking of an open loop": {
    noticed: "A4.1",
    renderer: spoiled((message) => (message.role === "assistant" ? without(message, ofType("thinking")) : undefined)),
  },
  "changes thinking": {
    noticed: "A4.7",
    renderer: spoiled((message) => {
      if (typeof message.content === "string" || !holds(message, "thinking")) return undefined;
      return [{ ...message, content: message.content.map((block) => (block.type === "thinking" ? Object.assign({}, block, { thinking: "shorter" }) : block)) }];
    }),
  },
  "leaves thinking at the end of a message": {
    noticed: "A4.5",
    renderer: spoiled((message, position, view) =>
      holds(message, "thinking") && view[position + 1]?.role === "user" && typeof message.content !== "string"
        ? [{ ...message, content: message.content.filter(ofType("thinking")) }]
        : undefined,
    ),
  },
  "says how old a summary is": {
    noticed: "A4.8",
    renderer: (log, edits) =>
      render(log, edits).map((message) =>
        typeof message.content === "string" && message.content.endsWith(" newer") ? { ...message, content: `${message.content}, ${log.length} ago` } : message,
      ),
  },
  "shows messages in another order": {
    noticed: "A2.1",
    renderer: (log, edits) => {
      const view = render(log, edits);
      const at = view.findIndex((message) => holds(message, "tool_use"));
      return at === -1 ? view : [...view.slice(0, at), ...view.slice(at + 1, at + 2), ...view.slice(at, at + 1), ...view.slice(at + 2)];
    },
  },
  "empties a block": {
    noticed: "A1.5",
    renderer: spoiled((message) =>
      typeof message.content !== "string" && message.content.some(ofType("text"))
        ? [{ ...message, content: message.content.map((block) => (block.type === "text" ? Object.assign({}, block, { text: "" }) : block)) }]
        : undefined,
    ),
  },
  "leaves a message without blocks": {
    noticed: "A1.4",
    renderer: spoiled((message, position, view) => (position < view.length - 1 && message.role === "user" ? [{ ...message, content: [] }] : undefined)),
  },
  "drops the user message before a system message": {
    noticed: "A1.10",
    renderer: spoiled((message, position, view) =>
      message.role === "user" && view[position + 1]?.role === "system" && view[position - 1]?.role === "assistant" ? [] : undefined,
    ),
  },
  "drops a provider's result": {
    noticed: "A3.2",
    renderer: spoiled((message) => (message.role === "assistant" ? without(message, ofType("web_search_tool_result")) : undefined)),
  },
  "drops a provider's call": { noticed: "A3.1", renderer: spoiled((message) => without(message, ofType("server_tool_use"))) },
  "adds cache markers": {
    noticed: "A6.max",
    renderer: (log, edits) =>
      render(log, edits).map((message) =>
        typeof message.content === "string"
          ? message
          : { ...message, content: message.content.map((block) => ({ ...block, cache_control: { type: "ephemeral" } })) },
      ),
  },
  "keeps both of two summaries": {
    noticed: "summaries",
    renderer: spoiled((message) =>
      typeof message.content === "string" && message.content.endsWith(" newer")
        ? [{ ...message, content: message.content.replace("newer", "older") }, message]
        : undefined,
    ),
  },
  "shows the older of two edits": { noticed: "summaries", renderer: (log, edits) => render(log, edits.toReversed()) },
  "loses the user's text beside a result": {
    noticed: "words",
    renderer: spoiled((message) => (message.role === "user" && holds(message, "tool_result") ? without(message, ofType("text")) : undefined)),
  },
  "ignores an undo": {
    noticed: "undo",
    renderer: (log, edits) =>
      render(
        log,
        edits.map(({ undoneAt: _, ...edit }) => edit),
      ),
  },
  "copies what it does not change": { noticed: "identity", renderer: (log, edits) => structuredClone(render(log, edits)) },
  "counts its calls": { noticed: "purity", renderer: (log, edits) => [...render(log, edits), { role: "user", content: `call ${(calls += 1)}` }] },
};

let calls = 0;

describe("the judges", () => {
  test("have nothing against the real renderer", () => {
    for (const sample of cases) assert.deepEqual([...complaints(render, sample)], []);
  });

  for (const [what, { renderer, noticed }] of Object.entries(MUTANTS)) {
    test(`notice a renderer that ${what} (${noticed})`, () => {
      assert.ok(
        cases.some((sample) => complaints(renderer, sample).has(noticed)),
        `none of ${SAMPLES} cases, seed ${seed()}`,
      );
    });
  }

  test("notice a renderer that changes the log", () => {
    const renderer: Renderer = (log, edits) => {
      (log as Message[]).reverse();
      return render(log, edits);
    };
    assert.throws(() => cases.forEach((sample) => complaints(renderer, sample)), TypeError);
  });
});
