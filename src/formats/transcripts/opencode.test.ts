import assert from "node:assert/strict";
import { test } from "node:test";
import { comparable, documentWith, entriesOf, logOf, messagesOf, recordsWith } from "../../../test/support/formats/document-transcript.ts";
import { blocksOf, isToolResult, isToolUse } from "../../messages/message.ts";
import type { OpenCodeMessage, Part } from "./opencode-message.ts";
import { opencode } from "./opencode.ts";

function session(...messages: readonly object[]): object {
  return { info: { id: "ses_1" }, messages };
}

function said(role: "user" | "assistant", created: number, parts: readonly object[], info: object = {}): object {
  return { info: { id: `msg_${created}`, sessionID: "ses_1", role, time: { created }, ...info }, parts };
}

function tool(callID: string, state: object): object {
  return { type: "tool", callID, tool: "bash", state };
}

const done = (output: string, more: object = {}): object => ({ status: "completed", input: {}, output, time: { start: 1, end: 2 }, ...more });

test("each step of a message is a response with its results, and only the first stands for the message", () => {
  const document = session(
    said("assistant", 5, [
      { type: "step-start" },
      { type: "text", text: "One." },
      tool("a", done("1")),
      { type: "step-finish", tokens: { input: 10, output: 3, cache: { read: 100, write: 20 } } },
      { type: "step-start" },
      { type: "step-finish" },
      { type: "step-start" },
      tool("b", done("2", { time: { start: 7, end: 9 } })),
      { type: "step-finish", tokens: { input: 11, output: 4, cache: { read: 130, write: 0 } } },
      { type: "step-start" },
    ]),
  );
  assert.deepEqual(
    messagesOf(opencode, document).map(({ message, nativeMessages, atMs, usage }) => [message.role, nativeMessages, atMs, usage?.inputTokens]),
    [
      ["assistant", 1, 5, 130],
      ["user", 0, 2, undefined],
      ["assistant", 0, undefined, 141],
      ["user", 0, 9, undefined],
    ],
  );
});

test("calls whose ids were all replaced by one word are still told apart", () => {
  const document = session(said("assistant", 1, [tool("REDACTED", done("1")), tool("REDACTED", done("2")), tool("REDACTED", done("3"))]));
  const [calls, results] = logOf(opencode, document).map(blocksOf);
  assert.deepEqual(calls?.filter(isToolUse).map(({ id }) => id), ["REDACTED", "REDACTED_2", "REDACTED_3"]); // prettier-ignore
  assert.deepEqual(results?.filter(isToolResult).map(({ tool_use_id: id, content }) => [id, content]), [["REDACTED", "1"], ["REDACTED_2", "2"], ["REDACTED_3", "3"]]); // prettier-ignore
  const [record] = recordsWith(opencode, document, (log) => log.map((message) => ({ ...message, content: blocksOf(message).slice(0, 2) })));
  assert.deepEqual((record as OpenCodeMessage).parts.map((part) => (part as Part & { callID: string }).callID), ["REDACTED", "REDACTED"]); // prettier-ignore
});

test("what OpenCode cleared between two messages is one compaction, and its summaries are others", () => {
  const cleared = (compacted: number): object => done("long", { time: { start: 1, end: 2, compacted } });
  const document = session(
    said("assistant", 1, [tool("a", cleared(20)), tool("b", cleared(21)), tool("c", cleared(99))]),
    said("user", 10, [{ type: "text", text: "Go on." }]),
    said("user", 30, [{ type: "compaction", auto: true }]),
    said("assistant", 31, [{ type: "text", text: "We did this." }], { summary: true }),
  );
  const [entries = []] = entriesOf(opencode, document);
  assert.deepEqual(
    entries.map((entry) => (entry.kind === "compaction" ? [entry.by, entry.atMs] : entry.kind)),
    ["message", "message", "message", ["compacted", 21], ["compaction", 30], "message", "message", ["compacted", 99]],
  );
});

test("parts that OpenCode puts into words are shown in its words, and stay as they are", () => {
  const document = session(
    said("user", 1, [
      { type: "subtask", prompt: "Review." },
      { type: "text", text: "secret", ignored: true },
    ]),
  );
  assert.deepEqual(comparable(logOf(opencode, document)), [{ role: "user", shown: [{ type: "text", text: "The following tool was executed by the user" }] }]);
  const [record] = recordsWith(opencode, document, (log) => log.map((message) => ({ ...message, content: [...blocksOf(message)] })));
  assert.equal(record, (document as { messages: readonly object[] }).messages[0]);
});

test("calls that were cut off have no result, and failed ones have an error", () => {
  const states = [{ status: "running", input: {} }, { status: "pending", input: {} }, { status: "error", input: {}, error: "No." }]; // prettier-ignore
  const document = session(said("assistant", 1, states.map((state, number) => tool(`c${number}`, state)))); // prettier-ignore
  assert.deepEqual(comparable(logOf(opencode, document)).at(-1), { role: "user", shown: [{ answers: 2, text: "No.", error: true }] });
});

test("a message that shows nothing is no message, and stays", () => {
  const document = session(said("user", 1, [{ type: "text", text: "Hi." }]), said("assistant", 2, [{ type: "step-start" }], { error: { name: "APIError" } }));
  assert.equal(logOf(opencode, document).length, 1);
  assert.equal(recordsWith(opencode, document, () => []).length, 1);
});

test("files and images are shown as the parts that they are; a shortened result keeps only those still shown", () => {
  const image = { type: "file", mime: "image/png", url: "data:image/png;base64,AA==" };
  const document = session(
    said("user", 1, [{ type: "text", text: "See." }, image, { type: "file", mime: "text/plain", url: "file:///a" }]),
    said("assistant", 2, [tool("a", done("seen", { attachments: [image], metadata: { output: "seen" } }))]),
  );
  const log = logOf(opencode, document);
  assert.deepEqual(log.map((message) => blocksOf(message).map(({ type }) => type)), [["text", "file"], ["tool_use"], ["tool_result"]]); // prettier-ignore
  const written = recordsWith(opencode, document, (before) =>
    before.map((message, position) => (position === 2 ? { ...message, content: blocksOf(message).map((block) => ({ ...block, content: "[cut]" })) } : message)),
  );
  const [part] = (written[1] as OpenCodeMessage).parts;
  assert.deepEqual((part as Part & { state: object }).state, { status: "completed", input: {}, output: "[cut]", metadata: {}, time: { start: 1, end: 2 } });
});

test("something new between two steps of a message makes two messages of it, with ids in their order", () => {
  const document = session(
    said("user", 1, [{ type: "text", text: "Hi." }]),
    said(
      "assistant",
      2,
      [1, 2, 3].flatMap((number) => [
        { type: "step-start", id: `prt_${number}0` },
        { ...tool(`c${number}`, done(String(number))), id: `prt_${number}1` },
      ]),
      { parentID: "msg_1" },
    ),
    said("assistant", 3, [{ type: "text", text: "Bye." }], { parentID: "msg_1" }),
  );
  const view = logOf(opencode, document).toSpliced(3, 2, { role: "user", content: "The second was dull." });
  const records = recordsWith(opencode, document, () => view) as OpenCodeMessage[];
  assert.deepEqual(comparable(logOf(opencode, documentWith(opencode, document, records))), comparable(view));
  const ids = records.map(({ info }) => info.id);
  assert.equal(new Set(ids).size, 5);
  assert.deepEqual(ids.toSorted(), ids);
});

test("an answer to a message that is gone answers the one before it", () => {
  const document = session(
    said("user", 1, [{ type: "text", text: "Hi." }]),
    said("user", 2, [{ type: "text", text: "Ho." }]),
    said("assistant", 3, [{ type: "text", text: "Ha." }], { parentID: "msg_2" }),
  );
  const records = recordsWith(opencode, document, (log) => log.toSpliced(1, 1)) as OpenCodeMessage[];
  assert.deepEqual(records.map(({ info }) => info.parentID), [undefined, "msg_1"]); // prettier-ignore
});
