import type { ScriptedCall, SeenRequest, Turn } from "../../../src/testing/index.ts";
import type { ToolOutput } from "./busy-agent.ts";

/**
 * A model that does the same work whether it has hidden tools or not: where it has them, it recalls and compacts in between, alone or beside a call of its
 * work. So the loop with them is the loop without them, and more. One serves one conversation. `seed`: other work, and results of other lengths.
 */
export function steadyAgent(turns: number, seed = 0): (request: SeenRequest) => Turn {
  const first = seed * SEEDS_APART;
  let turn = 0;
  let asides = 0;
  return (request) => {
    const isDue = asides < Math.floor(turn / 6);
    const aside = isDue ? hiddenCall(request, ++asides) : undefined;
    if (aside !== undefined && asides % 3 === 0) return { calls: [aside] };
    if (turn >= turns) return { text: `Done after ${turns} turns.` };
    const work = workOf(first + turn++);
    return { ...work, ...(aside === undefined ? {} : { calls: [aside, ...(work.calls ?? [])] }) };
  };
}

/** No divisor of the lengths of results. */
const SEEDS_APART = 1_009;

function workOf(turn: number): Turn {
  const calls: ScriptedCall[] = [{ name: "read", input: { path: `src/part-${turn}.ts`, why: `to see what part ${turn} does` } }];
  if (turn % 2 === 1) calls.push({ name: "search", input: { pattern: `name_${turn}` } });
  if (turn % 3 === 2) calls.push({ name: "list", input: { page: turn } });
  return {
    ...(turn % 3 === 0 ? { thinking: `Turn ${turn}: part ${turn} is the next one, and then the one behind it.` } : {}),
    ...(turn % 4 === 0 ? { text: `I look at part ${turn} now, since what I have seen so far does not tell what is wrong.` } : {}),
    calls,
  };
}

function hiddenCall({ tools, body }: SeenRequest, number: number): ScriptedCall | undefined {
  const shown = JSON.stringify(body);
  if (tools.includes("compact") && number % 2 === 0) {
    const ids = [...shown.matchAll(/<checkpoint:([a-z0-9]{6})>/g)].map(([, id]) => id);
    const [from, to] = [ids[Math.floor(ids.length * 0.2)], ids[Math.floor(ids.length * 0.7)]];
    return { name: "compact", input: { replacements: [{ from, to, summary: `So far ${number}: parts were read, and nothing was found in them.` }] } };
  }
  if (!tools.includes("recall")) return undefined;
  const handles = [...shown.matchAll(/\[recall handles?: ([a-z0-9-]+)/g)].map(([, handle]) => handle);
  return { name: "recall", input: { handle: handles[number % Math.max(1, handles.length)] ?? "none", grep: "line 1" } };
}

/** Code, listings and records of different lengths, so that their tokens are not all alike. */
export function steadyTool(name: string, input: unknown): ToolOutput {
  const seed = JSON.stringify(input).length + Number(/\d+/.exec(JSON.stringify(input))?.[0] ?? 0);
  if (name === "search")
    return { text: linesOf(8 + (seed % 11), (line) => `src/deep/folder-${line}/part-${seed}.ts:${line * 17}: const found = lookUp(${line});`), isError: false };
  if (name === "list")
    return {
      text: JSON.stringify(Array.from({ length: 10 + (seed % 20) }, (_, id) => ({ id, name: `item ${id}`, price: seed * id * 1.25, tags: ["a", "b"] }))),
      isError: false,
    };
  return {
    text: linesOf(
      40 + (seed % 50),
      (line) => `${line}\t  if (isReady(part${line})) return await handle(part${line}, { retries: ${line % 4}, reason: "not yet there" }); // line ${line}`,
    ),
    isError: false,
  };
}

function linesOf(count: number, lineOf: (line: number) => string): string {
  return Array.from({ length: count }, (_, line) => lineOf(line)).join("\n");
}

export const STEADY_TOOLS = ["read", "search", "list"] as const;
