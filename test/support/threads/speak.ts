import assert from "node:assert/strict";
import { createThread, type AssistantOutcome, type RecallInput, type Thread, type ThreadOptions } from "../../../src/agent/index.ts";
import type { Block, Replacement } from "../../../src/index.ts";
import type { OpenBlock } from "../../../src/messages/message.ts";
import { res, text, think, use } from "../build.ts";
import { idOf } from "./outline.ts";

export const thought = (mark: string): OpenBlock => think(`signed ${mark}`, mark);
/** A result that names its call, so that an outline shows which one it is. */
export const result = (id: string, content: string | Block[] = `found ${id}`, more: object = {}): OpenBlock => res(id, content, more);
export const image: OpenBlock = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } };

/** The model says this, for the request that the thread makes. */
export function says(thread: Thread, ...content: (string | OpenBlock)[]): AssistantOutcome {
  thread.request();
  return thread.assistant({ content: content.map((part) => (typeof part === "string" ? text(part) : part)) });
}

/** One call of a tool, and its result. */
export function round(thread: Thread, id: string, content?: string | Block[], ...before: OpenBlock[]): void {
  says(thread, ...before, use(id));
  thread.toolResults([result(id, content)]);
}

/** The model calls `compact`, alone or beside other calls. */
export function compacts(thread: Thread, replacements: unknown, ...siblings: OpenBlock[]): AssistantOutcome {
  return says(thread, use("compact-1", "compact", { replacements }), ...siblings);
}

/** What is recalled, where it is text. */
export function recalledText(thread: Thread, input: RecallInput): string {
  const { content } = thread.recall(input);
  return typeof content === "string" ? content : assert.fail("more than text");
}

/** q <A> · read 1 <B> · read 2 <C> · done · next <D> */
export function example(options: ThreadOptions = {}): Thread {
  const thread = createThread(options);
  thread.user("q");
  round(thread, "1");
  round(thread, "2");
  says(thread, "done");
  thread.user("next");
  return thread;
}

/** A replacement with its borders in letters. */
export type Wish = readonly [from: string | undefined, to: string | undefined, summary: string];

export function replacementsOf(thread: Thread, wishes: readonly Wish[]): Replacement[] {
  return wishes.map(([from, to, summary]) => ({
    ...(from === undefined ? {} : { from: idOf(thread, from) }),
    ...(to === undefined ? {} : { to: idOf(thread, to) }),
    summary,
  }));
}

/** What the thread goes on with after a compaction, in an outline. */
export const CONTINUE = "user: The thread was compacted. Continue with the task.";
