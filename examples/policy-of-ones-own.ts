/** A list of policies. The last is your own: it replaces old screenshots with a line of text. */
import assert from "node:assert/strict";
import type { Message } from "palimpsest";
// #region policy
import { createThread, type Policy } from "palimpsest/agent";

const oldScreenshots = (): Policy => ({
  beforeCall({ log, inForce }) {
    const isDone = (position: number): boolean => inForce.some((edit) => edit.kind === "replace-block" && edit.at.position === position);
    const places = log.slice(0, -10).flatMap(({ content }, position) => {
      if (typeof content === "string" || isDone(position)) return [];
      return content.flatMap(({ type }, block) => (type === "image" ? [{ position, block }] : []));
    });
    const reason = "the page has changed since";
    return places.map((at) => ({ kind: "replace-block", at, text: "[an old screenshot]", pass: "old-screenshots", reason, madeAt: log.length }));
  },
});

const thread = createThread({ policy: ["balanced", oldScreenshots] });
// #endregion
const source = { type: "base64" as const, media_type: "image/png" as const, data: "iVBORw0KGgo=" };
for (let turn = 0; turn < 12; turn++) {
  thread.user([
    { type: "image", source },
    { type: "text", text: `Page ${turn}` },
  ]);
  thread.assistant({ content: [{ type: "text", text: `Seen: ${turn}` }] });
}
thread.user("And now?");
const view: Message[] = thread.request().messages;
const edits = thread.edits().length;
const images = JSON.stringify(view).split('"image"').length - 1;
console.log(`${images} of 12 screenshots are shown`);
assert.ok(images > 0 && images < 12 && JSON.stringify(view).includes("[an old screenshot]"));
thread.request();
assert.equal(thread.edits().length, edits); // what is done is not done again
