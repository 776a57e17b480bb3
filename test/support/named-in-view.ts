import assert from "node:assert/strict";
import type { RecallInput, Recalled } from "../../src/conversation/index.ts";
import { blocksOf, isText, isToolResult, isToolUse, type Block, type Message } from "../../src/messages/message.ts";
import type { Edit } from "../../src/index.ts";

/** Who serves handles: it is asked as a model asks. */
export interface Served {
  readonly recall: (input: RecallInput) => Recalled;
  readonly handles: readonly string[];
}

/** All text of a message, also inside of results and inputs. */
function textsOf(message: Message): string[] {
  const inBlock = (block: Block): string[] => {
    if (isText(block)) return [block.text];
    if (isToolUse(block)) return [JSON.stringify(block.input)];
    if (isToolResult(block)) return typeof block.content === "string" ? [block.content] : (block.content ?? []).flatMap(inBlock);
    return [];
  };
  return blocksOf(message).flatMap(inBlock);
}

/** Every handle, or range of parts, that a view tells a model to use: in notes, and in the calls that digests write out. */
export function namedIn(view: readonly Message[], log: readonly Message[]): string[] {
  const own = new Set(log.flatMap(textsOf));
  const texts = view.flatMap(textsOf).filter((text) => !own.has(text));
  const named = texts.flatMap((text) => [
    ...[...text.matchAll(/\[recall handles?: ([a-z0-9.… -]+)\]/g)].flatMap(([, list = ""]) => list.split(" ")),
    ...[...text.matchAll(/recall\(\{"handle": "([^"]+)"\}\)/g)].map(([, handle = ""]) => handle),
  ]);
  return [...new Set(named)];
}

/** What the log has at the places that an edit takes, told by nothing but the log: pieces of text that its original must have. */
function linesTaken(log: readonly Message[], edit: Edit): string[] {
  const inBlocks = (blocks: readonly (Block | undefined)[]): string[] =>
    blocks.flatMap((block) => (block === undefined ? [] : textsOf({ role: "user", content: [block] }).flatMap((text) => text.split("\n"))));
  switch (edit.kind) {
    case "replace-result":
      return inBlocks([blocksOf(log[edit.at.position] as Message)[edit.at.block]]);
    case "collapse-round":
      return inBlocks(log.slice(edit.call, edit.lastResult + 1).flatMap(blocksOf));
    case "replace-range":
      return inBlocks(
        log.slice(edit.from.position, edit.to.block === 0 ? edit.to.position : edit.to.position + 1).flatMap((message, offset) => {
          const position = edit.from.position + offset;
          const from = position === edit.from.position ? edit.from.block : 0;
          return blocksOf(message).slice(from, position === edit.to.position ? edit.to.block : undefined).filter(({ type }) => type !== "checkpoint" && type !== "system_reminder"); // prettier-ignore
        }),
      );
    default:
      return [];
  }
}

const textOf = ({ content }: Recalled): string =>
  typeof content === "string" ? content : content.map((block) => (isText(block) ? block.text : "")).join("\n");
const ALL = 1_000_000_000;

/** Checks that each handle of a view can be recalled, and that it gives the original, each line of it. Returns how many there were. */
export function checkServed(view: readonly Message[], log: readonly Message[], edits: readonly Edit[], { recall, handles }: Served): number {
  const named = namedIn(view, log);
  for (const handle of named) {
    const { content } = recall({ handle, maxTokens: ALL });
    assert.ok(
      handles.some((known) => handle === known || handle.startsWith(`${known}-`) || known.startsWith(`${handle.replace(/-\d+….*$/, "")}-`)),
      handle,
    );
    if (typeof content !== "string") {
      // Pictures are given back as they are, with the text beside them.
      const pictures = content.filter((block) => !isText(block)).map((block) => JSON.stringify(block));
      // Without the cache markers of the caller.
      const inLog = JSON.stringify(log).replaceAll(/,"cache_control":\{[^}]*\}/g, "");
      assert.ok(pictures.length > 0 && pictures.every((picture) => inLog.includes(picture)), handle);
      continue;
    }
    const lines = content.split("\n");
    for (const number of new Set([1, Math.ceil(lines.length / 2), lines.length])) {
      const given = recall({ handle, lines: `${number}`, maxTokens: ALL });
      assert.equal(given.content, `[lines ${number}-${number} of ${lines.length}]\n${number}: ${lines[number - 1] ?? ""}`, handle);
    }
    const first = lines.find((line) => line.trim() !== "");
    if (first !== undefined && /\w/.test(first))
      assert.match(textOf(recall({ handle, grep: /\w[\w ]*/.exec(first)?.[0] ?? "", maxTokens: ALL })), /^\[[1-9]\d* of \d+ lines match /);
  }
  for (const edit of edits) {
    if (edit.handle === undefined || edit.undoneAt !== undefined || !named.some((name) => name === edit.handle || name.startsWith(`${edit.handle ?? ""}-`)))
      continue;
    // What was recalled and is shortened again names the original, which has every line of it.
    const original = textOf(recall({ handle: edit.handle, maxTokens: ALL }));
    if (edit.kind === "replace-result" && isRecallResult(log, edit)) continue;
    for (const line of linesTaken(log, edit)) assert.ok(original.includes(line), `${edit.kind} ${edit.handle}: ${JSON.stringify(line)}`);
  }
  return named.length;
}

function isRecallResult(log: readonly Message[], { callId }: Extract<Edit, { kind: "replace-result" }>): boolean {
  return log.some((message) => blocksOf(message).some((block) => isToolUse(block) && block.id === callId && block.name === "recall"));
}
