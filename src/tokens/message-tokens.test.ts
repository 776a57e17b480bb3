import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { block, text } from "../../test/support/build.ts";
import type { Block, Message } from "../messages/message.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { CLAUDE_LARGE_IMAGES } from "./image-tokens.ts";
import { contentTokens, estimateMessages, messageTokens } from "./message-tokens.ts";

/** Three digits are a token. */
const tokens = (count: number): string => "1".repeat(3 * count);

/** A header is all that is read of an image: 560 × 280 pixels, 20 × 10 patches. The rest is megabytes. */
const header = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1"), Buffer.of(0, 0, 2, 0x30, 0, 0, 1, 0x18)]);
const png = Buffer.concat([header, Buffer.alloc(1_000_000, "picture")]);
const base64 = png.toString("base64");
const pdf = Buffer.from("%PDF-1.4 1 0 obj <</Type /Pages /Count 4>> endobj");
const IMAGE = 200;
const UNKNOWN = 1568;
const PAGE = 2250;

describe("contentTokens", () => {
  const PLAIN: readonly (readonly [what: string, content: string | readonly Block[] | undefined, tokens: number])[] = [
    ["nothing", undefined, 0],
    ["a string", tokens(10), 10],
    ["texts", [text(tokens(10)), text(tokens(5))], 15],
    [
      "results, with their blocks",
      [block("tool_result", { content: tokens(7) }), block("tool_result", { content: [text(tokens(3))] }), block("tool_result")],
      10,
    ],
    ["a call: its name and its input as JSON", [block("tool_use", { name: "read", input: { path: "src/index.ts", limit: 10 } })], 13],
    ["any other block as JSON", [block("checkpoint", { id: "abc123" })], 12],
    ["thinking", [block("thinking", { thinking: tokens(50), signature: "" })], 50],
  ];
  for (const [what, content, expected] of PLAIN) test(what, () => assert.equal(contentTokens(content), expected));

  test("JSON is estimated as it is written", () => {
    const input = { files: ["a.ts", "b.ts"], text: 'line one\n\t"line two"', deep: { flag: true, none: null, amount: 1.5 } };
    assert.equal(contentTokens([block("tool_use", { name: "", input })]), estimateTokens(JSON.stringify(input)));
  });

  test("what JSON cannot hold is no failure", () => {
    assert.equal(contentTokens([block("tool_use", { name: "read", input: undefined })]), 1);
    assert.ok(contentTokens([block("odd", { amount: 10n, url: new URL("https://example.org/"), made: new Date(0) })]) > 10);
  });
});

describe("a file is never counted as base64, nor as nothing", () => {
  const FILES: readonly (readonly [what: string, file: Block, mediaTokens: number])[] = [
    ["Anthropic: an image", block("image", { source: { type: "base64", media_type: "image/png", data: base64 } }), IMAGE],
    ["Anthropic: an image elsewhere", block("image", { source: { type: "url", url: "https://example.org/a.png" } }), UNKNOWN],
    ["Anthropic: a broken image", block("image", { source: { type: "base64", media_type: "image/png", data: "A".repeat(1_000_000) } }), UNKNOWN],
    ["Anthropic: a PDF", block("document", { source: { type: "base64", media_type: "application/pdf", data: pdf.toString("base64") } }), 4 * PAGE],
    ["Anthropic: a PDF elsewhere", block("document", { source: { type: "file", file_id: "file_011" } }), 5 * PAGE],
    ["OpenAI Chat: an image", block("image_url", { image_url: { url: `data:image/png;base64,${base64}`, detail: "high" } }), IMAGE],
    ["OpenAI Chat: an image elsewhere", block("image_url", { image_url: { url: "https://example.org/a.png" } }), UNKNOWN],
    ["OpenAI Chat: a file", block("file", { file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${pdf.toString("base64")}` } }), 4 * PAGE],
    ["OpenAI Chat: sound", block("input_audio", { input_audio: { data: base64, format: "wav" } }), UNKNOWN],
    ["OpenAI Responses: an image", block("input_image", { image_url: `data:image/png;base64,${base64}` }), IMAGE],
    ["OpenAI Responses: a file", block("input_file", { filename: "a.pdf", file_data: `data:application/pdf;base64,${pdf.toString("base64")}` }), 4 * PAGE],
    ["AI SDK: an image in bytes", block("image", { image: new Uint8Array(png), mediaType: "image/png" }), IMAGE],
    ["AI SDK: an image in a Buffer", block("image", { image: png }), IMAGE],
    ["AI SDK: an image as base64", block("image", { image: base64 }), IMAGE],
    ["AI SDK: an image elsewhere", block("image", { image: new URL("https://example.org/a.png") }), UNKNOWN],
    ["AI SDK: a file", block("file", { data: base64, mediaType: "image/png" }), IMAGE],
    ["AI SDK: a file as tagged data", block("file", { data: { type: "data", data: png }, mediaType: "image/png" }), IMAGE],
    ["AI SDK: a file that is a PDF", block("file", { data: new Uint8Array(pdf), mediaType: "application/pdf" }), 4 * PAGE],
    ["AI SDK: a file of text", block("file", { data: Buffer.from(tokens(40)).toString("base64"), mediaType: "text/plain" }), 30],
    ["AI SDK: media in a result", block("media", { data: base64, mediaType: "image/png" }), IMAGE],
    ["MCP: an image", block("image", { data: base64, mimeType: "image/png" }), IMAGE],
    ["MCP: sound", block("audio", { data: base64, mimeType: "audio/wav" }), UNKNOWN],
  ];
  for (const [what, file, mediaTokens] of FILES) {
    test(what, () => {
      const asMessage = (content: Block): Message => ({ role: "user", content: [content] });
      const [direct, inResult, nested] = [asMessage(file), asMessage(block("tool_result", { content: [file] })), asMessage(block("odd", { output: [file] }))];
      assert.equal(messageTokens(direct), mediaTokens);
      assert.equal(messageTokens(inResult), mediaTokens);
      if (mediaTokens === IMAGE) assert.ok(messageTokens(nested) - mediaTokens < 20, "in a block of an unknown type, too");
      if (mediaTokens === UNKNOWN) assert.equal(estimateMessages([direct], CLAUDE_LARGE_IMAGES).mediaTokens, UNKNOWN);
    });
  }

  test("a document of text is its text", () => {
    assert.equal(contentTokens([block("document", { source: { type: "text", media_type: "text/plain", data: tokens(30) } })]), 30);
    assert.equal(contentTokens([block("document", { source: { type: "content", content: [text(tokens(30))] } })]), 30);
    assert.equal(contentTokens([block("document", { source: { type: "content", content: tokens(30) } })]), 30);
    assert.ok(contentTokens([block("document", { source: null })]) > 0);
  });

  test("bytes are no array of numbers, wherever they are", () => {
    for (const bytes of [png, new Uint8Array(png), new DataView(new ArrayBuffer(1_000_000))]) {
      const found = contentTokens([block("odd", { output: { bytes } })]);
      assert.ok(found > UNKNOWN && found < UNKNOWN + 30, `${found}`);
    }
  });

  test("what is only called a file is none", () => {
    const listing = [
      { type: "file", path: "src/index.ts" },
      { type: "image", data: "logo.png" },
      { type: "document", data: "Plain words, and many of them. ".repeat(20) },
    ];
    assert.equal(contentTokens([block("tool_use", { name: "", input: { listing } })]), estimateTokens(JSON.stringify({ listing })));
  });

  test("a cipher is the text that was encrypted", () => {
    const cipher = Buffer.alloc(3_000, "reasoning").toString("base64");
    assert.equal(contentTokens([block("thinking", { thinking: "", signature: cipher })]), 705);
    assert.equal(contentTokens([block("thinking", { thinking: tokens(900), signature: cipher })]), 900);
    assert.equal(contentTokens([block("redacted_thinking", { data: cipher })]), 705);
    const reasoning = contentTokens([block("reasoning", { encrypted_content: cipher })]);
    assert.ok(reasoning >= 750 && reasoning < 770, `${reasoning}`);
  });

  // Recorded by Claude Code with thinking that was shown in full: the length of the text, and that of its signature.
  const SIGNED: readonly (readonly [chars: number, signatureChars: number])[] = [
    [52, 300],
    [96, 360],
    [135, 412],
    [192, 488],
    [366, 728],
    [739, 1_212],
    [1_076, 1_660],
    [1_494, 2_212],
  ];
  for (const [chars, signatureChars] of SIGNED) {
    test(`hidden thinking of ${chars} characters counts as what was thought, not as its signature of ${signatureChars}`, () => {
      const hidden = contentTokens([block("thinking", { thinking: "", signature: "c".repeat(signatureChars) })]);
      assert.ok(Math.abs(hidden - chars / 4) <= 5, `${hidden} tokens`);
    });
  }

  test("a signature without thinking in it is nothing", () => {
    assert.equal(contentTokens([block("thinking", { thinking: "", signature: "c".repeat(100) })]), 0);
  });

  test("base64 that the model reads as text is text", () => {
    assert.ok(contentTokens(base64) > 500_000);
    assert.ok(contentTokens([block("tool_result", { content: base64 })]) > 500_000);
  });
});

test("an estimate has text and media apart, and the images are the model's", () => {
  const large = Buffer.concat([header.subarray(0, 16), Buffer.of(0, 0, 8, 0, 0, 0, 8, 0)]).toString("base64");
  const messages: Message[] = [
    { role: "user", content: [block("image", { source: { type: "base64", media_type: "image/png", data: large } }), text(tokens(10))] },
    { role: "assistant", content: tokens(5) },
  ];
  assert.deepEqual(estimateMessages(messages, CLAUDE_LARGE_IMAGES), { textTokens: 15, mediaTokens: 4784 });
  assert.deepEqual(messages.map(messageTokens), [1568 + 10, 5]);
});
