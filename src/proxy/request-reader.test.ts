import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { checkProperty } from "../../test/support/check-property.ts";
import { RequestReader } from "./request-reader.ts";
import { membersAt, skipSpace } from "./splice/json-spans.ts";

/** Reads the second text with a reader that has read the first. */
function readAfter(first: string, second: string): ReturnType<RequestReader["read"]> {
  const reader = new RequestReader();
  reader.read(Buffer.from(first), Buffer.from(first));
  return reader.read(Buffer.from(second), Buffer.from(second));
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** It must be what `JSON.parse` says, with keys in the same order, and its members where they are. */
function assertAsParsed(first: string, second: string): void {
  const read = readAfter(first, second);
  const expected = parsed(second);
  assert.equal(JSON.stringify(read?.body), JSON.stringify(expected));
  assert.deepEqual(read?.body, expected);
  if (read !== undefined) assert.deepEqual(read.members(), membersAt(read.unpacked, skipSpace(read.unpacked, 0)).members);
}

const space = fc.constantFrom("", "", "", " ", "\n", "\t ");
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }).map((each) => JSON.stringify(each)),
  fc.constantFrom("1.0", "1e400", "123456789012345678901234567890", '"\\u0041\\/"', '{"a":1,"a":2}', "[ ]", "{ }", '"]}"', '"\\\\"'),
);
const message = fc
  .tuple(space, fc.constantFrom("user", "assistant"), value)
  .map(([gap, role, content]) => `{${gap}"role"${gap}:"${role}",${gap}"content":${content}${gap}}`);
const member = fc
  .tuple(space, fc.constantFrom("model", "max_tokens", "tools", "system", "x", "1", "__proto__"), value)
  .map(([gap, key, text]) => `"${key}"${gap}:${gap}${text}`);

interface Shape {
  readonly before: readonly string[];
  readonly list: string;
  readonly messages: readonly string[];
  readonly after: readonly string[];
  readonly gap: string;
}

const shape: fc.Arbitrary<Shape> = fc.record({
  before: fc.array(member, { maxLength: 2 }),
  list: fc.constantFrom("messages", "input"),
  messages: fc.array(message, { maxLength: 6 }),
  after: fc.array(member, { maxLength: 3 }),
  gap: space,
});

function bodyOf({ before, list, messages, after, gap }: Shape): string {
  return `${gap}{${gap}${[...before, `"${list}":${gap}[${gap}${messages.join(`${gap},`)}${gap}]`, ...after].join(`${gap},${gap}`)}${gap}}${gap}`;
}

describe("RequestReader", () => {
  it("reads what JSON.parse does, whatever body was read before", () => {
    let shared = 0;
    checkProperty("another body", [shape, shape, fc.nat(6), fc.boolean()], (one, other, kept, isTail) => {
      const messages = [...one.messages.slice(0, kept), ...other.messages];
      const next: Shape = { ...one, messages, after: isTail ? one.after : other.after };
      if (kept > 0 && one.messages.length > 0) shared++;
      assertAsParsed(bodyOf(one), bodyOf(next));
    });
    assert.ok(shared > 10, "bodies share messages");
  });

  it("refuses what JSON.parse refuses, wherever it is broken", () => {
    checkProperty("a broken body", [shape, message, fc.nat(), fc.constantFrom("", ",", "]", "}", '"', ":", "\u0001", "x", "[")], (one, added, place, odd) => {
      const first = bodyOf(one);
      const next = bodyOf({ ...one, messages: [...one.messages, added] });
      const at = place % (next.length + 1);
      assertAsParsed(first, next.slice(0, at) + odd + next.slice(at + (odd === "" ? 1 : 0)));
    });
  });

  it("returns the same objects for messages whose bytes it has read, and for members with the same bytes", () => {
    const reader = new RequestReader();
    const read = (text: string): Readonly<Record<string, unknown>> => reader.read(Buffer.from(text), Buffer.from(text))?.body ?? assert.fail();
    const one = read('{"model":"m","messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}],"tools":[{"name":"t"}]}');
    const two = read(
      '{"model":"m","messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}],"tools":[{"name":"t"}]}',
    );
    const [first, second, third] = two["messages"] as object[];
    assert.deepEqual([first, second], one["messages"]);
    assert.ok((one["messages"] as object[])[0] === first && (one["messages"] as object[])[1] === second);
    assert.ok(one["tools"] === two["tools"]);
    assert.deepEqual(third, { role: "user", content: "c" });
  });

  it("continues each of several conversations that begin alike", () => {
    const reader = new RequestReader();
    const body = (words: readonly string[]): string => JSON.stringify({ messages: words.map((content) => ({ role: "user", content })) });
    const read = (words: readonly string[]): object[] => {
      const bytes = Buffer.from(body(words));
      return reader.read(bytes, bytes)?.body["messages"] as object[];
    };
    const a = read(["same", "a", "a2", "a3", "a4", "a5"]);
    const b = read(["same", "b", "b2", "b3", "b4", "b5"]);
    const a2 = read(["same", "a", "a2", "a3", "a4", "a5", "a6"]);
    const b2 = read(["same", "b", "b2", "b3", "b4", "b5", "b6"]);
    assert.ok(a2[4] === a[4], "the first goes on with the first");
    assert.ok(b2[4] === b[4], "and the second with the second");
    assert.deepEqual(b2.at(-1), { role: "user", content: "b6" });
  });

  it("remembers up to a limit", () => {
    const reader = new RequestReader();
    for (let number = 0; number < 70; number++) {
      const bytes = Buffer.from(JSON.stringify({ messages: [{ role: "user", content: `${number}${"x".repeat(1_000_000)}` }] }));
      assert.ok(reader.read(bytes, bytes) !== undefined);
    }
    assert.ok(reader.bytes <= 32 * 1024 * 1024, `${reader.bytes} bytes`);
  });
});
