import { describeInput, withoutFolder } from "../../text/outline/describe-input.ts";
import { tellingLine } from "../../text/outline/result-line.ts";
import { quoteHead, quoteName } from "../../text/quote.ts";
import type { Digestible } from "../digestible.ts";
import type { DigestedCall } from "./digested-call.ts";
import type { PartMarks } from "./part-marks.ts";
import type { NewIds } from "./used-ids.ts";

/** The longest command, and the longest line of a result. */
const MOST_CHARS = 120;
/** Up to this many calls that worked and have nothing worth telling share a line. */
const MOST_IN_LINE = 8;

interface CallGroup {
  readonly name: string;
  readonly tool: string;
  readonly isCommand: boolean;
  times: number;
  failures: number;
  last: DigestedCall;
  line: string | undefined;
  readonly turns: Digestible[];
}

/** Returns lines for commands and other calls, equal calls together, each with its outcome and the telling line of its result. */
export function callLines(calls: readonly DigestedCall[], turnOf: (position: number) => Digestible, newIds: NewIds, marks: PartMarks | undefined): string[] {
  const groups = groupsOf(calls, turnOf, newIds);
  const section = (heading: string, isCommand: boolean): string[] => {
    const lines = linesOf(groups.filter((group) => group.isCommand === isCommand), marks); // prettier-ignore
    return lines.length === 0 ? [] : [heading, ...lines];
  };
  return [...section("Commands:", true), ...section("Other calls:", false)];
}

function groupsOf(calls: readonly DigestedCall[], turnOf: (position: number) => Digestible, newIds: NewIds): CallGroup[] {
  const groups = new Map<string, CallGroup>();
  for (const call of calls) {
    if (call.kind !== "command" && call.kind !== "other" && !call.failed) continue;
    const isCommand = call.command !== "";
    const name = argumentsOf(call);
    const key = `${isCommand ? "" : call.tool}\n${name}`;
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = { name, tool: call.tool, isCommand, times: 0, failures: 0, last: call, line: undefined, turns: [] }));
    group.times++;
    group.last = call;
    if (call.failed) group.failures++;
    group.line = tellingLine(call) ?? (call.failed ? undefined : newIds.lineOf(call)) ?? group.line;
    const turn = turnOf(call.position);
    if (group.turns.at(-1) !== turn) group.turns.push(turn);
  }
  return [...groups.values()];
}

/** `"npm test"`, `grep pattern="x"`. */
export function callName(call: DigestedCall): string {
  return nameOf({ isCommand: call.command !== "", tool: call.tool, name: argumentsOf(call) });
}

function argumentsOf({ command, input }: DigestedCall): string {
  return command === "" ? describeInput(input) : quoteHead(withoutFolder(command), MOST_CHARS);
}

/** Returns one line for each call that failed or has something worth telling; the others share lines. */
function linesOf(groups: readonly CallGroup[], marks: PartMarks | undefined): string[] {
  const lines: string[] = [];
  let plain: CallGroup[] = [];
  const close = (): void => {
    if (plain.length === 0) return;
    lines.push(`- ${plainNames(plain)}${marks?.of(plain.flatMap(({ turns }) => turns)) ?? ""}`);
    plain = [];
  };
  for (const group of groups) {
    const isPlain = group.failures === 0 && group.line === undefined;
    if (!isPlain || plain.length === MOST_IN_LINE || (plain[0] !== undefined && !group.isCommand && plain[0].tool !== group.tool)) close();
    if (isPlain) plain.push(group);
    else {
      const said = group.line === undefined ? "" : ` | ${quoteHead(group.line, MOST_CHARS)}`;
      lines.push(`- ${nameOf(group)}: ${stateOf(group)}${marks?.of(group.turns) ?? ""}${said}`);
    }
  }
  close();
  return lines;
}

/** `read_page page=1; page=2`: of one tool, or commands. */
function plainNames(groups: readonly CallGroup[]): string {
  return groups.map((group, number) => `${number > 0 && !group.isCommand ? group.name : nameOf(group)}${group.times > 1 ? ` ${group.times}x` : ""}`).join("; "); // prettier-ignore
}

function nameOf({ isCommand, tool, name }: Pick<CallGroup, "isCommand" | "tool" | "name">): string {
  return isCommand ? name : `${quoteName(tool)} ${name}`.trimEnd();
}

function stateOf({ times, failures, last }: CallGroup): string {
  const failed = last.exitCode === undefined || last.exitCode === 0 ? "failed" : `exit ${last.exitCode}`;
  if (times === 1) return failures === 0 ? "ok" : failed;
  if (failures === 0) return `ok ${times}x`;
  return failures === times ? `${failed} ${times}x` : `${times}x, ${failures} failed, last ${last.failed ? failed : "ok"}`;
}
