import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assistant, res, text, think, use, user } from "./build.ts";
import { BindingWorld, signThinking, type JudgedBlock, type JudgedMessage } from "./provider-judge.ts";
import { checkProperty, pendingTranscript, validTranscript } from "./transcripts.ts";

/** q · think use a · res a · think use b · res b: an open loop; thinking is signed-1-0 and signed-3-0. */
const LOOP = signThinking([user(text("q")), assistant(think(""), use("a")), user(res("a")), assistant(think(""), use("b")), user(res("b"))]);
/** The same, answered, and the user has spoken again. */
const CLOSED = signThinking([...LOOP, assistant(think(""), text("done")), user(text("next"))]);

const raw = (log: readonly JudgedMessage[]) => (length: number) => log.slice(0, length);
const isThought = (block: JudgedBlock): boolean => block.type === "thinking" || block.type === "redacted_thinking";

/** The view with the message at `position` replaced, or without it. */
function but(view: readonly JudgedMessage[], position: number, ...messages: JudgedMessage[]): JudgedMessage[] {
  return [...view.slice(0, position), ...messages, ...view.slice(position + 1)];
}

function withoutThinkingAt(view: readonly JudgedMessage[], ...positions: number[]): JudgedMessage[] {
  return view.map((message, position) => {
    if (!positions.includes(position) || typeof message.content === "string") return message;
    return { ...message, content: message.content.filter((block) => !isThought(block)) };
  });
}

const { world: open, grown } = BindingWorld.grow(LOOP, raw(LOOP));
const { world: closed } = BindingWorld.grow(CLOSED, raw(CLOSED));

test("what was sent unchanged is accepted, on the way too", () => {
  assert.deepEqual(grown, []);
  assert.deepEqual(open.faults(LOOP), []);
  assert.deepEqual(closed.faults(CLOSED), []);
});

test("a result shortened before kept thinking is refused", () => {
  assert.deepEqual(closed.faults(but(CLOSED, 2, user(res("a", "short")))), ["A4.8:signed-3-0", "A4.8:signed-5-0"]);
});

test("a result shortened after all thinking is accepted", () => {
  assert.deepEqual(open.faults(but(LOOP, 4, user(res("b", "short")))), []);
});

test("thinking may go from the front, not from the middle", () => {
  assert.deepEqual(closed.faults(withoutThinkingAt(CLOSED, 1)), []);
  assert.deepEqual(closed.faults(withoutThinkingAt(CLOSED, 1, 3)), []);
  assert.deepEqual(closed.faults(withoutThinkingAt(CLOSED, 1, 3, 5)), []);
  assert.deepEqual(closed.faults(withoutThinkingAt(CLOSED, 3)), ["A4.8:signed-5-0"]);
});

test("of an open loop's thinking, all or none is shown", () => {
  assert.deepEqual(open.faults(withoutThinkingAt(LOOP, 1)), ["A4.1:loop"]);
  assert.deepEqual(open.faults(withoutThinkingAt(LOOP, 3)), ["A4.1:loop"]);
  assert.deepEqual(open.faults(withoutThinkingAt(LOOP, 1, 3)), []);
});

test("all means all that was sent when the last of it was produced", () => {
  const world = new BindingWorld(LOOP);
  world.produced(1, LOOP.slice(0, 1));
  const sent = withoutThinkingAt(but(LOOP.slice(0, 3), 2, user(res("a", "short"))), 1);
  world.produced(3, sent);
  assert.deepEqual(world.faults([...sent, ...LOOP.slice(3)]), []);
  assert.deepEqual(world.faults(LOOP), ["A4.8:signed-3-0", "A4.1:loop"]);
});

test("thinking produced under an edit stays with the edit and is refused without it", () => {
  const world = new BindingWorld(CLOSED);
  world.produced(1, CLOSED.slice(0, 1));
  world.produced(3, CLOSED.slice(0, 3));
  const edited = but(withoutThinkingAt(CLOSED, 3), 2, user(res("a", "short")));
  world.produced(5, edited.slice(0, 5));
  assert.deepEqual(world.faults(edited), []);
  assert.deepEqual(world.faults(CLOSED), ["A4.8:signed-5-0"]);
});

const EDITS: readonly [string, readonly JudgedMessage[]][] = [
  ["a message taken away", but(CLOSED, 0)],
  ["a message put in", [user(text("note")), ...CLOSED]],
  ["a block put into a user message", but(CLOSED, 0, user(text("q"), text("more")))],
  ["two messages in another order", but(but(CLOSED, 1), 1, user(res("a")), CLOSED[1] ?? user())],
  ["a role changed", but(CLOSED, 0, assistant(text("q")))],
];

for (const [name, view] of EDITS) {
  test(`${name} before thinking is refused`, () => {
    assert.ok(closed.faults(view).includes("A4.8:signed-5-0"));
  });
}

test("changed and foreign thinking is refused", () => {
  const changed = { ...think(""), signature: "signed-1-0", thinking: "other" } as JudgedBlock;
  assert.ok(closed.faults(but(CLOSED, 1, assistant(changed, use("a")))).includes("A4.7:signed-1-0"));
  const foreign = { ...think(""), signature: "elsewhere" } as JudgedBlock;
  assert.ok(closed.faults([...CLOSED, assistant(foreign, text("x"))]).includes("A4.7:elsewhere"));
});

test("cache markers may come and go, inside results too", () => {
  const marker = { cache_control: { type: "ephemeral" } };
  const marked = but(CLOSED, 2, user({ ...res("a"), ...marker }));
  assert.deepEqual(closed.faults(but(marked, 0, user({ ...text("q"), ...marker }))), []);
});

test("a user's words beside a result end the loop, a reminder does not", () => {
  const tail = (block: JudgedBlock): JudgedMessage[] => signThinking(but(LOOP, 4, user(res("b"), block)));
  const words = tail(text("and hurry"));
  const reminder = tail(text("<system-reminder>x</system-reminder>"));
  assert.deepEqual(BindingWorld.grow(words, raw(words)).world.faults(withoutThinkingAt(words, 1)), []);
  assert.deepEqual(BindingWorld.grow(reminder, raw(reminder)).world.faults(withoutThinkingAt(reminder, 1)), ["A4.1:loop"]);
});

test("views on the way are judged by what was known then", () => {
  const views = (length: number): JudgedMessage[] => (length === 5 ? but(CLOSED.slice(0, 5), 0, user(text("other"))) : CLOSED.slice(0, length));
  assert.deepEqual(BindingWorld.grow(CLOSED, views).grown, ["A4.8:signed-1-0@5", "A4.8:signed-3-0@5"]);
});

test("signThinking gives each block a mark of its own and leaves the rest", () => {
  const twin = assistant(think(""), think(""), text("x"));
  const signed = signThinking([user(text("q")), twin, twin]);
  assert.deepEqual(
    signed.flatMap((message) =>
      typeof message.content === "string" ? [] : message.content.filter(isThought).map((block) => (block as { signature?: unknown }).signature),
    ),
    ["signed-1-0", "signed-1-1", "signed-2-0", "signed-2-1"],
  );
  const plain = user(text("q"));
  assert.equal(signThinking([plain])[0], plain);
});

test("random histories, sent as they are, are accepted; with all thinking gone too", () => {
  for (const transcript of [validTranscript(), pendingTranscript()]) {
    checkProperty("as they are", [transcript], (messages) => {
      const log = signThinking(messages);
      const grownWorld = BindingWorld.grow(log, raw(log));
      assert.deepEqual(grownWorld.grown, []);
      assert.deepEqual(grownWorld.world.faults(log), []);
      const bare = withoutThinkingAt(log, ...log.keys()).filter((message) => message.content.length > 0);
      assert.deepEqual(grownWorld.world.faults(bare), []);
    });
  }
});

test("a change of any earlier message makes every later thinking fail", () => {
  checkProperty("any change", [validTranscript({ thinking: "manual" }), fc.nat({ max: 9999 })], (messages, pick) => {
    const log = signThinking(messages);
    const { world } = BindingWorld.grow(log, raw(log));
    const position = pick % log.length;
    const message = log[position];
    if (message?.role !== "user") return;
    const view = but(log, position, { ...message, content: [text("something else")] });
    const later = log.slice(position + 1).flatMap((one) => (typeof one.content === "string" ? [] : one.content.filter(isThought)));
    assert.equal(world.faults(view).filter((fault) => fault.startsWith("A4.8")).length, later.length);
  });
});
