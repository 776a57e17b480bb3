import type { DamagedEntry } from "../../formats/transcripts/transcript-format.ts";
import { formatTable, type Column } from "../table.ts";
import { printable } from "../safe-text.ts";
import type { Terminal } from "../terminal.ts";
import type { CompletedStep } from "./compact-trajectory.ts";

/** Messages and tokens as `inspect` counts them. */
export interface CompactedSize {
  readonly id: string;
  readonly messagesBefore: number;
  readonly messagesAfter: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly steps: readonly CompletedStep[];
}

export interface CompactionSummary {
  readonly format: string;
  readonly trajectories: readonly CompactedSize[];
  readonly damaged: readonly DamagedEntry[];
}

const right = (title: string): Column => ({ title, align: "right" });

export function printCompaction(terminal: Terminal, { format, trajectories, damaged }: CompactionSummary, output: string | undefined): void {
  for (const { line, reason } of damaged) terminal.print(terminal.red(`Line ${line} could not be read and was left out: ${printable(reason)}`));
  const several = trajectories.length > 1;
  const columns: readonly Column[] = [
    ...(several ? [{ title: "trajectory" }] : []),
    { title: "step" },
    right("changed"),
    right("dropped"),
    right("tokens before"),
    right("after"),
  ];
  const rows = trajectories.flatMap(({ id, steps }) =>
    steps.map((step) => [
      ...(several ? [printable(id)] : []),
      step.name,
      number(step.changed),
      number(step.dropped),
      number(step.tokensBefore),
      number(step.tokensAfter),
    ]),
  );
  const [titles = "", ...lines] = formatTable(columns, rows, terminal.columns);
  terminal.print(terminal.dim(titles));
  for (const line of lines) terminal.print(line);
  terminal.print();
  const before = trajectories.reduce((sum, { tokensBefore }) => sum + tokensBefore, 0);
  const after = trajectories.reduce((sum, { tokensAfter }) => sum + tokensAfter, 0);
  const share = before === 0 ? "" : ` (${Math.round((100 * after) / before)} %)`;
  terminal.print(terminal.bold(`${number(before)} → ${number(after)} tokens${share}`), `, ${format}${output === undefined ? "" : `, written to ${output}`}`);
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}
