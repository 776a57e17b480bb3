import { field, holdsResultsOnly, isBlank, isCall, isResult, textField, type JudgedBlock, type Request, type Turn } from "./judged-request.ts";

/** A2: every call has one result at the head of the next turn, every result a call, and both are well formed. */
export function toolFaults(request: Request): string[] {
  const { turns, target } = request;
  const pairing = turns.flatMap((turn, index) => {
    if (turn.role === "assistant") {
      const next = turns[index + 1];
      const unfinished = target.history && (next === undefined || (index + 2 === turns.length && holdsResultsOnly(next)));
      return [...pairFaults(turn, next, unfinished), ...tooMany(turn.blocks.filter(isResult))];
    }
    // Results after a turn that is no assistant's, and calls that no assistant made, have no partner.
    const strayCalls = turn.blocks.filter(isCall).map((call) => `A2.1:${textField(call, "id")}`);
    return index === 0 ? [...strayCalls, ...tooMany(turn.blocks.filter(isResult))] : strayCalls;
  });
  const blocks = turns.flatMap((turn) => turn.blocks);
  return [...pairing, ...repeatedIds(blocks), ...blocks.flatMap(callShape), ...blocks.flatMap(resultShape)];
}

/** One class for a result without a call (A2.2) and a second result (A2.6): which it is depends on what stands around it. */
function tooMany(results: readonly JudgedBlock[]): string[] {
  return results.map((result) => `A2.2|A2.6:${textField(result, "tool_use_id")}`);
}

function pairFaults(turn: Turn, next: Turn | undefined, unfinished: boolean): string[] {
  const answers = next?.blocks ?? [];
  const head = answers.findIndex((block) => !isResult(block));
  const inHead = countIds(head === -1 ? answers : answers.slice(0, head), "tool_use_id");
  const inAll = countIds(answers.filter(isResult), "tool_use_id");
  const called = countIds(turn.blocks.filter(isCall), "id");
  const faults: string[] = [];
  for (const id of new Set([...called.keys(), ...inAll.keys()])) {
    const calls = called.get(id) ?? 0;
    const results = inAll.get(id) ?? 0;
    const paired = Math.min(calls, results);
    if (!unfinished) push(faults, `A2.1:${id}`, calls - results);
    push(faults, `A2.3:${id}`, paired - Math.min(calls, inHead.get(id) ?? 0));
    push(faults, `A2.2|A2.6:${id}`, results - calls);
  }
  return faults;
}

function push(faults: string[], fault: string, times: number): void {
  for (let i = 0; i < times; i += 1) faults.push(fault);
}

function countIds(blocks: readonly JudgedBlock[], name: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const block of blocks) {
    const id = textField(block, name);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** A2.5 */
function repeatedIds(blocks: readonly JudgedBlock[]): string[] {
  const faults: string[] = [];
  for (const [id, count] of countIds(blocks.filter(isCall), "id")) push(faults, `A2.5:${id}`, count - 1);
  return faults;
}

const ID = /^[a-zA-Z0-9_-]+$/;

/** A2.7, A2.8, A2.9 */
function callShape(block: JudgedBlock): string[] {
  if (!isCall(block)) return [];
  const id = textField(block, "id");
  const name = textField(block, "name");
  const input = field(block, "input");
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  return [...(ID.test(id) ? [] : [`A2.7:${id}`]), ...(name.length >= 1 && name.length <= 200 ? [] : [`A2.8:${id}`]), ...(isObject ? [] : [`A2.9:${id}`])];
}

/** A2.7, A2.12, A2.13 */
function resultShape(block: JudgedBlock): string[] {
  if (!isResult(block)) return [];
  const id = textField(block, "tool_use_id");
  const faults = ID.test(id) ? [] : [`A2.7:${id}`];
  if (field(block, "is_error") !== true) return faults;
  const content = field(block, "content");
  const parts = Array.isArray(content) ? (content as JudgedBlock[]) : [];
  const said = typeof content === "string" ? content : parts.map((part) => (part.type === "text" ? textField(part, "text") : part.type)).join("");
  if (isBlank(said)) faults.push(`A2.12:${id}`);
  if (parts.some((part) => part.type !== "text")) faults.push(`A2.13:${id}`);
  return faults;
}
