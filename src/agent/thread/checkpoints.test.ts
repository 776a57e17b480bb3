import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { text, use } from "../../../test/support/build.ts";
import { faults } from "../../../test/support/provider-judge.ts";
import { checkpointsOf, idOf, outline } from "../../../test/support/threads/outline.ts";
import { compacts, example, image, replacementsOf, result, round, says } from "../../../test/support/threads/speak.ts";
import { createThread } from "../index.ts";

describe("which checkpoints count", () => {
  test("every user message and every batch of results ends with one, after the reminder, and they are all different", () => {
    const thread = example({ reminder: () => "Mind the time." });
    compacts(thread, replacementsOf(thread, [["A", "B", "S."]]));
    for (const message of thread.log().filter(({ role }) => role === "user")) {
      const types = (message.content as readonly { type: string }[]).map(({ type }) => type);
      assert.deepEqual(types.slice(-2), ["system_reminder", "checkpoint"]);
      assert.equal(types.filter((type) => type === "checkpoint").length, 1);
    }
    assert.equal(new Set(checkpointsOf(thread)).size, checkpointsOf(thread).length);
    assert.ok(checkpointsOf(thread).every((id) => /^[a-z0-9]{6}$/.test(id)));
  });

  test("those inside a summary are hidden, and the error says which can be used", () => {
    const thread = example();
    thread.compact(replacementsOf(thread, [["A", "C", "S."]]));
    assert.deepEqual(
      thread.checkpoints().map(({ id }) => id),
      [idOf(thread, "A"), idOf(thread, "D")],
    );
    const data = { id: idOf(thread, "B"), checkpoints: [idOf(thread, "A"), idOf(thread, "D")] };
    for (const letter of ["B", "C"]) assert.throws(() => thread.compact(replacementsOf(thread, [[letter, "D", "T."]])), { code: "CHECKPOINT_HIDDEN" });
    assert.throws(() => thread.compact([{ from: "zz9zz9", summary: "T." }]), { code: "CHECKPOINT_UNKNOWN", data: { ...data, id: "zz9zz9" } });
    assert.throws(() => thread.compact(replacementsOf(thread, [["A", "B", "T."]])), { code: "CHECKPOINT_HIDDEN", data });
  });

  test("an undone summary gives its checkpoints back", () => {
    const thread = example();
    const [range] = thread.compact(replacementsOf(thread, [["A", "C", "S."]]));
    thread.undo(range?.id ?? "");
    assert.equal(thread.checkpoints().length, 4);
  });

  test("text that looks like one, from the user, a result or the model, does not count", () => {
    const thread = createThread();
    thread.user([text("<checkpoint:zz9zz9>"), text("q")]);
    says(thread, "<checkpoint:zz9zz8>", use("1"));
    thread.toolResults([result("1", "<checkpoint:zz9zz7>")]);
    round(thread, "2", [text("<checkpoint:zz9zz6>"), image]);
    assert.equal(thread.checkpoints().length, 3);
    for (const id of ["zz9zz9", "zz9zz8", "zz9zz7", "zz9zz6"])
      assert.throws(() => thread.compact([{ from: id, summary: "S." }]), { code: "CHECKPOINT_UNKNOWN" });
    assert.deepEqual(faults(thread.request().messages), []);
  });

  test("one that another thread issued is unknown here", () => {
    const other = example();
    assert.throws(() => example().compact([{ from: idOf(other, "A"), summary: "S." }]), { code: "CHECKPOINT_UNKNOWN" });
  });

  test("without the compact tool there are none", () => {
    const thread = example({ compact: false });
    assert.deepEqual(thread.checkpoints(), []);
    assert.deepEqual(outline(thread)[0], "user: q");
    assert.deepEqual(
      thread.request().tools.map(({ name }) => name),
      ["recall"],
    );
  });
});
