import asciichart from "asciichart";
import type { GrowthPoint, SizedResult, ToolShare } from "../../replay/context-profile.ts";
import type { InspectedFile, InspectedTrajectory } from "../../replay/inspect-entries.ts";
import type { RepeatedResult } from "../../replay/repeated-results.ts";
import { formatTable, type Column } from "../table.ts";
import { printable } from "../safe-text.ts";
import type { Terminal } from "../terminal.ts";

/** How many rows of a list are worth a screen; `--json` has all. */
const ROWS = 10;

export function printInspection(terminal: Terminal, { format, trajectories, damaged }: InspectedFile): void {
  for (const { line, reason } of damaged) terminal.print(terminal.red(`Line ${line} could not be read and was left out: ${printable(reason)}`));
  const [only] = trajectories;
  if (only === undefined) terminal.print(`No messages (${format}).`);
  else if (trajectories.length === 1) printTrajectory(terminal, format, only);
  else printSummary(terminal, format, trajectories);
}

function printTrajectory(terminal: Terminal, format: string, trajectory: InspectedTrajectory): void {
  const { tokens, byRole } = trajectory;
  terminal.print(terminal.bold(`${number(tokens)} tokens`), ` in ${number(trajectory.messages)} messages, ${number(trajectory.toolCalls)} tool calls, ${number(trajectory.modelCalls)} calls of ${trajectory.model} (${format})`); // prettier-ignore
  if (trajectory.compactions > 0) terminal.print(`The harness shortened the context ${times(trajectory.compactions)}; everything in the file is counted here.`);

  section(terminal, "By role");
  table(terminal, SHARE_COLUMNS, Object.entries(byRole).filter(([, size]) => size > 0).sort(([, a], [, b]) => b - a).map(([name, size]) => shareRow(name, size, tokens))); // prettier-ignore
  section(terminal, "By kind of content");
  table(terminal, SHARE_COLUMNS, trajectory.byKind.slice(0, ROWS).map((kind) => shareRow(kind.name, kind.tokens, tokens))); // prettier-ignore
  if (trajectory.byTool.length > 0) {
    section(terminal, "By tool");
    table(terminal, TOOL_COLUMNS, trajectory.byTool.slice(0, ROWS).map((tool) => toolRow(tool, tokens))); // prettier-ignore
  }
  if (trajectory.byTurn.length > 1) {
    section(terminal, "The biggest turns, from one user message to the next");
    const turns = trajectory.byTurn.map((turn, index) => ({ ...turn, index })).sort((a, b) => b.tokens - a.tokens || a.index - b.index);
    table(terminal, TURN_COLUMNS, turns.slice(0, ROWS).map((turn) => [`${turn.index + 1}`, `${turn.from}`, number(turn.toolCalls), number(turn.tokens), percent(turn.tokens, tokens)])); // prettier-ignore
  }
  if (trajectory.biggestResults.length > 0) {
    section(terminal, "The biggest results");
    table(terminal, RESULT_COLUMNS, trajectory.biggestResults.slice(0, ROWS).map(resultRow));
  }
  const { duplicates, duplicateTokens, superseded, supersededTokens } = trajectory.repeats;
  printRepeats(terminal, `Duplicates: ${number(duplicateTokens)} tokens that are already in the context`, duplicates);
  printRepeats(terminal, `Superseded: ${number(supersededTokens)} tokens of files and commands that were read or changed again later`, superseded);
  printGrowth(terminal, trajectory.growth);
  printCost(terminal, trajectory);
}

function printRepeats(terminal: Terminal, title: string, repeats: readonly RepeatedResult[]): void {
  if (repeats.length === 0) return;
  section(terminal, title);
  const largest = [...repeats].sort((a, b) => b.tokens - a.tokens || a.position - b.position).slice(0, ROWS);
  table(terminal, REPEAT_COLUMNS, largest.map(({ position, tool, of, tokens, other }) => [`${position}`, `${other}`, tool, printable(of), number(tokens)])); // prettier-ignore
}

const CHART_HEIGHT = 8;
const CHART_COLUMNS = 72;

function printGrowth(terminal: Terminal, growth: readonly GrowthPoint[]): void {
  if (growth.length < 2) return;
  section(terminal, `Growth: tokens sent with each of the ${number(growth.length)} calls of the model`);
  const width = Math.max(10, Math.min(CHART_COLUMNS, terminal.columns - 12));
  const points = sampled(growth.map(({ contextTokens }) => contextTokens), width); // prettier-ignore
  for (const line of asciichart.plot(points, { height: CHART_HEIGHT, min: 0, format: (size) => number(Math.round(size)).padStart(9) }).split("\n"))
    terminal.print(line);
}

/** Returns the last point of each of `most` equal stretches. */
function sampled(points: readonly number[], most: number): number[] {
  if (points.length <= most) return [...points];
  return Array.from({ length: most }, (_, index) => points[Math.ceil(((index + 1) * points.length) / most) - 1] ?? 0);
}

function printCost(terminal: Terminal, { cost, model, guess }: InspectedTrajectory): void {
  if (cost === undefined) return;
  section(terminal, `Cost at the prices of ${model}, if nothing is shortened`);
  if (guess !== undefined) terminal.print(printable(guess));
  terminal.print(`${dollars(cost.cachedDollars)} with prompt caching, ${dollars(cost.uncachedDollars)} without.`);
  terminal.print(`${number(cost.inputTokens)} tokens read, ${percent(cost.cacheReadTokens, cost.inputTokens)} of them from the cache; ${number(cost.outputTokens)} written.`); // prettier-ignore
}

function printSummary(terminal: Terminal, format: string, trajectories: readonly InspectedTrajectory[]): void {
  const tokens = trajectories.reduce((sum, trajectory) => sum + trajectory.tokens, 0);
  terminal.print(terminal.bold(`${number(tokens)} tokens`), ` in ${number(trajectories.length)} trajectories (${format})`);
  terminal.print();
  const rows = trajectories.map(({ id, model, messages, toolCalls, tokens: size, cost }) => [
    id,
    model,
    number(messages),
    number(toolCalls),
    number(size),
    cost === undefined ? "" : dollars(cost.cachedDollars),
  ]);
  table(terminal, SUMMARY_COLUMNS, rows);
  terminal.print();
  for (const guess of new Set(trajectories.flatMap((trajectory) => trajectory.guess ?? []))) terminal.print(printable(guess));
  terminal.print("More about one of them: --trajectory <id>");
}

const right = (title: string): Column => ({ title, align: "right" });
const SHARE_COLUMNS: readonly Column[] = [{ title: "" }, right("tokens"), right("share")];
const TOOL_COLUMNS: readonly Column[] = [{ title: "tool" }, right("calls"), right("in calls"), right("in results"), right("share")];
const TURN_COLUMNS: readonly Column[] = [right("turn"), right("from message"), right("tool calls"), right("tokens"), right("share")];
const RESULT_COLUMNS: readonly Column[] = [right("message"), { title: "tool" }, { title: "call", give: "cut" }, right("tokens")];
const REPEAT_COLUMNS: readonly Column[] = [right("message"), right("see message"), { title: "tool" }, { title: "of", give: "cut" }, right("tokens")];
const SUMMARY_COLUMNS: readonly Column[] = [{ title: "id" }, { title: "model" }, right("messages"), right("tool calls"), right("tokens"), right("cached cost")];

function shareRow(name: string, tokens: number, all: number): string[] {
  return [name, number(tokens), percent(tokens, all)];
}

function toolRow({ name, calls, callTokens, resultTokens, tokens }: ToolShare, all: number): string[] {
  return [printable(name), number(calls), number(callTokens), number(resultTokens), percent(tokens, all)];
}

function resultRow({ position, tool, call, tokens }: SizedResult): string[] {
  return [`${position}`, printable(tool), printable(call), number(tokens)];
}

function section(terminal: Terminal, title: string): void {
  terminal.print();
  terminal.print(terminal.bold(title));
}

function table(terminal: Terminal, columns: readonly Column[], rows: readonly (readonly string[])[]): void {
  const [titles = "", ...lines] = formatTable(columns, rows, terminal.columns);
  if (titles.trim() !== "") terminal.print(terminal.dim(titles));
  for (const line of lines) terminal.print(line);
}

function times(count: number): string {
  return count === 1 ? "once" : `${number(count)} times`;
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}

function percent(part: number, all: number): string {
  return all === 0 ? "0 %" : `${((100 * part) / all).toFixed(1)} %`;
}

function dollars(value: number): string {
  return `$${value < 0.1 ? value.toFixed(4) : value.toFixed(2)}`;
}
