import type { ScriptedCall, SeenRequest, Turn } from "../../../src/testing/index.ts";
import type { PolicyOptions } from "../../../src/conversation/index.ts";

/** What a busy agent did, counted by its script. */
export interface Deeds {
  compactions: number;
  recalls: number;
  answered: number;
}

/**
 * A model that works for a number of turns, always in the same way: parallel calls, thinking, text, calls that fail and calls that return
 * images, and now and then `compact` (in the middle, from the start, to the end, with siblings, mistaken) and `recall`, where it has them.
 */
export function busyAgent(turns: number, deeds: Deeds): (request: SeenRequest) => Turn {
  return (request) => {
    const turn = deeds.answered++;
    if (turn >= turns) return { thinking: "That is all.", text: `Done after ${turns} turns.` };
    const thinking = turn % 4 === 3 ? {} : { thinking: `Turn ${turn}: what next?` };
    const hidden = hiddenCalls(request, turn, deeds);
    if (hidden.length > 0 && turn % 2 === 0) return { ...thinking, calls: hidden };
    const text = turn % 3 === 0 ? { text: `I look at part ${turn}.` } : {};
    return { ...thinking, ...text, calls: [...hidden, ...workingCalls(turn)] };
  };
}

function workingCalls(turn: number): ScriptedCall[] {
  const calls: ScriptedCall[] = [{ name: "read", input: { path: `src/part-${turn}.ts` } }];
  if (turn % 2 === 1) calls.push({ name: "search", input: { pattern: `name_${turn}` } });
  if (turn % 5 === 2) calls.push({ name: "fail", input: { turn } });
  if (turn % 11 === 4) calls.push({ name: "look", input: { turn } });
  return calls;
}

function hiddenCalls(request: SeenRequest, turn: number, deeds: Deeds): ScriptedCall[] {
  const shown = (): string => JSON.stringify(request.body);
  if (request.tools.includes("recall") && turn % 9 === 5) {
    const handles = [...shown().matchAll(/\[recall handles?: ([a-z0-9-]+)/g)].map(([, handle]) => handle);
    deeds.recalls++;
    return [{ name: "recall", input: { handle: handles[turn % Math.max(1, handles.length)] ?? "none", grep: "needle|missing" } }];
  }
  if (!request.tools.includes("compact") || turn % 13 < 11) return [];
  const ids = [...shown().matchAll(/<checkpoint:([a-z0-9]{6})>/g)].map(([, id]) => id);
  const at = (share: number): string | undefined => ids[Math.floor(share * (ids.length - 1))];
  const summary = `Turns up to ${turn}: read parts, the needle is in part ${turn}.`;
  deeds.compactions++;
  const choices: readonly object[][] = [
    [{ from: at(0.2), to: at(0.6), summary }],
    [{ to: at(0.3), summary }],
    [{ from: at(0.4), summary }],
    [
      { from: at(0.1), to: at(0.3), summary },
      { from: at(0.6), to: at(0.8), summary: "" },
    ],
    [{ from: "nosuch", to: at(0.5), summary }],
    [{ from: at(0.8), to: at(0.2), summary }],
  ];
  return [{ name: "compact", input: { replacements: choices[Math.floor(turn / 13) % choices.length] ?? [] } }];
}

/** What a tool of the busy agent's gives: text, and whether it is an error; `image` where it is a picture. */
export interface ToolOutput {
  readonly text: string;
  readonly isError: boolean;
  readonly image?: string;
}

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export function runTool(name: string, input: unknown): ToolOutput {
  const asked = JSON.stringify(input);
  if (name === "fail") return { text: `Error: cannot do ${asked}`, isError: true };
  if (name === "look") return { text: `A picture for ${asked}`, isError: false, image: PIXEL };
  const lines = Array.from({ length: name === "read" ? 60 : 12 }, (_, line) => `${name} ${asked} line ${line}: value_${line * 7919}`);
  lines.splice(Math.floor(lines.length / 2), 0, `needle ${asked}`);
  return { text: lines.join("\n"), isError: false };
}

export const TOOL_NAMES = ["read", "search", "fail", "look"] as const;

/** So small that it decides something at nearly every call of a busy agent. */
export const BUSY_POLICY: PolicyOptions = {
  preset: "tight",
  firstSightTokens: 150,
  firstSightFileTokens: 150,
  tailTokens: 300,
  tailTurns: 2,
  minBatchTokens: 100,
  minResultTokens: 60,
  inputTokens: 10,
  horizonPercent: 1_000,
};
