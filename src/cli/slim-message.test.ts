import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkMessages } from "../messages/check-messages.ts";
import type { Message } from "../messages/message.ts";
import { anyTranscript, checkProperty } from "../../test/support/transcripts.ts";
import { slimMessage } from "./slim-message.ts";

describe("slimMessage", () => {
  it("changes no finding", () => {
    checkProperty("slim", [anyTranscript()], (messages) => {
      for (const target of [{}, { history: true }, { prefill: true, thinking: "off" as const }])
        assert.deepEqual(checkMessages(messages.map(slimMessage), target), checkMessages(messages, target));
    });
  });

  it("cuts long texts, wherever they are, and keeps their ends", () => {
    const long = `${" ".repeat(300)}words${"x".repeat(5_000)} \n`;
    const message: Message = { role: "user", content: [{ type: "text", text: long }, { type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: long }] }] }; // prettier-ignore
    assert.ok(JSON.stringify(slimMessage(message)).length < 400);
    const slim = slimMessage({ role: "assistant", content: long });
    assert.match(JSON.stringify(slim.content), /^"w….* \\n"$/);
    assert.equal(slimMessage({ role: "assistant", content: " ".repeat(500) }).content, " ");
  });
});
