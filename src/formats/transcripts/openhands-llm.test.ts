import assert from "node:assert/strict";
import { test } from "node:test";
import { comparable, logOf, recordsWith } from "../../../test/support/formats/document-transcript.ts";
import { blocksOf, isToolUse } from "../../messages/message.ts";
import { openhandsLlm } from "./openhands-llm.ts";

const completion = { response: { id: "r", model: "m" }, args: [], kwargs: { tools: [{ type: "function" }] } };

const AS_TEXT = [
  { role: "assistant", content: "<function=look>\n</function>" },
  { role: "user", content: "EXECUTION RESULT of [look]:\nDry." },
];
const CALLING = [
  { role: "assistant", content: "", tool_calls: [{ id: "c", type: "function", function: { name: "look", arguments: "{}" } }] },
  { role: "tool", tool_call_id: "c", name: "look", content: "Dry." },
];

test("where the conversation is there with calls, that is the one; once changed, the other is not there any more", () => {
  const document = { messages: AS_TEXT, ...completion, fncall_messages: CALLING };
  assert.deepEqual(recordsWith(openhandsLlm, document, (log) => log), CALLING); // prettier-ignore
  assert.equal(openhandsLlm.assemble(document, [CALLING]), document);
  const changed = openhandsLlm.assemble(document, [CALLING.slice(0, 1)]);
  assert.deepEqual(changed, { ...completion, fncall_messages: CALLING.slice(0, 1) });
  assert.ok(openhandsLlm.detect(changed));
});

test("calls in the text say the same as calls", () => {
  const log = (messages: readonly object[]): unknown => comparable(logOf(openhandsLlm, { messages, ...completion }));
  assert.deepEqual(log(AS_TEXT), log(CALLING));
});

test("a value of several lines stands on lines of its own, and the model may stop before the end", () => {
  const content = "I write.\n\n<function=edit>\n<parameter=path>a</parameter>\n<parameter=text>\none\n  two\n</parameter>\n";
  const document = { messages: [{ role: "assistant", content }], ...completion };
  const [message] = logOf(openhandsLlm, document);
  assert.deepEqual(blocksOf(message ?? { role: "user", content: "" }).find(isToolUse)?.input, { path: "a", text: "one\n  two" });
  const written = recordsWith(openhandsLlm, document, (log) => log.map((each) => ({ ...each })));
  assert.deepEqual(written, [{ role: "assistant", content: `${content}</function>` }]);
});

test("what the user says after a call without the words of a result is the user's", () => {
  const document = { messages: [AS_TEXT[0], { role: "user", content: "Stop." }], ...completion };
  assert.deepEqual(logOf(openhandsLlm, document).at(-1)?.content, "Stop.");
});

test("a shortened result keeps the words that make it one", () => {
  const written = recordsWith(openhandsLlm, { messages: AS_TEXT, ...completion }, (log) =>
    log.map((message) => (message.role === "user" ? { ...message, content: blocksOf(message).map((block) => ({ ...block, content: "[cut]" })) } : message)),
  );
  assert.deepEqual(written, [AS_TEXT[0], { role: "user", content: "EXECUTION RESULT of [look]:\n[cut]" }]);
});

test("the model and the tools of the request are known", () => {
  const [section] = openhandsLlm.sections({ messages: [], ...completion });
  assert.deepEqual([section?.id, section?.model, section?.tools?.length], ["r", "m", 1]);
});
