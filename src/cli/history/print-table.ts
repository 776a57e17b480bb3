import { isEdited, isSaid, shownContent, type CommitContent } from "../../history/commit-content.ts";
import { checkCommit } from "../../history/damage.ts";
import type { Commit, Store } from "../../history/index.ts";
import { isText, isToolUse, textBlock } from "../../messages/message.ts";
import type { StoredCommit } from "../../store/store.ts";
import { shortHash } from "./find-commit.ts";
import { inputText } from "./print-messages.ts";
import { amount, dayOf, moment, timeOfDay } from "./numbers-and-times.ts";
import { cut, formatTable, type Column } from "../table.ts";
import { printable } from "../safe-text.ts";
import type { Terminal } from "../terminal.ts";

/** Used where there is no screen width. The full text is in the commit. */
const TEXT_CHARACTERS = 100;
/** Contents held in memory at a time. */
const PAGE = 500;

export async function printCommits(terminal: Terminal, store: Store, commits: readonly StoredCommit[]): Promise<void> {
  // If all commits are from one day, the date is printed once, to leave room for the text.
  const days = new Set(commits.map(({ time }) => dayOf(time)));
  const [day] = days;
  const when = days.size === 1 ? timeOfDay : moment;
  const rows: string[][] = [];
  for (let from = 0; from < commits.length; from += PAGE) {
    const page = commits.slice(from, from + PAGE);
    const contents = await store.contents([...new Set(page.map(({ contentHash }) => contentHash))]);
    for (const commit of page) rows.push(rowOf(commit, contents.get(commit.contentHash), when(commit.time)));
  }
  const columns: readonly Column[] = [
    { title: "commit" },
    { title: days.size === 1 ? (day ?? "") : "time" },
    { title: "what", give: "cut" },
    { title: "tokens", align: "right" },
    { title: "", give: "cut" },
  ];
  printTable(terminal, columns, rows);
}

export function printTable(terminal: Terminal, columns: readonly Column[], rows: readonly (readonly string[])[]): void {
  const [titles = "", ...lines] = formatTable(columns, rows, terminal.columns);
  terminal.print(terminal.dim(titles));
  for (const line of lines) terminal.print(line);
}

/** Loads the stored form of commits: those of the library lack the address of their content. */
export async function listed(store: Store, thread: string, commits: readonly Commit[]): Promise<StoredCommit[]> {
  const found = await Promise.all(commits.map(async ({ hash }) => store.byHash(thread, hash, 1)));
  return found.flat();
}

function rowOf(commit: StoredCommit, text: string | undefined, when: string): string[] {
  const { content, damages } = checkCommit(commit, text);
  const said = content === undefined || damages.length > 0 ? `damaged: ${damages.join("; ")}` : describeCommit(commit, content);
  return [shortHash(commit.hash), when, printable(roleOf(commit, content)), amount(commit.tokens), cut(printable(said), TEXT_CHARACTERS)];
}

function roleOf({ kind, role, name, isError }: StoredCommit, content: CommitContent | undefined): string {
  const what = role === "tool" ? (name ?? "tool") : role;
  if (kind === "append") return role === "tool" ? `${isError === true ? "✗" : "←"} ${what}` : what;
  return `${content !== undefined && !isEdited(content) ? "undo" : "edit"} ${what}`;
}

function describeCommit(commit: StoredCommit, content: CommitContent): string {
  if (isEdited(content)) {
    const { tokensBefore, tokensAfter, reason } = content.edit;
    return `${shortHash(commit.edits ?? "")}: ${amount(tokensBefore)} → ${amount(tokensAfter)}${reason === "" ? "" : `, ${reason}`}`;
  }
  if (!isSaid(content)) return `${shortHash(commit.edits ?? "")} taken back${commit.reason === undefined ? "" : `: ${commit.reason}`}`;
  const shown = shownContent(content);
  const blocks = typeof shown === "string" ? [textBlock(shown)] : shown;
  const calls = blocks.filter(isToolUse).map((call) => `→ ${call.name} ${inputText(call.input)}`);
  const texts = blocks.filter(isText).map(({ text }) => text.slice(0, 4 * TEXT_CHARACTERS).trim());
  const others = blocks.filter((block) => !isText(block) && !isToolUse(block)).map(({ type }) => `[${type}]`);
  return [...texts, ...calls, ...(texts.length + calls.length === 0 ? others : [])].join(" ");
}
