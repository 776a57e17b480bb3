import { basename } from "node:path";
import type { ReplayTotal } from "../../replay/measure-replay.ts";
import { formatTable, type Column } from "../table.ts";
import { printable } from "../safe-text.ts";
import type { Terminal } from "../terminal.ts";
import type { PlayedFile, PlayedTrajectory } from "./play-files.ts";

export interface PlayedFiles {
  readonly policy: string;
  readonly files: readonly PlayedFile[];
  readonly total: ReplayTotal;
}

const right = (title: string): Column => ({ title, align: "right" });
const COLUMNS: readonly Column[] = [
  { title: "trajectory", give: "cut" },
  right("calls"),
  right("tokens sent"),
  right("of full"),
  right("peak"),
  right("cost"),
  right("of full"),
  right("batches"),
  right("edits"),
  right("recoverable"),
  right("faults"),
];

export function printReplay(terminal: Terminal, { policy, files, total }: PlayedFiles): void {
  for (const { file, damaged } of files)
    for (const { line, reason } of damaged)
      terminal.print(terminal.red(`Line ${line} of ${printable(file)} could not be read and was left out: ${printable(reason)}`));
  const rows = files.flatMap(({ file, trajectories }) => trajectories.map((played) => rowOf(nameOf(file, played.id, trajectories.length), played)));
  const [titles = "", ...lines] = formatTable(COLUMNS, rows, terminal.columns);
  terminal.print(terminal.dim(titles));
  for (const line of lines) terminal.print(line);
  terminal.print();
  const { full } = total;
  terminal.print(terminal.bold(`${policy}: ${dollars(total.dollars)} instead of ${dollars(full.dollars)}${inBrackets(total.costRatio)}`), " for input tokens, both with prompt caching."); // prettier-ignore
  terminal.print(`${number(total.tokensSent)} instead of ${number(full.tokensSent)} tokens, at most ${number(total.peakTokens)} instead of ${number(full.peakTokens)} at once, in ${counted(total.calls, "call")} of ${counted(total.trajectories, "trajectory", "trajectories")}.`); // prettier-ignore
  if (total.meanCostRatio !== undefined && total.worstCostRatio !== undefined && total.trajectories > 1)
    terminal.print(`Per trajectory ${percent(total.meanCostRatio)} of the cost on average, ${percent(total.worstCostRatio)} at worst.`);
  const models = new Set(files.flatMap(({ trajectories }) => trajectories.flatMap((played) => played.models)));
  if (models.size > 0) terminal.print(`Prices of ${[...models].map(printable).join(", ")}; sizes are estimates.`);
  for (const guess of new Set(files.flatMap(({ trajectories }) => trajectories.flatMap((played) => played.guesses)))) terminal.print(printable(guess));
  if (total.faults === 0) terminal.print("The provider would refuse nothing that was not already wrong in the log.");
  else terminal.print(terminal.red(`${counted(total.faults, "fault")} that the logs lack, such as: ${total.faultsFound.map(printable).join("; ")}`));
}

/** Most files hold one trajectory. */
function nameOf(file: string, id: string, trajectories: number): string {
  return printable(trajectories === 1 ? basename(file) : `${id}, ${basename(file)}`);
}

function rowOf(name: string, played: PlayedTrajectory): string[] {
  const { calls, tokensSent, full, peakTokens, costRatio, batches, edits, recoverableTokens, faults } = played;
  return [
    name,
    number(calls),
    number(tokensSent),
    full.tokensSent === 0 ? "" : percent(tokensSent / full.tokensSent),
    number(peakTokens),
    dollars(played.dollars),
    costRatio === undefined ? "" : percent(costRatio),
    number(batches),
    number(edits),
    number(recoverableTokens),
    number(faults),
  ];
}

function inBrackets(ratio: number | undefined): string {
  return ratio === undefined ? "" : ` (${percent(ratio)})`;
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}

function percent(ratio: number): string {
  return `${(100 * ratio).toFixed(1)} %`;
}

function dollars(value: number): string {
  return `$${value < 0.1 ? value.toFixed(4) : value.toFixed(2)}`;
}
