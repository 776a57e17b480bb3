import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeText, encodeText } from "./stored-text.ts";

test("a text comes back as it was stored", () => {
  for (const text of ["", "plain", "\u0000 and \u001a", "half \ud83d of a pair"]) assert.equal(decodeText(encodeText(text)), text);
});

test("a number or bytes where a text was stored, as a flipped bit leaves them, is a failure of the store", () => {
  for (const damaged of [7, 7n, null, new Uint8Array([1])]) assert.throws(() => decodeText(damaged as never), { code: "STORE_FAILED" });
});
