import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assistant, block, calls, res, text, think, use, user } from "../../../test/support/build.ts";
import { runCli } from "../../../test/support/run-cli.ts";
import type { FormatName } from "../../formats/codec.ts";
import type { Message } from "../../messages/message.ts";
import { judgeSession } from "./judge-log.ts";

const unsigned = block("thinking", { thinking: "hm" });

/** What is found, as rule and path. */
function found(log: readonly Message[], wires: readonly (FormatName | undefined)[] = []): string[] {
  return judgeSession({ log, wires }, "anthropic", true).findings.map(({ rule, path }) => `${rule} ${path}`);
}

const FOREIGN_CALL = assistant(unsigned, use("call_1|fc_2", "read"));
const FOREIGN = [user("q"), FOREIGN_CALL, user(res("call_1|fc_2", "r")), assistant("Done.")];

describe("messages are judged by the rules of whoever they were made for", () => {
  test("ids with | and thinking without a signature are faults for Anthropic only", () => {
    assert.deepEqual(found(FOREIGN), ["A2.7 messages.1.content.1", "A2.7 messages.2.content.0", "A4.7 messages.1.content.0"]);
    for (const wire of ["openai-responses", "openai-chat"] as const) {
      const { rules, findings } = judgeSession({ log: FOREIGN, wires: [undefined, wire, undefined, wire] }, "anthropic", true);
      assert.deepEqual([rules, findings], [[wire], []]);
    }
  });

  test("a session of two providers by the rules of both", () => {
    const log = [...FOREIGN, user("next"), assistant(unsigned, use("bad|id", "read")), user(res("bad|id", "r")), assistant("Done.")];
    const wires = [undefined, "openai-responses", undefined, "openai-responses", undefined, "anthropic", undefined, "anthropic"] as const;
    const { rules, findings } = judgeSession({ log, wires }, "anthropic", true);
    assert.deepEqual(rules.toSorted(), ["anthropic", "openai-responses"]);
    assert.deepEqual(findings.map(({ rule, path }) => `${rule} ${path}`), ["A2.7 messages.5.content.1", "A2.7 messages.6.content.0", "A4.7 messages.5.content.0"]); // prettier-ignore
  });

  test("a call without a result is found, whoever made it", () => {
    const log = [user("q"), calls("a"), user("never mind"), assistant("Done."), user("next"), calls("b"), user("never mind"), assistant("Done.")];
    const wires = [undefined, "openai-chat", undefined, "openai-chat", undefined, "anthropic", undefined, "anthropic"] as const;
    const { findings } = judgeSession({ log, wires }, "anthropic", true);
    assert.deepEqual(findings.map(({ rule }) => rule).toSorted(), ["A2.1", "B1"]);
  });

  test("pi says which API each response came of", async () => {
    const line = (id: number, message: object): string => JSON.stringify({ type: "message", id: `${id}`, parentId: id === 0 ? null : `${id - 1}`, message });
    const session = (facts: object): string =>
      [
        JSON.stringify({ type: "session", id: "s", cwd: "/" }),
        line(0, { role: "user", content: "q" }),
        line(1, { role: "assistant", content: [{ type: "toolCall", id: "call_1|fc_2", name: "read", arguments: {} }], ...facts }),
        line(2, { role: "toolResult", toolCallId: "call_1|fc_2", toolName: "read", content: [{ type: "text", text: "r" }] }),
        line(3, { role: "assistant", content: [{ type: "text", text: "Done." }], ...facts }),
      ].join("\n");
    const rulesFor = async (facts: object): Promise<readonly [number, string]> => {
      const { code, out } = await runCli(["check", "-", "--json"], { input: session(facts) });
      return [code, (JSON.parse(out) as { readonly rules: string }).rules];
    };
    assert.deepEqual(await rulesFor({ api: "openai-codex-responses", model: "gpt-5.5" }), [0, "openai-responses"]);
    assert.deepEqual(await rulesFor({ api: "google-gemini-cli", model: "gemini-3.1-flash-lite" }), [0, "openai-chat"]);
    assert.deepEqual(await rulesFor({ model: "gpt-5.5" }), [0, "openai-chat"]);
    assert.deepEqual(await rulesFor({ api: "anthropic-messages", model: "claude-opus-5" }), [1, "anthropic"]);
    assert.deepEqual(await rulesFor({ model: "claude-opus-5" }), [1, "anthropic"]);
  });
});

describe("line breaks that the API itself wrote are no fault of a session", () => {
  const blank = text("\n\n");
  const ROWS: readonly (readonly [what: string, message: Message, findings: readonly string[]])[] = [
    ["before thinking", assistant(blank, think(), text("a")), []],
    ["before thinking and a call", assistant(blank, blank, think(), text("a")), []],
    ["before words", assistant(blank, text("a")), []],
    ["but words before thinking are", assistant(text("a"), think(), text("b")), ["A4.4 messages.1"]],
    ["and so is a message of nothing else", assistant(blank), ["A1.6 messages.1.content.0"]],
    ["and an empty text", assistant(text(""), text("a")), ["A1.5 messages.1.content.0"]],
    ["and what no API wrote", user(blank, text("a")), ["A1.6 messages.1.content.0"]],
  ];
  for (const [what, message, findings] of ROWS) test(what, () => assert.deepEqual(found([user("q"), message, user("r")]), findings));

  test("but in a request, which is sent as it is, they are refused", async () => {
    const messages = [user("q"), assistant(blank, text("a")), user("r")];
    const { code, out } = await runCli(["check", "-"], { input: JSON.stringify({ model: "claude-opus-5", messages }) });
    assert.match(out, /A1\.6 +messages\.1\.content\.0/);
    assert.equal(code, 1);
  });
});
