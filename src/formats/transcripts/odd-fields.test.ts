import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { describe, test } from "node:test";
import { CLAUDE_CODE, CODEX, COPILOT_CLI, OPENHANDS_HISTORY, PI } from "../../../test/support/formats/sample-sessions.ts";
import { PalimpsestError } from "../../errors/palimpsest-error.ts";
import { parseMessages } from "../../messages/parse-messages.ts";
import { loadTranscript } from "./load-transcript.ts";

type Json = null | boolean | number | string | readonly Json[] | { readonly [field: string]: Json };

const CHAT = [
  { role: "system", content: "s" },
  { role: "user", content: [{ type: "text", text: "q" }] },
  { role: "assistant", content: null, tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: "{}" } }] },
  { role: "tool", tool_call_id: "a", content: "x" },
];

const SESSIONS: Readonly<Record<string, readonly object[]>> = {
  "claude-code": CLAUDE_CODE,
  codex: CODEX,
  "copilot-cli": COPILOT_CLI,
  pi: PI,
  "openhands-events": [
    { instance_id: "one", history: OPENHANDS_HISTORY },
    { instance_id: "two", history: OPENHANDS_HISTORY.slice(0, 2) },
  ],
  "openai-chat": [{ messages: CHAT }, { messages: CHAT.slice(1) }],
  "openai-chat-lines": CHAT,
};

/** The last one cannot be made text. */
const ODD: readonly Json[] = [null, 5, "odd", {}, [], [null], [5], { toString: 0 }];

/** Whoever wrote the file, and whatever their version: a field that is not as it should be is a damaged line at worst, or an error that names it. */
for (const [name, session] of Object.entries(SESSIONS)) {
  describe(`odd fields in ${name}`, () => {
    session.forEach((record, position) => {
      test(`of record ${position}`, async () => {
        for (const [path, odd] of oddVersions(JSON.parse(JSON.stringify(record)) as Json)) {
          const lines = session.map((line, number) => JSON.stringify(number === position ? odd : line));
          try {
            const transcript = await loadTranscript(Readable.from([lines.join("\n")]), { format: name });
            for (const { log } of transcript.trajectories) parseMessages(log);
            const written = transcript.encode(transcript.trajectories.map(({ log }) => log));
            assert.equal(written, lines.join("\n"), `${path}: written as it was`);
            const views = transcript.trajectories.map(({ log }) => log.map((message) => ({ ...message })));
            assert.ok(String(transcript.encode(views)).length > 0);
          } catch (error) {
            assert.ok(PalimpsestError.isInstance(error), `${path} = ${JSON.stringify(odd)}: ${error instanceof Error ? error.stack : String(error)}`);
          }
        }
      });
    });
  });
}

/** The value with one of its fields missing, or with something else in it. */
function* oddVersions(value: Json, path = ""): Generator<readonly [path: string, odd: Json]> {
  if (typeof value !== "object" || value === null) return;
  const entries = Object.entries(value);
  for (const [field, inside] of entries) {
    const place = `${path}.${field}`;
    const others = entries.filter(([other]) => other !== field);
    const rebuild = (odd: Json): Json =>
      Array.isArray(value) ? entries.map(([other, kept]) => (other === field ? odd : kept)) : { ...Object.fromEntries(entries), [field]: odd };
    yield [`${place} is missing`, Array.isArray(value) ? others.map(([, kept]) => kept) : Object.fromEntries(others)];
    for (const odd of ODD) yield [place, rebuild(odd)];
    for (const [deeper, odd] of oddVersions(inside, place)) yield [deeper, rebuild(odd)];
  }
}
