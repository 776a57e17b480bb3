import assert from "node:assert/strict";
import { it } from "node:test";
import { playTrajectory } from "./play-trajectory.ts";

it("says again what was recorded, one turn for each response", () => {
  const turns = playTrajectory([
    { role: "user", content: "Fix it." },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "s" },
        { type: "text", text: "I look." },
        { type: "tool_use", id: "a", name: "read", input: { path: "x" } },
      ],
    },
    { role: "assistant", content: [{ type: "tool_use", id: "b", name: "list", input: {} }] },
    { role: "user", content: "…" },
    { role: "assistant", content: "Done." },
  ]);
  assert.deepEqual(turns, [
    {
      thinking: "Hm.",
      text: "I look.",
      calls: [
        { id: "a", name: "read", input: { path: "x" } },
        { id: "b", name: "list", input: {} },
      ],
    },
    { text: "Done." },
  ]);
});
