/** What is sent when something fails on our side. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assistant, text, think, user } from "../../../test/support/build.ts";
import type { Message } from "../../messages/message.ts";
import { anthropicWire } from "../wires/anthropic/anthropic-wire.ts";
import type { FrontEndEvent } from "./front-end-event.ts";
import { createFrontEnd, type FrontEnd, type Transport } from "./front-end.ts";
import type { Wire } from "./wire.ts";

type JsonWire = Wire<object, object, object>;
interface Body {
  readonly messages: Message[];
  readonly tools?: readonly { name: string }[];
}

const TOOL = { name: "read", input_schema: { type: "object" } };
const bodyOf = (...messages: Message[]): Body & { model: string } => ({ model: "claude-fable-5-2", messages, tools: [TOOL] });
const thought = (words: string): Message => assistant(think(), text(words));

interface Setting {
  readonly frontEnd: FrontEnd;
  readonly events: FrontEndEvent[];
  readonly sent: Body[];
  readonly transport: Transport<object, object, object>;
  /** How many of the next calls of `encode` throw. */
  readonly breakEncode: (times: number) => void;
  readonly breakAnswers: () => void;
  readonly wire: JsonWire;
}

function setting(compact = true): Setting {
  const events: FrontEndEvent[] = [];
  const sent: Body[] = [];
  let encodesToBreak = 0;
  let answersBroken = false;
  const answer = {
    id: "msg",
    type: "message",
    role: "assistant",
    content: [
      { type: "thinking", thinking: "hm", signature: "s" },
      { type: "text", text: "ok" },
    ],
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  return {
    frontEnd: createFrontEnd({ compact, onEvent: (event) => void events.push(event) }),
    events,
    sent,
    transport: {
      send: (body) => {
        sent.push(body as Body);
        return Promise.resolve({ answer });
      },
      stream: () => Promise.reject(new Error("no stream")),
    },
    breakEncode: (times) => (encodesToBreak = times),
    breakAnswers: () => (answersBroken = true),
    wire: {
      ...anthropicWire,
      readAnswer: (raw) => {
        if (answersBroken) throw new Error("broken");
        return anthropicWire.readAnswer(raw);
      },
      codec: {
        ...anthropicWire.codec,
        encode: (messages) => {
          if (encodesToBreak-- > 0) throw new Error("broken");
          return anthropicWire.codec.encode(messages);
        },
      },
    },
  };
}

const failures = (events: readonly FrontEndEvent[]): unknown[] => events.flatMap((event) => (event.type === "failed" ? [[event.stage, event.sent]] : []));
const textsOf = ({ messages }: Body): string => JSON.stringify(messages).replaceAll(/checkpoint:[a-z0-9]{6}/g, "checkpoint:x");

describe("a view that cannot be made", () => {
  test("the last good one is sent, with new messages", async () => {
    const { frontEnd, wire, transport, sent, events, breakEncode } = setting();
    await frontEnd.send(wire, bodyOf(user("a")), transport);
    breakEncode(1);
    await frontEnd.send(wire, bodyOf(user("a"), thought("ok"), user("b")), transport);
    assert.deepEqual(failures(events), [["request", "last-view"]]);
    assert.match(textsOf(sent[1] ?? assert.fail()), /"a".*checkpoint:x.*"ok".*"b".*checkpoint:x/);
    await frontEnd.send(wire, bodyOf(user("a"), thought("ok"), user("b"), thought("ok"), user("c")), transport);
    assert.deepEqual(failures(events), [["request", "last-view"]]);
    assert.match(textsOf(sent[2] ?? assert.fail()), /"a".*"ok".*"b".*"ok".*"c"/);
  });
  test("if that cannot be made either: the client's messages, without thinking that is bound to our views", async () => {
    const { frontEnd, wire, transport, sent, events, breakEncode } = setting();
    await frontEnd.send(wire, bodyOf(user("a")), transport);
    breakEncode(2);
    const messages = [user("a"), thought("ok"), user("b")];
    await frontEnd.send(wire, bodyOf(...messages), transport);
    assert.deepEqual(failures(events), [["request", "without-thinking"]]);
    assert.deepEqual(sent[1]?.messages, [user("a"), { role: "assistant", content: [{ type: "text", text: "ok" }] }, user("b")]);
    assert.deepEqual(sent[1]?.tools, [TOOL]);
  });
  test("else the request as it came", async () => {
    const { frontEnd, wire, transport, sent, events, breakEncode } = setting();
    await frontEnd.send(wire, bodyOf(user("a")), transport);
    breakEncode(3);
    const body = bodyOf(user("a"), thought("ok"), user("b"));
    const { answer } = (await frontEnd.send(wire, body, transport)) as { answer: object };
    assert.equal(sent[1], body);
    assert.deepEqual(failures(events), [["request", "as-it-came"]]);
    assert.ok("content" in answer);
  });
  test("and the answer then belongs to no thread: a new conversation begins there", async () => {
    const { frontEnd, wire, transport, sent, breakEncode } = setting();
    await frontEnd.send(wire, bodyOf(user("a")), transport);
    breakEncode(3);
    await frontEnd.send(wire, bodyOf(user("a"), thought("ok"), user("b")), transport);
    await frontEnd.send(wire, bodyOf(user("a"), thought("ok"), user("b"), assistant(text("said elsewhere")), user("c")), transport);
    assert.deepEqual(
      sent.map(({ tools }) => tools?.map(({ name }) => name)),
      [["compact", "recall", "read"], ["read"], ["read"]],
    );
  });
});

describe("a refusal with 400", () => {
  const ALL = ["last-view", "without-thinking", "as-it-came"];
  for (const [name, said, compact, forms] of [
    ["about messages of ours", "messages.1.content.0: something that views may cause", true, ALL],
    ["about the client's own messages", "messages.1.content.0.image: Could not process image", false, []],
    ["about tools, where one is ours", "tools.0.custom.name: something", false, ALL],
    ["about thinking, which was signed under tools of ours", "messages.1.content.0: something about `thinking` blocks", false, ALL],
    ["that says nothing", "Bad request", false, ALL],
    ["about a setting of the client's", "max_tokens: 300000 > 64000, which is the maximum allowed number of output tokens for claude-fable-5-2", true, []],
  ] as const)
    test(`${name}: ${1 + forms.length} requests`, async () => {
      const { frontEnd, wire, transport, events } = setting(compact);
      await frontEnd.send(wire, bodyOf(user("a")), transport);
      let count = 0;
      const refused = { error: said };
      const send = (): Promise<{ refused: object; tooLong: undefined; status: number; said: string }> => {
        count++;
        return Promise.resolve({ refused, tooLong: undefined, status: 400, said: JSON.stringify({ type: "error", error: { message: said } }) });
      };
      const sent = await frontEnd.send(wire, bodyOf(user("a"), thought("ok"), user("b")), { ...transport, send });
      assert.deepEqual(["refused" in sent && sent.refused, count, failures(events)], [refused, 1 + forms.length, forms.map((form) => ["request", form])]);
    });
});

test("a request that cannot be read is sent as it came, and nothing else is reported", async () => {
  const { frontEnd, wire, transport, sent, events } = setting();
  const odd = { model: "m", messages: "none" };
  await frontEnd.send(wire, odd, transport);
  assert.deepEqual([sent[0], events], [odd, []]);
});

test("an answer that cannot be read reaches the client as it is", async () => {
  const { frontEnd, wire, transport, events, breakAnswers } = setting();
  breakAnswers();
  const { answer } = (await frontEnd.send(wire, bodyOf(user("a")), transport)) as { answer: { content: unknown[] } };
  assert.equal(answer.content.length, 2);
  assert.deepEqual(failures(events), [["answer", "nothing"]]);
});

test("a listener that throws costs the client nothing", async () => {
  const { wire, transport } = setting();
  const frontEnd = createFrontEnd({
    onEvent: () => {
      throw new Error("listener");
    },
  });
  assert.ok("answer" in (await frontEnd.send(wire, bodyOf(user("a")), transport)));
});

test("an error of the transport reaches the client, and the next call goes on", async () => {
  const { frontEnd, wire, transport, sent } = setting();
  await assert.rejects(frontEnd.send(wire, bodyOf(user("a")), { ...transport, send: () => Promise.reject(new Error("network")) }), /network/);
  await frontEnd.send(wire, bodyOf(user("a")), transport);
  assert.equal(textsOf(sent[0] ?? assert.fail()).split("checkpoint").length - 1, 1);
});

test("a stream that is left before the first read is closed", async () => {
  const { frontEnd, events, wire, transport } = setting();
  let isCancelled = false;
  const stream = new ReadableStream<object>({ cancel: () => void (isCancelled = true) }, { highWaterMark: 0 });
  const sent = await frontEnd.stream(wire, bodyOf(user("hello")), { ...transport, stream: () => Promise.resolve({ answer: stream }) });
  assert.ok("answer" in sent);
  await sent.answer[Symbol.asyncIterator]().return?.();
  assert.deepEqual([events.at(-1)?.type, isCancelled], ["called", true]);
});
