import { fieldsOf } from "../../content/calls/input-fields.ts";
import { beginningOf } from "../../messages/beginning-of.ts";
import { MARKS, quoteHead, quoteLines } from "../quote.ts";
import { isTaskCall, tasksAfter } from "./tasks.ts";

const PLAN_TOOL = /todo|(?:^|_)(?:update_?)?plan(?:$|_)|exit_?plan|task_?list/i;
const TEXT_KEYS: readonly string[] = ["content", "step", "description", "title", "text", "task", "name", "subject"];
const STATUS_KEYS: readonly string[] = ["status", "state", "completed", "done"];
const CHECKBOX = /^\s*(?:[-*+]|\d+[.)]) \[([ xX~-])\] (\S.*)$/;
const ITEM_CHARS = 300;
const STATUS_CHARS = 40;
const MOST_ITEMS = 60;
const PLAN_CHARS = 2_000;

/** Returns whether the call states or changes a plan. */
export function isPlanCall(tool: string, input: unknown): boolean {
  return PLAN_TOOL.test(tool) || isTaskCall(tool, input);
}

/** What the assistant did: its words, or a call with its result. */
export type Act = string | { readonly tool: string; readonly input: unknown; readonly failed: boolean; readonly result: string };

/** Returns whether the act changes the plan. A call that failed has changed nothing. */
export function changesPlan(act: Act): boolean {
  return typeof act !== "string" && isTaskCall(act.tool, act.input) ? !act.failed : toldBy(act).length > 0;
}

/** Returns the last state of a plan or task list, one item per line. None: there is no plan. */
export function planLines(acts: readonly Act[]): string[] {
  const last = acts.findLast(changesPlan);
  if (last === undefined || typeof last === "string" || !isTaskCall(last.tool, last.input)) return last === undefined ? [] : toldBy(last);
  const tasks = tasksAfter(acts.filter((act) => typeof act !== "string"));
  return withinLimit(tasks.map(({ status, subject }) => planItem(status, subject)));
}

/** Returns the lines of an act that states the whole plan. */
function toldBy(act: Act): string[] {
  if (typeof act === "string") return checkboxes(act);
  return !act.failed && PLAN_TOOL.test(act.tool) ? itemsOf(act.input) : [];
}

function itemsOf(input: unknown): string[] {
  const fields = Object.values(fieldsOf(input));
  const list: unknown = fields.find((value) => Array.isArray(value) && value.length > 0);
  if (Array.isArray(list)) {
    return withinLimit(list.map(itemLine).filter((line) => line !== ""));
  }
  // A plan in prose, or a list in Markdown.
  const text = fields.find((value) => typeof value === "string" && value.includes("\n"));
  if (typeof text !== "string") return [];
  const boxes = checkboxes(text);
  return boxes.length > 0 ? boxes : quoteLines(MARKS.assistant, text.length > PLAN_CHARS ? `${beginningOf(text, PLAN_CHARS)}…` : text).trimEnd().split("\n"); // prettier-ignore
}

function withinLimit(items: readonly string[]): string[] {
  return items.length > MOST_ITEMS ? [...items.slice(0, MOST_ITEMS), `- and ${items.length - MOST_ITEMS} more`] : [...items];
}

function itemLine(item: unknown): string {
  if (typeof item === "string") return item.trim() === "" ? "" : `- ${flat(item)}`;
  const fields = fieldsOf(item);
  const text = TEXT_KEYS.map((key) => fields[key]).find((value) => typeof value === "string" && value.trim() !== "");
  if (typeof text !== "string") return "";
  const status = STATUS_KEYS.map((key) => fields[key]).find((value) => typeof value === "string" || typeof value === "boolean");
  return planItem(status, text);
}

/** `- [x] Read the code`. */
function planItem(status: unknown, text: string): string {
  return `- ${boxOf(status)}${flat(text)}`;
}

/** `[x]` is done, `[~]` in progress, `[ ]` to do; any other state is named. */
function boxOf(status: unknown): string {
  if (typeof status === "boolean") return status ? "[x] " : "[ ] ";
  if (typeof status !== "string") return "";
  if (/^(?:completed?|done|finished)$/i.test(status)) return "[x] ";
  if (/^(?:in[_ -]?progress|active|doing|started)$/i.test(status)) return "[~] ";
  if (/^(?:pending|todo|open|not[_ -]?started)$/i.test(status)) return "[ ] ";
  return `[${beginningOf(flat(status), STATUS_CHARS)}] `;
}

function checkboxes(text: string): string[] {
  if (!text.includes("] ")) return [];
  const found = text.split("\n").flatMap((line) => {
    const [, mark, item] = CHECKBOX.exec(line) ?? [];
    return item === undefined ? [] : [`- [${mark === "X" ? "x" : (mark ?? " ")}] ${flat(item)}`];
  });
  // A single box is part of something else.
  return found.length < 2 ? [] : found.slice(0, MOST_ITEMS);
}

/** Returns the text in one line, without quotes: it comes after a mark, and so needs none. */
function flat(text: string): string {
  const quoted = quoteHead(text, ITEM_CHARS);
  const plain = quoted.slice(1, -1);
  return plain.includes("\\") ? quoted : plain;
}
