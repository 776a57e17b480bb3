import assert from "node:assert/strict";
import { test } from "node:test";
import { checkMessages } from "../messages/check-messages.ts";
import { blocksOf, isToolResult, isToolUse } from "../messages/message.ts";
import { loadTrajectory } from "./demo/load-trajectory.ts";

const { messages, description } = loadTrajectory();
const calls = messages.map((message) => blocksOf(message).filter(isToolUse));
const results = messages.flatMap((message) => blocksOf(message).filter(isToolResult));

test("the bundled session is a request that the provider accepts", () => {
  assert.deepEqual(checkMessages(messages), []);
});

test("it is long and varied enough to show something", () => {
  assert.ok(calls.filter((round) => round.length > 0).length >= 40, "rounds");
  assert.ok(
    calls.some((round) => round.length > 1),
    "parallel calls",
  );
  assert.ok(
    results.some((result) => result.is_error === true),
    "an error",
  );
  assert.ok(messages.filter((message) => message.role === "user" && typeof message.content === "string").length >= 4, "the user comes back");
  assert.deepEqual([...new Set(calls.flat().map((call) => call.name))].toSorted(), ["bash", "edit_file", "grep", "read_file", "write_file"]);
});

test("some file is read twice, with the same result: what a shorter view can do without", () => {
  const texts = results.map((result) => result.content).filter((content) => typeof content === "string" && content.length > 1_000);
  assert.ok(new Set(texts).size < texts.length);
});

test("it tells nothing of the machine it was recorded on", () => {
  const text = JSON.stringify({ messages, description });
  assert.doesNotMatch(text, /\/(?:home|root|Users|tmp|private|work)\/|file:\/\/\/(?!repo\/)|[A-Z]:\\\\/);
  assert.ok(text.length < 400_000, "small enough to be shipped");
});
