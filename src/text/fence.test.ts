import assert from "node:assert/strict";
import { test } from "node:test";
import { firstAbsent, labelFor } from "./fence.ts";

test("a label that is in any of the texts is passed over", () => {
  assert.equal(
    firstAbsent(["xx l0 xx", "l1", ""], (attempt) => `l${attempt}`),
    "l2",
  );
});

test("other texts get another label, the same texts the same one", () => {
  const labels = ["a", "b", "ab", "a|b", ""].map((text) => labelFor([text]));
  assert.equal(new Set(labels).size, labels.length);
  assert.notEqual(labelFor(["a", "b"]), labelFor(["b", "a"]));
  assert.equal(labelFor(["a"]), labels[0]);
  assert.match(labels.join(" "), /^(?:[a-z0-9]{8}(?: |$))+$/);
});
