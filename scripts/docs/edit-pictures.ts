/** The pictures of `docs/concepts.md`: a small conversation, and its view after one edit of each kind. All of them come from `render`. */
import type { Proposal } from "../../src/edits/edit.ts";
import { makeEdits } from "../../src/edits/make-edits.ts";
import { render } from "../../src/edits/render.ts";
import { blocksOf, isText, isToolResult, isToolUse, type Block, type Message } from "../../src/messages/message.ts";

/** Column widths that fit side by side on a GitHub page. */
const LOG_WIDTH = 46;

const LOG: readonly Message[] = [
  { role: "user", content: "Why does the build fail?" },
  call("toolu_1", "bash", { command: "npm run build" }),
  result("toolu_1", ["> build", "> tsc", "src/port.ts(8,3): error TS2339", "4 files checked"]),
  call("toolu_2", "edit", { path: "src/port.ts", new_string: "const port = Number(env.PORT ?? 8080); // and 90 more lines" }),
  result("toolu_2", ["edited"]),
  { role: "assistant", content: [{ type: "text", text: "Mended." }] },
  {
    role: "user",
    content: [
      { type: "text", text: "It looks like this now:" },
      { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } },
    ],
  },
];

type Draft = Proposal extends infer P ? (P extends Proposal ? Omit<P, "pass" | "reason" | "madeAt"> : never) : never;

const EDITS: Readonly<Record<string, Draft>> = {
  "replace-result": {
    kind: "replace-result",
    at: { position: 2, block: 0 },
    callId: "toolu_1",
    form: "truncated",
    content: "src/port.ts(8,3): error TS2339\n[3 of 4 lines cut]\n[recall handle: 7f3kq20x]",
  },
  "replace-input": { kind: "replace-input", at: { position: 3, block: 0 }, input: { path: "src/port.ts", new_string: "const port = … [cut]" } },
  "collapse-round": { kind: "collapse-round", call: 1, lastResult: 2, note: "[bash: npm run build, failed with TS2339]" },
  "replace-range": {
    kind: "replace-range",
    from: { position: 1, block: 0 },
    to: { position: 5, block: 0 },
    role: "assistant",
    summary: "I built it, and mended src/port.ts.",
  },
  "strip-blocks": { kind: "strip-blocks", at: [{ position: 6, block: 1 }] },
  "replace-block": { kind: "replace-block", at: { position: 6, block: 1 }, text: "[a screenshot, 1280 by 720]" },
};

/** Returns log and view side by side; changed lines begin with a bar. Throws for an unknown kind. */
export function editPicture(kind: string): string {
  const draft = EDITS[kind];
  if (draft === undefined) throw new Error(`there is no picture of ${kind}`);
  const view = render(LOG, makeEdits(LOG, [{ ...draft, pass: "by-hand", reason: "a picture", madeAt: LOG.length }]));
  const before = LOG.map((message) => linesOf(message));
  const after = view.map((message) => linesOf(message));
  const rows = alignedRows(before, after);
  const head = ["  log".padEnd(LOG_WIDTH), "view"].join("  ");
  return [head, ...rows].map((row) => row.trimEnd()).join("\n");
}

/** Aligns the rows that differ between the equal messages before and after them. */
function alignedRows(before: readonly (readonly string[])[], after: readonly (readonly string[])[]): string[] {
  const same = (a: readonly string[] | undefined, b: readonly string[] | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && same(before[head], after[head])) head++;
  let tail = 0;
  while (tail < shorter - head && same(before.at(-1 - tail), after.at(-1 - tail))) tail++;
  const beside = (left: readonly string[], right: readonly string[], mark: string): string[] =>
    Array.from({ length: Math.max(left.length, right.length) }, (_, row) => `${mark} ${left[row] ?? ""}`.padEnd(LOG_WIDTH) + `  ${right[row] ?? ""}`);
  const equal = (messages: readonly (readonly string[])[]): string[] => messages.flatMap((lines) => beside(lines, lines, " "));
  const more = (isMore: boolean): string[] => (isMore ? beside(["…"], ["…"], " ") : []);
  return [
    ...more(head > 1),
    ...equal(before.slice(Math.max(0, head - 1), head)),
    ...beside(before.slice(head, before.length - tail).flat(), after.slice(head, after.length - tail).flat(), "│"),
    ...equal(before.slice(before.length - tail, before.length - tail + 1)),
    ...more(tail > 1),
  ];
}

function linesOf({ role, content }: Message): string[] {
  const lines = blocksOf({ role, content }).flatMap((block) => blockLines(block));
  return lines.map((line, number) => `${(number === 0 ? role : "").padEnd(10)}${line}`);
}

function blockLines(block: Block): string[] {
  if (isText(block)) return [block.text];
  if (isToolUse(block)) return [`→ ${block.name}`, ...Object.values(block.input as object).map((value) => `    ${shortened(String(value))}`)];
  if (isToolResult(block) && typeof block.content === "string") return block.content.split("\n").map((line, number) => `${number === 0 ? "← " : "  "}${line}`);
  return [`(${block.type})`];
}

function shortened(text: string): string {
  return text.length > 30 ? `${text.slice(0, 29)}…` : text;
}

function call(id: string, name: string, input: Readonly<Record<string, unknown>>): Message {
  return { role: "assistant", content: [{ type: "tool_use", id, name, input }] };
}

function result(id: string, lines: readonly string[]): Message {
  return { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: lines.join("\n") }] };
}
