import { field, holdsResultsOnly, isCall, isServerAnswer, isServerUse, textField, type JudgedBlock, type Request, type Turn } from "./judged-request.ts";

/**
 * A3: a provider-run call comes before its result, both in assistant turns of one tool loop. It may stay without a result
 * only while it is pending: beside client calls whose results alone make up the next turn, or where the request ends.
 */
export function serverToolFaults({ turns }: Request): string[] {
  const loop = new ServerLoop();
  return turns.flatMap((turn, index) => (turn.role === "assistant" ? loop.speak(turn, index === turns.length - 1) : loop.listen(turn)));
}

class ServerLoop {
  /** Provider-run calls without a result so far, each with how often its id is open. */
  readonly #open = new Map<string, number>();
  /** Every provider-run call of this loop, for the client calls that a program makes (A3.3). */
  readonly #seen = new Set<string>();

  speak(turn: Turn, last: boolean): string[] {
    const faults = turn.blocks.flatMap((block) => this.#block(block));
    const mayWait = last || turn.blocks.some(isCall);
    return mayWait ? faults : [...faults, ...this.#giveUp()];
  }

  listen(turn: Turn): string[] {
    const misplaced = turn.blocks.filter((block) => isServerAnswer(block) || isServerUse(block)).map((block) => `A3.1:${nameOf(block)}`);
    if (holdsResultsOnly(turn)) return misplaced;
    const unanswered = this.#giveUp();
    this.#seen.clear();
    return [...misplaced, ...unanswered];
  }

  #block(block: JudgedBlock): string[] {
    const id = nameOf(block);
    if (isServerUse(block)) {
      this.#open.set(id, (this.#open.get(id) ?? 0) + 1);
      this.#seen.add(id);
      return [];
    }
    if (isServerAnswer(block)) {
      const open = this.#open.get(id) ?? 0;
      if (open === 0) return [`A3.1:${id}`];
      this.#open.set(id, open - 1);
      return [];
    }
    const program = isCall(block) ? programOf(block) : null;
    return program === null || this.#seen.has(program) ? [] : [`A3.3:${textField(block, "id")}`];
  }

  /** A3.2: what is still open now can get no result any more. */
  #giveUp(): string[] {
    const faults = [...this.#open].flatMap(([id, count]) => Array.from({ length: count }, () => `A3.2:${id}`));
    this.#open.clear();
    return faults;
  }
}

function nameOf(block: JudgedBlock): string {
  return isServerUse(block) ? textField(block, "id") : textField(block, "tool_use_id");
}

function programOf(call: JudgedBlock): string | null {
  const caller = field(call, "caller");
  const id = typeof caller === "object" && caller !== null ? field(caller, "tool_id") : undefined;
  return typeof id === "string" ? id : null;
}
