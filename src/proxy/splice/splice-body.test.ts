import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { checkProperty } from "../../../test/support/check-property.ts";
import { spliceBody } from "./splice-body.ts";

type Fields = Readonly<Record<string, unknown>>;

function splice(text: string, change: (from: Fields) => Fields): string {
  const from = JSON.parse(text) as Fields;
  const to = change(from);
  const spliced = spliceBody(Buffer.from(text), from, to).toString("utf8");
  assert.deepEqual(JSON.parse(spliced), JSON.parse(JSON.stringify(to)), "another value than that of the request");
  return spliced;
}

/** As the engine returns it: never the client's own objects. */
function copyOf<T>(value: T): T {
  return structuredClone(value);
}

const messagesOf = (body: Fields): Fields[] => body["messages"] as Fields[];

describe("spliceBody keeps the client's bytes", () => {
  const odd =
    ' {"a" : 1.0, "big":123456789012345678901234567890, "messages": [ {"role":"user","content":"\\u0041\\/" } ,{"role":"user","content":1e2}\n], "x":{}} ';

  it("all of them, where nothing changed", () => {
    const from = JSON.parse(odd) as Fields;
    const raw = Buffer.from(odd);
    assert.equal(spliceBody(raw, from, from), raw);
    assert.equal(spliceBody(raw, from, { ...from }).toString(), odd);
    assert.equal(spliceBody(raw, from, copyOf(from)).toString(), odd);
  });

  it("of every message but the one that changed", () => {
    assert.equal(
      splice(odd, (from) => ({ ...from, messages: [messagesOf(from)[0], { role: "user", content: "new" }] })),
      odd.replace(' ,{"role":"user","content":1e2}\n', ',{"role":"user","content":"new"}'),
    );
  });

  it("of equal messages that are other objects: those that a conversation remembers from earlier calls", () => {
    assert.equal(
      splice(odd, (from) => ({ ...from, messages: [{ role: "user", content: "first" }, ...copyOf(messagesOf(from))] })),
      odd.replace('[ {"role"', '[{"role":"user","content":"first"},{"role"'),
    );
  });

  const changes: readonly (readonly [what: string, text: string, change: (from: Fields) => Fields, expected: string])[] = [
    [
      "when a tool is put before the client's",
      '{"tools":[ {"n":1.0} ]}',
      (from) => ({ ...from, tools: [{ n: 0 }, ...(from["tools"] as object[])] }),
      '{"tools":[{"n":0},{"n":1.0} ]}',
    ],
    ["when tools are added where there were none", '{"n":1.0}', (from) => ({ ...from, tools: [{ n: 0 }] }), '{"n":1.0,"tools":[{"n":0}]}'],
    ["when a field is added to nothing", "{ }", () => ({ n: 1 }), '{"n":1 }'],
    ["when a field is left out", '{"a":1.0, "b":2,"c":3.0}', ({ b: _, ...rest }) => rest, '{"a":1.0,"c":3.0}'],
    ["when a field is undefined", '{"a":1.0,"b":2}', (from) => ({ ...from, b: undefined }), '{"a":1.0}'],
    ["when all fields are left out", '{"a":1.0}', () => ({}), "{}"],
    [
      "when messages are left out",
      '{"messages":[ {"a":1.0},{"a":2.0},{"a":3.0} ]}',
      (from) => ({ ...from, messages: messagesOf(from).slice(1) }),
      '{"messages":[{"a":2.0},{"a":3.0} ]}',
    ],
    [
      "when the last message is left out",
      '{"messages":[ {"a":1.0},{"a":2.0} ]}',
      (from) => ({ ...from, messages: messagesOf(from).slice(0, 1) }),
      '{"messages":[ {"a":1.0}]}',
    ],
    ["when all messages are left out", '{"messages":[ {"a":1.0} ]}', (from) => ({ ...from, messages: [] }), '{"messages":[]}'],
    [
      "when messages change places",
      '{"messages":[{"a":1.0}, {"a":2.0}]}',
      (from) => ({ ...from, messages: messagesOf(from).toReversed() }),
      '{"messages":[{"a":2.0},{"a":1.0}]}',
    ],
    ["when a list becomes a text", '{"input":[1.0],"n":1.0}', (from) => ({ ...from, input: "text" }), '{"input":"text","n":1.0}'],
    [
      "of a list of plain values",
      '{"stop":["\\u0061", "b"],"n":[1.0]}',
      (from) => ({ ...from, stop: ["a", "c"], n: [1] }),
      '{"stop":["\\u0061","c"],"n":[1.0]}',
    ],
    [
      "of the blocks beside one that changed, and of what lies in a block that got a marker",
      '{"messages":[{"content":[{"type":"x","input":{"n":1.0}},{"type":"y","input":{"n":2.0}}],"role":"user"}]}',
      (from) => {
        const [first, second] = messagesOf(from)[0]?.["content"] as [Fields, Fields];
        return { ...from, messages: [{ role: "user", content: [first, { ...second, cache_control: { type: "ephemeral" } }] }] };
      },
      '{"messages":[{"role":"user","content":[{"type":"x","input":{"n":1.0}},{"type":"y","input":{"n":2.0},"cache_control":{"type":"ephemeral"}}]}]}',
    ],
    [
      "where a key is there twice: the last one counts",
      '{"messages":[{"a":9.0}],"messages":[{"a":1.0},{"a":2}]}',
      (from) => ({ ...from, messages: [messagesOf(from)[0], { a: 3 }] }),
      '{"messages":[{"a":9.0}],"messages":[{"a":1.0},{"a":3}]}',
    ],
    [
      "where a key is written with escapes",
      '{"\\u006dessages":[{"a":1.0},{"a":2}]}',
      (from) => ({ ...from, messages: [messagesOf(from)[0], { a: 3 }] }),
      '{"\\u006dessages":[{"a":1.0},{"a":3}]}',
    ],
    [
      "where keys are names of a prototype",
      '{"__proto__":{"a":1.0},"constructor":1.0,"n":1}',
      (from) => ({ ...from, n: 2 }),
      '{"__proto__":{"a":1.0},"constructor":1.0,"n":2}',
    ],
    ["around text that looks like JSON", '{"s":"}],{\\"\\\\","n":1}', (from) => ({ ...from, n: 2 }), '{"s":"}],{\\"\\\\","n":2}'],
    [
      "around half a surrogate pair",
      '{"s":"\\ud800","messages":[{"t":"\\udfff"},{"a":1}]}',
      (from) => ({ ...from, messages: [messagesOf(from)[0], { a: 2 }] }),
      '{"s":"\\ud800","messages":[{"t":"\\udfff"},{"a":2}]}',
    ],
  ];
  for (const [what, text, change, expected] of changes)
    it(what, () => {
      assert.equal(splice(text, change), expected);
    });

  it("of messages beside one that is nested deeper than a stack", () => {
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const text = `{"messages":[{"deep":${deep}},{"a":1.0}]}`;
    const from = JSON.parse(text) as Fields;
    assert.equal(
      spliceBody(Buffer.from(text), from, { ...from, messages: [...messagesOf(from), { a: 2 }] }).toString(),
      text.replace("1.0}]}", '1.0},{"a":2}]}'),
    );
  });

  it("quickly, where thousands of messages look alike", () => {
    const text = JSON.stringify({ messages: Array.from({ length: 20_000 }, (_, index) => ({ role: "user", content: "x", more: [index] })) });
    const from = JSON.parse(text) as Fields;
    const reversed = copyOf(messagesOf(from)).toReversed();
    assert.deepEqual(JSON.parse(spliceBody(Buffer.from(text), from, { ...from, messages: reversed }).toString()), { messages: reversed });
  });
});

/** JSON as clients write it: in other bytes than `JSON.stringify` would. */
function written(value: unknown, dice: () => number): string {
  const space = (): string => ["", "", " ", "\n\t", "\r\n  "][dice() % 5] ?? "";
  if (Array.isArray(value)) return `[${space()}${value.map((element) => written(element, dice)).join(`${space()},${space()}`)}${space()}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([key, member]) => `${text(key, dice)}${space()}:${space()}${written(member, dice)}`);
    const twice = members.length > 0 && dice() % 7 === 0 ? [`${text(Object.keys(value)[0] ?? "", dice)}:"overwritten"`] : [];
    return `{${space()}${[...twice, ...members].join(`${space()},${space()}`)}${space()}}`;
  }
  if (typeof value === "string") return text(value, dice);
  if (typeof value === "number" && Number.isInteger(value)) return [`${value}`, `${value}.0`, `${value}e0`][dice() % 3] ?? "";
  return JSON.stringify(value);
}

function text(value: string, dice: () => number): string {
  return dice() % 3 === 0
    ? `"${Array.from(value, (character) => (character.length === 1 ? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}` : character)).join("")}"`
    : JSON.stringify(value);
}

const leaf = fc.oneof(fc.string({ maxLength: 8 }), fc.string({ unit: "binary", maxLength: 4 }), fc.integer(), fc.boolean(), fc.constant(null));
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("role", "content", "type", "text", "id", "input", "\u00e9", "__proto__", "a b"), tie("tree"), { maxKeys: 4 }),
  ),
}));
const message = fc.dictionary(fc.constantFrom("role", "content", "id", "n"), tree, { minKeys: 1, maxKeys: 4 });
const body = fc.record(
  { model: fc.string(), messages: fc.array(message, { maxLength: 6 }), tools: fc.array(message, { maxLength: 3 }), more: tree },
  { requiredKeys: ["messages"] },
);
const change = fc.constantFrom("keep", "copy", "drop", "replace", "mark", "double");

describe("random bodies", () => {
  const numbers = fc.infiniteStream(fc.nat());

  it("have the value that was asked for, and the client's bytes where nothing changed", () => {
    checkProperty("splice", [body, fc.array(change, { minLength: 1, maxLength: 8 }), numbers, fc.boolean()], (value, changes, stream, adds) => {
      const dice = (): number => stream.next().value as number;
      const raw = written(JSON.parse(JSON.stringify(value)), dice);
      const from = JSON.parse(raw) as Fields;
      const messages = messagesOf(from).flatMap((each, index): object[] => {
        switch (changes[index % changes.length]) {
          case "copy":
            return [copyOf(each)];
          case "drop":
            return [];
          case "replace":
            return [{ role: "user", content: `[shorter ${index}]` }];
          case "mark":
            return [{ ...each, cache_control: { type: "ephemeral" } }];
          case "double":
            return [each, copyOf(each)];
          default:
            return [each];
        }
      });
      const tools = adds ? { tools: [{ name: "recall" }, ...((from["tools"] as object[] | undefined) ?? [])] } : {};
      const to = { ...from, messages, ...tools };
      const spliced = spliceBody(Buffer.from(raw), from, to).toString("utf8");
      assert.deepEqual(JSON.parse(spliced), to);
      const isSame = !adds && changes.every((each, index) => each === "keep" || each === "copy" || index >= messagesOf(from).length);
      if (isSame) assert.equal(spliced, raw);
    });
  });

  it("keep the bytes of each message that was not touched", () => {
    checkProperty("untouched messages", [fc.array(message, { minLength: 1, maxLength: 6 }), fc.nat(), numbers], (values, place, stream) => {
      const dice = (): number => stream.next().value as number;
      const texts = values.map((value) => written(JSON.parse(JSON.stringify(value)), dice));
      const raw = `{"n":1.0,"messages":[${texts.join(" , ")}]}`;
      const from = JSON.parse(raw) as Fields;
      const changed = place % texts.length;
      const messages = messagesOf(from).map((each, index) => (index === changed ? { only: "ours" } : copyOf(each)));
      const spliced = spliceBody(Buffer.from(raw), from, { ...from, messages }).toString("utf8");
      const parts = texts.map((each, index) => (index === changed ? '{"only":"ours"}' : each));
      assert.equal(spliced.replaceAll(" , ", ","), `{"n":1.0,"messages":[${parts.join(",").replaceAll(" , ", ",")}]}`);
    });
  });
});
