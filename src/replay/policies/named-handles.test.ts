import assert from "node:assert/strict";
import { test } from "node:test";
import { assistant, user } from "../../../test/support/build.ts";
import { handlesNamed } from "../../../test/support/lost-texts.ts";
import type { Message } from "../../messages/message.ts";
import { compact } from "../../conversation/index.ts";
import { NamedHandles } from "./named-handles.ts";

test("a range of places that a view names gives back each of them", () => {
  const log: Message[] = [];
  for (let n = 0; n < 60; n++) log.push(user(`Please do step ${n}.`), assistant(`Step ${n}: ${"one more token, ".repeat(20)}`));
  log.push(user("What is next?"));
  const { messages, edits } = compact(log, { budget: 2_000 });
  const handles = new NamedHandles();
  handles.learn(log, edits);
  const named = handlesNamed(messages);
  assert.ok(named.length > 3);
  assert.deepEqual(handles.namedIn(messages, log).map(({ handle }) => handle), named); // prettier-ignore
});
