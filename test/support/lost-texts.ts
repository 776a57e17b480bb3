import type { Edit, Message } from "../../src/index.ts";
import { blocksOf, isText, isToolResult, isToolUse, type Block } from "../../src/messages/message.ts";
import { originalParts } from "../../src/passes/original-parts.ts";
import { originalText } from "../../src/stateless/original-text.ts";

const NOTE = /\[recall handles?: ([a-z0-9 …-]+)\]/g;

/** The handles that a view names, each once; of a range (`abc-1…-40`) each of its parts. */
export function handlesNamed(view: readonly Message[]): string[] {
  const notes = stringsIn(view).flatMap((text) => [...text.matchAll(NOTE)]);
  return [...new Set(notes.flatMap(([, list = ""]) => list.split(" ").flatMap(inRange)))];
}

export function inRange(name: string): string[] {
  const [, handle, first, last] = /^(.+)-(\d+)…-(\d+)$/.exec(name) ?? [];
  if (handle === undefined) return [name];
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, offset) => `${handle}-${Number(first) + offset}`);
}

/** What the assistant said and gave to tools, and what those answered, that is in none of these texts nor in the view. */
export function lostTexts(log: readonly Message[], view: readonly Message[], recalled: readonly string[]): string[] {
  const shown = [...stringsIn(view), ...recalled].join("\0");
  return log.flatMap(textsIn).filter((text) => text.trim() !== "" && !shown.includes(text) && !shown.includes(JSON.stringify(text).slice(1, -1)));
}

/** What the handles of a view give back, told from the edits alone. One that names nothing is an error. */
export function textsNamed(log: readonly Message[], view: readonly Message[], edits: readonly Edit[]): string[] {
  const handles = new Set(edits.map(({ handle }) => handle));
  // What was dropped in many places has a handle for each, in the form of parts.
  const byOriginal = Map.groupBy(handlesNamed(view), (name) => (handles.has(name) ? name : name.split("-")[0]));
  return [...byOriginal].map(([handle, names]) => {
    const edit = edits.find((candidate) => candidate.handle === handle);
    if (edit === undefined) throw new Error(`${names.join(" ")}: names nothing`);
    const text = originalText(log, edit);
    return names.some((name) => name === handle) ? text : textOfParts(text, names);
  });
}

/** What the parts have together: they may share some of it, and where one is not named there is a gap. */
function textOfParts(text: string, names: readonly string[]): string {
  const parts = originalParts(text);
  const numbers = names.map((name) => Number(name.split("-")[1])).sort((a, b) => a - b);
  let at = 0;
  return numbers
    .map((number) => {
      const part = parts.length < 2 ? undefined : parts[number - 1];
      if (part === undefined) throw new Error(`there is no part ${number} of ${parts.length}`);
      const shown = `${part.from > at ? "\0" : ""}${text.slice(Math.max(part.from, at), part.to)}`;
      at = part.to;
      return shown;
    })
    .join("");
}

function textsIn(message: Message): string[] {
  return blocksOf(message).flatMap((block) => {
    if (isToolUse(block)) return stringsIn(block.input);
    if (isToolResult(block)) return typeof block.content === "string" ? [block.content] : textsOf(block.content ?? []);
    if (message.role !== "assistant") return [];
    return [...textsOf([block]), ...["refusal", "transcript"].flatMap((field) => stringsIn((block as unknown as Record<string, unknown>)[field]))];
  });
}

function textsOf(blocks: readonly Block[]): string[] {
  return blocks.filter(isText).map(({ text }) => text);
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
